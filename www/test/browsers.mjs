/** The two supported browsers, as they are installed. */

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, firefox } from "playwright-core";

const NAMES = {
  chromium: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  firefox: ["firefox-esr", "firefox"],
};

/** @typedef {"chromium"|"firefox"} BrowserName */

/** @type {BrowserName[]} */
export const BROWSERS = ["chromium", "firefox"];

/**
 * @param {BrowserName} name
 * @param {{still?: boolean}} [how] still: Firefox as for someone who wants nothing to move (Chromium is told by a page)
 * @returns {Promise<import("playwright-core").Browser>}
 */
export function launch(name, { still = false } = {}) {
  const executablePath = find(name);
  if (name === "firefox") {
    /** @type {Record<string, number>} */
    const firefoxUserPrefs = still ? { "ui.prefersReducedMotion": 1 } : {};
    return firefox.launch({ channel: "moz-firefox", executablePath, firefoxUserPrefs });
  }
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
  ];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath, args });
}

/** @param {BrowserName} name */
function find(name) {
  const given = process.env[`HIGHWATER_${name.toUpperCase()}`];
  if (given) return given;
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const candidate of NAMES[name]) {
    const folder = folders.find((each) => existsSync(join(each, candidate)));
    if (folder) return join(folder, candidate);
  }
  throw new Error(`${name} was not found: set HIGHWATER_${name.toUpperCase()} to its path`);
}
