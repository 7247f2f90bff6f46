/**
 * Time, paced for the eye: slow while something that matters is moving, fast while nothing is.
 * Pure: the caller gives the elapsed real time, and runs the engine to the moment returned.
 */

/** Real milliseconds that one hop of a message that matters takes at speed 1. */
const HOP_MS = 420;
/** Real milliseconds that a stretch without anything that matters takes at speed 1. */
const GAP_MS = 380;
/** Microseconds of virtual time that one real millisecond is worth at least. */
const SLOWEST = 0.5;
/** How much faster the same kind of traffic gets with each real second of watching it. */
const HABIT = 1.7;

/** Real milliseconds that narration stands before time goes on: to begin with, and for each letter. */
const READ_MS = [900, 30];
const MOST_READ_MS = 6000;
/** A Chinese character says as much as so many letters. */
const HAN = 3;
/** Real milliseconds that time stands for something striking. */
const STRIKING_MS = 450;

/** Speeds on offer. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 64];

/**
 * @typedef {object} PaceState
 * @property {number} watched real ms since something new was last seen
 * @property {number|null} gapFrom where the present stretch of nothing began
 */

/** @returns {PaceState} */
export const freshPace = () => ({ watched: 0, gapFrom: null });

/**
 * The moment to show next.
 * @param {PaceState} pace changed in place
 * @param {import("./types.js").View} view the moment on the screen
 * @param {number} elapsed real ms since then
 * @param {number} speed
 * @returns {number} microseconds of virtual time, at most `view.end` if that lies ahead
 */
export function nextMoment(pace, view, elapsed, speed) {
  const ms = Math.min(elapsed, 100) * speed;
  pace.watched += Math.min(elapsed, 100);
  const hop = shortestHop(view);
  const rush = HABIT ** (pace.watched / 1000);
  let moment;
  if (hop !== null) {
    pace.gapFrom = null;
    moment = view.time + ms * rush * Math.max(SLOWEST, hop / HOP_MS);
  } else {
    const target = view.nextSignificantTime ?? view.end;
    pace.gapFrom ??= view.time;
    const rate = Math.max(SLOWEST, (target - pace.gapFrom) / GAP_MS) * Math.max(1, rush / HABIT);
    moment = Math.min(view.time + ms * rate, Math.max(target, view.time + 1));
  }
  return view.end > view.time ? Math.min(moment, view.end) : moment;
}

/**
 * How long time stands still at a moment, so that what is new there can be read.
 * @param {import("./types.js").View} before
 * @param {import("./types.js").View} view
 * @param {string} words the narration that has just begun, if one has
 * @param {number} speed
 * @returns {number} real ms
 */
export function standstill(before, view, words, speed) {
  const letters = Array.from(words, (c) => (c > "\u2e80" ? HAN : 1)).reduce((sum, n) => sum + n, 0);
  const read =
    view.says.length > before.says.length
      ? Math.min(MOST_READ_MS, READ_MS[0] + READ_MS[1] * letters)
      : 0;
  const struck = view.story.some((event) => event.id >= before.events && event.weight >= 3);
  return Math.max(read, struck ? STRIKING_MS : 0) / speed;
}

/**
 * How long the quickest message that matters is on its way.
 * @param {import("./types.js").View} view
 */
function shortestHop(view) {
  let shortest = null;
  for (const flight of view.flights) {
    if (!flight.significant || flight.fate !== "travelling") continue;
    const hop = flight.arrives - flight.sent;
    if (shortest === null || hop < shortest) shortest = hop;
  }
  return shortest;
}
