/** Types of the page: the engine's, which are generated, and the page's own. */

export * from "./pkg/ask/highwater_ask.js";
export * from "./pkg/explore/highwater_explore.js";
// Two packages have it.
export type { SaidView } from "./pkg/highwater_web.js";
export * from "./pkg/highwater_web.js";

import type { BranchView, EventView, View } from "./pkg/highwater_web.js";

/** A wasm package. */
export type Package = "engine" | "ask" | "explore";

/** What the build writes down of the opening moment. */
export interface FirstFrame {
  version: string;
  releases: string[];
  view: View;
  script: string;
  branches: BranchView[];
  /** Settings that are always in reach, by their names. */
  values: Record<string, string | undefined>;
  /** The chain of causes that is on the first screen. */
  why: EventView[];
}

declare global {
  /** Addresses of what the page loads; empty where there is nothing to load. */
  var highwaterAssets: Record<Package, { wasm: string; inlined: string }>;
  /** Vouches for the address of one of the page's own scripts. */
  var highwaterTrust: (url: string) => string;
  /** Each wasm, packed, where it is inlined. */
  var highwaterWasm: Partial<Record<Package, string>> | undefined;
  /** The engine's wasm, on its way since before the page's code was there. */
  var highwaterEarly: Promise<Response> | undefined;
  /** The page, once it has begun: for who looks into it by the browser's console. */
  var highwater: import("./app.js").App;
  /** What the first script loads, by content: `build.mjs` puts it in. */
  var __ASSETS__: Record<"module" | "classic" | "en" | "zh", string> & {
    parts: string[];
  } & Record<Package, Record<"wasm" | "inlined" | "glue", string>>;
  /** What the bench notes of a visit. */
  var seenByBench: { frame: number; engine: number };
  /** Where the browser has them. */
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createScriptURL(url: string): string },
        ): { createScriptURL(url: string): string };
      }
    | undefined;
}
