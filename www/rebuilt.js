/** From a pasted `kafka-topics --describe` to a scenario, and what is not the same there. */

import { idList } from "./format.js";
import { t } from "./i18n.js";

/** @typedef {import("./types.js").DescribedView & {errors: import("./types.js").ErrorLineView[]}} Read what was read, and why its scenario cannot be run */

/** More differences than these are counted, not told. */
const MOST = 12;

/**
 * What the scenario takes otherwise than the text has it, known before it is run.
 * @param {Read} read
 * @returns {{key: string, params: Record<string, string>}[]}
 */
export function leftToTheModel({ partitions, missing, script = "" }) {
  const having = (
    /** @type {("observers"|"adding"|"removing"|"elr"|"lastKnownElr")[]} */ ...names
  ) =>
    partitions
      .map((each) => ({ name: each.name, ids: names.flatMap((name) => each[name] ?? []) }))
      .filter(({ ids }) => ids.length)
      .map(({ name, ids }) => `${name}${t("word.paren", { text: idList([...new Set(ids)], "") })}`);
  const down = Array.from(script?.matchAll(/^at \S+ crash (\d+)/gm) ?? [], ([, id]) =>
    Number(id),
  ).sort((a, b) => a - b);
  const names = partitions.map((each) => each.name);
  const twice = new Set(names.filter((name, i) => names.indexOf(name) < i));
  const remarks = /** @type {[string, string[]][]} */ ([
    ["describe.twice", [...twice]],
    ["describe.observersTaken", having("observers")],
    ["describe.reassignment", having("adding", "removing")],
    ["describe.elrTaken", having("elr", "lastKnownElr")],
    ["describe.filled", filledIn(partitions, missing)],
    ["describe.down", down.length ? [idList(down, "")] : []],
  ]);
  return remarks
    .filter(([, list]) => list.length)
    .map(([key, list]) => ({ key, params: { list: told(list) } }));
}

/**
 * Opens the scenario where it has come to rest, and says where it looks otherwise than the text.
 * @param {import("./app.js").App} app
 * @param {Read} read
 */
export function openRebuilt(app, read) {
  app.ui.dialog = null;
  if (!read.script || !app.open(read.script, null)) {
    app.refresh();
    return;
  }
  app.seek(app.view.end);
  const found = differences(app, read.partitions);
  app.choose({
    problems: [
      found.length
        ? { key: "describe.differs", params: { list: told(found) } }
        : { key: "describe.same", params: {} },
    ],
  });
}

/**
 * Partitions that the text leaves out of a topic that it lists otherwise.
 * @param {import("./types.js").DescribedPartitionView[]} partitions
 * @param {import("./types.js").MissingView[]} missing
 */
function filledIn(partitions, missing) {
  const seen = new Set(partitions.map((each) => each.name));
  const largest = new Map();
  for (const { name } of partitions) {
    const [topic, number] = parts(name);
    largest.set(topic, Math.max(largest.get(topic) ?? 0, number));
  }
  for (const { topic, counted } of missing)
    if (largest.has(topic)) largest.set(topic, Math.max(largest.get(topic), counted - 1));
  return [...largest].flatMap(([topic, last]) =>
    Array.from({ length: last + 1 }, (_, number) => `${topic}/${number}`).filter(
      (name) => !seen.has(name),
    ),
  );
}

/**
 * @param {string} name
 * @returns {[string, number]} topic and number
 */
function parts(name) {
  const at = name.lastIndexOf("/");
  return [name.slice(0, at), Number(name.slice(at + 1))];
}

/**
 * @param {import("./app.js").App} app
 * @param {import("./types.js").DescribedPartitionView[]} partitions
 */
function differences(app, partitions) {
  const view = app.session.view({ partitions: true, story: 0, flights: 0, cells: 0, records: 0 });
  const own = new Map(view.partitions?.map((each) => [each.name, each]));
  const none = t("word.none");
  const found = partitions.flatMap((read) => {
    const now = own.get(read.name);
    return now
      ? COMPARED.filter((name) => !isSame(now[name], read[name])).map((name) =>
          t("describe.difference", {
            name: read.name,
            what: t(`describe.${name}`),
            now: shown(now[name], none),
            was: shown(read[name], none),
          }),
        )
      : [];
  });
  const seen = partitions.filter((read) => own.has(read.name));
  const rest = partitions.length - seen.length; // A view has not more than 2,000.
  return rest ? [t("describe.notCompared", { count: rest }), ...found] : found;
}

/** What the text says of a partition, and a view too. */
const COMPARED = /** @type {const} */ (["leader", "isr", "elr", "lastKnownElr"]);

/**
 * Whether the scenario has come to what the text says; where it has no such column, it says nothing.
 * @param {number|number[]|undefined} now
 * @param {number|number[]|undefined} was
 */
function isSame(now, was) {
  if (!Array.isArray(now)) return now === was;
  return !Array.isArray(was) || (was.length === now.length && was.every((id) => now.includes(id)));
}

/**
 * @param {number|number[]|undefined} value
 * @param {string} none
 */
const shown = (value, none) => (Array.isArray(value) ? idList(value, none) : (value ?? none));

/** @param {string[]} list */
function told(list) {
  const rest = list.length - MOST;
  return [...list.slice(0, MOST), ...(rest > 0 ? [t("describe.more", { count: rest })] : [])].join(
    t("describe.join"),
  );
}
