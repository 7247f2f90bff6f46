/**
 * Plays: runs the engine a little further with each frame, at a pace for the eye. After an action it
 * follows what comes of it: until there is a verdict, or until all is settled.
 */

import { narration } from "./i18n.js";
import { freshPace, nextMoment, standstill } from "./pace.js";
import { VERDICTS } from "./verdicts.js";

/** How much virtual time a fault is followed for at most: a session must have time to expire. */
const FOLLOW_LIMIT_US = 40e6;
/** How much virtual time passes after the last striking event before nothing more is expected. */
const AFTERMATH_US = 2e6;

/**
 * @typedef {object} Follow what comes of one action
 * @property {number} from when it was taken
 * @property {number} next id of the first event that was not looked at yet
 * @property {number} last when something striking happened last
 * @property {boolean} waiting whether only the fault itself has happened so far
 * @property {boolean} moved whether anything was unsettled since
 */

export class Player {
  #app;
  #pace = freshPace();
  #frame = 0;
  #last = 0;
  /** Where it stops. @type {number|undefined} */
  #until;
  /** Until when time stands still, in real time. */
  #standsUntil = 0;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {{follow?: boolean, until?: number}} [how] follow the last action, or else play to there, or to the end */
  start({ follow = false, until } = {}) {
    const { ui, view } = this.#app;
    this.stop();
    ui.playing = true;
    this.#until = until;
    const next = view.events; // What the action itself brings about at once counts too.
    ui.follow = follow
      ? { from: view.time, next, last: view.time, waiting: false, moved: false }
      : null;
    this.#pace = freshPace();
    this.#last = performance.now();
    this.#standsUntil = 0;
    this.#next();
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    Object.assign(this.#app.ui, { playing: false, follow: null });
  }

  #next() {
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  /** @param {number} now */
  #tick(now) {
    const app = this.#app;
    const { follow, speed } = app.ui;
    if (!follow && now < this.#standsUntil) {
      this.#last = now;
      this.#next();
      return;
    }
    const before = app.view;
    const end = follow ? follow.from + FOLLOW_LIMIT_US : (this.#until ?? app.view.end);
    const moment = nextMoment(this.#pace, { ...app.view, end }, now - this.#last, speed);
    this.#last = now;
    const say = app.marks().find((mark) => mark.kind === "say" && mark.time > before.time);
    app.advance(say ? Math.min(moment, say.time) : moment);
    const stands = standstill(before, app.view, narration(app.view) ?? "", speed);
    if (stands) {
      this.#standsUntil = now + stands;
      this.#pace.watched = 0;
    }
    if (!follow && app.view.time >= end) app.arrive();
    else if (follow && this.#followed(follow)) app.pause();
    if (app.ui.playing) this.#next();
  }

  /**
   * Explains what is new and striking; says whether there is nothing more to wait for.
   * @param {Follow} follow
   */
  #followed(follow) {
    const { ui, view } = this.#app;
    const news = view.story.filter((event) => event.id >= follow.next && event.weight >= 3);
    follow.next = view.events;
    const verdict = news.findLast((event) => VERDICTS.has(event.code));
    if (news.length) {
      ui.why = (verdict ?? news[0]).id;
      this.#pace.watched = 0;
      follow.last = news[0].time;
      // What has no cause is the fault itself; what it leads to is still to come.
      follow.waiting = news.every((event) => event.causes.length === 0);
    }
    follow.moved ||= !view.settled;
    // A session that has to end first is waited for.
    const enough = follow.waiting || !view.settled ? FOLLOW_LIMIT_US : AFTERMATH_US;
    return Boolean(verdict) || (follow.moved && view.settled) || view.time - follow.last >= enough;
  }
}
