/** Runs other programs and stands aside: their standard streams, their signals, their exit status. */

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Refusal } from "./refusal.mjs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a program to its end, handing on the signals that this process gets meanwhile.
 *
 * @param {string[]} command
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<{ status: number, output: string }>} the exit status as a shell gives it, and what was piped
 */
export function runChild([program, ...words], options) {
  return new Promise((resolve, reject) => {
    // Before the start: a child can be at work before spawn returns. Signals wait for this function to end.
    const stopForwarding = forwardSignals(() => child);
    const child = spawn(program, words, options);
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => (output += text));
    child.once("error", (error) => {
      stopForwarding();
      reject(startRefusal(program, error));
    });
    child.once("close", (code, signal) => {
      stopForwarding();
      resolve({ status: code ?? 128 + constants.signals[signal], output });
    });
  });
}

function forwardSignals(to) {
  const forward = (signal) => {
    // A terminal sends its Ctrl-C to the child as well, and clients take a second one for impatience.
    if (signal !== "SIGINT" || !process.stdin.isTTY) to().kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return () => SIGNALS.forEach((signal) => process.off(signal, forward));
}

/** The shell's statuses for a program that is not there (127) or cannot be run (126). */
function startRefusal(program, error) {
  if (error.code === "ENOENT") return new Refusal(`\`${program}\` is not there: is it installed and on the PATH?`, 127);
  return new Refusal(`\`${program}\` cannot be run: ${error.code}`, 126);
}

/** Resolves when a signal asks this process to stop. */
export function stopSignal() {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, resolve);
  });
}

/** Resolves when standard input ends: the parent closed it, or died. */
export function endOfInput() {
  return new Promise((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve).once("error", resolve).resume();
  });
}
