/** What if: for each broker, rack and pair, what a stop, a crash and a loss of power would leave. */

import { html, nothing } from "lit-html";
import { idList } from "../../format.js";
import { t } from "../../i18n.js";
import { ruleLink } from "../../rules.js";
import { play } from "./play.js";

const BLOWS = /** @type {const} */ (["stop", "crash", "power"]);

/** As a script says it. */
const ACTIONS = { stop: "stop", crash: "crash", power: "power-off" };

/**
 * @typedef {import("../../types.js").BoardView} Board
 * @typedef {import("../../types.js").RowView} Row
 * @typedef {import("../../types.js").FateView} Fate
 */

/**
 * @param {import("../../app.js").App} app
 * @param {Board} board
 * @param {string|undefined} script that rebuilds the cluster
 */
export function whatIf(app, board, script) {
  const { singles, racks, pairs, pairCount, repairs } = board;
  const rest = pairCount - pairs.length;
  return html`
    <section class="board">
      <h3>${t("board.title", { brokers: board.brokers.length, partitions: board.partitions })}</h3>
      ${assumptions(board)}
      ${repairs.length ? html`<h4>${t("board.repair")}</h4><ol class="repairs">${repairs.map(repair)}</ol>` : html`<p>${t("board.healthy")}</p>`}
      <h4>${t("board.restart")}</h4>
      ${rolling(board)}
      ${rows(app, t("board.singles"), singles, script, true)}
      ${racks.length ? rows(app, t("board.racks"), racks, script, false) : nothing}
      ${pairs.length ? rows(app, t("board.pairs"), pairs, script, false) : html`<p>${t("board.noPairs")}</p>`}
      ${rest > 0 ? html`<p class="empty">${t("describe.more", { count: rest })}</p>` : nothing}
    </section>`;
}

/** @param {Board} board */
function assumptions({
  assumedMinIsr,
  minIsrGiven,
  assumedTopics,
  assumedUnclean,
  down,
  unreadRacks,
}) {
  const shown = assumedTopics.slice(0, 5).join(", ") + (assumedTopics.length > 5 ? " …" : "");
  const said = [
    ...(assumedTopics.length
      ? [
          t(minIsrGiven ? "board.minIsrGiven" : "board.minIsrAssumed", {
            value: assumedMinIsr,
            topics: shown,
          }),
        ]
      : []),
    ...(assumedUnclean ? [t("board.uncleanAssumed")] : []),
    ...(down.length ? [t("board.down", { brokers: idList(down, "") })] : []),
    ...(unreadRacks.length ? [t("board.unreadRacks", { racks: unreadRacks.join(" ") })] : []),
    t("board.acks"),
  ];
  return html`<ul class="notice">${said.map((each) => html`<li>${each}</li>`)}</ul>`;
}

/** @param {import("../../types.js").RepairView} repair */
function repair({ code, rule, count, partitions, brokers }) {
  const names = partitions.slice(0, 6).join(", ") + (count > 6 ? " …" : "");
  return html`
    <li>${t(`repair.${code}`, { count, brokers: idList(brokers, t("word.none")) })}
      <code>${names}</code> ${link(rule)}</li>`;
}

/** @param {Board} board */
function rolling({ order, stuck }) {
  return html`
    ${order.length ? html`<p>${t(stuck.length ? "board.orderPart" : "board.order", { order: order.join(" → ") })}</p>` : nothing}
    ${stuck.length ? html`<ul>${stuck.map(({ broker, partition, rule }) => html`<li>${t(`board.stuck.${rule}`, { broker, partition })} ${link(rule)}</li>`)}</ul>` : nothing}`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {string} title
 * @param {Row[]} all
 * @param {string|undefined} script
 * @param {boolean} asksRestart
 */
function rows(app, title, all, script, asksRestart) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${title}><table>
      <caption>${title}</caption>
      <thead><tr><th scope="col">${t("board.brokers")}</th>
        ${BLOWS.map((blow) => html`<th scope="col">${t(`board.${blow}`)}</th>`)}
        ${asksRestart ? html`<th scope="col">${t("board.may")}</th>` : nothing}</tr></thead>
      <tbody>${all.map(
        (row) => html`<tr>
        <th scope="row">${row.rack === undefined ? idList(row.brokers, "") : t("board.rack", { rack: row.rack, brokers: idList(row.brokers, "") })}</th>
        ${BLOWS.map((blow, i) => html`<td>${cell(app, row, blow, row.fates[i], script)}</td>`)}
        ${asksRestart ? html`<td>${may(row.fates[0])}</td>` : nothing}</tr>`,
      )}</tbody></table></div>`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {Row} row
 * @param {(typeof BLOWS)[number]} blow
 * @param {Fate} fate
 * @param {string|undefined} script
 */
function cell(app, row, blow, fate, script) {
  const said = [
    ...(fate.mayLose ? [t("board.mayLose", { count: fate.mayLose })] : []),
    ...(fate.leaderless ? [t("board.leaderless", { count: fate.leaderless })] : []),
    ...(fate.refused ? [t("board.refused", { count: fate.refused })] : []),
  ];
  if (!said.length) return html`<span class="harmless">${t("board.nothing")}</span>`;
  const names = [...new Set([...fate.losing, ...fate.withoutLeader, ...fate.refusing])];
  const words = html`${said.join(t("describe.join"))} <small>${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}</small>`;
  if (!script) return words;
  return html`${words} <button class="link" @click=${() => play(app, struck(script, row, blow))}>${t("board.play")}</button>`;
}

/** @param {Fate} fate of a clean stop */
function may({ leaderless, refused, withoutLeader, refusing }) {
  if (leaderless)
    return html`${t("board.noLeader", { partition: withoutLeader[0] })} ${link("R5.13")}`;
  if (refused) return html`${t("board.noIsr", { partition: refusing[0] })} ${link("R2.7")}`;
  return t("board.yes");
}

/** @param {string} rule */
const link = (rule) =>
  html`<a href=${ruleLink(rule)} target="_blank" rel="noopener">${t("why.rule", { rule })}</a>`;

/**
 * The cluster as it is described, and then the blow.
 * @param {string} script
 * @param {Row} row
 * @param {(typeof BLOWS)[number]} blow
 */
function struck(script, { brokers }, blow) {
  const lines = brokers.map((id) => `at 120s ${ACTIONS[blow]} ${id}\n`).join("");
  return script.replace(/until 120s\n$/, `${lines}until 200s\n`);
}
