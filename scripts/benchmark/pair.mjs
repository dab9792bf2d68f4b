/** A pair of URLs of one runtime: the registry's, and another's that answers the same. */

import { economy, load, summarise, throughput } from "./load.mjs";
import { findChild } from "./process.mjs";
import { alternate } from "./rounds.mjs";
import { medianRatio } from "./statistics.mjs";

/**
 * Warms both and loads them in turns.
 *
 * @param {import("./plan.mjs").Plan} plan
 * @param {string} registry
 * @param {string} other
 * @param {Record<string, string>} [headers] of the requests, the same for both
 */
export async function comparePair(plan, registry, other, headers) {
  const workerd = findChild("workerd");
  for (const url of [registry, other]) await load(url, plan.warmSeconds, workerd, headers);
  const rounds = await alternate(
    plan.rounds,
    () => load(registry, plan.roundSeconds, workerd, headers),
    () => load(other, plan.roundSeconds, workerd, headers),
  );
  return {
    registry: summarise(rounds.map(({ first }) => first)),
    other: summarise(rounds.map(({ second }) => second)),
    ratio: medianRatio(rounds, throughput),
    cpu_ratio: medianRatio(rounds, economy),
  };
}
