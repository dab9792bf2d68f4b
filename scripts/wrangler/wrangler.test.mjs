/** Plain wrangler: what it would deploy, and that `wrangler dev` serves the state of scripts/dev. */

import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runChild } from "../local/child.mjs";
import { ROOT } from "../local/root.mjs";
import { startDev, WRANGLER, wranglerEnvironment } from "./wrangler.mjs";

const PIPED = { cwd: ROOT, env: wranglerEnvironment(), stdio: ["ignore", "pipe", "inherit"] };

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
  const wrangler = await startDev(ROOT, state);
  try {
    const response = await fetch(`${wrangler.url}/v1/providers/${namespace}/${type}/versions`);
    assert.equal(response.status, 200);
    const { versions } = await response.json();
    assert.deepEqual(versions.map((entry) => entry.version), [version]);
  } finally {
    await wrangler.stop();
  }
});
