/** Script files: opened from a dialog, or dropped on the page. */

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
  const text = await file.text();
  app.whenReady(() => {
    const opened = app.open(text, null);
    app.choose({ dialog: opened ? null : { name: "script" }, problems: [] });
  });
}

/** @param {import("./app.js").App} app opens what is dropped on it */
export function listenToFiles(app) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) await openFile(app, file);
  });
}
