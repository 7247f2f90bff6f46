/**
 * The page as an embed: tells the host page its height, hears the host's theme, stops off screen.
 * Messages are versioned, checked for source and shape, and bounded. The address is never rewritten.
 */

const VERSION = 1;
const MAX_HEIGHT = 4000;
const MIN_CHANGE = 2;
const SETTLE_MS = 250;

/**
 * @param {import("./app.js").App} app
 * @param {HTMLElement} root
 */
export function beEmbedded(app, root) {
  stopOffScreen(app, root);
  if (window.parent === window) return;
  window.addEventListener("message", (event) => {
    if (event.source !== window.parent || !isThemeMessage(event.data)) return;
    app.useTheme(event.data.theme);
  });
  reportHeight(app, root);
}

/**
 * @param {unknown} data
 * @returns {data is {highwater: 1, theme: "light"|"dark"|"auto"}}
 */
export function isThemeMessage(data) {
  return (
    typeof data === "object" &&
    data !== null &&
    "highwater" in data &&
    "theme" in data &&
    data.highwater === VERSION &&
    ["light", "dark", "auto"].includes(String(data.theme))
  );
}

/**
 * Tells the height at which nothing has to be scrolled. It only grows: narration comes and goes, and a
 * frame that follows it would make the host's text jump.
 * @param {import("./app.js").App} app
 * @param {HTMLElement} root
 */
function reportHeight(app, root) {
  let told = 0;
  let due = 0;
  const measure = () => {
    due = 0;
    const bench = root.querySelector(".bench");
    const hidden = bench ? bench.scrollHeight - bench.clientHeight : 0;
    const height = Math.min(MAX_HEIGHT, Math.ceil(root.getBoundingClientRect().height) + hidden);
    if (!bench || height - told < MIN_CHANGE) return;
    told = height;
    // The host may be any page, and a height is no secret.
    window.parent.postMessage({ highwater: VERSION, height }, "*");
  };
  // Once what is loaded on demand has had its time to come.
  app.onDraw(() => {
    if (!due) due = window.setTimeout(measure, SETTLE_MS);
  });
}

/**
 * @param {import("./app.js").App} app
 * @param {HTMLElement} root
 */
function stopOffScreen(app, root) {
  new IntersectionObserver((entries) => {
    if (entries.every((entry) => !entry.isIntersecting)) app.pause();
  }).observe(root);
}
