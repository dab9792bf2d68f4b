/** What a command that runs beside the local server finds in its environment. */

import { delimiter } from "node:path";

/** @param {import("./server.mjs").Server} server @param {string} companionDirectory */
export function commandEnvironment(server, companionDirectory) {
  return {
    ...process.env,
    YUBA_URL: server.url,
    YUBA_STATE: server.state,
    SSL_CERT_FILE: server.bundlePath,
    CURL_CA_BUNDLE: server.bundlePath, // which curl, where it is set, asks instead
    PATH: [companionDirectory, process.env.PATH].join(delimiter),
  };
}
