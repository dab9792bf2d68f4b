/** The storage worker's promises, as HTTP: what it answers, what it refuses, and that its conditions are atomic. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { start, storageWorker } from "./miniflare.mjs";

const TOKEN = "test-token";
let state, local, base;

before(async () => {
  state = await mkdtemp(join(tmpdir(), "yuba-storage-"));
  local = await start({ state, workers: [storageWorker(TOKEN)] });
  base = await local.directUrl("storage");
});

after(async () => {
  await local.stop();
  await rm(state, { recursive: true });
});

function send(method, path, { headers = {}, body, token = TOKEN } = {}) {
  const streamed = body instanceof ReadableStream ? { duplex: "half" } : {};
  return fetch(base + path, { method, body, ...streamed, headers: { Authorization: `Bearer ${token}`, ...headers } });
}

async function put(path, body, headers) {
  const response = await send("PUT", path, { body, headers });
  await response.text();
  return { status: response.status, etag: response.headers.get("ETag") };
}

async function text(path) {
  const response = await send("GET", path);
  return [response.status, await response.text()];
}

test("answers whoever holds the token, and nobody else", async () => {
  assert.deepEqual(await text("/"), [200, '{"ok":true}']);
  for (const token of ["", "wrong", TOKEN + "x"]) {
    const response = await send("GET", "/r2/any", { token });
    assert.deepEqual([response.status, await response.text()], [401, "wrong or missing token\n"]);
  }
});

test("keeps an R2 object with its length and ETag", async () => {
  const stored = await put("/r2/a/b.json", "{}");
  assert.equal(stored.status, 200);
  assert.match(stored.etag, /^"[0-9a-f]{32}"$/);
  for (const method of ["GET", "HEAD"]) {
    const response = await send(method, "/r2/a/b.json");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("ETag"), stored.etag);
    assert.equal(response.headers.get("Content-Length"), "2");
    assert.equal(await response.text(), method === "GET" ? "{}" : "");
  }
  assert.equal((await send("DELETE", "/r2/a/b.json")).status, 204);
  assert.equal((await send("DELETE", "/r2/a/b.json")).status, 204);
  assert.deepEqual(await text("/r2/a/b.json"), [404, "no `a/b.json` here\n"]);
  assert.equal((await send("HEAD", "/r2/a/b.json")).status, 404);
});

test("keeps an empty object", async () => {
  assert.equal((await put("/r2/empty", "")).status, 200);
  assert.deepEqual(await text("/r2/empty"), [200, ""]);
  assert.equal((await send("HEAD", "/r2/empty")).headers.get("Content-Length"), "0");
});

test("keeps KV values", async () => {
  assert.equal((await put("/kv/namespace/localhost/acme", "first")).status, 200);
  assert.equal((await put("/kv/namespace/localhost/acme", "second")).status, 200);
  assert.deepEqual(await text("/kv/namespace/localhost/acme"), [200, "second"]);
  assert.equal((await send("DELETE", "/kv/namespace/localhost/acme")).status, 204);
  assert.deepEqual(await text("/kv/namespace/localhost/acme"), [404, "no `namespace/localhost/acme` here\n"]);
});

test("copies an object within R2", async () => {
  const stored = await put("/r2/copy/from é", "content");
  const copied = await put("/r2/copy/to", undefined, { "X-Copy-Source": "copy/from%20%C3%A9", "Content-Length": "0" });
  assert.deepEqual(copied, stored);
  assert.deepEqual(await text("/r2/copy/to"), [200, "content"]);
  assert.equal((await put("/r2/copy/to", undefined, { "X-Copy-Source": "copy/missing" })).status, 404);
  assert.equal((await put("/r2/copy/to", undefined, { "X-Copy-Source": "%ZZ" })).status, 400);
  assert.deepEqual(await text("/r2/copy/to"), [200, "content"]);
});

test("lists KV by prefix, page by page", async () => {
  const names = Array.from({ length: 1001 }, (_, i) => `many/${String(i).padStart(4, "0")}`);
  for (const name of names) await put(`/kv/${name}`, "x");
  const first = await (await send("GET", "/kv?prefix=many/")).json();
  const second = await (await send("GET", `/kv?prefix=many/&cursor=${encodeURIComponent(first.cursor)}`)).json();
  assert.equal(second.cursor, null);
  assert.deepEqual([...first.keys, ...second.keys], names);
});

test("decodes each segment of a key exactly once", async () => {
  const keys = ["1.0.0+build.5", "sha256:ab", "é/ü", "豆腐", "a b", "50%", "%2F", "a?b#c", "a/b//c"];
  for (const key of keys) {
    const path = `/r2/keys/${key.split("/").map(encodeURIComponent).join("/")}`;
    assert.equal((await put(path, key)).status, 200, key);
  }
  assert.equal((await put("/r2/keys/literal+plus:colon", "x")).status, 200);
  const { objects } = await (await send("GET", "/r2?prefix=keys/")).json();
  const found = objects.map((object) => object.key.slice("keys/".length));
  assert.deepEqual(found.sort(), [...keys, "literal+plus:colon"].sort());
});

test("lists by prefix, page by page", async () => {
  const { etag } = await put("/r2/list/one", "1");
  await put("/r2/other", "x");
  const { objects, cursor: end } = await (await send("GET", "/r2?prefix=list/")).json();
  const [{ uploaded, ...object }, ...rest] = objects;
  assert.deepEqual([object, rest, end], [{ key: "list/one", size: 1, etag }, [], null]);
  assert.equal((await send("HEAD", "/r2/list/one")).headers.get("X-Uploaded"), uploaded);
  const names = Array.from({ length: 1001 }, (_, i) => `many/${String(i).padStart(4, "0")}`);
  for (const name of names) await put(`/r2/${name}`, "x");
  const first = await (await send("GET", "/r2?prefix=many/")).json();
  const cursor = encodeURIComponent(first.cursor);
  const second = await (await send("GET", `/r2?prefix=many/&cursor=${cursor}`)).json();
  assert.equal(second.cursor, null);
  assert.deepEqual([...first.objects, ...second.objects].map((object) => object.key), names);
});

test("refuses to create what exists", async () => {
  assert.equal((await put("/r2/create", "first", { "If-None-Match": "*" })).status, 200);
  assert.equal((await put("/r2/create", "second", { "If-None-Match": "*" })).status, 412);
  assert.deepEqual(await text("/r2/create"), [200, "first"]);
});

test("refuses to swap what has changed, or is not there", async () => {
  const first = await put("/r2/swap", "first");
  const second = await put("/r2/swap", "second", { "If-Match": first.etag });
  assert.equal(second.status, 200);
  assert.notEqual(second.etag, first.etag);
  assert.equal((await put("/r2/swap", "third", { "If-Match": first.etag })).status, 412);
  assert.deepEqual(await text("/r2/swap"), [200, "second"]);
  assert.equal((await put("/r2/swap-absent", "x", { "If-Match": first.etag })).status, 412);
  assert.equal((await send("HEAD", "/r2/swap-absent")).status, 404);
});

test("takes no other request header for a condition", async () => {
  await put("/r2/dated", "first");
  const long = { "If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT" };
  assert.equal((await put("/r2/dated", "second", long)).status, 200);
});

test("lets exactly one of many concurrent swaps and creations win", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { etag } = await put(`/r2/race/swap-${round}`, "first");
    await oneWins(`/r2/race/swap-${round}`, { "If-Match": etag });
    await oneWins(`/r2/race/create-${round}`, { "If-None-Match": "*" });
  }
});

async function oneWins(path, condition) {
  const bodies = Array.from({ length: 20 }, (_, i) => `writer ${i}`);
  const answers = await Promise.all(bodies.map((body) => put(path, body, condition)));
  const winners = bodies.filter((_, i) => answers[i].status === 200);
  assert.equal(winners.length, 1, `${path}: ${answers.map((answer) => answer.status)}`);
  assert.equal(answers.filter((answer) => answer.status === 412).length, bodies.length - 1);
  assert.deepEqual(await text(path), [200, winners[0]]);
}

test("refuses a body with another checksum and keeps what was there", async () => {
  const sha256 = (body) => ({ "X-Sha256": createHash("sha256").update(body).digest("hex") });
  assert.equal((await put("/r2/checked", "right", sha256("right"))).status, 200);
  assert.equal((await put("/r2/checked", "wrong", sha256("right"))).status, 400);
  assert.deepEqual(await text("/r2/checked"), [200, "right"]);
  assert.equal((await put("/r2/checked-new", "wrong", sha256("right"))).status, 400);
  assert.equal((await send("HEAD", "/r2/checked-new")).status, 404);
  assert.equal((await put("/r2/checked", "right", { "X-Sha256": "abc" })).status, 400);
});

test("streams a large body in and out", async () => {
  const chunk = new Uint8Array(1 << 20).fill(7);
  const chunks = 150;
  const hash = createHash("sha256");
  for (let i = 0; i < chunks; i += 1) hash.update(chunk);
  const sha256 = hash.digest("hex");
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => (sent++ < chunks ? controller.enqueue(chunk) : controller.close()),
  });
  const length = { "Content-Length": String(chunks * chunk.length), "X-Sha256": sha256 };
  assert.equal((await put("/r2/large", body, length)).status, 200);
  const received = createHash("sha256");
  for await (const part of (await send("GET", "/r2/large")).body) received.update(part);
  assert.equal(received.digest("hex"), sha256);
});

test("stores nothing of a body that was cut short", async () => {
  const { hostname, port } = new URL(base);
  await new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const head = `PUT /r2/cut HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 1000000\r\n\r\n`;
      socket.write(head + "x".repeat(1000), () => socket.destroy());
    });
    socket.on("close", resolve);
  });
  // The Worker works on requests side by side; one that was sent later and is done tells nothing of the first, but a
  // creation of the same object would be refused if the first had stored anything.
  assert.equal((await put("/r2/cut", "whole", { "If-None-Match": "*" })).status, 200);
  assert.deepEqual(await text("/r2/cut"), [200, "whole"]);
});

test("refuses what it does not serve", async () => {
  const refusals = [
    ["GET", "/nothing", 404],
    ["GET", "/constructor/x", 404],
    ["GET", "/r2/", 400],
    ["GET", "/kv/", 400],
    ["GET", "/r2/%zz", 400],
    ["POST", "/r2/x", 405],
    ["DELETE", "/r2", 405],
    ["PUT", "/", 405],
    ["HEAD", "/kv/x", 405],
  ];
  for (const [method, path, status] of refusals) {
    const response = await send(method, path);
    assert.equal(response.status, status, `${method} ${path}`);
    if (method !== "HEAD") assert.match(await response.text(), /^[^\n]+\n$/, `${method} ${path}`);
  }
});

test("serves alone, wherever it is started, until its input ends or a signal", async () => {
  const script = fileURLToPath(new URL("storage.mjs", import.meta.url));
  for (const stop of [(child) => child.stdin.end(), (child) => child.kill("SIGTERM")]) {
    const child = spawn(process.execPath, [script, "--state", "alone"], { cwd: state, stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(child.stdout.setEncoding("utf8"), "data");
    const { url, token } = JSON.parse(line);
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    assert.deepEqual(await response.json(), { ok: true });
    stop(child);
    assert.deepEqual(await once(child, "exit"), [0, null]);
    await assert.rejects(fetch(url));
  }
});

test("refuses a body without a length", async () => {
  const body = new ReadableStream({ start: (controller) => (controller.enqueue(new Uint8Array(1)), controller.close()) });
  assert.equal((await put("/r2/lengthless", body)).status, 411);
});
