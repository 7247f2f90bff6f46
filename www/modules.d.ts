/** What the page imports that is no file: `build.mjs` makes it. */

declare module "highwater:glue" {
  /** The engine's JavaScript, as often as it is wanted. */
  export function makeGlue(console: Partial<Console>): {
    Engine: typeof import("./pkg/highwater_web.js").Engine;
    initSync: (how: { module: WebAssembly.Module }) => unknown;
  };
}

declare module "highwater:ask-glue" {
  /** The same of what answers questions. */
  export function makeGlue(console: Partial<Console>): {
    Ask: typeof import("./pkg/ask/highwater_ask.js").Ask;
    initSync: (how: { module: WebAssembly.Module }) => unknown;
  };
}

declare module "highwater:explore-glue" {
  /** The same of what looks at every order of things. */
  export function makeGlue(console: Partial<Console>): {
    Explorer: typeof import("./pkg/explore/highwater_explore.js").Explorer;
    initSync: (how: { module: WebAssembly.Module }) => unknown;
  };
}

declare module "highwater:first-frame" {
  const frame: import("./types.js").FirstFrame;
  export default frame;
}

declare module "highwater:scenarios" {
  /** Name to script, in order of the gallery. */
  const scenarios: Map<string, string>;
  export default scenarios;
}

declare module "*.hw" {
  const script: string;
  export default script;
}

declare module "*.css" {
  const style: string;
  export default style;
}
