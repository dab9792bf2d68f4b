/** Whether what `--state` and `--log` name can be written, before anything is built for it. */

import { constants } from "node:fs";
import { access, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Refusal } from "./refusal.mjs";

/** @param {{ state: string, log?: string }} places absolute paths */
export async function refuseUnusablePlaces({ state, log }) {
  await makeDirectory(state).catch((error) => {
    throw new Refusal(`\`${state}\` cannot hold the state (${error.code}): pass --state DIR, a directory you may write in`);
  });
  if (log === undefined) return;
  await appendNothing(log).catch((error) => {
    throw new Refusal(`\`${log}\` cannot be written (${error.code}): pass --log FILE, a file in a directory that exists`);
  });
}

/** Node's own `recursive` never ends where a parent is there and takes no directory, as in /proc. */
async function makeDirectory(path) {
  if (!(await exists(dirname(path)))) await makeDirectory(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    if (error.code !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
    await access(path, constants.W_OK | constants.X_OK);
  }
}

async function exists(path) {
  return stat(path).then(() => true, (error) => error.code !== "ENOENT");
}

async function appendNothing(path) {
  await (await open(path, "a")).close();
}
