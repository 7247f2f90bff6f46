/**
 * The page's words. One language is loaded at a time; each is a flat table of templates whose
 * parameters stand in braces.
 */

import { parseTime, span } from "./format.js";

/** @typedef {import("./wishes.js").Lang} Lang */

const TABLES = {
  en: () => import("./strings/en.js"),
  zh: () => import("./strings/zh.js"),
};

/** Words of what is loaded on demand. */
const MORE = {
  more: { en: () => import("./strings/en.more.js"), zh: () => import("./strings/zh.more.js") },
  ask: { en: () => import("./strings/en.ask.js"), zh: () => import("./strings/zh.ask.js") },
};

/** @typedef {keyof typeof MORE} MoreWords */

const wanted = /** @type {Set<MoreWords>} */ (new Set());
let table = /** @type {Record<string, string>} */ ({});
let lang = /** @type {Lang} */ ("en");

/** @returns {Lang} the language on the screen */
export const language = () => lang;

/**
 * Loads a language and makes it the page's.
 * @param {Lang} next
 */
export async function useLanguage(next) {
  const loaded = await Promise.all([
    TABLES[next](),
    ...[...wanted].map((more) => MORE[more][next]()),
  ]);
  table = Object.assign({}, ...loaded.map((each) => each.default));
  lang = next;
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
  document.title = t("page.title");
}

/**
 * Loads the words of what unfolds on demand, now and with each other language.
 * @param {MoreWords} more
 */
export async function useMoreWords(more = "more") {
  if (wanted.has(more)) return;
  const { default: words } = await MORE[more][lang]();
  wanted.add(more);
  table = { ...table, ...words };
}

/**
 * Words for a key.
 * @param {string} key
 * @param {Record<string, string|number>} [params]
 * @returns {string} the words, or the key itself where there are none
 */
export function t(key, params = {}) {
  const template = table[key] ?? key;
  if (!template.includes("{")) return template;
  return parts(template, params)
    .map((part) => part.text)
    .join("");
}

/** @param {string} key whether the language has words for it */
export const has = (key) => key in table;

/**
 * A template cut into fixed text and values, so that values can be set off on the screen.
 * @param {string} template
 * @param {Record<string, string|number>} params
 * @returns {{text: string, name?: string}[]}
 */
export function parts(template, params) {
  const pieces = cuts.get(template) ?? cut(template);
  cuts.set(template, pieces);
  return pieces
    .map((piece) => (Array.isArray(piece) ? fill(piece, params) : piece))
    .filter((part) => part.text);
}

/** Templates cut where their values go; there are only as many as the tables have. */
const cuts = /** @type {Map<string, ({text: string}|string[])[]>} */ (new Map());

/** @param {string} template */
function cut(template) {
  const found = [];
  let end = 0;
  for (const match of template.matchAll(TOKEN)) {
    found.push({ text: template.slice(end, match.index) }, match);
    end = match.index + match[0].length;
  }
  return [...found, { text: template.slice(end) }];
}

/** `{name}`, `{first..last}` for a range, `{count?one|many}` for a word that follows a number. */
const TOKEN = /\{(\w+)(?:\.\.(\w+)|\?([^|}]*)\|([^}]*))?\}/g;

/**
 * @param {string[]} piece a match of `TOKEN`
 * @param {Record<string, string|number>} params
 */
function fill(piece, params) {
  const [, name, last, one, many] = piece;
  const value = String(params[name] ?? "");
  if (many !== undefined) return { text: value === "1" ? one : many };
  if (last !== undefined && String(params[last] ?? "") !== value)
    return { text: `${value}–${params[last] ?? ""}`, name };
  return { text: value, name };
}

/**
 * A process as people call it.
 * @param {string} node `"2"`, `"controller"`, `"p1"`
 */
export function nodeName(node) {
  if (/^\d+$/.test(node)) return t("node.broker", { id: node });
  return node === "controller" || node === "zookeeper" ? t(`node.${node}`) : node;
}

const NODE_PARAMS = new Set(["from", "to"]);

/**
 * An event as a sentence in parts.
 * @param {import("./types.js").EventView} event
 */
export function sentence(event) {
  /** @type {Record<string, string>} */
  const params = { node: nodeName(event.node) };
  for (const [name, value] of event.params) params[name] = paramText(event.code, name, value);
  params.isrSize = String(
    event.params
      .find(([name]) => name === "isr")?.[1]
      .split(",")
      .filter((id) => /\d/.test(id)).length,
  );
  return parts(template(event, params.error), params);
}

/**
 * ZooKeeper does some things otherwise than the controller, and some errors have more to say.
 * @param {import("./types.js").EventView} event
 * @param {string} error
 */
function template({ code, node }, error) {
  const own =
    node === "zookeeper" ? table[`event.${code}.zookeeper`] : table[`event.${code}.${error}`];
  return own ?? table[`event.${code}`] ?? code;
}

/** @param {import("./types.js").EventView} event the sentence as plain text */
export const sentenceText = (event) =>
  sentence(event)
    .map((part) => part.text)
    .join("");

/**
 * @param {string} name
 * @param {string} value
 * @param {string} code
 */
function paramText(code, name, value) {
  if (/^\d+(\.\d+)?(us|ms|s)$/.test(value)) return span(parseTime(value) ?? 0);
  if (code === "action.void" && name === "state") return t(`state.${value}`);
  if (code === "follower.progressed" && value === "-1") return t("word.none");
  if (value === "" || value === "none") return t("word.none");
  if (code.startsWith("link.") && NODE_PARAMS.has(name)) return nodeName(value);
  if (code === "message.lost" && name === "to") return nodeName(value);
  return has(`word.${value}`) ? t(`word.${value}`) : value;
}

/**
 * @param {import("./types.js").View} view
 * @returns {string|undefined} what the scenario says at the moment
 */
export function narration(view) {
  const say = view.says.at(-1);
  return say && (language() === "zh" ? (say.zh ?? say.en) : (say.en ?? say.zh));
}
