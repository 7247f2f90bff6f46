/** Everything that can be broken, and mended: processes, machines, links, disks, time. */

import { html } from "lit-html";
import { chosenIn } from "../events.js";
import { nodeName, t } from "../i18n.js";
import { actionsFor, howSlow, slowMs } from "./node.js";

/**
 * @param {import("../app.js").App} app
 * @param {{from?: string, to?: string, ms?: number}} dialog
 */
export function dialog(app, dialog) {
  const { view } = app;
  const nodes = [
    ...view.brokers.map((each) => String(each.id)),
    view.controller.name,
    ...view.clients.map((each) => each.name),
  ];
  const { from = nodes[0], to = nodes[1] } = dialog;
  const act = (/** @type {string} */ action) => () => {
    app.closeDialog();
    app.act(action);
  };
  const pick = (/** @type {string} */ name, /** @type {string} */ value) => html`
    <select aria-label=${t(`break.${name}`)} @change=${(/** @type {Event} */ event) => {
      Object.assign(dialog, { [name]: chosenIn(event) });
      app.draw();
    }}>
      ${nodes.map((node) => html`<option value=${node} .selected=${node === value}>${nodeName(node)}</option>`)}</select>`;
  return html`
    <div class="form">
      <h3>${t("break.processes")}</h3>
      <table class="break"><tbody>${[
        ...view.brokers
          .filter((each) => each.replica || view.brokers.length <= 6)
          .map((each) => String(each.id)),
        view.controller.name,
      ].map(
        (node) => html`
        <tr><th scope="row">${nodeName(node)}</th><td class="row">${actionsFor(
          app,
          node,
          dialog,
        ).map(
          ({ name, action }) => html`
          <button data-break=${action} @click=${act(action)}>${t(`action.${name}`)}</button>`,
        )}</td></tr>`,
      )}</tbody></table>
      <h3>${t("break.links")}</h3>
      <p class="row">${pick("from", from)} – ${pick("to", to)}</p>
      <p class="row">
        <button @click=${act(`cut ${from}-${to}`)}>${t("action.cutBoth")}</button>
        <button @click=${act(`cut ${from}>${to}`)}>${t("action.cutOne", { from, to })}</button>
        <button @click=${act(`slow ${from}-${to} ${slowMs(dialog)}ms`)}>${t("action.slow")}</button>
        <button @click=${act(`heal ${from}-${to}`)}>${t("action.heal")}</button>
        <button @click=${act("heal all")}>${t("faults.heal")}</button>
      </p>
      ${howSlow(app, dialog)}
    </div>`;
}
