/** The cluster: clients and controller above, brokers side by side below, messages between. */

import { html, nothing } from "lit-html";
import { idList } from "../format.js";
import { nodeName, t } from "../i18n.js";
import { ask } from "./ask.js";
import { broker } from "./broker.js";
import { flights } from "./flights.js";

/** More brokers than these are reduced to those that hold the chosen partition. */
const SIDE_BY_SIDE = 6;

/** @param {import("../app.js").App} app */
export function cluster(app) {
  const { view } = app;
  const shown = shownBrokers(view);
  const hidden = view.brokers.length - shown.length;
  return html`
    <section class="cluster" aria-label=${t("cluster.label")}>
      ${partitionLine(app)}
      <div class="stage" data-stage>
        <div class="actors">
          <div>${clients(app, "producer")}</div>
          <div>${controller(app)}</div>
          <div>${clients(app, "consumer")}</div>
        </div>
        <div class="brokers" .style=${`--count:${shown.length};--rows:${app.ui.rows}`}>
          ${shown.map((each) => broker(app, each))}
        </div>
        ${flights(app)}
      </div>
      ${
        hidden
          ? html`<p class="hidden-brokers">${t("cluster.hidden", { count: hidden })}
        <button class="link" @click=${() => app.openPanel("map")}>${t("panel.map")}</button></p>`
          : nothing
      }
      ${faults(app)}
    </section>`;
}

/** @param {import("../types.js").View} view */
export function shownBrokers(view) {
  if (view.brokers.length <= SIDE_BY_SIDE) return view.brokers;
  return view.brokers.filter((each) => each.replica);
}

/** @param {import("../app.js").App} app */
function partitionLine(app) {
  const { state } = app.view;
  if (!state) return html`<p class="partition">${t("cluster.noPartition")}</p>`;
  const none = t("word.none");
  const facts = /** @type {[string, string|number][]} */ ([
    ["leader", state.leader ?? none],
    ["epoch", state.leaderEpoch],
    ["AR", idList(state.replicas, none)],
    ["ISR", idList(state.isr, none)],
    ["OSR", idList(state.osr, none)],
    ...(app.view.hasElr ? [["ELR", idList(state.elr, none)]] : []),
    ["minIsr", state.minIsr],
  ]);
  return html`
    <div class="partition">
      <button class="name" @click=${() => app.choose({ dialog: { name: "partition" } })} title=${t("cluster.choose")}>${state.name}<span class="caret" aria-hidden="true">▾</span></button>
      <span class="health health-${state.health}">${t(`health.${state.health}`)}</span>
      <dl>${facts.map(([name, value]) => fact(app, name, value))}</dl>
    </div>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {string} name
 * @param {string|number} value
 */
function fact(app, name, value) {
  return html`<div><dt title=${t(`fact.${name}.long`)}>${t(`fact.${name}`)}</dt><dd>${ask(app, value, () => app.fact(name), t(`fact.${name}.long`))}</dd></div>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {string} kind
 */
function clients(app, kind) {
  return app.view.clients
    .filter((client) => client.kind === kind)
    .slice(0, 3)
    .map(
      (client) => html`
    <div class="node client client-${kind} state-${client.state}" data-node=${client.name}>
      <button class="node-name" @click=${() => app.choose({ dialog: { name: "client", client: client.name } })}>${client.name}</button>
      <span class="node-note">${
        kind === "producer"
          ? html`${t("client.acks", { acks: client.acks === -1 ? "all" : (client.acks ?? "") })}`
          : t("client.read", { count: client.read })
      }</span>
      ${client.error ? html`<span class="node-error">${client.error.constant}</span>` : nothing}
    </div>`,
    );
}

/** @param {import("../app.js").App} app */
function controller(app) {
  const { name, broker, state } = app.view.controller;
  const hasOffice = broker !== null && broker !== undefined;
  const office = hasOffice
    ? t("controller.is", { broker: nodeName(String(broker)) })
    : t("controller.vacant");
  return html`
    <div class="node controller state-${state}" data-node=${name}>
      <button class="node-name" @click=${() => app.choose({ dialog: { name: "node", node: name } })}>${nodeName(name)}</button>
      <span class="node-note">${t(`state.${state}`)}${name === "zookeeper" ? html`<br>${office}` : nothing}</span>
    </div>`;
}

/** @param {import("../app.js").App} app */
function faults(app) {
  const { faults: list } = app.view;
  if (list.length === 0) return nothing;
  return html`
    <ul class="faults" aria-label=${t("faults.label")}>
      ${list.map(
        (fault) =>
          html`<li>${t(`fault.${fault.kind}`, {
            from: nodeName(fault.from),
            to: fault.to ? nodeName(fault.to) : "",
            delay: fault.delay ? `${fault.delay / 1000} ms` : "",
          })}</li>`,
      )}
      ${list.some((fault) => fault.kind !== "disk") ? html`<li><button class="link" @click=${() => app.act("heal all")}>${t("faults.heal")}</button></li>` : nothing}
    </ul>`;
}
