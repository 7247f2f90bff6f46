/** A lesson, step by step: what is said, a question to guess at, a goal to reach. */

import { html, nothing } from "lit-html";
import { language, t } from "../../i18n.js";
import { learn, lessonsIn, rowOf } from "../../learned.js";
import { ruleLink } from "../../rules.js";
import { allScenarios } from "../../scenarios.js";

/** @typedef {import("../../types.js").LessonStepView} LessonStepView */

/** @param {import("../../app.js").App} app */
export function lesson(app) {
  const { steps, now } = app.lesson;
  const step = steps[now];
  if (step?.kind === "goal" && app.lesson.reached(step)) finished(app);
  return html`
    <section class="lesson lesson-${step?.kind ?? "start"}" aria-label=${t("learn.lesson")}>
      <div class="lesson-bar">
        ${app.ui.embed ? nothing : html`<button class="link" data-learn="contents" @click=${() => app.choose({ dialog: { name: "learn" } })}>${label(app)}</button>`}
        <ol class="steps" aria-label=${t("learn.steps")}>${steps.map((each, i) => dot(app, each, i, now))}</ol>
        <span class="turn">
          <button data-learn="back" ?disabled=${now < 0} @click=${() => app.lesson.goTo(now - 1)}>${t("learn.back")}</button>
          ${
            now < steps.length - 1 && !waits(app, step)
              ? html`<button class="primary" data-learn="next" @click=${() => app.lesson.playTo(now + 1)}>${t(now < 0 ? "learn.start" : step.kind === "ask" ? "learn.watch" : "learn.next")}</button>`
              : nothing
          }
        </span>
      </div>
      ${step ? body(app, step) : html`<p>${withRules(app.about())}</p>`}
    </section>`;
}

/** @param {import("../../app.js").App} app */
function label(app) {
  const row = rowOf(app.lesson.script);
  return row ? t("learn.row", { row }) : t("learn.contents");
}

/**
 * Whether a question waits for its answer.
 * @param {import("../../app.js").App} app
 * @param {LessonStepView|undefined} step
 */
const waits = (app, step) => step?.kind === "ask" && app.lesson.guess(step) === undefined;

/**
 * @param {import("../../app.js").App} app
 * @param {LessonStepView} step
 * @param {number} i
 * @param {number} now
 */
function dot(app, step, i, now) {
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.lesson.goTo(i);
  };
  return html`
    <li><a href=${app.lesson.linkTo(step)} class="${i < now ? "past" : ""} step-${step.kind}" aria-current=${i === now ? "step" : nothing}
      aria-label=${t(`learn.step.${step.kind}`, { n: i + 1 })} title=${t(`learn.step.${step.kind}`, { n: i + 1 })} @click=${go}>${i + 1}</a></li>`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {LessonStepView} step
 */
function body(app, step) {
  const words = html`<p class="words">${step.kind === "goal" ? html`<b>${t("learn.yours")}</b> ` : nothing}${withRules(spoken(step.words))}
    ${step.kind === "say" ? html`<button class="link" data-learn="why" @click=${() => app.explainAgain()}>${t("learn.why")}</button>` : nothing}</p>`;
  if (step.kind === "ask") return html`${words}${answers(app, step)}`;
  return step.kind === "goal" ? html`${words}${goal(app, step)}` : words;
}

/**
 * @param {import("../../app.js").App} app
 * @param {LessonStepView} step
 */
function answers(app, step) {
  const guess = app.lesson.guess(step);
  const chosen = guess === undefined ? undefined : step.answers[guess];
  return html`
    <ul class="answers">${step.answers.map(
      (answer, i) => html`
      <li><button aria-pressed=${i === guess} class=${chosen && (i === guess || answer.right) ? (answer.right ? "right" : "wrong") : ""}
        @click=${() => app.lesson.takeGuess(step, i)}>${spoken(answer.words)}</button></li>`,
    )}</ul>
    ${
      chosen
        ? html`<p class="reply" role="status"><b>${t(chosen.right ? "learn.right" : "learn.wrong")}</b> ${withRules(spoken(chosen.reply))}</p>`
        : nothing
    }`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {LessonStepView} step
 */
function goal(app, step) {
  const again = app.lesson.acted
    ? html`<button class="link" data-learn="again" @click=${() => app.lesson.goTo(app.lesson.steps.indexOf(step))}>${t("learn.again")}</button>`
    : nothing;
  if (!app.lesson.reached(step))
    return html`<p class="reply" role="status" data-goal="open">${t(app.lesson.canAct ? "learn.open" : "learn.openElsewhere")} ${again}</p>`;
  return html`
    <p class="reply right" role="status" data-goal="reached"><b>${t("learn.reached")}</b>
      ${app.ui.embed ? nothing : html`<button class="primary" data-learn="onward" @click=${() => onward(app)}>${t("learn.onward")}</button>`} ${again}</p>`;
}

/** @param {import("../../app.js").App} app */
function finished({ lesson }) {
  if (lesson.done) return;
  lesson.done = true;
  if (lesson.name) learn(lesson.name);
}

/** The lesson behind this one; behind the last one, the contents. @param {import("../../app.js").App} app */
async function onward(app) {
  const lessons = lessonsIn(await allScenarios());
  const next = lessons[lessons.findIndex(({ name }) => name === app.lesson.name) + 1];
  if (next) app.openScenario(next.name, next.script);
  else app.choose({ dialog: { name: "learn" } });
}

/** @param {{en?: string|null, zh?: string|null}} words in the reader's language, or else in the other */
const spoken = ({ en, zh }) => (language() === "zh" ? (zh ?? en) : (en ?? zh)) ?? "";

/** Words, in which rules are links. @param {string} text */
function withRules(text) {
  return text
    .split(/\b(R\d+\.\d+)\b/)
    .map((part, i) =>
      i % 2 ? html`<a href=${ruleLink(part)} target="_blank" rel="noopener">${part}</a>` : part,
    );
}
