/** What is built: small enough for a first screen, and strict about what may run. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { firstScreen, gzipBytes } from "../size.mjs";

const DIST = process.env.HIGHWATER_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const built = { skip: !existsSync(`${DIST}/index.html`) };

test("the first screen is small", built, async () => {
  const { page, wasm, whole } = await firstScreen(DIST);
  assert.ok(page <= 40 * 1024, `page code ${page}`);
  assert.ok(wasm <= 110 * 1024, `starter ${wasm}`);
  // Nobody waits for it, but it does not grow unseen.
  assert.ok(whole <= 320 * 1024, `engine ${whole}`);
  assert.ok(gzipBytes(await readFile(`${DIST}/embed.js`)) <= 2048);
});

test("only the page's own scripts run, and no text becomes code", built, async () => {
  for (const name of ["index.html", "highwater.html"]) {
    const html = await readFile(`${DIST}/${name}`, "utf8");
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.match(policy, /'wasm-unsafe-eval'/);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:/);
  }
});
