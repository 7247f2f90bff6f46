/** One place for all that people paste: what it is, is found out; what is to be said of it, is said. */

import { html, nothing } from "lit-html";
import { asked } from "../../asked.js";
import { chosenIn } from "../../events.js";
import { t } from "../../i18n.js";
import { described } from "../described.js";
import { whatIf } from "./board.js";
import { checked } from "./config.js";
import { EXAMPLES } from "./examples.js";
import { logged } from "./log.js";
import { quorum } from "./quorum.js";

/** Longer texts are refused, in characters. */
const MOST = 1_000_000;

/**
 * @typedef {object} Answer
 * @property {import("../../rebuilt.js").Read} [described]
 * @property {import("../../types.js").BoardView} [board]
 * @property {import("../../types.js").CheckedView} [checked]
 * @property {import("../../types.js").QuorumView} [quorum]
 * @property {import("../../types.js").LogView} [log]
 * @property {string} release it was asked on
 */

/** @typedef {{name: string, text?: string, racks?: string, hasBrokers?: boolean, wanted?: boolean, answer?: Answer, failed?: string, busy?: boolean}} AskDialog */

/**
 * @param {import("../../app.js").App} app
 * @param {AskDialog} dialog
 */
export function panel(app, dialog) {
  const { text = "", answer, failed } = dialog;
  const { release } = app.view;
  const fill = (/** @type {string} */ example) => () => {
    dialog.text = example;
    ask(app, dialog);
  };
  const write = (/** @type {Event} */ event) => {
    dialog.text = chosenIn(event);
    app.draw();
  };
  const setRacks = (/** @type {Event} */ event) => {
    dialog.racks = chosenIn(event);
  };
  // What was dropped or pasted elsewhere is asked at once; so is all, on another release.
  const isStale = answer ? answer.release !== release : dialog.wanted;
  if (isStale && !dialog.busy && !failed) queueMicrotask(() => ask(app, dialog));
  const tooLong = text.length > MOST;
  return html`
    <div class="form asking">
      <p>${t("ask.about")}</p>
      <label>${t("ask.text")}<textarea class="code" rows="9" spellcheck="false" .value=${text}
        placeholder="acks=1" @input=${write}></textarea></label>
      ${tooLong ? html`<p class="notice bad" role="alert">${t("paste.tooLong", { limit: MOST })}</p>` : nothing}
      ${dialog.hasBrokers ? html`<label>${t("ask.racks")}<input class="code" placeholder="a=1,2" .value=${dialog.racks ?? ""} @input=${setRacks}></label>` : nothing}
      <p class="row"><button class="primary" ?disabled=${tooLong || !text.trim()} @click=${() => ask(app, dialog)}>${t("ask.answer", { release })}</button>
        <span class="empty">${t("ask.examples")}</span>
        ${Object.entries(EXAMPLES).map(([name, example]) => html`<button @click=${fill(example)}>${t(`ask.example.${name}`)}</button>`)}</p>
      ${failed ? html`<p class="notice bad" role="alert">${t("paste.failed", { reason: failed })}</p>` : nothing}
    </div>
    ${answer ? html`<div class="answer" role="status">${said(app, answer)}</div>` : nothing}`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {Answer} answer
 */
function said(app, answer) {
  const { described: read, board, checked: configuration, log } = answer;
  if (!read && !configuration && !answer.quorum && !log)
    return html`<p class="notice">${t("ask.nothing")}</p>`;
  return html`
    ${log ? logged(app, log) : nothing}
    ${answer.quorum ? quorum(answer.quorum) : nothing}
    ${configuration ? checked(app, configuration) : nothing}
    ${board ? whatIf(app, board, read?.errors.length ? undefined : read?.script) : nothing}
    ${read ? described(app, read) : nothing}`;
}

/**
 * @param {import("../../app.js").App} app
 * @param {AskDialog} dialog
 */
async function ask(app, dialog) {
  const { release } = app.view;
  Object.assign(dialog, { answer: undefined, failed: undefined, wanted: false, busy: true });
  app.draw();
  try {
    const answer = await asked((ask) => ask.answer(dialog.text ?? "", dialog.racks ?? "", release));
    const read = answer.described;
    dialog.hasBrokers ||= Boolean(answer.board);
    const errors = read?.script ? app.session.check(read.script) : [];
    dialog.answer = { ...answer, described: read && { ...read, errors }, release };
  } catch (error) {
    dialog.failed = String(error instanceof Error ? error.message : error);
  }
  dialog.busy = false;
  app.refresh();
}
