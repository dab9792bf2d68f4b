/** Hands every request on to the registry's Worker and reports `METHOD PATH STATUS`: see miniflare.mjs. */
export default {
  async fetch(request, { REGISTRY, REPORT }) {
    const { pathname, search } = new URL(request.url);
    const response = await REGISTRY.fetch(request);
    const line = `${request.method} ${pathname}${search} ${response.status}`;
    await REPORT.fetch("http://report", { method: "POST", body: line });
    return response;
  },
};
