/** The ledger: every record with its fate; one can be followed through its life. Properties too. */

import { html } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { corner } from "../corners.js";
import { idList } from "../format.js";
import { t } from "../i18n.js";

const COLUMNS = ["record", "partition", "offset", "status", "answer", "on", "readBy"];

/** @param {import("../app.js").App} app */
export function panel(app) {
  const { ledger } = app.view;
  return html`
    <div class="two">
      <div>${differing(ledger.records)}
      <div class="scroll" tabindex="0" role="region" aria-label=${t("panel.records")}><table>
        <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${t(`column.${name}`)}</th>`)}</tr></thead>
        <tbody>${repeat(
          ledger.records,
          (record) => record.id,
          (record) => row(app, record),
        )}</tbody>
      </table></div></div>
      <div>
        <h3>${t("records.properties")}</h3>
        <ul class="properties">${ledger.properties.map(
          (property) => html`
          <li class="${property.holds ? "" : property.kind}"><b>${property.id}</b> ${t(`property.${property.id}`)}
            <span class="status">${t(`property.${property.kind}.${property.holds}`)}</span>
            ${property.why === null || property.why === undefined ? "" : html`<button class="link" @click=${() => app.explain(property.why)}>${t("story.why")}</button>`}</li>`,
        )}</ul>
        ${expectations(app)}
      </div>
    </div>`;
}

/**
 * How many of the records are not what their producers were told.
 * @param {import("../types.js").RecordView[]} records
 */
function differing(records) {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const name of records.map(corner)) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(
    ([name, count]) =>
      html`<p class="notice">${t("corner.count", { what: t(`corner.${name}`), count })}</p>`,
  );
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").RecordView} record
 */
function row(app, record) {
  const none = t("word.none");
  const differs = corner(record);
  return html`
    <tr class="${record.broken || record.status === "lost" ? "broken" : ""}">
      <td><button class="link" @click=${() => app.choose({ dialog: { name: "record", record: record.id } })}>${record.key ? `${record.key}: ` : ""}${record.value}</button></td>
      <td>${record.partition ?? none}</td><td>${record.offset ?? none}</td>
      <td>${t(`status.${record.status}`)}${record.duplicated ? ` · ${t("record.duplicated")}` : ""}${record.reordered ? ` · ${t("record.reordered")}` : ""}</td>
      <td>${t(`answer.${record.answer}`)}${record.error ? html` <code>${record.error.constant}</code>` : ""}${differs ? html` <strong class="corner">${t(`corner.${differs}`)}</strong>` : ""}</td>
      <td>${idList(record.on, none)}</td><td>${record.readBy.join(", ") || none}</td>
    </tr>`;
}

/** @param {import("../app.js").App} app */
function expectations(app) {
  const { expects } = app.view;
  if (expects.length === 0) return "";
  return html`<h3>${t("records.expectations")}</h3>
    <ul class="properties">${expects.map(
      (each) => html`<li class=${each.held ? "" : "always"}><code>${each.text}</code>
      <span class="status">${each.held ? t("expect.held") : t("expect.broken", { actual: each.actual })}</span></li>`,
    )}</ul>`;
}
