const TARGETS = 100;

/**
 * The worst of many seeks to random moments, forth and back, of a scenario that has been played:
 * the engine there, the page drawn and laid out.
 * @param {import("playwright-core").Page} page
 * @param {string} script
 * @returns {Promise<{seekMs: number}>}
 */
export async function seeks(page, script) {
  await page.waitForFunction(() => globalThis.highwater?.ready);
  await page.waitForLoadState("networkidle"); // What comes behind the first screen has come.
  return page.evaluate(
    ({ script, targets }) => {
      const app = globalThis.highwater;
      app.open(script, null);
      const { end } = app.view;
      app.seek(end);
      document.body.getBoundingClientRect();
      let state = 12345;
      let worst = 0;
      for (let i = 0; i < targets; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const target = Math.floor((state / 2 ** 32) * end);
        const start = performance.now();
        app.seek(target);
        document.body.getBoundingClientRect(); // Laid out, too.
        worst = Math.max(worst, performance.now() - start);
      }
      return { seekMs: worst };
    },
    { script, targets: TARGETS },
  );
}
