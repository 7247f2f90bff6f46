/** The whole page: header, verbs, cluster, explanation, what happened, time, and what unfolds. */

import { html, nothing } from "lit-html";
import { t } from "../i18n.js";
import { cluster } from "./cluster.js";
import { dialogs } from "./dialogs.js";
import { header } from "./header.js";
import { notices } from "./notices.js";
import { panels } from "./panels.js";
import { promises } from "./promises.js";
import { story } from "./story.js";
import { timeline } from "./timeline.js";
import { verbs } from "./verbs.js";
import { why } from "./why.js";

/** @param {import("../app.js").App} app */
export function page(app) {
  return html`
    ${app.ui.embed ? html`<h1 class="visually-hidden">${t("page.title")}</h1>` : header(app)}
    <main class="page" aria-label=${t("page.label")}>
      ${verbs(app)}
      ${notices(app)}
      <div class="bench">
        <div class="left">${cluster(app)}${promises(app)}</div>
        <div class="right">${why(app)}${story(app)}</div>
      </div>
      ${app.ui.embed ? nothing : panels(app)}
    </main>
    ${timeline(app)}
    ${dialogs(app)}`;
}
