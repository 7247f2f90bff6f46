/** The first frame is data: what is pressed before the engine is there waits, and nothing jumps. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { DESK, inBothBrowsers, PHONE } from "./pages.mjs";

const WASM = "**/highwater.*.wasm";
const INLINED = "**/highwater-wasm.*.js";

/** Holds the engine back until `arrive` is called. */
function heldBack() {
  let arrive;
  const arrived = new Promise((resolve) => {
    arrive = resolve;
  });
  const prepare = (page) =>
    page.route(WASM, async (route) => {
      await arrived;
      await route.continue();
    });
  return { prepare, arrive };
}

const ready = (page) =>
  page.waitForFunction(() => globalThis.highwater?.ready, null, { timeout: 20_000 });
const script = (page) => page.evaluate(() => globalThis.highwater.script());
const actions = async (page) =>
  [...(await script(page)).matchAll(/^at \S+ (.*)$/gm)].map(([, action]) => action);
const busy = (page) => page.locator("[aria-busy=true]");

/** All that is on the screen, and where: what could jump. */
const look = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll("#app *:not(title)")];
    return all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const text = element.children.length ? "" : element.textContent;
      const { value = "", className, ariaBusy } = element;
      return [
        element.tagName,
        String(className),
        value,
        text,
        ariaBusy ?? "",
        x,
        y,
        width,
        height,
      ].join(" ");
    });
  });

inBothBrowsers("first frame", ({ open }) => {
  for (const lang of ["en", "zh"]) {
    it(`what is pressed waits for the engine, in order: ${lang}`, async () => {
      const { prepare, arrive } = heldBack();
      const page = await open(`/?lang=${lang}`, { prepare, engine: false });
      const before = await script(page);
      await page.locator("[data-verb=break]").click();
      await page.locator("[data-verb=break]").click();
      await page.locator("[data-verb=produce]").click();
      await page.locator(".lever").first().locator("button").first().click(); // acks=0
      await page.locator(".broker footer .danger").nth(1).click(); // The leader.
      assert.equal(await script(page), before);
      assert.equal(await busy(page).count(), 4);
      for (const verb of ["break", "produce"]) {
        assert.equal(await page.locator(`[data-verb=${verb}]`).getAttribute("aria-busy"), "true");
      }
      assert.match(await page.locator("#live").innerText(), lang === "zh" ? /引擎/ : /engine/);

      arrive();
      await ready(page);
      assert.deepEqual(await actions(page), [
        "crash 3",
        "crash 1",
        'send p1 "m6"',
        "set client p1 acks=0",
        "crash 2",
      ]);
      assert.equal(await busy(page).count(), 0);
      await page.waitForFunction(() => globalThis.highwater.view.state.leader === undefined);
      assert.deepEqual(page.troubles, []);
    });

    it(`says that the engine cannot be had, and goes on when it can: ${lang}`, async () => {
      let refuse = true;
      const prepare = async (page) => {
        for (const name of [WASM, INLINED]) {
          await page.route(name, (route) => (refuse ? route.abort() : route.continue()));
        }
      };
      const page = await open(`/?lang=${lang}`, { prepare, engine: false });
      await page
        .locator(".notice", {
          hasText: lang === "zh" ? "引擎尚未加载成功" : "The engine has not loaded yet",
        })
        .waitFor();
      await page.locator("[data-verb=produce]").click();
      assert.equal(await busy(page).count(), 1);
      refuse = false;
      await ready(page);
      assert.deepEqual(await actions(page), ['send p1 "m6"']);
      assert.equal(await page.locator(".notice").count(), 0);
    });
  }

  for (const [address, viewport] of [
    ["/?lang=en&theme=light", DESK],
    ["/?lang=zh&theme=dark", DESK],
    ["/?lang=en&theme=dark", PHONE],
    ["/?lang=zh&theme=light", PHONE],
    ["/?embed&lang=en", { width: 760, height: 620 }],
    ["/?embed&lang=zh", PHONE],
  ]) {
    it(`nothing jumps when the engine arrives: ${address} at ${viewport.width}`, async () => {
      const { prepare, arrive } = heldBack();
      const page = await open(address, { prepare, engine: false, viewport });
      await page.waitForLoadState("load");
      if (address.includes("embed")) await page.locator(".open-full").waitFor();
      const before = await look(page);
      assert.ok(before.length > 200);
      arrive();
      await ready(page);
      assert.deepEqual(await look(page), before);
      assert.deepEqual(page.troubles, []);
    });
  }

  it("what needs no engine is done at once: the other language, the theme, the reason on the screen", async () => {
    const { prepare, arrive } = heldBack();
    const page = await open("/?lang=en", { prepare, engine: false });
    await page.getByRole("button", { name: "中文" }).click();
    await page.waitForSelector("html[lang=zh-CN]");
    await page.locator(".why header button").click();
    assert.equal(await page.locator(".why").count(), 0);
    await page.locator("[data-verb=explain]").click();
    assert.ok((await page.locator(".why li").count()) > 1);
    await page.getByRole("button", { name: "帮助与快捷键" }).click();
    await page.waitForSelector(".dialog-help kbd");
    assert.equal(await busy(page).count(), 0);
    arrive();
    await ready(page);
    assert.equal((await page.locator(".dialog-help kbd").count()) > 0, true);
  });

  it("of a scrub the last moment waits, keys wait as their buttons do, and a key held down once", async () => {
    const { prepare, arrive } = heldBack();
    const page = await open("/?lang=en", { prepare, engine: false });
    await page.locator(".scrub input").evaluate((input) => {
      for (const value of ["1000000", "2000000", "3000000"]) {
        input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    await page.keyboard.down("p");
    await page.keyboard.down("p");
    await page.keyboard.up("p");
    assert.equal(await page.locator("[data-verb=produce]").getAttribute("aria-busy"), "true");
    assert.equal(await page.locator(".scrub input").getAttribute("aria-busy"), "true");
    arrive();
    await ready(page);
    assert.match(await script(page), /^at 3000001us send p1/m);
    assert.deepEqual((await actions(page)).length, 1);
  });

  it("a link to anything else says that the engine is loading, then opens", async () => {
    const { prepare, arrive } = heldBack();
    const page = await open("/?lang=en#s=first&at=3s", { prepare, ready: false });
    await page.getByText("The engine is loading").waitFor();
    arrive();
    await ready(page);
    assert.equal(await page.evaluate(() => globalThis.highwater.view.time), 3_000_000);
    assert.equal(await page.getByText("The engine is loading").count(), 0);
  });

  it("a server that does not know wasm will do", async () => {
    const prepare = (page) =>
      page.route(WASM, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({
          response: answer,
          headers: { ...answer.headers(), "content-type": "application/octet-stream" },
        });
      });
    const page = await open("/", { prepare });
    assert.deepEqual(page.troubles, []);
  });
});
