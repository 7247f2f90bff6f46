/** What has to be said before anything else: narration, refused lines, trouble with a link. */

import { html, nothing } from "lit-html";
import { narration, t } from "../i18n.js";
import { lazily } from "../lazy.js";

/** @param {import("../app.js").App} app */
export function notices(app) {
  return html`${said(app)}${refused(app)}${problems(app)}${unmatched(app)}`;
}

/** @param {import("../app.js").App} app */
function said(app) {
  if (app.lesson.isOpen) return lazily(app, (module) => module.lesson(app));
  const words = narration(app.view);
  const { home } = app.ui;
  return words
    ? html`<p class="say"><span>${words}</span>${
        home === app.view.release
          ? nothing
          : html` <small>${t("say.writtenFor", { release: home ?? "" })}</small>`
      }</p>`
    : nothing;
}

/** @param {import("../app.js").App} app */
function refused(app) {
  const { errors, dialog, typed } = app.ui;
  if (errors.length === 0 || dialog?.name === "script") return nothing;
  const lines = (/** @type {Pick<typeof import("../errors.js"), "told">} */ { told }) =>
    errors.map(
      ({ line, reason, accepted }) =>
        html`<p>${
          typed === null ? nothing : t("notice.line", { line })
        } <b>${told(reason, app)}</b> ${
          accepted ? t("notice.accepted", { accepted: told(accepted, app) }) : nothing
        }</p>`,
    );
  return html`
    <div class="notice bad" role="alert">
      ${lazily(app, lines)}
      <button class="glyph" aria-label=${t("notice.close")} @click=${() => app.choose({ errors: [] })}>×</button>
    </div>`;
}

/**
 * Faults of messages that were never sent: they did nothing, and that is said.
 * @param {import("../app.js").App} app
 */
function unmatched(app) {
  const { unmatched: list } = app.view;
  if (list.length === 0) return nothing;
  return html`
    <div class="notice" role="status">
      ${list.map(({ line, name }) => html`<p>${t("notice.unmatched", { line, name })}</p>`)}
    </div>`;
}

/** @param {import("../app.js").App} app */
function problems(app) {
  const { problems: list } = app.ui;
  if (list.length === 0) return nothing;
  return html`
    <div class="notice" role="status">
      ${list.map(({ key, params }) => html`<p>${t(key, params)}</p>`)}
      <button class="glyph" aria-label=${t("notice.close")} @click=${() => app.choose({ problems: [] })}>×</button>
    </div>`;
}
