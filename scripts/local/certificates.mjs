/** Makes a throw-away certificate authority and what it certifies: this machine's own loopback names. */

import "reflect-metadata"; // which @peculiar/x509 leaves to its users
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Apple's clients refuse a server certificate that is good for longer than 398 days. */
export const LIFETIME_DAYS = 397;

const NAMES = [
  { type: "dns", value: "localhost" },
  { type: "ip", value: "127.0.0.1" },
  { type: "ip", value: "::1" },
];

/**
 * A fresh authority and a certificate by it. The authority's key is forgotten at once, so whoever comes to trust the
 * authority trusts this one certificate and no other.
 *
 * @param {Date} now
 * @returns {Promise<{ authority: string, certificate: string, key: string }>} PEM
 */
export async function issue(now) {
  const validity = { notBefore: daysAfter(now, -1), notAfter: daysAfter(now, LIFETIME_DAYS - 1) };
  const [authorityKeys, keys] = await Promise.all([generateKeys(), generateKeys()]);
  const authority = await issueAuthority(authorityKeys, validity);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: "CN=localhost, O=yuba local development",
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(NAMES),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return {
    authority: `${authority.toString("pem")}\n`,
    certificate: `${certificate.toString("pem")}\n`,
    key: `${x509.PemConverter.encode(key, x509.PemConverter.PrivateKeyTag)}\n`,
  };
}

async function issueAuthority(keys, validity) {
  return x509.X509CertificateGenerator.createSelfSigned({
    // A name of its own for every authority: a keychain that holds an older one must not confuse them.
    name: `CN=yuba local development ${validity.notBefore.toISOString()}`,
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

function generateKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

function daysAfter(date, days) {
  return new Date(date.getTime() + days * 24 * 60 * 60 * 1000);
}
