/**
 * What was pressed before the engine is there. It waits, in order, and what was pressed looks busy
 * until it is carried out.
 */

/** Events by which a control is pressed. */
const PRESSES = ["click", "change", "input", "submit"];

export class Pending {
  /** Whether there is nothing to wait for any more. */
  over = false;

  /** @type {{work: () => void, kind: string|undefined, control: Element|null}[]} */
  #waiting = [];
  /** What is being pressed. @type {Element|null} */
  #control = null;

  /** @param {HTMLElement} root of all that can be pressed */
  constructor(root) {
    for (const name of PRESSES) {
      root.addEventListener(name, (event) => this.#press(event), { capture: true });
      root.addEventListener(name, () => {
        this.#control = null;
      });
    }
  }

  /** @param {Event} event */
  #press({ target }) {
    if (this.over || !(target instanceof Element)) return;
    this.#control = target.closest("button, select, input, textarea, form");
  }

  /**
   * Lets something wait.
   * @param {() => void} work
   * @param {string} [kind] of which only the last one of a row counts, such as moments of a scrub
   */
  put(work, kind) {
    const last = this.#waiting.at(-1);
    if (kind && last?.kind === kind) last.work = work;
    else this.#waiting.push({ work, kind, control: this.#control });
    this.#control?.setAttribute("aria-busy", "true");
  }

  /**
   * Does what a key stands for, as if its button were pressed.
   * @param {Element|null} control
   * @param {() => void} act
   */
  as(control, act) {
    this.#control = control;
    act();
    this.#control = null;
  }

  /** Does all that has waited. */
  release() {
    this.over = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { control } of waiting) control?.removeAttribute("aria-busy");
    for (const { work } of waiting) work();
  }
}
