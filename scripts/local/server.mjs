/** The local server: the registry's Worker over https and the storage worker beside it, in one miniflare. */

import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { announce, refuseSecondServer, withdraw } from "./announcement.mjs";
import { LOOPBACK, portInUse, registryWorker, requestLogWorker, start, storageWorker } from "./miniflare.mjs";
import { Refusal } from "./refusal.mjs";
import { ROOT } from "./root.mjs";
import { tlsMaterial } from "./tls.mjs";

/** Whatever hostname wrangler.toml deploys, this machine's registry is its own: see also .dev.vars. */
const HOSTNAME = "localhost";

/** What was published a moment ago shows at once here, as it need not at the edge. */
const LOCAL_VARS = { METADATA_FRESH_SECONDS: "0", REGISTRY_HOSTNAME: HOSTNAME };

/**
 * @typedef {object} Server
 * @property {string} url `https://localhost:PORT`
 * @property {string} hostname of the registry's own providers
 * @property {string} state absolute path
 * @property {string} storageUrl
 * @property {string} storageToken
 * @property {string} authorityPath PEM of the authority that certifies the server
 * @property {string} bundlePath that and the system's roots
 * @property {() => Promise<void>} stop
 *
 * @param {object} options
 * @param {string} options.state absolute path
 * @param {number} options.port 0 picks a free one
 * @param {string} [options.log] a file that gets a line `METHOD PATH STATUS` for each request
 * @param {object} [options.registry] another Worker named `registry`, for tests
 * @returns {Promise<Server>}
 */
export async function serve({ state, port, log, registry = builtRegistry() }) {
  await refuseWhatIsTaken({ state, port });
  const storageToken = randomBytes(32).toString("hex");
  const { authorityPath, bundlePath, ...tls } = await tlsMaterial(state);
  const workers = [registry, storageWorker(storageToken)];
  if (log !== undefined) workers.unshift(requestLogWorker((line) => appendFileSync(log, `${line}\n`)));
  const local = await start({ state, workers, port, tls });
  const url = `https://localhost:${local.port}`;
  const storageUrl = await local.directUrl("storage");
  await announce(state, { storage_url: storageUrl, storage_token: storageToken, hostname: HOSTNAME, url, pid: process.pid });
  const stop = async () => {
    await withdraw(state);
    await local.stop();
  };
  return { url, hostname: HOSTNAME, state, storageUrl, storageToken, authorityPath, bundlePath, stop };
}

function builtRegistry() {
  if (!existsSync(join(ROOT, "build/index.js"))) {
    throw new Refusal("the Worker is not built: run scripts/build-worker");
  }
  return registryWorker({ vars: LOCAL_VARS });
}

/** What can be refused before anything is built or started. */
export async function refuseWhatIsTaken({ state, port }) {
  await refuseSecondServer(state);
  if (port !== 0) await refuseTakenPort(port);
}

function refuseTakenPort(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(portRefusal(error, port)));
    probe.listen(port, LOOPBACK, () => probe.close(resolve));
  });
}

function portRefusal(error, port) {
  if (error.code === "EADDRINUSE") return portInUse(port);
  return new Refusal(`port ${port} cannot be opened (${error.code}): pass another --port N`);
}
