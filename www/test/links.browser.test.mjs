/** Links in the page: a moment goes out and comes back; trouble is told in words. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { inBothBrowsers } from "./pages.mjs";

inBothBrowsers("links", ({ open }) => {
  it("copies a tested link that opens at the same moment with the same state", async () => {
    const page = await open();
    await page.evaluate(() => {
      globalThis.highwater.act("crash 3", { follow: false });
      globalThis.highwater.seek(7_123_000);
    });
    await page.locator(".tools button").nth(1).click();
    await page.waitForFunction(() =>
      /#z=1\./.test(document.querySelector("[data-share=link]")?.value ?? ""),
    );
    const link = await page.locator("[data-share=link]").inputValue();
    const before = await page.evaluate(() => [
      globalThis.highwater.view.time,
      globalThis.highwater.session.fingerprint(),
      globalThis.highwater.script(),
    ]);
    await page.locator("[data-share=link]").locator("xpath=..").getByRole("button").click();
    const other = await open(link);
    const afterwards = await other.evaluate(() => [
      globalThis.highwater.view.time,
      globalThis.highwater.session.fingerprint(),
      globalThis.highwater.script(),
    ]);
    assert.deepEqual(afterwards, before);
    assert.equal(await other.locator(".notice").count(), 0);
  });

  it("says in words what it could not read, and plays on", async () => {
    for (const [hash, words] of [
      ["#z=9.abc", /version 9/],
      ["#s=no-such-thing", /no-such-thing/],
      ["#z=1.____", /damaged/],
      ["#s=playground&at=3s&f=00000000&e=0.0.1", /engine 0\.0\.1/],
      ["#s=playground&at=3s&f=00000000", /not the one that was shared/],
    ]) {
      const page = await open(`/?lang=en${hash}`);
      assert.match(await page.locator(".notice").innerText(), words);
      assert.equal(await page.locator(".broker").count(), 3);
    }
  });

  it("a script with errors names the line", async () => {
    const page = await open(`/?lang=en#t=1.${encodeURIComponent("highwater 1\nfrobnicate\n")}`);
    assert.ok((await page.locator(".notice.bad").innerText()).length > 5);
  });

  it("lang, theme, speed and view come with the link", async () => {
    const page = await open("/#s=first&at=3s&lang=zh&theme=dark&speed=4&view=plot");
    assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    assert.equal(await page.evaluate(() => globalThis.highwater.ui.speed), 4);
    await page.waitForSelector(".plot canvas");
  });
});
