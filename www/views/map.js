/**
 * The map of partition × broker: a canvas, since thousands of cells are no text. A press or the
 * arrow keys choose a partition to look into; the chosen one is told in words beside it.
 */

import { html } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { canvasContext, colours } from "../browser.js";
import { pressed } from "../events.js";
import { nodeName, t } from "../i18n.js";

const KINDS = ["none", "leader", "inSync", "outOfSync", "offline"];
const HEALTH = ["ok", "underReplicated", "atMinIsr", "underMinIsr", "offline"];
/** Room above for the brokers, and on the left of each band for its partitions' names. */
const HEAD = 18;
const GUTTER = 62;
/** Room that a label takes: a digit's across, what stands between two, and down. */
const DIGIT = 7;
const BETWEEN = 6;
const LINE = 14;
const FONT = "11px system-ui";
const HEIGHT = 460;
/** Redrawn at most so often while playing, in ms. */
const EVERY_MS = 250;

let canvas = /** @type {HTMLCanvasElement|null} */ (null);
let shown = { fingerprint: "", at: 0 };
let data = /** @type {import("../types.js").MapView|null} */ (null);
const names = { of: "", canvas: /** @type {HTMLCanvasElement|null} */ (null) };
let layout = { columns: 1, rows: 1, cell: 4, band: 0, gutter: 0 };

/** @param {import("../app.js").App} app */
export function panel(app) {
  queueMicrotask(() => canvas?.isConnected && draw(app));
  const at = data?.partitions.indexOf(app.view.partition ?? "") ?? -1;
  return html`
    <div class="row">
      ${KINDS.slice(1).map((kind) => html`<span class="key"><i class="swatch swatch-${kind}"></i>${t(`role.${kind}`)}</span>`)}
      <span class="empty">${t("map.note")}</span>
      <output>${at >= 0 && data ? t("map.chosen", { name: data.partitions[at], health: t(`health.${HEALTH[data.health[at]]}`) }) : ""}</output>
    </div>
    <div class="map-box">
    <canvas class="names" aria-hidden="true" ${ref((element) => {
      names.canvas = /** @type {any} */ (element ?? null);
      names.of = "";
    })}></canvas>
    <canvas class="map" tabindex="0" role="application" aria-label=${t("map.label", { partitions: data?.partitions.length ?? 0, brokers: data?.brokers.length ?? 0 })}
      ${ref((element) => {
        canvas = /** @type {any} */ (element ?? null);
        shown.fingerprint = "";
      })}
      @pointermove=${point} @click=${(/** @type {MouseEvent} */ event) =>
        press(app, event)} @keydown=${(/** @type {KeyboardEvent} */ event) =>
        keys(app, event)}></canvas>
    </div>`;
}

/** @param {import("../app.js").App} app */
function draw(app) {
  if (!canvas?.parentElement) return;
  const now = performance.now();
  if (app.ui.playing && now - shown.at < EVERY_MS) return; // Before any look at the layout.
  const want = `${app.view.fingerprint}|${app.view.partition}|${app.ui.theme}|${canvas.clientWidth}`;
  if (want === shown.fingerprint) return;
  shown = { fingerprint: want, at: now };
  const told = data?.partitions.length;
  data = app.session.map() ?? data;
  if (!data) return;
  if (data.partitions.length !== told) app.draw(); // Its label counts them.
  const context = canvasContext(canvas, canvas.clientWidth, HEIGHT);
  const ink = colours(canvas.parentElement, [
    "line",
    "accent",
    "follower",
    "warn",
    "bad",
    "ink",
    "ink-2",
  ]);
  layout = lay(data, canvas.clientWidth);
  const fill = ["", ink.accent, ink.follower, ink.warn, ink.bad];
  for (let p = 0; p < data.partitions.length; p++) drawRow(context, data, p, fill, ink);
  drawNames(data, canvas, ink["ink-2"]);
  const chosen = data.partitions.indexOf(app.view.partition ?? "");
  if (chosen >= 0) {
    const { x, y, width } = rowBox(chosen);
    context.strokeStyle = ink.ink;
    context.lineWidth = 2;
    context.strokeRect(x - 2, y - 2, width + 4, layout.cell + 3);
  }
}

/**
 * As many bands of rows side by side as fit, with cells as large as they can be; names only where cells get no smaller by it.
 * @param {import("../types.js").MapView} data
 * @param {number} width
 */
function lay({ brokers, partitions }, width) {
  const fit = (/** @type {number} */ gutter) => {
    for (let cell = 16; ; cell--) {
      const rows = Math.floor((HEIGHT - HEAD) / (cell + 1));
      const columns = Math.ceil(partitions.length / rows);
      const band = gutter + brokers.length * cell + 10;
      if (columns * band <= width || cell === 1) return { columns, rows, cell, band, gutter };
    }
  };
  const [named, bare] = [fit(GUTTER), fit(0)];
  return named.cell === bare.cell && named.columns * named.band <= width ? named : bare;
}

/** @param {number} partition */
function rowBox(partition) {
  const { rows, cell, band, gutter } = layout;
  return {
    x: Math.floor(partition / rows) * band + gutter,
    y: HEAD + (partition % rows) * (cell + 1),
    width: band - gutter - 10,
  };
}

/**
 * As many brokers above and partitions beside as have room: on a canvas behind, which seldom changes.
 * @param {import("../types.js").MapView} data
 * @param {HTMLCanvasElement} canvas
 * @param {string} colour
 */
function drawNames(data, canvas, colour) {
  const { rows, cell, gutter } = layout;
  const of = `${Object.values(layout)}|${data.brokers}|${data.partitions}|${colour}|${canvas.width}`;
  if (!names.canvas || names.of === of) return;
  names.of = of;
  const context = canvasContext(names.canvas, canvas.clientWidth, HEIGHT);
  context.font = FONT;
  context.fillStyle = colour;
  const digits = String(Math.max(...data.brokers)).length;
  const [across, down] = [
    Math.ceil((DIGIT * digits + BETWEEN) / cell),
    Math.ceil(LINE / (cell + 1)),
  ];
  for (let p = 0; p < data.partitions.length; p++) {
    const { x, y } = rowBox(p);
    if (gutter > 0 && (p % rows) % down === 0) {
      context.textAlign = "right";
      context.fillText(short(data.partitions[p]), x - 6, y + cell / 2 + 4);
    }
    if (p % rows !== 0) continue;
    context.textAlign = "center";
    for (let b = 0; b < data.brokers.length; b += across)
      context.fillText(String(data.brokers[b]), x + (b + 0.5) * cell, HEAD - 6);
  }
}

/**
 * A partition's name, of which the end says most.
 * @param {string} name
 */
const short = (name) => (name.length > 9 ? `…${name.slice(-7)}` : name);

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../types.js").MapView} data
 * @param {number} p the partition
 * @param {string[]} fill colours of the kinds
 * @param {Record<string, string>} ink
 */
function drawRow(context, data, p, fill, ink) {
  const { x, y, width } = rowBox(p);
  const { cell } = layout;
  const count = data.brokers.length;
  context.fillStyle = ink.line;
  context.fillRect(x, y + cell, width, 1);
  for (let b = 0; b < count; b++) {
    const kind = data.cells[p * count + b];
    if (!kind) continue;
    context.fillStyle = fill[kind];
    const inset = kind === 1 ? 0 : Math.min(2, cell / 5);
    context.fillRect(
      x + b * cell + inset,
      y + inset,
      Math.max(1, cell - 2 * inset),
      Math.max(1, cell - 2 * inset),
    );
  }
  if (data.health[p] >= 3) {
    context.fillStyle = ink.bad;
    context.fillRect(x + width + 2, y, 3, cell);
  }
}

/**
 * The partition and the broker at a place of the canvas.
 * @param {MouseEvent} given
 */
function at({ offsetX, offsetY }) {
  const { rows, cell, band, gutter } = layout;
  const row = Math.floor((offsetY - HEAD) / (cell + 1));
  const partition = row < 0 || row >= rows ? -1 : Math.floor(offsetX / band) * rows + row;
  return { partition, broker: Math.floor(((offsetX % band) - gutter) / cell) };
}

/**
 * @param {import("../app.js").App} app
 * @param {MouseEvent} event
 */
function press(app, event) {
  const name = data?.partitions[at(event).partition];
  if (name) app.choose({ partition: name, why: null });
}

/**
 * What lies under the pointer is told in words: which partition, which broker, and its role there.
 * @param {MouseEvent} event
 */
function point(event) {
  const { partition, broker } = at(event);
  const name = data?.partitions[partition];
  const id = data?.brokers[broker];
  const role = KINDS[data?.cells[partition * data.brokers.length + broker] ?? 0];
  pressed(event).title = !name
    ? ""
    : id === undefined
      ? name
      : `${name} · ${nodeName(String(id))} · ${t(`role.${role}`)}`;
}

/**
 * How far each key goes.
 * @returns {Record<string, number>}
 */
const steps = () => ({
  ArrowDown: 1,
  ArrowUp: -1,
  ArrowRight: layout.rows,
  ArrowLeft: -layout.rows,
  PageDown: 10,
  PageUp: -10,
});

/**
 * @param {import("../app.js").App} app
 * @param {KeyboardEvent} event
 */
function keys(app, event) {
  const step = steps()[event.key];
  if (!step || !data) return;
  event.preventDefault();
  const at = data.partitions.indexOf(app.view.partition ?? "") + step;
  app.choose({
    partition: data.partitions[Math.max(0, Math.min(data.partitions.length - 1, at))],
    why: null,
  });
}
