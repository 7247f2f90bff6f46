/** "What would have prevented it?": from a broken promise to the changes that keep it, and to their runs. */

import assert from "node:assert/strict";
import { it, test } from "node:test";
import { corner } from "../corners.js";
import { changes, pairs, withChanges } from "../variants.js";
import { axeFinds, inBothBrowsers, PHONE } from "./pages.mjs";

const SCRIPT = `highwater 1
topic orders partitions=1 replicas=3 min.insync.replicas=1 # one copy will do
producer p1 topic=orders acks=1
at 1s set topic orders min.insync.replicas=2
say 1s en "now" zh "现在"
expect 2s records acked-lost=0
`;

test("a change holds from the beginning to the end, and narration of the run as it was goes", () => {
  const change = { of: "topic", name: "min.insync.replicas", value: "3" };
  assert.equal(
    withChanges(SCRIPT, [change, { of: "producer", name: "retries", value: "0" }], () => null),
    `highwater 1
topic orders partitions=1 replicas=3 min.insync.replicas=3 # one copy will do
producer p1 topic=orders acks=1 retries=0
at 1s set topic orders min.insync.replicas=3
`,
  );
});

test("what the script says already, or has no line for, is not tried", () => {
  const names = changes(SCRIPT, ["4.4"]).map(({ name, value }) => `${name}=${value}`);
  assert.ok(!names.includes("acks=1") && names.includes("acks=all"));
  assert.ok(!names.includes("replicas=3") && names.includes("replicas=2"));
  assert.ok(!names.some((name) => name.startsWith("auto.offset.reset")));
  for (const [one, other] of pairs(changes(SCRIPT, ["4.4"]))) {
    assert.notEqual(one.name, other.name);
    assert.ok(one.of !== "release" && other.of !== "release");
  }
});

test("where what was told and what is so part", () => {
  const of = (answer, status, duplicated = false) => corner({ answer, status, duplicated });
  assert.equal(of("failed", "committed"), "failedYetWritten");
  assert.equal(of("failed", "refused"), null);
  assert.equal(of("acked", "lost"), "ackedYetLost");
  assert.equal(of("acked", "committed"), null);
  assert.equal(of("acked", "committed", true), "writtenTwice");
  assert.equal(of("pending", "committed"), "writtenUntold");
  assert.equal(of("pending", "appended"), null);
});

/** Asks about a bundled scenario at its end. */
async function asked(open, name, { lang = "en", ...options } = {}) {
  const page = await open(`/?lang=${lang}#s=${name}`, options);
  await page.evaluate(() => globalThis.highwater.seek(globalThis.highwater.view.end));
  await page.locator(".promises .link").nth(1).click();
  await page.locator(".prevent .primary").click();
  await page.waitForSelector(".prevent .explore-verdict p > strong", { timeout: 60_000 });
  return page;
}

const rows = async (page, of) =>
  (await page.locator(`${of} tbody th`).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

const KEEPS = ".prevent .explore-verdict > .scroll";

inBothBrowsers("what would have prevented it", ({ open }) => {
  it("acks=1 lost what it acknowledged: acks=all would have kept it, and its run opens there", async () => {
    const page = await asked(open, "acks-one");
    const said = await page.locator(".prevent .explore-said").innerText();
    assert.match(said, /^Acknowledged records lost: \d+ in this history/);
    assert.ok((await rows(page, KEEPS)).includes("producers acks=all"));
    await page.locator(`${KEEPS} tr`, { hasText: "acks=all" }).getByRole("button").click();
    const { script, ledger, now, end } = await page.evaluate(() => {
      const { view, session } = globalThis.highwater;
      return { script: session.script(), ledger: view.ledger, now: view.time, end: view.end };
    });
    assert.match(script, /^title en "The same history with acks=all"$/m);
    assert.match(script, /^producer .* acks=all/m);
    assert.ok(now < end && ledger.ackedLost === 0);
    assert.deepEqual(page.troubles, []);
  });

  it("where no single change helps, two are tried", async () => {
    const page = await asked(open, "a12-acks-all-on-one-broker");
    const said = await page.locator(".prevent .explore-said").innerText();
    assert.match(said, /2 in this history/);
    assert.deepEqual(page.troubles, []);
  });

  it("a history that breaks nothing says so", async () => {
    const page = await open("/?lang=en#s=first");
    await page.evaluate(() => globalThis.highwater.openPanel("prevent"));
    await page.locator(".prevent .primary").click();
    await page.waitForFunction(() =>
      document
        .querySelector(".prevent .explore-verdict")
        ?.textContent.includes("Nothing is broken"),
    );
  });

  it("the records say where their producers were told otherwise", async () => {
    const page = await open("/?lang=en#s=power-loss");
    await page.evaluate(() => {
      globalThis.highwater.seek(globalThis.highwater.view.end);
      globalThis.highwater.openPanel("records");
    });
    await page.waitForSelector(".panel-records .corner");
    assert.equal(
      await page.locator(".panel-records .notice").first().innerText(),
      "told written, and yet lost: 9",
    );
  });

  it("in Chinese, on a phone, within the width and without a barrier", async () => {
    const page = await asked(open, "power-loss", { lang: "zh", viewport: PHONE });
    assert.match(await page.locator(".prevent .explore-said").innerText(), /已确认的记录丢失/);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= PHONE.width, `${width}`);
    assert.deepEqual(await axeFinds(page, ".prevent"), []);
  });
});
