/** Bundled scenarios, and what can be read off a script's text without running it. */

import { parseTime } from "./format.js";
import { language } from "./i18n.js";
import { OPENING } from "./opening.js";
import first from "./scenarios/playground.hw";

/** What the page opens without a link. */
export const START = { ...OPENING, script: first };

/**
 * @param {string} name
 * @returns {Promise<string|undefined>} its script
 */
export async function bundledScript(name) {
  if (name === START.name) return START.script;
  return (await allScenarios()).get(name);
}

/** @returns {Promise<Map<string, string>>} name to script, in order of the gallery */
export async function allScenarios() {
  return (await import("highwater:scenarios")).default;
}

/** Whether a script asks something of its reader. @param {string} script */
export const isLesson = (script) => /^(ask|goal)\s/m.test(script);

/** @param {string} script its title in the reader's language */
export const scenarioTitle = (script) => words(script, "title");

/** @param {string} script what is to be learnt there, in the reader's language */
export const scenarioAbout = (script) => words(script, "about");

/**
 * @param {string} script
 * @returns {{kind: "act"|"say", time: number}[]}
 */
export function pickMarks(script) {
  if (script === markedScript) return marked;
  markedScript = script;
  const all = /** @type {{kind: "act"|"say", time: number}[]} */ (
    [...script.matchAll(/^(at|say)\s+(\S+)/gm)]
      .map(([, word, text]) => ({ kind: word === "at" ? "act" : "say", time: parseTime(text) }))
      .filter((mark) => mark.time !== null)
  );
  marked = all.slice(0, 200);
  return marked;
}

let markedScript = "";
let marked = /** @type {{kind: "act"|"say", time: number}[]} */ ([]);

/**
 * @param {string} script
 * @param {string} statement
 */
function words(script, statement) {
  const line = new RegExp(`^${statement}\\s.*$`, "m").exec(script)?.[0];
  if (!line) return null;
  const pick = (/** @type {string} */ lang) =>
    new RegExp(`\\b${lang}\\s+"((?:[^"\\\\]|\\\\.)*)"`).exec(line)?.[1].replace(/\\(.)/g, "$1");
  return pick(language()) ?? pick("en") ?? pick("zh") ?? null;
}
