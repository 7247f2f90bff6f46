/** Promises kept and broken: the audit's counts, and the properties that should always hold. */

import { html, nothing } from "lit-html";
import { t } from "../i18n.js";
import { BROKEN } from "../verdicts.js";

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
const UNWANTED = /** @type {Set<string>} */ (new Set(BROKEN));

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
        <div class="${UNWANTED.has(name) && ledger[name] ? "broken" : ""}">
          <dt title=${t(`promises.${name}.long`)}>${t(`promises.${name}`)}</dt><dd>${ledger[name]}</dd>
        </div>`,
      )}</dl>
      ${broken.map(
        (property) => html`
        <button class="property" @click=${() => app.explain(property.why)}>${property.id}: ${t(`property.${property.id}`)}</button>`,
      )}
      ${app.ui.embed ? nothing : ["explore", ...(BROKEN.some((name) => ledger[name]) ? ["prevent"] : [])].map((panel) => html`<button class="link" @click=${() => app.openPanel(panel)}>${t(`panel.${panel}`)}</button>`)}
    </section>`;
}
