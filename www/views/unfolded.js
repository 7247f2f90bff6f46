/** What unfolds on demand, in one part: loaded behind the first screen, or when it is first wanted. */

export { told } from "../errors.js";
export { listenToFiles } from "../files.js";
export * as ask from "./ask/dialog.js";
export * as break from "./break.js";
export * as client from "./client.js";
export * as explore from "./explore/panel.js";
export { fullPage } from "./full-page.js";
export * as gallery from "./gallery.js";
export * as help from "./help.js";
export * as learn from "./learn/contents.js";
export { lesson } from "./learn/lesson.js";
export * as map from "./map.js";
export * as message from "./message.js";
export * as metrics from "./metrics.js";
export * as node from "./node.js";
export * as panic from "./panic.js";
export * as partition from "./partition.js";
export * as paste from "./paste.js";
export * as prevent from "./prevent/panel.js";
export * as produce from "./produce.js";
export * as record from "./record.js";
export * as records from "./records.js";
export * as script from "./script.js";
export * as settings from "./settings.js";
export * as share from "./share.js";
export * as spacetime from "./spacetime.js";
