/** Everything that time can do has a key; the help dialog lists the same table. */

/** @type {{keys: string[], shown: string, name: string, act: (app: import("./app.js").App) => void}[]} */
export const KEYS = [
  { keys: [" ", "k"], shown: "Space / K", name: "play", act: (app) => app.toggle() },
  { keys: ["ArrowRight", "l"], shown: "→ / L", name: "step", act: (app) => app.step() },
  { keys: ["ArrowLeft", "j"], shown: "← / J", name: "back", act: (app) => app.stepBack() },
  { keys: ["s"], shown: "S", name: "settle", act: (app) => app.settle() },
  { keys: ["p"], shown: "P", name: "produce", act: (app) => app.produce() },
  {
    keys: ["b"],
    shown: "B",
    name: "break",
    act: (app) => app.choose({ dialog: { name: "break" } }),
  },
  { keys: ["e"], shown: "E", name: "explain", act: (app) => app.explainAgain() },
  { keys: ["z"], shown: "Z", name: "undo", act: (app) => app.undo() },
  { keys: ["y", "Z"], shown: "Y", name: "redo", act: (app) => app.redo() },
  { keys: ["r"], shown: "R", name: "flip", act: (app) => app.flipRelease() },
  { keys: ["0", "Home"], shown: "0", name: "start", act: (app) => app.seek(0) },
  { keys: ["?"], shown: "?", name: "help", act: (app) => app.choose({ dialog: { name: "help" } }) },
];

/** @param {import("./app.js").App} app */
export function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || app.ui.dialog || typing(event)) return;
    if (event.repeat && !app.ready) return; // One press waits; held down, it would fill a queue.
    const key = KEYS.find((candidate) => candidate.keys.includes(event.key));
    if (!key) return;
    event.preventDefault();
    app.press(key.name, () => key.act(app));
  });
}

/**
 * Whether the key belongs to what has the focus.
 * @param {KeyboardEvent} event
 */
function typing(event) {
  const element = /** @type {HTMLElement} */ (event.target);
  if (element.closest("input, textarea, select, canvas, [role=tablist], [contenteditable]"))
    return true;
  return event.key === " " && Boolean(element.closest("button, a, summary"));
}
