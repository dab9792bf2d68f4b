/** What scripts/dev says. */

export const USAGE = `\
Builds yuba, publishes a sample provider and serves the registry on this machine.

usage: scripts/dev [--port N] [--empty] [--state DIR] [--log FILE] [-- COMMAND…]

  --port N      serve https://localhost:N (default 8443; 0 picks a free port)
  --empty       publish no sample
  --state DIR   keep what is published in DIR (default .wrangler/state, which \`npx wrangler dev\` serves too)
  --log FILE    append a line METHOD PATH STATUS to FILE for every request
  -- COMMAND…   run COMMAND beside the server, then stop it and exit with COMMAND's status

COMMAND finds in its environment:

  YUBA_URL       the registry's address
  YUBA_STATE     the state, so that \`yuba publish\` needs no --target
  SSL_CERT_FILE  the server's throw-away authority and the system's roots
  PATH           the companion \`yuba\` first

  scripts/dev                       serve the sample until Ctrl-C
  scripts/dev --empty -- yuba publish dist --namespace acme
  scripts/dev --port 0 -- sh -c 'curl --cacert "$SSL_CERT_FILE" "$YUBA_URL/healthz"'

On macOS, OpenTofu and Terraform ignore SSL_CERT_FILE: there, scripts/dev prints how to trust the authority.`;

/** What to paste. @param {import("./server.mjs").Server} server @param {string} companionDirectory */
export function instructions(server, sample, companionDirectory) {
  return `\
yuba serves ${server.url} until Ctrl-C.

1. Trust it:

${indent(process.platform === "darwin" ? macTrust(server) : `export SSL_CERT_FILE=${quote(server.bundlePath)}`)}

${sample === undefined ? howToPublish(server, companionDirectory) : howToInstall(server, sample)}`;
}

/** Go, and with it every client, asks the keychain on macOS and nothing else. */
export function macTrust({ authorityPath }) {
  return `\
# macOS: once, and again when the certificate is renewed
security add-trusted-cert -p ssl -k ~/Library/Keychains/login.keychain-db ${quote(authorityPath)}`;
}

function howToInstall({ url }, { namespace, type, version }) {
  return `\
2. Write main.tf:

    terraform {
      required_providers {
        ${type} = {
          source  = "${new URL(url).host}/${namespace}/${type}"
          version = "${version}"
        }
      }
    }

3. Install it:

    tofu init
`;
}

function howToPublish({ state }, companionDirectory) {
  return `\
2. Publish something:

    export PATH=${quote(companionDirectory)}:"$PATH"
    export YUBA_STATE=${quote(state)}
    yuba key add --namespace NAME KEY.asc
    yuba publish DIST --namespace NAME
`;
}

function indent(text) {
  return text.replace(/^/gm, "    ");
}

/** A word for a shell. */
function quote(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
