/** The part of the benchmark that is written in Rust: an example of the tests' package. */

import { runChild } from "../local/child.mjs";
import { Refusal } from "../local/refusal.mjs";
import { ROOT } from "../local/root.mjs";

/** As the companion is built, so that they share what they depend on. */
const SELECTION = ["--release", "--quiet", "--package", "yuba-tests", "--example", "benchmark"];

/** The command that runs it. @param {string[]} words */
export function exampleCommand(words) {
  return ["cargo", "run", ...SELECTION, "--", ...words];
}

/** @param {string[]} words @returns {Promise<string>} what it prints */
export async function runExample(words) {
  const { CARGO_BUILD_TARGET: _, ...env } = process.env; // another target's build would not run here
  const command = exampleCommand(words);
  const { status, output } = await runChild(command, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  if (status !== 0) throw new Refusal(`\`cargo run --example benchmark ${words[0]}\` failed: see above`, 2);
  return output;
}
