/** Which places are refused before anything is built, and which are made. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { refuseUnusablePlaces } from "./places.mjs";

let directory;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "yuba-places-"));
  await writeFile(join(directory, "file"), "");
});

after(() => rm(directory, { recursive: true }));

test("makes a state and a log that are not there, and takes those that are", async () => {
  const places = { state: join(directory, "a/b/c"), log: join(directory, "log") };
  await refuseUnusablePlaces(places);
  assert.ok(existsSync(places.state) && existsSync(places.log));
  await refuseUnusablePlaces(places);
});

test("refuses a state that is no directory, or cannot become one", async () => {
  const refused = [[join(directory, "file"), "EEXIST"], [join(directory, "file/state"), "ENOTDIR"]];
  if (process.platform === "linux") refused.push(["/proc/zz", "ENOENT"], ["/proc/zz/state", "ENOENT"]);
  for (const [state, code] of refused) {
    const message = `\`${state}\` cannot hold the state (${code}): pass --state DIR, a directory you may write in`;
    await assert.rejects(refuseUnusablePlaces({ state }), { message, status: 1 });
  }
});

test("refuses a log that cannot be written", async () => {
  for (const [log, code] of [[join(directory, "nope/x"), "ENOENT"], [directory, "EISDIR"]]) {
    const message = `\`${log}\` cannot be written (${code}): pass --log FILE, a file in a directory that exists`;
    await assert.rejects(refuseUnusablePlaces({ state: directory, log }), { message, status: 1 });
  }
});
