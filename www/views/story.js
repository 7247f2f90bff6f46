/** What happened, newest first, each with its *why*; periodic traffic folded until asked for. */

import { html, nothing } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { repeat } from "lit-html/directives/repeat.js";
import { isChecked } from "../events.js";
import { clock } from "../format.js";
import { language, t } from "../i18n.js";
import { Keys } from "../recycle.js";
import { words } from "./why.js";

/** How many earlier lines come at a time: all of them at once would be more than a frame has time for. */
const MORE = 60;

const keys = new Keys();

/** @param {import("../app.js").App} app */
export function story(app) {
  const { ui, view } = app;
  const key = keys.of(view.story.map((event) => event.id));
  return html`
    <section class="story" aria-labelledby="story-title">
      <header>
        <h2 id="story-title">${t("story.title")}</h2>
        <label class="switch"><input type="checkbox" .checked=${ui.storyAll}
          @change=${(/** @type {Event} */ event) => app.choose({ storyAll: isChecked(event) })}>${t("story.all")}</label>
      </header>
      <ol tabindex="0" aria-label=${t("story.title")}>
        ${repeat(
          view.story,
          (event) => key(event.id),
          (event) => unchanging(app, event),
        )}
        ${view.story.length === ui.lines ? html`<li class="empty"><button class="link" @click=${() => app.choose({ lines: ui.lines + MORE })}>${t("story.earlier")}</button></li>` : nothing}
        ${view.story.length ? nothing : html`<li class="empty">${t("story.empty")}</li>`}
      </ol>
    </section>`;
}

/**
 * A line is drawn once: what happened stays as it was.
 * @param {import("../app.js").App} app
 * @param {import("../types.js").EventView} event
 */
function unchanging(app, event) {
  const { id, chosen } = event;
  return guard([id, app.edition, chosen, id === app.ui.why, language()], () => line(app, event));
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").EventView} event
 */
function line(app, event) {
  return html`
    <li class="weight-${event.weight} ${event.id === app.ui.why ? "explained" : ""} ${event.chosen ? "" : "elsewhere"}">
      <time>${clock(event.time)}</time>
      <span class="words">${words(event)}</span>
      <button class="link ask-why" @click=${() => app.explain(event.id)}>${t("story.why")}</button>
    </li>`;
}
