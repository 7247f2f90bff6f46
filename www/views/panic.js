/** The engine panicked: what it said, what was asked, and that nothing else is lost. */

import { html } from "lit-html";
import { copyText } from "../browser.js";
import { t } from "../i18n.js";

/**
 * @param {import("../app.js").App} app
 * @param {{message: string, doing: string}} dialog
 */
export function dialog(app, { message, doing }) {
  const report = `Highwater ${app.session.version}\n${doing}\n${message}\n\n${app.script()}`;
  return html`
    <div class="form">
      <p>${t("panic.what", { doing })}</p>
      <pre class="scroll" tabindex="0">${message}</pre>
      <p>${t("panic.kept")}</p>
      <p class="row"><button class="primary" @click=${() => copyText(report)}>${t("panic.copy")}</button></p>
    </div>`;
}
