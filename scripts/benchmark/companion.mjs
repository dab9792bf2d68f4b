/** The companion: time and memory to verify a release, beside what reads the same files and proves less. */

import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { buildCompanion } from "../local/build.mjs";
import { Refusal } from "../local/refusal.mjs";
import { ROOT } from "../local/root.mjs";
import { runExample } from "./example.mjs";
import { cpuSeconds, peakBytes } from "./process.mjs";
import { median } from "./statistics.mjs";
import { withTemporaryDirectory } from "./temporary.mjs";

/** How often a running process is looked at. Its peak only ever grows, so what is missed is the growth since. */
const LOOK_MS = 5;

const MEMORY_BUDGET = 128 * 1024 * 1024;

/** How long verification may take, in units of what `sha256sum` and `unzip -t` take together. */
const TIME_BUDGET = 1.5;

/** @param {import("./plan.mjs").Plan} plan @param {(text: string) => void} say */
export async function measureCompanion(plan, say) {
  const yuba = join(await buildCompanion(), "yuba");
  return withTemporaryDirectory(async (directory) => {
    say(`companion: making a release with an executable of ${plan.executableBytes} bytes`);
    await runExample(["release", directory, String(plan.executableBytes)]);
    const release = await describe(join(directory, "dist"));
    const place = ["--namespace", "benchmark", "--target", `dir:${join(directory, "registry")}`];
    await runOnce([yuba, "key", "add", join(directory, "KEY.asc"), ...place]);
    const programs = {
      yuba: [yuba, "publish", release.directory, ...place, "--dry-run"],
      sha256sum: ["sha256sum", release.archive],
      unzip: ["unzip", "-tqq", release.archive],
    };
    const measured = await measureInTurns(plan.verifications, programs, say);
    return { archive_bytes: release.bytes, executable_bytes: plan.executableBytes, ...measured, ...compare(measured) };
  });
}

async function describe(directory) {
  const name = (await readdir(directory)).find((name) => name.endsWith(".zip"));
  const archive = join(directory, name);
  return { directory, archive, bytes: (await stat(archive)).size };
}

/** The median of each program's runs; or why there are none. */
async function measureInTurns(rounds, programs, say) {
  const runs = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(programs)) {
      say(`companion: ${name} (${round + 1} of ${rounds})`);
      runs[name].push(await runOnce(command));
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, runs]) => [name, summarise(runs)]));
}

function summarise(runs) {
  const skipped = runs.find((run) => run.skipped !== undefined);
  if (skipped !== undefined) return skipped;
  const [seconds, cpu_seconds] = ["seconds", "cpu_seconds"].map((field) => median(runs.map((run) => run[field])));
  return { seconds, cpu_seconds, peak_bytes: Math.max(...runs.map((run) => run.peak_bytes)) };
}

/** Runs a program to its end, looking at it meanwhile. */
function runOnce([program, ...words]) {
  return new Promise((resolve, reject) => {
    const { YUBA_STATE: _, ...env } = process.env;
    const started = performance.now();
    const child = spawn(program, words, { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] });
    const seen = { cpu_seconds: NaN, peak_bytes: NaN };
    const look = setInterval(() => Object.assign(seen, lookAt(child.pid, seen)), LOOK_MS);
    const stop = () => child.kill();
    process.once("exit", stop); // after a Ctrl-C
    const end = () => {
      clearInterval(look);
      process.off("exit", stop);
    };
    child.once("error", (error) => {
      end();
      if (error.code === "ENOENT") resolve({ skipped: `${program} is not installed` });
      else reject(error);
    });
    child.once("exit", (status, signal) => {
      end();
      const seconds = (performance.now() - started) / 1000;
      if (status === 0) resolve({ seconds, ...seen });
      else reject(new Refusal(`\`${program} ${words[0]}\` ended with ${signal ?? status}`, 2));
    });
  });
}

/** What a process has used so far; what was seen last, if it has just ended. */
function lookAt(id, seen) {
  const [cpu_seconds, peak_bytes] = [cpuSeconds(id), peakBytes(id)];
  return { cpu_seconds: cpu_seconds || seen.cpu_seconds, peak_bytes: peak_bytes || seen.peak_bytes };
}

function compare({ yuba, sha256sum, unzip }) {
  const baseline = sha256sum.seconds + unzip.seconds;
  return {
    ratio: yuba.seconds / baseline,
    cpu_ratio: yuba.cpu_seconds / (sha256sum.cpu_seconds + unzip.cpu_seconds),
    time_budget: TIME_BUDGET,
    memory_budget: MEMORY_BUDGET,
    memory_ratio: yuba.peak_bytes / MEMORY_BUDGET,
  };
}
