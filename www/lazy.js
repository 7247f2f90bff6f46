/** Code that is loaded when it is first needed. */

import { html } from "lit-html";
import { t, useMoreWords } from "./i18n.js";

/** Nearly all of it: small parts would cost more than they save. */
export const unfolded = () => import("./views/unfolded.js");

const loaded = new Map();

/**
 * @param {import("./app.js").App} app drawn again once the module is there
 * @param {(module: any) => unknown} show
 * @param {() => Promise<any>} load always the same function for the same module
 */
export function lazily(
  app,
  show,
  load = unfolded,
  words = /** @type {import("./i18n.js").MoreWords} */ ("more"),
  meanwhile = /** @type {unknown} */ (html`<p class="empty">${t("page.loading")}</p>`),
) {
  const module = loaded.get(load);
  if (module && !(module instanceof Promise)) return show(module);
  if (!module) {
    const promise = Promise.all([load(), useMoreWords(), useMoreWords(words)]).then(
      ([ready]) => ready,
    );
    loaded.set(load, promise);
    promise.then(
      (ready) => {
        loaded.set(load, ready);
        app.refresh();
      },
      () => loaded.delete(load),
    );
  }
  return meanwhile;
}
