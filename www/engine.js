/**
 * Gets the engine's wasm, and makes as many instances of it as are needed: after a trap an instance
 * is of no use any more. What a first screen needs is a small part of it, the starter.
 */

import { makeGlue } from "highwater:glue";

let compiled = /** @type {WebAssembly.Module|null} */ (null);
let whole = false;

/**
 * Compiles the starter, or else the whole engine.
 * @param {{starter: string}} assets addresses of what `loadWhole` takes, and of the starter
 */
export async function loadStarter(assets) {
  compiled = await fetched(assets.starter).catch(() => null);
  if (!compiled) await loadWhole(assets);
}

/**
 * Compiles the whole engine: fetched where the page may fetch, inlined where it may not (an opaque
 * origin whose server sends no CORS header, `file://`).
 * @param {{wasm: string, inlined: string}} assets addresses of the wasm and of the script that
 *   carries it inlined
 */
export async function loadWhole(assets) {
  compiled = await fetched(assets.wasm).catch(() => inlined(assets.inlined));
  whole = true;
}

/**
 * A fresh instance.
 * @returns {{Engine: any, panics: string[], whole: boolean}} its class, what it said when it panicked,
 *   and whether it is more than a starter
 */
export function freshInstance() {
  const panics = /** @type {string[]} */ ([]);
  const glue = makeGlue({ ...console, error: (...words) => panics.push(words.join(" ")) });
  glue.initSync({ module: compiled });
  return { Engine: glue.Engine, panics, whole };
}

async function fetched(url) {
  if (!url || globalThis.highwaterWasm || location.protocol === "file:") throw new Error("not fetched");
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

async function inlined(url) {
  if (!globalThis.highwaterWasm) await loadScript(url);
  const packed = Uint8Array.from(atob(globalThis.highwaterWasm), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

function loadScript(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(undefined);
    script.onerror = () => reject(new Error(`cannot load ${url}`));
    script.src = globalThis.highwaterTrust(url);
    document.head.append(script);
  });
}
