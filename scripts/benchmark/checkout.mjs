/** A checkout of the peer, which is named and not brought along. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Refusal } from "../local/refusal.mjs";

export const PEER = "cloudflare/serverless-registry";

/** What tells how the peer is deployed. */
export const CONFIGURATION = "wrangler.toml.example";

/** What the peer's code needs to be bundled. */
export const INSTALL = "npm install --omit=dev";

const CLONE = `git clone https://github.com/${PEER}`;

/** Why the peer was not measured, and what to do about it. */
export const NO_CHECKOUT = `no checkout: \`${CLONE}\`, \`${INSTALL}\` in it, and name it by --peer DIR`;

/** Refused at once: the peer's turn may come minutes later. @param {string} directory @returns {string} absolute */
export function parseCheckout(directory) {
  const checkout = resolve(directory);
  if (existsSync(join(checkout, CONFIGURATION))) return checkout;
  throw new Refusal(`\`${directory}\` is no checkout of ${PEER}: it has no ${CONFIGURATION}`);
}
