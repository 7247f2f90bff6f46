/** The release at the top: what it changes on the page, and the same moment on another one. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { axeFinds, DESK, inBothBrowsers, onScreen, PHONE } from "./pages.mjs";

const FIFTY = `highwater 1
brokers 50
topic orders partitions=1000 replicas=3 min.insync.replicas=2
producer p1 topic=orders acks=all every=200ms keys=10000
until 60s
`;

const choose = (page, release) => page.locator(".release select").selectOption(release);
const moment = (page) =>
  page.evaluate(() => {
    const { view } = globalThis.highwater;
    return {
      release: view.release,
      time: view.time,
      index: view.index,
      fingerprint: view.fingerprint,
    };
  });
const logs = (page) =>
  page.locator(".strip").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
const settings = (page) =>
  page
    .locator(".settings tbody tr")
    .evaluateAll((all) =>
      Object.fromEntries(all.map((row) => [row.cells[0].innerText, row.cells[2].innerText])),
    );
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

inBothBrowsers("releases", ({ open }) => {
  it("a release has its own settings and defaults", async () => {
    const page = await open("/?lang=en");
    await page.evaluate(() => globalThis.highwater.openPanel("settings"));
    await page.locator(".search select").first().selectOption("broker");
    const now = await settings(page);
    assert.ok("eligible.leader.replicas.version" in now);
    assert.equal(now["replica.lag.time.max.ms"], "30000");
    assert.ok(!("replica.lag.max.messages" in now));
    await choose(page, "0.8.2");
    const then = await settings(page);
    assert.ok(!("eligible.leader.replicas.version" in then));
    assert.equal(then["replica.lag.time.max.ms"], "10000");
    assert.equal(then["replica.lag.max.messages"], "4000");
    assert.equal(then["unclean.leader.election.enable"], "true");
    assert.deepEqual(page.troubles, []);
  });

  it("what is always in reach follows the release", async () => {
    const page = await open("/?lang=en");
    const unclean = () => page.locator(".lever").nth(2).locator("[aria-pressed=true]").innerText();
    const facts = () => page.locator(".partition dt").allInnerTexts();
    assert.equal(await unclean(), "off");
    assert.ok((await facts()).includes("ELR"));
    await choose(page, "3.9");
    assert.ok(!(await facts()).includes("ELR"));
    await choose(page, "0.8.2");
    assert.equal(await unclean(), "on");
    assert.match(
      await page.locator("[data-node=zookeeper]").innerText(),
      /ZooKeeper[\s\S]*controller: Broker 1/,
    );
    assert.match(await page.locator(".broker:has(.office)").innerText(), /^Broker 1 controller/);
    assert.ok((await page.locator(".cell .epoch").allInnerTexts()).every((epoch) => epoch === ""));
  });

  it("ZooKeeper's own words are used where it keeps the cluster", async () => {
    const page = await open("/?lang=en#s=a01-truncation-to-the-hw");
    await page.evaluate(() => globalThis.highwater.seek(35e6));
    const words = await page.evaluate(() => {
      globalThis.highwater.choose({ storyAll: true });
      return document.querySelector("#app").innerText;
    });
    assert.match(words, /node of broker 3 in ZooKeeper went with its session/);
    assert.doesNotMatch(words, /fenced/);
  });

  it("the Scala producer has its own settings", async () => {
    const page = await open("/?lang=en");
    await page.evaluate(() =>
      globalThis.highwater.open(
        "highwater 1\nkafka 0.8.2\nbrokers 3\n" +
          "topic orders partitions=1 replicas=3\nproducer p1 topic=orders producer.type=sync request.required.acks=1\nuntil 9s\n",
        null,
      ),
    );
    const lever = page.locator(".lever").first();
    assert.match(await lever.innerText(), /request\.required\.acks/);
    assert.equal(await lever.locator("[aria-pressed=true]").innerText(), "1");
    await lever.getByRole("button", { name: "-1", exact: true }).click();
    assert.match(
      await page.evaluate(() => globalThis.highwater.script()),
      /set client p1 request\.required\.acks=-1/,
    );
    await page.evaluate(() => globalThis.highwater.openPanel("settings"));
    await page.locator(".search select").first().selectOption("producer");
    const own = await settings(page);
    assert.ok("queue.buffering.max.ms" in own && !("linger.ms" in own));
  });

  it("what a release does not have is left out, and named", async () => {
    const page = await open("/?lang=en#s=all-down-elr");
    await choose(page, "2.8");
    assert.match(
      await page.locator(".notice").innerText(),
      /Kafka 2\.8.*eligible\.leader\.replicas\.version/,
    );
  });

  it("a flip keeps the moment and shows the other rules", async () => {
    const page = await open("/?lang=en#s=a01-truncation-to-the-hw");
    await page.evaluate(() => globalThis.highwater.seek(globalThis.highwater.view.end));
    const [old, oldLogs] = [await moment(page), await logs(page)];
    assert.equal(old.release, "0.8.2");
    await choose(page, "3.9");
    const next = await moment(page);
    assert.deepEqual([next.release, next.time], ["3.9", old.time]);
    assert.notDeepEqual(await logs(page), oldLogs);
    assert.match(await page.locator(".say").innerText(), /Written for Kafka 0\.8\.2/);
    await page.locator(".flip").click();
    assert.deepEqual(await moment(page), old);
    assert.deepEqual(await logs(page), oldLogs);
    assert.doesNotMatch(await page.locator(".say").innerText(), /Written for/);
    await page.locator("h1 a").focus();
    await page.keyboard.press("r");
    assert.deepEqual(await moment(page), next);
    assert.deepEqual(page.troubles, []);
  });

  it("a rule set against its release makes no real release", async () => {
    const page = await open("/?lang=en");
    assert.equal(await page.locator(".own-rules").count(), 0);
    await page.goto(page.url().replace(/[?#].*$/, "?lang=en#s=a25-a-dead-leader-elected"));
    await page.waitForSelector(".own-rules");
    assert.match(
      await page.locator(".own-rules").innerText(),
      /no real release last-known-leader=any/,
    );
    assert.ok(await onScreen(page.locator(".own-rules")));
  });

  for (const [lang, theme, viewport] of [
    ["en", "light", DESK],
    ["zh", "dark", PHONE],
  ]) {
    it(`axe finds nothing on 0.8.2 with a rule of one's own: ${lang}, ${theme}, ${viewport.width}`, async () => {
      const page = await open(`/?lang=${lang}&theme=${theme}#s=a05-checkpoint-loses-a-partition`, {
        viewport,
        bypassCSP: true,
      });
      await choose(page, "0.11");
      await page.locator(".flip").click();
      assert.ok(await onScreen(page.locator(".own-rules")));
      assert.ok((await wide(page)) <= 0);
      assert.deepEqual(await axeFinds(page), []);
    });
  }
});

inBothBrowsers("many partitions", ({ open }) => {
  it("a thousand partitions on fifty brokers stay usable", async () => {
    const page = await open("/?lang=en");
    await page.evaluate((script) => globalThis.highwater.open(script, null, { time: 2e6 }), FIFTY);
    assert.equal(await page.evaluate(() => globalThis.highwater.view.brokers.length), 50);
    const shown = await page.locator(".broker").count();
    assert.ok(shown > 0 && shown <= 6, `${shown} brokers side by side`);
    assert.ok(await page.locator(".hidden-brokers").isVisible());
    await page.locator(".hidden-brokers button").click();
    await page.waitForFunction(() =>
      /1000|1,000/.test(document.querySelector("canvas.map")?.getAttribute("aria-label") ?? ""),
    );
    const before = await page.locator(".partition .name").innerText();
    await page.locator("canvas.map").press("ArrowDown");
    assert.notEqual(await page.locator(".partition .name").innerText(), before);
    // At the pace for the eye, what the crash leads to takes a quarter of a minute where nothing
    // else runs, and more where a frame comes late.
    await page.evaluate(() => globalThis.highwater.choose({ speed: 64 }));
    await page.locator("[data-action=crash]").first().click();
    await page.waitForFunction(() => !globalThis.highwater.ui.playing, null, { timeout: 30_000 });
    assert.ok((await page.locator(".broker.down").count()) > 0);
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport);
      assert.ok((await wide(page)) <= 0);
    }
    await page.locator(".partition .name").click();
    await page.waitForSelector(".dialog-partition tbody tr");
    assert.ok((await page.locator(".dialog-partition tbody tr").count()) >= 100);
    assert.deepEqual(page.troubles, []);
  });
});
