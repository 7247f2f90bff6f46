/** What can be done on the page, each once, in both browsers. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { brokenEngine } from "./broken-engine.mjs";
import { inBothBrowsers } from "./pages.mjs";

const state = (page) =>
  page.evaluate(() => {
    const { view, ui } = globalThis.highwater;
    return {
      time: view.time,
      index: view.index,
      fingerprint: view.fingerprint,
      playing: ui.playing,
      why: ui.why,
      dialog: ui.dialog?.name ?? null,
    };
  });
const script = (page) => page.evaluate(() => globalThis.highwater.script());
const still = (page) =>
  page.waitForFunction(() => !globalThis.highwater.ui.playing, null, { timeout: 30_000 });

inBothBrowsers("time", ({ open }) => {
  it("plays, pauses, steps, steps back, settles, scrubs: by key", async () => {
    const page = await open();
    const start = await state(page);
    await page.keyboard.press("ArrowRight");
    const stepped = await state(page);
    assert.notEqual(
      stepped.fingerprint + stepped.time + stepped.index,
      start.fingerprint + start.time + start.index,
    );
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("k");
    await page.waitForFunction((time) => globalThis.highwater.view.time > time, stepped.time);
    await page.keyboard.press("k");
    assert.equal((await state(page)).playing, false);
    await page.keyboard.press("0");
    assert.equal((await state(page)).time, 0);
    await page.keyboard.press("s");
    await page.locator(".scrub input").evaluate((input) => {
      input.value = "5000000";
      input.dispatchEvent(new Event("input"));
    });
    assert.equal((await state(page)).time, 5_000_000);
  });

  it("the same moment is the same state, forward and back", async () => {
    const page = await open();
    const at = (us) =>
      page.evaluate((time) => {
        globalThis.highwater.seek(time);
        return globalThis.highwater.session.fingerprint();
      }, us);
    const first = await at(4_000_000);
    await at(9_000_000);
    assert.equal(await at(4_000_000), first);
  });

  it("undo and redo; acting in the past keeps both histories", async () => {
    const page = await open();
    const before = await script(page);
    await page.locator("[data-action=crash]").first().click();
    await still(page);
    assert.match(await script(page), /crash 1/);
    await page.keyboard.press("z");
    assert.equal(await script(page), before);
    await page.keyboard.press("y");
    assert.match(await script(page), /crash 1/);
    await page.evaluate(() => globalThis.highwater.seek(2_000_000));
    await page.evaluate(() => globalThis.highwater.act("crash 2", { follow: false }));
    assert.ok((await page.evaluate(() => globalThis.highwater.branches().length)) >= 2);
    assert.ok(await page.locator(".branch select").isVisible());
  });

  it("time is paced: a significant hop is seen, a silent stretch passes quickly", async () => {
    const page = await open("/#s=playground&at=1500ms");
    await page.keyboard.press("k");
    await page.waitForSelector(".flight", { timeout: 10_000 });
    await page.waitForFunction(() => globalThis.highwater.view.time > 4_000_000, null, {
      timeout: 30_000,
    });
  });
});

inBothBrowsers(
  "motion",
  ({ open }) => {
    it("who wants nothing to move sees messages stand still", async () => {
      const page = await open("/#s=playground&at=4s", { reducedMotion: "reduce" });
      assert.ok(await page.evaluate(() => matchMedia("(prefers-reduced-motion: reduce)").matches));
      await page.evaluate(() => {
        globalThis.highwater.choose({ flightsAll: true });
      });
      for (let i = 0; i < 400 && (await page.locator(".flight").count()) === 0; i++)
        await page.keyboard.press("ArrowRight");
      const place = () =>
        page
          .locator(".flight")
          .first()
          .evaluate((flight) => [
            flight.title,
            ...flight.style.transform.match(/[\d.]+(?=px)/g).map(Number),
          ]);
      const before = await place();
      await page.evaluate(() => {
        const app = globalThis.highwater;
        app.seek(app.view.time + 1);
      });
      const now = await place();
      if (now[0] === before[0])
        assert.ok(
          Math.abs(now[1] - before[1]) + Math.abs(now[2] - before[2]) < 2,
          `${before} ${now}`,
        );
      assert.equal(
        await page
          .locator(".fresh")
          .first()
          .evaluate((each) => getComputedStyle(each).animationName),
        "none",
      );
    });
  },
  {},
  { still: true },
);

inBothBrowsers("words", ({ open }) => {
  it("no key of a string table shows", async () => {
    const page = await open();
    for (const panel of ["records", "settings", "metrics"]) {
      await page.evaluate((name) => globalThis.highwater.openPanel(name), panel);
      await page.waitForSelector(".panel table");
      assert.doesNotMatch(
        await page.locator("body").innerText(),
        /\b(action|status|answer|column|source|health|role|state|fact|event|word|property)\.[a-z]\w*/i,
      );
    }
  });
});

inBothBrowsers("doing", ({ open }) => {
  it("sends a record of one's own and follows its life", async () => {
    const page = await open();
    await page.locator(".verb-more").first().click();
    await page.locator(".dialog input").nth(0).fill("k1");
    await page.locator(".dialog input").nth(1).fill('say "hi" 你好');
    await page.locator(".dialog button.primary").click();
    await still(page);
    assert.match(await script(page), /send p1 "say \\"hi\\" 你好" key="k1"/);
    await page.locator(".tabs button").nth(3).click();
    await page.locator(".panel-records td button", { hasText: "你好" }).click();
    await page.waitForSelector(".life li");
    assert.match(await page.locator(".dialog").innerText(), /acknowledged|no answer/);
  });

  it("opens a message on its way and drops, delays or duplicates it", async () => {
    const page = await open("/#s=playground&at=4s");
    for (const verb of ["drop", "delay", "duplicate"]) {
      await page.evaluate(() => {
        globalThis.highwater.choose({ flightsAll: true });
      });
      for (let i = 0; i < 400 && (await page.locator(".flight").count()) === 0; i++)
        await page.keyboard.press("ArrowRight");
      await page
        .locator(".flight")
        .first()
        .evaluate((button) => button.click());
      await page.waitForSelector(".dialog-message .facts");
      await page
        .locator(".dialog-message button:not(.glyph)")
        .nth(["drop", "delay", "duplicate"].indexOf(verb))
        .click();
      await still(page);
      assert.match(await script(page), new RegExp(`^${verb} .*#\\d+`, "m"));
    }
  });

  it("changes settings within reach, and finds any by name with default, value and source", async () => {
    const page = await open();
    await page.locator(".lever").nth(0).getByRole("button", { name: "1", exact: true }).click();
    await page.locator(".lever").nth(1).getByRole("button", { name: "1", exact: true }).click();
    await page.locator(".lever").nth(2).getByRole("button", { name: "on" }).click();
    const text = await script(page);
    for (const line of [
      /acks=1/,
      /min\.insync\.replicas=1/,
      /unclean\.leader\.election\.enable=true/,
    ])
      assert.match(text, line);
    await page.locator(".all-settings").click();
    await page.locator(".search input").fill("min.insync");
    await page.waitForFunction(() => document.querySelectorAll(".settings tbody tr").length === 1);
    assert.match(
      await page.locator(".settings tbody tr").innerText(),
      /min\.insync\.replicas[\s\S]*1[\s\S]*topic/,
    );
    assert.equal(await page.locator(".settings input").inputValue(), "1");
  });

  it("refuses what is impossible, in words", async () => {
    const page = await open();
    await page.evaluate(() =>
      globalThis.highwater.act("set topic orders min.insync.replicas=banana"),
    );
    assert.ok((await page.locator(".notice.bad").innerText()).length > 10);
  });

  it("applies a pasted configuration and names the lines that it does not know", async () => {
    const page = await open();
    await page.evaluate(() => globalThis.highwater.choose({ dialog: { name: "paste" } }));
    await page.waitForSelector(".dialog-paste textarea");
    await page.locator(".dialog-paste select").selectOption("topic");
    await page
      .locator(".dialog-paste textarea")
      .fill("min.insync.replicas=1\n# a comment\nno.such.setting=5\n");
    await page.locator(".dialog-paste .primary").click();
    const outcome = await page.locator(".dialog-paste [role=status]").innerText();
    assert.match(outcome, /min\.insync\.replicas=1/);
    assert.match(outcome, /3[\s\S]*no\.such\.setting/);
  });

  it("shows and edits the script, with errors at their lines", async () => {
    const page = await open();
    await page.locator(".tools button").first().click();
    const area = page.locator(".dialog-script textarea");
    await area.waitFor();
    const text = await area.inputValue();
    await area.fill(`${text}\nat 5s frobnicate 2\n`);
    await page.waitForSelector(".script-errors li");
    assert.match(
      await page.locator(".script-errors").innerText(),
      new RegExp(`${text.split("\n").length + 1}`),
    );
    assert.ok(await page.locator(".dialog-script .primary").isDisabled());
    await area.fill(`${text}\nat 5s crash 2\n`);
    await page.locator(".dialog-script .primary").click();
    assert.match(await script(page), /at 5s crash 2/);
  });

  it("saves, opens and takes a dropped script file", async () => {
    const page = await open();
    await page.locator(".tools button").first().click();
    await page.waitForSelector(".dialog-script textarea");
    // What is saved is read where it is made: stock Firefox tells the driver of no download.
    await page.evaluate(() => {
      const make = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob) => {
        blob.text().then((text) => {
          globalThis.savedByTest = text;
        });
        return make(blob);
      };
    });
    await page
      .locator(".dialog-script button:not(.primary):not(.glyph):not(.link)")
      .first()
      .click();
    const saved = await page.waitForFunction(() => globalThis.savedByTest);
    assert.match(await saved.jsonValue(), /^highwater 1/);
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(
        new File(["highwater 1\ntopic dropped partitions=1 replicas=3\n"], "x.hw", {
          type: "text/plain",
        }),
      );
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    });
    await page.waitForFunction(() => globalThis.highwater.view.partition === "dropped/0");
  });

  it("describes a topic as kafka-topics does, and shows JMX metrics", async () => {
    const page = await open();
    await page.locator(".partition .name").click();
    await page.waitForSelector(".dialog-partition pre");
    assert.match(
      await page.locator(".dialog-partition pre").innerText(),
      /Topic: orders\t.*PartitionCount: 1/,
    );
    await page.keyboard.press("Escape");
    await page.locator(".tabs button").nth(5).click();
    await page.waitForSelector(".panel-metrics td");
    assert.match(await page.locator(".panel-metrics").innerText(), /UnderReplicatedPartitions/);
  });

  it("slows a link, a disk or one replica's disk by as much as is asked for", async () => {
    const page = await open();
    const lines = () =>
      page.evaluate(() =>
        [...globalThis.highwater.script().matchAll(/^at \S+ ((?:slow|disk) .*)$/gm)].map(
          (found) => found[1],
        ),
      );
    const slowed = async (dialog, ms, button) => {
      await page.evaluate((dialog) => {
        globalThis.highwater.pause();
        globalThis.highwater.choose({ dialog });
      }, dialog);
      await page.getByLabel("Slow means, in ms").press("ControlOrMeta+A");
      await page.keyboard.type(ms);
      await page
        .locator("dialog")
        .getByRole("button", { name: button, exact: true })
        .first()
        .click();
    };
    await slowed({ name: "break" }, "75", "Slow");
    await slowed({ name: "break" }, "30", "Slow disk");
    await slowed({ name: "node", node: "3" }, "450", "Slow disk for orders/0 only");
    assert.deepEqual(await lines(), ["slow 1-2 75ms", "disk 1 30ms", "disk 3 orders/0 450ms"]);
    assert.deepEqual(page.troubles, []);
  });

  it("draws the plot, the space-time diagram and the map", async () => {
    const page = await open();
    for (const [tab, shape] of [
      [0, ".plot canvas"],
      [1, "canvas.spacetime"],
      [2, "canvas.map"],
    ]) {
      await page.locator(".tabs button").nth(tab).click();
      await page.waitForSelector(shape);
      await page.waitForTimeout(200);
      const inked = await page
        .locator(shape)
        .first()
        .evaluate((canvas) =>
          canvas
            .getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height)
            .data.some((byte) => byte > 0),
        );
      assert.ok(inked, shape);
    }
    assert.deepEqual(page.troubles, []);
  });

  it("bundled scenarios open from the gallery", async () => {
    const page = await open();
    await page.locator(".top .title").click();
    await page.locator("[data-scenario=first]").click();
    assert.match(await page.evaluate(() => location.hash), /#s=first/);
    await page.evaluate(() => globalThis.highwater.seek(2_000_000));
    assert.ok(await page.locator(".say").isVisible());
  });

  it("a page that is used for long holds no more nodes than at first", async () => {
    const page = await open();
    const nodes = (seeks) =>
      page.evaluate((seeks) => {
        const app = globalThis.highwater;
        for (let i = 0; i < seeks; i++) app.seek((i % 2 ? 0.2 : 0.9) * app.view.end);
        const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
        let count = 0;
        while (walker.nextNode()) count += 1;
        return count;
      }, seeks);
    const before = await nodes(4);
    assert.equal(await nodes(40), before);
  });

  it("a client that finds no broker tries again less and less often, and that is told", async () => {
    const page = await open("/?lang=en");
    const times = await page.evaluate(() => {
      const app = globalThis.highwater;
      app.open(
        "highwater 1\nbrokers 1\ntopic orders partitions=1 replicas=1\nconsumer c1 topic=orders\nat 5s crash 1\nuntil 30s\n",
        null,
        { time: 20e6 },
      );
      const { story } = app.session.view({ story: 200, cells: 0, flights: 0 });
      return story
        .filter((event) => event.code === "connection.lost" && event.node === "c1")
        .map((event) => event.time)
        .reverse();
    });
    const gaps = times.slice(1).map((time, i) => time - times[i]);
    assert.ok(gaps.length > 5 && gaps.at(-1) > 5 * Math.min(...gaps), gaps.join());
    assert.match(await page.locator(".story").innerText(), /c1 lost its connection to broker 1/);
  });

  it("moves a partition, creates a topic by hand, and says what is refused", async () => {
    const page = await open("/?lang=en");
    await page.locator(".partition .name").click();
    await page.getByLabel("Replicas", { exact: true }).fill("3, 1");
    await page.getByRole("button", { name: "Move there" }).click();
    await page.waitForFunction(() => globalThis.highwater.view.state.replicas.join() === "3,1");
    await page.evaluate(() => globalThis.highwater.pause());
    await page.locator(".partition .name").click();
    await page.getByLabel("Name", { exact: true }).fill("by-hand");
    await page.getByLabel("Shape", { exact: true }).fill("assignment=1,2;2,3");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForFunction(() =>
      globalThis.highwater.session.describe("by-hand").includes("PartitionCount: 2"),
    );
    await page.evaluate(() => globalThis.highwater.pause());
    await page.locator(".partition .name").click();
    await page.getByLabel("Shape", { exact: true }).fill("replicas=9");
    await page.getByLabel("Name", { exact: true }).fill("too-many");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    assert.match(await page.locator(".notice.bad").innerText(), /9 replicas on 3 brokers/);
  });

  it("says at its line that a named message never came by", async () => {
    const page = await open("/?lang=en");
    await page.evaluate(() => {
      const app = globalThis.highwater;
      app.open(
        "highwater 1\nbrokers 2\ntopic orders assignment=1,2\ndrop fetch 2>1 orders/0 #9999\nuntil 3s\n",
        null,
        { time: 1e6 },
      );
    });
    assert.equal(await page.locator(".notice").count(), 0, "it may still come");
    await page.evaluate(() => globalThis.highwater.seek(3e6));
    assert.match(
      await page.locator(".notice").innerText(),
      /Line 4 .* never sent: fetch 2>1 orders\/0 #9999/,
    );
    await page.getByRole("button", { name: "Script" }).click();
    await page.getByRole("button", { name: "Line 4, column 1" }).click();
    const chosen = await page
      .locator("textarea")
      .evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
    assert.equal(chosen, "drop fetch 2>1 orders/0 #9999");
  });

  it("shows earlier events when asked", async () => {
    const page = await open("/?lang=en");
    await page.evaluate(() => globalThis.highwater.seek(globalThis.highwater.view.end));
    const lines = () => page.locator(".story li time").count();
    const before = await lines();
    await page.getByRole("button", { name: "Earlier events" }).click();
    assert.ok((await lines()) > before);
  });

  it("a consumer of a group shows where it stands and what it has committed", async () => {
    const page = await open("/?lang=en");
    await page.evaluate(() => {
      const app = globalThis.highwater;
      app.open(
        "highwater 1\nbrokers 3\ntopic orders partitions=1 replicas=3\nproducer p1 topic=orders every=500ms\nconsumer c1 topic=orders group=g1 auto.offset.reset=earliest\nuntil 30s\n",
        null,
        { time: 20_100_000 },
      );
      app.choose({ dialog: { name: "client", client: "c1" } });
    });
    const told = await page.locator(".dialog-client dl").innerText();
    const [, position, committed] =
      /position (\d+), committed (\d+)/.exec(told) ?? assert.fail(told);
    assert.ok(Number(committed) > 0 && Number(committed) <= Number(position), told);
  });

  it("a panic becomes a report, and nothing is lost", async () => {
    const wasm = await brokenEngine("perform");
    const prepare = (page) =>
      page.route("**/highwater.*.wasm", (route) =>
        route.fulfill({ contentType: "application/wasm", body: wasm }),
      );
    const page = await open("/", { prepare });
    await page.evaluate(() => {
      const app = globalThis.highwater;
      app.replaceScript(`${app.script()}at 6s crash 3\n`);
      app.seek(7_123_000);
    });
    const [before, text] = [await state(page), await script(page)];
    assert.match(text, /crash 3/);
    await page.keyboard.press("p");
    await page.waitForSelector(".dialog-panic pre");
    assert.match(await page.locator(".dialog-panic pre").innerText(), /unreachable/);
    const afterwards = await state(page);
    assert.deepEqual(
      [afterwards.time, afterwards.index, afterwards.fingerprint],
      [before.time, before.index, before.fingerprint],
    );
    assert.equal(await script(page), text);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !globalThis.highwater.ui.dialog);
    await page.keyboard.press("ArrowRight");
    assert.equal((await state(page)).dialog, null);
  });

  it("everything is reached by keyboard", async () => {
    const page = await open();
    await page.keyboard.press("?");
    await page.waitForSelector(".dialog-help kbd");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !globalThis.highwater.ui.dialog); // The close event comes after the closing.
    await page.keyboard.press("b");
    await page.waitForSelector(".dialog-break button");
    await page.keyboard.press("Escape");
    const reached = new Set();
    for (let i = 0; i < 160; i++) {
      await page.keyboard.press("Tab");
      reached.add(
        await page.evaluate(
          () =>
            document.activeElement?.dataset.verb ??
            document.activeElement?.dataset.action ??
            document.activeElement?.dataset.key ??
            document.activeElement?.className,
        ),
      );
    }
    for (const name of ["produce", "break", "explain", "crash", "play", "ask"])
      assert.ok(reached.has(name), `${name} of ${[...reached].join()}`);
  });
});
