/** Tables of text. */

/**
 * The first column is aligned to the left, figures to the right.
 *
 * @param {string[]} heads
 * @param {string[][]} rows
 */
export function table(heads, rows) {
  const lines = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** A figure with as many decimals as one reads; a dash for what could not be measured. */
export function figure(value, decimals = 0) {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return Number.isFinite(value) ? value.toLocaleString("en", options) : "-";
}
