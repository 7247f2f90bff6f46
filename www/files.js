/** Files and pasted texts: a scenario is opened, anything else is asked about. */

import { MAX_SCRIPT } from "./links.js";

/**
 * @param {import("./app.js").App} app
 * @param {File} file a script
 */
export async function openFile(app, file) {
  if (file.size > MAX_SCRIPT) {
    app.choose({
      dialog: null,
      problems: [{ key: "file.tooLarge", params: { name: file.name, limit: String(MAX_SCRIPT) } }],
    });
    return;
  }
  take(app, await file.text(), true);
}

/**
 * @param {import("./app.js").App} app
 * @param {string} text
 * @param {boolean} [isFile] a script with a mistake in its first line is still one
 */
function take(app, text, isFile = false) {
  app.whenReady(() => {
    if (!isScript(text) && !(isFile && /^(topic|producer|at \S+) /m.test(text))) {
      app.choose({ dialog: { name: "ask", text, wanted: true }, problems: [] });
      return;
    }
    const opened = app.open(text, null);
    app.choose({ dialog: opened ? null : { name: "script" }, problems: [] });
  });
}

/** @param {string} text */
const isScript = (text) => /^(\s|#.*\n)*highwater \d/.test(text);

/** @param {import("./app.js").App} app opens what is dropped on it, or pasted where nobody writes */
export function listenToFiles(app) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text/plain");
    if (file) await openFile(app, file);
    else if (text) take(app, text);
  });
  document.addEventListener("paste", (event) => {
    const writes = /** @type {Element} */ (event.target).closest?.("input, textarea, select");
    const text = event.clipboardData?.getData("text/plain");
    if (writes || app.ui.dialog || !text?.trim()) return;
    event.preventDefault();
    take(app, text);
  });
}
