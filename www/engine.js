/**
 * Gets the engine's wasm, and makes as many instances of it as are needed: after a trap an instance
 * is of no use any more.
 */

/** When loading has failed: how long until it is tried again. */
const AGAIN_MS = 5_000;

/** @type {{module: WebAssembly.Module, makeGlue: typeof import("highwater:glue").makeGlue}|undefined} */
let loaded;

/**
 * Compiles the engine: fetched where the page may fetch, inlined where it may not (an opaque origin
 * whose server sends no CORS header, `file://`). If neither can be had now, it is tried again.
 * @param {() => void} onFailure called after each attempt that has failed
 */
export async function loadEngine(onFailure) {
  const { wasm, inlined } = globalThis.highwaterAssets;
  while (!loaded) {
    try {
      const module = fetched(wasm).catch(() => unpacked(inlined));
      const { makeGlue } = await import("highwater:glue");
      loaded = { module: await module, makeGlue };
    } catch {
      onFailure();
      await sometime();
    }
  }
}

/**
 * A fresh instance.
 * @returns {{Engine: typeof import("./types.js").Engine, panics: string[]}} its class, and what it said
 *   when it panicked
 */
export function freshInstance() {
  const panics = /** @type {string[]} */ ([]);
  if (!loaded) throw new Error("the engine is not there yet");
  const glue = loaded.makeGlue({ ...console, error: (...words) => panics.push(words.join(" ")) });
  glue.initSync({ module: loaded.module });
  return { Engine: glue.Engine, panics };
}

/**
 * Compiles while it comes in; but a server that does not know wasm calls it something else.
 * @param {string} url
 */
async function fetched(url) {
  if (!url || globalThis.highwaterWasm || location.protocol === "file:") {
    throw new Error("not fetched");
  }
  const early = globalThis.highwaterEarly;
  Object.assign(globalThis, { highwaterEarly: undefined }); // An answer can be read once.
  const answer = await (early ?? fetch(url));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(answer)
    : WebAssembly.compile(await answer.arrayBuffer());
}

/** @param {string} url of the script that carries it inlined */
async function unpacked(url) {
  if (!globalThis.highwaterWasm) await loadScript(url);
  const packed = Uint8Array.from(atob(globalThis.highwaterWasm ?? ""), (c) => c.charCodeAt(0));
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

/** After a while, or when the network is back. */
function sometime() {
  return new Promise((resolve) => {
    setTimeout(resolve, AGAIN_MS);
    addEventListener("online", resolve, { once: true });
  });
}
