/** A message on its way: its content, and what can happen to it. */

import { html } from "lit-html";
import { span } from "../format.js";
import { nodeName, t } from "../i18n.js";

/**
 * @param {import("../app.js").App} app
 * @param {{flight: import("../types.js").FlightView}} dialog
 */
export function dialog(app, { flight }) {
  const here = app.view.flights.some((each) => each.id === flight.id);
  const act = (/** @type {string} */ action) => () => {
    app.closeDialog();
    app.act(action);
  };
  return html`
    <div class="form">
      <p class="code"><b>${flight.name}</b></p>
      <p>${t("message.way", { from: nodeName(flight.from), to: nodeName(flight.to) })}
        ${here ? t("message.left", { span: span(Math.max(0, flight.arrives - app.view.time)) }) : t("message.gone")}</p>
      <dl class="facts">${flight.fields.map(([name, value]) => html`<dt class="code">${name}</dt><dd class="code">${value}</dd>`)}</dl>
      <p class="row">
        <button ?disabled=${!here} @click=${act(`drop ${flight.name}`)}>${t("action.drop")}</button>
        <button ?disabled=${!here} @click=${act(`delay ${flight.name} by 50ms`)}>${t("action.delay")}</button>
        <button ?disabled=${!here} @click=${act(`duplicate ${flight.name}`)}>${t("action.duplicate")}</button>
        ${
          flight.why === null || flight.why === undefined
            ? ""
            : html`<button @click=${() => {
                app.closeDialog();
                app.explain(flight.why);
              }}>${t("ask.title")}</button>`
        }
      </p>
    </div>`;
}
