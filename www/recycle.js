/**
 * Keys for lists that are drawn again and again: what stays keeps its key, and what is new takes
 * over the key of what is gone, and with it the elements. Making elements is what costs most when
 * time leaps.
 */
export class Keys {
  #keys = new Map();
  #next = 0;

  /**
   * @template {string|number} Id
   * @param {Id[]} ids of what is to be drawn, each once
   * @param {boolean} [recycle] whether what is new may take over what is gone
   * @returns {(id: Id) => number}
   */
  of(ids, recycle = true) {
    const wanted = new Set(ids);
    const free = recycle
      ? [...this.#keys].filter(([id]) => !wanted.has(id)).map(([, key]) => key)
      : [];
    const before = this.#keys;
    this.#keys = new Map(ids.map((id) => [id, before.get(id) ?? free.pop() ?? this.#next++]));
    return (id) => this.#keys.get(id);
  }
}
