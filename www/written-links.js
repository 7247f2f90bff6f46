/** Links as they are written, and read back before they are handed out. */

import { scriptTime } from "./format.js";
import { decodeLink, MAX_FRAGMENT, VERSION } from "./links.js";

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
  const out = [await payload(what)];
  if (what.at) out.push(`at=${scriptTime(what.at.time)}${what.at.index ? `:${what.at.index}` : ""}`);
  for (const [key, value] of [["e", what.engine], ["f", what.fingerprint], ["lang", what.lang],
    ["theme", what.theme], ["view", what.view], ["speed", what.speed]]) {
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
  return back.problems.length === 0 && fragment.length <= MAX_FRAGMENT
    && (what.name ? back.name === what.name : back.script === what.script)
    && (back.at?.time ?? null) === (what.at?.time ?? null)
    && (back.at?.index ?? 0) === (what.at?.index ?? 0);
}

async function payload(what) {
  if (what.name) return `s=${encode(what.name)}`;
  if (what.plain) return `t=${VERSION}.${encode(what.script)}`;
  return `z=${VERSION}.${toBase64Url(await deflate(what.script))}`;
}

/** Percent-encodes all that chat programs might take for the end of a link. */
const encode = (text) => encodeURIComponent(text)
  .replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  .replace(/\.$/, "%2E");

function toBase64Url(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function deflate(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
