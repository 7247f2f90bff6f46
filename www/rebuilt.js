/** From a pasted `kafka-topics --describe` to a scenario, and what is not the same there. */

import { idList } from "./format.js";
import { t } from "./i18n.js";

/** More differences than these are counted, not told. */
const MOST = 12;

/**
 * What the scenario takes otherwise than the text has it, known before it is run.
 * @param {import("./types.js").DescribedView} read
 * @returns {{key: string, params: Record<string, string>}[]}
 */
export function leftToTheModel({ partitions, missing, script = "" }) {
  const having = (...names) =>
    partitions
      .map((each) => ({ name: each.name, ids: names.flatMap((name) => each[name] ?? []) }))
      .filter(({ ids }) => ids.length)
      .map(({ name, ids }) => `${name}${t("word.paren", { text: idList([...new Set(ids)], "") })}`);
  const down = Array.from(script?.matchAll(/^at \S+ crash (\d+)/gm) ?? [], ([, id]) =>
    Number(id),
  ).sort((a, b) => a - b);
  const names = partitions.map((each) => each.name);
  const twice = new Set(names.filter((name, i) => names.indexOf(name) < i));
  return [
    ["describe.twice", [...twice]],
    ["describe.observersTaken", having("observers")],
    ["describe.reassignment", having("adding", "removing")],
    ["describe.elrTaken", having("elr", "lastKnownElr")],
    ["describe.filled", filledIn(partitions, missing)],
    ["describe.down", down.length ? [idList(down, "")] : []],
  ]
    .filter(([, list]) => list.length)
    .map(([key, list]) => ({ key, params: { list: told(list) } }));
}

/**
 * Opens the scenario where it has come to rest, and says where it looks otherwise than the text.
 * @param {import("./app.js").App} app
 * @param {import("./types.js").DescribedView} read
 */
export function openRebuilt(app, read) {
  app.ui.dialog = null;
  if (!app.open(read.script, null)) {
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

/** Partitions that the text leaves out of a topic that it lists otherwise. */
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

function parts(name) {
  const at = name.lastIndexOf("/");
  return [name.slice(0, at), Number(name.slice(at + 1))];
}

function differences(app, partitions) {
  const view = app.session.view({ partitions: true, story: 0, flights: 0, cells: 0, records: 0 });
  const own = new Map(view.partitions.map((each) => [each.name, each]));
  const none = t("word.none");
  const shown = (value) => (Array.isArray(value) ? idList(value, none) : (value ?? none));
  const same = (a, b) =>
    Array.isArray(b)
      ? b.length === a.length && b.every((id) => a.includes(id))
      : (a ?? null) === (b ?? null);
  const seen = partitions.filter((read) => own.has(read.name));
  const found = seen.flatMap((read) => {
    const now = own.get(read.name);
    const given = ["isr", "elr", "lastKnownElr"].filter((name) => read[name]);
    return ["leader", ...given]
      .filter((name) => !same(now[name], read[name]))
      .map((name) =>
        t("describe.difference", {
          name: read.name,
          what: t(`describe.${name}`),
          now: shown(now[name]),
          was: shown(read[name]),
        }),
      );
  });
  const rest = partitions.length - seen.length; // A view has not more than 2,000.
  return rest ? [t("describe.notCompared", { count: rest }), ...found] : found;
}

function told(list) {
  const rest = list.length - MOST;
  return [...list.slice(0, MOST), ...(rest > 0 ? [t("describe.more", { count: rest })] : [])].join(
    t("describe.join"),
  );
}
