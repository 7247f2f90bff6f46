/** Embeds: the tag, the plain frame, the sandbox without CORS, and the one file from disk. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { axeFinds, DIST, inBothBrowsers, onScreen } from "./pages.mjs";
import { serve } from "./server.mjs";

/** The host's pages are of another origin than the page that they embed. */
const hostPage = (body) =>
  `<!doctype html><meta charset=utf-8><title>Host</title><style>body{margin:0;color-scheme:light}</style>${body}`;

async function hosted(use, body) {
  const host = await serve(DIST, { "/host.html": hostPage(body) });
  const page = await use.open(`${host.url}/host.html`, { ready: false });
  return { page, close: () => host.close() };
}

/** The frame of the embed, once its cluster is there. */
async function frameOf(page) {
  for (let i = 0; i < 100; i++) {
    const frame = page.frames().find((each) => each.url().includes("?embed"));
    if (
      frame &&
      (await frame
        .locator(".stage")
        .count()
        .catch(() => 0))
    )
      return frame;
    await page.waitForTimeout(100);
  }
  throw new Error(`no embed: ${page.frames().map((frame) => frame.url())} ${page.troubles}`);
}

const heightOf = (page) =>
  page.evaluate(
    () =>
      document.querySelector("kafka-playground").shadowRoot.querySelector("iframe").clientHeight,
  );

inBothBrowsers("embeds", (use) => {
  for (const [lang, theme] of [
    ["en", "light"],
    ["zh", "dark"],
  ]) {
    for (const height of [360, 480]) {
      it(`narration, cluster and player are on screen at 760 × ${height} (${lang}, ${theme})`, async () => {
        for (const controls of ["play", "full"]) {
          const page = await use.open(
            `/?embed&controls=${controls}&lang=${lang}&theme=${theme}#s=first&at=29s`,
            { viewport: { width: 760, height }, bypassCSP: true },
          );
          await page.locator(".open-full").waitFor();
          for (const part of [".say", ".timeline", ".cluster", ".broker >> nth=2"])
            assert.ok(await onScreen(page.locator(part)), `${part} with controls=${controls}`);
          assert.deepEqual(await axeFinds(page), []);
          await page.locator("[data-verb=explain]").click();
          assert.ok(await onScreen(page.locator(".aside")), "why opens over them");
          assert.ok(await onScreen(page.locator(".timeline")), "and hides no player");
        }
      });
    }
  }

  it("controls: a picture, a film, or everything", async () => {
    const counts = {};
    for (const controls of ["none", "play", "full"]) {
      const page = await use.open(`/?embed&lang=en&controls=${controls}#s=first&at=3s`);
      const count = async (what) => page.locator(what).count();
      counts[controls] = [
        await count(".timeline"),
        await count("[data-verb=break]"),
        await count(".lever"),
      ];
    }
    assert.deepEqual(counts, { none: [0, 0, 0], play: [1, 0, 0], full: [1, 1, 3] });
  });

  it("the tag's height and controls are heeded, and bounded", async () => {
    const { page, close } = await hosted(
      use,
      `<script src="${use.server.url}/embed.js"></script>
      <kafka-playground scenario="m12-old-leader-returns" height="380" controls="play"></kafka-playground>`,
    );
    const frame = await frameOf(page);
    assert.match(frame.url(), /embed&controls=play#/);
    await page.waitForTimeout(500);
    assert.ok((await heightOf(page)) <= 380);
    await page.evaluate(() =>
      document.querySelector("kafka-playground").setAttribute("height", "1e9"),
    );
    assert.equal(await heightOf(page), 4000);
    await close();
  });

  it("one tag: as high as it needs, 560 at most, paused, in the language that was asked for", async () => {
    const { page, close } = await hosted(
      use,
      `<script src="${use.server.url}/embed.js"></script>
      <kafka-playground scenario="first" at="3s" lang="zh" theme="dark"><a href="${use.server.url}/#s=first">first</a></kafka-playground>`,
    );
    const frame = await frameOf(page);
    const heights = async () => [
      await heightOf(page),
      await frame.evaluate(() => document.getElementById("app").getBoundingClientRect().height),
    ];
    await page.waitForFunction(
      () =>
        document.querySelector("kafka-playground").shadowRoot.querySelector("iframe").clientHeight <
        560,
    );
    await page.waitForTimeout(600);
    const [height, inside] = await heights();
    assert.ok(Math.abs(height - inside) < 4 && height > 300, `${height} ${inside}`);
    assert.equal(await frame.locator("html").getAttribute("lang"), "zh-CN");
    await frame.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    const address = frame.url();
    await frame.locator("[data-verb=break]").click();
    await page.waitForTimeout(200);
    assert.equal(frame.url(), address, "an embed never rewrites its address");
    await close();
  });

  it("works in sandbox=allow-scripts from a server without CORS", async () => {
    const { page, close } = await hosted(
      use,
      `<iframe sandbox="allow-scripts" width="900" height="800" src="${use.server.url}/index.html?embed#s=first&at=3s&lang=en"></iframe>`,
    );
    const frame = await frameOf(page);
    assert.equal(
      await frame.evaluate(() => location.origin === "null" || self.origin === "null"),
      true,
    );
    await frame.locator("[data-key=step]").click();
    await frame.locator("[data-verb=break]").click();
    await frame.waitForFunction(() => document.querySelector(".why"));
    await close();
  });

  it("leads to the full page with what was done here, in a narrow column, too", async () => {
    const page = await use.open("/?embed&lang=en#s=first&at=3s");
    const link = page.getByRole("link", { name: "Open in Highwater" });
    await link.waitFor();
    for (const width of [390, 760, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      assert.ok(await link.isVisible(), `${width} px`);
    }
    const address = async () => {
      await link.dispatchEvent("pointerdown");
      return link.getAttribute("href");
    };
    assert.match(
      (await address()).slice(use.server.url.length),
      /^\/#s=first&at=3s:\d+&e=[^&]+&f=[^&]+&lang=en$/,
    );
    await page.locator("[data-verb=break]").click();
    const [script, time] = await page.evaluate(() => {
      globalThis.highwater.pause();
      return [globalThis.highwater.script(), globalThis.highwater.view.time];
    });
    const full = await use.open((await address()).slice(use.server.url.length));
    assert.deepEqual(
      await full.evaluate(() => [globalThis.highwater.script(), globalThis.highwater.view.time]),
      [script, time],
    );
    assert.match(script, /crash/);
  });

  it("stops off screen", async () => {
    const { page, close } = await hosted(
      use,
      `<iframe id="f" width="900" height="800" src="${use.server.url}/index.html?embed#s=first"></iframe><div style="height:4000px"></div>`,
    );
    const frame = await frameOf(page);
    await frame.locator("[data-key=play]").click();
    assert.equal(await frame.locator("[data-key=play]").innerText(), "❚❚");
    await page.evaluate(() => scrollTo(0, 3500));
    await frame.waitForFunction(
      () => document.querySelector("[data-key=play]").textContent === "▶",
    );
    await close();
  });

  it("messages of a wrong source or shape change nothing", async () => {
    const { page, close } = await hosted(
      use,
      `<script src="${use.server.url}/embed.js"></script><kafka-playground scenario="first"></kafka-playground>`,
    );
    await frameOf(page);
    const height = () =>
      page.evaluate(
        () =>
          document.querySelector("kafka-playground").shadowRoot.querySelector("iframe").style
            .height,
      );
    await page.waitForTimeout(500);
    const before = await height();
    await page.evaluate(() => postMessage({ highwater: 1, height: 123 }, "*"));
    await page.waitForTimeout(200);
    assert.equal(await height(), before);
    await close();
  });

  it("the one file opens from disk", async () => {
    const page = await use.open(`${pathToFileURL(`${DIST}/highwater.html`).href}?lang=en`);
    await page.locator("[data-verb=break]").click();
    await page.waitForSelector(".why");
    assert.deepEqual(page.troubles, []);
  });
});
