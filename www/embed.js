/**
 * <kafka-playground scenario="first" at="12s" lang="zh" theme="dark">a link as fallback</kafka-playground>
 * An iframe of Highwater: lazy, as high as its content, in the theme of the host page.
 */
const HERE = /** @type {HTMLScriptElement|null} */ (document.currentScript)?.src ?? import.meta.url;
const VERSION = 1;
const FRAGMENT_KEYS = { at: "at", lang: "lang", theme: "theme", speed: "speed", view: "view" };

class KafkaPlayground extends HTMLElement {
  static observedAttributes = ["scenario", "script", "href", ...Object.keys(FRAGMENT_KEYS)];
  /** @type {HTMLIFrameElement|null} */
  #frame = null;
  #dark = matchMedia("(prefers-color-scheme: dark)");
  #heard = false;

  connectedCallback() {
    const frame = document.createElement("iframe");
    frame.loading = "lazy";
    frame.title = this.title || "Highwater: Kafka replication playground";
    frame.allow = "clipboard-write";
    frame.style.cssText = "display:block;width:100%;height:640px;border:0;color-scheme:normal";
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
   * @param {string|null} now
   * @param {string} _name
   * @param {string|null} before
   */
  attributeChangedCallback(_name, before, now) {
    if (this.#frame && before !== now) this.#frame.src = this.#address();
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
    return new URL(`index.html?embed#${parts.join("&")}`, HERE).href;
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
    if (Number.isFinite(height) && height >= 100 && height <= 4000)
      this.#frame.style.height = `${height}px`;
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
