const LEAST_FRAMES = 300;
const PATIENCE_MS = 300_000;

/**
 * Script time per frame while a large cluster plays with its map on the screen: the 95th
 * percentile. It goes on until every partition was written meanwhile.
 * @param {import("playwright-core").Page} page
 * @param {string} script
 * @returns {Promise<{frameMs: number, frames: number}>}
 */
export async function frames(page, script) {
  await page.waitForFunction(() => globalThis.highwater?.ready);
  await page.waitForLoadState("networkidle"); // What comes behind the first screen has come.
  return page.evaluate(
    async ({ script, least, patience }) => {
      const app = globalThis.highwater;
      app.open(script, null, { time: 1e6 });
      app.choose({ panel: "map" });
      const ends = () =>
        app.session
          .view({ partitions: true, cells: 0, story: 0, flights: 0 })
          .partitions?.map(({ leo }) => leo ?? 0) ?? [];
      const before = ends();
      const allWritten = () => ends().every((leo, i) => leo > before[i]);

      // While it plays, all that the page does begins in a frame's callback.
      const spent = new Map();
      const count = (/** @type {number} */ frame, /** @type {() => void} */ work) => {
        const start = performance.now();
        work();
        spent.set(frame, (spent.get(frame) ?? 0) + performance.now() - start);
      };
      const request = globalThis.requestAnimationFrame;
      globalThis.requestAnimationFrame = (work) =>
        request((frame) => count(frame, () => work(frame)));
      const started = performance.now();
      app.play();
      let checked = 0;
      while (performance.now() - started < patience) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (!app.ui.playing) app.play();
        if (spent.size >= least && spent.size > checked) {
          checked = spent.size;
          if (allWritten()) break;
        }
      }
      app.pause();
      globalThis.requestAnimationFrame = request;
      if (spent.size < least || !allWritten())
        throw new Error(`only ${spent.size} frames, or not every partition written`);
      const times = [...spent.values()].sort((a, b) => a - b);
      return { frameMs: times[Math.floor(times.length * 0.95)], frames: times.length };
    },
    { script, least: LEAST_FRAMES, patience: PATIENCE_MS },
  );
}
