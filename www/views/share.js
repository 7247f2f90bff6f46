/** Links to this moment: tested by reading them back before they are handed out. */

import { html, nothing } from "lit-html";
import { copyText, saveFile } from "../browser.js";
import { isChecked, pressed } from "../events.js";
import { language, t } from "../i18n.js";
import { encodeLink, linked, pageAddress, roundTrips } from "../written-links.js";

/**
 * @param {import("../app.js").App} app
 * @param {{moment?: boolean, plain?: boolean, made?: string, link?: string, sound?: boolean, copied?: string}} dialog
 */
export function dialog(app, dialog) {
  dialog.moment ??= true;
  const wanted = `${dialog.moment}|${dialog.plain}|${language()}|${app.view.fingerprint}`;
  if (dialog.made !== wanted) {
    dialog.made = wanted;
    make(app, dialog);
  }
  const { link = "", sound } = dialog;
  const embed = `<iframe src="${pageAddress()}?embed${link}" width="100%" height="480" title="Highwater"></iframe>`;
  return html`
    <div class="form">
      <div class="row">
        <label class="switch"><input type="checkbox" .checked=${dialog.moment} @change=${(
          /** @type {Event} */ event,
        ) => {
          dialog.moment = isChecked(event);
          app.draw();
        }}>${t("share.moment")}</label>
        <label class="switch"><input type="checkbox" .checked=${Boolean(dialog.plain)} @change=${(
          /** @type {Event} */ event,
        ) => {
          dialog.plain = isChecked(event);
          app.draw();
        }}>${t("share.plain")}</label>
      </div>
      ${field(app, dialog, "link", pageAddress() + link)}
      ${
        sound === false
          ? html`<p class="notice bad" role="alert">${t("share.unsound")}</p>`
          : sound
            ? html`<p class="empty">${t("share.sound", { size: link.length })}</p>`
            : nothing
      }
      ${field(app, dialog, "embed", embed)}
      <p class="row"><button @click=${() => saveFile(`${app.ui.name ?? "scenario"}.hw`, app.script())}>${t("script.save")}</button></p>
    </div>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {Parameters<typeof dialog>[1]} dialog
 */
async function make(app, dialog) {
  const what = linked(app, dialog);
  dialog.link = await encodeLink(what);
  dialog.sound = await roundTrips(dialog.link, what);
  app.draw();
}

/**
 * @param {import("../app.js").App} app
 * @param {string} name
 * @param {string} value
 * @param {Parameters<typeof dialog>[1]} dialog
 */
function field(app, dialog, name, value) {
  const copy = async (/** @type {Event} */ event) => {
    const input = pressed(event).closest("label")?.querySelector("input");
    const done = await copyText(value);
    if (!done) input?.select();
    dialog.copied = t(done ? "share.copied" : "share.copyByHand");
    app.draw();
  };
  return html`
    <label>${t(`share.${name}`)}
      <span class="row copy"><input type="text" readonly .value=${value} data-share=${name}>
        <button class="primary" @click=${copy} ?disabled=${dialog.sound === false}>${t("share.copy")}</button></span>
    </label>
    ${name === "link" ? html`<span role="status">${dialog.copied ?? ""}</span>` : nothing}`;
}
