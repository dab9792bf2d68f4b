/**
 * Serves the storage worker alone, over the state of scripts/dev while that is not running:
 *
 *     node scripts/local/storage.mjs --state DIR
 *
 * Prints one line, {"url","token"}, once it answers, and ends when its standard input does, or at a signal.
 */

import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { start, storageWorker } from "./miniflare.mjs";
import { Refusal, run } from "./refusal.mjs";
import { endOfInput } from "./child.mjs";

await run(async () => {
  const token = randomBytes(32).toString("hex");
  const local = await start({ state: stateArgument(), workers: [storageWorker(token)] });
  const end = endOfInput();
  console.log(JSON.stringify({ url: await local.directUrl("storage"), token }));
  await end;
  await local.stop();
  return 0;
});

function stateArgument() {
  try {
    const { state } = parseArgs({ options: { state: { type: "string" } } }).values;
    if (state) return resolve(state);
  } catch (error) {
    throw new Refusal(`${error.message}: usage: node scripts/local/storage.mjs --state DIR`);
  }
  throw new Refusal("--state is missing: usage: node scripts/local/storage.mjs --state DIR");
}
