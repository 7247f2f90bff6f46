/** Where the page opens without a link: a bundled scenario, and a moment at which there is something to see. */
export const OPENING = { name: "playground", at: { time: 5_006_500 } };

/** How many offsets of a log, lines of what happened and causes it shows there. */
export const SHOWN = { rows: 8, lines: 20, depth: 6 };
