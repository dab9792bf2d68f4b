/** The bundle: what wrangler would upload, gzipped as Cloudflare counts it. */

import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildWorker } from "../local/build.mjs";
import { runChild } from "../local/child.mjs";
import { Refusal } from "../local/refusal.mjs";
import { ROOT } from "../local/root.mjs";
import { sum } from "./statistics.mjs";
import { withTemporaryDirectory } from "./temporary.mjs";

const BUDGET = 250 * 1024;

/** What is uploaded; wrangler leaves a map and a note beside it. */
const UPLOADED = [".js", ".mjs", ".wasm"];

/** @param {import("./plan.mjs").Plan} _plan @param {(text: string) => void} say */
export async function measureBundle(_plan, say) {
  await buildWorker();
  say("bundle: as wrangler would upload it");
  return withTemporaryDirectory(async (directory) => {
    await bundle(directory);
    const names = (await readdir(directory)).filter((name) => UPLOADED.includes(extname(name))).sort();
    const files = await Promise.all(names.map((name) => weigh(directory, name)));
    const gzipped = sum(files.map((file) => file.gzipped));
    return { files, gzipped, budget: BUDGET, ratio: gzipped / BUDGET };
  });
}

async function bundle(directory) {
  const wrangler = join(ROOT, "node_modules/.bin/wrangler");
  const command = [wrangler, "deploy", "--dry-run", "--outdir", directory];
  const env = { ...process.env, WRANGLER_LOG_PATH: join(directory, "wrangler.log") };
  const { status, output } = await runChild(command, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  if (status !== 0) throw new Refusal(`wrangler made no bundle: ${output}`, 2);
}

async function weigh(directory, name) {
  const content = await readFile(join(directory, name));
  return { name, bytes: content.length, gzipped: gzipSync(content).length };
}
