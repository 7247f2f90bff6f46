/**
 * Links as they are read: everything is in the fragment. What chat programs do to links is undone; what attackers
 * do is bounded. Nothing that cannot be read is dropped in silence: it becomes a problem with a
 * key of the string tables.
 */

import { parseTime } from "./format.js";

/** Longest fragment that is looked at, in characters. */
export const MAX_FRAGMENT = 64 * 1024;
/** Largest script that a link may unfold to, in bytes. */
export const MAX_SCRIPT = 256 * 1024;
/** The envelope's version. */
export const VERSION = "1";
/** Tabs that a link may open; others are named and ignored. */
export const VIEWS = [
  "story",
  "learn",
  "plot",
  "spacetime",
  "map",
  "records",
  "settings",
  "metrics",
];

/**
 * @typedef {object} Link
 * @property {string} [name] a bundled scenario
 * @property {string} [script] the script itself
 * @property {{time: number, index?: number}} [at] the moment
 * @property {string} [engine] engine version that made the link
 * @property {string} [fingerprint] of the state at that moment
 * @property {string} [lang]
 * @property {string} [theme]
 * @property {string} [view]
 * @property {number} [speed]
 * @property {{key: string, params?: Record<string, string>}[]} problems
 */

/**
 * Reads a fragment.
 * @param {string} fragment with or without `#`
 * @returns {Promise<Link>}
 */
export async function decodeLink(fragment) {
  const link = /** @type {Link} */ ({ problems: [] });
  if (fragment.length > MAX_FRAGMENT)
    return problem(link, "link.tooLong", { limit: String(MAX_FRAGMENT) });
  const seen = new Set();
  for (const [key, value] of pairs(unmangle(fragment))) {
    if (seen.has(key)) problem(link, "link.twice", { part: key });
    else await readPart(link, key, value);
    seen.add(key);
  }
  if (["s", "z", "t"].filter((key) => seen.has(key)).length > 1) problem(link, "link.several");
  return link;
}

/**
 * @param {import("./links.js").Link} link
 * @param {string} key
 * @param {Record<string, string>} [params]
 */
function problem(link, key, params) {
  link.problems.push({ key, params });
  return link;
}

/**
 * Undoes what happens to links on their way: white space and line breaks inside, HTML-escaped
 * ampersands, an encoded `#`, `=` or `&`, punctuation and brackets behind.
 * @param {string} fragment
 */
function unmangle(fragment) {
  let text = fragment
    .replace(/[\s\u200b\ufeff]+/g, "")
    .replace(/&amp;/gi, "&")
    .replace(/^(?:#|%23)+/i, "");
  if (!/^\w+=/.test(text))
    text = text.replace(/%3D/gi, "=").replace(/%26/gi, "&").replace(/%25/g, "%");
  return text.replace(
    /[)\]}>.,;:!?'"\u201d\u2019\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff09\u3011\u300b\u300d]+$/u,
    "",
  );
}

/** @param {string} text */
function pairs(text) {
  return text
    .split("&")
    .filter(Boolean)
    .map((part) => {
      const cut = part.indexOf("=");
      return cut < 0 ? [part, ""] : [part.slice(0, cut).toLowerCase(), part.slice(cut + 1)];
    });
}

/**
 * @param {import("./links.js").Link} link
 * @param {string} key
 * @param {string} value
 */
async function readPart(link, key, value) {
  switch (key) {
    case "s":
      return readName(link, decoded(value));
    case "z":
    case "t":
      return readScript(link, key, value);
    case "at":
      return readMoment(link, decoded(value) ?? "");
    case "e":
      link.engine = decoded(value) ?? undefined;
      return undefined;
    case "f":
      link.fingerprint = decoded(value) ?? undefined;
      return undefined;
    case "lang":
      return readChoice(link, key, value, ["en", "zh"]);
    case "theme":
      return readChoice(link, key, value, ["light", "dark"]);
    case "view":
      return readChoice(link, key, value, VIEWS);
    case "speed":
      return readSpeed(link, value);
    default:
      return problem(link, "link.unknownPart", { part: key.slice(0, 40) });
  }
}

/**
 * @param {Link} link
 * @param {string|null} name
 */
function readName(link, name) {
  if (name && /^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) link.name = name;
  else problem(link, "link.badName", { name: (name ?? "").slice(0, 64) });
}

/**
 * @param {import("./links.js").Link} link
 * @param {string} key
 * @param {string} value
 */
async function readScript(link, key, value) {
  const cut = value.search(/\.|%2E/i);
  const version = cut < 0 ? value : value.slice(0, cut);
  if (version !== VERSION || cut < 0) {
    return problem(link, "link.version", { version: version.slice(0, 20), known: VERSION });
  }
  const body = value.slice(cut).replace(/^(?:\.|%2E)/i, "");
  try {
    link.script = key === "t" ? plainText(body) : await inflate(fromBase64Url(body));
  } catch (error) {
    problem(link, error instanceof RangeError ? "link.tooLarge" : "link.unreadable", {
      limit: String(MAX_SCRIPT),
    });
  }
  return link;
}

/** @param {string} body */
function plainText(body) {
  const text = decodeURIComponent(body.replace(/\+/g, "%20"));
  if (new TextEncoder().encode(text).length > MAX_SCRIPT) throw new RangeError("too large");
  return text;
}

/**
 * @param {import("./links.js").Link} link
 * @param {string} value
 */
function readMoment(link, value) {
  const [, time, index] = /^([^:]+)(?::(\d{1,9}))?$/.exec(value) ?? [];
  const us = time === undefined ? null : parseTime(time);
  if (us === null) problem(link, "link.badMoment", { at: value.slice(0, 40) });
  else link.at = index === undefined ? { time: us } : { time: us, index: Number(index) };
}

/**
 * @param {import("./links.js").Link} link
 * @param {string} key
 * @param {string} value
 * @param {string[]} choices
 */
function readChoice(link, key, value, choices) {
  if (choices.includes(value)) Object.assign(link, { [key]: value });
  else
    problem(link, "link.badChoice", {
      part: key,
      value: value.slice(0, 40),
      accepted: choices.join(", "),
    });
}

/**
 * @param {import("./links.js").Link} link
 * @param {string} value
 */
function readSpeed(link, value) {
  const speed = Number(value);
  if (speed >= 0.1 && speed <= 1000) link.speed = speed;
  else
    problem(link, "link.badChoice", {
      part: "speed",
      value: value.slice(0, 40),
      accepted: "0.1 … 1000",
    });
}

/** @param {string} value */
function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** @param {string} text */
function fromBase64Url(text) {
  const plain = (decoded(text) ?? text).replace(/=+$/, "").replace(/-/g, "+").replace(/_/g, "/");
  return Uint8Array.from(atob(plain), (c) => c.charCodeAt(0));
}

/**
 * Unfolds piece by piece, so that a bomb is noticed before it has gone off.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function inflate(bytes) {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MAX_SCRIPT) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    text += decoder.decode(value, { stream: true });
  }
}
