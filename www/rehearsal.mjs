/**
 * What a first screen does: the page opens where it opens without a link, someone looks and plays on,
 * produces, breaks one broker after the other, and asks why. The starter is what runs here, see
 * `www/starter.mjs`; what is left out here takes the whole engine, and waits for it on a slow line.
 */

import { readFile } from "node:fs/promises";
import { OPENING } from "./opening.js";
import { freshPace, nextMoment } from "./pace.js";

/** How often each course is rehearsed: what is seen of it, and when it is gone on, is never the same. */
const TIMES = 64;
/** From one frame to the next at least and at most, in ms: what the page itself takes for one. */
const FRAME_MS = [4, 100];
/** How often somebody asks for more than the next frame. */
const CURIOUS = 0.1;
/** By how much somebody is sooner or later than the course says at most, in µs. */
const APART = 400_000;

/**
 * What somebody does, and until when, in µs, it is followed: as far as the page itself would follow,
 * and not so far that anything has to be kept for going back.
 * @type {{until: number, does?: string}[][]}
 */
const COURSES = [
  [{ until: 21_000_321 }],
  [{ until: 5_618_097, does: 'send p1 "m6"' }, { until: 14_690_183, does: "crash 3" }, { until: 16_981_470, does: 'send p1 "m7"' },
    { until: 25_000_001, does: "crash 1" }],
  [{ until: 13_802_399, does: "crash 3" }, { until: 21_386_006, does: "crash 1" }, { until: 22_999_999, does: 'send p1 "m6"' }],
];

/** @param {any} Engine the engine's class */
export async function rehearse(Engine) {
  const script = await readFile(new URL(`scenarios/${OPENING.name}.hw`, import.meta.url), "utf8");
  const chance = chances();
  for (const course of COURSES) for (let i = 0; i < TIMES; i++) new Screen(Engine, script, chance).play(course);
}

/** Numbers from 0 to 1, the same in every build. */
function chances() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The page's part: asks what it asks for each drawing. */
class Screen {
  #engine;
  #view;
  #chance;

  constructor(Engine, script, chance) {
    this.#chance = chance;
    Engine.version();
    Engine.releases();
    this.#engine = new Engine(script);
    this.#written();
    this.#engine.seek(OPENING.at.time);
    this.#look();
    this.#engine.fingerprint();
  }

  play(course) {
    for (const { until, does } of course) {
      if (does) this.#act(does);
      const end = until + APART * (2 * this.#chance() - 1);
      const unit = this.#chance() < 0.5 ? 1 : 1000; // A time is written in µs or in ms.
      this.#playUntil(Math.round(end / unit) * unit);
    }
  }

  #act(action) {
    if (!JSON.parse(this.#engine.perform(action)).ok) throw new Error(`the rehearsal cannot ${action}`);
    this.#written();
    this.#look();
  }

  #playUntil(end) {
    const [least, most] = FRAME_MS;
    const usual = least * (most / least) ** this.#chance();
    const pace = freshPace();
    while (this.#view.time < end) {
      const frame = Math.min(most, usual * (0.8 + 0.4 * this.#chance()));
      this.#engine.runUntilSignificant(nextMoment(pace, { ...this.#view, end }, frame, 1));
      this.#look();
    }
  }

  #written() {
    this.#engine.script();
    this.#engine.branches();
  }

  #look() {
    const engine = this.#engine;
    const view = JSON.parse(engine.view({ cells: 8, story: 20, storyAll: false, records: 0, flights: 60, flightsAll: false }));
    this.#view = view;
    if (this.#chance() > CURIOUS) return;
    for (const key of ["min.insync.replicas", "unclean.leader.election.enable"]) engine.value("topic", "orders", key);
    for (const fact of ["leader", "epoch", "AR", "ISR", "OSR", "ELR", "minIsr"]) engine.fact("orders/0", fact);
    for (const client of view.clients) if (client.kind === "consumer") engine.reading(client.name);
    for (const { id } of view.story.slice(0, 3)) engine.why(id, 7);
  }
}
