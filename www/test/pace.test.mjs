/** Pacing and places are pure: the same input, the same moment and the same spot. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { freshPace, nextMoment, standstill } from "../pace.js";
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
  for (const flight of [
    { ...hop, significant: false },
    { ...hop, fate: "waiting" },
  ]) {
    assert.ok(nextMoment(freshPace(), view({ flights: [flight] }), 16, 1) > 100_000);
  }
});

test("time stands still for what has to be read, and shorter at a higher speed", () => {
  const told = (says, story = []) => ({ says: Array(says), story, events: 10 });
  assert.equal(standstill(told(1), told(1), "the same words", 1), 0);
  const words = "Broker 2 is gone, and the write waits.";
  const long = standstill(told(1), told(2), words, 1);
  assert.ok(long > 1500 && long < 4000, String(long));
  assert.equal(standstill(told(1), told(2), words, 4), long / 4);
  assert.ok(standstill(told(0), told(1), "写入被拒绝，因为同步副本不足。", 1) > 1500);
  assert.ok(standstill(told(0), told(0, [{ id: 11, weight: 3 }]), "", 1) > 200);
  assert.equal(
    standstill(
      told(0),
      told(0, [
        { id: 9, weight: 3 },
        { id: 12, weight: 1 },
      ]),
      "",
      1,
    ),
    0,
  );
});

test("time stops at the end", () => {
  assert.equal(
    nextMoment(freshPace(), view({ time: 59.99e6, nextSignificantTime: undefined }), 100, 64),
    60e6,
  );
});

test("a message begins at its sender and ends at its receiver", () => {
  const [from, to] = [
    { x: 10, y: 100, above: false },
    { x: 300, y: 100, above: false },
  ];
  assert.deepEqual(place(from, to, 0), { x: 10, y: 100 });
  assert.deepEqual(place(from, to, 1), { x: 300, y: 100 });
  assert.ok(place(from, to, 0.5).y < 100);
});
