/** The best of so many runs counts, as elsewhere. */
const RUNS = 3;

const RECIPE = {
  release: "4.4",
  brokers: 3,
  acks: -1,
  minIsr: 2,
  unclean: false,
  flushEveryRecord: false,
  records: 1,
  maxEpoch: 4,
  property: "ackedSurvives",
};

/** @param {Record<string, number>} faults */
const faults = (faults) => ({
  faults: { crash: 0, power: 0, session: 0, stop: 0, uncleanElection: 0, lag: 0, ...faults },
});

/** Questions with an answer, each by another way to lose a record. */
const LOSSES = [
  { ...RECIPE, acks: 1, ...faults({ crash: 1 }) },
  { ...RECIPE, minIsr: 1, ...faults({ power: 1, lag: 2 }) },
  { ...RECIPE, ...faults({ crash: 1, power: 1, lag: 1 }) },
  { ...RECIPE, unclean: true, ...faults({ crash: 2, lag: 1 }) },
  { ...RECIPE, property: "hasLeader", ...faults({ crash: 2, lag: 1 }) },
];

/** The durability recipe on disks that lose nothing, with two crashes and a power loss. */
const SAFE = { ...RECIPE, flushEveryRecord: true, records: 3, ...faults({ crash: 2, power: 1 }) };

/** The same with as much as fits: more than ten million states. */
const MANY = { ...RECIPE, records: 3, ...faults({ crash: 3, stop: 1, lag: 3 }) };

/**
 * How fast the explorer is, without a page around it.
 * @param {import("playwright-core").Page} page an empty one
 * @param {string} wasm its address
 */
export function explore(page, wasm) {
  return page.evaluate(
    async ({ wasm, glue, losses, safe, many, runs }) => {
      const bytes = await (await fetch(wasm)).arrayBuffer();
      let instances = 0;
      const timed = async (/** @type {(explorer: any) => any} */ search, cold = true) => {
        instances += 1; // A module of JavaScript makes one instance.
        const { Explorer, initSync } = await import(`${glue}?${instances}`);
        const module = cold ? undefined : await WebAssembly.compile(bytes);
        const start = performance.now();
        const { memory } = initSync({ module: module ?? (await WebAssembly.compile(bytes)) });
        const explorer = search(Explorer);
        let view = explorer.run(1e6);
        while (!view.verdict) view = explorer.run(1e6);
        const ms = performance.now() - start;
        explorer.free();
        return { ms, view, pages: memory.buffer.byteLength };
      };
      const best = async (/** @type {() => Promise<{ms: number, view: any}>} */ search) => {
        let fastest = await search();
        for (let run = 1; run < runs; run++) {
          const next = await search();
          if (next.ms < fastest.ms) fastest = next;
        }
        return fastest;
      };
      const ROOM = 3e9;
      const yardstick = (/** @type {any} */ of) => of.yardstick(2, ROOM);
      const cold = await best(() => timed(yardstick));
      const warm = await best(() => timed(yardstick, false));
      const kafka = await timed((of) => new of(safe, ROOM), false);
      let worst = 0;
      for (const question of losses)
        worst = Math.max(worst, (await best(() => timed((of) => new of(question, ROOM)))).ms);
      const full = await timed((of) => new of(many, 4e8), false);
      return {
        perSecond: (warm.view.distinct / warm.ms) * 1000,
        coldMs: cold.ms,
        kafkaPerSecond: (kafka.view.distinct / kafka.ms) * 1000,
        shortestLossMs: worst,
        safeMs: kafka.ms,
        safe: kafka.view.verdict,
        states: full.view.distinct,
        bytesPerState: full.pages / full.view.distinct,
      };
    },
    { wasm, glue: "/explore.js", losses: LOSSES, safe: SAFE, many: MANY, runs: RUNS },
  );
}
