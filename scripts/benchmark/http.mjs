/** Documents: the warm registry beside bare Workers that answer the same from a constant. */

import { buildWorker } from "../local/build.mjs";
import { ask, refuseDifference } from "./answer.mjs";
import { buildContent, storeDocuments } from "./content.mjs";
import { comparePair } from "./pair.mjs";
import { withTemporaryDirectory } from "./temporary.mjs";
import { constantWorker, withRegistry, withStorage } from "./workers.mjs";

/** No archive is downloaded here. */
const NO_ARCHIVE = { sha256: "0".repeat(64), size: 1 };

/** @param {import("./plan.mjs").Plan} plan @param {(text: string) => void} say */
export async function measureHttp(plan, say) {
  await buildWorker();
  const { documents, requests } = await buildContent(NO_ARCHIVE);
  return withTemporaryDirectory(async (state) => {
    const pairs = await withStorage(state, async (storage, url) => {
      await storeDocuments(storage, documents);
      return Promise.all(requests.map(async (request) => ({ ...request, answer: await ask(url + request.path) })));
    });
    const baselines = pairs.map(({ answer }, number) => constantWorker(`bare-${number}`, answer));
    const answers = await withRegistry(state, baselines, async (local, registryUrl) => {
      const measured = [];
      for (const [number, pair] of pairs.entries()) {
        say(`http: ${describe(pair)} (${number + 1} of ${pairs.length})`);
        const urls = { registry: registryUrl + pair.path, bare: await local.directUrl(`bare-${number}`) };
        measured.push(await measurePair(plan, pair, urls));
      }
      return measured;
    });
    return { answers, flatness: flatness(answers) };
  });
}

function describe({ route, versions }) {
  return versions === 0 ? route : `${route} of ${versions} versions`;
}

async function measurePair(plan, { route, versions, answer }, urls) {
  refuseDifference(urls.bare, await ask(urls.bare), answer);
  const { other: bare, ...measured } = await comparePair(plan, urls.registry, urls.bare);
  return { route, versions, bytes: answer.body.length, bare, ...measured };
}

/** What the ratio with most versions is of the ratio with fewest, route by route. */
function flatness(answers) {
  const routes = new Set(answers.filter(({ versions }) => versions > 0).map(({ route }) => route));
  return [...routes].map((route) => {
    const measured = answers.filter((one) => one.route === route);
    const [fewest, most] = [measured.at(0), measured.at(-1)];
    const compare = (ratio) => most[ratio] / fewest[ratio];
    return { route, versions: most.versions, ratio: compare("ratio"), cpu_ratio: compare("cpu_ratio") };
  });
}
