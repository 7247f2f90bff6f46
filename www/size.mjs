/** How much the first screen takes to load: `node www/size.mjs [dist]`. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

/** @param {Buffer} content */
export const gzipBytes = (content) => gzipSync(content, { level: 9 }).length;

/**
 * The page, its module with all that it imports at once, one language, and the starter's wasm; beside
 * these the whole engine, which comes behind them.
 * @param {string} dist
 * @returns {Promise<{page: number, wasm: number, total: number, whole: number}>} bytes after gzip
 */
export async function firstScreen(dist) {
  const index = await readFile(join(dist, "index.html"));
  const [entry] = /assets\/page\.\w+\.js/.exec(index.toString());
  const needed = new Set();
  await imports(dist, entry, needed);
  const language = await languagePart(dist, needed);
  await imports(dist, language, needed);
  let page = gzipBytes(index);
  for (const file of needed) page += gzipBytes(await readFile(join(dist, file)));
  const [wasm, whole] = await Promise.all(["starter", "highwater"].map(async (name) =>
    gzipBytes(await readFile(await asset(dist, name)))));
  return { page, wasm, total: page + wasm, whole };
}

/**
 * @param {string} dist
 * @param {"starter"|"highwater"} name
 * @returns {Promise<string>} where that wasm lies
 */
export async function asset(dist, name) {
  const files = await readdir(join(dist, "assets"));
  const found = files.find((file) => file.startsWith(`${name}.`) && file.endsWith(".wasm"));
  if (!found) throw new Error(`no ${name}.wasm in ${dist}`);
  return join(dist, "assets", found);
}

async function imports(dist, file, needed) {
  if (needed.has(file)) return;
  needed.add(file);
  const text = await readFile(join(dist, file), "utf8");
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w.]+\.js)"/g)) await imports(dist, `assets/${name}`, needed);
}

/** The larger of the two languages: 中文 has more bytes. */
async function languagePart(dist, needed) {
  const files = (await readdir(join(dist, "assets"))).filter((name) => name.startsWith("part."));
  for (const name of files) {
    const file = `assets/${name}`;
    if (!needed.has(file) && (await readFile(join(dist, file), "utf8")).includes('"header.otherLanguage":"EN"')) return file;
  }
  throw new Error("no language part");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(JSON.stringify(await firstScreen(process.argv[2] ?? "dist")));
}
