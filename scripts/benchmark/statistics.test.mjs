import assert from "node:assert/strict";
import { test } from "node:test";
import { median, medianRatio } from "./statistics.mjs";

test("the median is the middle, or between the two in the middle", () => {
  assert.equal(median([3]), 3);
  assert.equal(median([10, 1, 2]), 2);
  assert.equal(median([10, 1, 2, 4]), 3);
});

test("one disturbed round does not move a ratio, and a missing figure makes none", () => {
  const rounds = [{ first: 8, second: 10 }, { first: 1, second: 10 }, { first: 8, second: 10 }];
  assert.equal(medianRatio(rounds, (value) => value), 0.8);
  assert.equal(medianRatio(rounds, () => undefined), undefined);
});
