/**
 * <kafka-playground scenario="first" at="12s" lang="zh" theme="dark">a link as fallback</kafka-playground>
 * An iframe of Highwater: lazy, no higher than it needs or is allowed, in the theme of the host page.
 */
const HERE = /** @type {HTMLScriptElement|null} */ (document.currentScript)?.src ?? import.meta.url;
const VERSION = 1;
const FRAGMENT_KEYS = { at: "at", lang: "lang", theme: "theme", speed: "speed", view: "view" };
const CONTROLS = new Set(["none", "play", "full"]);
/** How high a frame may become, in CSS pixels, unless the tag says otherwise; and what it may say. */
const HEIGHT = 560;
const LEAST_HEIGHT = 240;
const MOST_HEIGHT = 4000;

class KafkaPlayground extends HTMLElement {
  static observedAttributes = [
    "scenario",
    "script",
    "href",
    "controls",
    "height",
    ...Object.keys(FRAGMENT_KEYS),
  ];
  /** @type {HTMLIFrameElement|null} */
  #frame = null;
  #dark = matchMedia("(prefers-color-scheme: dark)");
  #heard = false;

  connectedCallback() {
    const frame = document.createElement("iframe");
    frame.loading = "lazy";
    frame.title = this.title || "Highwater: Kafka replication playground";
    frame.allow = "clipboard-write";
    frame.style.cssText = `display:block;width:100%;height:${this.#most()}px;border:0;color-scheme:normal`;
    frame.src = this.#address();
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.replaceChildren(frame);
    this.#frame = frame;
    frame.addEventListener("load", this.#tellTheme);
    addEventListener("message", this.#hear);
    this.#dark.addEventListener("change", this.#tellTheme);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#hear);
    this.#dark.removeEventListener("change", this.#tellTheme);
  }

  /**
   * @param {string} name
   * @param {string|null} before
   * @param {string|null} now
   */
  attributeChangedCallback(name, before, now) {
    if (!this.#frame || before === now) return;
    if (name === "height") this.#frame.style.height = `${this.#most()}px`;
    else this.#frame.src = this.#address();
  }

  /** The height that the frame may have: that of the tag, within reason. */
  #most() {
    const wanted = Number(this.getAttribute("height") ?? HEIGHT);
    if (!Number.isFinite(wanted)) return HEIGHT;
    return Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Math.round(wanted)));
  }

  #address() {
    const link = this.getAttribute("href") ?? this.querySelector("a")?.href ?? "";
    const parts = [];
    const scenario = this.getAttribute("scenario");
    const script = this.getAttribute("script");
    if (scenario) parts.push(`s=${encodeURIComponent(scenario)}`);
    else if (script) parts.push(`t=1.${encodeURIComponent(script)}`);
    else if (link.includes("#")) parts.push(link.slice(link.indexOf("#") + 1));
    for (const [name, key] of Object.entries(FRAGMENT_KEYS)) {
      const value = this.getAttribute(name);
      if (value) parts.push(`${key}=${encodeURIComponent(value)}`);
    }
    const controls = this.getAttribute("controls") ?? "";
    const query = CONTROLS.has(controls) ? `?embed&controls=${controls}` : "?embed";
    return new URL(`index.html${query}#${parts.join("&")}`, HERE).href;
  }

  #tellTheme = () => {
    const theme = this.getAttribute("theme") ?? hostTheme();
    this.#frame?.contentWindow?.postMessage({ highwater: VERSION, theme }, "*");
  };

  #hear = (/** @type {MessageEvent} */ { source, data }) => {
    if (!this.#frame || source !== this.#frame.contentWindow || data?.highwater !== VERSION) return;
    if (!this.#heard) this.#tellTheme(); // It listens from now on.
    this.#heard = true;
    const { height } = data;
    if (Number.isFinite(height) && height >= 100 && height <= MOST_HEIGHT)
      this.#frame.style.height = `${Math.min(height, this.#most())}px`;
  };
}

/** The theme that the host page shows: told by its `color-scheme`, or by the reader's wish. */
function hostTheme() {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (scheme === "dark" || scheme === "light") return scheme;
  return matchMedia("(prefers-color-scheme: dark)").matches && /dark/.test(scheme)
    ? "dark"
    : "light";
}

customElements.define("kafka-playground", KafkaPlayground);
