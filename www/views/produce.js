/** A record of one's own, and how often a producer sends by itself. */

import { html } from "lit-html";
import { chosenIn } from "../events.js";
import { span } from "../format.js";
import { t } from "../i18n.js";

const RATES = ["off", "50ms", "200ms", "1s", "5s"];

/** @param {import("../app.js").App} app */
export function dialog(app) {
  const { draft } = app.ui;
  const producers = app.view.clients.filter((client) => client.kind === "producer");
  const chosen = producers.find((client) => client.name === draft.producer) ?? producers[0];
  const type = (/** @type {string} */ name) => (/** @type {Event} */ event) => {
    Object.assign(draft, { [name]: chosenIn(event) });
  };
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.closeDialog();
    app.produce();
  };
  return html`
    <form class="form" @submit=${send}>
      <label>${t("produce.producer")}<select @change=${(/** @type {Event} */ event) => {
        draft.producer = chosenIn(event);
        app.draw();
      }}>
        ${producers.map((each) => html`<option .selected=${each === chosen}>${each.name}</option>`)}</select></label>
      <label>${t("produce.key")}<input .value=${draft.key} @input=${type("key")}></label>
      <label>${t("produce.value")}<input .value=${draft.value} @input=${type("value")} placeholder=${`m${(chosen?.sent ?? 0) + 1}`}></label>
      <p class="row"><button class="primary" ?disabled=${!chosen}>${t("produce.send")}</button></p>
      <div class="row" role="group" aria-label=${t("produce.rate")}>
        <span>${t("produce.rateNow", { rate: chosen?.every ? span(chosen.every) : t("produce.off") })}</span>
        ${RATES.map(
          (rate) => html`<button type="button" ?disabled=${!chosen}
          @click=${() => app.act(`every ${chosen.name} ${rate}`, { follow: false })}>${rate === "off" ? t("produce.off") : rate}</button>`,
        )}
      </div>
    </form>`;
}
