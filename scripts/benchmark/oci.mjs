/** OCI distribution: a warm index by its tag, beside a constant and beside another registry that is a Worker. */

import { buildWorker } from "../local/build.mjs";
import { ask, refuseDifference, refuseOtherContent } from "./answer.mjs";
import { NO_CHECKOUT, PEER } from "./checkout.mjs";
import { buildContent, storeDocuments } from "./content.mjs";
import { hash, INDEX, pull, push } from "./image.mjs";
import { comparePair } from "./pair.mjs";
import { AUTHORIZATION, openPeer } from "./peer.mjs";
import { withTemporaryDirectory } from "./temporary.mjs";
import { constantWorker, withRegistry, withStorage } from "./workers.mjs";

/** An ordinary provider's. */
const VERSIONS = 50;

/** What the archive of the platform that is asked for holds, and the configuration that every manifest names. */
const [ARCHIVE, CONFIGURATION] = ["archive", "{}"];

/** One request for all: the peer answers nobody whom it does not know. */
const HEADERS = { accept: INDEX, authorization: AUTHORIZATION };

/** @param {import("./plan.mjs").Plan} plan @param {(text: string) => void} say @param {string} [checkout] the peer's */
export async function measureOci(plan, say, checkout) {
  await buildWorker();
  const peer = checkout === undefined ? undefined : await openPeer(checkout);
  const { documents, path, blobs } = await prepare();
  return withTemporaryDirectory(async (state) => {
    const image = await withStorage(state, async (storage, url) => {
      await storeDocuments(storage, documents);
      return { answer: await ask(url + path, HEADERS), manifests: await pull(url + path, HEADERS), blobs };
    });
    const others = [constantWorker("bare", image.answer), ...(peer === undefined ? [] : [peer.worker])];
    return withRegistry(state, others, async (local, registryUrl) => {
      const compare = (other) => comparePair(plan, registryUrl + path, other, HEADERS);
      say("oci: an index by tag, beside a constant");
      const bare = await measureBare(await local.directUrl("bare"), image.answer, compare);
      const figures = { versions: VERSIONS, bytes: image.answer.body.length, bare };
      if (peer === undefined) return { ...figures, peer: { name: PEER, skipped: NO_CHECKOUT } };
      say(`oci: an index by tag, beside ${peer.name}`);
      const url = (await local.directUrl(peer.worker.name)) + path;
      return { ...figures, peer: { name: peer.name, ...(await measurePeer(url, image, compare)) } };
    });
  });
}

/** What is stored, the path of the index, and what its manifests name: a registry takes them only after that. */
async function prepare() {
  const { documents, requests, other_archives } = await buildContent({ sha256: hash(ARCHIVE), size: ARCHIVE.length });
  const { path } = requests.find(({ route, versions }) => route === "OCI index" && versions === VERSIONS);
  return { documents, path, blobs: [ARCHIVE, CONFIGURATION, ...other_archives] };
}

async function measureBare(url, answer, compare) {
  refuseDifference(url, await ask(url, HEADERS), answer);
  return compare(url);
}

async function measurePeer(url, { answer, manifests, blobs }, compare) {
  await push(url, { index: answer.body, manifests, blobs }, HEADERS);
  refuseOtherContent(url, await ask(url, HEADERS), answer);
  return compare(url);
}
