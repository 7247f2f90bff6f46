/** What breaks next, if nobody says what. */

/**
 * A running follower of the chosen partition before its leader; the highest id first.
 * @param {import("./types.js").View} view
 */
export function nextVictim(view) {
  const running = view.brokers.filter(
    (broker) => broker.state === "running" && (broker.replica || !view.partition),
  );
  const followers = running.filter((broker) => broker.id !== view.state?.leader);
  return followers.at(-1) ?? running.at(-1);
}
