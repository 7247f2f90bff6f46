/** Values that can be asked *why*. */

import { html } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { t } from "../i18n.js";

/**
 * A value that can be asked *why*, and looks so.
 * @param {import("../app.js").App} app
 * @param {string|number} value
 * @param {number|(() => number|null|undefined)|null|undefined} id the event that made it so, or how it is found
 * @param {string} label
 */
export function ask(app, value, id, label) {
  const shown = keyed(value, html`<span class="fresh">${value}</span>`);
  if (id === null || id === undefined) return html`<span class="plain">${shown}</span>`;
  return html`<button class="ask" aria-label=${t("ask.label", { label, value })} title=${t("ask.title")}
    @click=${() => app.explain(id)}>${shown}</button>`;
}
