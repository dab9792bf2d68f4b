/** Archives: the registry's download beside a bare Worker that streams the same object out of R2. */

import { createHash } from "node:crypto";
import { get } from "node:http";
import { performance } from "node:perf_hooks";
import { buildWorker } from "../local/build.mjs";
import { Refusal } from "../local/refusal.mjs";
import { ask, refuseDifference } from "./answer.mjs";
import { buildContent, store, storeDocuments } from "./content.mjs";
import { cpuSeconds, findChild } from "./process.mjs";
import { pseudoRandomBytes } from "./random.mjs";
import { alternate } from "./rounds.mjs";
import { medianRatio, sum } from "./statistics.mjs";
import { withTemporaryDirectory } from "./temporary.mjs";
import { streamingWorker, withRegistry, withStorage } from "./workers.mjs";

/** Somewhere in the middle, and not at a boundary of anything. */
const RANGE = { offset: 12_345_678, length: 1024 * 1024 };

const RANGE_HEADER = { range: `bytes=${RANGE.offset}-${RANGE.offset + RANGE.length - 1}` };

/** @param {import("./plan.mjs").Plan} plan @param {(text: string) => void} say */
export async function measureArchive(plan, say) {
  await buildWorker();
  const bytes = pseudoRandomBytes(plan.archiveBytes, "archive"); // as archives look from outside
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const { documents, archive } = await buildContent({ sha256, size: bytes.length });
  const cases = [
    { part: "whole", headers: {}, times: plan.transfers },
    { part: "1 MiB range", headers: RANGE_HEADER, range: RANGE, times: plan.ranges },
  ];
  return withTemporaryDirectory(async (state) => {
    const answers = await withStorage(state, async (storage, url) => {
      await storeDocuments(storage, documents);
      await store(storage, `/r2/${archive.object}`, bytes);
      return Promise.all(cases.map(({ headers }) => ask(url + archive.path, headers)));
    });
    const stream = ({ range }, number) => streamingWorker(`bare-${number}`, archive.object, answers[number], range);
    return withRegistry(state, cases.map(stream), async (local, registryUrl) => {
      const measured = [];
      for (const [number, one] of cases.entries()) {
        say(`archive: ${one.part} of ${bytes.length} bytes`);
        const urls = { registry: registryUrl + archive.path, bare: await local.directUrl(`bare-${number}`) };
        measured.push(await measurePair(plan, one, answers[number], urls));
      }
      return measured;
    });
  });
}

async function measurePair(plan, { part, headers, times }, answer, urls) {
  refuseDifference(urls.bare, await ask(urls.bare), answer);
  const download = async (url) => transfer(url, headers, times, findChild("workerd"));
  await download(urls.registry);
  const rounds = await alternate(plan.rounds, () => download(urls.registry), () => download(urls.bare));
  return {
    part,
    bytes: answer.body.length,
    registry: summarise(rounds.map(({ first }) => first)),
    bare: summarise(rounds.map(({ second }) => second)),
    ratio: medianRatio(rounds, ({ bytes, seconds }) => bytes / seconds),
    cpu_ratio: medianRatio(rounds, ({ bytes, cpuSeconds }) => bytes / cpuSeconds),
  };
}

/** Downloads `url` a number of times, one after another. */
async function transfer(url, headers, times, server) {
  const [started, cpuBefore] = [performance.now(), cpuSeconds(server)];
  let bytes = 0;
  for (let count = 0; count < times; count++) bytes += await download(url, headers);
  return { bytes, seconds: (performance.now() - started) / 1000, cpuSeconds: cpuSeconds(server) - cpuBefore };
}

/** Downloads `url` and forgets it. @returns {Promise<number>} how many bytes there were */
function download(url, headers) {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => (bytes += chunk.length));
      response.once("error", reject);
      response.once("end", () => resolve(bytes));
      if (response.statusCode >= 300) reject(new Refusal(`${url} answered ${response.statusCode}`, 2));
    });
    request.once("error", reject);
  });
}

function summarise(transfers) {
  const total = (field) => sum(transfers.map((one) => one[field]));
  const megabytes = total("bytes") / 1e6;
  return {
    megabytes_per_second: megabytes / total("seconds"),
    cpu_ms_per_megabyte: (total("cpuSeconds") * 1e3) / megabytes,
  };
}
