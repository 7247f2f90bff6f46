/** English and 中文: neither lacks what the other has, and the views say nothing that is not in them. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inWords } from "../errors.js";
import enAsk from "../strings/en.ask.js";
import enFirst from "../strings/en.js";
import enMore from "../strings/en.more.js";
import zhAsk from "../strings/zh.ask.js";
import * as zhErrors from "../strings/zh.errors.js";
import zhFirst from "../strings/zh.js";
import zhMore from "../strings/zh.more.js";

const en = { ...enFirst, ...enMore, ...enAsk };
const zh = { ...zhFirst, ...zhMore, ...zhAsk };

const WWW = fileURLToPath(new URL("..", import.meta.url));
const PKG = `${WWW}pkg/highwater_web.js`;
const PHRASES = `${WWW}pkg/phrases.js`;

/** Words that are the same in every language: names of Kafka's own, and ours. */
const NAMES =
  /^(HW|LEO|acks|acks=|enable\.idempotence|Highwater|Kafka|kafka-topics\.sh --describe --topic|assignment=1,2;2,3|e)$/;

const params = (template) => [...template.matchAll(/\{(\w+)/g)].map((match) => match[1]);

test("each key has both languages, and both use the same parameters", () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    assert.ok(en[key] && zh[key], key);
    assert.deepEqual(
      [...new Set(params(zh[key]))].sort(),
      [...new Set(params(en[key]))].sort(),
      key,
    );
  }
});

test("no key stands in two tables", () => {
  const keys = [enFirst, enMore, enAsk].flatMap(Object.keys);
  assert.equal(new Set(keys).size, keys.length);
});

test("every setting is told in both languages, with the same rules", async () => {
  const [inEnglish, inChinese] = await Promise.all(
    ["settings", "settings.zh"].map(async (name) =>
      JSON.parse(await readFile(`${WWW}strings/${name}.json`, "utf8")).map((about) =>
        about.match(/R\d+\.\d+/g),
      ),
    ),
  );
  assert.deepEqual(inChinese, inEnglish);
});

test("Chinese sentences use Chinese punctuation", () => {
  for (const [key, text] of Object.entries(zh)) {
    assert.doesNotMatch(text.replace(/\{[^}]*\}/g, "x"), /[\u4e00-\u9fff][,:;?]/, key);
  }
});

test("every event and property of the engine has a sentence with its own parameters", {
  skip: !existsSync(PKG),
}, async () => {
  const { Engine, initSync } = await import(PKG);
  initSync({ module: await readFile(`${WWW}pkg/highwater_web_bg.wasm`) });
  for (const { code, params: own } of JSON.parse(
    await readFile(new URL("events.json", import.meta.url), "utf8"),
  )) {
    for (const table of [en, zh]) {
      const template = table[`event.${code}`];
      assert.ok(template, `no sentence for ${code}`);
      for (const name of params(template))
        assert.ok(
          name === "node" || own.includes(name) || (name === "isrSize" && own.includes("isr")),
          `${code} has no ${name}`,
        );
    }
  }
  const script = "highwater 1\ntopic orders partitions=1 replicas=3\n";
  for (const { id } of new Engine(script).view({}).ledger.properties)
    assert.ok(en[`property.${id}`], `no words for ${id}`);
});

test("every known log line, cause, finding and story has words", async () => {
  const ask = `${WWW}../ask/src`;
  const rows = (await readFile(`${ask}/log_lines/table.txt`, "utf8"))
    .split("\n")
    .filter((line) => /^\w/.test(line))
    .map((line) => line.split(" "));
  assert.ok(rows.length >= 80);
  const codes = rows.flatMap(([code, , cause]) => [`log.${code}`, `led.${cause}`]);
  const stories = [
    ...(await readFile(`${ask}/log_lines/story.rs`, "utf8")).matchAll(/\(\s*"(\w+)",\s*&\[/g),
  ];
  const config = await readdir(`${ask}/config`);
  const sources = await Promise.all(
    config.map((name) => readFile(`${ask}/config/${name}`, "utf8")),
  );
  const findings = sources.flatMap((text) => [
    ...text.matchAll(/(?:Finding::new|finding)\(\s*"([\w.]+)"/g),
  ]);
  const harms = [...sources.join("").matchAll(/Harm::\w+ => "(\w+)"/g)];
  assert.ok(findings.length > 15 && harms.length === 9 && stories.length >= 8);
  const keys = [
    ...codes,
    ...stories.map(([, code]) => `story.${code}`),
    ...findings.map(([, code]) => `finding.${code}`),
    ...harms.map(([, code]) => `harm.${code}`),
  ];
  for (const key of keys) assert.ok(en[key] && zh[key], key);
});

test("views take their words from the tables", async () => {
  for (const { file, text } of await sources()) {
    for (const [, key] of text.matchAll(/\bt\("([^"$]+)"/g))
      assert.ok(key in en, `${file}: ${key}`);
    if (!file.startsWith("views/")) continue;
    for (const template of text.match(/html`(?:[^`\\]|\\.)*`/gs) ?? []) {
      const words = withoutCode(template).match(/>[^<>]*</g) ?? [];
      for (const each of words) {
        const plain = each.slice(1, -1).replaceAll("\u0000", " ").trim();
        assert.ok(
          !/[A-Za-z\u4e00-\u9fff]/.test(plain) ||
            plain
              .split(/\s{2,}|\s(?=\()/)
              .every((word) => NAMES.test(word.trim()) || !/[A-Za-z\u4e00-\u9fff]/.test(word)),
          `${file}: "${plain}"`,
        );
      }
    }
    for (const [, label] of text.matchAll(
      /(?:aria-label|title|placeholder|alt)="([^"$]*[A-Za-z][^"$]*)"/g,
    )) {
      assert.ok(NAMES.test(label) || /^[a-z.]+=\S+$/.test(label), `${file}: ${label}`);
    }
  }
});

const inChinese = (said) => inWords(said, zhErrors);

test("the engine's phrases have an entry each in Chinese, with the same values", {
  skip: !existsSync(PHRASES),
}, async () => {
  const { default: english } = await import(PHRASES);
  assert.deepEqual(Object.keys(zhErrors.default).sort(), Object.keys(english).sort());
  for (const [phrase, template] of Object.entries(english)) {
    const chinese = zhErrors.default[phrase];
    const places = [...chinese.matchAll(/\{(\d*)(\*?)\}/g)];
    const numbered = places.map(([, number, word], i) => `${number || i + 1}${word}`);
    const given = [...template.matchAll(/\{(\*?)\}/g)].map(([, word], i) => `${i + 1}${word}`);
    assert.deepEqual(numbered.sort(), given.sort(), phrase);
    assert.ok(!/\{\d/.test(chinese) || !/\{\*?\}/.test(chinese), phrase);
    for (const word of latin(chinese)) assert.ok(template.includes(word), `${phrase}: ${word}`);
    assert.doesNotMatch(chinese.replace(/\{\d*\*?\}/g, "x"), /[\u4e00-\u9fff][,:;?]/, phrase);
  }
});

test("each phrase is said somewhere in the core", async () => {
  const core = `${WWW}../core/src/`;
  const files = (await readdir(core, { recursive: true })).filter((name) => name.endsWith(".rs"));
  const texts = await Promise.all(files.map((name) => readFile(core + name, "utf8")));
  const said = new Set(texts.flatMap((text) => text.match(/(?<=Phrase::)[A-Z]\w+/g) ?? []));
  assert.deepEqual(new Set(Object.keys(zhErrors.default)), said);
});

test("words for values, and phrases that nobody knows", () => {
  const said = (phrase, ...values) => inChinese({ phrase, values });
  assert.equal(
    said("SettingOfAnother", "x", "topic and producer", "broker"),
    "x 是 topic 与生产者配置，不是 broker 配置",
  );
  assert.equal(said("NoSuch", "producer", "“p9”"), "没有名为“p9”的生产者");
  assert.equal(said("NoCommitTime", "“$1{} is no time”"), "“$1{} is no time”不是提交的时机");
  assert.equal(said("BetweenIn", "0", "9", "bytes"), "0 … 9 字节");
  assert.equal(said("SomethingNew", "7"), "SomethingNew 7");
});

/** Scripts and what is wrong with them is said in Chinese; words of the script itself may stay. */
const WRONG = [
  "nonsense",
  "topic orders partitions=0",
  "topic orders replicas=9",
  "topic orders\ntopic orders",
  "topic orders min.insync.replica=2",
  "topic orders min.insync.replicas=two",
  "set broker 9 acks=all",
  "set whom x=1",
  "kafka 3.8",
  "kafka 0.8.2\nset eligible.leader.replicas.version=1",
  "kafka 0.11\ntopic t\nat 1s elect unclean t/0",
  "kafka 2.8\nat 1s crash controller",
  "at 1s crash zookeeper",
  "at 1s crash 9",
  "at 1s crash p1",
  "at 5 crash 1",
  "at 40d crash 1",
  "at 1.0000001s crash 1",
  "at 1s",
  "at 1s crash 1 2",
  "at 1s explode 1",
  "at 1s cut 1",
  "at 1s cut 1-1",
  "at 1s create t\nat 0 elect preferred t/0",
  "producer controller topic=t",
  "producer p1",
  "producer p1 topic=t every=1us",
  "topic t\nproducer p1 topic=t acks=1 enable.idempotence=true",
  "topic t\nproducer p1 topic=t delivery.timeout.ms=1",
  "topic t\nconsumer c1 topic=t commit=auto",
  "kafka 0.8.2\ntopic t\nconsumer c1 topic=t group=g\nconsumer c2 topic=t group=g",
  "topic t\ntopic u\nconsumer c1 topic=t\nat 1s seek c1 u/0 0",
  "topic t\nat 1s reassign t/0 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
  'topic t\nproducer p1 topic=t\nat 1s send p1 "x" partition=3',
  "set broker 1 min.insync.replicas=2",
  "set replica.fetch.wait.max.ms=40000",
  "set broker.heartbeat.interval.ms=9000",
  "expect 1s leader=1",
  "topic t\nexpect 1s t/0",
  "topic t\nexpect 1s t/0 lead=1",
  "topic t\nexpect 1s t/0 isr>=1",
  "drop fetch 1-2 #1",
  "drop fish 1>2 #1",
  "rules truncation",
  "rules truncation=none",
  "say 1s xx",
  'say 1s en "a',
  "brokers 1,1",
  "brokers 2 racks=a",
  "topic t assignment=1,2;1",
  "network speed=1",
  "set acks=all",
  "set default.replication.factor=default",
];

test("the engine's errors come out in Chinese", { skip: !existsSync(PKG) }, async () => {
  const { Engine, initSync } = await import(PKG);
  initSync({ module: await readFile(`${WWW}pkg/highwater_web_bg.wasm`) });
  for (const wrong of ["", 'title en "x"', ...WRONG.map((lines) => `highwater 1\n${lines}\n`)]) {
    const errors = Engine.check(wrong);
    assert.ok(errors.length, wrong);
    for (const { reason, accepted } of errors) {
      assert.ok(isChinese(inChinese(reason)), `${wrong}: ${inChinese(reason)}`);
      assert.ok(
        isChinese(inChinese(accepted)) || !PROSE.test(accepted),
        `${wrong}: ${inChinese(accepted)}`,
      );
      assert.doesNotMatch(`${inChinese(reason)} ${inChinese(accepted)}`, PROSE, wrong);
    }
  }
  assert.throws(
    () => new Engine("nonsense"),
    (thrown) => isChinese(inChinese(thrown.errors[0].reason)),
  );
  const engine = new Engine("highwater 1\ntopic orders\n");
  const pasted =
    "nonsense=1\nmin.insync.replicas=two\nnum.partitions=1\nnum.partitions=2\nlinger.ms=5";
  const { skipped } = engine.pasteConfig("server", pasted);
  assert.equal(skipped.length, 4);
  for (const { reason } of skipped)
    assert.ok(isChinese(inChinese(reason)) && !PROSE.test(inChinese(reason)), reason);
  for (const scope of ["broker", "topic"]) {
    const settings = engine.settings(scope, { broker: "1", topic: "orders" }[scope]);
    for (const { accepts } of settings) assert.doesNotMatch(inChinese(accepts), PROSE);
  }
});

/** Words that only English sentences have. */
const PROSE =
  /(?<=^|\s)(is|are|has|no|not|the|an?|of|that|and|at most|such|there|it|or|with|more|bytes)(?=[\s:;,?]|$)/;

const isChinese = (text) => /[\u4e00-\u9fff]/.test(text);

const latin = (text) => text.match(/[A-Za-z][\w.-]*/g) ?? [];

async function sources() {
  const files = [
    ...(await readdir(WWW)).filter((name) => name.endsWith(".js")),
    ...(await readdir(`${WWW}views`, { recursive: true }))
      .filter((name) => name.endsWith(".js"))
      .map((name) => `views/${name}`),
  ];
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(WWW + file, "utf8") })),
  );
}

/** A template without its `${…}`. */
function withoutCode(template) {
  let out = "";
  for (let i = 0, depth = 0; i < template.length; i++) {
    if (template.startsWith("${", i)) depth++;
    if (depth === 0) out += template[i];
    else if (template[i] === "}") {
      depth--;
      if (depth === 0) out += "\u0000";
    } else if (template[i] === "{" && template[i - 1] !== "$") depth++;
  }
  return out;
}
