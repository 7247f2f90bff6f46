/** All lessons, grouped as the articles are, with those that were done. */

import { html, nothing } from "lit-html";
import { language, t } from "../../i18n.js";
import { CHAPTERS, learned, lessonsIn } from "../../learned.js";
import { allScenarios, scenarioAbout, scenarioTitle } from "../../scenarios.js";

let lessons = /** @type {ReturnType<typeof lessonsIn>|null} */ (null);

/** @param {import("../../app.js").App} app */
export function dialog(app) {
  if (!lessons)
    allScenarios().then((all) => {
      lessons = lessonsIn(all);
      app.draw();
    });
  const all = lessons ?? [];
  const done = learned();
  return html`
    <p>${t("learn.about")} ${all.length ? t("learn.done", { done: all.filter(({ name }) => done.has(name)).length, all: all.length }) : nothing}</p>
    ${CHAPTERS.map(
      ({ name, rows }) => html`
      <h3>${t(`learn.chapter.${name}`)}</h3>
      <ol class="gallery lessons">${rows.map((row) =>
        entry(
          app,
          row,
          all.find((each) => each.row === row),
          done,
        ),
      )}</ol>`,
    )}
    <p><button class="link" @click=${() => app.choose({ dialog: { name: "gallery" } })}>${t("learn.gallery")}</button></p>`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {string} row
 * @param {{name: string, script: string}|undefined} lesson
 * @param {Set<string>} done
 */
function entry(app, row, lesson, done) {
  if (!lesson)
    return lessons
      ? html`<li class="missing"><span>${t(`learn.missing.${row}`)}</span></li>`
      : nothing;
  const { name, script } = lesson;
  const open = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.openScenario(name, script);
  };
  return html`
    <li class=${name === (app.lesson.isOpen && app.lesson.name) ? "chosen" : ""}>
      <a data-lesson=${name} href="#s=${name}&lang=${language()}" @click=${open}>
        <strong>${scenarioTitle(script) ?? name}${done.has(name) ? html` <em class="tick" aria-label=${t("learn.isDone")}>✓</em>` : nothing}</strong>
        <span>${scenarioAbout(script)}</span>
      </a>
    </li>`;
}
