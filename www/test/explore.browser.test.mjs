/** "Can this lose data?": asked about the cluster on the screen, answered, and played. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { axeFinds, DESK, DIST, inBothBrowsers, PHONE } from "./pages.mjs";

/** The embed in an opaque origin: it may neither fetch nor load modules. */
const SANDBOX = {
  "/host.html": `<!doctype html><meta charset=utf-8><title>Host</title>
    <iframe sandbox="allow-scripts" width="1000" height="700" src="/index.html?embed#s=first&lang=en"></iframe>`,
};

const unfold = async (page) => {
  await page.evaluate(() => globalThis.highwater.openPanel("explore"));
  await page.waitForSelector(".explore");
};

const allow = (page, fault, times) =>
  page.locator(`[data-fault=${fault}]`).selectOption(String(times));

async function ask(page) {
  await page.locator(".explore .primary").first().click();
  await page.waitForSelector(".explore-said, .explore-verdict [role=alert]", { timeout: 60_000 });
  return (await page.locator(".explore-verdict").innerText()).replace(/\s+/g, " ");
}

const acks = (page, value) =>
  page.evaluate((v) => globalThis.highwater.act(`set client p1 acks=${v}`), value);

const tests = ({ open }) => {
  it("a loss is found with its shortest history, which plays to the same end", async () => {
    const page = await open("/?lang=en");
    await acks(page, 1);
    await unfold(page);
    await allow(page, "lag", 0);
    await allow(page, "crash", 1);
    const said = await ask(page);
    assert.match(said, /^Yes: an acknowledged record can be lost, in 4 steps/);
    assert.match(said, /1 × process crash/);
    assert.equal(await page.locator(".explore-run li").count(), 4);
    await page.getByRole("button", { name: "Play the shortest history" }).click();
    await page.evaluate(() => globalThis.highwater.seek(globalThis.highwater.view.end));
    const view = await page.evaluate(() => globalThis.highwater.view);
    assert.deepEqual(
      view.expects.map((each) => [each.text, each.held]),
      [["records acked-lost>=1", true]],
    );
    assert.deepEqual(page.troubles, []);
  });

  it("what cannot happen is said with its bounds", async () => {
    const page = await open("/?lang=en");
    await acks(page, "all");
    await page.evaluate(() =>
      globalThis.highwater.act("set topic orders min.insync.replicas=2", { follow: false }),
    );
    await unfold(page);
    await allow(page, "lag", 0);
    await allow(page, "crash", 1);
    const said = await ask(page);
    assert.match(said, /^No: within these bounds no order of things loses an acknowledged record/);
    assert.match(said, /faults 1 × process crash\. [\d,]+ states in [\d.]+ m?s\./);
    assert.match(said, /Left out: /);
  });

  it("a long search tells how far it is, and stops at once", async () => {
    const page = await open("/?lang=en");
    await unfold(page);
    await page.locator(".explore label select").nth(1).selectOption("3");
    await allow(page, "crash", 3);
    await allow(page, "session", 3);
    await page.locator(".explore .primary").click();
    await page.waitForFunction(() =>
      /so far/.test(document.querySelector(".explore-verdict").innerText),
    );
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.waitForSelector(".explore .primary", { timeout: 1_000 });
  });

  it("a release that cannot be asked about is refused in words", async () => {
    const page = await open("/?lang=en");
    await page.locator(".release select").selectOption("0.11");
    await page.locator("#tab-explore").click();
    await page.waitForSelector(".panel-explore .notice");
    assert.match(
      await page.locator(".panel-explore").innerText(),
      /cannot be asked about 0\.11 yet/,
    );
  });

  for (const [lang, theme, viewport] of [
    ["zh", "light", DESK],
    ["en", "dark", PHONE],
  ]) {
    it(`axe finds nothing in a verdict: ${lang}, ${theme}, ${viewport.width}`, async () => {
      const page = await open(`/?lang=${lang}&theme=${theme}`, { viewport, bypassCSP: true });
      await acks(page, 1);
      await unfold(page);
      await ask(page);
      assert.deepEqual(await axeFinds(page, ".panel-explore"), []);
      assert.doesNotMatch(await page.locator(".explore").innerText(), /\bexplore\.[a-z]\w*/i);
    });
  }

  it("is answered in the one file from disk, too", async () => {
    const file = await open(`${pathToFileURL(`${DIST}/highwater.html`).href}?lang=en`);
    await acks(file, 1);
    await unfold(file);
    assert.match(await ask(file), /^Yes/);
    assert.deepEqual(file.troubles, []);
  });
};

inBothBrowsers("Can this lose data?", tests, SANDBOX);
