/**
 * A run of one scenario: the handle to the engine, and what happens when the engine panics. Every
 * call goes through `#call`; after a trap a new instance is made and the script up to the line
 * before is replayed, so that nothing but the line that broke it is lost.
 */

import { freshInstance } from "./engine.js";

/** @typedef {import("./types.js").Engine} Engine */

/** Version of the view structs that this page reads. */
const VIEW_VERSION = 2;

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
  /** @type {Engine} */
  #engine;
  #safe = { script: "", time: 0, index: 0 };

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

  get version() {
    return this.#instance.Engine.version();
  }

  /** Oldest first. */
  get releases() {
    return this.#instance.Engine.releases();
  }

  /** @param {string} text */
  check(text) {
    return this.#call("check", () => this.#instance.Engine.check(text)) ?? [];
  }

  /** @param {import("./types.js").ViewRequest} wanted which parts of the view */
  view(wanted) {
    const ask = () => this.#engine.view(wanted);
    const view = this.#call("view", ask) ?? ask();
    if (view.v !== VIEW_VERSION)
      throw new Error(`view version ${view.v}, expected ${VIEW_VERSION}`);
    return view;
  }

  /** One event on, or back. */
  step() {
    this.#call("step", () => this.#engine.step());
  }
  stepBack() {
    this.#call("step back", () => this.#engine.stepBack());
  }
  settle() {
    this.#call("settle", () => this.#engine.settle());
  }

  /** @param {number} us */
  runUntil(us) {
    this.#call(`run until ${us} µs`, () => this.#engine.runUntil(us));
  }

  /**
   * Runs on; but where nothing that matters is under way, no further than to where it begins to move,
   * and no more than a frame has time for.
   * @param {number} us at most to here
   */
  runToSignificant(us) {
    this.#call(`run to ${us} µs`, () => this.#engine.runUntilSignificant(us));
  }

  /** @param {number} us @param {number} [index] */
  seek(us, index) {
    this.#call(`seek ${us} µs`, () => this.#engine.seek(us, index));
  }

  /**
   * Does something at the present moment: one more line of the script.
   * @param {string} action
   * @returns {Pick<import("./types.js").PerformView, "ok"|"errors">}
   */
  perform(action) {
    this.#keep();
    return this.#call(action, () => this.#engine.perform(action)) ?? { ok: false, errors: [] };
  }

  /** @param {string} text @throws {ScriptRefused} */
  replaceScript(text) {
    this.#keep();
    this.#call("script", () => refusing(() => this.#engine.replaceScript(text)));
  }

  /** @param {string} release this script there */
  onRelease(release) {
    const moved = this.#call("release", () => this.#engine.onRelease(release));
    return moved ?? { script: this.script(), leftOut: [] };
  }

  undo() {
    return this.#call("undo", () => this.#engine.undo()) ?? false;
  }
  redo() {
    return this.#call("redo", () => this.#engine.redo()) ?? false;
  }
  branches() {
    return this.#call("branches", () => this.#engine.branches()) ?? [];
  }
  /** @param {number} id */
  switchBranch(id) {
    this.#call("branch", () => this.#engine.switchBranch(id));
  }

  /** What the script says and asks, step by step. */
  steps() {
    return this.#call("steps", () => this.#engine.steps()) ?? [];
  }
  fingerprint() {
    return this.#call("fingerprint", () => this.#engine.fingerprint()) ?? "";
  }
  script() {
    return this.#call("script", () => this.#engine.script()) ?? this.#safe.script;
  }

  /** @param {number} id */
  event(id) {
    return this.#call("event", () => this.#engine.event(id));
  }
  /** @param {number} id @param {number} depth */
  why(id, depth) {
    return this.#call("why", () => this.#engine.why(id, depth)) ?? [];
  }
  /** @param {string} partition @param {string} name */
  fact(partition, name) {
    return this.#call("fact", () => this.#engine.fact(partition, name));
  }
  /** @param {number} id */
  record(id) {
    return this.#call("record", () => this.#engine.record(id));
  }
  /** @param {string} consumer */
  reading(consumer) {
    return this.#call("reading", () => this.#engine.reading(consumer));
  }
  /** @param {string} partition */
  series(partition) {
    return this.#call("series", () => this.#engine.series(partition));
  }
  /** @param {number} from @param {number} to @param {number} limit */
  spacetime(from, to, limit) {
    return this.#call("spacetime", () => this.#engine.spacetime(from, to, limit)) ?? [];
  }
  map() {
    return this.#call("map", () => this.#engine.map());
  }
  /** @param {string} scope @param {string} name */
  settings(scope, name) {
    return this.#call("settings", () => this.#engine.settings(scope, name)) ?? [];
  }
  /** @param {string} scope @param {string} name @param {string} key what holds there */
  value(scope, name, key) {
    return this.#call("value", () => this.#engine.value(scope, name, key));
  }
  /** @param {string} kind @param {string} text @param {string} [name] */
  pasteConfig(kind, text, name) {
    this.#keep();
    const done = this.#call("paste", () => this.#engine.pasteConfig(kind, text, name));
    return done ?? { applied: [], skipped: [] };
  }
  /** @param {string} topic */
  describe(topic) {
    return this.#call("describe", () => this.#engine.describe(topic)) ?? "";
  }
  /** @param {string} [partition] whose replicas' metrics are wanted, too */
  metrics(partition) {
    return this.#call("metrics", () => this.#engine.metrics(partition)) ?? [];
  }

  /** @param {string} script */
  #create(script) {
    return refusing(() => new this.#instance.Engine(script));
  }

  #keep() {
    const { time, index } = this.#engine;
    this.#safe = { script: this.#engine.script(), time, index };
  }

  /**
   * @template Answer
   * @param {string} doing
   * @param {() => Answer} work
   * @returns {Answer|undefined} nothing if the engine has panicked
   */
  #call(doing, work) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.panic = { message: this.#instance.panics.join("\n") || String(error), doing };
      this.#rebuild();
      return undefined;
    }
  }

  #rebuild() {
    try {
      this.#engine.free();
    } catch {
      /* It is of no use any more, and may not even let go. */
    }
    this.#instance = freshInstance();
    this.#engine = this.#create(this.#safe.script);
    this.#engine.seek(this.#safe.time, this.#safe.index);
  }
}

/**
 * @template Answer
 * @param {() => Answer} work
 * @throws {ScriptRefused}
 */
function refusing(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && error.name === "ScriptRefused" && "errors" in error) {
      const { errors } = /** @type {{errors: import("./types.js").ErrorLineView[]}} */ (error);
      throw new ScriptRefused(errors);
    }
    throw error;
  }
}
