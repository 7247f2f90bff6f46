/**
 * Words of the explorer. zh.explore.js has the same keys.
 * @type {Record<string, string>}
 */
export default {
  "explore.about":
    "A scenario is one order of things. This looks at every order of messages, timers and faults within bounds, by the same rules, and finds the shortest way to break a promise, or says that there is none.",
  "explore.property": "Can this be broken?",
  "explore.ackedSurvives": "Acknowledged records survive",
  "explore.seenStays": "What a consumer saw stays",
  "explore.hasLeader": "There is a leader while a broker lives",
  "explore.records": "Records",
  "explore.maxEpoch": "Leader changes",
  "explore.faults": "Faults allowed, and how often",
  "explore.fault.crash": "process crash",
  "explore.fault.crashAbout": "kill -9: what was written stays in the page cache.",
  "explore.fault.power": "power loss",
  "explore.fault.powerAbout": "What was not flushed is gone.",
  "explore.fault.lag": "follower lags",
  "explore.fault.lagAbout":
    "A live follower stays behind for replica.lag.time.max.ms and leaves the ISR: a slow disk, a slow link, a long pause.",
  "explore.fault.session": "session ends",
  "explore.fault.sessionAbout": "A live broker is fenced because its heartbeats do not arrive.",
  "explore.stop": "Stop",
  "explore.fault.stop": "clean stop",
  "explore.fault.stopAbout": "A clean stop, with everything flushed.",
  "explore.fault.uncleanElection": "unclean election by hand",
  "explore.fault.uncleanElectionAbout": "The operator asks for it while nobody leads.",
  "explore.settings": "From the screen:",
  "explore.brokers": "{count} {count?replica|replicas}",
  "explore.ask": "Look at every order",
  "explore.unknown":
    "The explorer cannot be asked about {release} yet. Choose one of {list} above.",
  "explore.progress":
    "{states} states so far; every order of up to {steps} steps has been looked at …",
  "explore.broken.ackedSurvives":
    "Yes: an acknowledged record can be lost, in {length} steps. There is no shorter way.",
  "explore.broken.seenStays":
    "Yes: a record that a consumer saw can vanish, in {length} steps. There is no shorter way.",
  "explore.broken.hasLeader":
    "Yes: nobody may lead although a broker lives, after {length} steps. There is no shorter way.",
  "explore.safe.ackedSurvives":
    "No: within these bounds no order of things loses an acknowledged record.",
  "explore.safe.seenStays":
    "No: within these bounds no order of things takes back what a consumer saw.",
  "explore.safe.hasLeader":
    "No: within these bounds somebody leads, or is about to, as long as a broker lives.",
  "explore.memory.ackedSurvives":
    "Not decided: {gib} GiB are full. No order of up to {steps} steps loses an acknowledged record.",
  "explore.memory.seenStays":
    "Not decided: {gib} GiB are full. No order of up to {steps} steps takes back what a consumer saw.",
  "explore.memory.hasLeader":
    "Not decided: {gib} GiB are full. In every order of up to {steps} steps somebody leads.",
  "explore.bounds":
    "Bounds: records {records}; leader epochs up to {epochs}; faults {faults}. {states} states in {time}.",
  "explore.leftOut":
    "Left out: retries and duplicates of the producer, several partitions, moves, the controller's own failures (with ZooKeeper it is a broker without replica). A broker that hears late hears the newest state.",
  "explore.open": "Play the shortest history",
  "explore.noStory":
    "The simulation could not be brought to play this run. Please report it, with the question.",
  "explore.history": "The shortest history, {length} steps",
  "explore.title.ackedSurvives": "The shortest way to lose an acknowledged record",
  "explore.title.seenStays": "The shortest way to lose what a consumer saw",
  "explore.title.hasLeader": "The shortest way to be without a leader",
  "explore.failed": "The explorer could not answer: {reason}",
  "explore.bound.brokers": "The explorer takes 1 to 5 replicas.",
  "explore.bound.records": "The explorer takes 1 to 3 records.",
  "explore.bound.epochs": "The explorer takes 1 to 7 leader changes.",
  "explore.bound.faults": "The explorer takes each fault at most 3 times.",
  "explore.bound.acks": "The explorer knows acks 0, 1 and all.",
  "explore.bound.minIsr": "The explorer takes min.insync.replicas from 1 to 5.",
  "explore.bound.release": "The explorer can be asked about 0.8.2, 2.8, 3.9, 4.1 and 4.4.",
  "explore.bound.tooMuch":
    "That is too much at a time: take fewer replicas, records or leader changes.",
  "explore.bound.memory": "There is not even room to begin.",
  "explore.step.produce": "A producer sends a record to broker {broker}, which appends it.",
  "explore.step.fetch": "Broker {broker} fetches from broker {leader}.",
  "explore.step.fetchUnanswered":
    "Broker {broker} fetches from broker {leader}: the leader learns how far it is.",
  "explore.step.hear": "Broker {broker} hears of the newest state.",
  "explore.step.shrink":
    "Leader {broker} finds that {out} lagged too long, and asks for an ISR without.",
  "explore.step.alter": "The controller works on what broker {broker} asked for.",
  "explore.step.fence": "The session of broker {broker} ends: the controller fences it.",
  "explore.step.unfence": "Broker {broker} has caught up with the metadata and is unfenced.",
  "explore.step.start": "Broker {broker} starts and registers.",
  "explore.step.crash": "Broker {broker} crashes.",
  "explore.step.power": "Broker {broker} loses power: what was not flushed is gone.",
  "explore.step.stop": "Broker {broker} stops cleanly.",
  "explore.step.askEnd":
    "Broker {broker} asks broker {leader} where its newest epoch ends, and cuts its log there.",
  "explore.step.checkpoint": "Broker {broker} writes its HW to the disk.",
  "explore.step.uncleanElection": "The operator holds an unclean election.",
};
