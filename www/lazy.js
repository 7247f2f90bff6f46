/** Code that is loaded when it is first needed. */

import { html } from "lit-html";
import { t, useMoreWords } from "./i18n.js";

const loaded = new Map();

/**
 * @template M
 * @param {import("./app.js").App} app drawn again once the module is there
 * @param {() => Promise<M>} load always the same function for the same module
 * @param {(module: M) => unknown} show
 */
export function lazily(app, load, show) {
  const module = loaded.get(load);
  if (module && !(module instanceof Promise)) return show(module);
  if (!module) {
    const promise = Promise.all([load(), useMoreWords()]).then(([ready]) => ready);
    loaded.set(load, promise);
    promise.then((ready) => {
      loaded.set(load, ready);
      app.refresh();
    }, () => loaded.delete(load));
  }
  return html`<p class="empty">${t("page.loading")}</p>`;
}
