/** The bar on top: which scenario this is, and the ways to others. */

import { html, nothing } from "lit-html";
import { chosenIn } from "../events.js";
import { language, t } from "../i18n.js";
import { scenarioTitle } from "../scenarios.js";

/** @param {import("../app.js").App} app */
export function header(app) {
  const open = (/** @type {string} */ name) => () => app.choose({ dialog: { name } });
  return html`
    <header class="top">
      <h1><a class="logo" href="./" aria-label=${t("header.home")}>${waves}<span>Highwater</span></a></h1>
      <button class="learn" @click=${open("learn")}>${t("header.learn")}</button>
      <button class="title" @click=${open("gallery")} title=${t("header.gallery")}>
        <span>${scenarioTitle(app.script()) ?? t("header.untitled")}</span><span class="caret" aria-hidden="true">▾</span>
      </button>
      ${release(app)}
      <nav class="tools" aria-label=${t("header.tools")}>
        <button @click=${open("script")}>${t("header.script")}</button>
        <button @click=${open("share")}>${t("header.share")}</button>
        <button @click=${open("ask")}>${t("header.ask")}</button>
        <button lang=${language() === "zh" ? "en" : "zh-CN"} @click=${() => app.switchLanguage()}>${t("header.otherLanguage")}</button>
        <button class="glyph" data-tool="theme" aria-label=${t("header.theme")} title=${t("header.theme")} @click=${() => app.switchTheme()}>◐</button>
        <button class="glyph" aria-label=${t("header.help")} title=${t("header.help")} @click=${open("help")}>?</button>
      </nav>
    </header>`;
}

/**
 * Which release's rules apply, and the way back to the one before.
 * @param {import("../app.js").App} app
 */
function release(app) {
  const { other } = app.ui;
  const rules = app.ownRules();
  return html`
    <span class="release">
      <label><span>Kafka</span>
        <select aria-label=${t("header.release")} title=${t("header.release")} @change=${(/** @type {Event} */ event) => app.useRelease(chosenIn(event))}>
          ${app.source.releases.map((each) => html`<option .selected=${each === app.view.release}>${each}</option>`)}</select></label>
      ${
        other && other.release !== app.view.release
          ? html`
        <button class="flip" title=${t("header.flip", { release: other.release })} @click=${() => app.flipRelease()}>⇄ ${other.release}</button>`
          : nothing
      }
      ${rules ? html`<span class="own-rules" title=${t("header.rules", { rules })}>${t("header.noRelease")} <code>${rules}</code></span>` : nothing}
    </span>`;
}

const waves = html`
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <path d="M2 8h20" /><path class="tide" d="M2 14q2.5-3 5 0t5 0 5 0 5 0V22H2z" />
  </svg>`;
