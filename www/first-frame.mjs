/** Writes the first frame: runs the engine, once, to where the page opens. */

import { readFile } from "node:fs/promises";
import { runInThisContext } from "node:vm";
import { OPENING, SHOWN } from "./opening.js";
import { mostTelling } from "./verdicts.js";

/** Settings that are always in reach. */
const WITHIN_REACH = ["min.insync.replicas", "unclean.leader.election.enable"];

/**
 * @param {Uint8Array<ArrayBuffer>} wasm the engine
 * @param {string} glue its JavaScript, a function that makes it
 * @returns {Promise<import("./types.js").FirstFrame>}
 */
export async function firstFrame(wasm, glue) {
  const { Engine, initSync } = runInThisContext(`(${glue})`, { filename: "glue.js" })(console);
  initSync({ module: new WebAssembly.Module(wasm) });
  const file = new URL(`scenarios/${OPENING.name}.hw`, import.meta.url);
  const engine = new Engine(await readFile(file, "utf8"));
  engine.seek(OPENING.at.time);
  const view = engine.view({ cells: SHOWN.rows, story: SHOWN.lines, records: 0 });
  const [topic] = view.partition.split("/");
  const told = mostTelling(view);
  return {
    version: Engine.version(),
    releases: Engine.releases(),
    view,
    script: engine.script(),
    branches: engine.branches(),
    values: Object.fromEntries(WITHIN_REACH.map((key) => [key, engine.value("topic", topic, key)])),
    why: told ? engine.why(told.id, SHOWN.depth + 1) : [],
  };
}
