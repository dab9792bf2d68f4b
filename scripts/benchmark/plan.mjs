/**
 * How much is measured.
 *
 * @typedef {object} Plan
 * @property {number} rounds of each pair
 * @property {number} warmSeconds before the first round, for either side
 * @property {number} roundSeconds of requests, for either side
 * @property {number} archiveBytes
 * @property {number} transfers of a whole archive in a round
 * @property {number} ranges of an archive in a round
 * @property {number} executableBytes
 * @property {number} verifications of the release
 * @property {number} platformBytes of each executable of the release that is published
 * @property {number} publishes of that release, and uploads of the same files
 */

const MIB = 1024 * 1024;

/** @type {Record<"full" | "quick", Plan>} */
export const PLANS = {
  // The rounds of one side together outlast the freshness of documents, so that refreshing them counts.
  full: {
    rounds: 6,
    warmSeconds: 1,
    roundSeconds: 1.5,
    archiveBytes: 64 * MIB,
    transfers: 3,
    ranges: 48,
    executableBytes: 500e6,
    verifications: 3,
    platformBytes: 150e6,
    publishes: 3,
  },
  quick: {
    rounds: 2,
    warmSeconds: 0.5,
    roundSeconds: 1,
    archiveBytes: 64 * MIB,
    transfers: 1,
    ranges: 16,
    executableBytes: 100e6,
    verifications: 1,
    platformBytes: 30e6,
    publishes: 1,
  },
};
