/** An engine that breaks at a known place, so that a test can see how the page recovers. */

import { readFile } from "node:fs/promises";
import binaryen from "binaryen";
import { wasmFile } from "../size.mjs";
import { DIST } from "./pages.mjs";

/**
 * @param {string} method of the engine's class, which traps as it does after a panic
 * @returns {Promise<Buffer>} the shipped wasm otherwise
 */
export async function brokenEngine(method) {
  const module = binaryen.readBinary(await readFile(await wasmFile(DIST, "highwater")));
  const { value } = binaryen.getExportInfo(module.getExport(`engine_${method}`));
  binaryen.Function(module.getFunction(value)).body = module.unreachable();
  return Buffer.from(module.emitBinary());
}
