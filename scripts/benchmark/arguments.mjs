/** The arguments of scripts/bench. */

import { parseArgs } from "node:util";
import { Refusal } from "../local/refusal.mjs";
import { parseCheckout } from "./checkout.mjs";
import { PLANS } from "./plan.mjs";

export const SECTIONS = ["http", "oci", "archive", "bundle", "companion", "publish"];

const FORMATS = ["text", "json"];

export const USAGE = `\
Measures yuba beside plain baselines, each pair in one run and one process, and prints ratios. Nothing here passes or
fails: the budgets are printed beside the figures.

usage: scripts/bench [--quick] [--only SECTION]… [--peer DIR] [--format text|json]

  --quick          fewer and shorter rounds: does it run, and is it off by half?
  --only SECTION   measure one part; may be repeated
  --peer DIR       a checkout of cloudflare/serverless-registry, for the section oci
  --format FORMAT  text (default) or json, on standard output

The sections:

  http       requests per second, latency and CPU time of the warm Worker, with the freshness of a deployment, for 1, 50
             and 1,000 versions of 14 platforms, beside a bare JavaScript Worker that answers the same bytes and headers
             from the same workerd; and flatness: what the ratio with 1,000 versions is of the ratio with 1
  oci        the same for the index of a provider with 50 versions, pulled by its tag over OCI distribution; and beside
             cloudflare/serverless-registry, another registry that is a Worker, with the same index pushed to it, in the
             same workerd. Without --peer that half is skipped. To have it:
               git clone https://github.com/cloudflare/serverless-registry DIR && (cd DIR && npm install --omit=dev)
             It reads R2 for every answer, and this machine's R2 is no measure of how fast Cloudflare's is
  archive    the download of an archive, whole and in part, beside a bare JavaScript Worker that streams the same object
  bundle     what would be uploaded, gzipped, beside its budget
  companion  time and peak memory to verify a release with an executable of 500 MB, beside sha256sum and unzip -t
  publish    time and peak memory to verify a release of 14 platforms of 150 MB and upload it to an S3 server, beside
             aws s3 cp and rclone copy, which only upload the same files

Rounds of a pair alternate, and a ratio is the median over the rounds, so that what else the machine does meanwhile
weighs on both sides. CPU time is what the runtime itself used per request, which a busy machine falsifies least.`;

/**
 * @typedef {object} Arguments
 * @property {boolean} help
 * @property {string[]} sections
 * @property {string} format
 * @property {string} [peer] absolute path
 * @property {import("./plan.mjs").Plan} plan
 *
 * @param {string[]} given
 * @returns {Arguments}
 */
export function parseArguments(given) {
  const { help, quick, only, format, ...flags } = parseFlags(given);
  for (const section of only) refuseUnlessOneOf(SECTIONS, section, "section");
  refuseUnlessOneOf(FORMATS, format, "format");
  const sections = only.length === 0 ? SECTIONS : SECTIONS.filter((section) => only.includes(section));
  const peer = flags.peer === undefined ? undefined : parseCheckout(flags.peer);
  return { help, sections, format, peer, plan: quick ? PLANS.quick : PLANS.full };
}

function parseFlags(given) {
  const options = {
    help: { type: "boolean", short: "h", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    peer: { type: "string" },
    format: { type: "string", default: "text" },
  };
  try {
    return parseArgs({ args: given, options }).values;
  } catch (error) {
    throw new Refusal(`${error.message}: see --help`);
  }
}

function refuseUnlessOneOf(known, value, noun) {
  if (!known.includes(value)) throw new Refusal(`\`${value}\` is no ${noun}: name ${known.join(", ")}`);
}
