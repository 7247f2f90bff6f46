/** Every setting under its Kafka name: value, default, where the value comes from; all can be searched. */

import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { setAction } from "../actions.js";
import { refusal, told } from "../errors.js";
import { chosenIn } from "../events.js";
import { language, t } from "../i18n.js";
import { ruleLink } from "../rules.js";
import en from "../strings/settings.json";
import zh from "../strings/settings.zh.json";

const DOCS = { en, zh };

const COLUMNS = ["setting", "value", "default", "source", "doc"];
const SCOPES = /** @type {const} */ (["broker", "topic", "producer", "consumer"]);

const chosen = {
  scope: /** @type {"broker"|"topic"|"producer"|"consumer"} */ ("topic"),
  name: "",
  search: "",
};

/** @param {import("../app.js").App} app */
export function panel(app) {
  const names = namesOf(app, chosen.scope);
  const name = names.includes(chosen.name) ? chosen.name : (names[0] ?? "");
  const needle = chosen.search.trim().toLowerCase();
  const list = app.session
    .settings(chosen.scope, name)
    .filter(
      (each) =>
        !needle || each.name.includes(needle) || aboutOf(each).toLowerCase().includes(needle),
    );
  const pick = (/** @type {string} */ key) => (/** @type {Event} */ event) => {
    Object.assign(chosen, { [key]: chosenIn(event) });
    app.draw();
  };
  return html`
    <div class="row search">
      <input type="search" placeholder=${t("settings.search")} aria-label=${t("settings.search")} .value=${live(chosen.search)} @input=${pick("search")}>
      <select aria-label=${t("settings.scope")} @change=${pick("scope")}>
        ${SCOPES.map((scope) => html`<option value=${scope} .selected=${scope === chosen.scope}>${t(`scope.${scope}`)}</option>`)}</select>
      <select aria-label=${t("settings.whose")} @change=${pick("name")}>
        ${names.map((each) => html`<option .selected=${each === name}>${each}</option>`)}</select>
      <button @click=${() => app.choose({ dialog: { name: "paste" } })}>${t("dialog.paste")}</button>
    </div>
    ${app.ui.errors.map((error) => html`<p class="notice bad">${refusal(app, error)}</p>`)}
    <div class="scroll" tabindex="0" role="region" aria-label=${t("panel.settings")}><table class="settings">
      <thead><tr>${COLUMNS.map((column) => html`<th scope="col">${t(`column.${column}`)}</th>`)}</tr></thead>
      <tbody>${list.map((setting) => row(app, setting, name))}</tbody></table></div>
    ${list.length ? nothing : elsewhere(app, needle)}`;
}

/**
 * Where else settings of that name are.
 * @param {import("../app.js").App} app
 * @param {string} needle
 */
function elsewhere(app, needle) {
  const found = SCOPES.map((scope) => {
    const fits = app.session
      .settings(scope, namesOf(app, scope)[0] ?? "")
      .filter((each) => each.name.includes(needle));
    return { scope, count: fits.length };
  }).filter(({ count }) => count);
  if (!found.length) return html`<p class="empty">${t("settings.none")}</p>`;
  return html`<p class="row empty">${t("settings.elsewhere")} ${found.map(
    ({ scope, count }) => html`
    <button class="link" @click=${() => {
      chosen.scope = scope;
      app.draw();
    }}>${t(`scope.${scope}`)}${t("word.paren", { text: String(count) })}</button>`,
  )}</p>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {string} scope
 */
function namesOf(app, scope) {
  const { view } = app;
  if (scope === "broker") return view.brokers.map((each) => String(each.id));
  if (scope === "topic")
    return view.partition
      ? [...new Set([view.partition.replace(/\/\d+$/, ""), ...app.topics()])]
      : [];
  return view.clients
    .filter((/** @type {import("../types.js").ClientView} */ client) => client.kind === scope)
    .map((/** @type {import("../types.js").ClientView} */ client) => client.name);
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").SettingView} setting
 * @param {string} name
 */
function row(app, setting, name) {
  const scope =
    chosen.scope === "producer" || chosen.scope === "consumer" ? "client" : chosen.scope;
  const change = (/** @type {Event} */ event) =>
    app.act(setAction(scope, name, setting.name, chosenIn(event) || "default"), {
      follow: false,
    });
  return html`
    <tr class=${setting.source === "default" ? "" : "given"}>
      <th scope="row"><code>${setting.name}</code></th>
      <td>${input(app, setting, change)} <span class="empty">${setting.unit}</span></td>
      <td class="code">${setting.default}</td>
      <td>${t(`source.${setting.source}`)}</td>
      <td class="empty">${withRules(aboutOf(setting))}${mark(setting)}</td>
    </tr>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").SettingView} setting
 * @param {(event: Event) => void} change
 */
function input(app, setting, change) {
  const choices =
    setting.kind === "bool"
      ? ["true", "false"]
      : setting.kind === "choice"
        ? setting.choices
        : null;
  if (choices) {
    return html`<select aria-label=${setting.name} ?disabled=${setting.inert} @change=${change}>
      ${choices.map((/** @type {string} */ choice) => html`<option .selected=${choice === setting.value}>${choice}</option>`)}</select>`;
  }
  return html`<input class="code" aria-label=${setting.name} title=${told(setting.accepts, app)} ?disabled=${setting.inert}
    .value=${live(setting.value)} @change=${change}>`;
}

/**
 * Real brokers and clients read most settings once; here they hold from the moment of the change.
 * @param {import("../types.js").SettingView} given
 */
function mark({ inert, dynamic }) {
  if (inert) return ` ${t("settings.inert")}`;
  return dynamic ? "" : ` ${t("settings.static")}`;
}

/** @param {import("../types.js").SettingView} setting */
const aboutOf = (setting) => DOCS[language()][setting.doc];

/** @param {string} doc */
const withRules = (doc) =>
  doc
    .split(/(R\d+\.\d+)/)
    .map((/** @type {string} */ part, /** @type {number} */ i) =>
      i % 2 ? html`<a href=${ruleLink(part)} target="_blank" rel="noopener">${part}</a>` : part,
    );
