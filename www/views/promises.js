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

/** @param {import("../types.js").LedgerView} ledger */
const isBroken = (ledger) => COUNTS.some((name) => BROKEN.has(name) && ledger[name] > 0);

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
      ${app.ui.embed ? nothing : ["explore", ...(isBroken(ledger) ? ["prevent"] : [])].map((panel) => html`<button class="link" @click=${() => app.openPanel(panel)}>${t(`panel.${panel}`)}</button>`)}
    </section>`;
}
