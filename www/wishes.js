/** The language that a reader most likely wants. */

import { recall } from "./remember.js";

/** @typedef {"en"|"zh"} Lang */

/** What the address, the browser's memory and the browser say, in this order. */
export const wishedLanguage = () =>
  pickLanguage(
    /[#&]lang=(\w+)/.exec(location.hash)?.[1],
    new URLSearchParams(location.search).get("lang"),
    recall("lang"),
    navigator.language,
  );

/**
 * @param {(string|null|undefined)[]} wishes the first that names a language wins
 * @returns {Lang}
 */
export function pickLanguage(...wishes) {
  for (const wish of wishes) {
    if (/^zh\b/i.test(wish ?? "")) return "zh";
    if (/^en\b/i.test(wish ?? "")) return "en";
  }
  return "en";
}
