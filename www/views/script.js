/** The scenario as text: read, change, save, open; errors stand at their lines. */

import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { pickFile, saveFile } from "../browser.js";
import { refusal } from "../errors.js";
import { chosenIn, pressed } from "../events.js";
import { openFile } from "../files.js";
import { t } from "../i18n.js";

/**
 * @param {import("../app.js").App} app
 * @param {{text?: string, errors?: import("../types.js").ErrorLineView[]}} dialog
 */
export function dialog(app, dialog) {
  const text = app.ui.typed ?? app.script();
  const errors = dialog.errors ?? app.ui.errors;
  const take = (/** @type {string|null} */ typed) => {
    app.ui.typed = typed;
    dialog.errors = typed === null ? [] : app.session.check(typed);
    if (typed === null) app.ui.errors = [];
    app.draw();
  };
  const type = (/** @type {Event} */ event) => take(chosenIn(event));
  const run = () => {
    if (app.replaceScript(text)) app.closeDialog();
  };
  return html`
    <div class="form">
      <textarea class="code" rows="18" spellcheck="false" wrap="off" aria-label=${t("script.text")}
        aria-invalid=${errors.length > 0} aria-describedby="script-errors" .value=${live(text)} @input=${type}></textarea>
      <ol class="script-errors" id="script-errors" aria-live="polite">${errors.map(
        (error) => html`
        <li><button class="link" @click=${(/** @type {Event} */ event) => goTo(pressed(event), text, error)}>${t("script.line", { line: error.line, column: error.column })}</button>
          ${refusal(app, error)}</li>`,
      )}
        ${
          text === app.script()
            ? app.view.unmatched.map(
                ({ line, name }) => html`
        <li><button class="link" @click=${(/** @type {Event} */ event) => goTo(pressed(event), text, { line, column: 1 })}>${t("script.line", { line, column: 1 })}</button>
          ${t("script.unmatched", { name })}</li>`,
              )
            : nothing
        }</ol>
      <p class="row">
        <button class="primary" ?disabled=${errors.length > 0} @click=${run}>${t("script.run")}</button>
        <button @click=${() => saveFile(`${app.ui.name ?? "scenario"}.hw`, text)}>${t("script.save")}</button>
        ${text === app.script() ? nothing : html`<button @click=${() => take(null)}>${t("script.reset")}</button>`}
        <button @click=${() => pickFile((file) => openFile(app, file))}>${t("script.open")}</button>
      </p>
      <p class="row"><label>${t("script.seed")} <input type="number" min="0" max="9007199254740991" .value=${live(seedOf(text))}
        @change=${(/** @type {Event} */ event) => take(withSeed(text, chosenIn(event)))}></label>
        <span class="empty">${t("script.seedNote")}</span></p>
    </div>`;
}

/**
 * @param {string} text
 * @param {Element} button
 * @param {{line: number, column: number}} given
 */
function goTo(button, text, { line, column }) {
  const area = button.closest(".form")?.querySelector("textarea");
  if (!area) return;
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  area.focus();
  area.setSelectionRange(start + column - 1, start + (lines[line - 1]?.length ?? 0));
}

/** @param {string} text */
const seedOf = (text) => /^seed\s+(\d+)/m.exec(text)?.[1] ?? "1";

/**
 * @param {string} text
 * @param {string} seed
 */
function withSeed(text, seed) {
  if (/^seed\s/m.test(text)) return text.replace(/^seed\s+\S+/m, `seed ${seed}`);
  return text.replace(/^(highwater .*)$/m, `$1\nseed ${seed}`);
}
