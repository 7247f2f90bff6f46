/** English and 中文: neither lacks what the other has, and the views say nothing that is not in them. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import enFirst from "../strings/en.js";
import enMore from "../strings/en.more.js";
import zhFirst from "../strings/zh.js";
import zhMore from "../strings/zh.more.js";

const en = { ...enFirst, ...enMore };
const zh = { ...zhFirst, ...zhMore };

const WWW = fileURLToPath(new URL("..", import.meta.url));
const PKG = `${WWW}pkg/highwater_web.js`;

/** Words that are the same in every language: names of Kafka's own, and ours. */
const NAMES = /^(HW|LEO|acks|acks=|enable\.idempotence|Highwater|Kafka|kafka-topics\.sh --describe --topic|e)$/;

const params = (template) => [...template.matchAll(/\{(\w+)/g)].map((match) => match[1]);

test("each key has both languages, and both use the same parameters", () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    assert.ok(en[key] && zh[key], key);
    assert.deepEqual([...new Set(params(zh[key]))].sort(), [...new Set(params(en[key]))].sort(), key);
  }
});

test("no key stands in two tables", () => {
  for (const key of Object.keys(enMore)) assert.ok(!(key in enFirst), key);
});

test("every setting is told in both languages, with the same rules", async () => {
  const [inEnglish, inChinese] = await Promise.all(["settings", "settings.zh"].map(async (name) =>
    JSON.parse(await readFile(`${WWW}strings/${name}.json`, "utf8")).map((about) => about.match(/R\d+\.\d+/g))));
  assert.deepEqual(inChinese, inEnglish);
});

test("Chinese sentences use Chinese punctuation", () => {
  for (const [key, text] of Object.entries(zh)) {
    assert.doesNotMatch(text.replace(/\{[^}]*\}/g, "x"), /[\u4e00-\u9fff][,:;?]/, key);
  }
});

test("every event and property of the engine has a sentence with its own parameters", { skip: !existsSync(PKG) }, async () => {
  const { Engine, initSync } = await import(PKG);
  initSync({ module: await readFile(`${WWW}pkg/highwater_web_bg.wasm`) });
  for (const { code, params: own } of JSON.parse(await readFile(new URL("events.json", import.meta.url), "utf8"))) {
    for (const table of [en, zh]) {
      const template = table[`event.${code}`];
      assert.ok(template, `no sentence for ${code}`);
      for (const name of params(template)) assert.ok(name === "node" || own.includes(name) || (name === "isrSize" && own.includes("isr")), `${code} has no ${name}`);
    }
  }
  const script = 'highwater 1\ntopic orders partitions=1 replicas=3\n';
  for (const { id } of JSON.parse(new Engine(script).view({})).ledger.properties) assert.ok(en[`property.${id}`], `no words for ${id}`);
});

test("views take their words from the tables", async () => {
  for (const { file, text } of await sources()) {
    for (const [, key] of text.matchAll(/\bt\("([^"$]+)"/g)) assert.ok(key in en, `${file}: ${key}`);
    if (!file.startsWith("views/")) continue;
    for (const template of text.match(/html`(?:[^`\\]|\\.)*`/gs) ?? []) {
      const words = withoutCode(template).match(/>[^<>]*</g) ?? [];
      for (const each of words) {
        const plain = each.slice(1, -1).replace(/\u0000/g, " ").trim();
        assert.ok(!/[A-Za-z\u4e00-\u9fff]/.test(plain) || plain.split(/\s{2,}|\s(?=\()/).every((word) => NAMES.test(word.trim()) || !/[A-Za-z\u4e00-\u9fff]/.test(word)), `${file}: "${plain}"`);
      }
    }
    for (const [, label] of text.matchAll(/(?:aria-label|title|placeholder|alt)="([^"$]*[A-Za-z][^"$]*)"/g)) {
      assert.ok(NAMES.test(label) || /^[a-z.]+=\S+$/.test(label), `${file}: ${label}`);
    }
  }
});

async function sources() {
  const files = [...(await readdir(WWW)).filter((name) => name.endsWith(".js")), ...(await readdir(`${WWW}views`)).map((name) => `views/${name}`)];
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(WWW + file, "utf8") })));
}

/** A template without its `${…}`. */
function withoutCode(template) {
  let out = "";
  for (let i = 0, depth = 0; i < template.length; i++) {
    if (template.startsWith("${", i)) depth++;
    if (depth === 0) out += template[i];
    else if (template[i] === "}") { depth--; if (depth === 0) out += "\u0000"; }
    else if (template[i] === "{" && template[i - 1] !== "$") depth++;
  }
  return out;
}
