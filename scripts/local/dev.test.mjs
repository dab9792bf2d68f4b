/** scripts/dev as it is run: what it refuses at once, what a command finds beside the server, how it ends. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT } from "./root.mjs";

let directory, state;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "yuba-dev-"));
  state = join(directory, "state");
});

after(() => rm(directory, { recursive: true }));

/** Runs scripts/dev in `directory`; `onOutput` is called once, with the process, when the first output is there. */
function dev(words, onOutput = () => {}, { script = join(ROOT, "scripts/dev"), env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(script, words, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stdout.once("data", () => onOutput(child));
    child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
    child.once("close", (code, signal) => resolve({ status: code ?? signal, output, errors }));
  });
}

/** With a state and a port of its own. */
function devBeside(command, onOutput) {
  return dev(["--empty", "--port", "0", "--state", "state", "--", ...command], onOutput);
}

test("teaches", async () => {
  const { status, output, errors } = await dev(["--help"]);
  assert.deepEqual([status, errors], [0, ""]);
  for (const flag of ["--port N", "--empty", "--state DIR", "--log FILE", "-- COMMAND"]) assert.ok(output.includes(flag));
});

test("refuses what it does not know in one line, and builds nothing", async () => {
  const { status, output, errors } = await dev(["--prot", "1"]);
  const refusal = "error: unknown argument `--prot`: see --help; a command to run stands after `--`\n";
  assert.deepEqual([status, output, errors], [1, "", refusal]);
});

test("runs through symbolic links, and where HOME is not set", async () => {
  await mkdir(join(directory, "bin"));
  await symlink(join(ROOT, "scripts/dev"), join(directory, "bin/first"));
  await symlink("first", join(directory, "bin/second"));
  const { HOME: _, ...env } = process.env;
  const { status, errors } = await dev(["--help"], undefined, { script: join(directory, "bin/second"), env });
  assert.deepEqual([status, errors], [0, ""]);
});

test("refuses a state and a log that cannot be written before it builds", async () => {
  await writeFile(join(directory, "file"), "");
  for (const [words, said] of [[["--state", "file"], "file` cannot hold"], [["--state", "state", "--log", "nope/x"], "nope/x` cannot be"]]) {
    const { status, output, errors } = await dev(words);
    assert.deepEqual([status, output, errors.split("\n").length], [1, "", 2], errors);
    assert.ok(errors.startsWith("error: `") && errors.includes(said), errors);
  }
});

test("refuses a port that is in use", async (context) => {
  const other = createServer();
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  context.after(() => new Promise((resolve) => other.close(resolve)));
  const { port } = other.address();
  const { status, errors } = await dev(["--empty", "--port", String(port), "--state", "state", "--", "true"]);
  assert.equal(status, 1, errors);
  assert.ok(errors.endsWith(`error: port ${port} is in use: stop what listens there, or pass --port N (0 picks a free one)\n`), errors);
});

test("gives a command what it needs, where it was called, and its status back", async () => {
  const script = 'pwd -P; echo "$YUBA_URL"; echo "$YUBA_STATE"; echo "$SSL_CERT_FILE"; command -v yuba; exit 7';
  const { status, output, errors } = await devBeside(["sh", "-c", script]);
  const [cwd, url, yubaState, bundle, companion] = output.split("\n");
  assert.equal(status, 7, errors);
  assert.match(url, /^https:\/\/localhost:\d+$/);
  assert.deepEqual([yubaState, bundle], [state, join(state, "tls/bundle.pem")]);
  assert.ok(cwd.endsWith(directory), cwd);
  assert.match(companion, /\/release\/yuba$/);
});

test("answers a command that trusts the bundle, and stops with it", async () => {
  const script = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { get } from "node:https";
    writeFileSync("url", process.env.YUBA_URL);
    const ca = readFileSync(process.env.SSL_CERT_FILE);
    get(process.env.YUBA_URL + "/.well-known/terraform.json", { ca }, (response) => response.pipe(process.stdout));
  `;
  const { status, output, errors } = await devBeside([process.execPath, "--input-type=module", "-e", script]);
  assert.equal(status, 0, errors);
  assert.ok("providers.v1" in JSON.parse(output), output);
  assert.ok(!existsSync(join(state, "yuba.json")));
  await assert.rejects(fetch(await readFile(join(directory, "url"), "utf8")));
});

test("ends as a command that a signal killed", async () => {
  const { status, errors } = await devBeside(["sh", "-c", "kill -KILL $$"]);
  assert.equal(status, 137, errors);
});

test("hands on SIGTERM, and waits for what the command makes of it", async () => {
  const script = "trap 'exit 42' TERM; echo ready; while sleep 1; do :; done";
  const { status, errors } = await devBeside(["sh", "-c", script], (child) => child.kill("SIGTERM"));
  assert.equal(status, 42, errors);
});

test("says what to paste, and serves until a signal", async () => {
  const words = ["--empty", "--port", "0", "--state", "state"];
  const { status, output, errors } = await dev(words, (child) => child.kill("SIGINT"));
  assert.equal(status, 0, errors);
  assert.match(output, /^yuba serves https:\/\/localhost:\d+ until Ctrl-C\.$/m);
  assert.match(output, /^ +export PATH=\S+\/release'?:"\$PATH"$/m);
  assert.ok(!existsSync(join(state, "yuba.json")));
});

test("says so when a command is not there", async () => {
  const { status, errors } = await devBeside(["no-such-program"]);
  assert.equal(status, 127, errors);
  assert.ok(errors.endsWith("error: `no-such-program` is not there: is it installed and on the PATH?\n"), errors);
});
