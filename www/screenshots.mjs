/**
 * Takes the pictures of the documents: `node www/screenshots.mjs [dist]`, on the page that is built.
 * ImageMagick's `convert` joins the frames of the moving one.
 */

import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./test/browsers.mjs";
import { serve } from "./test/server.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** @param {import("playwright-core").Page} page */
const still = (page) =>
  page.waitForFunction(() => !globalThis.highwater.ui.playing, null, { timeout: 30_000 });
/** @param {string} name */
const release = (name) => (/** @type {import("playwright-core").Page} */ page) =>
  page.locator(".release select").selectOption(name);
/** @param {import("playwright-core").Page} page */
const end = (page) => page.evaluate(() => globalThis.highwater.seek(globalThis.highwater.view.end));

/** @param {import("playwright-core").Page} page */
async function refused(page) {
  for (const verb of ["break", "break", "produce"]) {
    await page.locator(`[data-verb=${verb}]`).click();
    await still(page);
  }
}

/** @param {import("playwright-core").Page} page */
async function flipped(page) {
  await end(page);
  await release("3.9")(page);
}

/** @type {Record<string, {at: string, size?: {width: number, height: number}, make?: (page: import("playwright-core").Page) => Promise<unknown>}>} */
const PICTURES = {
  "first-screen": { at: "?lang=en&theme=light", make: refused },
  "first-screen-zh-dark": { at: "?lang=zh&theme=dark", make: refused },
  phone: { at: "?lang=en&theme=light", size: PHONE, make: refused },
  "unclean-dark": { at: "?lang=en&theme=dark#s=all-down-unclean&at=50s" },
  "elr-zh": { at: "?lang=zh&theme=light#s=all-down-elr&at=40s" },
  embed: {
    at: "?embed&lang=en&theme=light#s=leader-crash-truncation&at=20050ms",
    size: { width: 760, height: 620 },
  },
  zookeeper: { at: "?lang=en&theme=light", make: release("0.8.2") },
  "flip-before": { at: "?lang=en&theme=light#s=a01-truncation-to-the-hw", make: end },
  "flip-after": { at: "?lang=en&theme=light#s=a01-truncation-to-the-hw", make: flipped },
};

/** The first minute, as the README tells it: what is clicked before each frame. */
const MINUTE = [
  null,
  "[data-verb=produce]",
  "[data-verb=break]",
  "[data-verb=produce]",
  "[data-verb=break]",
  "[data-verb=produce]",
  "[data-verb=explain]",
];

/** @param {import("playwright-core").Browser} browser @param {string} url */
async function firstMinute(browser, url) {
  const folder = await mkdtemp(join(tmpdir(), "highwater-"));
  const page = await browser.newPage({ viewport: DESK, reducedMotion: "reduce" });
  await page.goto(`${url}/?lang=en&theme=light`);
  await page.waitForSelector(".stage");
  const frames = [];
  for (const [i, wanted] of MINUTE.entries()) {
    if (wanted) await page.locator(wanted).click();
    await still(page);
    await page.mouse.move(0, 0);
    frames.push(join(folder, `${i}.png`));
    await page.screenshot({ path: frames[i] });
  }
  await page.close();
  const seen = [
    "-delay",
    "180",
    "-loop",
    "0",
    ...frames,
    "-resize",
    "960x",
    "+dither",
    "-colors",
    "64",
  ];
  execFileSync("convert", [
    ...seen,
    "-layers",
    "optimize",
    `${ROOT}docs/screenshots/first-minute.gif`,
  ]);
  await rm(folder, { recursive: true });
}

const server = await serve(process.argv[2] ?? `${ROOT}dist`);
const browser = await launch("chromium");
for (const [name, { at, size = DESK, make }] of Object.entries(PICTURES)) {
  const page = await browser.newPage({ viewport: size, reducedMotion: "reduce" });
  await page.goto(`${server.url}/${at}`);
  await page.waitForSelector(".stage");
  await make?.(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${ROOT}docs/screenshots/${name}.png` });
  await page.close();
}
await firstMinute(browser, server.url);
await browser.close();
await server.close();
