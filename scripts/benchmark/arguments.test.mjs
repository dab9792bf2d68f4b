import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { parseArguments, SECTIONS } from "./arguments.mjs";
import { PLANS } from "./plan.mjs";

test("everything is measured in full unless said otherwise", () => {
  const all = { help: false, sections: SECTIONS, format: "text", peer: undefined, plan: PLANS.full };
  assert.deepEqual(parseArguments([]), all);
  const given = ["--quick", "--only", "bundle", "--only=http", "--format=json"];
  const expected = { ...all, sections: ["http", "bundle"], format: "json", plan: PLANS.quick };
  assert.deepEqual(parseArguments(given), expected);
});

test("the peer is a directory that tells how it is deployed, relative to where the command runs", (t) => {
  const checkout = mkdtempSync(join(tmpdir(), "yuba-bench-test-"));
  t.after(() => rmSync(checkout, { recursive: true }));
  assert.throws(() => parseArguments(["--peer", checkout]), { name: "Error", status: 1 });
  writeFileSync(join(checkout, "wrangler.toml.example"), "");
  assert.equal(parseArguments(["--peer", relative(process.cwd(), checkout)]).peer, checkout);
});

test("what it does not know is refused by name", () => {
  const noCheckout = "is no checkout of cloudflare/serverless-registry: it has no wrangler.toml.example";
  const cases = [
    [["--only", "speed"], "`speed` is no section: name http, oci, archive, bundle, companion, publish"],
    [["--peer", "/nowhere"], `\`/nowhere\` ${noCheckout}`],
    [["--format", "xml"], "`xml` is no format: name text, json"],
  ];
  for (const [given, message] of cases) assert.throws(() => parseArguments(given), { message, status: 1 });
  for (const given of [["--slow"], ["http"], ["--only"], ["--peer"]]) {
    assert.throws(() => parseArguments(given), { name: "Error", status: 1 });
  }
});
