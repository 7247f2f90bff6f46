/** What the browser remembers for the reader. Storage may be refused: then nothing is kept. */

const PREFIX = "highwater.";

/**
 * @param {string} key
 * @returns {string|null}
 */
export function recall(key) {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // An opaque origin has no storage; the choice lasts as long as the page.
  }
}
