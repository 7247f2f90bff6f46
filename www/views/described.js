/** What a pasted `kafka-topics --describe` says, what of it could not be read, and what a scenario cannot say. */

import { html, nothing } from "lit-html";
import { told } from "../errors.js";
import { idList } from "../format.js";
import { t } from "../i18n.js";
import { leftToTheModel, openRebuilt } from "../rebuilt.js";

/** More rows than these are counted, not shown. */
const MOST = 200;

/** Columns that only some releases print. */
const RARE = /** @type {const} */ ([
  "elr",
  "lastKnownElr",
  "adding",
  "removing",
  "offline",
  "observers",
]);

/**
 * @param {import("../app.js").App} app
 * @param {import("../rebuilt.js").Read} read
 */
export function described(app, read) {
  const { partitions, settings, unread, missing } = read;
  const { release } = app.view;
  return html`
    <div class="form described" role="status">
      <h3>${t("describe.read", { count: partitions.length })}</h3>
      ${partitions.length ? table(partitions) : nothing}
      ${settings.length ? html`<ul>${settings.map((each) => html`<li><code>${each.topic}: ${each.name}=${each.value}</code></li>`)}</ul>` : nothing}
      ${
        unread.length
          ? html`
        <h3>${t("describe.unread", { count: unread.length })}</h3>
        <ul class="unread">${unread.map(
          (each) => html`<li>${t("paste.line", { line: each.line })} <code>${each.text}</code>
          ${t(each.incomplete ? "describe.incomplete" : "describe.unknown")}</li>`,
        )}</ul>`
          : nothing
      }
      ${missing.length ? html`<ul class="notice">${missing.map((each) => html`<li>${t("paste.line", { line: each.line })} ${t("describe.missing", { ...each })}</li>`)}</ul>` : nothing}
      ${remarks(app, read)}
    </div>
    ${
      read.script && !read.errors.length
        ? html`
      <p class="row"><button class="primary" @click=${() => openRebuilt(app, read)}>${t("describe.open", { release })}</button></p>`
        : nothing
    }`;
}

/** @param {import("../types.js").DescribedPartitionView[]} partitions */
function table(partitions) {
  const none = t("word.none");
  const columns = /** @type {const} */ ([
    "replicas",
    "isr",
    ...RARE.filter((name) => partitions.some((each) => each[name])),
  ]);
  const rest = partitions.length - MOST;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${t("describe.table")}><table>
      <thead><tr>${["partition", "leader", ...columns].map((name) => html`<th scope="col">${t(`describe.${name}`)}</th>`)}</tr></thead>
      <tbody>${partitions.slice(0, MOST).map(
        (each) => html`<tr>
        <th scope="row"><code>${each.name}</code></th><td>${each.leader ?? none}</td>
        ${columns.map((name) => html`<td>${idList(each[name] ?? [], each[name] ? none : "")}</td>`)}</tr>`,
      )}</tbody></table></div>
    ${rest > 0 ? html`<p class="empty">${t("describe.more", { count: rest })}</p>` : nothing}`;
}

/**
 * What the scenario takes otherwise than the text has it, or not at all.
 * @param {import("../app.js").App} app
 * @param {import("../rebuilt.js").Read} read
 */
function remarks(app, read) {
  if (!read.partitions.length) return nothing;
  if (!read.script) return html`<p class="notice">${t("describe.noScenario")}</p>`;
  const all = leftToTheModel(read);
  return html`
    ${all.length ? html`<ul class="notice">${all.map(({ key, params }) => html`<li>${t(key, params)}</li>`)}</ul>` : nothing}
    ${read.errors.map((error) => html`<p class="notice bad">${told(error.reason, app)}${t("word.paren", { text: told(error.accepted, app) })}</p>`)}`;
}
