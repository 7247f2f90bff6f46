/**
 * A static file server for the tests: no CORS header, so that an opaque origin gets nothing that
 * it may not have.
 */

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm",
  ".md": "text/plain; charset=utf-8", ".css": "text/css" };

/**
 * @param {string} root folder to serve
 * @param {Record<string, string>} [extra] pages of the test's own, by path
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function serve(root, extra = {}) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const name = path.endsWith("/") ? `${path}index.html` : path;
    try {
      const body = extra[path] ?? await readFile(join(root, normalize(name)));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream", "cache-control": "no-store" });
      response.end(body);
    } catch {
      response.writeHead(404).end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }),
  };
}
