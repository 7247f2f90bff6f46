/** One process: what it is, and what can be done to it. */

import { html, nothing } from "lit-html";
import { span } from "../format.js";
import { nodeName, t } from "../i18n.js";
import { ask } from "./ask.js";

const UP = new Set(["running", "starting", "recovering", "stopping"]);

/**
 * What can be done to a broker or the controller in its present state.
 * @param {import("../app.js").App} app
 * @param {string} node
 * @returns {{name: string, action: string}[]}
 */
export function actionsFor(app, node) {
  const broker = app.view.brokers.find((each) => String(each.id) === node);
  const state = broker?.state ?? app.view.controller.state;
  const make = (...names) => names.map((name) => ({ name, action: WORDS[name](node, app.view.partition) }));
  if (state === "paused") return make("resume", "crash");
  if (!UP.has(state)) return broker ? make("start", "wipe") : make("start");
  return broker ? make("crash", "powerOff", "stop", "pause", "slowDisk", "fastDisk") : make("crash", "pause");
}

const WORDS = {
  crash: (node) => `crash ${node}`, powerOff: (node) => `power-off ${node}`, stop: (node) => `stop ${node}`,
  pause: (node) => `pause ${node}`, resume: (node) => `resume ${node}`, start: (node) => `start ${node}`,
  wipe: (node) => `wipe ${node}`, slowDisk: (node) => `disk ${node} 200ms`, fastDisk: (node) => `disk ${node} 0`,
};

/**
 * @param {import("../app.js").App} app
 * @param {{node: string}} dialog
 */
export function dialog(app, { node }) {
  const broker = app.view.brokers.find((each) => String(each.id) === node);
  const act = (action) => () => { app.closeDialog(); app.act(action); };
  return html`
    <div class="form">
      <p class="row">${actionsFor(app, node).map(({ name, action }) => html`
        <button data-break=${action} @click=${act(action)}>${t(`action.${name}`)}</button>`)}
        ${broker && broker.replica && broker.replica.role !== "leader" ? html`
          <button @click=${act(`elect unclean ${app.view.partition}`)}>${t("action.electUnclean")}</button>
          <button @click=${act(`elect preferred ${app.view.partition}`)}>${t("action.electPreferred")}</button>` : nothing}</p>
      ${broker ? facts(app, broker) : html`
        <dl class="facts">${officeFacts(app.view.controller)}</dl>`}
    </div>`;
}

function officeFacts({ name, broker, metadataOffset }) {
  if (name !== "zookeeper") return html`<dt>${t("node.metadataOffset")}</dt><dd>${metadataOffset}</dd>`;
  return html`<dt>${t("node.controller")}</dt><dd>${nodeName(String(broker ?? t("word.none")))}</dd>`;
}

function facts(app, broker) {
  const { replica } = broker;
  const rows = [
    ["state", ask(app, t(`state.${broker.state}`), broker.why, t("node.state"))], ["brokerEpoch", broker.brokerEpoch],
    ["rack", broker.rack], ["replicas", broker.replicas], ["leading", broker.leading],
    ...(replica ? [["leaderEpoch", replica.leaderEpoch], ["flushed", replica.flushed], ["recoveryPoint", replica.recoveryPoint],
      ["hwCheckpoint", replica.hwCheckpoint], ["segments", replica.segments.join(", ")],
      ["epochs", replica.epochs.map(([epoch, start]) => `e${epoch} @ ${start}`).join(", ") || null],
      ["caughtUp", replica.caughtUpAt === null || replica.caughtUpAt === undefined ? null : span(Math.max(0, app.view.time - replica.caughtUpAt))]] : []),
  ];
  return html`<dl class="facts">${rows.filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => html`<dt>${t(`node.${name}`)}</dt><dd>${value}</dd>`)}</dl>`;
}
