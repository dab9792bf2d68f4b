/** What the registry answers, for a bare Worker to answer the same. */

import { Refusal } from "../local/refusal.mjs";

/** Headers of the connection, which the runtime writes. */
const OF_THE_CONNECTION = ["connection", "date", "keep-alive", "transfer-encoding"];

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} headers
 * @property {Buffer} body
 *
 * @param {string} url
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Answer>}
 */
export async function ask(url, headers = {}) {
  const response = await fetch(url, { headers });
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Refusal(`${url} answered ${response.status}: ${body.toString().slice(0, 200)}`, 2);
  const answered = [...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name));
  return { status: response.status, headers: Object.fromEntries(answered), body };
}

/** A comparison of different answers would mean nothing. */
export function refuseDifference(url, given, expected) {
  refuseOtherContent(url, given, expected);
  if (JSON.stringify(given.headers) !== JSON.stringify(expected.headers)) throw difference(url);
}

/** The same for what was written by others, who choose their own headers. */
export function refuseOtherContent(url, given, expected) {
  if (given.status !== expected.status || !given.body.equals(expected.body)) throw difference(url);
}

function difference(url) {
  return new Refusal(`the Worker at ${url} does not answer as the registry does`, 2);
}
