/** Where the page begins: what the address asks for, then the engine, then the first drawing. */

import { App } from "./app.js";
import { beEmbedded } from "./embedded.js";
import { loadStarter, loadWhole } from "./engine.js";
import { language, pickLanguage, t, useLanguage } from "./i18n.js";
import { listenToKeys } from "./keyboard.js";
import { unfolded } from "./lazy.js";
import { decodeLink } from "./links.js";
import { useLiveRegion } from "./live.js";
import { recall } from "./remember.js";
import { bundledScript, START } from "./scenarios.js";
import { syncDialog } from "./views/dialogs.js";
import { measureNodes } from "./views/flights.js";

const PHONE = "(max-width: 720px)";

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const query = new URLSearchParams(location.search);
  const link = await decodeLink(location.hash);
  const language = pickLanguage(link.lang, query.get("lang"), recall("lang"), navigator.language);
  const load = opensAsEver(link) ? loadStarter : loadWhole;
  await Promise.all([useLanguage(language), load(globalThis.highwaterAssets)]);

  const app = new App(root);
  app.ui.embed = query.has("embed");
  const phone = matchMedia(PHONE).matches;
  app.ui.rows = phone ? 6 : 8;
  app.ui.explain = !phone; // There it covers part of the cluster: only on demand.
  document.documentElement.classList.toggle("embed", app.ui.embed);
  app.useTheme(link.theme ?? query.get("theme") ?? recall("theme") ?? "auto");
  useLiveRegion(/** @type {HTMLElement} */ (document.getElementById("live")));
  const place = () => { if (measureNodes(root, place)) app.draw(); };
  app.onDraw(() => {
    syncDialog(app, root);
    place();
  });
  await follow(app, link);
  listenToKeys(app);
  const completed = app.session.whole ? null : import("./complete.js").then(({ complete }) => complete(app, () => loadWhole(globalThis.highwaterAssets)));
  window.addEventListener("hashchange", async () => {
    await completed;
    await follow(app, await decodeLink(location.hash));
  });
  unfolded().then(({ listenToFiles }) => listenToFiles(app), () => {}); // Who unfolds something asks again.
  if (app.ui.embed) beEmbedded(app, root);
  globalThis.highwater = app;
}

/**
 * Whether a link shows what the page shows without one: the starter has rehearsed nothing else. An
 * opaque origin most likely may not fetch it.
 */
const opensAsEver = ({ name = START.name, script, at, view }) =>
  name === START.name && !script && !at && !view && location.origin !== "null";

/**
 * Opens what a link asks for, and says in words what of it could not be had.
 * @param {App} app
 * @param {import("./links.js").Link} link
 */
async function follow(app, link) {
  if (link.theme) app.useTheme(link.theme);
  if (link.lang && link.lang !== language()) await useLanguage(pickLanguage(link.lang));
  const problems = [...link.problems];
  const name = link.name ?? (link.script === undefined ? START.name : null);
  let script = link.script ?? (await bundledScript(name));
  if (script === undefined) problems.push({ key: "link.noScenario", params: { name } });
  const at = link.at ?? (name === START.name ? START.at : undefined);
  if (script === undefined || !app.open(script, name, at)) {
    const { errors, typed } = app.ui;
    app.open(START.script, START.name, START.at);
    Object.assign(app.ui, { errors, typed });
  }
  Object.assign(app.ui, { problems: [...problems, ...mismatch(app, link)] });
  if (link.speed) app.ui.speed = link.speed;
  if (link.view && link.view !== "story") app.ui.panel = link.view;
  app.refresh();
}

function mismatch(app, link) {
  if (!link.fingerprint || link.fingerprint === app.session.fingerprint()) return [];
  const { version } = app.session;
  const other = link.engine && link.engine !== version;
  return [{ key: other ? "link.otherEngine" : "link.otherState", params: { made: link.engine ?? "", version } }];
}

start().catch((error) => {
  const root = document.getElementById("app");
  if (root) root.textContent = `${t("page.failed")} ${error?.message ?? error}`;
  throw error;
});
