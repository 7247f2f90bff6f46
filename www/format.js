/** Numbers and times as the page writes them. */

/**
 * A moment: seconds with as many decimals as it has, at least one, at most six.
 * @param {number} us microseconds
 */
export function clock(us) {
  const seconds = us / 1e6;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - minutes * 60;
  return minutes ? `${minutes}:${rest.toFixed(3).padStart(6, "0")}` : `${rest.toFixed(3)} s`;
}

/**
 * A span of time in its largest fitting unit.
 * @param {number} us microseconds
 */
export function span(us) {
  if (us >= 1e6) return `${+(us / 1e6).toFixed(3)} s`;
  if (us >= 1e3) return `${+(us / 1e3).toFixed(3)} ms`;
  return `${us} µs`;
}

/**
 * A moment in the form of scripts and links.
 * @param {number} us
 */
export function scriptTime(us) {
  if (us % 1e6 === 0) return `${us / 1e6}s`;
  return us % 1e3 === 0 ? `${us / 1e3}ms` : `${us}us`;
}

/** Microseconds of each unit. @type {Record<string, number>} */
const UNITS = { us: 1, µs: 1, ms: 1e3, s: 1e6, m: 6e7 };

/**
 * Reads a moment as people and links write it.
 * @param {string} text such as `12.5s`, `300ms`, `1500us`, `2m` or plain microseconds
 * @returns {number|null} microseconds
 */
export function parseTime(text) {
  const match = /^(\d{1,15}(?:\.\d{1,6})?)(us|µs|ms|s|m)?$/.exec(text.trim());
  if (!match) return null;
  const unit = UNITS[match[2] ?? "us"];
  const us = Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(us) ? us : null;
}

/**
 * A string as the script format quotes it.
 * @param {string} text
 */
export const quote = (text) =>
  `"${text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t")}"`;

/**
 * A list of broker ids.
 * @param {number[]} list
 * @param {string} none
 */
export const idList = (list, none) => (list.length ? Array.from(list).join(", ") : none);
