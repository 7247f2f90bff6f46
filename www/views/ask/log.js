/** What log lines mean: the story that they tell together, then each kind of line. */

import { html, nothing } from "lit-html";
import { idList } from "../../format.js";
import { t } from "../../i18n.js";
import { ruleLink } from "../../rules.js";
import { play } from "./play.js";

/** More line numbers than these are counted, not shown. */
const MOST = 12;

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../types.js").LogView} log
 */
export function logged(app, { told, stories, unknown }) {
  return html`
    <section class="logged">
      <h3>${t("log.title", { count: told.length })}</h3>
      ${stories.map(({ code }) => html`<p class="notice">${t(`story.${code}`)}</p>`)}
      <ol class="findings">${told.map((each) => kind(app, each))}</ol>
      ${unknown.length ? html`<p class="empty">${t("log.unknown", { lines: numbers(unknown) })}</p>` : nothing}
    </section>`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {import("../../types.js").ToldView} told
 */
function kind(app, { code, rule, cause, lines, fields, script, event }) {
  return html`
    <li class="finding">
      <p>${t(`log.${code}`)}</p>
      ${fields.length ? html`<p>${fields.map(([name, value]) => html`<code class="change">${name}=${value}</code> `)}</p>` : nothing}
      <p>${t("log.led")} ${t(`led.${cause}`)}</p>
      <p class="source">${t(lines.length > 1 ? "log.lines" : "paste.line", { line: lines[0], lines: numbers(lines) })}
        · <a href=${ruleLink(rule)} target="_blank" rel="noopener">${t("why.rule", { rule })}</a></p>
      ${script ? html`<p class="row"><button @click=${() => play(app, script, event)}>${t("log.show")}</button></p>` : nothing}
    </li>`;
}

/** @param {number[]} lines */
const numbers = (lines) =>
  idList(lines.slice(0, MOST), "") +
  (lines.length > MOST ? ` ${t("describe.more", { count: lines.length - MOST })}` : "");
