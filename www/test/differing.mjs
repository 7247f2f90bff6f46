/**
 * Plays scripts to their ends, in whatever runs this.
 * @param {typeof import("../pkg/highwater_web.js").Engine} Engine
 * @param {Record<string, {script: string, fingerprint: string}>} list by name
 * @returns {Record<string, string[]>} the histories of those that come to another fingerprint
 */
export function differing(Engine, list) {
  const found = {};
  for (const [name, { script, fingerprint }] of Object.entries(list)) {
    const engine = played(Engine, script);
    if ((engine?.fingerprint() ?? "refused") !== fingerprint) found[name] = history(engine);
    engine?.free();
  }
  return found;
}

/** Nothing if the script is refused; any other error is thrown on. */
function played(Engine, script) {
  try {
    const engine = new Engine(script);
    engine.runUntil(engine.view({}).end);
    return engine;
  } catch (error) {
    if (error.name !== "ScriptRefused") throw error;
  }
}

/** A line for each event, as `xtask/src/agreement.rs` writes it. */
function history(engine) {
  if (!engine) return ["refused"];
  const lines = [];
  for (let event = engine.event(0); event; event = engine.event(lines.length)) {
    const params = event.params.map(([name, value]) => ` ${name}=${value}`);
    lines.push(`${event.time} ${event.node} ${event.code}${params.join("")}`);
  }
  return lines;
}
