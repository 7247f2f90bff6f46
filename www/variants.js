/** The same script with a setting changed from its beginning to its end, or on another release. */

/**
 * One thing that could have been otherwise.
 * @typedef {object} Change
 * @property {"producer"|"consumer"|"topic"|"release"} of whose it is
 * @property {string} name a setting, `replicas`, `commit` or `kafka`
 * @property {string} value
 */

/** What is tried, in the order in which one would. @type {[Change["of"], string, string[]][]} */
const TRIED = [
  ["producer", "acks", ["all", "1"]],
  ["topic", "min.insync.replicas", ["1", "2", "3"]],
  ["topic", "unclean.leader.election.enable", ["false", "true"]],
  ["topic", "replicas", ["2", "3", "4", "5"]],
  ["topic", "flush.messages", ["1"]],
  ["producer", "enable.idempotence", ["true"]],
  ["producer", "retries", ["2147483647", "0"]],
  ["producer", "max.in.flight.requests.per.connection", ["1"]],
  ["producer", "delivery.timeout.ms", ["120000", "600000"]],
  ["producer", "request.timeout.ms", ["30000"]],
  ["producer", "request.required.acks", ["-1", "1"]],
  ["producer", "message.send.max.retries", ["10"]],
  ["consumer", "auto.offset.reset", ["earliest", "latest"]],
  ["consumer", "commit", ["after", "before"]],
];

/** Words that begin a line about one. @type {Record<string, RegExp>} */
const LINES = {
  producer: /^producer\s/,
  consumer: /^consumer\s/,
  topic: /^(topic|at\s+\S+\s+create)\s/,
};

/** A line's words, and the comment behind them: `#` within a word or quotes begins none. */
const WORDS_AND_COMMENT = /^((?:"(?:\\.|[^"\\])*"|[^"#]|(?<!\s)#)*)(.*)$/;

/**
 * What could have been otherwise in a script: nothing that it says already, or has no line for.
 * @param {string} script
 * @param {string[]} releases
 * @returns {Change[]}
 */
export function changes(script, releases) {
  const lines = script.split("\n");
  const settings = TRIED.flatMap(([of, name, values]) =>
    lines.some((line) => LINES[of].test(line)) ? values.map((value) => ({ of, name, value })) : [],
  );
  const kafka = releases.map((value) => ({ of: "release", name: "kafka", value }));
  const all = /** @type {Change[]} */ ([...settings, ...kafka.reverse()]);
  const asItIs = withChanges(script, [], () => null);
  return all.filter((change) => withChanges(script, [change], () => null) !== asItIs);
}

/**
 * Each two that can be made together; a release is changed alone.
 * @param {Change[]} all
 */
export function pairs(all) {
  const settings = all.filter((change) => change.of !== "release");
  return settings.flatMap((one, at) =>
    settings
      .slice(at + 1)
      .filter((other) => other.of !== one.of || other.name !== one.name)
      .map((other) => [one, other]),
  );
}

/**
 * The script with all of them, without what narrates or expects the run as it was.
 * @param {string} script
 * @param {Change[]} changed
 * @param {(release: string) => string|null} onRelease
 * @returns {string|null} null where it cannot be written
 */
export function withChanges(script, changed, onRelease) {
  const release = changed.find((change) => change.of === "release");
  const text = release ? onRelease(release.value) : script;
  if (text === null) return null;
  const lines = text.split("\n").filter((line) => !/^(say|expect)\s/.test(line));
  return lines
    .map((line) => changed.reduce((each, change) => changedLine(each, change), line))
    .join("\n");
}

/**
 * @param {string} line
 * @param {Change} change
 */
function changedLine(line, { of, name, value }) {
  if (of === "release") return line;
  const given = new RegExp(`(?<=\\s)${name.replaceAll(".", "\\.")}=\\S+`);
  const setting = `${name}=${value}`;
  // What is set later would undo it.
  if (/^at\s+\S+\s+set\s/.test(line)) return line.replace(given, setting);
  if (!LINES[of].test(line)) return line;
  if (given.test(line)) return line.replace(given, setting);
  // A list of replicas says how many there are.
  if (name === "replicas" && /\sassignment=/.test(line)) return line;
  const [, words, comment] = /** @type {RegExpExecArray} */ (WORDS_AND_COMMENT.exec(line));
  return `${words.trimEnd()} ${setting}${comment && ` ${comment}`}`;
}
