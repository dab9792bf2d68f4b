/** That nothing of a server outlives it, although it was killed. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "./root.mjs";

test("the runtime ends with a server that is killed", async (context) => {
  const state = await mkdtemp(join(tmpdir(), "yuba-watchdog-"));
  context.after(() => rm(state, { recursive: true }));
  const words = [join(ROOT, "scripts/local/storage.mjs"), "--state", state];
  const server = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  const line = await new Promise((resolve) => server.stdout.setEncoding("utf8").once("data", resolve));
  const { url } = JSON.parse(line);
  assert.ok(await answers(url));
  server.kill("SIGKILL");
  for (let tries = 0; tries < 100 && (await answers(url)); tries++) await sleep(100);
  assert.ok(!(await answers(url)));
});

async function answers(url) {
  return fetch(url).then(() => true, () => false);
}
