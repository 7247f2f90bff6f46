/** Where what a producer was told of a record is not what became of it. */

/**
 * @param {Pick<import("./types.js").RecordView, "answer"|"status"|"duplicated">} record
 * @returns {"failedYetWritten"|"ackedYetLost"|"writtenUntold"|"writtenTwice"|null} null: the two agree
 */
export function corner({ answer, status, duplicated }) {
  const isWritten = status === "appended" || status === "committed";
  if (answer === "failed" && isWritten) return "failedYetWritten";
  if (answer === "acked" && status === "lost") return "ackedYetLost";
  if (answer === "acked" && duplicated) return "writtenTwice";
  // Appended is not written yet: the leader may still lose it.
  if (answer === "pending" && status === "committed") return "writtenUntold";
  return null;
}
