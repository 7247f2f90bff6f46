/** Ask it about your cluster: what is pasted or dropped is recognised and answered. */

import { lazily } from "../../lazy.js";
import * as panel from "./panel.js";

/**
 * The code is there, its many words are not. A part of its own for the code would cut what it shares
 * with the first screen into more parts, each another request before there is anything to see.
 */
const load = async () => panel;

/**
 * @param {import("../../app.js").App} app
 * @param {import("./panel.js").AskDialog} dialog
 */
export const dialog = (app, dialog) =>
  lazily(app, (module) => module.panel(app, dialog), load, "ask");
