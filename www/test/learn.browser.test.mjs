/** Lessons: each opened, guessed, watched and its goal reached, in both languages. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { axeFinds, inBothBrowsers, onScreen, PHONE } from "./pages.mjs";

const FOLDER = fileURLToPath(new URL("../scenarios/lessons", import.meta.url));
const LESSONS = readdirSync(FOLDER)
  .sort()
  .map((file) => ({
    name: file.replace(/\.hw$/, ""),
    script: readFileSync(`${FOLDER}/${file}`, "utf8"),
  }));
const UNITS = { us: 1, ms: 1e3, s: 1e6 };

/** The actions that reach its goal, as its head names them. */
function solution(script) {
  return [...script.matchAll(/^# solve: (?:at ([\d.]+)(us|ms|s) (.+)|kafka (\S+))$/gm)].map(
    ([, time, unit, action, release]) => ({ time: time * UNITS[unit], action, release }),
  );
}

const still = (page) =>
  page.waitForFunction(() => !globalThis.highwater.ui.playing, null, { timeout: 30_000 });

/**
 * Through all steps by what is on the screen: each question is answered. Played, or, since that takes
 * its time, from step to step.
 */
async function walk(page, { played }) {
  const steps = await page.evaluate(() => globalThis.highwater.lesson.steps.length);
  for (let i = 0; i < steps; i++) {
    if (i === 0 || played) await page.locator("[data-learn=next]").click();
    if (!played) await page.locator(".steps a").nth(i).click();
    await page.evaluate(() => {
      globalThis.highwater.ui.speed = 64;
    });
    await still(page);
    const kind = await page.evaluate(() => {
      const { lesson, view } = globalThis.highwater;
      return lesson.steps.findLast((step) => step.time <= view.time)?.kind;
    });
    if (kind === "ask") {
      assert.equal(await page.locator("[data-learn=next]").count(), 0, "first the guess");
      await page.locator(".answers button").last().click();
      assert.ok(await page.locator(".lesson .reply").isVisible());
    }
  }
}

/** Does what the lesson's head names, at its times. */
async function solve(page, script) {
  for (const { time, action, release } of solution(script)) {
    await page.evaluate(
      ([time, action, release]) => {
        const { highwater } = globalThis;
        if (release) highwater.useRelease(release);
        else {
          if (time > highwater.view.time) highwater.seek(time);
          highwater.act(action, { follow: false });
        }
      },
      [time, action, release],
    );
  }
  const reached = async () => {
    for (let i = 0; i < 700; i++) {
      if (document.querySelector("[data-goal=reached]")) return true;
      globalThis.highwater.seek(globalThis.highwater.view.time + 100_000);
      if (i % 50 === 0) await new Promise((done) => setTimeout(done));
    }
    return false;
  };
  assert.ok(await page.evaluate(reached), "the goal is reached");
}

inBothBrowsers("lessons", ({ open, name: browser }) => {
  for (const lang of ["en", "zh"]) {
    for (const { name, script } of LESSONS) {
      it(`${name} (${lang}): guessed, watched, done, remembered`, async () => {
        const page = await open(`/?lang=${lang}#s=${name}`);
        await page.locator("[data-learn=next]").waitFor();
        await walk(page, { played: browser === "chromium" && lang === "en" });
        assert.equal(await page.locator("[data-goal=open]").count(), 1);
        await solve(page, script);
        assert.match(
          await page.evaluate(() => localStorage.getItem("highwater.learned") ?? ""),
          new RegExp(`(^| )${name}( |$)`),
        );
        assert.deepEqual(page.troubles, []);
      });
    }
  }

  it("Learn is first in the header, and lists every lesson, those that wait too", async () => {
    const page = await open("/?lang=en");
    assert.equal(await page.locator(".top button").first().innerText(), "Learn");
    await page.locator(".top button").first().click();
    await page.locator("[data-lesson]").first().waitFor();
    assert.equal(await page.locator("[data-lesson]").count(), LESSONS.length);
    assert.equal(await page.locator(".lessons .missing").count(), 3);
    await page.locator("[data-lesson=m07-hw-and-leo]").click();
    await page.locator("[data-learn=next]").waitFor();
    assert.match(page.url(), /#s=m07-hw-and-leo$/);
  });

  it("the contents open by a link, without the engine", async () => {
    const page = await open("/?lang=zh#view=learn", { engine: false });
    await page.locator("[data-lesson]").first().waitFor();
    assert.equal(await page.locator("#dialog-title").innerText(), "学习");
  });

  it("each step is a link, and steps go back and forth", async () => {
    const page = await open("/?lang=en#s=m12-old-leader-returns&at=19500ms");
    const current = page.locator(".steps [aria-current]");
    assert.equal(await current.innerText(), "3");
    await page.locator("[data-learn=back]").click();
    assert.equal(await current.innerText(), "2");
    assert.match(page.url(), /at=18000ms/);
    await page.locator(".steps a").nth(4).click();
    assert.equal(await page.locator("[data-goal=open]").count(), 1);
  });

  it("what was done in a step can be taken back in one go", async () => {
    const page = await open("/?lang=en#s=m03-ar-isr-osr&at=21s");
    await page.locator("[data-verb=break]").click();
    await still(page);
    await page.locator("[data-learn=again]").click();
    assert.doesNotMatch(await page.evaluate(() => globalThis.highwater.script()), /^at 21/m);
  });

  it("a lesson passes axe, on a phone too, and a question is seen without scrolling", async () => {
    for (const viewport of [undefined, PHONE]) {
      const page = await open("/?lang=en#s=m12-old-leader-returns&at=19500ms", {
        bypassCSP: true,
        ...(viewport && { viewport }),
      });
      await page.locator(".answers button").first().click();
      assert.deepEqual(await axeFinds(page), []);
      assert.ok(await onScreen(page.locator(".lesson")));
    }
  });

  it("guesses and goals work in an embed", async () => {
    const page = await open("/?embed&lang=zh#s=m02-followers-pull&at=2900ms");
    await page.locator(".answers button").nth(1).click();
    assert.match(await page.locator(".lesson .reply").innerText(), /^正确。/);
    await page.locator(".steps a").last().click();
    await page.locator("[data-goal=open]").waitFor();
    const { script } = LESSONS.find(({ name }) => name === "m02-followers-pull");
    await solve(page, script);
  });

  it("each lesson has a page that needs no script, in both languages", async () => {
    for (const lang of ["en", "zh"]) {
      const page = await open(`/learn/m12-old-leader-returns.${lang}.html`, { ready: false });
      assert.equal(await page.locator("ol > li").count(), 5);
      assert.equal(await page.locator("figure svg .broker").count(), 3);
      await page.locator("kafka-playground").scrollIntoViewIfNeeded();
      await page.frameLocator("kafka-playground iframe").locator(".lesson").waitFor();
      await page.goto(page.url().replace(/[^/]*$/, `index.${lang}.html`));
      assert.equal(await page.locator("li a").count(), LESSONS.length);
    }
  });
});
