/** Promises kept and broken: the audit's counts, and the properties that should always hold. */

import { html, nothing } from "lit-html";
import { t } from "../i18n.js";

const COUNTS = /** @type {const} */ ([
  "sent",
  "acked",
  "visible",
  "failed",
  "lost",
  "ackedLost",
  "duplicated",
  "reordered",
]);
const BROKEN = /** @type {Set<string>} */ (
  new Set(["failed", "lost", "ackedLost", "duplicated", "reordered"])
);

/** @param {import("../app.js").App} app */
export function promises(app) {
  const { ledger } = app.view;
  const broken = ledger.properties.filter(
    (property) => property.kind === "always" && !property.holds,
  );
  return html`
    <section class="promises" aria-label=${t("promises.title")}>
      <dl>${COUNTS.map(
        (name) => html`
        <div class="${BROKEN.has(name) && ledger[name] ? "broken" : ""}">
          <dt title=${t(`promises.${name}.long`)}>${t(`promises.${name}`)}</dt><dd>${ledger[name]}</dd>
        </div>`,
      )}</dl>
      ${broken.map(
        (property) => html`
        <button class="property" @click=${() => app.explain(property.why)}>${property.id}: ${t(`property.${property.id}`)}</button>`,
      )}
      ${app.ui.embed ? nothing : html`<button class="link" @click=${() => app.openPanel("explore")}>${t("panel.explore")}</button>`}
    </section>`;
}
