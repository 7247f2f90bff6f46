/** Pacing and places are pure: the same input, the same moment and the same spot. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { freshPace, nextMoment } from "../pace.js";
import { place } from "../views/flights.js";

const hop = { significant: true, fate: "travelling", sent: 1000, arrives: 2000 };
const view = (more) => ({ time: 1000, end: 60e6, nextSignificantTime: 5e6, flights: [], ...more });

test("slow while something that matters moves", () => {
  const moment = nextMoment(freshPace(), view({ flights: [hop] }), 16, 1);
  assert.ok(moment > 1000 && moment < 1100, String(moment));
});

test("fast while nothing does, but never past the next thing that matters", () => {
  const moment = nextMoment(freshPace(), view({}), 16, 1);
  assert.ok(moment > 100_000, String(moment));
  assert.equal(nextMoment(freshPace(), view({ nextSignificantTime: 1500 }), 100, 64), 1500);
});

test("routine messages do not slow time, and waiting ones neither", () => {
  for (const flight of [{ ...hop, significant: false }, { ...hop, fate: "waiting" }]) {
    assert.ok(nextMoment(freshPace(), view({ flights: [flight] }), 16, 1) > 100_000);
  }
});

test("time stops at the end", () => {
  assert.equal(nextMoment(freshPace(), view({ time: 59.99e6, nextSignificantTime: undefined }), 100, 64), 60e6);
});

test("a message begins at its sender and ends at its receiver", () => {
  const [from, to] = [{ x: 10, y: 100, above: false }, { x: 300, y: 100, above: false }];
  assert.deepEqual(place(from, to, 0), { x: 10, y: 100 });
  assert.deepEqual(place(from, to, 1), { x: 300, y: 100 });
  assert.ok(place(from, to, 0.5).y < 100);
});
