/** What the browser tests share: a built page served, and a fresh page in each browser. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";
import { BROWSERS, launch } from "./browsers.mjs";
import { serve } from "./server.mjs";

export const DIST =
  process.env.HIGHWATER_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/**
 * Runs the same tests in both browsers.
 * @param {string} title
 * @param {(use: {open: (path?: string, options?: Record<string, any>) => Promise<import("playwright-core").Page>, server: {url: string}, name: string}) => void} body
 * @param {Record<string, string>} [extra] pages of the test's own
 * @param {{still?: boolean}} [how] see `launch`
 */
export function inBothBrowsers(title, body, extra = {}, how = {}) {
  for (const name of BROWSERS) {
    describe(`${title} (${name})`, () => {
      const use = { name, server: { url: "" }, troubles: [], open: null };
      let browser;
      let server;
      before(async () => {
        server = await serve(DIST, extra);
        browser = await launch(name, how);
        use.server = server;
      });
      after(async () => {
        await browser?.close();
        await server?.close();
      });
      // Ready is a page whose engine is there, unless a test wants it as soon as there is something to see.
      use.open = async (path = "/", { ready = true, engine = ready, prepare, ...options } = {}) => {
        const context = await browser.newContext({ viewport: DESK, ...options });
        const page = await context.newPage();
        page.setDefaultTimeout(10_000);
        page.troubles = [];
        page.on("pageerror", (error) => page.troubles.push(String(error)));
        page.on(
          "console",
          (message) => message.type() === "error" && page.troubles.push(message.text()),
        );
        await prepare?.(page);
        await page.goto(
          path.startsWith("http") || path.startsWith("file:") ? path : server.url + path,
        );
        if (ready) await page.waitForSelector(".stage, .failed");
        if (engine) await page.waitForFunction(() => globalThis.highwater?.ready);
        return page;
      };
      body(use);
    });
  }
}

/**
 * Whether all of an element is inside the window, so that it is seen without scrolling.
 * @param {import("playwright-core").Locator} locator
 */
export async function onScreen(locator) {
  const box = await locator.boundingBox();
  const { width, height } = await locator
    .page()
    .evaluate(() => ({ width: innerWidth, height: innerHeight }));
  return (
    Boolean(box) &&
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= width &&
    box.y + box.height <= height
  );
}

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe finds, a line each. The page's policy has to be off (`bypassCSP`).
 * @param {import("playwright-core").Page} page
 * @param {string} [where] a selector; the whole page without one
 * @returns {Promise<string[]>}
 */
export async function axeFinds(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate((where) => globalThis.axe.run(where ?? document), where);
  return found.violations.map(
    (each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" | ")}`,
  );
}
