/** A configuration that people have: what is known applies, the rest is named with its reason. */

import { html, nothing } from "lit-html";
import { t } from "../i18n.js";

const KINDS = ["server", "topic", "producer", "consumer"];

/**
 * @param {import("../app.js").App} app
 * @param {{kind?: string, text?: string, result?: {applied: {name: string, value: string}[], skipped: {line: number, name: string, reason: string}[]}}} dialog
 */
export function dialog(app, dialog) {
  dialog.kind ??= "server";
  const apply = () => {
    dialog.result = app.paste(dialog.kind, dialog.text ?? "");
    app.refresh();
  };
  return html`
    <div class="form">
      <label>${t("paste.kind")}<select @change=${(event) => { dialog.kind = event.target.value; app.draw(); }}>
        ${KINDS.map((kind) => html`<option value=${kind} .selected=${kind === dialog.kind}>${t(`paste.${kind}`)}</option>`)}</select></label>
      <label>${t("paste.text")}<textarea class="code" rows="9" spellcheck="false" placeholder="min.insync.replicas=2"
        @input=${(event) => { dialog.text = event.target.value; }}></textarea></label>
      <p class="row"><button class="primary" @click=${apply}>${t("paste.apply")}</button></p>
      ${dialog.result ? outcome(dialog.result) : nothing}
    </div>`;
}

function outcome({ applied, skipped }) {
  return html`
    <div role="status">
      <h3>${t("paste.applied", { count: applied.length })}</h3>
      <ul>${applied.map((each) => html`<li class="code">${each.name}=${each.value}</li>`)}</ul>
      <h3>${t("paste.skipped", { count: skipped.length })}</h3>
      <ul>${skipped.map((each) => html`<li>${t("paste.line", { line: each.line })} <code>${each.name}</code>: ${each.reason}</li>`)}</ul>
    </div>`;
}
