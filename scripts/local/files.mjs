/** Files that others read while they are written. */

import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";

/** Writes `path` so that a reader sees the old content or the new, never half of it. */
export async function writeWhole(path, content, mode = 0o644) {
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(fresh, content, { mode });
  await rename(fresh, path);
}
