/** What unfolds below on demand; each panel is loaded when it is first opened. */

import { html, nothing } from "lit-html";
import { t } from "../i18n.js";
import { lazily } from "../lazy.js";

const PANELS = ["plot", "spacetime", "map", "records", "settings", "metrics", "explore", "prevent"];

/** How far each key goes among them. @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** It brings a library of its own. */
const plot = () => import("./plot.js");

/** @param {import("../app.js").App} app */
export function panels(app) {
  const { panel } = app.ui;
  const unfold = (/** @type {string} */ panel) =>
    panel === "plot"
      ? lazily(app, (module) => module.panel(app), plot)
      : lazily(app, (module) => module[panel].panel(app));
  return html`
    <section class="panels" aria-label=${t("panel.label")}>
      <div class="tabs" role="tablist" aria-label=${t("panel.label")} @keydown=${(
        /** @type {KeyboardEvent} */ event,
      ) => arrows(app, event)}>
        ${PANELS.map(
          (name) => html`
          <button role="tab" id="tab-${name}" aria-controls=${name === panel ? "panel" : nothing} aria-selected=${name === panel}
            tabindex=${name === (panel ?? "plot") ? 0 : -1}
            @click=${() => app.openPanel(name === panel ? null : name)}>${t(`panel.${name}`)}</button>`,
        )}
      </div>
      ${
        panel
          ? html`<div class="panel panel-${panel}" role="tabpanel" id="panel" aria-labelledby="tab-${panel}">
        ${unfold(panel)}</div>`
          : nothing
      }
    </section>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {KeyboardEvent} event
 */
function arrows(app, event) {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const next =
    PANELS[(PANELS.indexOf(app.ui.panel ?? PANELS[0]) + step + PANELS.length) % PANELS.length];
  app.openPanel(next);
  document.getElementById(`tab-${next}`)?.focus();
}
