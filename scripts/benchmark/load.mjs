/** The load on one URL: as many requests, one after another on each connection, as the server answers. */

import { createHistogram, performance } from "node:perf_hooks";
import autocannon from "autocannon";
import { Refusal } from "../local/refusal.mjs";
import { cpuSeconds } from "./process.mjs";
import { sum } from "./statistics.mjs";

/** Enough to keep a runtime busy that answers one request at a time, and few enough for latency to mean something. */
const CONNECTIONS = 8;

/** Bounds a run beside its time. */
const MOST_REQUESTS = 1_000_000;

/**
 * @typedef {object} Load
 * @property {number} requests
 * @property {number} seconds
 * @property {number} cpuSeconds that `server` used meanwhile
 * @property {import("node:perf_hooks").RecordableHistogram} latency in microseconds
 *
 * @param {string} url
 * @param {number} duration in seconds
 * @param {string} [server] the process that answers
 * @param {Record<string, string>} [headers] of each request
 * @returns {Promise<Load>}
 */
export async function load(url, duration, server, headers = {}) {
  const latency = createHistogram();
  const [started, cpuBefore] = [performance.now(), cpuSeconds(server)];
  const run = autocannon({ url, headers, duration, connections: CONNECTIONS, maxOverallRequests: MOST_REQUESTS });
  // autocannon's own histogram counts whole milliseconds.
  run.on("response", (_client, _status, _bytes, milliseconds) => {
    latency.record(Math.max(1, Math.round(milliseconds * 1000)));
  });
  const { errors, timeouts, non2xx } = await run;
  if (errors + timeouts + non2xx > 0) {
    throw new Refusal(`${url} failed under load: ${errors} errors, ${timeouts} time-outs, ${non2xx} refusals`, 2);
  }
  const seconds = (performance.now() - started) / 1000;
  return { requests: latency.count, seconds, cpuSeconds: cpuSeconds(server) - cpuBefore, latency };
}

/** What several loads of one URL come to. @param {Load[]} loads */
export function summarise(loads) {
  const latency = createHistogram();
  for (const { latency: part } of loads) latency.add(part);
  const total = (field) => sum(loads.map((one) => one[field]));
  return {
    requests_per_second: total("requests") / total("seconds"),
    p50_ms: latency.percentile(50) / 1000,
    p99_ms: latency.percentile(99) / 1000,
    cpu_us_per_request: (total("cpuSeconds") / total("requests")) * 1e6,
  };
}

/** Requests per second. */
export const throughput = ({ requests, seconds }) => requests / seconds;

/** Requests per second of CPU time. */
export const economy = ({ requests, cpuSeconds }) => requests / cpuSeconds;
