/** The peer: cloudflare/serverless-registry, another OCI registry that is a Worker over R2, from a checkout of it. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { parse } from "smol-toml";
import { DIRECT } from "../local/miniflare.mjs";
import { Refusal } from "../local/refusal.mjs";
import { CONFIGURATION, INSTALL, PEER } from "./checkout.mjs";

/** Whom the peer knows. It has no way to answer just anybody. */
const [USERNAME, PASSWORD] = ["benchmark", "benchmark"];

export const AUTHORIZATION = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString("base64")}`;

/**
 * The peer as its own configuration would deploy it, with a bucket beside the registry's.
 *
 * @param {string} checkout
 * @returns {Promise<{ name: string, worker: object }>}
 */
export async function openPeer(checkout) {
  const read = (file) => readFile(join(checkout, file), "utf8");
  const { main, compatibility_date, compatibility_flags } = parse(await read(CONFIGURATION));
  const { version } = JSON.parse(await read("package.json"));
  const worker = {
    name: "peer",
    modules: [{ type: "ESModule", path: "index.mjs", contents: await bundle(checkout, main) }],
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    r2Buckets: { REGISTRY: "peer" },
    bindings: { USERNAME, PASSWORD },
    ...DIRECT,
  };
  return { name: `${PEER} ${version}`, worker };
}

/** As wrangler bundles for the runtime, and as the peer's own `deploy` asks it to: minified. */
async function bundle(checkout, main) {
  const options = {
    absWorkingDir: checkout,
    entryPoints: [main],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    logLevel: "silent",
  };
  try {
    const { outputFiles } = await build(options);
    return outputFiles[0].text;
  } catch (error) {
    const [first] = error.errors ?? [{ text: error.message }];
    throw new Refusal(`${checkout} cannot be bundled: ${first.text}: was \`${INSTALL}\` run in it?`, 2);
  }
}
