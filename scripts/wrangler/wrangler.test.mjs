/** Plain wrangler: what it would deploy, and that `wrangler dev` serves the state of scripts/dev. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runChild } from "../local/child.mjs";
import { ROOT } from "../local/root.mjs";

const WRANGLER = [process.execPath, join(ROOT, "node_modules/wrangler/bin/wrangler.js")];
const OPTIONS = { cwd: ROOT, env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" } };
const PIPED = { ...OPTIONS, stdio: ["ignore", "pipe", "inherit"] };

let directory;

before(async () => (directory = await mkdtemp(join(tmpdir(), "yuba-wrangler-"))));
after(() => rm(directory, { recursive: true }));

test("deploys the Worker and nothing that can write", async () => {
  const bundle = join(directory, "bundle");
  const { status, output } = await runChild([...WRANGLER, "deploy", "--dry-run", "--outdir", bundle], PIPED);
  assert.equal(status, 0, output);
  const files = await readdir(bundle);
  assert.ok(files.includes("index.js") && files.some((name) => name.endsWith(".wasm")), files.join());
  for (const name of files) {
    const content = await readFile(join(bundle, name), "latin1");
    assert.ok(!content.includes("storage-worker") && !content.includes("X-Sha256"), name);
  }
});

test("serves with `wrangler dev` what scripts/dev has stored", async () => {
  const state = join(directory, "state");
  const publish = ["scripts/dev", "--empty", "--port", "0", "--state", state, "--", "scripts/local/publish-sample.sh", state];
  const { status, output } = await runChild(publish, PIPED);
  assert.equal(status, 0);
  const { namespace, type, version } = JSON.parse(output);
  const wrangler = await startDev(state);
  try {
    const response = await fetch(`${wrangler.url}/v1/providers/${namespace}/${type}/versions`);
    assert.equal(response.status, 200);
    const { versions } = await response.json();
    assert.deepEqual(versions.map((entry) => entry.version), [version]);
  } finally {
    await wrangler.stop();
  }
});

/** Starts `wrangler dev` on a free port and waits for the line that names it. */
async function startDev(state) {
  const [program, ...words] = [...WRANGLER, "dev", "--port", "0", "--persist-to", state];
  const child = spawn(program, words, { ...OPTIONS, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let output = "";
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        const ready = /Ready on (http:\/\/[\w.:-]+)/.exec(output);
        if (ready) resolve(ready[1]);
      });
    }
    exited.then(() => reject(new Error(output)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  return { url, stop };
}
