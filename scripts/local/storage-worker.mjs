/**
 * The storage worker: gives the companion what it may read and write on this machine, KV and R2, over plain HTTP.
 *
 * NEVER PART OF A DEPLOYMENT. It writes whatever it is told to; on this machine a random token and the loopback
 * address keep others out. The registry's own Worker cannot write at all.
 *
 *     GET    /                         200 {"ok":true}
 *     GET    /r2/KEY                   200 body, ETag, Content-Length, X-Uploaded; 404
 *     HEAD   /r2/KEY                   the same without the body
 *     PUT    /r2/KEY                   200 ETag; 412 precondition failed; 400 checksum mismatch; 411 no Content-Length
 *            If-None-Match: *          create only
 *            If-Match: "ETAG"          compare and swap
 *            X-Sha256: HEX             what the body must hash to
 *            X-Copy-Source: KEY        instead of a body: 200 ETag, a copy of another object; 404
 *     DELETE /r2/KEY                   204
 *     GET    /r2?prefix=P&cursor=C     200 {"objects":[{"key","size","etag","uploaded"}],"cursor":null|"…"}
 *     GET    /kv/KEY                   200 body; 404
 *     PUT    /kv/KEY                   200
 *     DELETE /kv/KEY                   204
 *     GET    /kv?prefix=P&cursor=C     200 {"keys":["…"],"cursor":null|"…"}
 *
 * KEY is percent-encoded segment by segment. Every refusal is one line of text.
 */
export default {
  async fetch(request, env) {
    if (request.headers.get("Authorization") !== `Bearer ${env.TOKEN}`) return refuse(401, "wrong or missing token");
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/") return answer(request, ["GET"], { GET: () => Response.json({ ok: true }) });
    if (pathname === "/r2") return answer(request, ["GET"], { GET: () => listObjects(env.ARCHIVES, searchParams) });
    if (pathname === "/kv") return answer(request, ["GET"], { GET: () => listKeys(env.METADATA, searchParams) });
    const [, store, ...segments] = pathname.split("/");
    const methods = STORES.get(store);
    const key = decodeKey(segments);
    if (methods === undefined) return refuse(404, `no store \`${store}\`: name r2 or kv`);
    if (key === undefined) return refuse(400, `malformed key in \`${pathname}\``);
    return answer(request, Object.keys(methods), methods, env, key);
  },
};

const r2Methods = {
  GET: async (_, { ARCHIVES }, key) => {
    const object = await ARCHIVES.get(key);
    return object === null ? notFound(key) : new Response(object.body, { headers: objectHeaders(object) });
  },
  HEAD: async (_, { ARCHIVES }, key) => {
    const object = await ARCHIVES.head(key);
    // A null body is what lets the explicit Content-Length stand.
    return object === null ? notFound(key) : new Response(null, { headers: objectHeaders(object) });
  },
  PUT: async (request, { ARCHIVES }, key) => {
    const source = request.headers.get("X-Copy-Source");
    if (source !== null) return copy(ARCHIVES, decodeKey(source.split("/")), key);
    // Without a length R2 could not stream the body, and could not tell a body cut short from a whole one.
    if (!request.headers.has("Content-Length")) return refuse(411, "a body needs its Content-Length");
    const sha256 = request.headers.get("X-Sha256") ?? undefined;
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) return refuse(400, `\`${sha256}\` is no SHA-256`);
    try {
      const object = await ARCHIVES.put(key, request.body ?? "", { onlyIf: conditions(request), sha256 });
      if (object === null) return refuse(412, `\`${key}\` is not as the precondition says`);
      return new Response(null, { headers: { ETag: object.httpEtag } });
    } catch (error) {
      if (CHECKSUM_MISMATCH.test(error.message)) return refuse(400, `\`${key}\` has another SHA-256 than \`${sha256}\``);
      throw error;
    }
  },
  DELETE: async (_, { ARCHIVES }, key) => {
    await ARCHIVES.delete(key);
    return new Response(null, { status: 204 });
  },
};

const kvMethods = {
  GET: async (_, { METADATA }, key) => {
    const value = await METADATA.get(key, "stream");
    return value === null ? notFound(key) : new Response(value);
  },
  PUT: async (request, { METADATA }, key) => {
    await METADATA.put(key, request.body ?? "");
    return new Response(null);
  },
  DELETE: async (_, { METADATA }, key) => {
    await METADATA.delete(key);
    return new Response(null, { status: 204 });
  },
};

const STORES = new Map([["r2", r2Methods], ["kv", kvMethods]]);

/** R2's code for a body that does not have the promised checksum. */
const CHECKSUM_MISMATCH = /\(10037\)$/;

async function copy(bucket, source, key) {
  if (source === undefined) return refuse(400, "malformed key in X-Copy-Source");
  const object = await bucket.get(source);
  if (object === null) return notFound(source);
  const copied = await bucket.put(key, object.body);
  return new Response(null, { headers: { ETag: copied.httpEtag } });
}

async function listObjects(bucket, parameters) {
  const page = await bucket.list(selection(parameters));
  const objects = page.objects.map(({ key, size, httpEtag, uploaded }) => ({ key, size, etag: httpEtag, uploaded }));
  return Response.json({ objects, cursor: page.truncated ? page.cursor : null });
}

async function listKeys(namespace, parameters) {
  const page = await namespace.list(selection(parameters));
  return Response.json({ keys: page.keys.map(({ name }) => name), cursor: page.list_complete ? null : page.cursor });
}

function selection(parameters) {
  return { prefix: parameters.get("prefix") ?? undefined, cursor: parameters.get("cursor") ?? undefined };
}

/** Only these two headers: R2 would take others of the request, such as If-Modified-Since, as conditions too. */
function conditions(request) {
  const headers = new Headers();
  for (const name of ["If-Match", "If-None-Match"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** The key that the segments of a path spell, or undefined. */
function decodeKey(segments) {
  try {
    return segments.map(decodeURIComponent).join("/") || undefined;
  } catch {
    return undefined;
  }
}

function objectHeaders(object) {
  return {
    ETag: object.httpEtag,
    "Content-Length": String(object.size),
    "Content-Type": "application/octet-stream",
    "X-Uploaded": object.uploaded.toISOString(),
  };
}

function answer(request, allowed, methods, ...rest) {
  const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (method === undefined) {
    return refuse(405, `${request.method} is not for this: use ${allowed.join(", ")}`, { Allow: allowed.join(", ") });
  }
  return method(request, ...rest);
}

function notFound(key) {
  return refuse(404, `no \`${key}\` here`);
}

function refuse(status, message, headers = {}) {
  return new Response(`${message}\n`, { status, headers });
}
