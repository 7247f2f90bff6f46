/** LEO and HW of every replica over time: a truncation is a visible drop; faults are marks. */

import { html } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import uPlot from "uplot";
import css from "uplot/dist/uPlot.min.css";
import { colours } from "../browser.js";
import { clock } from "../format.js";
import { has, nodeName, t } from "../i18n.js";

const HEIGHT = 260;
const LINES = ["e0", "e1", "e2", "e3", "e4", "e5"];
/** Redrawn at most so often while playing, in ms: the eye does not need more. */
const EVERY_MS = 120;

let chart = /** @type {uPlot|null} */ (null);
let host = /** @type {HTMLElement|null} */ (null);
let shape = "";
let drawn = { fingerprint: "", at: 0 };
let marks = /** @type {{time: number, code: string, node: string, id: number}[]} */ ([]);
let ink = /** @type {Record<string, string>} */ ({});

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

/** @param {import("../app.js").App} app */
export function panel(app) {
  queueMicrotask(() => host?.isConnected && update(app));
  return html`<div class="plot" ${ref(mounted)}></div>
    <p class="empty">${t("plot.note")}</p>
    <ol class="visually-hidden" aria-label=${t("plot.marks")}>${marks.slice(-20).map((mark) => html`<li>${markWords(mark)}</li>`)}</ol>`;
}

/** @param {Element|undefined} element */
function mounted(element) {
  if (element === host) return;
  chart?.destroy();
  chart = null;
  host = /** @type {HTMLElement|null} */ (element ?? null);
  drawn.fingerprint = "";
}

/** @param {import("../app.js").App} app */
function update(app) {
  const { view } = app;
  if (!host || !view.partition) return;
  if (chart && chart.width !== host.clientWidth)
    chart.setSize({ width: host.clientWidth, height: HEIGHT });
  const now = performance.now();
  const theme = getComputedStyle(host).colorScheme + app.ui.theme + document.documentElement.lang;
  if (
    drawn.fingerprint === view.fingerprint + theme ||
    (app.ui.playing && now - drawn.at < EVERY_MS)
  )
    return;
  drawn = { fingerprint: view.fingerprint + theme, at: now };
  const series = app.session.series(view.partition);
  if (!series) return;
  marks = Array.from(series.marks);
  const brokers = Array.from(series.brokers);
  const next = `${view.partition}|${brokers}|${theme}`;
  if (!chart || shape !== next) {
    shape = next;
    chart?.destroy();
    ink = colours(host, ["ink", "ink-2", "line", "accent", "bad", "warn", "good", ...LINES]);
    chart = new uPlot(options(app, brokers, host.clientWidth), [[0]], host);
  }
  const times = Array.from(series.times, (us) => us / 1e6);
  const line = (/** @type {Float64Array} */ values, /** @type {number} */ i) =>
    Array.from(values.subarray(i * times.length, (i + 1) * times.length), (value) =>
      value < 0 ? null : value,
    );
  chart.setData([times, ...brokers.flatMap((_, i) => [line(series.leo, i), line(series.hw, i)])]);
}

/**
 * @param {import("../app.js").App} app
 * @param {number[]} brokers
 * @param {number} width
 * @returns {uPlot.Options}
 */
function options(app, brokers, width) {
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const line = (/** @type {number} */ i) => ink[LINES[i % LINES.length]];
  return {
    width,
    height: HEIGHT,
    padding: [18, 8, 0, 0],
    cursor: { drag: { x: true, y: false } },
    scales: { x: { time: false } },
    legend: { live: true },
    axes: [0, 1].map((axis) => ({
      stroke: ink["ink-2"],
      grid: { stroke: ink.line, width: 1 },
      ticks: { stroke: ink.line },
      values: (_, ticks) =>
        ticks.map((tick) => (axis === 0 ? `${tick} s` : Number.isInteger(tick) ? tick : "")),
    })),
    series: [
      {
        label: t("plot.time"),
        value: (_, seconds) => (seconds === null ? "" : clock(seconds * 1e6)),
      },
      ...brokers.flatMap((id, i) => [
        {
          label: `LEO ${id}`,
          stroke: line(i),
          width: 2,
          paths: stepped,
          points: { show: false },
        },
        {
          label: `HW ${id}`,
          stroke: line(i),
          width: 1.5,
          dash: [3, 4],
          paths: stepped,
          points: { show: false },
        },
      ]),
    ],
    hooks: {
      draw: [drawMarks],
      ready: [
        (plot) =>
          plot.over.addEventListener("dblclick", () =>
            app.seek(Math.round(plot.posToVal(plot.cursor.left ?? 0, "x") * 1e6)),
          ),
      ],
    },
  };
}

/** @param {uPlot} plot */
function drawMarks(plot) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  ctx.fillStyle = ctx.strokeStyle = ink.bad;
  let free = -Infinity;
  for (const mark of marks) {
    const x = plot.valToPos(mark.time / 1e6, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.globalAlpha = 0.35;
    ctx.fillRect(x, bbox.top, 1, bbox.height);
    ctx.globalAlpha = 1;
    const words = markWords(mark);
    if (x > free && x + ctx.measureText(words).width < bbox.left + bbox.width) {
      ctx.fillText(words, x + 3, bbox.top - 5);
      free = x + ctx.measureText(words).width + 12;
    }
  }
  ctx.restore();
}

/** @param {import("../types.js").MarkView} mark */
const markWords = (mark) =>
  `${has(`mark.${mark.code}`) ? t(`mark.${mark.code}`) : mark.code} · ${nodeName(mark.node)}`;
