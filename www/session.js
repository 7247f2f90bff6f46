/**
 * A run of one scenario: the handle to the engine, and what happens when the engine panics. Every
 * call goes through `#call`; after a trap a new instance is made and the script up to the line
 * before is replayed, so that nothing but the line that broke it is lost. A starter that traps has
 * come to what only the whole engine does: the run goes on when that is there.
 */

import { freshInstance } from "./engine.js";

/** Version of the view structs that this page reads. */
const VIEW_VERSION = 1;

/** The script was not taken. */
export class ScriptRefused extends Error {
  /** @param {import("./types.js").ErrorLineView[]} errors */
  constructor(errors) {
    super("script refused");
    this.errors = errors;
  }
}

export class Session {
  #instance = freshInstance();
  #engine = null;
  #safe = { script: "", time: 0, index: 0 };

  /** What was done with the starter. @type {(() => unknown)[]} */
  journal = [];
  /** Whether the starter has come to its end: nothing can be asked of it any more. */
  stuck = false;

  /** The last panic: its message and what was asked for. @type {{message: string, doing: string}|null} */
  panic = null;

  /**
   * @param {string} script
   * @throws {ScriptRefused}
   */
  constructor(script) {
    this.#safe.script = script;
    this.#engine = this.#create(script);
    this.#keep();
  }

  /** Whether it runs on more than a starter. */
  get whole() {
    return this.#instance.whole;
  }

  /** Goes over to the whole engine, and does again there what was done with the starter. */
  complete() {
    this.#renew();
    this.stuck = false;
    for (const work of this.journal) work();
    this.journal = [];
    this.#keep();
  }

  /** @returns {string} */
  get version() {
    return this.#instance.Engine.version();
  }

  /** @param {string} text @returns {import("./types.js").ErrorLineView[]} */
  check(text) {
    return this.#ask("check", () => this.#instance.Engine.check(text)) ?? [];
  }

  /**
   * @param {object} wanted which parts of the view, see web/src/view.rs
   * @returns {import("./types.js").View}
   */
  view(wanted) {
    const view = () => this.#engine.view(wanted);
    const shown = this.#ask("view", view) ?? JSON.parse(view());
    if (shown.v !== VIEW_VERSION) throw new Error(`view version ${shown.v}, expected ${VIEW_VERSION}`);
    return shown;
  }

  /** One event on, or back. */
  step() { this.#change("step", () => this.#engine.step()); }
  stepBack() { this.#change("step back", () => this.#engine.stepBack()); }
  settle() { this.#change("settle", () => this.#engine.settle()); }

  /** @param {number} us */
  runUntil(us) { this.#change(`run until ${us} µs`, () => this.#engine.runUntil(us)); }

  /**
   * Runs on; but where nothing that matters is under way, no further than to where it begins to move,
   * and no more than a frame has time for.
   * @param {number} us at most to here
   */
  runToSignificant(us) { this.#change(`run to ${us} µs`, () => this.#engine.runUntilSignificant(us)); }

  /** @param {number} us @param {number} [index] */
  seek(us, index) { this.#change(`seek ${us} µs`, () => this.#engine.seek(us, index)); }

  /**
   * Does something at the present moment: one more line of the script.
   * @param {string} action
   * @returns {{ok: boolean, branched?: boolean, line?: number, errors?: import("./types.js").ErrorLineView[]}}
   */
  perform(action) {
    this.#keep();
    const done = this.#change(action, () => this.#engine.perform(action));
    return done === undefined ? { ok: false, errors: [] } : JSON.parse(done);
  }

  /** @param {string} text @throws {ScriptRefused} */
  replaceScript(text) {
    this.#keep();
    this.#change("script", () => refusing(() => this.#engine.replaceScript(text)));
  }

  /** @returns {string[]} oldest first */
  releases() { return this.#instance.Engine.releases().split(", "); }

  /** @param {string} release @returns {{script: string, leftOut: string[]}} this script there */
  onRelease(release) { return this.#ask("release", () => this.#engine.onRelease(release)) ?? { script: this.script(), leftOut: [] }; }

  undo() { return this.#change("undo", () => this.#engine.undo()) ?? false; }
  redo() { return this.#change("redo", () => this.#engine.redo()) ?? false; }
  branches() { return this.#ask("branches", () => this.#engine.branches()) ?? []; }
  /** @param {number} id */
  switchBranch(id) { this.#change("branch", () => this.#engine.switchBranch(id)); }

  /** @returns {string} */
  fingerprint() { return this.#call("fingerprint", () => this.#engine.fingerprint()); }
  /** @returns {string} */
  script() { return this.#call("script", () => this.#engine.script()); }

  /** @param {number} id @returns {import("./types.js").EventView|undefined} */
  event(id) { return this.#ask("event", () => this.#engine.event(id)); }
  /** @param {number} id @param {number} depth @returns {import("./types.js").EventView[]} */
  why(id, depth) { return this.#ask("why", () => this.#engine.why(id, depth)) ?? []; }
  /** @param {string} partition @param {string} name @returns {number|undefined} */
  fact(partition, name) { return this.#call("fact", () => this.#engine.fact(partition, name)); }
  /** @param {number} id @returns {import("./types.js").RecordView|undefined} */
  record(id) { return this.#ask("record", () => this.#engine.record(id)); }
  /** @param {string} consumer @returns {import("./types.js").ReadingView|undefined} */
  reading(consumer) { return this.#ask("reading", () => this.#engine.reading(consumer)); }
  /** @param {string} partition */
  series(partition) { return this.#ask("series", () => this.#engine.series(partition)); }
  spacetime(from, to, limit) { return this.#ask("spacetime", () => this.#engine.spacetime(from, to, limit)) ?? []; }
  map() { return this.#ask("map", () => this.#engine.map()); }
  settings(scope, name) { return this.#ask("settings", () => this.#engine.settings(scope, name)) ?? []; }
  /** @param {string} scope @param {string} name @param {string} key @returns {string|undefined} what holds there */
  value(scope, name, key) { return this.#call("value", () => this.#engine.value(scope, name, key)); }
  pasteConfig(kind, text, name) {
    this.#keep();
    return this.#ask("paste", () => this.#engine.pasteConfig(kind, text, name)) ?? { applied: [], skipped: [] };
  }
  /** @param {string} text @param {string} release @returns {import("./types.js").DescribedView|undefined} */
  readDescribe(text, release) { return this.#ask("describe", () => this.#instance.Engine.readDescribe(text, release)); }
  describe(topic) { return this.#call("describe", () => this.#engine.describe(topic)) ?? ""; }
  /** @param {string} [partition] whose replicas' metrics are wanted, too */
  metrics(partition) { return this.#ask("metrics", () => this.#engine.metrics(partition)) ?? []; }

  /** Breaks the engine on purpose: the tests' way to see that nothing is lost. */
  panicForTest() {
    this.#keep();
    this.#call("panicForTest", () => this.#instance.Engine.panicForTest());
  }

  #create(script) {
    return refusing(() => new this.#instance.Engine(script));
  }

  #keep() {
    if (!this.whole) return;
    const { time, index } = JSON.parse(this.#engine.view({ cells: 0, story: 0, records: 0, flights: 0 }));
    this.#safe = { script: this.#engine.script(), time, index };
  }

  #call(doing, work) {
    if (this.stuck) throw new Error(doing);
    try {
      return work();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.stuck = !this.whole;
      if (this.stuck) throw error;
      this.panic = { message: this.#instance.panics.join("\n") || String(error), doing };
      this.#rebuild();
      return undefined;
    }
  }

  /** A call after which the run is not what it was. */
  #change(doing, work) {
    const done = this.#call(doing, work);
    if (!this.whole) this.journal.push(work);
    return done;
  }

  /** A call whose answer is a view struct, as text. */
  #ask(doing, work) {
    const text = this.#call(doing, work);
    return text === undefined ? undefined : JSON.parse(text);
  }

  #rebuild() {
    this.#renew();
    this.#engine.seek(this.#safe.time, this.#safe.index);
  }

  #renew() {
    try { this.#engine.free(); } catch { /* It is of no use any more, and may not even let go. */ }
    this.#instance = freshInstance();
    this.#engine = this.#create(this.#safe.script);
  }
}

function refusing(work) {
  try {
    return work();
  } catch (error) {
    if (typeof error !== "string") throw error;
    throw new ScriptRefused(JSON.parse(error));
  }
}
