/**
 * From the starter to the whole engine. Until that is there, what the starter cannot do waits, in
 * order, and is done then; what was done already is done again, and nobody sees a difference.
 */

import { useMoreWords } from "./i18n.js";

/** What the starter is asked to do: it has rehearsed some of it. */
const TRIED = ["act", "produce", "play", "toggle", "step", "stepBack", "settle", "seek", "undo", "redo", "switchBranch", "explain"];
/** What it has not rehearsed. */
const PUT_OFF = ["choose", "open", "openPanel", "openScenario", "replaceScript", "paste", "useRelease", "flipRelease"];
/** What every frame does, and what is done at the end in any case. */
const PASSING = ["refresh", "draw", "advance"];

/** When loading has failed: how long until it is tried again. */
const AGAIN_MS = 5_000;

/**
 * @param {import("./app.js").App} app on a starter
 * @param {() => Promise<unknown>} load gets the whole engine
 */
export async function complete(app, load) {
  const waiting = waitAt(app);
  useMoreWords().catch(() => {}); // What comes next needs them; what does, says so if they are missing.
  while (!(await load().then(() => true, () => false))) {
    app.ui.problems = [{ key: "page.incomplete" }];
    app.refresh();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  app.ui.problems = app.ui.problems.filter(({ key }) => key !== "page.incomplete");
  app.session.complete();
  for (const work of waiting()) work();
  app.refresh();
}

/**
 * Stands before the app's methods.
 * @param {import("./app.js").App} app
 * @returns {() => (() => void)[]} steps aside, and hands over what has waited
 */
function waitAt(app) {
  const waiting = [];
  const wait = (work) => {
    waiting.push(work);
    document.documentElement.ariaBusy = "true";
    return true;
  };
  let inside = false;
  const attempt = (work, otherwise) => {
    if (inside) return work();
    const before = app.session.journal.length;
    inside = true;
    try {
      return work();
    } catch (error) {
      if (!app.session.stuck) throw error;
      app.session.journal.length = before;
      return otherwise(work);
    } finally {
      inside = false;
    }
  };
  const stand = (names, how) => {
    for (const name of names) {
      const own = app[name].bind(app);
      app[name] = (...given) => how(() => own(...given));
    }
  };
  stand(TRIED, (work) => attempt(work, wait));
  stand(PUT_OFF, (work) => (inside ? work() : wait(work)));
  stand(PASSING, (work) => { if (inside || !app.session.stuck) attempt(work, () => {}); });
  return () => {
    for (const name of [...TRIED, ...PUT_OFF, ...PASSING]) delete app[name];
    document.documentElement.ariaBusy = null;
    return waiting;
  };
}
