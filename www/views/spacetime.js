/** The space-time diagram: a line of life for each process, time downward, messages slanting between. */

import { html } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { canvasContext, colours } from "../browser.js";
import { chosenIn, isChecked } from "../events.js";
import { clock } from "../format.js";
import { nodeName, t } from "../i18n.js";

const HEIGHT = 420;
const HEAD = 28;
const LEFT = 84;
const SPANS = [5e3, 20e3, 100e3, 1e6, 10e6];
const MOST = 600;
/** A press this near to a message means it, in pixels. */
const NEAR = 6;

/** How far each key goes, in tenths of the span. @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

const chosen = { span: 20e3 };
let canvas = /** @type {HTMLCanvasElement|null} */ (null);
let lines =
  /** @type {{message: import("../types.js").PassageView, x1: number, y1: number, x2: number, y2: number}[]} */ ([]);

/** @param {import("../app.js").App} app */
export function panel(app) {
  queueMicrotask(() => canvas?.isConnected && draw(app));
  return html`
    <div class="row">
      <label>${t("spacetime.span")} <select @change=${(/** @type {Event} */ event) => {
        chosen.span = Number(chosenIn(event));
        app.draw();
      }}>
        ${SPANS.map((span) => html`<option value=${span} .selected=${span === chosen.span}>${span >= 1e6 ? `${span / 1e6} s` : `${span / 1e3} ms`}</option>`)}</select></label>
      <label class="switch"><input type="checkbox" .checked=${app.ui.flightsAll} @change=${(/** @type {Event} */ event) => app.choose({ flightsAll: isChecked(event) })}>${t("story.all")}</label>
      <span class="empty">${t("spacetime.note")}</span>
    </div>
    <canvas class="spacetime" tabindex="0" role="img" aria-label=${t("spacetime.label")} ${ref(
      (element) => {
        canvas = /** @type {any} */ (element ?? null);
      },
    )}
      @click=${(/** @type {MouseEvent} */ event) => press(app, event)} @keydown=${(
        /** @type {KeyboardEvent} */ event,
      ) => keys(app, event)}></canvas>`;
}

/** @param {import("../app.js").App} app */
function draw(app) {
  if (!canvas?.parentElement) return;
  const { view } = app;
  const nodes = lanes(view);
  const width = canvas.clientWidth;
  const context = canvasContext(canvas, width, HEIGHT);
  const ink = colours(canvas.parentElement, [
    "ink",
    "ink-2",
    "line",
    "line-strong",
    "accent",
    "bad",
    "sheet",
  ]);
  const [from, to] = [Math.max(0, view.time - chosen.span), Math.max(view.time, chosen.span)];
  const x = (/** @type {string} */ node) =>
    LEFT + ((width - LEFT - 20) * (nodes.indexOf(node) + 0.5)) / nodes.length;
  const y = (/** @type {number} */ time) =>
    HEAD + ((HEIGHT - HEAD - 8) * (time - from)) / (to - from);
  context.font = "12px system-ui";
  drawGround(context, { ink, nodes, x, y, from, to, width });
  lines = [];
  for (const message of app.session.spacetime(from, to, MOST)) {
    if (!nodes.includes(message.from) || !nodes.includes(message.to)) continue;
    lines.push(drawMessage(context, { message, ink, x, y, now: view.time, to }));
  }
}

/** @param {import("../types.js").View} view */
function lanes(view) {
  const brokers = view.brokers
    .filter((each) => view.brokers.length <= 6 || each.replica)
    .map((each) => String(each.id));
  const clients = (/** @type {string} */ kind) =>
    view.clients.filter((each) => each.kind === kind).map((each) => each.name);
  return [...clients("producer"), ...brokers, view.controller.name, ...clients("consumer")];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{nodes: string[], ink: Record<string, string>, x: (node: string) => number, y: (time: number) => number, from: number, to: number, width: number}} scale
 */
function drawGround(context, { ink, nodes, x, y, from, to, width }) {
  context.textAlign = "center";
  for (const node of nodes) {
    context.fillStyle = ink.ink;
    context.fillText(nodeName(node), x(node), 16);
    context.fillStyle = ink["line-strong"];
    context.fillRect(x(node), HEAD, 1, HEIGHT - HEAD);
  }
  context.textAlign = "right";
  for (let i = 0; i <= 5; i++) {
    const time = from + ((to - from) * i) / 5;
    context.fillStyle = ink["ink-2"];
    context.fillText(clock(Math.round(time)), LEFT - 10, y(time) + (i ? 3 : 10));
    context.fillStyle = ink.line;
    context.fillRect(LEFT, y(time), width - LEFT, 1);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{message: import("../types.js").PassageView, ink: Record<string, string>, x: (node: string) => number, y: (time: number) => number, now: number, to: number}} drawn
 */
function drawMessage(context, { message, ink, x, y, now, to }) {
  const lost = message.arrives < 0;
  const end = lost ? message.sent + (to - message.sent) * 0.1 : message.arrives;
  const line = { message, x1: x(message.from), y1: y(message.sent), x2: x(message.to), y2: y(end) };
  if (lost) line.x2 = (line.x1 + line.x2) / 2;
  context.strokeStyle = context.fillStyle = lost ? ink.bad : ink.accent;
  context.setLineDash(end > now ? [4, 3] : []);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(line.x1, line.y1);
  context.lineTo(line.x2, line.y2);
  context.stroke();
  context.setLineDash([]);
  const side = Math.sign(line.x2 - line.x1) || 1;
  context.beginPath();
  if (lost) {
    context.moveTo(line.x2 - 4, line.y2 - 4);
    context.lineTo(line.x2 + 4, line.y2 + 4);
    context.moveTo(line.x2 + 4, line.y2 - 4);
    context.lineTo(line.x2 - 4, line.y2 + 4);
    context.stroke();
  } else {
    context.moveTo(line.x2, line.y2);
    context.lineTo(line.x2 - side * 7, line.y2 - 4);
    context.lineTo(line.x2 - side * 7, line.y2 + 1);
    context.fill();
  }
  return line;
}

/**
 * @param {import("../app.js").App} app
 * @param {MouseEvent} event
 */
function press(app, event) {
  const near = lines
    .map((line) => ({ line, far: distance(event.offsetX, event.offsetY, line) }))
    .sort((a, b) => a.far - b.far)[0];
  if (!near || near.far > NEAR) return;
  const { message } = near.line;
  const flight = app.view.flights.find((each) => each.name === message.name);
  app.choose({
    dialog: {
      name: "message",
      flight: flight ?? { ...message, id: -1, fields: [], why: undefined },
    },
  });
}

/**
 * @param {import("../app.js").App} app
 * @param {KeyboardEvent} event
 */
function keys(app, event) {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  app.seek(Math.max(0, app.view.time + (step * chosen.span) / 10));
}

/**
 * @param {number} px
 * @param {number} py
 * @param {{x1: number, y1: number, x2: number, y2: number}} given
 */
function distance(px, py, { x1, y1, x2, y2 }) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.max(
    0,
    Math.min(1, ((px - x1) * dx + (py - y1) * dy) / (dx * dx + dy * dy || 1)),
  );
  return Math.hypot(px - x1 - along * dx, py - y1 - along * dy);
}
