/** What scripts/dev takes and what it refuses. */

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { parseArguments } from "./arguments.mjs";
import { ROOT } from "./root.mjs";

const DEFAULTS = { help: false, empty: false, port: 8443, state: `${ROOT}/.wrangler/state`, command: undefined };

test("takes its flags, and leaves what stands after -- alone", () => {
  const accepted = [
    [[], {}],
    [["--help"], { help: true }],
    [["-h"], { help: true }],
    [["--empty", "--port", "0"], { empty: true, port: 0 }],
    [["--port=65535"], { port: 65535 }],
    [["--state", "here"], { state: resolve("here") }],
    [["--log=/tmp/requests"], { log: "/tmp/requests" }],
    [["--empty", "--", "tofu", "init", "--port", "--"], { empty: true, command: ["tofu", "init", "--port", "--"] }],
  ];
  for (const [given, expected] of accepted) {
    assert.deepEqual(parseArguments(given), { ...DEFAULTS, ...expected }, given.join(" "));
  }
});

test("refuses the rest in one line that names it", () => {
  const refused = [
    [["--prot", "1"], "unknown argument `--prot`: see --help; a command to run stands after `--`"],
    [["tofu", "init"], "unknown argument `tofu`: see --help; a command to run stands after `--`"],
    [["--port"], "--port has no value: see --help"],
    [["--port", "--empty"], "--port has no value: see --help"],
    [["--state="], "--state has no value: see --help"],
    [["--port", "web"], "`web` is no port: pass a number up to 65535 (0 picks a free one)"],
    [["--port", "65536"], "`65536` is no port: pass a number up to 65535 (0 picks a free one)"],
    [["--port", "-1"], "`-1` is no port: pass a number up to 65535 (0 picks a free one)"],
    [["--port", "1e3"], "`1e3` is no port: pass a number up to 65535 (0 picks a free one)"],
    [["--"], "no command after `--`: name one, such as `-- tofu init`"],
  ];
  for (const [given, message] of refused) {
    assert.throws(() => parseArguments(given), { name: "Error", message, status: 1 }, given.join(" "));
  }
});
