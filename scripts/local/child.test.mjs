/** How a command's end becomes this process's: statuses, signals, and programs that are not there. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runChild } from "./child.mjs";

const CHILD_MODULE = fileURLToPath(new URL("child.mjs", import.meta.url));

test("passes on the status as a shell gives it", async () => {
  for (const [script, status] of [["exit 0", 0], ["exit 7", 7], ["kill -TERM $$", 143], ["kill -KILL $$", 137]]) {
    assert.equal((await runChild(["sh", "-c", script], { stdio: "ignore" })).status, status, script);
  }
});

test("hands back what was piped", async () => {
  const { output } = await runChild(["sh", "-c", "echo one; echo two"], { stdio: ["ignore", "pipe", "inherit"] });
  assert.equal(output, "one\ntwo\n");
});

test("refuses a program that is not there or cannot be run", async () => {
  await assert.rejects(runChild(["no-such-program"], {}), {
    message: "`no-such-program` is not there: is it installed and on the PATH?",
    status: 127,
  });
  await assert.rejects(runChild([CHILD_MODULE], {}), { message: `\`${CHILD_MODULE}\` cannot be run: EACCES`, status: 126 });
});

test("forwards the signals that ask it to stop", async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    const name = signal.slice("SIG".length);
    const script = `trap 'exit 42' ${name}; echo ready; while read -r line; do :; done`;
    const source = `
      import { runChild } from ${JSON.stringify(CHILD_MODULE)};
      const command = ["sh", "-c", ${JSON.stringify(script)}];
      process.exitCode = (await runChild(command, { stdio: ["pipe", "inherit", "inherit"] })).status;
    `;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["ignore", "pipe", "inherit"] });
    parent.stdout.once("data", () => parent.kill(signal));
    const status = await new Promise((resolve) => parent.once("exit", (code, by) => resolve(code ?? by)));
    assert.equal(status, 42, signal);
  }
});
