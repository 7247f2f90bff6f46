/** The first screen: quiet, alive, accessible; and from load to "I broke it, and I see why". */

import assert from "node:assert/strict";
import { it } from "node:test";
import { axeFinds, DESK, inBothBrowsers, onScreen, PHONE } from "./pages.mjs";

inBothBrowsers("first screen", ({ open }) => {
  it("shows a topic on three brokers, three verbs and three settings, paused", async () => {
    const page = await open();
    assert.equal(await page.locator(".broker").count(), 3);
    assert.deepEqual(
      await page.locator("[data-verb]").evaluateAll((all) => all.map((each) => each.dataset.verb)),
      ["produce", "break", "explain"],
    );
    assert.equal(await page.locator(".lever").count(), 3);
    assert.ok((await page.locator(".cell.committed").count()) > 5);
    const before = await page.locator(".now").innerText();
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".now").innerText(), before);
    assert.deepEqual(page.troubles, []);
  });

  for (const viewport of [DESK, PHONE]) {
    it(`a newcomer breaks it and sees why in three actions at ${viewport.width} × ${viewport.height}`, async () => {
      const page = await open("/", { viewport });
      for (const verb of ["break", "break", "produce"]) {
        const button = page.locator(`[data-verb=${verb}]`);
        assert.ok(await onScreen(button));
        await button.click();
        await page.waitForFunction(() => !globalThis.highwater.ui.playing, null, {
          timeout: 30_000,
        });
      }
      const { ledger, codes } = await page.evaluate(() => ({
        ledger: globalThis.highwater.view.ledger,
        codes: globalThis.highwater.view.story.map((event) => event.code),
      }));
      assert.ok(codes.includes("produce.refused") || ledger.failed + ledger.lost > 0, codes.join());
      const why = page.locator(".why li").first();
      assert.match(await why.innerText(), /NOT_ENOUGH_REPLICAS|lost/);
      assert.ok(await onScreen(why), "the explanation is on screen without scrolling");
      assert.equal(await page.evaluate(() => scrollY), 0);
      assert.deepEqual(page.troubles, []);
    });
  }

  for (const [lang, theme, viewport] of [
    ["en", "light", DESK],
    ["zh", "dark", DESK],
    ["en", "dark", PHONE],
    ["zh", "light", PHONE],
  ]) {
    it(`axe finds nothing: ${lang}, ${theme}, ${viewport.width}`, async () => {
      const page = await open(`/?lang=${lang}&theme=${theme}`, { viewport, bypassCSP: true });
      assert.deepEqual(await axeFinds(page), []);
    });
  }

  it("nothing is wider than a phone", async () => {
    const page = await open("/", { viewport: PHONE });
    const fits = () =>
      page.evaluate(
        () =>
          document.documentElement.scrollWidth <= innerWidth &&
          [...document.querySelectorAll(".broker")].every(
            (each) => each.scrollWidth <= each.clientWidth,
          ),
      );
    assert.ok(await fits());
    for (const brokers of [1, 2, 5, 6]) {
      await page.evaluate(
        (count) =>
          globalThis.highwater.open(
            `highwater 1\nbrokers ${count}\ntopic orders replicas=${count}\nat 3s crash 1\n`,
            null,
            { time: 4e6 },
          ),
        brokers,
      );
      assert.ok(await fits(), `${brokers} brokers`);
    }
  });

  it("a dotted number answers why, with a rule that can be read", async () => {
    const page = await open();
    await page.locator(".gauges .hw .ask").first().click();
    assert.match(await page.locator(".why li").first().innerText(), /high watermark/i);
    const link = await page.locator(".why a").first().getAttribute("href");
    const [, id] = /^docs\/protocol\.html#(r\d+-\d+)$/.exec(link) ?? assert.fail(link);
    assert.match(
      await page.evaluate((address) => fetch(address).then((answer) => answer.text()), link),
      new RegExp(`id="${id}"`),
    );
  });

  it("switches language and theme, and remembers them", async () => {
    const page = await open("/?x", { locale: "en-US" });
    await page.getByRole("button", { name: "中文" }).click();
    await page.waitForSelector("html[lang=zh-CN]");
    await page.getByRole("button", { name: "浅色或深色" }).click();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.reload();
    await page.waitForSelector(".stage");
    assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  });

  it("reads events out, politely", async () => {
    const page = await open();
    await page.locator("[data-verb=break]").click();
    await page.waitForFunction(() => document.getElementById("live").textContent.length > 10);
    assert.equal(await page.locator("#live").getAttribute("aria-live"), "polite");
  });
});
