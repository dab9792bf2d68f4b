/** The Workers that are measured: the registry's, and the bare ones beside it. */

import { randomBytes } from "node:crypto";
import { bindings, DIRECT, registryWorker, start, storageWorker } from "../local/miniflare.mjs";

/**
 * A Worker that answers with one constant.
 *
 * @param {string} name
 * @param {import("./answer.mjs").Answer} answer
 */
export function constantWorker(name, { headers, body }) {
  return bareWorker(
    name,
    `import body from "./body.bin";
     const init = ${JSON.stringify({ headers })};
     export default { fetch() { return new Response(body, init); } };`,
    // Bytes: text would have to be encoded for every answer.
    [{ type: "Data", path: "body.bin", contents: body }],
  );
}

/**
 * A Worker that streams one object out of R2, or a part of it.
 *
 * @param {string} name
 * @param {string} object its key
 * @param {import("./answer.mjs").Answer} answer whose status and headers it has
 * @param {{ offset: number, length: number }} [range]
 */
export function streamingWorker(name, object, { status, headers }, range) {
  return bareWorker(
    name,
    `const key = ${JSON.stringify(object)}, options = ${JSON.stringify({ range })};
     const init = ${JSON.stringify({ status, headers })};
     export default {
       async fetch(request, { ARCHIVES }) { return new Response((await ARCHIVES.get(key, options)).body, init); }
     };`,
  );
}

function bareWorker(name, script, modules = []) {
  const entry = { type: "ESModule", path: "index.mjs", contents: script };
  return { name, modules: [entry, ...modules], ...bindings(), ...DIRECT };
}

/** Runs `use` while the registry's Worker and those of `others` run over `state`; each has an address of its own. */
export async function withRegistry(state, others, use) {
  const local = await start({ state, workers: [registryWorker({ direct: true }), ...others] });
  try {
    return await use(local, await local.directUrl("registry"));
  } finally {
    await local.stop();
  }
}

/**
 * The same with the storage worker.
 *
 * @param {string} state
 * @param {(storage: { url: string, token: string }, registryUrl: string) => any} use
 */
export async function withStorage(state, use) {
  const token = randomBytes(32).toString("hex");
  return withRegistry(state, [storageWorker(token)], async (local, registryUrl) =>
    use({ url: await local.directUrl("storage"), token }, registryUrl),
  );
}
