/**
 * The first script, inline and classic. Modules where they load; where they do not (an opaque
 * origin whose server sends no CORS header, `file://`) the same page as a classic script.
 */
(() => {
  const assets = /* set by build.mjs */ __ASSETS__;
  const trust = globalThis.trustedTypes?.createPolicy("highwater", {
    createScriptURL(url) {
      if (Object.values(assets).includes(url)) return url;
      throw new TypeError(`not a script of this page: ${url}`);
    },
  });
  globalThis.highwaterAssets = assets;
  globalThis.highwaterTrust = (url) => trust?.createScriptURL(url) ?? url;

  const load = (url, type) => {
    const script = document.createElement("script");
    if (type) script.type = type;
    script.src = globalThis.highwaterTrust(url);
    if (type) script.onerror = () => load(assets.classic);
    document.head.append(script);
  };
  if (location.origin === "null" || location.protocol === "file:") load(assets.classic);
  else load(assets.module, "module");
})();
