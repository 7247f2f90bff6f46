/**
 * Plays: runs the engine a little further with each frame, at a pace for the eye. After an action it
 * follows what comes of it: until there is a verdict, or until all is settled.
 */

import { freshPace, nextMoment } from "./pace.js";

/** Codes after which time stops by itself: someone should look at these. */
export const VERDICTS = new Set(["produce.refused", "produce.failed", "produce.timedOut", "batch.failed",
  "audit.ackedLost", "audit.lost", "audit.duplicated", "audit.reordered", "audit.broken"]);

/** How much virtual time one action is followed for at most. */
const FOLLOW_LIMIT_US = 40e6;

export class Player {
  #app;
  #pace = freshPace();
  #frame = 0;
  #last = 0;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {{follow?: boolean}} [how] follow the last action, or else play to the end */
  start({ follow = false } = {}) {
    const { ui, session, view } = this.#app;
    this.stop();
    ui.playing = true;
    ui.follow = follow ? { from: view.time, events: session.view({ story: 0 }).events, moved: false } : null;
    this.#pace = freshPace();
    this.#last = performance.now();
    this.#next();
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    Object.assign(this.#app.ui, { playing: false, follow: null });
  }

  #next() {
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    const app = this.#app;
    const { follow, speed } = app.ui;
    const end = follow ? follow.from + FOLLOW_LIMIT_US : app.view.end;
    const moment = nextMoment(this.#pace, { ...app.view, end }, now - this.#last, speed);
    this.#last = now;
    app.session.runUntil(moment);
    app.refresh();
    if (follow ? this.#followed(follow) : app.view.time >= end) app.pause();
    if (app.ui.playing) this.#next();
  }

  /** Explains what is new and striking; says whether there is nothing more to wait for. */
  #followed(follow) {
    const { ui, view } = this.#app;
    const news = view.story.filter((event) => event.id >= follow.events);
    const verdict = news.findLast((event) => VERDICTS.has(event.code));
    const striking = verdict ?? news.find((event) => event.weight >= 3);
    if (striking && striking.id !== ui.why) {
      ui.why = striking.id;
      this.#pace.watched = 0;
    }
    follow.moved ||= !view.settled;
    const quiet = follow.moved && view.settled;
    return Boolean(verdict) || quiet || view.time - follow.from >= FOLLOW_LIMIT_US;
  }
}
