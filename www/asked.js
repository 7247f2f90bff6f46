/** What reads pasted texts and answers: a wasm of its own, loaded with the first question. */

import { compiled } from "./wasm.js";

/** @type {Promise<() => {ask: import("./types.js").Ask, panics: string[]}>|undefined} */
let loading;

/**
 * @template Answer
 * @param {(ask: import("./types.js").Ask) => Answer} question
 * @returns {Promise<Answer>}
 * @throws {Error} it cannot be loaded now, or has panicked: the next question begins afresh
 */
export async function asked(question) {
  loading ??= load();
  const fresh = await loading.catch((error) => {
    loading = undefined;
    throw error;
  });
  current ??= fresh();
  try {
    return question(current.ask);
  } catch (error) {
    const said = current.panics.join("\n");
    current = undefined; // After a trap an instance is of no use any more.
    throw said ? new Error(said) : error;
  }
}

/** @type {{ask: import("./types.js").Ask, panics: string[]}|undefined} */
let current;

async function load() {
  const [module, { makeGlue }] = await Promise.all([compiled("ask"), import("highwater:ask-glue")]);
  return () => {
    const panics = /** @type {string[]} */ ([]);
    const glue = makeGlue({ ...console, error: (...words) => panics.push(words.join(" ")) });
    glue.initSync({ module });
    return { ask: new glue.Ask(), panics };
  };
}
