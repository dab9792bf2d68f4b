import assert from "node:assert/strict";
import { test } from "node:test";
import { parseArguments, SECTIONS } from "./arguments.mjs";
import { PLANS } from "./plan.mjs";

test("everything is measured in full unless said otherwise", () => {
  assert.deepEqual(parseArguments([]), { help: false, sections: SECTIONS, format: "text", plan: PLANS.full });
  const given = ["--quick", "--only", "bundle", "--only=http", "--format=json"];
  const expected = { help: false, sections: ["http", "bundle"], format: "json", plan: PLANS.quick };
  assert.deepEqual(parseArguments(given), expected);
});

test("what it does not know is refused by name", () => {
  const cases = [
    [["--only", "speed"], "`speed` is no section: name http, archive, bundle, companion, publish"],
    [["--format", "xml"], "`xml` is no format: name text, json"],
  ];
  for (const [given, message] of cases) assert.throws(() => parseArguments(given), { message, status: 1 });
  for (const given of [["--slow"], ["http"], ["--only"]]) {
    assert.throws(() => parseArguments(given), { name: "Error", status: 1 });
  }
});
