/** Rounds: a pair is measured in turns, so that what changes over time weighs on both. */

/**
 * @template T
 * @param {number} count
 * @param {() => Promise<T>} measureFirst
 * @param {() => Promise<T>} measureSecond
 * @returns {Promise<{ first: T, second: T }[]>}
 */
export async function alternate(count, measureFirst, measureSecond) {
  const rounds = [];
  for (let round = 0; round < count; round++) {
    // Who begins changes too: first, second, second, first.
    if (round % 2 === 0) {
      const first = await measureFirst();
      rounds.push({ first, second: await measureSecond() });
    } else {
      const second = await measureSecond();
      rounds.push({ first: await measureFirst(), second });
    }
  }
  return rounds;
}
