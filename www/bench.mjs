/**
 * Measures the built page in a real browser: `node www/bench.mjs [--dist dist] [--browser chromium]`.
 * Prints one line of JSON: script time of a frame while playing 50 brokers × 1,000 partitions (95th
 * percentile of at least 300 frames), and the worst of 100 random seeks in a 10-minute scenario,
 * state and page done.
 */

import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { launch } from "./test/browsers.mjs";
import { serve } from "./test/server.mjs";

const FRAMES = 320;
const SEEKS = 100;

const { values: options } = parseArgs({ options: {
  dist: { type: "string", default: fileURLToPath(new URL("../dist", import.meta.url)) },
  browser: { type: "string", default: "chromium" },
} });

const LARGE = `highwater 1
brokers 50
topic orders partitions=1000 replicas=3 min.insync.replicas=2
producer p1 topic=orders acks=all every=20ms burst=100
consumer c1 topic=orders
until 10m
`;

const LONG = `highwater 1
topic orders partitions=1 replicas=3 min.insync.replicas=2
producer p1 topic=orders acks=all every=200ms
consumer c1 topic=orders
at 60s crash 2
at 120s start 2
at 300s crash 1
at 360s start 1
until 10m
`;

async function main() {
  const server = await serve(options.dist);
  const browser = await launch(/** @type {any} */ (options.browser));
  try {
    const frame = await inPage(browser, server.url, LARGE, framesOf);
    const seek = await inPage(browser, server.url, LONG, seeksOf);
    console.log(JSON.stringify({ browser: options.browser, frame_script_ms_50x1000: frame, seek_ms_10min: seek }));
  } finally {
    await browser.close();
    await server.close();
  }
}

async function inPage(browser, url, script, measure) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(timeFrames);
  await page.goto(`${url}/#t=1.${encodeURIComponent(script)}`);
  await page.waitForFunction(() => globalThis.highwater, null, { timeout: 120_000 });
  const result = await measure(page);
  await context.close();
  return result;
}

/** Runs in the page, before its scripts: how long each animation frame's callbacks take. */
function timeFrames() {
  const real = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.frameTimes = [];
  globalThis.requestAnimationFrame = (callback) => real((now) => {
    const start = performance.now();
    callback(now);
    globalThis.frameTimes.push(performance.now() - start);
  });
}

async function framesOf(page) {
  await page.evaluate(() => {
    globalThis.highwater.openPanel("map");
    globalThis.highwater.play();
  });
  await page.waitForFunction(() => globalThis.frameTimes.length > 60, null, { timeout: 120_000 });
  await page.evaluate(() => { globalThis.frameTimes.length = 0; });
  await page.waitForFunction((frames) => globalThis.frameTimes.length >= frames, FRAMES, { timeout: 240_000 });
  const times = (await page.evaluate(() => globalThis.frameTimes)).sort((a, b) => a - b);
  return round(times[Math.floor(times.length * 0.95)]);
}

async function seeksOf(page) {
  const times = await page.evaluate((seeks) => {
    const app = globalThis.highwater;
    app.seek(600e6);
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    return Array.from({ length: seeks }, () => {
      const start = performance.now();
      app.seek(Math.floor(random() * 600e6));
      return performance.now() - start;
    });
  }, SEEKS);
  return round(Math.max(...times));
}

const round = (ms) => Math.round(ms * 100) / 100;

await main();
