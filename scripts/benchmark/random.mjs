/** Bytes that look random and are the same in every run. */

import { createCipheriv, createHash } from "node:crypto";

/** @param {number} length @param {string} seed */
export function pseudoRandomBytes(length, seed) {
  const key = createHash("sha256").update(seed).digest();
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(length));
}
