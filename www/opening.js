/** Where the page opens without a link: a bundled scenario, and a moment at which there is something to see. */
export const OPENING = { name: "playground", at: { time: 5_006_500 } };
