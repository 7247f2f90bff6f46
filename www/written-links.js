/** Links as they are written, and read back before they are handed out. */

import { scriptTime } from "./format.js";
import { language } from "./i18n.js";
import { decodeLink, MAX_FRAGMENT, VERSION } from "./links.js";

/** The page's own address, without what it shows. */
export const pageAddress = () => location.href.replace(/[?#].*$/s, "");

/**
 * What a link to this page says.
 * @param {import("./app.js").App} app
 * @param {{moment?: boolean, plain?: boolean}} [how] with the moment, and readable
 */
export function linked(app, { moment = true, plain = false } = {}) {
  const { ui, view, source } = app;
  return {
    ...(ui.name ? { name: ui.name } : { script: app.script(), plain }),
    ...(moment
      ? {
          at: { time: view.time, index: view.index || undefined },
          engine: source.version,
          fingerprint: view.fingerprint,
        }
      : {}),
    lang: language(),
    view: ui.panel ?? undefined,
    speed: ui.speed === 1 ? undefined : ui.speed,
  };
}

/**
 * Writes a fragment.
 * @param {object} what
 * @param {string} [what.name] a bundled scenario, unchanged
 * @param {string} [what.script] used when there is no name
 * @param {{time: number, index?: number}} [what.at]
 * @param {string} [what.engine]
 * @param {string} [what.fingerprint]
 * @param {string} [what.lang]
 * @param {string} [what.theme]
 * @param {string} [what.view]
 * @param {number} [what.speed]
 * @param {boolean} [what.plain] readable `#t=` in place of the short `#z=`
 * @returns {Promise<string>} with `#`
 */
export async function encodeLink(what) {
  return what.name || what.plain
    ? readableLink(what)
    : written(`z=${VERSION}.${toBase64Url(await deflate(what.script ?? ""))}`, what);
}

/**
 * Writes a readable fragment, in one go.
 * @param {Parameters<typeof encodeLink>[0]} what
 * @returns {string} with `#`
 */
export function readableLink(what) {
  return written(
    what.name ? `s=${encode(what.name)}` : `t=${VERSION}.${encode(what.script ?? "")}`,
    what,
  );
}

/**
 * @param {string} payload
 * @param {Parameters<typeof encodeLink>[0]} what
 */
function written(payload, what) {
  const out = [payload];
  if (what.at)
    out.push(`at=${scriptTime(what.at.time)}${what.at.index ? `:${what.at.index}` : ""}`);
  for (const [key, value] of [
    ["e", what.engine],
    ["f", what.fingerprint],
    ["lang", what.lang],
    ["theme", what.theme],
    ["view", what.view],
    ["speed", what.speed],
  ]) {
    if (value !== undefined && value !== null) out.push(`${key}=${encode(String(value))}`);
  }
  return `#${out.join("&")}`;
}

/**
 * Copy link tests itself: what was written is read back and compared.
 * @param {string} fragment
 * @param {{name?: string, script?: string, at?: {time: number, index?: number}}} what
 */
export async function roundTrips(fragment, what) {
  const back = await decodeLink(fragment);
  return (
    back.problems.length === 0 &&
    fragment.length <= MAX_FRAGMENT &&
    (what.name ? back.name === what.name : back.script === what.script) &&
    (back.at?.time ?? null) === (what.at?.time ?? null) &&
    (back.at?.index ?? 0) === (what.at?.index ?? 0)
  );
}

/**
 * Percent-encodes all that chat programs might take for the end of a link.
 * @param {string} text
 */
const encode = (text) =>
  encodeURIComponent(text)
    .replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/\.$/, "%2E");

/** @param {Uint8Array} bytes */
function toBase64Url(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text */
async function deflate(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
