/** What the Workers runtime prints, on standard error: standard output is a command's. */

import { createInterface } from "node:readline";

/**
 * The runtime tells in three lines, with a stack of its own, of every client that breaks off a connection, such as one
 * that does not trust the certificate. The client says so itself, and clearer.
 */
const OF_A_CONNECTION = /^kj\/compat\//;
const CONTINUED = /^(error|stack): ?|^error:[0-9a-f]+:/;

/** @param {import("node:stream").Readable} stdout @param {import("node:stream").Readable} stderr */
export function showRuntimeOutput(stdout, stderr) {
  for (const stream of [stdout, stderr]) {
    const isShown = connectionFilter();
    createInterface({ input: stream }).on("line", (line) => isShown(line) && console.error(line));
  }
}

export function connectionFilter() {
  let hiding = false;
  return (line) => {
    hiding = OF_A_CONNECTION.test(line) || (hiding && CONTINUED.test(line));
    return !hiding;
  };
}
