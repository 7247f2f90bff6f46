/** A configuration that people have: what is known applies, the rest is named with its reason. */

import { html, nothing } from "lit-html";
import { refusal } from "../errors.js";
import { chosenIn } from "../events.js";
import { t } from "../i18n.js";

const KINDS = ["server", "topic", "producer", "consumer"];

/** Longer texts are refused, in characters. */
const MOST = 1_000_000;

/**
 * @param {import("../app.js").App} app
 * @param {{kind?: string, text?: string, result?: import("../types.js").PasteView}} dialog
 */
export function dialog(app, dialog) {
  dialog.kind ??= "server";
  const { kind, text = "" } = dialog;
  const choose = (/** @type {Event} */ event) => {
    Object.assign(dialog, { kind: chosenIn(event), result: undefined });
    app.draw();
  };
  const apply = () => {
    dialog.result = app.paste(kind, text);
    app.refresh();
  };
  const write = (/** @type {Event} */ event) => {
    dialog.text = chosenIn(event);
    app.draw();
  };
  const tooLong = text.length > MOST;
  return html`
    <div class="form">
      <label>${t("paste.kind")}<select @change=${choose}>
        ${KINDS.map((each) => html`<option value=${each} .selected=${each === kind}>${t(`paste.${each}`)}</option>`)}</select></label>
      <label>${t("paste.text")}<textarea class="code" rows="9" spellcheck="false"
        placeholder="min.insync.replicas=2" @input=${write}></textarea></label>
      ${tooLong ? html`<p class="notice bad" role="alert">${t("paste.tooLong", { limit: MOST })}</p>` : nothing}
      <p class="row"><button class="primary" ?disabled=${tooLong} @click=${apply}>${t("paste.apply")}</button></p>
      ${dialog.result ? outcome(app, dialog.result) : nothing}
    </div>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").PasteView} given
 */
function outcome(app, { applied, skipped }) {
  return html`
    <div role="status">
      <h3>${t("paste.applied", { count: applied.length })}</h3>
      <ul>${applied.map((each) => html`<li class="code">${each.name}=${each.value}</li>`)}</ul>
      <h3>${t("paste.skipped", { count: skipped.length })}</h3>
      <ul>${skipped.map((each) => html`<li>${t("paste.line", { line: each.line })} <code>${each.name}</code>: ${refusal(app, each)}</li>`)}</ul>
    </div>`;
}
