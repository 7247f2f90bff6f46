/** A verdict in a sentence, with its bounds, and the shortest history. */

import { html, nothing } from "lit-html";
import { MEMORY } from "../../explored.js";
import { quote, span } from "../../format.js";
import { language, t } from "../../i18n.js";
import { FAULTS } from "./question.js";

const GIB = 1 << 30;

/** @param {number} value */
const grouped = (value) => value.toLocaleString(language() === "zh" ? "zh-CN" : "en");

/** @param {import("../../explored.js").SearchView|null} seen */
export function progress(seen) {
  if (!seen) return html`<p>${t("page.loading")}</p>`;
  const { distinct, steps } = seen;
  return html`<p>${t("explore.progress", { states: grouped(distinct), steps })}</p>`;
}

/** @param {unknown} error */
export function failed(error) {
  const bound = error instanceof RangeError ? `explore.bound.${error.name}` : "";
  const reason = error instanceof Error ? error.message : String(error);
  return html`<p class="notice bad" role="alert">${bound ? t(bound) : t("explore.failed", { reason })}</p>`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../explored.js").Question} question
 * @param {import("../../explored.js").Answer} answer
 */
export function verdict(app, question, answer) {
  const { view, ms, history, script } = answer;
  const allowed = FAULTS.filter((name) => question.faults[name]).map(
    (name) => `${question.faults[name]} × ${t(`explore.fault.${name}`)}`,
  );
  const params = {
    states: grouped(view.distinct),
    steps: view.steps,
    length: view.length ?? 0,
    time: span(Math.round(ms) * 1e3),
    gib: MEMORY / GIB,
    records: question.records,
    epochs: question.maxEpoch,
    faults: allowed.join(t("describe.join")) || t("word.none"),
  };
  const found = view.verdict === "broken";
  return html`
    <p class="explore-said ${found ? "bad" : ""}"><strong>${t(`explore.${view.verdict}.${question.property}`, params)}</strong></p>
    <p>${t("explore.bounds", params)} ${t("explore.leftOut")}</p>
    ${found ? run(app, question, history, script) : nothing}`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../explored.js").Question} question
 * @param {import("../../types.js").StepView[]} history
 * @param {string|null} script
 */
function run(app, question, history, script) {
  const title = (/** @type {string} */ text) => script?.replace("\n", `\ntitle ${text}\n`) ?? "";
  const named = `en ${quote(t(`explore.title.${question.property}`))}`.replace(/^en/, language());
  return html`
    ${
      script
        ? html`<p class="row"><button class="primary" @click=${() => app.open(title(named), null)}>${t("explore.open")}</button></p>`
        : html`<p class="notice">${t("explore.noStory")}</p>`
    }
    <h3>${t("explore.history", { length: history.length })}</h3>
    <ol class="explore-run">${history.map((step) => html`<li>${sentence(step)}</li>`)}</ol>`;
}

/** @param {import("../../types.js").StepView} step */
const sentence = ({ kind, broker, leader, out }) =>
  t(`explore.step.${kind}`, { broker, leader: leader ?? "", out: out.join(t("describe.join")) });
