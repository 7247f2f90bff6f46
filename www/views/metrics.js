/** Metrics under the JMX names that operators know, a column for each node. */

import { html } from "lit-html";
import { t } from "../i18n.js";

/** More nodes than these are reduced to those that have to do with the chosen partition. */
const MOST_NODES = 8;

/** @param {import("../app.js").App} app */
export function panel(app) {
  const metrics = app.session.metrics(app.view.partition);
  const all = [...new Set(metrics.map((metric) => metric.node))];
  const { state, brokers, controller } = app.view;
  const near = new Set(
    [...(state?.replicas ?? []), controller.broker ?? controller.name].map(String),
  );
  const nodes = all.length > MOST_NODES ? all.filter((node) => near.has(node)) : all;
  const rows = Map.groupBy(metrics, (metric) => metric.name);
  return html`
    ${all.length > nodes.length ? html`<p class="empty">${t("metrics.near", { shown: nodes.length, count: brokers.length })}</p>` : ""}
    <div class="scroll" tabindex="0" role="region" aria-label=${t("panel.metrics")}><table>
      <thead><tr><th scope="col">${t("column.metric")}</th>${nodes.map((node) => html`<th scope="col">${node}</th>`)}</tr></thead>
      <tbody>${[...rows].map(
        ([name, values]) => html`<tr><th scope="row"><code>${name}</code></th>
        ${nodes.map((node) => html`<td>${values.find((each) => each.node === node)?.value ?? ""}</td>`)}</tr>`,
      )}</tbody></table></div>`;
}
