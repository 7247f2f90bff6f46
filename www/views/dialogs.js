/** One dialog at a time; its content is loaded when it is first opened. */

import { html, nothing } from "lit-html";
import { pressed } from "../events.js";
import { nodeName, t } from "../i18n.js";
import { lazily } from "../lazy.js";

/** @param {import("../app.js").App} app */
export function dialogs(app) {
  const { dialog } = app.ui;
  return html`
    <dialog class="dialog ${dialog ? `dialog-${dialog.name}` : ""}" aria-labelledby="dialog-title" @close=${(/** @type {Event} */ event) => box(event).open || app.closeDialog()}
      @click=${(/** @type {Event} */ event) => event.target === event.currentTarget && box(event).close()}>
      ${
        dialog
          ? html`
        <div class="sheet">
          <header>
            <h2 id="dialog-title">${title(dialog)}</h2>
            <button class="glyph" aria-label=${t("dialog.close")} @click=${(/** @type {Event} */ event) => pressed(event).closest("dialog")?.close()}>×</button>
          </header>
          ${lazily(app, (module) => module[dialog.name].dialog(app, dialog))}
        </div>`
          : nothing
      }
    </dialog>`;
}

/** @param {NonNullable<import("../app.js").App["ui"]["dialog"]>} dialog */
const title = (dialog) =>
  t(`dialog.${dialog.name}`, { client: dialog.client ?? "", node: nodeName(dialog.node ?? "") });

/** @param {Event} event */
const box = ({ target }) => /** @type {HTMLDialogElement} */ (target);

/** What it was opened for. */
/** @type {import("../app.js").App["ui"]["dialog"]} */
let opened = null;

/**
 * Opens or closes the dialog element to match the state; called after each drawing.
 * @param {import("../app.js").App} app
 * @param {HTMLElement} root
 */
export function syncDialog(app, root) {
  const element = /** @type {HTMLDialogElement|null} */ (root.querySelector("dialog"));
  if (!element) return;
  const { dialog } = app.ui;
  if (dialog && !element.open && dialog === opened) {
    app.closeDialog(); // Esc closed it; the event that says so is still to come.
    return;
  }
  opened = dialog;
  if (dialog && !element.open) element.showModal();
  if (!dialog && element.open) element.close();
}
