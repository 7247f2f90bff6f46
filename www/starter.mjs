/**
 * The starter: as much of the engine as a first screen runs, so that nobody waits for six releases
 * before there is something to see. It is the same program. A rehearsal of what a first screen does
 * shows which stretches of the code run; every other stretch becomes `unreachable`, and what only
 * those needed goes with them. So a starter does what the engine does, or traps; the page then goes
 * over to the whole engine, which it loads meanwhile (`www/complete.js`).
 */

import { runInThisContext } from "node:vm";
import binaryen from "binaryen";
import { optimize, optimized } from "./optimize.mjs";
import { rehearse } from "./rehearsal.mjs";
import { eachStretch } from "./stretches.mjs";

/** What goes one way or another by chance, and not by what somebody does, stays whole. */
const WHOLE = /dlmalloc|__rdl_|__rust_|raw_vec|binary_heap|slice::sort|str::count|mem(cpy|move|set|cmp)/;

/**
 * @param {Uint8Array} built the engine with its names
 * @param {string} glue its JavaScript, a function that makes it
 * @returns {Promise<Buffer>}
 */
export async function starterOf(built, glue) {
  binaryen.setDebugInfo(true);
  const wasm = optimized(built);
  const counted = binaryen.readBinary(wasm);
  const count = mark(counted);
  const { Engine, initSync } = runInThisContext(`(${glue})`, { filename: "glue.js" })(console);
  const exported = initSync({ module: new WebAssembly.Module(counted.emitBinary()) });
  await rehearse(Engine);
  const ran = Array.from({ length: count }, (_, stretch) => exported[flag(stretch)].value === 1);

  const module = binaryen.readBinary(wasm);
  cut(module, ran);
  binaryen.setDebugInfo(false);
  // What a cut leaves unused is seen only when the code around it is gone.
  optimize(module);
  optimize(module);
  return Buffer.from(module.emitBinary());
}

/** Lets each stretch say that it ran, in an exported global of its own; says how many there are. */
function mark(module) {
  const ran = (stretch) => module.global.set(flag(stretch), module.i32.const(1));
  const behind = (stretch, code) => module.block(null, [ran(stretch), code], binaryen.getExpressionType(code));
  const count = eachStretch(module, WHOLE, {
    body: (fn, stretch) => { fn.body = behind(stretch, fn.body); },
    arm: (fork, side, stretch) => { fork[side] = behind(stretch, fork[side]); },
    rest(block, at, stretch) { block.insertChildAt(at, ran(stretch)); },
  });
  for (let stretch = 0; stretch < count; stretch++) {
    module.addGlobal(flag(stretch), binaryen.i32, true, module.i32.const(0));
    module.addGlobalExport(flag(stretch), flag(stretch));
  }
  return count;
}

/** The global of a stretch. */
const flag = (stretch) => `ran${stretch}`;

/** Takes out the stretches that did not run. */
function cut(module, ran) {
  eachStretch(module, WHOLE, {
    body: (fn, stretch) => { if (!ran[stretch]) fn.body = module.unreachable(); },
    arm: (fork, side, stretch) => { if (!ran[stretch]) fork[side] = module.unreachable(); },
    rest(block, at, stretch) {
      if (ran[stretch]) return;
      while (block.numChildren > at) block.removeChildAt(block.numChildren - 1);
      block.appendChild(module.unreachable());
    },
  });
}
