/** The whole page: header, verbs, cluster, explanation, what happened, time, and what unfolds. */

import { html } from "lit-html";
import { t } from "../i18n.js";
import { cluster } from "./cluster.js";
import { dialogs } from "./dialogs.js";
import { embed } from "./embed.js";
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
  if (app.ui.embed) return embed(app);
  return html`
    ${header(app)}
    <main class="page" aria-label=${t("page.label")}>
      ${verbs(app)}
      ${notices(app)}
      <div class="bench">
        <div class="left">${cluster(app)}${promises(app)}</div>
        <div class="aside">${why(app)}${story(app)}</div>
      </div>
      ${panels(app)}
    </main>
    ${timeline(app)}
    ${dialogs(app)}`;
}
