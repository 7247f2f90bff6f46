/** What someone should look at first. */

/** Codes after which time stops by itself. */
export const VERDICTS = new Set([
  "produce.refused",
  "produce.failed",
  "produce.timedOut",
  "batch.failed",
  "send.failed",
  "audit.ackedLost",
  "audit.lost",
  "audit.duplicated",
  "audit.reordered",
  "audit.broken",
]);

/** Counts of the ledger that nobody wants, the worst first. */
export const BROKEN = /** @type {const} */ ([
  "ackedLost",
  "duplicated",
  "reordered",
  "failed",
  "lost",
]);

/** What happens within so much virtual time is one thing to the eye. */
const TOGETHER_US = 2e6;

/**
 * The newest verdict, or else the newest striking event, of the chosen partition if it has any.
 * @param {import("./types.js").View} view
 * @returns {import("./types.js").EventView|undefined}
 */
export function mostTelling(view) {
  const own = view.story.filter((event) => event.chosen);
  const story = own.length ? own : view.story;
  const striking = story.find((event) => event.weight >= 3);
  const verdict =
    striking &&
    story.find((event) => VERDICTS.has(event.code) && striking.time - event.time < TOGETHER_US);
  return (
    verdict ??
    striking ??
    story.find((event) => event.weight >= 2 || event.code === "hw.advanced") ??
    story[0]
  );
}
