/** What is made of measured numbers. */

/** @param {number[]} values at least one */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** The median over the rounds of `measure(first) / measure(second)`; undefined if something was not measured. */
export function medianRatio(rounds, measure) {
  const ratios = rounds.map(({ first, second }) => measure(first) / measure(second));
  return ratios.every(Number.isFinite) ? median(ratios) : undefined;
}
