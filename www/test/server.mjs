/**
 * A static file server for the tests and the bench: no CORS header, so that an opaque origin gets
 * nothing that it may not have.
 */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".md": "text/plain; charset=utf-8",
  ".css": "text/css",
};

/**
 * @param {string} root folder to serve
 * @param {Record<string, string>} [extra] pages of the test's own, by path
 * @param {{gzip?: boolean}} [how] packed, as static hosts do it
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function serve(root, extra = {}, { gzip = false } = {}) {
  /** @type {Map<string, Buffer>} */
  const packed = new Map();
  /** @param {string} path */
  const read = async (path) => {
    const body = extra[path] ?? (await readFile(join(root, normalize(path))));
    if (!gzip) return body;
    const small = packed.get(path) ?? gzipSync(body, { level: 9 });
    packed.set(path, small);
    return small;
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const name = path.endsWith("/") ? `${path}index.html` : path;
    try {
      const body = await read(name);
      response.writeHead(200, {
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        "cache-control": "no-store",
        ...(gzip ? { "content-encoding": "gzip", "content-length": body.length } : {}),
      });
      response.end(body);
    } catch {
      response.writeHead(404).end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
