/**
 * What the engine does not take, in the page's language. The engine names a phrase and gives its values; the words are
 * loaded when they are first needed.
 */

import { html, nothing } from "lit-html";
import { language, t } from "./i18n.js";

/**
 * @typedef {import("./types.js").SaidView} Said
 * @typedef {{default: Record<string, string>, words?: Record<string, string>}} Phrases a template for each phrase:
 *   `{}` is the next value and `{2}` the second; with `*`, as in `{*}` and `{2*}`, it is one of `words`
 */

/** @type {Partial<Record<string, Phrases>>} */
const tables = {};

/**
 * @param {Said} said a reason, or what would be accepted
 * @param {import("./app.js").App} app drawn again once the words are there
 * @returns {string} the same in the page's language; until its words are there, a sign of them
 */
export function told(said, app) {
  const table = tables[language()];
  if (table) return inWords(said, table);
  load(language(), app);
  return "…";
}

/**
 * @param {import("./app.js").App} app
 * @param {{reason: Said, accepted?: Said}} error
 */
export const refusal = (app, { reason, accepted }) =>
  html`<b>${told(reason, app)}</b> ${accepted ? t("notice.accepted", { accepted: told(accepted, app) }) : nothing}`;

/**
 * @param {Said} said
 * @param {Phrases} table
 * @returns {string}
 */
export function inWords({ phrase, values }, { default: phrases, words = {} }) {
  let next = 0;
  const template = phrases[phrase] ?? [phrase, ...values].join(" ");
  return template.replace(/\{(\d*)(\*?)\}/g, (_, number, isWord) => {
    const value = values[number ? number - 1 : next++];
    return isWord ? wordOf(value, words) : value;
  });
}

/**
 * Whose setting it is, or a unit; of several, all.
 * @param {string} value
 * @param {Record<string, string>} words
 */
const wordOf = (value, words) =>
  words.and
    ? value
        .split(" and ")
        .map((word) => words[word] ?? word)
        .join(words.and)
    : value;

/**
 * Where the words cannot be had, phrases go by their names.
 * @param {string} language
 * @param {import("./app.js").App} app
 */
async function load(language, app) {
  const table = language === "zh" ? import("./strings/zh.errors.js") : import("./pkg/phrases.js");
  tables[language] = await table.catch(() => ({ default: {} }));
  app.draw();
}
