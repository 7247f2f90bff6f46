/**
 * Builds the page: `node www/build.mjs --out dist [--dev] [--pkg www/pkg]`.
 *
 * dist/index.html         the page, its styles and first script inline
 * dist/assets/            modules, the classic build, each wasm, each wasm inlined: names by content
 * dist/embed.js           the embedding tag, under a stable name
 * dist/learn/             each lesson as a page that needs no script, in both languages
 * dist/highwater.html     everything in one file that opens from disk
 */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import binaryen from "binaryen";
import * as esbuild from "esbuild";
import { firstFrame } from "./first-frame.mjs";
import { learnPages } from "./learn-pages.mjs";

const WWW = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(WWW);

/** Each wasm as it is shipped. @type {Map<string, Promise<Uint8Array<ArrayBuffer>>>} */
const shipped = new Map();

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: "dist" },
    dev: { type: "boolean", default: false },
    pkg: { type: "string", default: "www/pkg" },
  },
});

/**
 * Rules of the page: only its own scripts, wasm, no injection sinks, no foreign host.
 * @param {string} scriptHash
 * @param {string} styleHash
 */
const policy = (scriptHash, styleHash, inlineToo = "") =>
  [
    "default-src 'none'",
    `script-src '${scriptHash}' ${inlineToo}'strict-dynamic' 'wasm-unsafe-eval'`,
    `style-src '${styleHash}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types highwater lit-html",
  ].join("; ");

/** What `wasm-pack` has built: where, what its glue is called here, what it has for the page, and what counts. */
const PACKAGES = {
  engine: { built: "highwater_web", as: "highwater", glue: "glue", has: "Engine", fast: true },
  ask: { built: "ask/highwater_ask", as: "ask", glue: "ask-glue", has: "Ask", fast: false },
  explore: {
    built: "explore/highwater_explore",
    as: "explore",
    glue: "explore-glue",
    has: "Explorer",
    fast: true,
  },
};

const frame = await firstFrame(await wasm(PACKAGES.engine), await glue(PACKAGES.engine));

/** What the page imports that is no file: the packages' glue, the first frame, the bundled scenarios. */
const pagePlugin = {
  name: "page",
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^highwater:/ }, ({ path }) => ({ path, namespace: "highwater" }));
    for (const each of Object.values(PACKAGES)) {
      const filter = new RegExp(`^highwater:${each.glue}$`);
      build.onLoad({ filter, namespace: "highwater" }, async () => ({
        contents: `export ${await glue(each)}`,
      }));
    }
    build.onLoad({ filter: /^highwater:first-frame$/, namespace: "highwater" }, () => ({
      contents: JSON.stringify(frame),
      loader: "json",
    }));
    build.onLoad({ filter: /\/www\/views\/(\w+\/)?\w+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/\n +/g, "\n"), // Templates need no indentation.
    }));
    build.onLoad({ filter: /^highwater:scenarios$/, namespace: "highwater" }, async () => ({
      contents: await scenarioModule(),
      resolveDir: WWW,
      loader: "js",
    }));
  },
};

/**
 * wasm-pack's glue as a function, so that a page can make a second instance after a panic.
 * @param {{built: string, has: string}} pack
 */
async function glue({ built, has }) {
  const source = await readFile(resolve(ROOT, options.pkg, `${built}.js`), "utf8");
  if (/^import /m.test(source))
    throw new Error("the glue imports something: teach build.mjs to bundle it");
  const body = source
    .replace(/^export \{[^}]*\};?$/gm, "")
    .replace(/^export (default )?/gm, "")
    .replace(/import\.meta\.url/g, "undefined");
  return `function makeGlue(console) {\n${body}\nreturn { ${has}, initSync };\n}`;
}

async function scenarioModule() {
  const all = await readdir(join(WWW, "scenarios"), { recursive: true });
  const files = all
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".hw"));
  // First the ground to build on and the first lesson, last the folders.
  const rank = (/** @type {string} */ name) =>
    name.includes("/") ? 3 : ({ "playground.hw": 0, "first.hw": 1 }[name] ?? 2);
  files.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const imports = files.map((name, i) => `import s${i} from "./scenarios/${name}";`);
  const entries = files.map(
    (name, i) => `[${JSON.stringify(name.slice(name.lastIndexOf("/") + 1, -3))}, s${i}]`,
  );
  return `${imports.join("\n")}\nexport default new Map([${entries.join(", ")}]);`;
}

const shared = /** @satisfies {esbuild.BuildOptions} */ ({
  bundle: true,
  write: /** @type {const} */ (false),
  metafile: /** @type {const} */ (true),
  minify: !options.dev,
  sourcemap: false,
  target: ["chrome120", "firefox128"],
  charset: /** @type {const} */ ("utf8"),
  legalComments: /** @type {const} */ ("none"),
  loader: /** @type {Record<string, esbuild.Loader>} */ ({ ".hw": "text", ".css": "text" }),
  plugins: [pagePlugin],
  absWorkingDir: ROOT,
  logLevel: /** @type {const} */ ("warning"),
});

async function main() {
  const out = resolve(ROOT, options.out);
  await rm(join(out, "assets"), { recursive: true, force: true });
  const assets = new Map();
  const style = await styles();
  const classic = await classicBuild();
  const boot = { ...(await moduleBuild(assets)), classic: put(assets, "classic.js", classic) };
  const inline = [];
  for (const [name, pack] of entries(PACKAGES)) {
    const content = await wasm(pack);
    const packed = deflateRawSync(content, { level: 9 }).toString("base64");
    const inlined = `(globalThis.highwaterWasm??={}).${name}="${packed}";`;
    inline.push(inlined);
    Object.assign(boot[name], {
      wasm: put(assets, `${pack.as}.wasm`, content),
      inlined: put(assets, `${pack.as}-wasm.js`, inlined),
    });
  }
  assets.set("index.html", await document(style, { boot }));
  assets.set("highwater.html", await document(style, { inline: [...inline, classic] }));
  assets.set("embed.js", await embedBuild());
  const pages = await learnPages(await wasm(PACKAGES.engine), await glue(PACKAGES.engine), WWW);
  for (const [path, text] of pages) assets.set(path, text);
  for (const [name, content] of assets) {
    await mkdir(dirname(join(out, name)), { recursive: true });
    await writeFile(join(out, name), content);
  }
}

/** Its entries, with the names that it has. */
const entries =
  /** @type {<Name extends string, Value>(of: Record<Name, Value>) => [Name, Value][]} */ (
    Object.entries
  );

/**
 * A package's wasm as it is shipped; while one works on it, as it was built. It is made once.
 * @param {{built: string, fast: boolean}} pack
 */
function wasm(pack) {
  const made = shipped.get(pack.built) ?? optimized(pack);
  shipped.set(pack.built, made);
  return made;
}

/** @param {{built: string, fast: boolean}} pack */
async function optimized({ built: name, fast }) {
  const built = await readFile(resolve(ROOT, options.pkg, `${name}_bg.wasm`));
  if (options.dev) return new Uint8Array(built);
  const module = binaryen.readBinary(built);
  binaryen.setOptimizeLevel(fast ? 3 : 2);
  binaryen.setShrinkLevel(fast ? 0 : 2);
  // A function with many locals packs badly: 9 KB of 360 after gzip.
  binaryen.setOneCallerInlineMaxSize(10);
  // The stack ends there; nothing lies so low.
  binaryen.setLowMemoryUnused(true);
  module.optimize();
  return new Uint8Array(module.emitBinary());
}

/**
 * Content names: a changed file is another file.
 * @param {string} name
 * @param {Map<string, string|Uint8Array>} assets
 * @param {string|Uint8Array} content
 */
function put(assets, name, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  const path = `assets/${name.replace(/(\.\w+)$/, `.${hash}$1`)}`;
  assets.set(path, content);
  return path;
}

/** @param {Map<string, string|Uint8Array>} assets */
async function moduleBuild(assets) {
  const built = await esbuild.build({
    ...shared,
    entryPoints: ["www/main.js"],
    outdir: "/out/assets",
    format: "esm",
    splitting: true,
    entryNames: "page.[hash]",
    chunkNames: "part.[hash]",
  });
  for (const file of built.outputFiles) assets.set(relative("/out", file.path), file.contents);
  const { outputs } = built.metafile;
  const made = (/** @type {string} */ entry) => {
    const name = Object.keys(outputs).find((each) => outputs[each].entryPoint === entry);
    if (!name) throw new Error(`${entry} was not built`);
    return name;
  };
  const address = (/** @type {string} */ name) => `assets/${name.split("/").at(-1)}`;
  const glueOf = (/** @type {{glue: string}} */ each) =>
    address(made(`highwater:highwater:${each.glue}`));
  const page = made("www/main.js");
  return {
    module: address(page),
    parts: [...imported(outputs, page)].map(address),
    engine: { glue: glueOf(PACKAGES.engine) },
    ask: { glue: glueOf(PACKAGES.ask) },
    explore: { glue: glueOf(PACKAGES.explore) },
    en: address(made("www/strings/en.js")),
    zh: address(made("www/strings/zh.js")),
  };
}

/**
 * What a module cannot do without, and what that cannot.
 * @param {string} name
 * @param {esbuild.Metafile["outputs"]} outputs
 */
function imported(outputs, name, found = new Set()) {
  for (const { path, kind } of outputs[name].imports) {
    if (kind !== "import-statement" || found.has(path)) continue;
    found.add(path);
    imported(outputs, path, found);
  }
  return found;
}

async function classicBuild() {
  const built = await esbuild.build({ ...shared, entryPoints: ["www/main.js"], format: "iife" });
  return built.outputFiles[0].text;
}

async function embedBuild() {
  const built = await esbuild.build({
    ...shared,
    entryPoints: ["www/embed.js"],
    format: "iife",
    define: { "import.meta.url": "document.baseURI" },
  });
  return built.outputFiles[0].text;
}

async function styles() {
  const built = await esbuild.build({ ...shared, loader: {}, entryPoints: ["www/css/page.css"] });
  return built.outputFiles[0].text.trim();
}

/**
 * @param {string} style
 * @param {{boot?: Record<string, unknown>, inline?: string[]}} how what it loads, or what it has inline
 */
async function document(style, { boot, inline = [] }) {
  const scripts = boot ? [await bootBuild(boot)] : [oneFileBoot, ...inline];
  const safe = scripts.map((text) =>
    text
      .trim()
      .replace(/<\/script/gi, "<\\/script")
      .replace(/<!--/g, "<\\!--"),
  );
  const hashes = safe.map((text) => `'${sha(text)}'`);
  /** @type {Record<string, string>} */
  const values = {
    csp: policy(
      sha(safe[0]),
      sha(style),
      hashes
        .slice(1)
        .map((hash) => `${hash} `)
        .join(""),
    ),
    style,
    boot: safe.map((text) => `<script>${text}</script>`).join("\n"),
  };
  const page = await readFile(join(ROOT, "index.html"), "utf8");
  return page.replace(/\{\{(\w+)\}\}/g, (_, /** @type {string} */ key) => values[key]);
}

/** @param {Record<string, unknown>} assets */
async function bootBuild(assets) {
  const built = await esbuild.build({
    ...shared,
    entryPoints: ["www/boot.js"],
    format: "iife",
    define: { __ASSETS__: JSON.stringify(assets) },
  });
  return built.outputFiles[0].text;
}

/** The one file has nothing to load: no address is trusted. */
const oneFileBoot = `globalThis.highwaterAssets={engine:{wasm:"",inlined:""},ask:{wasm:"",inlined:""},explore:{wasm:"",inlined:""}};globalThis.highwaterTrust=()=>{throw new TypeError("one file loads nothing")};`;

/** @param {string} text */
const sha = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

await main();
