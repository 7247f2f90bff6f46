/**
 * Messages on their way. Where one stands is a function of when it left, when it arrives and now;
 * where the nodes stand is measured only when the layout changes.
 */

import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { t } from "../i18n.js";

/** How far messages between brokers rise above them, in pixels. */
const ARC = 58;

/** Who wants nothing to move sees each message half-way, for as long as it is on its way. */
const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

let anchors = /** @type {Map<string, {x: number, y: number, above: boolean}>} */ (new Map());
let measured = "";

/** @param {import("../app.js").App} app */
export function flights(app) {
  const { view } = app;
  const seen = view.flights.filter((flight) => anchors.has(flight.from) && anchors.has(flight.to));
  return html`
    <div class="flights" role="group" aria-label=${t("flights.label", { count: view.flightsTotal })}>
      ${repeat(
        seen,
        (flight) => flight.id,
        (flight) => message(app, flight),
      )}
    </div>`;
}

let stale = true;
let resized = () => {};
const watched = /** @type {Set<HTMLElement>} */ (new Set());
const watcher =
  globalThis.ResizeObserver &&
  new ResizeObserver(() => {
    stale = true;
    resized();
  });

/**
 * Measures where the nodes stand, if there are others or one has another size: looking lays out the
 * page, which a frame has no time for.
 * @param {HTMLElement} root
 * @param {() => void} whenResized what to do when they have to be measured again
 * @returns {boolean} whether anything moved
 */
export function measureNodes(root, whenResized) {
  const stage = /** @type {HTMLElement|null} */ (root.querySelector("[data-stage]"));
  if (!stage) return false;
  resized = whenResized;
  const nodes = /** @type {HTMLElement[]} */ ([...stage.querySelectorAll("[data-node]")]);
  watch([root, stage, ...nodes]);
  if (!stale) return false;
  stale = false;
  const box = stage.getBoundingClientRect();
  const found = nodes.map(
    (node) => /** @type {const} */ ([node.dataset.node ?? "", anchor(node, box)]),
  );
  const now = JSON.stringify(found);
  if (now === measured) return false;
  measured = now;
  anchors = new Map(found);
  return true;
}

/** @param {HTMLElement[]} elements */
function watch(elements) {
  if (elements.length === watched.size && elements.every((element) => watched.has(element))) return;
  watcher.disconnect();
  watched.clear();
  for (const element of elements) {
    watched.add(element);
    watcher.observe(element);
  }
  stale = true;
}

/**
 * @param {HTMLElement} node
 * @param {DOMRect} stage
 */
function anchor(node, stage) {
  const box = node.getBoundingClientRect();
  const above = !node.classList.contains("broker");
  return {
    x: box.left - stage.left + box.width / 2,
    y: (above ? box.bottom : box.top) - stage.top,
    above,
  };
}

/**
 * The place of a message.
 * @param {{x: number, y: number, above: boolean}} from
 * @param {{x: number, y: number, above: boolean}} to
 * @param {number} progress 0 … 1
 */
export function place(from, to, progress) {
  const rise = from.above || to.above ? 0 : ARC;
  const lane = from.x < to.x || (from.x === to.x && from.y < to.y) ? 1 : -1;
  const bend = 4 * progress * (1 - progress);
  return {
    x: from.x + (to.x - from.x) * progress,
    y: from.y + (to.y - from.y) * progress - bend * (rise + lane * (rise ? 11 : 0)),
  };
}

/**
 * @param {import("../types.js").FlightView} flight
 * @param {number} now
 */
function progress({ sent, arrives }, now) {
  return arrives > sent ? Math.min(1, Math.max(0, (now - sent) / (arrives - sent))) : 1;
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").FlightView} flight
 */
function message(app, flight) {
  const [from, to] = [anchors.get(flight.from), anchors.get(flight.to)];
  if (!from || !to) return nothing;
  const { x, y } = place(from, to, still?.matches ? 0.5 : progress(flight, app.view.time));
  const response = flight.kind.endsWith("-response");
  const note = flight.fields.find(([name]) => name === "error" || name === "records");
  return html`
    <button class="flight ${response ? "response" : "request"} ${flight.significant ? "" : "routine"} ${flight.fate} ${note?.[0] === "error" ? "bad" : ""}"
      .style=${`transform:translate(-50%,-50%) translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`}
      title=${t("flights.open", { name: flight.name })}
      @click=${() => {
        app.pause();
        app.choose({ dialog: { name: "message", flight } });
      }}>
      ${response ? "↩ " : ""}${flight.kind.replace("-response", "")}${note && note[1] !== "0" ? html` <b>${note[0] === "records" ? `×${note[1]}` : note[1]}</b>` : ""}
    </button>`;
}
