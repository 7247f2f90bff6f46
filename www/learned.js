/** Lessons: which there are, and which were done. That is remembered on this device and nowhere else. */

import { recall, remember } from "./remember.js";

/** Rows of the articles, grouped as they are told there. Those without a lesson wait for the model. */
export const CHAPTERS = [
  { name: "replicas", rows: ["M1", "M2", "M3"] },
  { name: "isr", rows: ["M4", "M5", "M6"] },
  { name: "commit", rows: ["M7", "M8", "M9", "M10", "M11"] },
  { name: "failures", rows: ["M12", "M13"] },
  { name: "producers", rows: ["M14", "M15", "M16", "M17"] },
  { name: "consumers", rows: ["M18"] },
  { name: "practice", rows: ["M19", "M20", "M21", "M22", "M23"] },
];

/** @param {string} script the row that it tells, such as `M7`, if it tells one */
export const rowOf = (script) => /^# row:\s*(M\d+)\s*$/m.exec(script)?.[1];

/**
 * The lessons in the order of the articles.
 * @param {Iterable<[string, string]>} scenarios name and script
 */
export function lessonsIn(scenarios) {
  const byRow = new Map();
  for (const [name, script] of scenarios) {
    const row = rowOf(script);
    if (row) byRow.set(row, { name, script, row });
  }
  return CHAPTERS.flatMap(({ rows }) => rows).flatMap((row) => byRow.get(row) ?? []);
}

const KEY = "learned";

/** @returns {Set<string>} names of the lessons whose goal was reached */
export function learned() {
  const names = (recall(KEY) ?? "").split(" ");
  return new Set(names.filter((name) => /^[a-z0-9-]{1,64}$/.test(name)));
}

/** @param {string} name */
export function learn(name) {
  remember(KEY, [...new Set([...learned(), name])].slice(-200).join(" "));
}
