/** One process: what it is, and what can be done to it. */

import { html, nothing } from "lit-html";
import { span } from "../format.js";
import { nodeName, t } from "../i18n.js";
import { ask } from "./ask.js";

const UP = new Set(["running", "starting", "recovering", "stopping"]);

/** How slow a slow disk or link is if nothing else is said, in ms. */
const SLOW_MS = 200;
/** An hour: what a script takes at most. */
const SLOWEST_MS = 3_600_000;

/**
 * Asks how slow what is slowed down becomes.
 * @param {import("../app.js").App} app
 * @param {{ms?: number}} dialog remembers it
 */
export const howSlow = (app, dialog) => html`
  <label class="switch how-slow">${t("action.howSlow")} <input type="number" min="1" max=${SLOWEST_MS} .value=${String(slowMs(dialog))}
    @input=${(/** @type {Event} */ event) => {
      const field = /** @type {HTMLInputElement} */ (event.target);
      if (field.value && field.reportValidity()) {
        dialog.ms = Number(field.value);
        app.draw();
      }
    }}></label>`;

/** @param {{ms?: number}} dialog */
export const slowMs = ({ ms = SLOW_MS }) => ms;

/**
 * What can be done to a broker or the controller in its present state.
 * @param {import("../app.js").App} app
 * @param {string} node
 * @param {{ms?: number}} [dialog] in which it is done
 * @returns {{name: string, action: string}[]}
 */
export function actionsFor(app, node, dialog = {}) {
  const broker = app.view.brokers.find((each) => String(each.id) === node);
  const state = broker?.state ?? app.view.controller.state;
  const make = (/** @type {(keyof typeof WORDS)[]} */ ...names) =>
    names.map((name) => ({ name, action: WORDS[name](node, slowMs(dialog)) }));
  if (state === "paused") return make("resume", "crash");
  if (!UP.has(state)) return broker ? make("start", "wipe") : make("start");
  return broker
    ? make("crash", "powerOff", "stop", "pause", "slowDisk", "fastDisk")
    : make("crash", "pause");
}

const WORDS = {
  crash: (/** @type {string} */ node) => `crash ${node}`,
  powerOff: (/** @type {string} */ node) => `power-off ${node}`,
  stop: (/** @type {string} */ node) => `stop ${node}`,
  pause: (/** @type {string} */ node) => `pause ${node}`,
  resume: (/** @type {string} */ node) => `resume ${node}`,
  start: (/** @type {string} */ node) => `start ${node}`,
  wipe: (/** @type {string} */ node) => `wipe ${node}`,
  slowDisk: (/** @type {string} */ node, /** @type {number} */ ms) => `disk ${node} ${ms}ms`,
  fastDisk: (/** @type {string} */ node) => `disk ${node} 0`,
};

/**
 * @param {import("../app.js").App} app
 * @param {{node: string, ms?: number}} dialog
 */
export function dialog(app, dialog) {
  const { node } = dialog;
  const { partition = "" } = app.view;
  const broker = app.view.brokers.find((each) => String(each.id) === node);
  const act = (/** @type {string} */ action) => () => {
    app.closeDialog();
    app.act(action);
  };
  return html`
    <div class="form">
      <p class="row">${actionsFor(app, node, dialog).map(
        ({ name, action }) => html`
        <button data-break=${action} @click=${act(action)}>${t(`action.${name}`)}</button>`,
      )}
        ${
          broker?.replica && broker.replica.role !== "leader"
            ? html`
          <button @click=${act(`elect unclean ${partition}`)}>${t("action.electUnclean")}</button>
          <button @click=${act(`elect preferred ${partition}`)}>${t("action.electPreferred")}</button>`
            : nothing
        }</p>
      ${
        broker && UP.has(broker.state)
          ? html`<p class="row">${howSlow(app, dialog)}
        ${
          broker.replica
            ? html`
          <button @click=${act(`disk ${node} ${partition} ${slowMs(dialog)}ms`)}>${t("action.slowReplica", { partition })}</button>
          <button @click=${act(`disk ${node} ${partition} 0`)}>${t("action.fastReplica", { partition })}</button>`
            : nothing
        }</p>`
          : nothing
      }
      ${
        broker
          ? facts(app, broker)
          : html`
        <dl class="facts">${officeFacts(app.view.controller)}</dl>`
      }
    </div>`;
}

/** @param {import("../types.js").ControllerView} given */
function officeFacts({ name, broker, metadataOffset }) {
  if (name !== "zookeeper")
    return html`<dt>${t("node.metadataOffset")}</dt><dd>${metadataOffset}</dd>`;
  return html`<dt>${t("node.controller")}</dt><dd>${nodeName(String(broker ?? t("word.none")))}</dd>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").BrokerView} broker
 */
function facts(app, broker) {
  const { replica } = broker;
  const rows = [
    ["state", ask(app, t(`state.${broker.state}`), broker.why, t("node.state"))],
    ["brokerEpoch", broker.brokerEpoch],
    ["rack", broker.rack],
    ["replicas", broker.replicas],
    ["leading", broker.leading],
    ...(replica
      ? [
          ["leaderEpoch", replica.leaderEpoch],
          ["flushed", replica.flushed],
          ["recoveryPoint", replica.recoveryPoint],
          ["hwCheckpoint", replica.hwCheckpoint],
          ["segments", replica.segments.join(", ")],
          [
            "epochs",
            replica.epochs.map(([epoch, start]) => `e${epoch} @ ${start}`).join(", ") || null,
          ],
          [
            "caughtUp",
            replica.caughtUpAt === null || replica.caughtUpAt === undefined
              ? null
              : span(Math.max(0, app.view.time - replica.caughtUpAt)),
          ],
        ]
      : []),
  ];
  return html`<dl class="facts">${rows
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => html`<dt>${t(`node.${name}`)}</dt><dd>${value}</dd>`)}</dl>`;
}
