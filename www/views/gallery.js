/** The bundled scenarios, each with its title and what is to be learnt there. */

import { html } from "lit-html";
import { pickFile } from "../browser.js";
import { openFile } from "../files.js";
import { t } from "../i18n.js";
import { lessonsIn, rowOf } from "../learned.js";
import { allScenarios, scenarioAbout, scenarioTitle } from "../scenarios.js";

let scenarios = /** @type {Map<string, string>|null} */ (null);

/** @param {import("../app.js").App} app */
export function dialog(app) {
  if (!scenarios)
    allScenarios().then((all) => {
      scenarios = all;
      app.draw();
    });
  const all = [...(scenarios ?? [])];
  const lessons = scenarios ? lessonsIn(scenarios) : [];
  const isAnomaly = (/** @type {[string, string]} */ [, script]) => /^# anomaly:/m.test(script);
  return html`
    <h3>${t("gallery.lessons")}</h3>
    ${list(
      app,
      lessons.map(({ name, script }) => [name, script]),
    )}
    <h3>${t("gallery.scenarios")}</h3>
    ${list(
      app,
      all.filter((each) => !isAnomaly(each) && !rowOf(each[1])),
    )}
    <h3>${t("gallery.anomalies")}</h3>
    ${list(app, all.filter(isAnomaly))}
    <p class="row"><button @click=${() => pickFile((file) => openFile(app, file))}>${t("gallery.open")}</button>
      <span class="empty">${t("gallery.drop")}</span>
      <button @click=${() => app.choose({ dialog: { name: "ask" } })}>${t("gallery.describe")}</button></p>`;
}

/**
 * @param {import("../app.js").App} app
 * @param {[string, string][]} scenarios
 */
function list(app, scenarios) {
  return html`
    <ul class="gallery">
      ${scenarios.map(
        ([name, script]) => html`
        <li class=${name === app.ui.name ? "chosen" : ""}>
          <button data-scenario=${name} @click=${() => app.openScenario(name, script)}>
            <strong>${scenarioTitle(script) ?? name}</strong>
            <span>${scenarioAbout(script)}</span>
          </button>
        </li>`,
      )}
    </ul>`;
}
