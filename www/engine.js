/**
 * Gets the engine's wasm, and makes as many instances of it as are needed: after a trap an instance
 * is of no use any more.
 */

import { compiled } from "./wasm.js";

/** When loading has failed: how long until it is tried again. */
const AGAIN_MS = 5_000;

/** @type {{module: WebAssembly.Module, makeGlue: typeof import("highwater:glue").makeGlue}|undefined} */
let loaded;

/**
 * Compiles the engine. If it cannot be had now, it is tried again.
 * @param {() => void} onFailure called after each attempt that has failed
 */
export async function loadEngine(onFailure) {
  while (!loaded) {
    try {
      const early = globalThis.highwaterEarly;
      Object.assign(globalThis, { highwaterEarly: undefined }); // An answer can be read once.
      const module = compiled("engine", early);
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

/** After a while, or when the network is back. */
function sometime() {
  return new Promise((resolve) => {
    setTimeout(resolve, AGAIN_MS);
    addEventListener("online", resolve, { once: true });
  });
}
