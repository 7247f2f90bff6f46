/**
 * Stretches of wasm code: pieces that run as a whole once they are entered. A function's body is one,
 * so is each arm of an `if`, and what is left of a block behind a place where it may be left.
 */

import binaryen from "binaryen";

/**
 * @typedef {object} Visitor is told of each stretch, with its number; the inner ones come first
 * @property {(fn: any, stretch: number) => void} body
 * @property {(fork: any, arm: "ifTrue"|"ifFalse", stretch: number) => void} arm
 * @property {(block: any, at: number, stretch: number) => void} rest from that child of the block on
 */

/** What may leave the code around it. */
const LEAVES = new Set([binaryen.BreakId, binaryen.SwitchId, binaryen.ReturnId, binaryen.UnreachableId]);

/**
 * Where an expression has others inside. Of a kind that is not listed the inside is not looked at:
 * at worst a stretch is longer than it could be.
 */
const PARTS = new Map([
  [binaryen.LoopId, [binaryen.Loop, "body"]],
  [binaryen.BreakId, [binaryen.Break, "condition", "value"]],
  [binaryen.SwitchId, [binaryen.Switch, "condition", "value"]],
  [binaryen.ReturnId, [binaryen.Return, "value"]],
  [binaryen.LocalSetId, [binaryen.LocalSet, "value"]],
  [binaryen.GlobalSetId, [binaryen.GlobalSet, "value"]],
  [binaryen.LoadId, [binaryen.Load, "ptr"]],
  [binaryen.StoreId, [binaryen.Store, "ptr", "value"]],
  [binaryen.UnaryId, [binaryen.Unary, "value"]],
  [binaryen.BinaryId, [binaryen.Binary, "left", "right"]],
  [binaryen.SelectId, [binaryen.Select, "ifTrue", "ifFalse", "condition"]],
  [binaryen.DropId, [binaryen.Drop, "value"]],
  [binaryen.MemoryGrowId, [binaryen.MemoryGrow, "delta"]],
  [binaryen.MemoryCopyId, [binaryen.MemoryCopy, "dest", "source", "size"]],
  [binaryen.MemoryFillId, [binaryen.MemoryFill, "dest", "value", "size"]],
]);

/**
 * Goes through a module. Whoever goes through the same module twice, and changes no more than the
 * stretches he is told of, meets the same numbers.
 * @param {import("binaryen").Module} module
 * @param {RegExp} not names of functions that are not looked at
 * @param {Visitor} visitor
 * @returns {number} how many stretches there are
 */
export function eachStretch(module, not, visitor) {
  const walk = new Walk(visitor);
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const fn = module.getFunctionByIndex(i);
    const { name, module: from } = binaryen.getFunctionInfo(fn);
    if (!from && !not.test(name)) walk.body(binaryen.Function(fn)); // What is imported has no body.
  }
  return walk.count;
}

class Walk {
  count = 0;
  #visitor;

  constructor(visitor) {
    this.#visitor = visitor;
  }

  body(fn) {
    const stretch = this.count++;
    this.#code(fn.body);
    this.#visitor.body(fn, stretch);
  }

  /** Goes through an expression; says whether it may be left in the middle. */
  #code(code) {
    if (!code) return false;
    const id = binaryen.getExpressionId(code);
    if (id === binaryen.BlockId) return this.#block(binaryen.Block(code));
    if (id === binaryen.IfId) return this.#fork(binaryen.If(code));
    const inside = this.#inside(id, code).map((part) => this.#code(part));
    return LEAVES.has(id) || inside.some(Boolean);
  }

  #inside(id, code) {
    if (id === binaryen.CallId) return binaryen.Call(code).operands;
    if (id === binaryen.CallIndirectId) {
      const call = binaryen.CallIndirect(code);
      return [...call.operands, call.target];
    }
    const [wrap, ...names] = PARTS.get(id) ?? [];
    const expression = wrap?.(code);
    return names.map((name) => expression[name]);
  }

  #block(block) {
    const rests = [];
    let leaves = false;
    for (let at = 0, left = false; at < block.numChildren; at++) {
      if (left) rests.push([at, this.count++]);
      left = this.#code(block.getChildAt(at));
      leaves ||= left;
    }
    // The last one first: the places of the others stay as they are.
    for (const [at, stretch] of rests.reverse()) this.#visitor.rest(block, at, stretch);
    return leaves;
  }

  #fork(fork) {
    let leaves = this.#code(fork.condition);
    for (const arm of /** @type {const} */ (["ifTrue", "ifFalse"])) {
      if (!fork[arm]) continue;
      const stretch = this.count++;
      leaves = this.#code(fork[arm]) || leaves;
      this.#visitor.arm(fork, arm, stretch);
    }
    return leaves;
  }
}
