/** The wasm as it is shipped: small first, since it is loaded more often than it is waited for. */

import binaryen from "binaryen";

/**
 * @param {Uint8Array} wasm
 * @returns {Buffer}
 */
export function optimized(wasm) {
  const module = binaryen.readBinary(wasm);
  optimize(module);
  return Buffer.from(module.emitBinary());
}

/** @param {import("binaryen").Module} module */
export function optimize(module) {
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(2);
  // A function with many locals packs badly: 14 KB of 200 after gzip.
  binaryen.setOneCallerInlineMaxSize(10);
  // The stack ends there; nothing lies so low.
  binaryen.setLowMemoryUnused(true);
  module.optimize();
}
