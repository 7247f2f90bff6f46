/** "Can this lose data?": a question about the cluster on the screen, and the verdict. */

import { html, nothing } from "lit-html";
import { chosenIn } from "../../events.js";
import { explored } from "../../explored.js";
import { t } from "../../i18n.js";
import { FAULTS, KNOWN, PROPERTIES, questionFor } from "./question.js";
import { failed, progress, verdict } from "./verdict.js";

/**
 * What is asked and what came of it; it stays while the panel is closed.
 * @typedef {object} State
 * @property {Partial<import("../../explored.js").Question>} chosen what the reader has set otherwise
 * @property {Partial<Record<string, number>>} faults how often each fault may happen
 * @property {AbortController|null} search the search under way
 * @property {import("../../explored.js").SearchView|null} seen how far it is
 * @property {import("../../explored.js").Question|null} asked what the answer is to
 * @property {import("../../explored.js").Answer|null} answer
 * @property {unknown} failure
 */

/** @type {State} */
const state = {
  chosen: {},
  faults: { crash: 2, power: 0, lag: 1 },
  search: null,
  seen: null,
  asked: null,
  answer: null,
  failure: null,
};

/** @param {import("../../app.js").App} app */
export function panel(app) {
  const question = questionFor(app, state.chosen, state.faults);
  if (!KNOWN.includes(question.release))
    return html`<p class="notice">${t("explore.unknown", { release: question.release, list: KNOWN.join(t("describe.join")) })}</p>`;
  return html`
    <div class="explore">
      <p>${t("explore.about")}</p>
      <div class="row">${property(app, question)}${numbers(app, question)}</div>
      ${faults(app)}
      ${settings(question)}
      <p class="row">${
        state.search
          ? html`<button @click=${() => state.search?.abort()}>${t("explore.stop")}</button>`
          : html`<button class="primary" @click=${() => ask(app, question)}>${t("explore.ask")}</button>`
      }</p>
      <div class="explore-verdict" role="status" aria-live="polite">${said(app)}</div>
    </div>`;
}

/** @param {import("../../app.js").App} app */
function said(app) {
  if (state.search) return progress(state.seen);
  if (state.failure) return failed(state.failure);
  return state.answer && state.asked ? verdict(app, state.asked, state.answer) : nothing;
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../explored.js").Question} question
 */
async function ask(app, question) {
  const search = new AbortController();
  Object.assign(state, { search, seen: null, answer: null, failure: null, asked: question });
  app.draw();
  try {
    state.answer = await explored(
      question,
      (view) => {
        state.seen = view;
        app.draw();
      },
      search.signal,
    );
  } catch (error) {
    state.failure = error;
  }
  state.search = null;
  app.draw();
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../explored.js").Question} question
 */
function property(app, question) {
  const choose = (/** @type {Event} */ event) => {
    Object.assign(state.chosen, { property: chosenIn(event) });
    app.draw();
  };
  return html`
    <label>${t("explore.property")} <select @change=${choose}>
      ${PROPERTIES.map((name) => html`<option value=${name} .selected=${name === question.property}>${t(`explore.${name}`)}</option>`)}</select></label>`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../explored.js").Question} question
 */
function numbers(app, question) {
  const choose = (/** @type {"records"|"maxEpoch"} */ name) => (/** @type {Event} */ event) => {
    state.chosen[name] = Number(chosenIn(event));
    app.draw();
  };
  return html`${
    /** @type {const} */ ([
      ["records", [1, 2, 3]],
      ["maxEpoch", [2, 3, 4, 5]],
    ]).map(
      ([name, values]) => html`
    <label>${t(`explore.${name}`)} <select @change=${choose(name)}>
      ${values.map((value) => html`<option value=${value} .selected=${value === question[name]}>${value}</option>`)}</select></label>`,
    )
  }`;
}

/** @param {import("../../app.js").App} app */
function faults(app) {
  const choose = (/** @type {string} */ name) => (/** @type {Event} */ event) => {
    state.faults[name] = Number(chosenIn(event));
    app.draw();
  };
  return html`
    <fieldset class="row"><legend>${t("explore.faults")}</legend>
      ${FAULTS.map(
        (name) => html`
      <label title=${t(`explore.fault.${name}About`)}>${t(`explore.fault.${name}`)} <select data-fault=${name} @change=${choose(name)}>
        ${[0, 1, 2, 3].map((times) => html`<option value=${times} .selected=${times === (state.faults[name] ?? 0)}>${times}</option>`)}</select></label>`,
      )}
    </fieldset>`;
}

/**
 * What of the cluster on the screen the question takes over.
 * @param {import("../../explored.js").Question} question
 */
function settings(question) {
  const { release, brokers, acks, minIsr, unclean, flushEveryRecord } = question;
  const list = [
    `Kafka ${release}`,
    t("explore.brokers", { count: brokers }),
    `acks=${acks === -1 ? "all" : acks}`,
    `min.insync.replicas=${minIsr}`,
    `unclean.leader.election.enable=${unclean}`,
    ...(flushEveryRecord ? ["flush.messages=1"] : []),
  ];
  return html`<p>${t("explore.settings")} <code>${list.join("  ")}</code></p>`;
}
