/**
 * The part of Cloudflare's REST API that wrangler needs to list and create buckets and KV namespaces, on this machine,
 * as its documentation and wrangler 4.86 have it: https://developers.cloudflare.com/api
 */

import { once } from "node:events";
import { createServer } from "node:http";

export const ACCOUNT = "023e105f4ecef8ad9ca31a8372d0c353";
export const NAMESPACE = "0f2ac74b498b48028cb68387c421e279";

/** What the API gives out of a list of buckets unless it is asked for more, which wrangler does not do. */
const LISTED_BUCKETS = 20;

/** @param {string} token the only one that is let in */
export async function startDouble(token) {
  const account = { buckets: [], namespaces: [], creations: [] };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url, "http://localhost");
    const allowed = request.headers.authorization === `Bearer ${token}`;
    const [status, answer] = allowed ? answerCall(account, request.method, url, body) : refuse(403, 10000, "Authentication error");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { account, url: `http://127.0.0.1:${server.address().port}/client/v4`, stop };
}

function answerCall(account, method, url, body) {
  const path = url.pathname.replace(`/client/v4/accounts/${ACCOUNT}`, "");
  switch (`${method} ${path}`) {
    case "GET /r2/buckets":
      return give({ buckets: account.buckets.slice(0, LISTED_BUCKETS).map((name) => ({ name, creation_date: "2026-01-02T03:04:05Z" })) });
    case "POST /r2/buckets": {
      const { name } = JSON.parse(body);
      if (account.buckets.includes(name)) return refuse(409, 10004, "The bucket you tried to create already exists, and you own it.");
      account.creations.push(`bucket ${name}`);
      account.buckets.push(name);
      return give({ name });
    }
    case "GET /storage/kv/namespaces":
      // wrangler asks for pages until one is empty.
      return give(url.searchParams.get("page") > 1 ? [] : account.namespaces);
    case "POST /storage/kv/namespaces": {
      const { title } = JSON.parse(body);
      const namespace = { id: NAMESPACE, title, supports_url_encoding: true };
      account.creations.push(`namespace ${title}`);
      account.namespaces.push(namespace);
      return give(namespace);
    }
    default:
      return refuse(404, 7003, `Could not route to ${path}`);
  }
}

function give(result) {
  return [200, { success: true, errors: [], messages: [], result }];
}

function refuse(status, code, message) {
  return [status, { success: false, errors: [{ code, message }], messages: [], result: null }];
}
