/** What this is, how to read it, and every key. */

import { html } from "lit-html";
import { t } from "../i18n.js";
import { KEYS } from "../keyboard.js";

const READING = ["cells", "marks", "ask", "flights", "branch"];

/** @param {import("../app.js").App} app */
export function dialog(app) {
  return html`
    <div class="help">
      <p>${t("help.about")}</p>
      <ul>${READING.map((name) => html`<li>${t(`help.${name}`)}</li>`)}</ul>
      <table><caption>${t("help.keys")}</caption><tbody>
        ${KEYS.map((key) => html`<tr><th scope="row"><kbd>${key.shown}</kbd></th><td>${t(`key.${key.name}`)}</td></tr>`)}
      </tbody></table>
      <p class="empty">${t("help.version", { version: app.source.version, release: app.view.release })}
        <a href="docs/protocol.html" target="_blank" rel="noopener">${t("help.rules")}</a></p>
    </div>`;
}
