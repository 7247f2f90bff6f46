/**
 * What a first screen does: the page opens where it opens without a link, someone looks and plays on,
 * produces, breaks one broker after the other, and asks why. The starter is what runs here, see
 * `www/starter.mjs`; what is left out here takes the whole engine, and waits for it on a slow line.
 */

import { readFile } from "node:fs/promises";
import { freshPace, nextMoment } from "./pace.js";

/** Where the page opens: `START` in `www/scenarios.js`. */
const OPENS_AT = 5_006_500;
/** From one frame to the next, on one screen and another: so the same happens at different moments. */
const FRAMES_MS = [1000 / 144, 1000 / 60, 40];

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
  const script = await readFile(new URL("scenarios/playground.hw", import.meta.url), "utf8");
  for (const course of COURSES) for (const frame of FRAMES_MS) new Screen(Engine, script, frame).play(course);
}

/** The page's part: asks what it asks for each drawing. */
class Screen {
  #engine;
  #view;
  #frame;

  constructor(Engine, script, frame) {
    this.#frame = frame;
    Engine.version();
    Engine.releases();
    this.#engine = new Engine(script);
    this.#written();
    this.#engine.seek(OPENS_AT);
    this.#look();
    this.#engine.fingerprint();
  }

  play(course) {
    for (const { until, does } of course) {
      if (does) this.#act(does);
      this.#playUntil(until);
    }
  }

  #act(action) {
    if (!JSON.parse(this.#engine.perform(action)).ok) throw new Error(`the rehearsal cannot ${action}`);
    this.#written();
    this.#look();
  }

  #playUntil(end) {
    const pace = freshPace();
    while (this.#view.time < end) {
      this.#engine.runUntilSignificant(nextMoment(pace, { ...this.#view, end }, this.#frame, 1));
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
    for (const key of ["min.insync.replicas", "unclean.leader.election.enable"]) engine.value("topic", "orders", key);
    for (const fact of ["leader", "epoch", "AR", "ISR", "OSR", "ELR", "minIsr"]) engine.fact("orders/0", fact);
    for (const client of view.clients) if (client.kind === "consumer") engine.reading(client.name);
    for (const { id } of view.story.slice(0, 3)) engine.why(id, 7);
  }
}
