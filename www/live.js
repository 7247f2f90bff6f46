/** Reads notable events out, politely: one at a time, the newest, and never in a rush. */

import { sentenceText } from "./i18n.js";

const EVERY_MS = 1200;
let region = /** @type {HTMLElement|null} */ (null);
let said = -1;
let waiting = 0;
let newest = /** @type {import("./types.js").EventView|null} */ (null);

/** @param {HTMLElement} element a polite live region */
export function useLiveRegion(element) {
  region = element;
}

/** @param {import("./types.js").EventView[]} story newest first */
export function announce(story) {
  const event = story.find((candidate) => candidate.weight >= 2) ?? null;
  if (event?.id === said || event === null) return;
  newest = event;
  if (waiting) return;
  say();
  waiting = window.setTimeout(() => {
    waiting = 0;
    if (newest && newest.id !== said) say();
  }, EVERY_MS);
}

/** @param {string} words said at once, such as what a button did */
export function tell(words) {
  if (region) region.textContent = words;
}

function say() {
  if (!newest) return;
  said = newest.id;
  tell(sentenceText(newest));
}
