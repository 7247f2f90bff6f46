/** The page within another page: narration, cluster and player, with as much to touch as the host allows. */

import { html, nothing } from "lit-html";
import { t } from "../i18n.js";
import { lazily, unfolded } from "../lazy.js";
import { cluster } from "./cluster.js";
import { dialogs } from "./dialogs.js";
import { notices } from "./notices.js";
import { timeline } from "./timeline.js";
import { verbs } from "./verbs.js";
import { why } from "./why.js";

/** @param {import("../app.js").App} app */
export function embed(app) {
  const { controls } = app.ui;
  return html`
    <main class="page" aria-label=${t("page.label")}>
      <h1 class="visually-hidden">${t("page.title")}</h1>
      ${notices(app)}
      ${controls === "full" ? verbs(app) : nothing}
      <div class="bench" tabindex="0" role="group" aria-label=${t("cluster.label")}><div class="left">${cluster(app)}</div></div>
    </main>
    <div class="aside">${why(app)}</div>
    <footer class="embed-foot">
      ${controls === "none" ? nothing : timeline(app)}
      ${controls === "full" ? nothing : explain(app)}
      ${lazily(app, (module) => module.fullPage(app), unfolded, "more", nothing)}
    </footer>
    ${dialogs(app)}`;
}

/** @param {import("../app.js").App} app */
const explain = (app) =>
  html`<button class="link" data-verb="explain" @click=${() => app.explainAgain()}>${t("ask.title")}</button>`;
