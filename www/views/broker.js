/** One broker: what it is to the chosen partition, in words, and its log as a rising strip. */

import { html, nothing } from "lit-html";
import { nodeName, t } from "../i18n.js";
import { ask } from "./ask.js";
import { strip } from "./strip.js";

/** Words for the one button that a broker shows besides "more". */
const FIRST_AID = {
  running: "crash",
  starting: "crash",
  recovering: "crash",
  stopping: "crash",
  paused: "resume",
  stopped: "start",
  crashed: "start",
  poweredOff: "start",
};

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").BrokerView} broker
 */
export function broker(app, broker) {
  const { replica } = broker;
  const role = replica?.role ?? "none";
  const verb = FIRST_AID[broker.state] ?? "crash";
  return html`
    <article class="broker role-${role} ${broker.state === "running" ? "" : "down"}" data-node=${broker.id} aria-label=${nodeName(String(broker.id))}>
      <header>
        <h2>${nodeName(String(broker.id))}${app.view.controller.broker === broker.id ? html` <small class="office">${t("broker.controller")}</small>` : nothing}</h2>
        <span class="role">${ask(app, roleWords(app, broker), broker.state === "running" ? () => app.fact(role === "leader" ? "leader" : "ISR") : broker.why, t("fact.role.long"))}</span>
      </header>
      ${replica ? gauges(app, replica) : html`<p class="empty">${t("broker.noReplica")}</p>`}
      ${replica ? strip(app, broker) : nothing}
      <footer>
        <button class="danger" data-action=${verb} @click=${() => app.act(`${verb} ${broker.id}`)}>${t(`action.${verb}`)}</button>
        <button class="more" aria-label=${t("broker.more", { id: broker.id })} title=${t("broker.more", { id: broker.id })}
          @click=${() => app.choose({ dialog: { name: "node", node: String(broker.id) } })}>⋯</button>
      </footer>
    </article>`;
}

/**
 * Role, and why it cannot play it.
 * @param {import("../app.js").App} app
 * @param {import("../types.js").BrokerView} broker
 */
function roleWords(app, broker) {
  const role = t(`role.${broker.replica?.role ?? "none"}`);
  if (broker.state !== "running")
    return `${broker.replica ? role : ""}${t("word.paren", { text: t(`state.${broker.state}`) })}`.trim();
  const apart = t(app.view.controller.name === "zookeeper" ? "state.noSession" : "state.fenced");
  return broker.fenced ? `${role}${t("word.paren", { text: apart })}` : role;
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").ReplicaView} replica
 */
function gauges(app, replica) {
  return html`
    <dl class="gauges">
      <div class="hw"><dt title=${t("fact.HW.long")}>HW</dt><dd>${ask(app, replica.hw, replica.hwWhy, t("fact.HW.long"))}</dd></div>
      <div class="leo"><dt title=${t("fact.LEO.long")}>LEO</dt><dd>${ask(app, replica.leo, replica.leoWhy, t("fact.LEO.long"))}</dd></div>
    </dl>`;
}
