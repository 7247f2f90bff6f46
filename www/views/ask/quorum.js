/** The quorum of the controllers: who leads it, and how many may be down. */

import { html, nothing } from "lit-html";
import { idList } from "../../format.js";
import { t } from "../../i18n.js";
import { ruleLink } from "../../rules.js";

/** Who is further behind than this, in ms, does not fetch as it should. */
const MOST_LAG_MS = 2_000;

/** @param {import("../../types.js").QuorumView} quorum */
export function quorum({ line, leader, voters, mayBeDown, lagMs }) {
  const list = idList(voters, "");
  const count = voters.length;
  return html`
    <section class="quorum">
      <h3>${t("quorum.title", { count })}</h3>
      <p>${leader === undefined ? t("quorum.none") : t("quorum.leader", { leader })}</p>
      <p>${t(mayBeDown ? "quorum.may" : "quorum.mayNot", { count, list, down: mayBeDown })}</p>
      ${count > 1 && count % 2 === 0 ? html`<p>${t("quorum.even", { count })}</p>` : nothing}
      ${lagMs && lagMs > MOST_LAG_MS ? html`<p>${t("quorum.lag", { ms: lagMs })}</p>` : nothing}
      <p class="source">${t("paste.line", { line })} · <a href=${ruleLink("R5.4")} target="_blank" rel="noopener">${t("why.rule", { rule: "R5.4" })}</a></p>
    </section>`;
}
