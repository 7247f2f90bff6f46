/** `kafka-topics --describe`: printed as the release prints it, pasted, and opened as a cluster. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { axeFinds, DESK, DIST, inBothBrowsers, PHONE } from "./pages.mjs";

const pasted = (name) =>
  readFile(new URL(`../../fidelity/describe/${name}.txt`, import.meta.url), "utf8");
const observers = await pasted("06-confluent-offline-observers-region-down");
const underReplicated = await pasted("07-4x-under-replicated-filter-with-prompt");

const choose = (page, release) => page.locator(".release select").selectOption(release);

async function paste(page, text, answered = ".described") {
  await page.evaluate(() => globalThis.highwater.choose({ dialog: { name: "ask" } }));
  await page.waitForSelector(".dialog-ask textarea");
  await page.locator(".dialog-ask textarea").fill(text);
  await page.locator(".asking .primary").click();
  await page.waitForSelector(answered);
  return (await page.locator(answered).innerText()).replace(/\s+/g, " ");
}

/** The embed in an opaque origin: it may neither fetch nor load modules. */
const SANDBOX = {
  "/host.html": `<!doctype html><meta charset=utf-8><title>Host</title>
    <iframe sandbox="allow-scripts" width="1000" height="700" src="/index.html?embed#s=first&lang=en"></iframe>`,
};

const openRead = (page) => page.getByRole("button", { name: /Open as a scenario/ }).click();

const tests = ({ open }) => {
  it("is printed as the release prints it", async () => {
    const page = await open();
    const looks = {
      "0.8.2": /^Topic:orders\tPartitionCount:1\t.*\n\tTopic: orders\t.*Isr: [\d,]+$/,
      0.11: /^Topic:orders\tPartitionCount:1/,
      2.8: /^Topic: orders\tTopicId: \S{22}\tPartitionCount: 1\t.*\n.*Isr: [\d,]+$/,
      3.9: /Elr: N\/A\tLastKnownElr: N\/A$/,
      4.1: /Elr: \tLastKnownElr: $/,
      4.4: /Elr: \tLastKnownElr: $/,
    };
    for (const [release, look] of Object.entries(looks)) {
      await choose(page, release);
      await page.locator(".partition .name").click();
      await page.waitForSelector(".dialog-partition pre");
      assert.match(
        (await page.locator(".dialog-partition pre").evaluate((each) => each.textContent)).replace(
          /\n$/,
          "",
        ),
        look,
        release,
      );
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => !globalThis.highwater.ui.dialog);
    }
  });

  it("a pasted text is shown as it was read, with what was not read and what is taken otherwise", async () => {
    const page = await open("/?lang=en");
    const lines = observers.trimEnd().split("\n");
    const said = await paste(
      page,
      [
        "Hello all, this is what we see:",
        ...lines,
        "\tTopic: x\tPartition: 1\tLeader: x\tReplicas: 1,2\tIsr: 1",
        "Topic: y\tPartitionCount: 3\tReplicationFactor: 1\tConfigs: ",
        ...Array(2).fill("\tTopic: y\tPartition: 0\tLeader: 3\tReplicas: 3\tIsr: 3"),
      ].join("\n"),
    );
    assert.match(said, /6 partitions read/);
    assert.match(
      said,
      new RegExp(`Line ${lines.length + 3} y: the header counts 3, the text lists 1`),
    );
    assert.match(said, /Listed more than once; the first line counts: y\/0/);
    assert.match(said, /each gets the replicas of the one before: y\/1; y\/2/);
    assert.match(said, /stretched-async\/0 none 2, 1, 3, 4 1 2, 1 3, 4/);
    assert.match(said, /min\.insync\.replicas=2/);
    assert.match(said, /Line 1 Hello all, this is what we see: is nothing/);
    assert.match(
      said,
      new RegExp(`Line ${lines.length + 2} Topic: x Partition: 1 .* is no whole partition`),
    );
    assert.match(
      said,
      /Observers are taken as ordinary replicas: stretched-async\/0 \(3, 4\); promoted-under-min-isr\/0 \(4, 3\)/,
    );
    assert.match(said, /taken to be down: 1, 2/);
    assert.deepEqual(page.troubles, []);
  });

  it("becomes a cluster on the release that is chosen, and what came out otherwise is named", async () => {
    const page = await open("/?lang=en");
    await choose(page, "3.9");
    await paste(page, observers);
    await openRead(page);
    const { release, brokers, script, topics } = await page.evaluate(() => {
      const app = globalThis.highwater;
      return {
        release: app.view.release,
        brokers: app.view.brokers.map((each) => `${each.id} ${each.state}`),
        script: app.script(),
        topics: app.topics(),
      };
    });
    assert.equal(release, "3.9");
    assert.deepEqual(brokers, ["1 crashed", "2 crashed", "3 running", "4 running"]);
    assert.match(script, /topic stretched-async assignment=2,1,3,4 min\.insync\.replicas=1/);
    assert.deepEqual(topics, [
      "local-only",
      "stretched-sync",
      "stretched-async",
      "promoted-under-min-isr",
    ]);
    const notice = await page.locator(".notice").innerText();
    assert.match(notice, /otherwise: stretched-async\/0 Leader 3 \(text: none\)/);
    assert.doesNotMatch(notice, /stretched-sync/);
    assert.deepEqual(page.troubles, []);
  });

  it("comes to the same leaders and ISRs where a run can", async () => {
    const page = await open("/?lang=en");
    for (const release of ["0.8.2", "2.8", "4.4"]) {
      await choose(page, release);
      await paste(page, underReplicated);
      await openRead(page);
      assert.match(
        await page.locator(".notice").innerText(),
        /Every partition has come to the leader/,
      );
      assert.deepEqual(await page.evaluate(() => globalThis.highwater.view.state.isr), [1, 2]);
    }
  });

  it("says that a reassignment is not carried over, and which partitions were filled in", async () => {
    const page = await open("/?lang=en");
    const said = await paste(
      page,
      "\tTopic: a\tPartition: 2\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\tAdding Replicas: 3\tRemoving Replicas: \n",
    );
    assert.match(said, /reassignment under way is not carried over: a\/2 \(3\)/);
    assert.match(said, /leaves these partitions out.*: a\/0; a\/1/);
  });

  it("a text that says nothing opens nothing", async () => {
    const page = await open("/?lang=en");
    await paste(page, "Good morning", ".answer .notice");
    assert.match(await page.locator(".answer").innerText(), /Nothing in this text was recognised/);
    assert.equal(await page.getByRole("button", { name: /Open as a scenario/ }).count(), 0);
    assert.match(
      await paste(page, "\tTopic: a\tPartition: 0\tLeader: 70000\tReplicas: 70000\tIsr: 70000"),
      /No scenario can have these brokers/,
    );
    assert.equal(await page.getByRole("button", { name: /Open as a scenario/ }).count(), 0);
  });

  for (const [lang, theme, viewport] of [
    ["zh", "light", DESK],
    ["en", "dark", PHONE],
  ]) {
    it(`axe finds nothing in what was read: ${lang}, ${theme}, ${viewport.width}`, async () => {
      const page = await open(`/?lang=${lang}&theme=${theme}`, { viewport, bypassCSP: true });
      await paste(page, `Hello\n${observers}`);
      assert.deepEqual(await axeFinds(page, "dialog"), []);
      const dialog = page.locator("dialog");
      assert.ok(await dialog.evaluate((each) => each.scrollWidth <= each.clientWidth));
      assert.doesNotMatch(await dialog.innerText(), /\b(describe|paste|column)\.[a-z]\w*/i);
    });
  }
  it("is read in the one file from disk, too, and in a sandbox", async () => {
    const file = await open(`${pathToFileURL(`${DIST}/highwater.html`).href}?lang=en`);
    assert.match(await paste(file, underReplicated), /partitions read/);
    assert.deepEqual(file.troubles, []);
    const host = await open("/host.html", { ready: false });
    const frame = await (await host.waitForSelector("iframe")).contentFrame();
    await frame.waitForFunction(() => globalThis.highwater?.ready);
    assert.match(await paste(frame, underReplicated), /partitions read/);
  });

  it("what cannot be loaded is said, and tried again with the next question", async () => {
    const page = await open("/?lang=en");
    await page.route("**/assets/ask*", (route) => route.abort());
    await page.evaluate(() => globalThis.highwater.choose({ dialog: { name: "ask" } }));
    await page.locator(".dialog-ask textarea").fill(underReplicated);
    await page.locator(".asking .primary").click();
    await page.waitForSelector(".dialog-ask [role=alert]");
    await page.unroute("**/assets/ask*");
    await page.locator(".asking .primary").click();
    await page.waitForSelector(".described");
    assert.equal(await page.locator(".dialog-ask [role=alert]").count(), 0);
  });
};

inBothBrowsers("kafka-topics --describe", tests, SANDBOX);
