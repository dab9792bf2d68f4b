/** The TLS material: what it certifies, that it is kept, that it is renewed in time, and that it serves. */

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { LIFETIME_DAYS } from "./certificates.mjs";
import { tlsMaterial } from "./tls.mjs";

const DAY = 24 * 60 * 60 * 1000;
let state;

beforeEach(async () => (state = await mkdtemp(join(tmpdir(), "yuba-tls-"))));
afterEach(() => rm(state, { recursive: true }));

test("certifies the loopback names for a time that every client accepts", async () => {
  const now = new Date();
  const material = await tlsMaterial(state, now);
  const certificate = new X509Certificate(material.certificate);
  const authority = new X509Certificate(material.authority);
  assert.equal(certificate.subjectAltName, "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
  assert.ok(authority.ca && !certificate.ca);
  assert.ok(certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
  const days = (new Date(certificate.validTo) - new Date(certificate.validFrom)) / DAY;
  assert.ok(days <= 398, `${days} days`);
});

test("keeps the private key to its owner", async () => {
  await tlsMaterial(state);
  assert.equal((await stat(join(state, "tls/key.pem"))).mode & 0o777, 0o600);
});

test("is used again until it is about to expire", async () => {
  const now = new Date();
  const first = await tlsMaterial(state, now);
  const same = await tlsMaterial(state, new Date(now.getTime() + (LIFETIME_DAYS - 9) * DAY));
  assert.equal(same.certificate, first.certificate);
  const renewed = await tlsMaterial(state, new Date(now.getTime() + (LIFETIME_DAYS - 7) * DAY));
  assert.notEqual(renewed.certificate, first.certificate);
  assert.notEqual(renewed.authority, first.authority);
  assert.deepEqual(await readdir(state), ["tls"]);
});

test("is made anew where it is damaged", async () => {
  const first = await tlsMaterial(state);
  await writeFile(join(state, "tls/cert.pem"), "no certificate");
  assert.notEqual((await tlsMaterial(state)).certificate, first.certificate);
});

test("bundles the roots that SSL_CERT_FILE names, once", async (context) => {
  const roots = join(state, "roots.pem");
  await writeFile(roots, "the system's roots\n");
  setEnvironment(context, "SSL_CERT_FILE", roots);
  const { authority, bundlePath } = await tlsMaterial(state);
  assert.equal(await readFile(bundlePath, "utf8"), `${authority}the system's roots\n`);
  process.env.SSL_CERT_FILE = bundlePath;
  await tlsMaterial(state);
  assert.equal((await readFile(bundlePath, "utf8")).split(authority).length, 2);
});

test("serves https to a client that trusts the bundle", async () => {
  const { certificate, key, bundlePath } = await tlsMaterial(state);
  const ca = await readFile(bundlePath);
  const server = createServer({ cert: certificate, key }, (_, response) => response.end("hello"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  for (const host of ["localhost", "127.0.0.1"]) {
    const status = await new Promise((resolve, reject) => {
      const options = { host, port, ca, family: 4, agent: false };
      get(options, (response) => response.resume().on("end", () => resolve(response.statusCode))).on("error", reject);
    });
    assert.equal(status, 200, host);
  }
  await new Promise((resolve) => server.close(resolve));
});

function setEnvironment(context, name, value) {
  const before = process.env[name];
  context.after(() => (before === undefined ? delete process.env[name] : (process.env[name] = before)));
  process.env[name] = value;
}
