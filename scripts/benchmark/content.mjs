/** What is served while it is measured: made by example.mjs, put into storage through the storage worker. */

import { readConfiguration } from "../local/configuration.mjs";
import { Refusal } from "../local/refusal.mjs";
import { runExample } from "./example.mjs";

/**
 * @typedef {object} Content
 * @property {{ object: string, copy: string, body: string }[]} documents with their keys in R2 and in KV
 * @property {{ route: string, versions: number, path: string }[]} requests
 * @property {{ object: string, path: string }} archive
 * @property {string[]} other_archives what the archives of the other platforms would hold, which are not stored
 *
 * @param {{ sha256: string, size: number }} archive
 * @returns {Promise<Content>}
 */
export async function buildContent({ sha256, size }) {
  const { REGISTRY_HOSTNAME } = readConfiguration().vars;
  return JSON.parse(await runExample(["content", REGISTRY_HOSTNAME, sha256, String(size)]));
}

/** Writes the documents to R2 and KV. @param {Content["documents"]} documents */
export async function storeDocuments(storage, documents) {
  for (const { object, copy, body } of documents) {
    await store(storage, `/r2/${object}`, body);
    await store(storage, `/kv/${copy}`, body);
  }
}

/** @param {{ url: string, token: string }} storage */
export async function store({ url, token }, path, body) {
  const response = await fetch(url + encodeURI(path), {
    method: "PUT",
    body,
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Refusal(`storage refused ${path}: ${await response.text()}`, 2);
}
