/**
 * STATE/yuba.json: how the companion finds the server that holds the state, while one runs.
 *
 *     { "storage_url", "storage_token", "hostname", "url", "pid" }
 *
 * It may outlive a server that was killed, so whoever reads it asks `storage_url` before believing it.
 */

import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./files.mjs";
import { Refusal } from "./refusal.mjs";

/** @param {string} state @param {object} announcement */
export async function announce(state, announcement) {
  await mkdir(state, { recursive: true });
  await writeWhole(announcementPath(state), `${JSON.stringify(announcement)}\n`, 0o600);
}

/** Removes what this process announced, and nobody else's. */
export async function withdraw(state) {
  const found = await readAnnouncement(state);
  if (found?.pid === process.pid) await rm(announcementPath(state), { force: true });
}

/** Two servers over one state would each hold half of what is written. */
export async function refuseSecondServer(state) {
  const found = await readAnnouncement(state);
  if (found === undefined || !(await answers(found))) return;
  throw new Refusal(
    `\`${state}\` is served already, at ${found.url} by process ${found.pid}: stop that one (\`kill ${found.pid}\`), or pass --state DIR`,
  );
}

async function readAnnouncement(state) {
  try {
    return JSON.parse(await readFile(announcementPath(state), "utf8"));
  } catch {
    return undefined;
  }
}

async function answers({ storage_url, storage_token }) {
  try {
    return (await fetch(storage_url, { headers: { Authorization: `Bearer ${storage_token}` } })).ok;
  } catch {
    return false;
  }
}

function announcementPath(state) {
  return join(state, "yuba.json");
}
