/** The life of one record: where it is now, and every event that made it so. */

import { html, nothing } from "lit-html";
import { clock, idList } from "../format.js";
import { t } from "../i18n.js";
import { errorWords } from "./client.js";
import { words } from "./why.js";

/**
 * @param {import("../app.js").App} app
 * @param {{record: number}} dialog
 */
export function dialog(app, dialog) {
  const record = app.session.record(dialog.record);
  if (!record) return html`<p class="empty">${t("record.none")}</p>`;
  const events = record.events.flatMap((id) => app.session.event(id) ?? []);
  return html`
    <div class="form">
      <p class="record-head"><b>${record.key ? `${record.key}: ` : ""}${record.value}</b>
        <span class="status status-${record.status}">${t(`status.${record.status}`)}</span>
        <span class="status answer-${record.answer}">${t(`answer.${record.answer}`)}</span>
        ${/** @type {const} */ (["visible", "duplicated", "reordered", "broken"]).filter((name) => record[name]).map((name) => html`<span class="status">${t(`record.${name}`)}</span>`)}</p>
      <dl class="facts">
        <dt>${t("record.producer")}</dt><dd>${record.producer} · ${t("record.attempts", { count: record.attempts })}</dd>
        <dt>${t("column.partition")}</dt><dd>${record.partition ?? t("word.none")} · ${t("record.offset", { offset: record.offset ?? t("word.none") })}</dd>
        <dt>${t("record.on")}</dt><dd>${idList(record.on, t("word.none"))}</dd>
        <dt>${t("record.readBy")}</dt><dd>${record.readBy.join(", ") || t("word.none")}</dd>
        ${record.error ? html`<dt>${t("client.error")}</dt><dd>${errorWords(record.error)}</dd>` : nothing}
      </dl>
      <ol class="life">${events.map(
        (event) => html`
        <li><time>${clock(event.time)}</time> <span>${words(event)}</span>
          <button class="link" @click=${() => {
            app.closeDialog();
            app.explain(event.id);
          }}>${t("story.why")}</button></li>`,
      )}</ol>
    </div>`;
}
