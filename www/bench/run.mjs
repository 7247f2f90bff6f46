/**
 * The browsers' part of `cargo xtask bench`: `node www/bench/run.mjs [dist]` prints one line of
 * JSON. Nothing here asserts anything.
 */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { sizes, wasmFile } from "../size.mjs";
import { BROWSERS, launch } from "../test/browsers.mjs";
import { serve } from "../test/server.mjs";
import { explore } from "./explore.mjs";
import { frames } from "./frames.mjs";
import { loads } from "./loads.mjs";
import { seeks } from "./seeks.mjs";
import { throughput } from "./throughput.mjs";

const ROOT = new URL("../../", import.meta.url);
/** @param {string} name */
const script = (name) => readFile(new URL(`bench/${name}.hw`, ROOT), "utf8");

const dist = process.argv[2] ?? "dist";

/** @param {import("../test/browsers.mjs").BrowserName} name */
async function measure(name) {
  const pkg = (/** @type {string} */ file) => readFile(new URL(`www/pkg/${file}`, ROOT), "utf8");
  const server = await serve(dist, {
    "/bench.html": "<!doctype html>",
    "/bench.js": await pkg("highwater_web.js"),
    "/explore.js": await pkg("explore/highwater_explore.js"),
  });
  const browser = await launch(name);
  try {
    const wasm = basename(await wasmFile(dist, "highwater"));
    const explorer = basename(await wasmFile(dist, "explore"));
    const open = async (/** @type {string} */ address) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.on("pageerror", (error) => {
        throw error;
      }); // A broken page has no numbers.
      await page.goto(server.url + address);
      return page;
    };
    return {
      ...(await throughput(
        await open("/bench.html"),
        `/assets/${wasm}`,
        await script("throughput"),
      )),
      explore: await explore(await open("/bench.html"), `/assets/${explorer}`),
      ...(await seeks(await open("/"), await script("ten-minutes"))),
      ...(await frames(await open("/"), await script("fifty-by-thousand"))),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function measureLoads() {
  const server = await serve(dist, {}, { gzip: true });
  const browser = await launch("chromium");
  try {
    return await loads(browser, `${server.url}/`);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** @type {Record<string, object>} */
const result = { sizes: await sizes(dist), loads: await measureLoads() };
for (const name of BROWSERS) result[name] = await measure(name);
console.log(JSON.stringify(result));
