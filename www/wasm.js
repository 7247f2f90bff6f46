/**
 * Gets the wasm of a package: fetched where the page may fetch, inlined where it may not (an opaque
 * origin whose server sends no CORS header, `file://`).
 */

/**
 * @param {import("./types.js").Package} name
 * @param {Promise<Response>} [early] the answer, if it was asked for before
 * @returns {Promise<WebAssembly.Module>}
 */
export function compiled(name, early) {
  const { wasm, inlined } = globalThis.highwaterAssets[name];
  return fetched(name, wasm, early).catch(() => unpacked(name, inlined));
}

/**
 * Compiles while it comes in; but a server that does not know wasm calls it something else.
 * @param {import("./types.js").Package} name
 * @param {string} url
 * @param {Promise<Response>} [early]
 */
async function fetched(name, url, early) {
  if (!url || globalThis.highwaterWasm?.[name] || location.protocol === "file:") {
    throw new Error("not fetched");
  }
  const answer = await (early ?? fetch(url));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(answer)
    : WebAssembly.compile(await answer.arrayBuffer());
}

/**
 * @param {import("./types.js").Package} name
 * @param {string} url of the script that carries it inlined
 */
async function unpacked(name, url) {
  if (!globalThis.highwaterWasm?.[name]) await loadScript(url);
  const text = globalThis.highwaterWasm?.[name] ?? "";
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** @param {string} url @returns {Promise<void>} */
function loadScript(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`cannot load ${url}`));
    script.src = globalThis.highwaterTrust(url);
    document.head.append(script);
  });
}
