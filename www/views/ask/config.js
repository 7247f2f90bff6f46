/** What a configuration can do: findings in order of harm, each with its proof and its change. */

import { html, nothing } from "lit-html";
import { told } from "../../errors.js";
import { t } from "../../i18n.js";
import { ruleLink } from "../../rules.js";
import { play } from "./play.js";

/** Harms that a scenario could show; the others are seen by reading. */
const PLAYED = new Set(["loses", "duplicates", "reorders", "stopsWrites", "failover"]);

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../types.js").CheckedView} checked
 */
export function checked(app, { units, findings }) {
  return html`
    <section class="checked">
      <h3>${t("config.found", { count: findings.length })}</h3>
      <p class="empty">${units.map(unit).join(t("describe.join"))}</p>
      ${translations(units)}
      ${findings.length ? html`<ol class="findings">${findings.map((each) => finding(app, each))}</ol>` : html`<p>${t("config.none")}</p>`}
    </section>`;
}

/** @param {import("../../types.js").UnitView} unit */
const unit = ({ owner, certain, client, count, line }) =>
  t(certain ? "config.unit" : "config.unitGuessed", {
    owner: t(`owner.${owner}`),
    client,
    count,
    line,
  });

/** @param {import("../../types.js").UnitView[]} units */
function translations(units) {
  const foreign = units.filter(({ client }) => client !== "Java");
  if (!foreign.length) return nothing;
  const pairs = foreign.flatMap(({ translated }) => translated);
  return html`
    <p class="notice">${t("config.translated", { client: foreign[0].client })}</p>
    ${pairs.length ? html`<ul>${pairs.map(([theirs, ours]) => html`<li><code>${theirs}</code> = <code>${ours}</code></li>`)}</ul>` : nothing}`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../types.js").FindingView} found
 */
function finding(app, found) {
  const { code, harm, rule, line, changes, proof, mended } = found;
  const params = Object.fromEntries(found.params);
  if (found.accepted) params.accepted = told(found.accepted, app);
  for (const name of ["owner", "other"])
    if (params[name]) params[name] = t(`owner.${params[name]}`);
  return html`
    <li class="finding harm-${harm}">
      <p><span class="status">${t(`harm.${harm}`)}</span>
        ${t(`finding.${code}`, params)}</p>
      <p class="source">${line ? t("paste.line", { line }) : t("config.byDefault")}
        ${rule ? html`· <a href=${ruleLink(rule)} target="_blank" rel="noopener">${t("why.rule", { rule })}</a>` : nothing}</p>
      ${changes.length ? html`<p>${t("config.change")} ${changes.map(change)}</p>` : nothing}
      ${
        proof
          ? html`<p class="row"><button @click=${() => play(app, proof)}>${t("config.show")}</button>
        ${mended ? html`<button @click=${() => play(app, mended)}>${t("config.showMended")}</button>` : nothing}</p>`
          : PLAYED.has(harm)
            ? html`<p class="empty">${t("config.noProof")}</p>`
            : nothing
      }
    </li>`;
}

/** @param {import("../../types.js").ChangeView} change */
const change = ({ owner, name, value }) =>
  html`<code class="change">${value === undefined ? t("config.out", { name }) : `${name}=${value}`}</code> <small>(${t(`owner.${owner}`)})</small> `;
