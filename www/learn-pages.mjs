/**
 * Each lesson as a page that needs no script: its text, a picture of its decisive moment, and below it the
 * lesson itself as an embed. For search engines, printing, and readers without JavaScript.
 */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { picture } from "./learn-picture.mjs";
import { CHAPTERS, lessonsIn } from "./learned.js";
import enPage from "./strings/en.js";
import enLearn from "./strings/en.learn.js";
import zhPage from "./strings/zh.js";
import zhLearn from "./strings/zh.learn.js";

const LANGUAGES = { en: { ...enPage, ...enLearn }, zh: { ...zhPage, ...zhLearn } };
/** How many offsets of a log the picture shows. */
const CELLS = 6;

/** @typedef {keyof typeof LANGUAGES} Lang */
/** @typedef {{name: string, script: string, row: string}} Lesson */

/**
 * @param {Uint8Array<ArrayBuffer>} wasm the engine
 * @param {string} glue its JavaScript, a function that makes it
 * @param {string} www the folder of the page's sources
 * @returns {Promise<Map<string, string>>} path below `dist/` to text
 */
export async function learnPages(wasm, glue, www) {
  const { Engine, initSync } = runInThisContext(`(${glue})`, { filename: "glue.js" })(console);
  initSync({ module: new WebAssembly.Module(wasm) });
  const style = await readFile(join(www, "learn-pages.css"), "utf8");
  const lessons = lessonsIn(await scripts(join(www, "scenarios", "lessons")));
  const pages = new Map();
  for (const lang of /** @type {Lang[]} */ (Object.keys(LANGUAGES))) {
    pages.set(`learn/index.${lang}.html`, contents(lessons, lang, style));
    for (const lesson of lessons)
      pages.set(`learn/${lesson.name}.${lang}.html`, page(Engine, lesson, lang, style));
  }
  return pages;
}

/** @param {string} folder @returns {Promise<[string, string][]>} */
async function scripts(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".hw")).sort();
  return Promise.all(
    names.map(async (name) => [name.slice(0, -3), await readFile(join(folder, name), "utf8")]),
  );
}

/**
 * @param {any} Engine
 * @param {Lesson} lesson
 * @param {Lang} lang
 * @param {string} style
 */
function page(Engine, { name, script, row }, lang, style) {
  const engine = new Engine(script);
  /** @type {import("./types.js").LessonStepView[]} */
  const steps = engine.steps();
  const time = decisive(steps);
  engine.seek(time);
  const view = engine.view({ cells: CELLS, story: 1, records: 0 });
  engine.free();
  const words = LANGUAGES[lang];
  const title = statement(script, "title", lang);
  const caption = words["learn.page.picture"].replace("{time}", `${time / 1e6} s`);
  const body = `
<p><a href="index.${lang}.html">${words["learn.page.home"]}</a> · <a href="${name}.${other(lang)}.html" hreflang="${tag(other(lang))}">${words["learn.page.other"]}</a></p>
<h1>${safe(title)}</h1>
<p class="about">${safe(statement(script, "about", lang))}</p>
<ol>${steps.map((step) => `<li>${told(step, lang)}</li>`).join("\n")}</ol>
<figure>${picture(view, caption, words)}<figcaption>${safe(caption)}</figcaption></figure>
<h2>${words["learn.page.yours"]}</h2>
<kafka-playground scenario="${name}" lang="${lang}" title="${safe(title)}"><a href="../#s=${name}&amp;lang=${lang}">${words["learn.page.open"]}</a></kafka-playground>
<script src="../embed.js" defer></script>`;
  return whole({
    lang,
    title: `${title} · Kafka ${row}`,
    about: statement(script, "about", lang),
    style,
    body,
  });
}

/** When the outcome of the first question is told. @param {import("./types.js").LessonStepView[]} steps */
function decisive(steps) {
  const ask = steps.findIndex((step) => step.kind === "ask");
  const told = steps.slice(ask + 1).find((step) => step.kind === "say") ?? steps[steps.length - 1];
  return told?.time ?? 0;
}

/**
 * @param {import("./types.js").LessonStepView} step
 * @param {Lang} lang
 */
function told(step, lang) {
  const words = `<p>${step.kind === "goal" ? `<b>${LANGUAGES[lang]["learn.yours"]}</b> ` : ""}${safe(step.words[lang] ?? "")}</p>`;
  if (step.kind !== "ask") return words;
  const right = step.answers.find((answer) => answer.right);
  const list = step.answers.map((answer) => `<li>${safe(answer.words[lang] ?? "")}</li>`).join("");
  const replies = step.answers.map(
    (answer) =>
      `<dt>${answer === right ? "✓ " : ""}${safe(answer.words[lang] ?? "")}</dt><dd>${safe(answer.reply[lang] ?? "")}</dd>`,
  );
  return `${words}<ul>${list}</ul><details><summary>${LANGUAGES[lang]["learn.page.answer"]}</summary><dl>${replies.join("")}</dl></details>`;
}

/**
 * @param {Lesson[]} lessons
 * @param {Lang} lang
 * @param {string} style
 */
function contents(lessons, lang, style) {
  const words = /** @type {Record<string, string>} */ (LANGUAGES[lang]);
  const entry = (/** @type {string} */ row) => {
    const lesson = lessons.find((each) => each.row === row);
    if (!lesson) return `<li>${safe(words[`learn.missing.${row}`] ?? row)}</li>`;
    const { name, script } = lesson;
    return `<li><a href="${name}.${lang}.html">${safe(statement(script, "title", lang))}</a><br>${safe(statement(script, "about", lang))}</li>`;
  };
  const chapters = CHAPTERS.map(
    ({ name, rows }) =>
      `<h2>${safe(words[`learn.chapter.${name}`])}</h2>\n<ul>${rows.map(entry).join("\n")}</ul>`,
  );
  const body = `
<p><a href="../#lang=${lang}">Highwater</a> · <a href="index.${other(lang)}.html" hreflang="${tag(other(lang))}">${words["learn.page.other"]}</a></p>
<h1>${safe(words["learn.page.title"])}</h1>
<p class="about">${safe(words["learn.about"])}</p>
${chapters.join("\n")}`;
  return whole({
    lang,
    title: words["learn.page.title"],
    about: words["learn.about"],
    style,
    body,
  });
}

/** @param {{lang: Lang, title: string, about: string, style: string, body: string}} of */
const whole = ({ lang, title, about, style, body }) => `<!doctype html>
<html lang="${tag(lang)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${safe(about)}">
<title>${safe(title)} · Highwater</title>
<style>${style.trim()}</style>
<main>${body.trim()}
</main>
</html>
`;

/** @param {Lang} lang */
const other = (lang) => (lang === "en" ? "zh" : "en");
/** @param {Lang} lang */
const tag = (lang) => (lang === "zh" ? "zh-CN" : "en");

/** @param {string} text */
const safe = (text) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/**
 * @param {string} script
 * @param {string} word `title` or `about`
 * @param {Lang} lang
 */
function statement(script, word, lang) {
  const line = new RegExp(`^${word}\\s.*$`, "m").exec(script)?.[0] ?? "";
  const words = new RegExp(`\\b${lang}\\s+"((?:[^"\\\\]|\\\\.)*)"`).exec(line)?.[1] ?? "";
  return words.replace(/\\(.)/g, "$1");
}
