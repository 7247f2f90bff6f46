/**
 * The first frame: what the engine has said of the opening moment when the page was built. The page
 * draws it at once, in either language; whatever else is asked waits for the engine.
 */

import frame from "highwater:first-frame";

/** Answers what the first screen asks, as a `Session` does. */
export class Still {
  version = frame.version;
  releases = frame.releases;

  /** @param {import("./types.js").ViewRequest} wanted no more than the build has asked for */
  view({ story }) {
    return { ...frame.view, story: frame.view.story.slice(0, story) };
  }

  script() {
    return frame.script;
  }

  branches() {
    return frame.branches;
  }

  /**
   * @param {string} _scope
   * @param {string} _name of what the opening scenario has one of
   * @param {string} key
   */
  value(_scope, _name, key) {
    return frame.values[key];
  }

  /** @param {number} id @param {number} depth */
  why(id, depth) {
    return this.explains(id) ? frame.why.slice(0, depth) : [];
  }

  /** @param {number} id of an event whose causes the first frame has */
  explains(id) {
    return frame.why[0]?.id === id;
  }
}
