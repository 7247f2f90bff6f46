/** The question that the cluster on the screen stands for. */

/** Releases that the explorer can be asked about. */
export const KNOWN = ["0.8.2", "2.8", "3.9", "4.1", "4.4"];

export const PROPERTIES = /** @type {const} */ (["ackedSurvives", "seenStays", "hasLeader"]);

export const FAULTS = /** @type {const} */ ([
  "crash",
  "power",
  "lag",
  "session",
  "stop",
  "uncleanElection",
]);

/** Most brokers in a question. */
const MOST_BROKERS = 5;

/**
 * @param {import("../../app.js").App} app
 * @param {Partial<import("../../explored.js").Question>} chosen
 * @param {Partial<Record<string, number>>} faults
 * @returns {import("../../explored.js").Question}
 */
export function questionFor(app, chosen, faults) {
  const { view } = app;
  const { minIsr, unclean } = app.quickSettings();
  const producer = view.clients.find((client) => client.kind === "producer");
  const topic = view.state?.name.replace(/\/\d+$/, "");
  const flush = topic && app.source.value("topic", topic, "flush.messages");
  const times = (/** @type {typeof FAULTS[number]} */ name) => faults[name] ?? 0;
  return {
    release: view.release,
    brokers: Math.min(view.state?.replicas.length ?? 3, MOST_BROKERS),
    acks: Math.max(-1, Math.min(producer?.acks ?? -1, 1)),
    minIsr: Math.max(1, Math.min(Number(minIsr) || 1, MOST_BROKERS)),
    unclean: unclean === "true",
    flushEveryRecord: flush === "1",
    records: 1,
    maxEpoch: 4,
    property: "ackedSurvives",
    ...chosen,
    faults: {
      crash: times("crash"),
      power: times("power"),
      session: times("session"),
      stop: times("stop"),
      uncleanElection: times("uncleanElection"),
      lag: times("lag"),
    },
  };
}
