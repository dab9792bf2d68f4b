import assert from "node:assert/strict";
import { test } from "node:test";
import { report } from "./report.mjs";

const machine = { cpus: 2, model: "CPU", node: "20.3.0", load_before: 0, load_after: 0 };
const fast = { requests_per_second: 8_000, p50_ms: 1, p99_ms: 2, cpu_us_per_request: 100 };
const slow = { requests_per_second: 1_000, p50_ms: 8, p99_ms: 9, cpu_us_per_request: 800 };
const bare = { registry: fast, other: fast, ratio: 1, cpu_ratio: 1 };

/** The report of the section oci, without the machine. */
function oci(peer) {
  const figures = { machine, oci: { versions: 50, bytes: 4_000, bare, peer } };
  return report(figures).split("\n").slice(2);
}

test("the index by tag stands beside a constant and a peer, each with its budget", () => {
  assert.deepEqual(oci({ name: "other/registry 1.0", registry: fast, other: slow, ratio: 8, cpu_ratio: NaN }), [
    "oci: an index of 4,000 bytes by its tag, of a provider with 50 versions",
    "",
    "beside              req/s  p50 ms  p99 ms  CPU µs  its req/s  its p50 ms  its p99 ms  its CPU µs  ratio  CPU ratio         budget",
    "a bare Worker       8,000    1.00    2.00   100.0      8,000        1.00        2.00       100.0   1.00       1.00  at least 0.85",
    "other/registry 1.0  8,000    1.00    2.00   100.0      1,000        8.00        9.00       800.0   8.00          -     at least 4",
  ]);
});

test("a peer that is not there is skipped by name, and the constant is not", () => {
  const lines = oci({ name: "other/registry", skipped: "no checkout: get one" });
  assert.equal(lines.at(-1), "other/registry: skipped: no checkout: get one");
  assert.match(lines.at(3), /^a bare Worker /);
  assert.equal(lines.length, 6);
});
