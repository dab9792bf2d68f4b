/**
 * The Workers of this machine in one miniflare, over one persisted state: the options for each, and the start.
 *
 * A benchmark puts its own plain Workers beside the registry's in the same way:
 *
 *     const local = await start({ state, workers: [registryWorker({ direct: true }), { name: "bare", modules: true, script, ...bindings(), ...DIRECT }] });
 *     await local.directUrl("registry");
 */

import { join } from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import { readConfiguration } from "./configuration.mjs";
import { Refusal } from "./refusal.mjs";
import { ROOT } from "./root.mjs";
import { showRuntimeOutput } from "./runtime-output.mjs";
import { watchRuntime } from "./watchdog.mjs";

export const LOOPBACK = "127.0.0.1";

/** Options of a Worker that gets a loopback port of its own, plain HTTP, past miniflare's own entry. */
export const DIRECT = { unsafeDirectSockets: [{ host: LOOPBACK, port: 0 }] };

/** The options that give a Worker the KV and R2 of wrangler.toml, under the same names. */
export function bindings() {
  const { compatibilityDate, kvNamespaces, r2Buckets } = readConfiguration();
  return { compatibilityDate, kvNamespaces, r2Buckets };
}

/**
 * The registry's Worker as scripts/build-worker left it.
 *
 * @param {{ vars?: Record<string, string>, direct?: boolean }} [options] `vars` are laid over those of wrangler.toml
 */
export function registryWorker({ vars = {}, direct = false } = {}) {
  return {
    name: "registry",
    ...moduleAt(join(ROOT, "build"), "index.js"),
    modulesRules: [
      { type: "ESModule", include: ["**/*.js"] },
      { type: "CompiledWasm", include: ["**/*.wasm"] },
    ],
    ...bindings(),
    bindings: { ...readConfiguration().vars, ...vars },
    ...(direct ? DIRECT : {}),
  };
}

/** The storage worker, which answers whoever holds `token`. */
export function storageWorker(token) {
  return { ...plainWorker("storage", "storage-worker.mjs"), ...bindings(), bindings: { TOKEN: token }, ...DIRECT };
}

/**
 * A Worker that stands before the registry's and reports every answered request. The report is made before the
 * client has its answer, so a client that is done finds everything it asked in the log.
 *
 * @param {(line: string) => void} report takes `METHOD PATH STATUS`
 */
export function requestLogWorker(report) {
  return {
    ...plainWorker("request-log", "request-log-worker.mjs"),
    compatibilityDate: readConfiguration().compatibilityDate,
    serviceBindings: {
      REGISTRY: "registry",
      REPORT: async (request) => {
        report(await request.text());
        return new Response(null);
      },
    },
  };
}

function plainWorker(name, file) {
  return { name, ...moduleAt(join(ROOT, "scripts/local"), file) };
}

/** The runtime names modules relative to a root, by default this process's directory, and refuses names with `..`. */
function moduleAt(modulesRoot, file) {
  return { modules: true, modulesRoot, scriptPath: join(modulesRoot, file) };
}

/**
 * Starts `workers` over the persisted `state`. The first one answers on `port` (0: a free one), over https if `tls` is
 * given.
 *
 * @param {object} options
 * @param {string} options.state the directory that `wrangler dev --persist-to` would be given
 * @param {object[]} options.workers
 * @param {number} [options.port]
 * @param {{ certificate: string, key: string }} [options.tls] PEM
 */
export async function start({ state, workers, port = 0, tls }) {
  const unwatch = watchRuntime();
  const miniflare = new Miniflare({
    workers,
    host: LOOPBACK,
    port,
    ...(tls && { httpsCert: tls.certificate, httpsKey: tls.key }),
    defaultPersistRoot: join(state, "v3"),
    kvPersist: true,
    r2Persist: true,
    cachePersist: false,
    cf: false, // else miniflare asks the network for a sample of it
    log: new Log(LogLevel.ERROR),
    logRequests: false,
    handleRuntimeStdio: showRuntimeOutput,
  });
  let stopped;
  const stop = () => (stopped ??= miniflare.dispose().finally(unwatch));
  try {
    const url = await miniflare.ready;
    return {
      port: Number(url.port),
      directUrl: async (name) => (await miniflare.unsafeGetDirectURL(name)).origin,
      stop,
    };
  } catch (error) {
    await stop().catch(() => {}); // it fails with the same error
    throw error.code === "ERR_ADDRESS_IN_USE" ? portInUse(port) : error;
  }
}

/** @param {number} port */
export function portInUse(port) {
  return new Refusal(`port ${port} is in use: stop what listens there, or pass --port N (0 picks a free one)`);
}
