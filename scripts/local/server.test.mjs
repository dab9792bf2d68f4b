/** The local server with a plain Worker in the registry's place: what it announces, logs, keeps and refuses. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { bindings } from "./miniflare.mjs";
import { refuseWhatIsTaken, serve } from "./server.mjs";

/** Answers with the KV entry its path names. */
const registry = {
  name: "registry",
  modules: true,
  script: `export default {
    async fetch(request, env) {
      const value = await env.METADATA.get(new URL(request.url).pathname.slice(1));
      return new Response(value, { status: value === null ? 404 : 200 });
    }
  }`,
  ...bindings(),
};

let state, stops;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "yuba-server-"));
  stops = [];
});

afterEach(async () => {
  for (const stop of stops) await stop();
  await rm(state, { recursive: true });
});

async function startServer(options = {}) {
  const server = await serve({ state, port: 0, registry, ...options });
  stops.push(server.stop);
  return server;
}

function store({ storageUrl, storageToken }, path, body) {
  return fetch(storageUrl + path, { method: "PUT", body, headers: { Authorization: `Bearer ${storageToken}` } });
}

async function ask(server, path) {
  const ca = await readFile(server.bundlePath);
  return new Promise((resolve, reject) => {
    get(server.url + path, { ca, agent: false }, async (response) => {
      let body = "";
      for await (const text of response.setEncoding("utf8")) body += text;
      resolve([response.statusCode, body]);
    }).on("error", reject);
  });
}

test("serves over https what was stored over the storage worker", async () => {
  const server = await startServer();
  assert.deepEqual(await ask(server, "/greeting"), [404, ""]);
  assert.equal((await store(server, "/kv/greeting", "hello")).status, 200);
  assert.deepEqual(await ask(server, "/greeting"), [200, "hello"]);
});

test("keeps its state", async () => {
  const first = await startServer();
  await store(first, "/kv/greeting", "hello");
  await first.stop();
  const { authorityPath, ...second } = await startServer();
  assert.equal(authorityPath, first.authorityPath);
  assert.deepEqual(await ask(second, "/greeting"), [200, "hello"]);
});

test("announces itself to its owner while it runs", async () => {
  const server = await startServer();
  const path = join(state, "yuba.json");
  assert.deepEqual(JSON.parse(await readFile(path, "utf8")), {
    storage_url: server.storageUrl,
    storage_token: server.storageToken,
    hostname: "localhost",
    url: server.url,
    pid: process.pid,
  });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await server.stop();
  await assert.rejects(stat(path), { code: "ENOENT" });
});

test("does not mind the announcement of a server that was killed", async () => {
  const stale = { storage_url: "http://127.0.0.1:1", storage_token: "x", url: "https://localhost:1", pid: 1 };
  await writeFile(join(state, "yuba.json"), JSON.stringify(stale));
  const server = await startServer();
  assert.equal(JSON.parse(await readFile(join(state, "yuba.json"), "utf8")).url, server.url);
});

test("refuses a second server over the same state", async () => {
  const { url } = await startServer();
  const message = `\`${state}\` is served already, at ${url} by process ${process.pid}: stop that one (\`kill ${process.pid}\`), or pass --state DIR`;
  await assert.rejects(startServer(), { message, status: 1 });
});

test("refuses a port that is in use, also before building", async (context) => {
  const other = createServer();
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  context.after(() => new Promise((resolve) => other.close(resolve)));
  const { port } = other.address();
  const message = `port ${port} is in use: stop what listens there, or pass --port N (0 picks a free one)`;
  await assert.rejects(refuseWhatIsTaken({ state, port }), { message, status: 1 });
  await assert.rejects(startServer({ port }), { message, status: 1 });
});

test("logs every request before it is answered, on demand", async () => {
  const log = join(state, "requests");
  const server = await startServer({ log });
  await store(server, "/kv/greeting", "hello");
  assert.deepEqual(await ask(server, "/greeting"), [200, "hello"]);
  await ask(server, "/a%20b?c=d+e");
  assert.equal(await readFile(log, "utf8"), "GET /greeting 200\nGET /a%20b?c=d+e 404\n");
});
