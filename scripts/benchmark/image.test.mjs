import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { hash, pull, push } from "./image.mjs";

const digest = (content) => `sha256:${hash(content)}`;
const headers = { authorization: "Basic eA==", accept: "application/vnd.oci.image.index.v1+json" };

/** A registry that answers what `answer` says, and what it was asked. */
async function serve(t, answer) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push([request.method, request.url, request.headers["content-type"], body].filter(Boolean).join(" "));
    const [status, headers, text] = answer(request);
    response.writeHead(status, headers).end(text);
  });
  server.listen(0, "127.0.0.1");
  t.after(() => server.close().closeAllConnections());
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}/v2/acme/dns/manifests/1.0.0`, asked };
}

test("what an index names is pulled as it is", async (t) => {
  const [index, manifest] = [JSON.stringify({ manifests: [{ digest: digest("{ }") }] }), "{ }"];
  const { url, asked } = await serve(t, ({ url }) => [200, {}, url.endsWith("/1.0.0") ? index : manifest]);
  assert.deepEqual(await pull(url, headers), [Buffer.from(manifest)]);
  assert.deepEqual(asked, ["GET /v2/acme/dns/manifests/1.0.0", `GET /v2/acme/dns/manifests/${digest("{ }")}`]);
});

test("a registry gets blobs, manifests and the index, in this order", async (t) => {
  const status = { POST: 202, PUT: 201 };
  const { url, asked } = await serve(t, ({ method }) => [status[method], { location: "/upload?state=1" }]);
  await push(url, { index: Buffer.from("index"), manifests: [Buffer.from("manifest")], blobs: ["blob"] }, headers);
  assert.deepEqual(asked, [
    "POST /v2/acme/dns/blobs/uploads/",
    `PUT /upload?state=1&digest=${encodeURIComponent(digest("blob"))} application/octet-stream blob`,
    `PUT /v2/acme/dns/manifests/${digest("manifest")} application/vnd.oci.image.manifest.v1+json manifest`,
    "PUT /v2/acme/dns/manifests/1.0.0 application/vnd.oci.image.index.v1+json index",
  ]);
});

test("what a registry does not take ends the push", async (t) => {
  const { url, asked } = await serve(t, () => [404, {}, "no uploads"]);
  const image = { index: Buffer.from("index"), manifests: [], blobs: ["blob"] };
  await assert.rejects(push(url, image, headers), { message: /^POST .* answered 404: no uploads$/, status: 2 });
  assert.equal(asked.length, 1);
});
