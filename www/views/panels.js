/** What unfolds below on demand; each panel is loaded when it is first opened. */

import { html, nothing } from "lit-html";
import { t } from "../i18n.js";
import { lazily } from "../lazy.js";

const PANELS = {
  plot: () => import("./plot.js"),
  spacetime: () => import("./spacetime.js"),
  map: () => import("./map.js"),
  records: () => import("./records.js"),
  settings: () => import("./settings.js"),
  metrics: () => import("./metrics.js"),
};

/** @param {import("../app.js").App} app */
export function panels(app) {
  const { panel } = app.ui;
  const names = Object.keys(PANELS);
  return html`
    <section class="panels" aria-label=${t("panel.label")}>
      <div class="tabs" role="tablist" aria-label=${t("panel.label")} @keydown=${(event) => arrows(app, names, event)}>
        ${names.map((name) => html`
          <button role="tab" id="tab-${name}" aria-controls=${name === panel ? "panel" : nothing} aria-selected=${name === panel}
            tabindex=${name === (panel ?? "plot") ? 0 : -1}
            @click=${() => app.openPanel(name === panel ? null : name)}>${t(`panel.${name}`)}</button>`)}
      </div>
      ${panel ? html`<div class="panel panel-${panel}" role="tabpanel" id="panel" aria-labelledby="tab-${panel}">
        ${lazily(app, PANELS[panel], (module) => module.panel(app))}</div>` : nothing}
    </section>`;
}

function arrows(app, names, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = names[(names.indexOf(app.ui.panel ?? names[0]) + step + names.length) % names.length];
  app.openPanel(next);
  document.getElementById(`tab-${next}`)?.focus();
}
