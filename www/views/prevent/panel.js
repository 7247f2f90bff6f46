/** "What would have prevented it?": which change keeps the promise that this history breaks, and what it costs. */

import { html, nothing } from "lit-html";
import { chosenIn } from "../../events.js";
import { quote } from "../../format.js";
import { language, t } from "../../i18n.js";
import { prevented } from "../../prevented.js";
import { BROKEN } from "../../verdicts.js";

/** @typedef {import("../../prevented.js").Promised} Promised */
/** @typedef {import("../../prevented.js").Tried} Tried */

/**
 * What was asked and what came of it; it stays while the panel is closed.
 * @typedef {object} State
 * @property {Promised|null} wanted the promise that is to be kept; null: the worst that is broken
 * @property {AbortController|null} search
 * @property {{done: number, of: number}} seen
 * @property {{edition: number, promised: Promised|null, told: import("../../prevented.js").Told}|null} answer
 * @property {unknown} failure
 */

/** @type {State} */
const state = { wanted: null, search: null, seen: { done: 0, of: 0 }, answer: null, failure: null };

/** What a change may cost, or mend beside. */
const COUNTS = /** @type {const} */ ([
  "acked",
  "failed",
  "lost",
  "ackedLost",
  "duplicated",
  "reordered",
]);

/** @param {import("../../app.js").App} app */
export function panel(app) {
  return html`
    <div class="explore prevent">
      <p>${t("prevent.about")}</p>
      <div class="row">
        <label>${t("prevent.promise")} <select @change=${(/** @type {Event} */ event) => {
          state.wanted = /** @type {Promised} */ (chosenIn(event)) || null;
          app.draw();
        }}>
          <option value="" .selected=${!state.wanted}>${t("prevent.worst")}</option>
          ${BROKEN.map((name) => html`<option value=${name} .selected=${name === state.wanted}>${t(`prevent.${name}`)}</option>`)}
        </select></label>
        ${
          state.search
            ? html`<button @click=${() => state.search?.abort()}>${t("explore.stop")}</button>`
            : html`<button class="primary" @click=${() => ask(app)}>${t("prevent.ask")}</button>`
        }
      </div>
      <div class="explore-verdict" role="status" aria-live="polite">${said(app)}</div>
    </div>`;
}

/** @param {import("../../app.js").App} app */
async function ask(app) {
  const search = new AbortController();
  Object.assign(state, { search, seen: { done: 0, of: 0 }, answer: null, failure: null });
  app.draw();
  const { edition } = app;
  const onProgress = (/** @type {number} */ done, /** @type {number} */ of) => {
    state.seen = { done, of };
    app.draw();
  };
  try {
    const came = await prevented(app.session.script(), onProgress, state.wanted, search.signal);
    state.answer = came && { edition, ...came };
  } catch (error) {
    state.failure = error;
  }
  state.search = null;
  app.draw();
}

/** @param {import("../../app.js").App} app */
function said(app) {
  if (state.search) return html`<p>${t("prevent.progress", state.seen)}</p>`;
  if (state.failure)
    return html`<p class="notice bad" role="alert">${t("prevent.unplayed", { reason: String(state.failure) })}</p>`;
  if (!state.answer) return nothing;
  const { promised, told, edition } = state.answer;
  if (!promised) return html`<p>${t("prevent.nothing")}</p>`;
  if (!told.account[promised])
    return html`<p>${t("prevent.kept", { promise: t(`prevent.${promised}`) })}</p>`;
  const keeps = told.tried.filter(({ account }) => account[promised] === 0);
  const others = told.tried.filter(({ account }) => account[promised] !== 0);
  const stale =
    edition === app.edition ? nothing : html`<p class="notice">${t("prevent.stale")}</p>`;
  return html`
    ${stale}
    <p class="explore-said"><strong>${t(keeps.length ? "prevent.found" : "prevent.none", {
      promise: t(`prevent.${promised}`),
      count: told.account[promised],
      changes: keeps.length,
    })}</strong></p>
    ${keeps.length ? table(app, told.account, keeps) : nothing}
    ${
      others.length
        ? html`<details><summary>${t("prevent.others", { count: others.length })}</summary>${table(app, told.account, others)}</details>`
        : nothing
    }`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../prevented.js").Account} asItIs
 * @param {Tried[]} all
 */
const table = (app, asItIs, all) => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${t("panel.prevent")}><table>
    <thead><tr><th scope="col">${t("prevent.change")}</th><th scope="col">${t("prevent.costs")}</th><th scope="col">${t("prevent.run")}</th></tr></thead>
    <tbody>${all.map(
      (tried) => html`<tr>
        <th scope="row">${tried.changed.map((change) => html`<div>${told(change)}</div>`)}</th>
        <td>${differences(asItIs, tried.account)}</td>
        <td><button @click=${() => open(app, tried)}>${t("prevent.open")}</button></td></tr>`,
    )}</tbody></table></div>`;

/** @param {import("../../variants.js").Change} change */
const told = ({ of, name, value }) =>
  of === "release"
    ? html`Kafka ${value}`
    : html`${t(`prevent.of.${of}`)} <code>${name}=${value}</code>`;

/**
 * What else is not as it was.
 * @param {import("../../prevented.js").Account} before
 * @param {import("../../prevented.js").Account} after
 */
function differences(before, after) {
  const all = COUNTS.filter((name) => before[name] !== after[name]);
  if (!all.length) return t("prevent.same");
  return html`<ul>${all.map((name) => html`<li>${t("prevent.counts", { what: t(`promises.${name}`), after: after[name], before: before[name] })}</li>`)}</ul>`;
}

/**
 * Opens the run with the change, at the first event that is another one.
 * @param {import("../../app.js").App} app
 * @param {Tried} tried
 */
function open(app, { script, changed, differs }) {
  const words = changed.map(({ name, value }) => `${name}=${value}`).join(" ");
  const title = `title ${language()} ${quote(t("prevent.title", { changes: words }))}`;
  const untitled = script.replace(/^title .*\n/m, "").replace("\n", () => `\n${title}\n`);
  app.open(untitled, null, differs ?? undefined);
}
