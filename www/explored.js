/**
 * What looks at every order of things: a wasm of its own, loaded with the first question. It searches
 * in slices on the page's own thread, so that it works in an opaque origin, too, and stops at once.
 */

import { Session } from "./session.js";
import { compiled } from "./wasm.js";

/** How long a slice of a search takes, in ms: progress and Stop come between two of them. */
const SLICE_MS = 12;
/** Most bytes that a search may use. */
export const MEMORY = 1 << 30;

/** @typedef {import("./types.js").QuestionRequest} Question */
/** @typedef {import("./types.js").SearchView} SearchView */

/**
 * @typedef {object} Answer
 * @property {SearchView} view how the search ended
 * @property {number} ms how long it took
 * @property {import("./types.js").StepView[]} history the shortest run that breaks the promise
 * @property {string|null} script the scenario that plays it; null where there is none
 */

/** @type {Promise<() => typeof import("./types.js").Explorer>|undefined} */
let loading;

/**
 * Searches until there is a verdict. Memory that a wasm has taken it never gives back: each search
 * has an instance of its own.
 * @param {Question} question
 * @param {(view: SearchView) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<Answer|null>} null: it was stopped
 * @throws {Error} the explorer cannot be loaded, or the question is beyond its bounds (a `RangeError`
 *   by the name of the bound)
 */
export async function explored(question, onProgress, signal) {
  loading ??= load();
  const fresh = await loading.catch((error) => {
    loading = undefined;
    throw error;
  });
  const explorer = new (fresh())(question, MEMORY);
  const began = performance.now();
  while (!signal.aborted) {
    const view = explorer.run(SLICE_MS);
    if (view.verdict) {
      const ms = performance.now() - began;
      return { view, ms, history: explorer.history(), script: story(explorer.scenarios()) };
    }
    onProgress(view);
    await otherTasks();
  }
  return null;
}

/**
 * The first scenario that breaks the promise when the engine plays it.
 * @param {string[]} scripts
 */
function story(scripts) {
  const breaks = (/** @type {string} */ script) => {
    const session = new Session(script);
    const { end } = session.view({});
    session.runUntil(end);
    const { expects } = session.view({});
    return expects.length > 0 && expects.every((each) => each.held);
  };
  return scripts.find(breaks) ?? null;
}

/** Lets the page draw, and hear of clicks: a message is not held back as timers are. */
export function otherTasks() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}

async function load() {
  const [module, { makeGlue }] = await Promise.all([
    compiled("explore"),
    import("highwater:explore-glue"),
  ]);
  return () => {
    const glue = makeGlue(console);
    glue.initSync({ module });
    return glue.Explorer;
  };
}
