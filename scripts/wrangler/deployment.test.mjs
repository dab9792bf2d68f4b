/** `yuba init` with the real wrangler, against a double of Cloudflare's API; and what wrangler does with what it wrote. */

import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { buildCompanion, buildWorker } from "../local/build.mjs";
import { runChild } from "../local/child.mjs";
import { ROOT } from "../local/root.mjs";
import { ACCOUNT, NAMESPACE, startDouble } from "./cloudflare-double.mjs";
import { startDev, WRANGLER, wranglerEnvironment } from "./wrangler.mjs";

const INIT = ["init", "--hostname", "registry.example", "--yes"];

let directory, yuba, project, double;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "yuba-deployment-"));
  yuba = join(await buildCompanion(), "yuba");
  await buildWorker();
});
after(() => rm(directory, { recursive: true }));
beforeEach(async (context) => {
  double = await startDouble("s3cr3t");
  project = join(directory, context.name.replaceAll(/\W+/g, "-"));
  await checkOut(project);
});
afterEach(() => double.stop());

/** The project as it is checked out, but for where the Worker has been built. */
async function checkOut(path) {
  await mkdir(path);
  await symlink(join(ROOT, "node_modules"), join(path, "node_modules"));
  await copyFile(join(ROOT, ".dev.vars"), join(path, ".dev.vars"));
  const committed = await readFile(join(ROOT, "scripts/yuba/tests/wrangler.toml"), "utf8");
  const built = committed.replace('"build/index.js"', JSON.stringify(join(ROOT, "build/index.js"))).replace(/\[build\]\n[^[]*(?=\[)/, "");
  await writeFile(join(path, "wrangler.toml"), built);
}

/** Runs a command in the project with the double's address, and nothing of this machine's Cloudflare. */
async function run(command, variables = { CLOUDFLARE_API_TOKEN: "s3cr3t", CLOUDFLARE_ACCOUNT_ID: ACCOUNT }) {
  const { CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_KEY, CLOUDFLARE_EMAIL, ...own } = wranglerEnvironment();
  // wrangler keeps the account that somebody is logged in to below these.
  const home = { HOME: directory, XDG_CONFIG_HOME: directory };
  const env = { ...own, ...home, CLOUDFLARE_API_BASE_URL: double.url, ...variables };
  const words = `${command.map((word) => `'${word}'`).join(" ")} 2>&1`;
  return runChild(["sh", "-c", words], { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] });
}

test("prepares a deployment that wrangler would deploy", async () => {
  const first = await run([yuba, ...INIT]);
  assert.equal(first.status, 0, first.output);
  assert.match(first.output, /^created +R2 bucket yuba-archives\ncreated +KV namespace yuba-metadata {2}0f2a/);
  assert.deepEqual(double.account.creations, ["bucket yuba-archives", "namespace yuba-metadata"]);
  const written = await readFile(join(project, "wrangler.toml"), "utf8");
  const second = await run([yuba, ...INIT]);
  assert.match(second.output, /\nunchanged: registry\.example is configured already\n/);
  assert.deepEqual([await readFile(join(project, "wrangler.toml"), "utf8"), double.account.creations.length], [written, 2]);
  const deploy = await run([...WRANGLER, "deploy", "--dry-run", "--outdir", join(project, "bundle")]);
  assert.equal(deploy.status, 0, deploy.output);
  for (const told of [`env.METADATA (${NAMESPACE})`, "env.ARCHIVES (yuba-archives)", 'env.REGISTRY_HOSTNAME ("registry.example")']) {
    assert.ok(deploy.output.includes(told), deploy.output);
  }
});

test("uses a bucket that is there, also where Cloudflare does not list it", async () => {
  double.account.buckets = [...Array.from({ length: 20 }, (_, i) => `other-${i}`), "yuba-archives"];
  const { status, output } = await run([yuba, ...INIT]);
  assert.equal(status, 0, output);
  assert.match(output, /^kept +R2 bucket yuba-archives\n/);
});

test("tells wrangler's refusals in its own words, with a remedy", async () => {
  const nobody = await run([yuba, ...INIT], {});
  assert.equal(nobody.status, 2, nobody.output);
  assert.match(nobody.output, /^error: `wrangler r2 bucket list` failed\ncaused by: .*CLOUDFLARE_API_TOKEN/);
  assert.match(nobody.output, /\nhint: log in with `npx wrangler login`/);
  const stranger = await run([yuba, ...INIT], { CLOUDFLARE_API_TOKEN: "other", CLOUDFLARE_ACCOUNT_ID: ACCOUNT });
  assert.equal(stranger.status, 2, stranger.output);
  assert.match(stranger.output, /Authentication error \[code: 10000\]/);
  assert.match(stranger.output, /\nhint: log in again .* Workers KV Storage: Edit and Workers R2 Storage: Edit/);
  assert.deepEqual(double.account.creations, []);
});

test("leaves local use as it was", async () => {
  const state = join(project, "state");
  const publish = [join(ROOT, "scripts/dev"), "--empty", "--port", "0", "--state", state, "--", join(ROOT, "scripts/local/publish-sample.sh"), state];
  const published = await runChild(publish, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  assert.equal(published.status, 0);
  const { namespace, type, version } = JSON.parse(published.output);
  assert.equal((await run([yuba, ...INIT])).status, 0);
  const wrangler = await startDev(project, state);
  try {
    const response = await fetch(`${wrangler.url}/v1/providers/${namespace}/${type}/versions`);
    const { versions } = await response.json();
    assert.deepEqual(versions.map((entry) => entry.version), [version]);
  } finally {
    await wrangler.stop();
  }
});
