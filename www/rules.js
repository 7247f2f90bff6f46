/** Where the numbered rules can be read: the document is served beside the page. */
const RULES = "docs/protocol.html";

/**
 * @param {string} rule such as `R2.18`
 * @returns {string} the address of its anchor
 */
export const ruleLink = (rule) => `${RULES}#${rule.toLowerCase().replace(".", "-")}`;
