/** Every partition in a list with its health, and the topic as `kafka-topics --describe` prints it. */

import { html } from "lit-html";
import { idList } from "../format.js";
import { t } from "../i18n.js";

/** More rows than these are left to the map. */
const MOST = 200;

/** @param {import("../app.js").App} app */
export function dialog(app) {
  const all = app.session.view({ partition: app.view.partition, partitions: true, story: 0, flights: 0, cells: 0, records: 0 }).partitions ?? [];
  const topic = app.view.partition?.replace(/\/\d+$/, "");
  return html`
    <div class="form">
      ${all.length > MOST ? html`<p class="empty">${t("partition.more", { shown: MOST, count: all.length })}
        <button class="link" @click=${() => { app.closeDialog(); app.openPanel("map"); }}>${t("panel.map")}</button></p>` : ""}
      <div class="scroll" tabindex="0" role="region" aria-label=${t("dialog.partition")}><table><thead><tr>
        ${["partition", "leader", "ISR", "health"].map((name) => html`<th scope="col">${t(`column.${name}`)}</th>`)}</tr></thead>
        <tbody>${all.slice(0, MOST).map((each) => html`<tr>
          <td><button class="link" @click=${() => app.choose({ partition: each.name, dialog: null, why: null })}>${each.name}</button></td>
          <td>${each.leader ?? t("word.none")}</td><td>${idList(each.isr, t("word.none"))}</td><td>${t(`health.${each.health}`)}</td></tr>`)}</tbody></table></div>
      ${topic ? html`<h3 class="code">kafka-topics.sh --describe --topic ${topic}</h3>
        <pre class="scroll" tabindex="0">${app.session.describe(topic)}</pre>` : ""}
    </div>`;
}
