/** From an embed to the full page, with all that was done in it. */

import { html } from "lit-html";
import { t } from "../i18n.js";
import { linked, pageAddress, readableLink } from "../written-links.js";

/** @param {import("../app.js").App} app */
export function fullPage(app) {
  // Written when it is wanted, in one go: the browser follows it at once.
  const write = (/** @type {Event} */ event) => {
    /** @type {HTMLAnchorElement} */ (event.currentTarget).href =
      pageAddress() + readableLink(linked(app));
  };
  return html`<a class="link open-full" href=${pageAddress()} target="_blank" rel="noopener" @pointerdown=${write} @click=${write}>${t("embed.open")}</a>`;
}
