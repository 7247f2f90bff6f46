/** The answer to *why*: an event and the chain of what caused it, in sentences with their rules. */

import { html, nothing } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { clock } from "../format.js";
import { language, sentence, t } from "../i18n.js";
import { ruleLink } from "../rules.js";

/** @param {import("../app.js").App} app */
export function why(app) {
  const { ui } = app;
  const chain = app.chain();
  if (chain.length === 0) return nothing;
  const more = chain.length > ui.depth;
  return html`
    <section class="why" aria-label=${t("why.label")} tabindex="-1">
      <header>
        <h2>${t("why.title")}</h2>
        <button class="glyph" aria-label=${t("why.close")} @click=${() => app.explain(null)}>×</button>
      </header>
      <ol>${chain
        .slice(0, ui.depth)
        .map((event, i) => guard([event, language()], () => link(app, event, chain[i - 1])))}</ol>
      ${more ? html`<button class="link" @click=${() => app.choose({ depth: ui.depth + 12 })}>${t("why.deeper")}</button>` : nothing}
    </section>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").EventView} event
 * @param {import("../types.js").EventView} [before] the event above, which it has caused or not
 */
function link(app, event, before) {
  return html`
    <li class="weight-${event.weight}">
      ${before ? html`<span class="because">${t(before.causes.includes(event.id) ? "why.because" : "why.and")}</span>` : nothing}
      <p>${words(event)}</p>
      <p class="source">
        <button class="link time" title=${t("why.go")} @click=${() => app.seek(event.time, event.index)}>${clock(event.time)}</button>
        <a href=${ruleLink(event.rule)} target="_blank" rel="noopener">${t("why.rule", { rule: event.rule })}</a>
      </p>
    </li>`;
}

/**
 * An event's sentence with its values set off.
 * @param {import("../types.js").EventView} event
 */
export function words(event) {
  const line = document.createDocumentFragment();
  for (const { text, name } of sentence(event)) line.append(name ? value(text) : text);
  return line;
}

/** @param {string} text */
function value(text) {
  const element = document.createElement("b");
  element.textContent = text;
  return element;
}
