/** What scripts/bench does, once there is a Node to run it. */

import { constants, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { runChild } from "../local/child.mjs";
import { Refusal, run } from "../local/refusal.mjs";
import { ROOT } from "../local/root.mjs";
import { parseArguments, USAGE } from "./arguments.mjs";
import { report } from "./report.mjs";

// By the ordinary way out, so that servers are stopped and directories removed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

await run(async () => {
  const options = parseArguments(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const loadBefore = loadavg()[0];
  await setUp();
  const figures = await measure(options);
  figures.machine = describeMachine(loadBefore);
  console.log(options.format === "json" ? JSON.stringify(figures, undefined, 2) : report(figures));
  return 0;
});

async function setUp() {
  const stdio = ["ignore", "inherit", "inherit"];
  const { status } = await runChild([join(ROOT, "scripts/setup"), "bench"], { cwd: ROOT, stdio });
  if (status !== 0) throw new Refusal("`scripts/setup bench` failed", status);
}

async function measure({ sections, plan, peer }) {
  // Only now are npm's packages there for sure.
  const { MEASURES } = await import("./sections.mjs");
  const figures = {};
  for (const section of sections) figures[section] = await MEASURES[section](plan, say, peer);
  return figures;
}

/** What the figures depend on beside yuba. The load is that of the last minute. */
function describeMachine(load_before) {
  const [{ model }] = cpus();
  const [load_after] = loadavg();
  return { cpus: cpus().length, model: model.trim(), node: process.versions.node, load_before, load_after };
}

function say(text) {
  console.error(text);
}
