/** The three verbs, and the three settings that are always one click away. */

import { html, nothing } from "lit-html";
import { setAction } from "../actions.js";
import { t } from "../i18n.js";
import { nextVictim } from "../victims.js";

/** Values that are told in words. */
const WORDS = new Set(["all", "true", "false"]);

/** @param {import("../app.js").App} app */
export function verbs(app) {
  return html`
    <section class="verbs" aria-label=${t("verbs.label")}>
      <div class="verb-row">${produce(app)}${breakIt(app)}${explain(app)}</div>
      ${levers(app)}
    </section>`;
}

/**
 * @param {{name: string, hint: string, disabled: boolean, act: () => void, more?: () => void, moreLabel?: string}} verb
 */
function verb({ name, hint, disabled, act, more, moreLabel }) {
  return html`
    <div class="verb verb-${name}">
      <button class="verb-main" data-verb=${name} ?disabled=${disabled} @click=${act}>
        <strong>${t(`verbs.${name}`)}</strong><small>${hint}</small>
      </button>
      ${more ? html`<button class="verb-more" aria-label=${moreLabel} title=${moreLabel} @click=${more}>▾</button>` : nothing}
    </div>`;
}

/** @param {import("../app.js").App} app */
function produce(app) {
  const producers = app.view.clients.filter((client) => client.kind === "producer");
  const producer =
    producers.find((client) => client.name === app.ui.draft.producer) ?? producers[0];
  return verb({
    name: "produce",
    disabled: !producer,
    act: () => app.produce(),
    hint: producer
      ? t("verbs.produceHint", { producer: producer.name, topic: producer.topic })
      : t("verbs.noProducer"),
    more: () => app.choose({ dialog: { name: "produce" } }),
    moreLabel: t("verbs.produceMore"),
  });
}

/** @param {import("../app.js").App} app */
function breakIt(app) {
  const victim = nextVictim(app.view);
  return verb({
    name: "break",
    disabled: !victim,
    act: () => app.breakNext(),
    hint: victim ? t("verbs.breakHint", { id: victim.id }) : t("verbs.nothingLeft"),
    more: () => app.choose({ dialog: { name: "break" } }),
    moreLabel: t("verbs.breakMore"),
  });
}

/** @param {import("../app.js").App} app */
function explain(app) {
  return verb({
    name: "explain",
    disabled: app.view.story.length === 0,
    hint: t("verbs.explainHint"),
    act: () => app.explainAgain(),
  });
}

/** @typedef {(scope: "topic"|"client", name: string, key: string) => (value: string) => () => void} Setter */

/** @param {import("../app.js").App} app */
function levers(app) {
  const { view } = app;
  const topic = view.state?.name.split("/")[0];
  const producers = view.clients.filter((client) => client.kind === "producer");
  const [producer] = producers;
  const settings = app.quickSettings();
  /** @type {Setter} */
  const set = (scope, name, key) => (value) => () =>
    app.act(setAction(scope, name, key, value), { follow: false });
  return html`
    <div class="levers">
      ${producer ? acks(producer, set, producers.length > 1) : nothing}
      ${
        topic
          ? lever(
              "min.insync.replicas",
              settings.minIsr,
              ["1", "2", "3"],
              set("topic", topic, "min.insync.replicas"),
            )
          : nothing
      }
      ${
        topic
          ? lever(
              "unclean.leader.election.enable",
              settings.unclean,
              ["false", "true"],
              set("topic", topic, "unclean.leader.election.enable"),
            )
          : nothing
      }
      ${app.ui.embed ? nothing : html`<button class="link all-settings" @click=${() => app.openPanel("settings")}>${t("verbs.allSettings")}</button>`}
    </div>`;
}

/**
 * The Scala producer has another name for it, and no word for -1.
 * @param {import("../types.js").ClientView} producer
 * @param {Setter} set
 * @param {boolean} several
 */
function acks({ name, scala, acks: value }, set, several) {
  const key = scala ? "request.required.acks" : "acks";
  const all = scala ? "-1" : "all";
  const label = several ? `${key}${t("word.paren", { text: name })}` : key;
  return lever(
    label,
    value === -1 ? all : String(value),
    ["0", "1", all],
    set("client", name, key),
  );
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string[]} choices
 * @param {(value: string) => () => void} choose
 */
function lever(name, value, choices, choose) {
  const [head, tail = ""] = name.split(/(?=\.enable$)/);
  return html`
    <div class="lever" role="group" aria-label=${name}>
      <span class="lever-name">${head}<span class="tail">${tail}</span></span>
      <span class="segments">${(choices.includes(value) ? choices : [...choices, value]).map(
        (choice) => html`
        <button aria-pressed=${choice === value} @click=${choose(choice)}>${WORDS.has(choice) ? t(`lever.${choice}`) : choice}</button>`,
      )}</span>
    </div>`;
}
