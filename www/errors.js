/**
 * What the engine does not take, in the page's language. The engine speaks English; its words in Chinese are loaded
 * when they are first needed.
 */

import { html, nothing } from "lit-html";
import { language, t } from "./i18n.js";

/** What stands between a reason and what would be accepted, where both are one text. */
const ACCEPTED = "; accepted: ";

let inChinese = /** @type {((text: string) => string)|undefined} */ (undefined);

/**
 * @param {string} text a reason, or what would be accepted
 * @param {import("./app.js").App} app drawn again once the words are there
 * @returns {string} the same in the page's language
 */
export function told(text, app) {
  if (language() === "en") return text;
  if (!inChinese) load(app);
  return inChinese?.(text) ?? text;
}

/**
 * @param {import("./app.js").App} app
 * @param {import("./types.js").ErrorLineView} error
 */
export const refusal = (app, { reason, accepted }) =>
  html`<b>${told(reason, app)}</b> ${accepted ? t("notice.accepted", { accepted: told(accepted, app) }) : nothing}`;

/**
 * @param {typeof import("./strings/zh.errors.js")} table
 * @returns {(text: string) => string} gives a text in Chinese, or as it is where there are no words for it
 */
export function translator({ default: entries, words }) {
  /** @type {Record<string, string>} */
  const known = words;
  const templates = entries.map(compile).sort((a, b) => b.length - a.length);
  const inWords = (/** @type {string} */ value) =>
    value
      .split(" and ")
      .map((/** @type {string} */ word) => known[word] ?? word)
      .join("与");
  const translated = (/** @type {string} */ text) => {
    for (const { pattern, places, chinese } of templates) {
      const values = pattern.exec(text)?.slice(1);
      if (values)
        return fill(
          chinese,
          values.map((value, i) => (places[i] === "{*}" ? inWords(value) : value)),
        );
    }
    return text;
  };
  return (text) => {
    const at = text.lastIndexOf(ACCEPTED);
    if (at < 0) return translated(text);
    return `${translated(text.slice(0, at))}；可接受：${translated(text.slice(at + ACCEPTED.length))}`;
  };
}

const PLACE = /\{\*?\}/g;

/**
 * A template as a pattern of whole texts; the more of it is fixed, the more it says of them.
 * @param {[string, string]} given
 */
function compile([english, chinese]) {
  const fixed = english.split(PLACE);
  const pattern = new RegExp(
    `^${fixed.map((/** @type {string} */ part) => part.replace(/[\\^$.*+?()[\]|]/g, "\\$&")).join("(.+)")}$`,
    "s",
  );
  return { pattern, places: english.match(PLACE) ?? [], chinese, length: fixed.join("").length };
}

/**
 * Puts values in by number, or one after the other.
 * @param {string} chinese
 * @param {string[]} values
 */
function fill(chinese, values) {
  let next = 0;
  return chinese.replace(
    /\{(\d*)\}/g,
    (/** @type {string} */ _, /** @type {number} */ number) => values[number ? number - 1 : next++],
  );
}

/**
 * Until the words are there, a sign of them; where they cannot be had, the engine's own.
 * @param {import("./app.js").App} app
 */
function load(app) {
  inChinese = () => "…";
  const take = (/** @type {(text: string) => string} */ translate) => {
    inChinese = translate;
    app.draw();
  };
  import("./strings/zh.errors.js").then(
    (table) => take(translator(table)),
    () => take(String),
  );
}
