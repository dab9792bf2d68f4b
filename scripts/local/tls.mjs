/**
 * The TLS material of the local server, kept in STATE/tls and used again until it is about to expire:
 *
 *     ca.pem      the throw-away authority, for a client's trust
 *     cert.pem    the server's certificate
 *     key.pem     its private key, mode 0600
 *     bundle.pem  the authority and this system's roots, for SSL_CERT_FILE; written anew at every start
 */

import { X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { writeWhole } from "./files.mjs";

const RENEW_DAYS = 7;

/** Where systems keep their roots as one file: the places where Go and OpenSSL look. */
const SYSTEM_BUNDLES = [
  "/etc/ssl/certs/ca-certificates.crt", // Debian, Ubuntu, Arch
  "/etc/pki/tls/certs/ca-bundle.crt", // Fedora, RHEL
  "/etc/ssl/ca-bundle.pem", // openSUSE
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // RHEL
  "/etc/ssl/cert.pem", // Alpine, macOS
];

/**
 * @param {string} state the state directory
 * @param {Date} [now]
 * @returns {Promise<{ certificate: string, key: string, authorityPath: string, bundlePath: string }>}
 */
export async function tlsMaterial(state, now = new Date()) {
  const directory = join(state, "tls");
  const material = (await readMaterial(directory, now)) ?? (await renew(directory, now));
  const bundlePath = join(directory, "bundle.pem");
  await writeWhole(bundlePath, material.authority + (await systemRoots(bundlePath)));
  return { ...material, authorityPath: join(directory, "ca.pem"), bundlePath };
}

/** What is in `directory`, unless something is missing or about to expire. */
async function readMaterial(directory, now) {
  try {
    const [authority, certificate, key] = await Promise.all(
      ["ca.pem", "cert.pem", "key.pem"].map((name) => readFile(join(directory, name), "utf8")),
    );
    const expires = new Date(new X509Certificate(certificate).validTo);
    const usable = expires.getTime() - now.getTime() > RENEW_DAYS * 24 * 60 * 60 * 1000;
    return usable ? { authority, certificate, key } : undefined;
  } catch {
    return undefined; // missing or damaged: made anew
  }
}

/** Makes new material beside `directory` and moves it there whole, so that nobody reads the key of another certificate. */
async function renew(directory, now) {
  const { issue } = await import("./certificates.mjs"); // needed once a year: not loaded at every start
  const material = await issue(now);
  await mkdir(join(directory, ".."), { recursive: true });
  const fresh = await mkdtemp(`${directory}.`);
  await writeFile(join(fresh, "ca.pem"), material.authority);
  await writeFile(join(fresh, "cert.pem"), material.certificate);
  await writeFile(join(fresh, "key.pem"), material.key, { mode: 0o600 });
  await rm(directory, { recursive: true, force: true });
  try {
    await rename(fresh, directory);
    return material;
  } catch (error) {
    await rm(fresh, { recursive: true });
    const other = await readMaterial(directory, now); // another server was faster
    if (other === undefined) throw error;
    return other;
  }
}

/** @param {string} ownBundle is not taken for the system's, although it may be what SSL_CERT_FILE names */
async function systemRoots(ownBundle) {
  for (const path of [process.env.SSL_CERT_FILE, ...SYSTEM_BUNDLES]) {
    if (!path || path === ownBundle) continue;
    try {
      return await readFile(path, "utf8");
    } catch {
      // the next place
    }
  }
  return `${rootCertificates.join("\n")}\n`;
}
