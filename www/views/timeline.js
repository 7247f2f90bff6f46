/** Time: play, step, back, settle, scrub, speed; undo, redo and branches. */

import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { chosenIn } from "../events.js";
import { clock } from "../format.js";
import { t } from "../i18n.js";
import { SPEEDS } from "../pace.js";

/** @param {import("../app.js").App} app */
export function timeline(app) {
  const { ui, view } = app;
  return html`
    <section class="timeline" aria-label=${t("time.label")}>
      <div class="keys">
        ${key("undo", "↶", () => app.undo())}${key("redo", "↷", () => app.redo())}
        ${key("back", "‹", () => app.stepBack())}
        <button class="play" data-key="play" aria-label=${t(ui.playing ? "time.pause" : "time.play")} title=${t("time.playKey")}
          @click=${() => app.toggle()}>${ui.playing ? "❚❚" : "▶"}</button>
        ${key("step", "›", () => app.step())}${key("settle", "»", () => app.settle())}
      </div>
      <div class="scrub">
        <input type="range" min="0" max=${Math.max(view.end, view.time)} step="1000" .value=${live(String(view.time))}
          aria-label=${t("time.scrub")} aria-valuetext=${clock(view.time)} @input=${(/** @type {Event} */ event) => app.seek(Number(chosenIn(event)))}>
        <span class="ticks" aria-hidden="true">${ticks(app)}</span>
      </div>
      <output class="now">${clock(view.time)}${view.index ? html`<small>:${view.index}</small>` : nothing}</output>
      ${branches(app)}
      <label class="speed"><span class="visually-hidden">${t("time.speed")}</span>
        <select @change=${(/** @type {Event} */ event) => app.choose({ speed: Number(chosenIn(event)) })}>
          ${SPEEDS.map((speed) => html`<option value=${speed} .selected=${speed === ui.speed}>${speed}×</option>`)}
        </select></label>
    </section>`;
}

/**
 * @param {string} name
 * @param {string} glyph
 * @param {() => void} act
 */
function key(name, glyph, act) {
  return html`<button data-key=${name} aria-label=${t(`time.${name}`)} title=${t(`time.${name}Key`)} @click=${act}>${glyph}</button>`;
}

/** @param {import("../app.js").App} app */
function ticks(app) {
  const end = Math.max(app.view.end, app.view.time, 1);
  return app
    .marks()
    .map(
      (mark) =>
        html`<i class="tick-${mark.kind}" .style=${`left:${(100 * mark.time) / end}%`}></i>`,
    );
}

/** @param {import("../app.js").App} app */
function branches(app) {
  const list = app.branches();
  if (list.length < 2) return nothing;
  return html`
    <label class="branch"><span class="visually-hidden">${t("time.branch")}</span>
      <select @change=${(/** @type {Event} */ event) => app.switchBranch(Number(chosenIn(event)))}>
        ${list.map(
          (branch) =>
            html`<option value=${branch.id} .selected=${branch.active}>${t("time.branchName", {
              id: branch.id,
              at: clock(branch.at),
              label: branch.label,
            })}</option>`,
        )}
      </select></label>`;
}
