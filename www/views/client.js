/** A producer or consumer: what it knows and what it was told. */

import { html, nothing } from "lit-html";
import { setAction } from "../actions.js";
import { span } from "../format.js";
import { t } from "../i18n.js";

/**
 * @param {import("../app.js").App} app
 * @param {{client: string}} dialog
 */
export function dialog(app, dialog) {
  const client = app.view.clients.find((each) => each.name === dialog.client);
  if (!client) return nothing;
  const act = (/** @type {string} */ action) => () => {
    app.closeDialog();
    app.act(action);
  };
  return html`
    <div class="form">
      <dl class="facts">
        <dt>${t("client.topic")}</dt><dd>${client.topic}</dd>
        ${client.kind === "producer" ? producer(client) : consumer(client, app.session.reading(client.name))}
        ${client.error ? html`<dt>${t("client.error")}</dt><dd>${errorWords(client.error)}</dd>` : nothing}
      </dl>
      <p class="row">
        ${
          client.kind === "producer"
            ? ["0", "1", "all"].map(
                (acks) => html`
          <button @click=${act(setAction("client", client.name, "acks", acks))}>acks=${acks}</button>`,
              )
            : nothing
        }
        <button @click=${act(`pause ${client.name}`)}>${t("action.pause")}</button>
        <button @click=${act(`resume ${client.name}`)}>${t("action.resume")}</button>
        <button @click=${act(`crash ${client.name}`)}>${t("action.crash")}</button>
        <button @click=${act(`start ${client.name}`)}>${t("action.start")}</button>
      </p>
    </div>`;
}

/** @param {import("../types.js").ErrorView} error under all its names, and by whom */
export const errorWords = (error) =>
  html`<b class="code">${error.constant}</b> (${error.code}) · <span class="code">${error.exception}</span> · ${t(`error.${error.madeBy}`)}`;

/** @param {import("../types.js").ClientView} client */
function producer(client) {
  return html`
    <dt>acks</dt><dd>${client.acks === -1 ? "all (-1)" : client.acks}</dd>
    <dt>enable.idempotence</dt><dd>${String(Boolean(client.idempotent))}</dd>
    <dt>${t("produce.rate")}</dt><dd>${client.every ? span(client.every) : t("produce.off")}</dd>
    ${/** @type {const} */ (["sent", "acked", "failed", "pending"]).map((name) => html`<dt>${t(`client.${name}`)}</dt><dd>${client[name]}</dd>`)}`;
}

/**
 * @param {import("../types.js").ClientView} client
 * @param {import("../types.js").ReadingView|undefined} reading
 */
function consumer(client, reading) {
  const { positions = [], lastRead = [] } = reading ?? {};
  return html`
    <dt>${t("client.readCount")}</dt><dd>${client.read}</dd>
    ${positions.map(
      (each) =>
        html`<dt>${each.partition}</dt><dd>${t("client.position", {
          position: each.position ?? t("word.none"),
          committed: each.committed ?? t("word.none"),
        })}</dd>`,
    )}
    <dt>${t("client.lastRead")}</dt><dd>${lastRead.map((cell) => `${cell.offset}:${cell.value}`).join(" ") || t("word.none")}</dd>`;
}
