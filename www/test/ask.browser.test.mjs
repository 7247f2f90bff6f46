/** Ask it about your cluster: from a pasted text to the answer, its proof and its change. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { axeFinds, DESK, inBothBrowsers, PHONE } from "./pages.mjs";

const example = (page, name) => page.locator(".asking").getByRole("button", { name }).click();

async function open(use, path, options) {
  const page = await use.open(path, options);
  await page.evaluate(() => globalThis.highwater.choose({ dialog: { name: "ask" } }));
  await page.waitForSelector(".asking textarea");
  return page;
}

inBothBrowsers("Ask", (use) => {
  it("a configuration: findings in order of harm, each with its line, rule and change", async () => {
    const page = await open(use, "/?lang=en");
    await page.locator(".release select").selectOption("4.1");
    await example(page, "Settings");
    await page.waitForSelector(".finding");
    const harms = await page.locator(".finding .status").allInnerTexts();
    assert.deepEqual(harms, [
      "can lose",
      "can lose",
      "can lose",
      "can lose",
      "can duplicate",
      "can reorder",
      "not in this release",
      "misspelt",
    ]);
    const said = (await page.locator(".findings").innerText()).replace(/\s+/g, " ");
    assert.match(said, /acks=1 the leader alone .* Line 12 · rule R2\.9 .*acks=all \(producer\)/);
    assert.match(said, /no replica\.lag\.max\.messages any more: .* 0\.8\.2 was the last/);
    assert.match(said, /Probably retries was meant/);
    assert.deepEqual(page.troubles, []);
  });

  it("a finding is shown as it happens, and as it does not once it is mended", async () => {
    const page = await open(use, "/?lang=en");
    const outcome = async (name) => {
      await page.evaluate(() => globalThis.highwater.choose({ dialog: { name: "ask" } }));
      await example(page, "Settings");
      const found = page.locator(".finding", { hasText: "acks=1 the leader alone" });
      await found.getByRole("button", { name }).click();
      await page.waitForFunction(() => !globalThis.highwater.ui.dialog);
      return page.evaluate(() => ({
        held: globalThis.highwater.view.expects.map((each) => each.held),
        script: globalThis.highwater.script(),
      }));
    };
    const broken = await outcome("Show it happen");
    assert.deepEqual(broken.held, [true]);
    assert.match(broken.script, /acks=1/);
    const mended = await outcome("The same with the change");
    assert.deepEqual(mended.held, [false]);
    assert.match(mended.script, /acks=all/);
    assert.deepEqual(page.troubles, []);
  });

  it("in Chinese, and again on another release", async () => {
    const page = await open(use, "/?lang=zh");
    await example(page, "配置");
    await page.waitForSelector(".finding");
    const text = await page.locator(".answer").innerText();
    assert.match(text, /acks=1 时，确认的那一刻只有主副本有这条记录/);
    assert.doesNotMatch(text, /\b(finding|harm|config|owner)\.[a-z]/i);
    await page.evaluate(() => globalThis.highwater.useRelease("0.8.2"));
    await page.waitForFunction(() =>
      /按 Kafka 0\.8\.2 回答/.test(document.querySelector(".asking").innerText),
    );
    await page.waitForFunction(() =>
      /还没有 process\.roles/.test(document.querySelector(".answer")?.innerText),
    );
    assert.deepEqual(page.troubles, []);
  });

  it("what if: each broker, the pairs, what to repair, and a blow that is played", async () => {
    const page = await open(use, "/?lang=en");
    await page.locator(".release select").selectOption("4.1");
    await example(page, "A description");
    await page.waitForSelector(".board");
    const said = (await page.locator(".board").innerText()).replace(/\s+/g, " ");
    assert.match(said, /3 brokers, 3 partitions/);
    assert.match(said, /taken to be down: 3/);
    assert.match(said, /1 partition has no leader; bring back one of/);
    assert.match(said, /Not 1: orders-0 would refuse acks=all while it is away\. rule R2\.7/);
    const first = page.locator(".board tbody tr").first();
    assert.match(await first.innerText(), /2 refuse acks=all/);
    assert.match(await first.innerText(), /No: orders-0 would refuse acks=all/);
    await page.getByLabel("Racks, if you want them asked").fill("west=1,2 east=3");
    await page.locator(".asking .primary").click();
    await page.waitForFunction(() =>
      /west \(1, 2\)/.test(document.querySelector(".board")?.innerText),
    );
    const west = page.locator(".board tr", { hasText: "west (1, 2)" });
    assert.match(await west.innerText(), /2 without leader/);
    assert.match(await west.innerText(), /2 may lose; 2 without leader/);
    await first.getByRole("button", { name: "play" }).first().click();
    await page.waitForFunction(() => !globalThis.highwater.ui.dialog);
    const [script, isr] = await page.evaluate(() => [
      globalThis.highwater.script(),
      globalThis.highwater.view.state.isr,
    ]);
    assert.match(script, /at 120s stop 1/);
    assert.deepEqual(isr, [2]);
    assert.deepEqual(page.troubles, []);
  });

  it("log lines: the story, each kind with its fields, and the scenario at the event", async () => {
    const page = await open(use, "/?lang=en");
    await page.locator(".release select").selectOption("4.1");
    await example(page, "Log lines");
    await page.waitForSelector(".logged .finding");
    const said = (await page.locator(".logged").innerText()).replace(/\s+/g, " ");
    assert.match(said, /4 kinds of log lines/);
    assert.match(said, /ISR shrank below min\.insync\.replicas/);
    assert.match(said, /broker\.session\.timeout\.ms.*broker=1.*Line 1 · rule R5\.28/);
    assert.match(said, /partition=orders-0/);
    const shrinking = page.locator(".logged .finding", { hasText: "have not caught up" });
    await shrinking.getByRole("button", { name: "Show how it comes about" }).click();
    await page.waitForSelector(".why");
    assert.match(await page.locator(".why li").first().innerText(), /R2\.15/);
    assert.deepEqual(page.troubles, []);
  });

  it("what is dropped or pasted on the page is asked at once; a scenario is opened", async () => {
    const page = await use.open("/?lang=en");
    const give = (kind, text) =>
      page.evaluate(
        ([kind, text]) => {
          const data = new DataTransfer();
          if (kind === "file") data.items.add(new File([text], "server.properties"));
          else data.setData("text/plain", text);
          const event =
            kind === "paste"
              ? Object.defineProperty(new Event("paste", { bubbles: true }), "clipboardData", {
                  value: data, // Firefox makes none with data of one's own.
                })
              : new DragEvent("drop", { dataTransfer: data, bubbles: true });
          document.body.dispatchEvent(event);
        },
        [kind, text],
      );
    for (const kind of ["paste", "drop", "file"]) {
      await give(kind, "broker.id=1\nlog.dirs=/d\nunclean.leader.election.enable=true\n");
      await page.waitForSelector(".finding");
      assert.match(await page.locator(".findings").innerText(), /may be elected/, kind);
      await page.evaluate(() => globalThis.highwater.choose({ dialog: null }));
    }
    await give("paste", "highwater 1\nbrokers 5\ntopic pasted replicas=3\n");
    await page.waitForFunction(() => globalThis.highwater.topics().includes("pasted"));
    assert.deepEqual(page.troubles, []);
  });

  it("settings and a description in one paste are told apart", async () => {
    const page = await open(use, "/?lang=en");
    const text =
      "acks=0\n\n\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\tElr: \tLastKnownElr: \n";
    await page.locator(".asking textarea").fill(text);
    await page.locator(".asking .primary").click();
    await page.waitForSelector(".described");
    assert.match(await page.locator(".checked").innerText(), /With acks=0 the Java client/);
    assert.match(await page.locator(".described").innerText(), /1 partition read/);
  });

  for (const [lang, theme, viewport, name, shown = ".finding"] of [
    ["zh", "light", DESK, "配置"],
    ["en", "dark", PHONE, "Settings"],
    ["zh", "dark", PHONE, "日志行", ".logged"],
    ["en", "light", PHONE, "A description", ".board"],
  ]) {
    it(`axe finds nothing in an answer: ${name}, ${theme}, ${viewport.width}`, async () => {
      const page = await open(use, `/?lang=${lang}&theme=${theme}`, { viewport, bypassCSP: true });
      await example(page, name);
      await page.waitForSelector(shown);
      assert.deepEqual(await axeFinds(page, "dialog"), []);
      const dialog = page.locator("dialog");
      assert.ok(await dialog.evaluate((each) => each.scrollWidth <= each.clientWidth));
    });
  }
});
