/** Links: round trips, what chat programs do to them, bounds, and golden links that must never break. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeLink, MAX_FRAGMENT } from "../links.js";
import { encodeLink, roundTrips } from "../written-links.js";

const SCRIPT =
  'highwater 1\ntopic orders partitions=1 replicas=3\nat 5200ms crash 2 # 崩溃 & "x"\n';
const AT = { time: 12_500_000, index: 3 };

/** Frozen on the day that version 1 was made. Never change one of these; add more. */
const GOLDEN = [
  [
    "#s=first&at=12500ms:3&e=0.1.0&f=0badcafe&lang=zh&theme=dark&view=plot&speed=2",
    {
      name: "first",
      at: AT,
      engine: "0.1.0",
      fingerprint: "0badcafe",
      lang: "zh",
      theme: "dark",
      view: "plot",
      speed: 2,
    },
  ],
  [
    "#t=1.highwater%201%0Aat%205s%20crash%202%20%23%20%E4%B8%AD%E6%96%87%0A",
    { script: "highwater 1\nat 5s crash 2 # 中文\n" },
  ],
  [
    "#z=1.y8hMzyhPLEktUjDkSixRMC1WSC5KLM5QMFJQVniyY-2zae1cAA&at=5200ms:3&e=0.1.0&f=ab",
    {
      script: "highwater 1\nat 5s crash 2 # 中文\n",
      at: { time: 5_200_000, index: 3 },
      engine: "0.1.0",
      fingerprint: "ab",
    },
  ],
];

test("golden links read as on the day they were made", async () => {
  for (const [link, expected] of GOLDEN)
    assert.deepEqual(await decodeLink(link), { problems: [], ...expected }, link);
});

test("what is written reads back, short and readable", async () => {
  for (const what of [
    { script: SCRIPT, at: AT },
    { script: SCRIPT, plain: true },
    { name: "first", at: { time: 0 } },
    { script: `${SCRIPT}say 1s en "(done!)."`, plain: true },
  ]) {
    const link = await encodeLink({ ...what, engine: "0.1.0", fingerprint: "ab12" });
    assert.ok(await roundTrips(link, what), link);
  }
});

test("what chat programs do to a link is undone", async () => {
  const link = await encodeLink({ script: SCRIPT, at: AT, lang: "zh" });
  const half = Math.floor(link.length / 2);
  const mangled = [
    `${link}.`,
    `${link})`,
    `${link}>,`,
    `${link}。`,
    `${link}\uff09\uff0c`,
    link.replace(/&/g, "&amp;"),
    link.replace("#", "%23"),
    `${link.slice(0, half)}\n  ${link.slice(half)}`,
    link.replace("#", "%23").replace(/=/g, "%3D").replace(/&/g, "%26"),
  ];
  for (const text of mangled) {
    const read = await decodeLink(text);
    assert.deepEqual(
      [read.script, read.at, read.lang, read.problems],
      [SCRIPT, AT, "zh", []],
      text,
    );
  }
});

test("what cannot be read is named, and the rest still counts", async () => {
  const cases = [
    ["#z=2.abc&at=3s", "link.version"],
    ["#z=1.@@@@&at=3s", "link.unreadable"],
    ["#s=No_Such&at=3s", "link.badName"],
    ["#s=first&at=3s&what=1", "link.unknownPart"],
    ["#s=first&at=3s&lang=xx", "link.badChoice"],
    ["#s=first&at=3s&speed=1e9", "link.badChoice"],
    ["#s=first&at=3s&s=other", "link.twice"],
    ["#s=first&t=1.x&at=3s", "link.several"],
  ];
  for (const [link, key] of cases) {
    const read = await decodeLink(link);
    assert.deepEqual(
      [read.problems.map((problem) => problem.key), read.at],
      [[key], { time: 3_000_000 }],
      link,
    );
  }
  assert.deepEqual((await decodeLink("#s=first&at=soon")).problems[0].key, "link.badMoment");
});

test("bounds hold: long fragments, and bombs noticed while they unfold", async () => {
  assert.equal(
    (await decodeLink(`#t=1.${"a".repeat(MAX_FRAGMENT)}`)).problems[0].key,
    "link.tooLong",
  );
  const bomb = await encodeLink({ script: "#".repeat(20_000_000) });
  assert.ok(bomb.length < MAX_FRAGMENT);
  const read = await decodeLink(bomb);
  assert.deepEqual([read.script, read.problems[0].key], [undefined, "link.tooLarge"]);
});
