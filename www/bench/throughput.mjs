/** The best of so many runs counts, as natively. */
const RUNS = 5;

/**
 * How long the engine takes for a whole scenario, without a page around it.
 * @param {import("playwright-core").Page} page an empty one
 * @param {string} wasm its address
 * @param {string} script
 * @returns {Promise<{seconds: number, fingerprint: string}>}
 */
export function throughput(page, wasm, script) {
  return page.evaluate(
    async ({ wasm, glue, script, runs }) => {
      const { default: init, Engine } = await import(glue);
      await init({ module_or_path: wasm });
      let seconds = Infinity;
      let fingerprint = "";
      for (let run = 0; run < runs; run++) {
        const engine = new Engine(script);
        const { end } = engine.view({});
        const start = performance.now();
        engine.runUntil(end);
        seconds = Math.min(seconds, (performance.now() - start) / 1000);
        fingerprint = engine.fingerprint();
        engine.free();
      }
      return { seconds, fingerprint };
    },
    { wasm, glue: "/bench.js", script, runs: RUNS },
  );
}
