/** Every partition in a list with its health, and the topic as `kafka-topics --describe` prints it. */

import { html } from "lit-html";
import { idList } from "../format.js";
import { t } from "../i18n.js";

/** More rows than these are left to the map. */
const MOST = 200;

/** @param {import("../app.js").App} app */
export function dialog(app) {
  const all =
    app.session.view({
      partition: app.view.partition,
      partitions: true,
      story: 0,
      flights: 0,
      cells: 0,
      records: 0,
    }).partitions ?? [];
  const topic = app.view.partition?.replace(/\/\d+$/, "");
  return html`
    <div class="form">
      ${
        all.length > MOST
          ? html`<p class="empty">${t("partition.more", { shown: MOST, count: all.length })}
        <button class="link" @click=${() => {
          app.closeDialog();
          app.openPanel("map");
        }}>${t("panel.map")}</button></p>`
          : ""
      }
      <div class="scroll" tabindex="0" role="region" aria-label=${t("dialog.partition")}><table><thead><tr>
        ${["partition", "leader", "ISR", "health"].map((name) => html`<th scope="col">${t(`column.${name}`)}</th>`)}</tr></thead>
        <tbody>${all.slice(0, MOST).map(
          (each) => html`<tr>
          <td><button class="link" @click=${() => app.choose({ partition: each.name, dialog: null, why: null })}>${each.name}</button></td>
          <td>${each.leader ?? t("word.none")}</td><td>${idList(each.isr, t("word.none"))}</td><td>${t(`health.${each.health}`)}</td></tr>`,
        )}</tbody></table></div>
      ${
        topic
          ? html`<h3 class="code">kafka-topics.sh --describe --topic ${topic}</h3>
        <pre class="scroll" tabindex="0">${app.session.describe(topic)}</pre>`
          : ""
      }
      ${app.view.state ? moving(app, app.view.state) : ""}
      ${creating(app)}
    </div>`;
}

/**
 * What an operator can ask of the chosen partition; what is refused is told.
 * @param {import("../app.js").App} app
 * @param {import("../types.js").PartitionView} given
 */
function moving(app, { name, replicas, adding, removing }) {
  const act = (/** @type {string} */ action) => () => {
    app.closeDialog();
    app.act(action);
  };
  const moves = adding.length + removing.length > 0;
  return html`
    <h3>${name}</h3>
    <form class="row" @submit=${submitted(
      app,
      ({ target }) => `reassign ${name} ${target.replace(/\s/g, "")}`,
    )}>
      <label>${t("partition.target")} <input class="code" name="target" .value=${replicas.join(",")}></label>
      <button>${t("partition.move")}</button>
      ${moves ? html`<button type="button" @click=${act(`reassign ${name} cancel`)}>${t("partition.cancel")}</button>` : ""}
      <button type="button" @click=${act(`elect preferred ${name}`)}>${t("action.electPreferred")}</button>
      <button type="button" @click=${act(`elect unclean ${name}`)}>${t("action.electUnclean")}</button>
    </form>`;
}

/**
 * A new topic: so many partitions and replicas, or replicas by hand.
 * @param {import("../app.js").App} app
 */
function creating(app) {
  return html`
    <h3>${t("partition.create")}</h3>
    <form class="row" @submit=${submitted(app, ({ topic, shape }) => `create ${topic} ${shape}`)}>
      <label>${t("partition.topic")} <input class="code" name="topic"></label>
      <label>${t("partition.shape")} <input class="code" name="shape" size="28" value="partitions=3 replicas=3"></label>
      <button>${t("partition.createIt")}</button>
    </form>
    <p class="empty">${t("partition.byHand")} <code>assignment=1,2;2,3</code></p>`;
}

/**
 * What is in a form of texts.
 * @param {Event} event
 */
const fieldsOf = ({ target }) =>
  /** @type {Record<string, string>} */ (
    Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (target)))
  );

/**
 * Acts on what a form holds, and closes the dialog.
 * @param {import("../app.js").App} app
 * @param {(fields: Record<string, string>) => string} action
 */
function submitted(app, action) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    app.closeDialog();
    app.act(action(fieldsOf(event)));
  };
}
