/** Ask it about your cluster: what is pasted or dropped is recognised and answered. */

import { lazily } from "../../lazy.js";

const load = () => import("./panel.js");

/**
 * @param {import("../../app.js").App} app
 * @param {import("./panel.js").AskDialog} dialog
 */
export const dialog = (app, dialog) =>
  lazily(app, (module) => module.panel(app, dialog), load, "ask");
