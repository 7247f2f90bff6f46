/** Where the page begins: the first frame, then the engine; what the address asks for. */

import { App } from "./app.js";
import { beEmbedded } from "./embedded.js";
import { loadEngine } from "./engine.js";
import { language, t, useLanguage } from "./i18n.js";
import { listenToKeys } from "./keyboard.js";
import { unfolded } from "./lazy.js";
import { decodeLink } from "./links.js";
import { useLiveRegion } from "./live.js";
import { SHOWN } from "./opening.js";
import { recall } from "./remember.js";
import { bundledScript, START } from "./scenarios.js";
import { syncDialog } from "./views/dialogs.js";
import { measureNodes } from "./views/flights.js";
import { pickLanguage, wishedLanguage } from "./wishes.js";

const PHONE = "(max-width: 720px)";
/** How many offsets of a log are seen there. */
const PHONE_ROWS = 6;

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const query = new URLSearchParams(location.search);
  const link = await decodeLink(location.hash);
  await useLanguage(pickLanguage(link.lang, wishedLanguage()));

  const app = new App(root);
  globalThis.highwater = app;
  app.ui.embed = query.has("embed");
  app.ui.controls = controlsOf(query.get("controls"));
  const phone = matchMedia(PHONE).matches;
  app.ui.rows = app.ui.embed ? rowsIn(innerHeight) : phone ? PHONE_ROWS : SHOWN.rows;
  app.ui.explain = !phone && !app.ui.embed; // There it covers part of the cluster: only on demand.
  document.documentElement.classList.toggle("embed", app.ui.embed);
  document.documentElement.dataset.controls = app.ui.controls;
  document.documentElement.dataset.room = roomIn(innerHeight);
  app.useTheme(link.theme ?? query.get("theme") ?? recall("theme") ?? "auto");
  useLiveRegion(/** @type {HTMLElement} */ (document.getElementById("live")));
  const place = () => {
    if (measureNodes(root, place)) app.draw();
  };
  app.onDraw(() => {
    syncDialog(app, root);
    place();
  });

  const opening = opensAsEver(link);
  if (opening) {
    app.showFirstFrame();
    heed(app, link);
  } else {
    root.textContent = t("page.engine");
  }
  listenToKeys(app);
  if (app.ui.embed) beEmbedded(app, root);
  await loadEngine(() => sayMissing(app, root));
  app.ui.problems = app.ui.problems.filter(({ key }) => key !== "page.noEngine");
  if (!opening) {
    root.textContent = "";
    await follow(app, link);
  }
  app.wake();
  window.addEventListener("hashchange", async () => follow(app, await decodeLink(location.hash)));
  unfolded().then(
    ({ listenToFiles }) => listenToFiles(app),
    () => {},
  ); // Who unfolds something asks again.
}

/**
 * How much an embed has room for. It is asked once: a frame that is as high as its content would shrink
 * with what it leaves out.
 * @param {number} height
 */
const roomIn = (height) => (height < 420 ? "least" : height < 520 ? "little" : "enough");

/** How many offsets of a log an embed shows, so that the player stays on the screen. @param {number} height */
const rowsIn = (height) => Math.min(SHOWN.rows, Math.max(3, Math.floor((height - 350) / 20)));

/** @param {string|null} word what of an embed can be touched; all of it unless the tag says less */
const controlsOf = (word) => (word === "none" || word === "play" ? word : "full");

/**
 * Whether a link shows what the page shows without one: the first frame.
 * @param {import("./links.js").Link} link
 */
const opensAsEver = ({ name = START.name, script, at, view }) =>
  name === START.name &&
  script === undefined &&
  !at &&
  ["story", "learn"].includes(view ?? "story");

/**
 * The engine cannot be had just now.
 * @param {App} app
 * @param {HTMLElement} root
 */
function sayMissing(app, root) {
  if (!app.source) {
    root.textContent = t("page.noEngine");
  } else if (!app.ui.problems.some(({ key }) => key === "page.noEngine")) {
    app.choose({ problems: [...app.ui.problems, { key: "page.noEngine" }] });
  }
}

/**
 * Opens what a link asks for, and says in words what of it could not be had.
 * @param {App} app
 * @param {import("./links.js").Link} link
 */
async function follow(app, link) {
  if (link.theme) app.useTheme(link.theme);
  if (link.lang && link.lang !== language()) await useLanguage(pickLanguage(link.lang));
  const name = link.name ?? START.name;
  const script = link.script ?? (await bundledScript(name));
  const own = link.script !== undefined && link.name === undefined;
  const at = link.at ?? (!own && name === START.name ? START.at : undefined);
  if (script === undefined) {
    link.problems.push({ key: "link.noScenario", params: { name } });
  }
  if (script === undefined || !app.open(script, own ? null : name, at)) {
    const { errors, typed } = app.ui;
    app.open(START.script, START.name, START.at);
    Object.assign(app.ui, { errors, typed });
  }
  heed(app, link);
}

/**
 * What a link asks for beside the moment.
 * @param {App} app
 * @param {import("./links.js").Link} link
 */
function heed(app, link) {
  app.ui.problems = [...link.problems, ...mismatch(app, link)];
  if (link.speed) app.ui.speed = link.speed;
  if (link.view === "learn") app.ui.dialog = { name: "learn" };
  else if (link.view && link.view !== "story") app.ui.panel = link.view;
  app.refresh();
}

/**
 * @param {App} app
 * @param {import("./links.js").Link} link
 */
function mismatch(app, link) {
  if (!link.fingerprint || link.fingerprint === app.view.fingerprint) return [];
  const { version } = app.source;
  const other = link.engine && link.engine !== version;
  return [
    {
      key: other ? "link.otherEngine" : "link.otherState",
      params: { made: link.engine ?? "", version },
    },
  ];
}

start().catch((error) => {
  const root = document.getElementById("app");
  if (root) root.textContent = `${t("page.failed")} ${error?.message ?? error}`;
  throw error;
});
