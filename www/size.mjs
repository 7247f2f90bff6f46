/** How much a first visit takes to load: `node www/size.mjs [dist]`. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

/** @param {Buffer} content */
export const gzipBytes = (content) => gzipSync(content, { level: 9 }).length;

/**
 * All that is needed until the cluster is on the screen: the page, its module with all that it
 * imports at once, one language. Then the engine and what answers questions: each is its wasm, and
 * the JavaScript that makes it.
 * @param {string} dist
 * @returns {Promise<{firstFrame: number, engine: number, ask: number, explore: number, embed: number}>} bytes after gzip
 */
export async function sizes(dist) {
  const index = await readFile(join(dist, "index.html"), "utf8");
  const named = /\b(module|en|zh):"([^"]+)"/g;
  const assets = Object.fromEntries(
    Array.from(index.matchAll(named), ([, name, file]) => [name, file]),
  );
  const parts = /\bparts:\[([^\]]*)\]/.exec(index)?.[1].match(/[^",]+/g) ?? [];
  const packed = async (/** @type {string} */ file) => gzipBytes(await readFile(join(dist, file)));
  const loaded = async (/** @type {string} */ name) => {
    const of = new RegExp(`\\b${name}:\\{([^}]*)\\}`).exec(index)?.[1] ?? "";
    const files = Array.from(of.matchAll(/\b(?:wasm|glue):"([^"]+)"/g), ([, file]) => packed(file));
    if (files.length !== 2) throw new Error(`${dist}/index.html does not say where ${name} lies`);
    return sum(await Promise.all(files));
  };
  const languages = await Promise.all([assets.en, assets.zh].map(packed));
  const files = [assets.module, ...parts];
  const page = await Promise.all(["index.html", ...files].map(packed));
  return {
    firstFrame: sum(page) + Math.max(...languages),
    engine: await loaded("engine"),
    ask: await loaded("ask"),
    explore: await loaded("explore"),
    embed: await packed("embed.js"),
  };
}

/**
 * @param {string} dist
 * @param {string} name
 * @returns {Promise<string>} where a package's wasm lies
 */
export async function wasmFile(dist, name) {
  const files = await readdir(join(dist, "assets"));
  const found = files.find((file) => new RegExp(`^${name}\\.\\w+\\.wasm$`).test(file));
  if (!found) throw new Error(`no wasm in ${dist}`);
  return join(dist, "assets", found);
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(JSON.stringify(await sizes(process.argv[2] ?? "dist")));
}
