/** Programs that are measured from their start to their end. */

import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { Refusal } from "../local/refusal.mjs";
import { ROOT } from "../local/root.mjs";
import { cpuSeconds, peakBytes } from "./process.mjs";
import { median } from "./statistics.mjs";

/** How often a running process is looked at. Its peak only ever grows, so what is missed is the growth since. */
const LOOK_MS = 5;

/** What the companion may hold at most, whatever it works on. */
export const MEMORY_BUDGET = 128 * 1024 * 1024;

/** The median of runs; or why there are none. */
export function summarise(runs) {
  const skipped = runs.find((run) => run.skipped !== undefined);
  if (skipped !== undefined) return skipped;
  const [seconds, cpu_seconds] = ["seconds", "cpu_seconds"].map((field) => median(runs.map((run) => run[field])));
  return { seconds, cpu_seconds, peak_bytes: Math.max(...runs.map((run) => run.peak_bytes)) };
}

/**
 * Runs a program to its end, looking at it meanwhile.
 *
 * @param {string[]} command
 * @param {Record<string, string>} environment beside this process's own
 * @param {string} directory where it runs
 */
export function runOnce([program, ...words], environment = {}, directory = ROOT) {
  return new Promise((resolve, reject) => {
    const { YUBA_STATE: _, ...inherited } = process.env;
    const env = { ...inherited, ...environment };
    const started = performance.now();
    const child = spawn(program, words, { cwd: directory, env, stdio: ["ignore", "ignore", "inherit"] });
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
