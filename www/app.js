/**
 * The page's state and all that can be done to it. Views read `app.view` and `app.ui` and call the
 * methods here; after each change the page is drawn anew from the two.
 */

import { render } from "lit-html";
import { sendAction } from "./actions.js";
import { language, t, useLanguage } from "./i18n.js";
import { Lesson } from "./lesson.js";
import { announce, tell } from "./live.js";
import { SHOWN } from "./opening.js";
import { Pending } from "./pending.js";
import { Player } from "./player.js";
import { remember } from "./remember.js";
import { pickMarks, START, scenarioAbout } from "./scenarios.js";
import { ScriptRefused, Session } from "./session.js";
import { Still } from "./still.js";
import { mostTelling } from "./verdicts.js";
import { nextVictim } from "./victims.js";
import { page } from "./views/page.js";

/** What can be chosen, and which dialogs open, without the engine. */
const FREE = new Set(["speed", "errors", "problems"]);
const FREE_DIALOGS = new Set(["gallery", "learn", "help"]);

export class App {
  /** What the screen shows comes from: the run, or before the engine is there the first frame. @type {Session|Still} */
  source;
  /** @type {import("./types.js").View} */
  view;
  /** What the reader chose; never part of a run. */
  ui = {
    embed: false,
    /** What of an embed can be touched. @type {"none"|"play"|"full"} */
    controls: "full",
    name: /** @type {string|null} */ (null),
    partition: /** @type {string|undefined} */ (undefined),
    playing: false,
    follow: /** @type {import("./player.js").Follow|null} */ (null),
    speed: 1,
    why: /** @type {number|null} */ (null),
    depth: SHOWN.depth,
    explain: true,
    storyAll: false,
    lines: SHOWN.lines,
    flightsAll: false,
    panel: /** @type {string|null} */ (null),
    dialog: /** @type {null|{name: string, [key: string]: any}} */ (null),
    /** A script that was refused, or is being typed: kept until it is run or given up. */
    typed: /** @type {string|null} */ (null),
    problems: /** @type {{key: string, params?: Record<string, any>}[]} */ ([]),
    errors: /** @type {import("./types.js").ErrorLineView[]} */ ([]),
    theme: "auto",
    rows: SHOWN.rows,
    draft: { value: "", key: "", producer: "" },
    /** The release that the script was opened on: its narration speaks of that one. */
    home: /** @type {string|null} */ (null),
    /** The release that it was run on before, with its script, and this one's: for the flip. */
    other: /** @type {{release: string, script: string, now: string}|null} */ (null),
  };

  /** Whether the next drawing is of another time altogether. */
  leapt = false;
  lesson = new Lesson(this);
  /** Grows with each change of the script: from then on an event's id may be another event's. */
  edition = 0;

  #root;
  #session = /** @type {Session|null} */ (null);
  #pending;
  #player = new Player(this);
  #listeners = new Set();
  #script = "";
  /** @type {import("./types.js").BranchView[]} */
  #branches = [];
  #chain = { why: -1, depth: 0, events: /** @type {import("./types.js").EventView[]} */ ([]) };
  #quick = { minIsr: "", unclean: "false" };

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    this.#pending = new Pending(root);
    document.addEventListener("visibilitychange", () => document.hidden && this.pause());
  }

  /** @param {() => void} listener called after each drawing */
  onDraw(listener) {
    this.#listeners.add(listener);
  }

  /** The run. Whoever asks it opens with the engine only. */
  get session() {
    if (!this.#session) throw new Error("the engine is not there yet");
    return this.#session;
  }

  /** Whether the engine is there, and what waited for it is done. */
  get ready() {
    return this.#pending.over;
  }

  /** Shows the opening moment as it was when the page was built. */
  showFirstFrame() {
    this.source = new Still();
    this.ui.name = START.name;
    this.#rewritten();
    this.refresh();
  }

  /** The engine is there: what the first frame shows goes on, and what waited is done. */
  wake() {
    if (this.source instanceof Still) {
      this.#session = new Session(START.script);
      this.#session.seek(START.at.time);
      this.source = this.#session;
      this.refresh();
    }
    this.#pending.release();
  }

  /**
   * Does what takes the engine: at once, or when it is there.
   * @param {() => unknown} work
   * @param {string} [kind] of which only the last one of a row counts
   */
  whenReady(work, kind) {
    if (this.ready) {
      work();
      return;
    }
    this.#pending.put(work, kind);
    tell(t("page.waits"));
  }

  /**
   * Does what a key stands for.
   * @param {string} name of the button that does the same
   * @param {() => void} act
   */
  press(name, act) {
    this.#pending.as(this.#root.querySelector(`[data-key=${name}], [data-verb=${name}]`), act);
  }

  /**
   * Opens a script at a moment.
   * @param {string} script
   * @param {string|null} name of the bundled scenario that it is
   * @param {{time: number, index?: number}} [at]
   */
  open(script, name, at) {
    this.pause();
    const next = this.#accepted(() => new Session(script));
    this.ui.typed = next ? null : script;
    if (!next) return false;
    this.#session = next;
    this.source = next;
    this.leapt = true;
    if (at) this.session.seek(at.time, at.index);
    Object.assign(this.ui, {
      name,
      partition: undefined,
      why: null,
      errors: [],
      other: null,
      home: null,
    });
    this.#rewritten();
    this.lesson.open(script, name);
    this.refresh();
    return true;
  }

  /** Plays to there; what is explained meanwhile is what happens. @param {number} time */
  playUntil(time) {
    this.ui.why = null;
    this.#player.start({ until: time });
    this.refresh();
  }

  /** A player has come to where it was to stop: what is there is explained anew. */
  arrive() {
    this.pause();
    if (!this.lesson.isOpen) return;
    this.ui.why = null;
    this.refresh();
  }

  /** The scenario in a sentence. */
  about() {
    return scenarioAbout(this.#script) ?? "";
  }

  /** Asks the engine for what is shown, and draws it. */
  refresh() {
    const { ui } = this;
    this.view = this.source.view({
      partition: ui.partition,
      cells: ui.rows,
      story: ui.embed ? 12 : ui.lines,
      storyAll: ui.storyAll,
      records: ui.panel === "records" ? 200 : 0,
      flights: 60,
      flightsAll: ui.flightsAll,
    });
    this.lesson.steps = (this.lesson.isOpen && this.#session?.steps()) || [];
    ui.home ??= this.view.release;
    if (!ui.playing) this.#readQuickSettings();
    if (ui.explain && !ui.follow && ui.why === null) ui.why = mostTelling(this.view)?.id ?? null;
    const panic = this.#session?.panic;
    if (panic && ui.dialog?.name !== "panic") ui.dialog = { name: "panic", ...panic };
    this.draw();
    announce(this.view.story);
  }

  /** @param {number} us plays as far as there, or to where something begins to move */
  advance(us) {
    this.session.runToSignificant(us);
    this.refresh();
  }

  /** Draws without asking the engine. */
  draw() {
    this.#root.classList.toggle("leapt", this.leapt);
    render(page(this), this.#root);
    this.leapt = false;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Does something at the present moment and follows what comes of it.
   * @param {string} action a line of the script without its `at`
   * @param {{follow?: boolean}} [how]
   */
  act(action, { follow = true } = {}) {
    this.whenReady(() => this.#act(action, follow));
  }

  /**
   * @param {string} action
   * @param {boolean} follow
   */
  #act(action, follow) {
    const done = this.session.perform(action);
    this.ui.errors = done.errors;
    if (done.ok) {
      this.#edited();
      if (follow) {
        this.ui.why = null;
        this.#player.start({ follow: true });
      }
      this.session.runUntil(this.view.time + 1); // An instant that is over takes its line a µs later.
    }
    this.refresh();
  }

  /** Crashes what comes next: a running follower of the chosen partition before its leader. */
  breakNext() {
    this.whenReady(() => {
      const victim = nextVictim(this.view);
      if (victim) this.#act(`crash ${victim.id}`, true);
    });
  }

  /** Sends the drafted record, or the next of a row. */
  produce() {
    this.whenReady(() => this.#produce());
  }

  #produce() {
    const { draft } = this.ui;
    const producers = this.view.clients.filter((client) => client.kind === "producer");
    const producer = producers.find((client) => client.name === draft.producer) ?? producers[0];
    if (!producer) return;
    const value = draft.value || `m${producer.sent + 1}`;
    this.#act(sendAction(producer.name, value, { key: draft.key }), true);
  }

  #play() {
    if (this.view.time >= this.view.end) this.session.seek(0);
    this.#player.start({ until: this.lesson.nextStop });
    this.refresh();
  }

  play() {
    this.whenReady(() => this.#play());
  }

  pause() {
    this.#player.stop();
    if (this.view) this.draw();
  }

  toggle() {
    this.whenReady(() => (this.ui.playing ? this.pause() : this.#play()));
  }

  step() {
    this.#moved(() => this.session.step());
  }
  stepBack() {
    this.#moved(() => this.session.stepBack());
  }
  settle() {
    this.#moved(() => this.session.settle());
  }
  /** @param {number} us @param {number} [index] */
  seek(us, index) {
    this.#moved(() => {
      this.session.seek(us, index);
      this.leapt = true;
    }, "seek");
  }
  undo() {
    this.#moved(() => {
      if (this.session.undo()) this.#edited();
    });
  }
  redo() {
    this.#moved(() => {
      if (this.session.redo()) this.#edited();
    });
  }
  /** @param {number} id */
  switchBranch(id) {
    this.#moved(() => {
      this.session.switchBranch(id);
      this.#edited();
    });
  }

  /** @param {string} text @returns {boolean} whether it was taken */
  replaceScript(text) {
    const done = this.#accepted(() => {
      this.session.replaceScript(text);
      return true;
    });
    if (done) this.#edited();
    this.ui.typed = done ? null : text;
    this.refresh();
    return Boolean(done);
  }

  /** @param {number|null|undefined|(() => number|null|undefined)} event to explain, by its id or as it is found */
  explain(event) {
    const known = event === null || (typeof event === "number" && this.#stillExplains(event));
    if (known) this.#explain(event);
    else this.whenReady(() => this.#explain(typeof event === "function" ? event() : event));
  }

  /** Explains what someone should look at first, whether or not that was closed before. */
  explainAgain() {
    this.explain(mostTelling(this.view)?.id ?? null);
  }

  /** @param {number|null|undefined} event */
  #explain(event) {
    this.ui.why = event ?? null;
    this.ui.depth = SHOWN.depth;
    this.ui.explain = this.ui.why !== null;
    this.refresh();
  }

  /** @param {number} id */
  #stillExplains(id) {
    return this.source instanceof Still && this.source.explains(id);
  }

  /** @param {Partial<App["ui"]>} change */
  choose(change) {
    const choose = () => {
      Object.assign(this.ui, change);
      this.refresh();
    };
    if (needsNoEngine(change)) choose();
    else this.whenReady(choose);
  }

  /** The scenario's own text, as it is now. */
  script() {
    return this.#script;
  }

  /** Lines of the script that have a time, as marks on the time line. */
  marks() {
    return pickMarks(this.#script);
  }

  branches() {
    return this.#branches;
  }

  /** The event that is explained and what caused it, cause behind cause; one more than are shown. */
  chain() {
    const { why, depth } = this.ui;
    if (why === null) return [];
    if (this.#chain.why !== why || this.#chain.depth !== depth) {
      this.#chain = { why, depth, events: this.source.why(why, depth + 1) };
    }
    return this.#chain.events;
  }

  /**
   * The event that made a fact of the chosen partition what it is.
   * @param {string} name
   */
  fact(name) {
    const { state } = this.view;
    return state && (this.session.fact(state.name, name) ?? state.why);
  }

  /** Effective values of the settings that are always in reach. */
  quickSettings() {
    return this.#quick;
  }

  async switchLanguage() {
    await useLanguage(language() === "zh" ? "en" : "zh");
    remember("lang", language());
    this.refresh();
  }

  switchTheme() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const shown = this.ui.theme === "auto" ? (dark ? "dark" : "light") : this.ui.theme;
    const next = shown === "dark" ? "light" : "dark";
    remember("theme", next);
    this.useTheme(next);
  }

  /** @param {string} theme light, dark, or else whatever the system has */
  useTheme(theme) {
    this.ui.theme = ["light", "dark"].includes(theme) ? theme : "auto";
    document.documentElement.dataset.theme = this.ui.theme;
    if (this.view) this.refresh();
  }

  /** @param {string} name @param {string} script a bundled scenario */
  openScenario(name, script) {
    this.whenReady(() => {
      if (!this.open(script, name)) return;
      this.choose({ dialog: null, problems: [] });
      if (!this.ui.embed) history.replaceState(null, "", `#s=${name}`);
    });
  }

  /** @returns {string[]} names of the topics that the script declares */
  topics() {
    return [
      ...new Set(
        Array.from(
          this.#script.matchAll(/^(?:topic|at \S+ create)\s+(\S+)/gm),
          (match) => match[1],
        ),
      ),
    ];
  }

  /**
   * Applies a pasted configuration to what it most likely belongs to.
   * @param {string} kind
   * @param {string} text
   */
  paste(kind, text) {
    const name =
      kind === "topic"
        ? this.view.partition?.replace(/\/\d+$/, "")
        : this.view.clients.find((client) => client.kind === kind)?.name;
    const result = this.session.pasteConfig(kind, text, name);
    if (result.applied.length) {
      this.session.runUntil(this.view.time + 1); // An instant that is over takes its line a µs later.
      this.#edited();
    }
    return result;
  }

  /**
   * The same scenario under another release's rules, at the same moment; what that release does not
   * have is left out, and said.
   * @param {string} release
   */
  useRelease(release) {
    this.whenReady(() => this.#useRelease(release));
  }

  /** @param {string} release */
  #useRelease(release) {
    const before = { release: this.view.release, script: this.#script };
    const { script, leftOut } = this.session.onRelease(release);
    if (!this.replaceScript(script)) return;
    this.ui.other = { ...before, now: this.#script };
    const params = { release, list: leftOut.join(", ") };
    this.choose({
      problems: leftOut.length ? [{ key: "release.leftOut", params }] : [],
      why: null,
    });
  }

  /** Back to the release that it was run on before, at the same moment. */
  flipRelease() {
    const { other } = this.ui;
    if (!other) return; // No engine, no other release.
    if (other.now !== this.#script) {
      this.#useRelease(other.release);
      return;
    }
    const before = { release: this.view.release, script: this.#script };
    if (!this.replaceScript(other.script)) return;
    this.ui.other = { ...before, now: this.#script };
    this.choose({ problems: [], why: null });
  }

  /** Rules that the script sets against its release. */
  ownRules() {
    return /^rules\s+(.*?)\s*(?:#.*)?$/m.exec(this.#script)?.[1] ?? "";
  }

  closeDialog() {
    this.ui.dialog = null;
    if (this.#session) this.#session.panic = null;
    this.draw();
  }

  #edited() {
    this.ui.name = null;
    this.#rewritten();
  }

  #rewritten() {
    this.edition += 1;
    this.#script = this.source.script();
    this.#branches = this.source.branches();
    this.#chain.why = -1;
  }

  #readQuickSettings() {
    const { state } = this.view;
    if (!state) return;
    const value = (/** @type {string} */ name) =>
      this.source.value("topic", state.name.replace(/\/\d+$/, ""), name);
    this.#quick = {
      minIsr: value("min.insync.replicas") ?? String(state.minIsr),
      unclean: value("unclean.leader.election.enable") ?? "false",
    };
  }

  /** @param {string|null} panel opened below, and brought into view */
  openPanel(panel) {
    this.whenReady(() => {
      this.choose({ panel });
      if (panel) this.#root.querySelector(".panels")?.scrollIntoView({ block: "start" });
    });
  }

  /** @param {() => void} work */
  #accepted(work) {
    try {
      const result = work();
      this.ui.errors = [];
      return result;
    } catch (error) {
      if (!(error instanceof ScriptRefused)) throw error;
      this.ui.errors = error.errors;
      return null;
    }
  }

  /**
   * @param {() => void} work
   * @param {string} [kind] of which only the last one of a row counts
   */
  #moved(work, kind) {
    this.whenReady(() => {
      this.pause();
      work();
      this.ui.why = null;
      this.refresh();
    }, kind);
  }
}

/** @param {Partial<App["ui"]>} change */
const needsNoEngine = (change) =>
  Object.keys(change).every(
    (key) =>
      FREE.has(key) ||
      (key === "dialog" && (!change.dialog || FREE_DIALOGS.has(change.dialog.name))),
  );
