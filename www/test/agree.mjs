/**
 * The engine's half of `cargo xtask test --only agreement`: `node www/test/agree.mjs dist LIST`
 * plays every script of a list in Node and in both browsers, and prints, by place and name, the
 * histories of those that come to another fingerprint than the list says.
 */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { wasmFile } from "../size.mjs";
import { BROWSERS, launch } from "./browsers.mjs";
import { differing } from "./differing.mjs";
import { serve } from "./server.mjs";

const GLUE = new URL("../pkg/highwater_web.js", import.meta.url);

const [dist, file] = process.argv.slice(2);
const list = JSON.parse(await readFile(file, "utf8"));
const wasm = await wasmFile(dist, "highwater");

async function inNode() {
  const { Engine, initSync } = await import(GLUE.href);
  initSync({ module: new WebAssembly.Module(await readFile(wasm)) });
  return differing(Engine, list);
}

/** @param {import("./browsers.mjs").BrowserName} name */
async function inBrowser(name) {
  const server = await serve(dist, {
    "/agree.html": "<!doctype html>",
    "/glue.js": await readFile(GLUE, "utf8"),
    "/differing.js": await readFile(new URL("differing.mjs", import.meta.url), "utf8"),
  });
  const browser = await launch(name);
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/agree.html`);
    return await page.evaluate(
      async ({ wasm, list, from }) => {
        const { default: init, Engine } = await import(from.glue);
        const { differing } = await import(from.differing);
        await init({ module_or_path: wasm });
        return differing(Engine, list);
      },
      {
        wasm: `/assets/${basename(wasm)}`,
        list,
        from: { glue: "/glue.js", differing: "/differing.js" },
      },
    );
  } finally {
    await browser.close();
    await server.close();
  }
}

const places = { Node: await inNode() };
for (const name of BROWSERS) places[name] = await inBrowser(name);
console.log(JSON.stringify(places));
