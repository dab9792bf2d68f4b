/** Builds what scripts/dev serves and runs. Everything is said on standard error: standard output is the command's. */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runChild } from "./child.mjs";
import { Refusal } from "./refusal.mjs";
import { ROOT } from "./root.mjs";

export async function setUp() {
  await step([join(ROOT, "scripts/setup"), "dev"]);
}

export async function buildWorker() {
  await step([join(ROOT, "scripts/build-worker")]);
}

/** Builds the companion optimised, for it hashes whole archives. @returns {Promise<string>} the directory it is in */
export async function buildCompanion() {
  const target = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
  if (!existsSync(join(target, "release/yuba"))) console.error("building the companion (minutes, the first time)");
  const quiet = process.stderr.isTTY ? [] : ["--quiet"];
  const selection = ["--release", "--package", "yuba-companion", "--bin", "yuba"];
  const output = await step(["cargo", "build", ...quiet, ...selection, "--message-format=json-render-diagnostics"]);
  const artifacts = output.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const { executable } = artifacts.find((artifact) => artifact.executable && artifact.target.name === "yuba");
  return dirname(executable);
}

async function step(command) {
  // A build for another target would not run here.
  const { CARGO_BUILD_TARGET: _, ...env } = process.env;
  const { status, output } = await runChild(command, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  // The step has said on standard error what is wrong.
  if (status !== 0) throw new Refusal(`\`${command.slice(0, 2).join(" ").replace(`${ROOT}/`, "")}\` failed`, status);
  return output;
}
