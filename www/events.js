/** What an event's control holds. */

/** @param {Event} event of a field or a choice */
export const chosenIn = ({ target }) =>
  /** @type {HTMLInputElement|HTMLSelectElement|HTMLTextAreaElement} */ (target).value;

/** @param {Event} event of a box that is ticked */
export const isChecked = ({ target }) => /** @type {HTMLInputElement} */ (target).checked;

/**
 * What is pressed, or what lies around it.
 * @param {Event} event
 */
export const pressed = ({ target }) => /** @type {HTMLElement} */ (target);
