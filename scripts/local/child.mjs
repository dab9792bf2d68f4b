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
  return takeSignals((signal) => {
    // A terminal sends its Ctrl-C to the child as well, and clients take a second one for impatience.
    if (signal !== "SIGINT" || !process.stdin.isTTY) to().kill(signal);
  });
}

/** Hands signals to `handler` alone until the function that is returned gives them back: miniflare would exit at once. */
function takeSignals(handler) {
  const others = SIGNALS.map((signal) => process.rawListeners(signal));
  for (const [i, signal] of SIGNALS.entries()) {
    process.on(signal, handler); // before the others go: without any listener a signal would be lost
    for (const listener of others[i]) process.off(signal, listener);
  }
  return () => {
    for (const [i, signal] of SIGNALS.entries()) {
      for (const listener of others[i]) process.on(signal, listener);
      process.off(signal, handler);
    }
  };
}

/** The shell's statuses for a program that is not there (127) or cannot be run (126). */
function startRefusal(program, error) {
  if (error.code === "ENOENT") return new Refusal(`\`${program}\` is not there: is it installed and on the PATH?`, 127);
  return new Refusal(`\`${program}\` cannot be run: ${error.code}`, 126);
}

/** Resolves when a signal asks this process to stop. A second one does not wait for the stop. */
export function stopSignal() {
  return new Promise((resolve) => {
    const giveBack = takeSignals(() => {
      giveBack();
      resolve();
    });
  });
}

/** Resolves when standard input ends (the parent closed it, or died), or at a signal. */
export async function endOfInput() {
  const end = new Promise((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve).once("error", resolve).resume();
  });
  await Promise.race([end, stopSignal()]);
  process.stdin.pause(); // else it would keep this process alive
}
