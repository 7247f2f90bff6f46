/**
 * What would have prevented it: the history on the screen, played again with one thing changed each time, and with
 * two where no single one helps.
 */

import { freshInstance } from "./engine.js";
import { otherTasks } from "./explored.js";
import { changes, pairs, withChanges } from "./variants.js";
import { BROKEN } from "./verdicts.js";

/** @typedef {import("./variants.js").Change} Change */
/** @typedef {Pick<import("./types.js").LedgerView, "sent"|"acked"|"failed"|"lost"|"ackedLost"|"duplicated"|"reordered">} Account */

/** @typedef {typeof BROKEN[number]} Promised */

/**
 * @typedef {object} Tried
 * @property {Change[]} changed
 * @property {Account} account
 * @property {string} script plays it
 * @property {{time: number, index: number}|null} differs the first event that is another one
 */

/**
 * @typedef {object} Told
 * @property {Account} account the history as it is
 * @property {Tried[]} tried each change that changes something
 */

/** How long a slice of a run takes, in ms: progress and Stop come between two of them. */
const SLICE_MS = 12;
/** How far a run goes before the clock is looked at, in µs. */
const STRIDE_US = 250_000;

/**
 * Plays the script as it is, then with each change; with each two where none keeps the promise.
 * @param {string} script
 * @param {(done: number, of: number) => void} onProgress how many changes were tried, of how many
 * @param {Promised|null} wanted the promise to be kept; null: the worst that is broken
 * @param {AbortSignal} signal
 * @returns {Promise<{promised: Promised|null, told: Told}|null>} null: it was stopped
 * @throws {WebAssembly.RuntimeError} the engine has panicked
 */
export async function prevented(script, onProgress, wanted, signal) {
  const runs = new Runs(signal);
  const asItIs = await runs.play(script);
  if (!asItIs) return null;
  const { account } = asItIs;
  const promised = wanted ?? BROKEN.find((name) => account[name] > 0) ?? null;
  const told = { account, tried: /** @type {Tried[]} */ ([]) };
  const tryAll = async (/** @type {Change[][]} */ all) => {
    for (const [done, changed] of all.entries()) {
      onProgress(done, all.length);
      const tried = await runs.compare(asItIs, script, changed);
      if (tried) told.tried.push(tried);
      if (signal.aborted) return false;
    }
    return true;
  };
  const single = changes(script, runs.releases);
  if (promised && !(await tryAll(single.map((change) => [change])))) return null;
  const helps = told.tried.some((tried) => promised && tried.account[promised] === 0);
  if (promised && !helps && !(await tryAll(pairs(single)))) return null;
  return { promised, told };
}

/** Runs of scripts to their ends, in slices, in an instance of the engine of their own. */
class Runs {
  #Engine = freshInstance().Engine;
  #signal;

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#signal = signal;
  }

  get releases() {
    return this.#Engine.releases();
  }

  /**
   * @param {string} script
   * @returns {Promise<{engine: import("./types.js").Engine, account: Account}|null>} null: it was stopped
   */
  async play(script) {
    const engine = new this.#Engine(script);
    const { end } = engine.view({});
    let until = performance.now() + SLICE_MS;
    for (let time = 0; time < end; ) {
      time = Math.min(time + STRIDE_US, end);
      engine.runUntil(time);
      if (performance.now() < until) continue;
      await otherTasks();
      if (this.#signal.aborted) {
        engine.free();
        return null;
      }
      until = performance.now() + SLICE_MS;
    }
    return { engine, account: engine.view({}).ledger };
  }

  /**
   * @param {{engine: import("./types.js").Engine}} asItIs
   * @param {string} script
   * @param {Change[]} changed
   * @returns {Promise<Tried|null>} null where the release does not have that, or nothing is another
   */
  async compare(asItIs, script, changed) {
    const text = withChanges(script, changed, (release) =>
      onRelease(this.#Engine, script, release),
    );
    if (text === null || this.#Engine.check(text).length > 0) return null;
    const run = await this.play(text);
    if (!run) return null;
    const differs = firstDifference(asItIs.engine, run.engine);
    run.engine.free();
    return differs && { changed, account: run.account, script: text, differs };
  }
}

/**
 * @param {typeof import("./types.js").Engine} Engine
 * @param {string} script
 * @param {string} release
 */
function onRelease(Engine, script, release) {
  const engine = new Engine(script);
  const { script: moved } = engine.onRelease(release);
  engine.free();
  return moved;
}

/**
 * The first event that is another one, or that only one of the two has.
 * @param {import("./types.js").Engine} one
 * @param {import("./types.js").Engine} other
 * @returns {{time: number, index: number}|null}
 */
function firstDifference(one, other) {
  for (let id = 0; ; id++) {
    const [a, b] = [one.event(id), other.event(id)];
    if (!a && !b) return null;
    if (a && b && same(a, b)) continue;
    const { time, index } = b ?? /** @type {import("./types.js").EventView} */ (a);
    return { time, index };
  }
}

/**
 * @param {import("./types.js").EventView} a
 * @param {import("./types.js").EventView} b
 */
const same = (a, b) =>
  a.time === b.time &&
  a.code === b.code &&
  a.node === b.node &&
  JSON.stringify(a.params) === JSON.stringify(b.params);
