/** A moment of a cluster as a picture: its brokers side by side, each with its log. */

const WIDTH = 200;
const GAP = 16;
const ROW = 24;
const HEAD = 52;

/**
 * @param {import("./types.js").View} view
 * @param {string} title for who does not see it
 * @param {Record<string, string>} words of the page
 */
export function picture(view, title, words) {
  const { brokers } = view;
  const rows = Math.max(1, ...brokers.map((broker) => broker.replica?.cells.length ?? 0));
  const height = HEAD + rows * ROW + 30;
  const width = brokers.length * (WIDTH + GAP) - GAP;
  const drawn = brokers.map((broker, i) => column(broker, i * (WIDTH + GAP), rows, words));
  return `<svg viewBox="-1 -1 ${width + 2} ${height + 2}" role="img" aria-label="${safe(title)}"><title>${safe(title)}</title>${drawn.join("")}</svg>`;
}

/**
 * @param {import("./types.js").BrokerView} broker
 * @param {number} x
 * @param {number} rows
 * @param {Record<string, string>} words
 */
function column(broker, x, rows, words) {
  const { replica } = broker;
  const down = broker.state !== "running";
  const leads = replica?.role === "leader";
  const box = `<rect x="${x}" width="${WIDTH}" height="${HEAD + rows * ROW + 8}" rx="8" class="broker${leads ? " leader" : ""}${down ? " down" : ""}"/>`;
  const name = text(x + 10, 22, words["node.broker"].replace("{id}", String(broker.id)), "name");
  if (!replica) return box + name;
  const role = text(
    x + WIDTH - 10,
    22,
    words[down ? `state.${broker.state}` : `role.${replica.role}`],
    "role",
  );
  const marks = text(x + 10, 42, `HW ${replica.hw}  LEO ${replica.leo}`, "marks");
  const cells = replica.cells.map((cell, i) => {
    const y = HEAD + (rows - 1 - i) * ROW;
    return `<rect x="${x + 8}" y="${y}" width="${WIDTH - 16}" height="${ROW - 2}" class="cell ${cell.state}"/>${text(x + 16, y + 16, `${cell.offset}  ${cell.value}`, "value")}${text(x + WIDTH - 14, y + 16, `e${cell.epoch}`, "epoch")}`;
  });
  return box + name + role + marks + cells.join("");
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} kind
 */
const text = (x, y, words, kind) => `<text x="${x}" y="${y}" class="${kind}">${safe(words)}</text>`;

/** @param {string} words */
const safe = (words) => words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
