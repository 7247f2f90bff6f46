/** The lesson on the screen: where its reader is in it, what was guessed, and whether anything was done. */

import { language } from "./i18n.js";
import { isLesson } from "./scenarios.js";

/** @typedef {import("./types.js").LessonStepView} Step */

export class Lesson {
  #app;
  /** Its script as it was opened, and the edition that this was. */
  #script = "";
  #edition = 0;
  /** What was guessed, by the time of the question. @type {Record<number, number>} */
  #guesses = {};

  /** Whether the scenario on the screen is one. */
  isOpen = false;
  /** The bundled scenario's name. @type {string|null} */
  name = null;
  /** What it says and asks, step by step. @type {Step[]} */
  steps = [];
  /** Whether its goal was reached once. */
  done = false;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
  }

  get script() {
    return this.#script;
  }

  /**
   * A scenario was opened: a lesson or not. The same lesson again keeps what was guessed.
   * @param {string} script
   * @param {string|null} name
   */
  open(script, name) {
    if (script !== this.#script) {
      this.#guesses = {};
      this.done = false;
    }
    this.isOpen = isLesson(script);
    this.name = name;
    this.#script = script;
    this.#edition = this.#app.edition;
  }

  /** Whether anything was done in it. */
  get acted() {
    return this.#app.edition !== this.#edition;
  }

  /** Whether there is something to do it with. */
  get canAct() {
    const { embed, controls } = this.#app.ui;
    return !embed || controls === "full";
  }

  /** The last step whose time has come; -1 before the first. */
  get now() {
    return this.steps.findLastIndex((step) => step.time <= this.#app.view.time);
  }

  /** Where playing stops by itself, if it does: for a question or a goal. */
  get nextStop() {
    const { time } = this.#app.view;
    return this.steps.find((step) => step.kind !== "say" && step.time > time)?.time;
  }

  /** Whether a goal is reached: by what was done, since it was set. @param {Step} step */
  reached(step) {
    return step.met && this.acted && this.#app.view.time >= step.time;
  }

  /** @param {Step} step what was guessed there, if anything */
  guess(step) {
    return this.#guesses[step.time];
  }

  /** The first guess counts. @param {Step} step @param {number} answer */
  takeGuess(step, answer) {
    this.#guesses[step.time] ??= answer;
    this.#app.draw();
  }

  /** @param {Step} step a link to it, for others */
  linkTo(step) {
    return this.name ? `#s=${this.name}&at=${step.time / 1000}ms&lang=${language()}` : "#";
  }

  /** To a step as the lesson tells it, without what was done since. @param {number} i -1: the beginning */
  goTo(i) {
    const app = this.#app;
    app.whenReady(() => {
      const step = this.steps[i];
      const time = step?.time ?? 0;
      if (this.acted) app.open(this.#script, this.name, { time });
      else app.seek(time);
      if (step && this.name && !app.ui.embed) history.replaceState(null, "", this.linkTo(step));
    });
  }

  /** Plays on to a step. @param {number} i */
  playTo(i) {
    const app = this.#app;
    app.whenReady(() => {
      const step = this.steps[i];
      if (!step) return;
      if (step.time <= app.view.time) this.goTo(i);
      else app.playUntil(step.time);
    });
  }
}
