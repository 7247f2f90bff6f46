/** The median of so many visits counts. */
const VISITS = 5;

/** Lines that visitors have: bytes per second and ms. */
const LINES = {
  Slow: { throughput: 1.6e6 / 8, latency: 150 },
  Fast: { throughput: 10e6 / 8, latency: 40 },
};

/**
 * How long a first visit takes until the cluster is on the screen, and until the engine is there.
 * @param {import("playwright-core").Browser} browser Chromium, which can be given such a line
 * @param {string} url
 * @returns {Promise<Record<string, number>>} real ms: frameMsSlow, engineMsSlow, frameMsFast, engineMsFast
 */
export async function loads(browser, url) {
  /** @type {Record<string, number>} */
  const result = {};
  for (const [name, line] of Object.entries(LINES)) {
    const visits = [];
    for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, url, line));
    result[`frameMs${name}`] = median(visits.map(({ frame }) => frame));
    result[`engineMs${name}`] = median(visits.map(({ engine }) => engine));
  }
  return result;
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {{throughput: number, latency: number}} line
 */
async function visit(browser, url, { throughput, latency }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await page.goto(url, { waitUntil: "commit" });
  const seen = await page.waitForFunction(() => {
    const { frame, engine } = globalThis.seenByBench;
    return frame && engine ? { frame, engine } : null;
  });
  const times = await seen.jsonValue();
  await context.close();
  if (!times) throw new Error("the page was not seen");
  return times;
}

/** In the page, before anything else: notes when it was painted, and when the engine was there. */
function watch() {
  const seen = { frame: 0, engine: 0 };
  globalThis.seenByBench = seen;
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".stage")) return;
    observer.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        seen.frame = performance.now();
      }),
    );
  });
  observer.observe(document, { childList: true, subtree: true });
  const timer = setInterval(() => {
    if (!globalThis.highwater?.ready) return;
    seen.engine = performance.now();
    clearInterval(timer);
  }, 5);
}

/** @param {number[]} numbers */
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
