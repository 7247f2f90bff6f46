/** From an answer to the scenario that proves it. */

/**
 * Opens a scenario: at the first event of a kind and the reason for it, or else where it is over.
 * @param {import("../../app.js").App} app
 * @param {string} script
 * @param {string} [event] such as `isr.shrunk`
 */
export function play(app, script, event) {
  app.ui.dialog = null;
  if (!app.open(script, null)) {
    app.refresh();
    return;
  }
  app.seek(app.view.end);
  if (!event) return;
  const all = app.session.view({ story: 100_000, cells: 0, records: 0, flights: 0 });
  const first = all.story.findLast((each) => each.code === event);
  if (!first) return;
  app.seek(first.time, first.index);
  app.explain(first.id);
}
