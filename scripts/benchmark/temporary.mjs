/** Directories that are gone afterwards, also after a Ctrl-C. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @template T @param {(directory: string) => Promise<T>} use @returns {Promise<T>} */
export async function withTemporaryDirectory(use) {
  const directory = mkdtempSync(join(tmpdir(), "yuba-bench-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    return await use(directory);
  } finally {
    process.off("exit", remove);
    remove();
  }
}
