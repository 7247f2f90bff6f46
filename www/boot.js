/**
 * The first script, inline and classic. Modules where they load; where they do not (an opaque
 * origin whose server sends no CORS header, `file://`) the same page as a classic script. What a
 * module would ask for only when it is there itself is asked for now.
 */

import { wishedLanguage } from "./wishes.js";

const assets = __ASSETS__;
const trust = globalThis.trustedTypes?.createPolicy("highwater", {
  /** @param {string} url */
  createScriptURL(url) {
    const own = [assets, assets.engine, assets.ask, assets.explore];
    if (own.some((each) => Object.values(each).includes(url))) return url;
    throw new TypeError(`not a script of this page: ${url}`);
  },
});
globalThis.highwaterAssets = assets;
globalThis.highwaterTrust = (/** @type {string} */ url) => trust?.createScriptURL(url) ?? url;

/**
 * @param {string} url
 * @param {string} [type]
 */
const load = (url, type) => {
  const script = document.createElement("script");
  if (type) script.type = type;
  script.src = globalThis.highwaterTrust(url);
  if (type) script.onerror = () => load(assets.classic);
  document.head.append(script);
};

/**
 * @param {string} href
 * @returns {Promise<unknown>} when it is there, or cannot be had
 */
const preload = (href) =>
  new Promise((arrived) => {
    const link = Object.assign(document.createElement("link"), { rel: "modulepreload", href });
    link.onload = link.onerror = arrived;
    document.head.append(link);
  });

if (location.origin === "null" || location.protocol === "file:") {
  load(assets.classic);
} else {
  load(assets.module, "module");
  const firstFrame = [assets.module, ...assets.parts, assets[wishedLanguage()]].map(preload);
  // The engine is nine times as large as the first frame: side by side they would share the line, and
  // the page would stay empty for longer. A browser that knows no `modulepreload` tells when the
  // scripts are there.
  const loaded = new Promise((resolve) => addEventListener("load", resolve));
  globalThis.highwaterEarly = Promise.race([Promise.all(firstFrame), loaded]).then(() => {
    preload(assets.engine.glue);
    return fetch(assets.engine.wasm);
  });
  globalThis.highwaterEarly.catch(() => {}); // Who awaits it hears of it.
}
