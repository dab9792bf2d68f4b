/** What wrangler.toml says of the Worker, as the local servers need it. */

import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { ROOT } from "./root.mjs";

/**
 * The bindings carry the names under which `wrangler dev` keeps its state, so both serve the same.
 *
 * @typedef {object} Configuration
 * @property {string} compatibilityDate
 * @property {Record<string, string>} vars
 * @property {Record<string, string>} kvNamespaces binding to namespace id
 * @property {Record<string, string>} r2Buckets binding to bucket name
 * @returns {Configuration}
 */
export function readConfiguration(path = `${ROOT}/wrangler.toml`) {
  const toml = parse(readFileSync(path, "utf8"));
  return {
    compatibilityDate: toml.compatibility_date,
    vars: toml.vars,
    kvNamespaces: Object.fromEntries(toml.kv_namespaces.map(({ binding, id }) => [binding, id])),
    r2Buckets: Object.fromEntries(toml.r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name])),
  };
}
