/** An image index with all that it names, on its way from one registry to another. */

import { createHash } from "node:crypto";
import { Refusal } from "../local/refusal.mjs";
import { ask } from "./answer.mjs";

export const INDEX = "application/vnd.oci.image.index.v1+json";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

/** A SHA-256 in hexadecimal digits. @param {string | Buffer} content */
export function hash(content) {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * The manifests that an index names.
 *
 * @param {string} url of the index, by its tag
 * @param {Record<string, string>} headers
 * @returns {Promise<Buffer[]>}
 */
export async function pull(url, headers) {
  const index = JSON.parse((await ask(url, headers)).body);
  const { accept: _, ...others } = headers; // what is accepted is an index
  const bodies = index.manifests.map(async ({ digest }) => (await ask(sibling(url, digest), others)).body);
  return Promise.all(bodies);
}

/**
 * Writes what an index names, and then the index (distribution specification, "Push").
 *
 * @param {string} url of the index, by its tag
 * @param {{ index: Buffer, manifests: Buffer[], blobs: string[] }} image
 * @param {Record<string, string>} headers
 */
export async function push(url, { index, manifests, blobs }, headers) {
  for (const blob of blobs) await pushBlob(new URL("../blobs/uploads/", url), blob, headers);
  for (const body of manifests) await pushManifest(sibling(url, spellDigest(body)), MANIFEST, body, headers);
  await pushManifest(url, INDEX, index, headers);
}

/** An upload is asked for, and then made where the registry says, in one piece. */
async function pushBlob(uploads, blob, headers) {
  const { headers: answered } = await send("POST", uploads, 202, { headers });
  const upload = new URL(answered.get("location"), uploads);
  upload.searchParams.set("digest", spellDigest(blob));
  const contentType = { "content-type": "application/octet-stream" };
  await send("PUT", upload, 201, { headers: { ...headers, ...contentType }, body: blob });
}

async function pushManifest(url, mediaType, body, headers) {
  await send("PUT", url, 201, { headers: { ...headers, "content-type": mediaType }, body });
}

async function send(method, url, expected, request) {
  const response = await fetch(url, { method, ...request });
  const text = await response.text();
  if (response.status !== expected) throw new Refusal(`${method} ${url} answered ${response.status}: ${text}`, 2);
  return response;
}

/** What else is in the directory of `url`. Not resolved: `sha256:…` would be taken for a URL of its own. */
function sibling(url, name) {
  return url.slice(0, url.lastIndexOf("/") + 1) + name;
}

function spellDigest(content) {
  return `sha256:${hash(content)}`;
}
