/**
 * A log as a strip that rises: offsets grow upward and stand at the same height on every broker, so
 * that logs compare by eye. The high watermark is the level up to which it is filled.
 */

import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { t } from "../i18n.js";
import { Keys } from "../recycle.js";

/** Of each broker's cells: a cell that changes is a new one, and stands out. */
const keys = /** @type {Map<number, Keys>} */ (new Map());

/** Colours for leader epochs; each cell names its epoch too. */
const EPOCH_COLOURS = 6;

/**
 * The offsets that all strips show.
 * @param {import("../types.js").View} view
 * @param {number} rows
 * @returns {{low: number, high: number}} from low up to, not including, high
 */
export function shownOffsets(view, rows) {
  let end = 0;
  for (const { replica } of view.brokers) if (replica && replica.leo > end) end = replica.leo;
  const high = Math.max(rows, end + 1);
  return { low: high - rows, high };
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").BrokerView} broker
 */
export function strip(app, broker) {
  const { replica } = broker;
  if (!replica) return nothing;
  const { low, high } = shownOffsets(app.view, app.ui.rows);
  const cells = replica.cells.filter((each) => each.offset >= low && each.offset < high).reverse();
  const row = (/** @type {number} */ offset) => high - offset;
  const own = keys.get(broker.id) ?? new Keys();
  keys.set(broker.id, own);
  const name = (/** @type {import("../types.js").CellView} */ each) =>
    `${each.offset} ${each.record} ${each.state}`;
  const key = own.of(cells.map(name), app.leapt);
  return html`
    <ol class="strip" aria-label=${t("strip.label", { id: broker.id, leo: replica.leo, hw: replica.hw })} reversed>
      <li class="marks" aria-hidden="true">
        ${mark("hw", replica.hw, low, row)}${mark("leo", replica.leo, low, row)}
      </li>
      ${repeat(
        cells,
        (each) => key(name(each)),
        (each) => cell(app, each, row(each.offset)),
      )}
      ${replica.leo < low ? html`<li class="below">${t("strip.below", { leo: replica.leo })}</li>` : nothing}
    </ol>`;
}

/**
 * @param {string} name
 * @param {number} offset
 * @param {number} low
 * @param {(offset: number) => number} row
 */
function mark(name, offset, low, row) {
  if (offset < low) return nothing;
  return html`<span class="mark mark-${name}" .style=${`--at:${row(offset)}`}><i>${name.toUpperCase()}<span> ${offset}</span></i></span>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {import("../types.js").CellView} each
 * @param {number} row
 */
function cell(app, each, row) {
  const words = [t(`cell.${each.state}`)];
  if (each.diverges) words.push(t("cell.diverges"));
  if (each.acked) words.push(t("cell.acked"));
  const state = words.join(", ");
  const label = each.epoch < 0 ? "cell.labelOld" : "cell.label";
  return html`
    <li .style=${`grid-row:${row}`}>
      <button class="cell fresh ${each.state} ${each.diverges ? "diverges" : ""} ${each.record === app.ui.dialog?.record ? "followed" : ""} epoch-${each.epoch % EPOCH_COLOURS}"
        title=${t(label, { offset: each.offset, value: each.value, epoch: each.epoch, state })} @click=${() => app.choose({ dialog: { name: "record", record: each.record } })}>
        <span class="offset">${each.offset}</span>
        <span class="value">${each.key ? html`<em>${each.key}</em> ` : nothing}${each.value}</span>
        <span class="tick" aria-hidden="true">${each.diverges ? "≠" : each.acked ? "✓" : ""}</span>
        <span class="epoch">${each.epoch < 0 ? "" : `e${each.epoch}`}</span><span class="visually-hidden">${state}</span>
      </button>
    </li>`;
}
