/**
 * Words of what is asked about a cluster. zh.ask.js has the same keys.
 * @type {Record<string, string>}
 */
export default {
  "ask.about":
    "Paste what you have: kafka-topics --describe, server.properties, producer and consumer settings from properties, YAML, compose files or code, lines of a log. Nothing leaves this page.",
  "ask.text": "Your text",
  "ask.answer": "Answer, as for Kafka {release}",
  "ask.examples": "Or see an example:",
  "ask.example.config": "Settings",
  "ask.example.describe": "A description",
  "ask.nothing":
    "Nothing in this text was recognised: no description of topics, no settings that Kafka knows, and no line of a log that is known here.",
  "config.found": "{count} {count?finding|findings}",
  "config.none":
    "Nothing to complain about in what was read. Settings that are not in the text are taken at their defaults.",
  "config.unit": "line {line}: {count} {count?setting|settings} of a {owner}",
  "config.unitGuessed":
    "line {line}: {count} {count?setting|settings}, by their names those of a {owner}",
  "config.translated":
    "These are names of {client}. They are translated to Kafka's; defaults are those of {client} where they are known to differ. The scenarios play with the Java client, whose timing can differ.",
  "config.byDefault": "Not set: the default",
  "config.change": "What mends it:",
  "config.out": "without {name}",
  "config.show": "Show it happen",
  "config.showMended": "The same with the change",
  "config.noProof": "The model has no scenario for this one.",
  "owner.broker": "broker",
  "owner.topic": "topic",
  "owner.producer": "producer",
  "owner.Scala producer": "Scala producer",
  "owner.consumer": "consumer",
  "harm.refused": "cannot start",
  "harm.loses": "can lose",
  "harm.duplicates": "can duplicate",
  "harm.reorders": "can reorder",
  "harm.stopsWrites": "one failure stops it",
  "harm.failover": "does not survive a failover",
  "harm.nothing": "does nothing",
  "harm.unknown": "not in this release",
  "harm.misspelt": "misspelt",
  "finding.refused": "Kafka refuses this: “{says}”",
  "finding.invalid": "Kafka refuses this: “{says}”. It accepts: {accepted}.",
  "finding.acks.none":
    "With acks=0 the {client} client does not wait for any answer: whatever goes wrong on the way is lost without an error.",
  "finding.acks.leader":
    "With acks=1 the leader alone has the record when it is acknowledged. If it dies before a follower has fetched it, the record is gone.",
  "finding.acks.some":
    "acks={acks} waits for that many replicas, whichever they are: those that have the record need not be those that are elected.",
  "finding.idempotence.off":
    "Idempotence is switched off: a batch whose answer is lost is sent again, and stands in the log twice.",
  "finding.idempotence.gaveWay":
    "Nobody switched idempotence off, but {setting} does: it gives way in silence. A batch whose answer is lost is sent again, and stands in the log twice.",
  "finding.idempotence.default":
    "Without enable.idempotence, which the {client} client does not have on by itself here, a batch whose answer is lost is sent again, and stands in the log twice.",
  "finding.order.retries":
    "Up to {inFlight} requests are under way at once, and failed ones are sent again: a later batch can be written before an earlier one.",
  "finding.retries.none":
    "The {client} client does not try again: what is under way when a leader dies fails.",
  "finding.delivery.short":
    "A record is given up after {given} ms, but a dead leader is replaced only when its session of {session} ms has ended.",
  "finding.retries.unused":
    "With acks=0 the client hears of no error, so there is nothing that it could try again.",
  "finding.minIsr.unused":
    "min.insync.replicas={minIsr} counts for acks=all only; with acks={acks} this producer does not ask for it.",
  "finding.minIsr.one":
    "With min.insync.replicas=1 even acks=all is satisfied by the leader alone once the others have left the ISR: one copy, and its disk is all there is.",
  "finding.minIsr.default":
    "min.insync.replicas is not set, and its default is 1: even acks=all is satisfied by the leader alone once the others have left the ISR.",
  "finding.minIsr.topicOnly":
    "In 0.8.2 the value of a broker does not count: only a topic's own min.insync.replicas does.",
  "finding.minIsr.more":
    "min.insync.replicas={minIsr} is more than the {replicas} {replicas?replica|replicas} there are: acks=all is always refused.",
  "finding.minIsr.all":
    "min.insync.replicas={minIsr} needs all {replicas} {replicas?replica|replicas}: as soon as one of them is down or slow, acks=all is refused.",
  "finding.unclean.on":
    "A replica that lacks acknowledged records may be elected; what it lacks is gone.",
  "finding.unclean.default":
    "In this release unclean elections are allowed unless they are forbidden: a replica that lacks acknowledged records may be elected.",
  "finding.replicas.one":
    "{name}=1: there is one copy. While its broker is down nothing can be read or written, and with its disk all is gone.",
  "finding.offsets.one":
    "{name}=1: positions of groups are on one broker. While it is down, those groups can neither commit nor start; with its disk their positions are gone.",
  "finding.transactions.one":
    "{name}=1: states of transactions are on one broker. While it is down, those producers cannot go on.",
  "finding.transactions.minIsr":
    "{name}=1: the state of a transaction can be acknowledged by one broker alone and be lost with it.",
  "finding.shutdown.uncontrolled":
    "A broker that is stopped hands nothing over: its partitions have no leader until it is noticed.",
  "finding.disk.temporary":
    "{folder} is a place that many systems empty when they start: the broker comes back without its records.",
  "finding.reset.latest":
    "Without a committed position this consumer starts at the end: records that are there already, or come before its first fetch, are skipped.",
  "finding.commit.auto":
    "Positions are committed every few seconds: who dies in between reads again what it has processed. If work goes on in another thread, it can also be committed before it is done.",
  "finding.isolation.uncommitted":
    "The producer of line {line} has transactions, but this consumer reads read_uncommitted: it also sees what was aborted and written again.",
  "finding.given.twice":
    "{name} is given again on line {line}; the last value counts, this one does not.",
  "finding.name.misplaced":
    "{name} is a setting of a {other}; among those of a {owner} nobody reads it.",
  "finding.name.removed":
    "Kafka {release} has no {name} any more: of the releases here, {known} was the last to have it.",
  "finding.name.later":
    "Kafka {release} has no {name} yet: of the releases here, {known} is the first to have it.",
  "finding.name.unknown":
    "No release of Kafka here has a {owner} setting {name}. If a plug-in of yours reads it, it is none of Kafka's business.",
  "finding.name.meant": "There is no {name}. Probably {meant} was meant.",
  "finding.name.meantElsewhere":
    "There is no {name}. Probably {meant} was meant, which is a setting of a {other} and not of a {owner}.",
  "log.title": "{count} {count?kind|kinds} of log lines",
  "log.led": "Usually:",
  "log.lines": "Lines {lines}",
  "log.show": "Show how it comes about",
  "log.unknown": "Lines of a log that are not known here, so nothing is said of them: {lines}.",
  "ask.example.log": "Log lines",
  "story.lossAfterUnclean":
    "Together: nobody of the ISR was alive, a replica outside was elected, and what it lacked was thrown away by the others. Records that had been acknowledged are lost.",
  "story.belowMinIsr":
    "Together: the ISR shrank below min.insync.replicas, so that acks=all is refused until a follower is back in it. Nothing is lost by that.",
  "story.gaveUp":
    "Together: the partition could not be written for so long that producers gave up. Whether a record that failed is in the log can only be seen there.",
  "story.leaderDied":
    "Together: the leader's broker was lost, and another member of the ISR leads now. Clients find it by themselves; what acks=all had acknowledged is there.",
  "story.deposed":
    "Together: a broker went on as leader that had been deposed meanwhile. It cannot change the ISR any more; what it acknowledged with acks=1 since then is lost when it follows again.",
  "story.recovered":
    "Together: the broker came back after an unclean end, and checked what may not have been on disk.",
  "story.cleanStop":
    "Together: a broker was stopped on purpose. Its leaderships moved first; retries around that moment are normal.",
  "story.flaps":
    "Together: followers leave the ISR and come back. Once is a restart; again and again means that a broker, its disk or the network is at its limit, or replica.lag.time.max.ms is too short.",
  "story.slowReader":
    "Together: a member was taken out of its group and the others share its partitions. What it had read but not committed is read again.",
  "story.truncatedReturn":
    "Together: a broker came back as follower and cut off what the leader does not have. Unless it was below the high watermark, none of that was acknowledged to acks=all.",
  "log.isr.shrinking":
    "The leader takes followers out of the ISR that have not caught up for replica.lag.time.max.ms. From now on acks=all does not wait for them.",
  "log.isr.expanding":
    "A follower has caught up with the high watermark, and the leader takes it back into the ISR.",
  "log.isr.updated":
    "The new ISR is committed: the controller, or ZooKeeper, has accepted it. With “(under-min-isr)” it is smaller than min.insync.replicas, and acks=all is refused.",
  "log.isr.cachedVersion":
    "Somebody else has written the partition's state since this leader read it, usually a controller that has elected another leader. This one cannot change the ISR any more. If the line goes on for ever, the broker has missed a LeaderAndIsr request (KAFKA-2729), and a restart helps.",
  "log.isr.alterFailed":
    "The controller has not taken over the ISR that this leader proposed. The committed one stays; the leader proposes again once it knows the newest state.",
  "log.isr.rejected":
    "The controller refuses an ISR change: who asks is not the leader any more, goes by an old epoch, or names a broker that is fenced, shutting down or restarted.",
  "log.replica.leads":
    "This broker leads the partition from now on. It keeps its whole log, also what lies above the high watermark.",
  "log.replica.follows":
    "This broker follows in the partition. Before it fetches it cuts off what the new leader does not have.",
  "log.replica.skipLeader":
    "The broker already leads under this epoch, or knows a newer state: nothing is to be done.",
  "log.replica.skipFollower":
    "The broker already follows under this epoch, or knows a newer state: nothing is to be done.",
  "log.replica.leaderUnavailable":
    "The controller named a leader that this broker does not know to be alive. It does not fetch until it hears of the partition again.",
  "log.hw.initial":
    "The broker starts, and takes the high watermark from its checkpoint file. It can be some seconds old; the leader's next answer corrects it.",
  "log.hw.nonMonotonic":
    "The high watermark went down. That happens after an election, when the new leader's is lower, or after a truncation; it rises again with the next fetches.",
  "log.produce.notEnough":
    "The leader refuses a write with acks=all before it appends anything: fewer replicas are in sync than min.insync.replicas asks for.",
  "log.produce.retrying":
    "A batch came back with an error that may pass, and is sent again. Without idempotence it can then be written twice, or behind a later one.",
  "log.produce.notEnoughRetry":
    "The producer asked for acks=all, and fewer replicas are in sync than min.insync.replicas wants. It tries again until enough are back, or until delivery.timeout.ms is over. If it says AFTER_APPEND, the record is in the log nevertheless, and the next try writes it again unless the producer is idempotent.",
  "log.produce.invalidMetadata":
    "The producer asked a broker that does not lead the partition any more, or does not know it. It asks who leads now and sends again.",
  "log.produce.expired":
    "Records waited longer than delivery.timeout.ms (request.timeout.ms up to 2.0) and failed. They may still have been written: a try without an answer says nothing.",
  "log.produce.noMetadata":
    "send() waited max.block.ms for metadata of the topic and gave up: the topic does not exist, the partition does not, or no broker could be asked.",
  "log.produce.memory":
    "The producer's buffer.memory is full: it takes more records than the brokers acknowledge. send() waited max.block.ms for room.",
  "log.produce.tooLarge":
    "A record is larger than max.request.size of the producer, or max.message.bytes of the topic, allows. It is not retried.",
  "log.produce.timedOut":
    "The leader has appended the batch, but the other members of the ISR did not fetch it in time. The record stays in the log and may be committed later.",
  "log.produce.notLeader":
    "The broker that was asked does not lead this partition (any more). A client learns who does and asks again: around an election that is normal.",
  "log.produce.leaderNotAvailable":
    "The partition has no leader that the brokers know of: it is being elected, or no replica that may lead is alive. Once, right after a topic was created, it means nothing.",
  "log.sequence.outOfOrder":
    "An idempotent batch does not follow on the last one that the broker has of this producer: one in between is missing there. Either an earlier batch is still on its way again, and it passes, or acknowledged records were lost in a failover.",
  "log.sequence.error":
    "The broker refuses the sequence of an idempotent producer. If it is a real gap, records that the producer had counted as written are not there any more.",
  "log.sequence.bump":
    "The idempotent producer begins a new epoch after a batch failed for good: its sequences start at 0 again. Duplicates of what failed before cannot be recognized any more.",
  "log.sequence.unknownProducer":
    "The broker has forgotten this idempotent producer: it was quiet for longer than producer.id.expiration.ms, or its records were deleted by retention.",
  "log.producer.fenced":
    "Another producer has begun with the same transactional.id, or the transaction timed out: this one may not write any more.",
  "log.producer.id":
    "The idempotent producer has its id: from now on the brokers recognize batches that are sent twice.",
  "log.producer.idempotenceOff":
    "A setting that idempotence cannot live with switches it off, without an error: retries can duplicate and reorder now.",
  "log.election.unclean":
    "A replica outside the ISR was elected, because none of the ISR was alive and unclean elections are on. Acknowledged records that it lacks are lost.",
  "log.election.elr":
    "The ISR was empty, and an eligible leader replica was elected. It has all that was committed: nothing is lost.",
  "log.election.selected":
    "The controller has elected a new leader out of the ISR for a partition whose leader is gone.",
  "log.election.none":
    "No replica that may lead is alive: the partition has no leader and can neither be written nor read. It waits for one of its ISR, or for an unclean election.",
  "log.election.preferred":
    "Leadership goes back to the preferred replica, the first of the list: it is alive, in the ISR, and somebody else leads. Clients see one change of leader.",
  "log.election.noPreferred":
    "The preferred replica cannot lead now: it is down or not in the ISR. The present leader stays.",
  "log.truncate.toHw":
    "A follower cuts its log back to its own high watermark, because the leader could not say where their histories part. If that mark is behind, it throws away committed records for a moment and fetches them again.",
  "log.truncate.byEpoch":
    "A follower cuts off what the new leader does not have: records that the old leader had written and nobody else had fetched. Those with acks=all were never acknowledged.",
  "log.truncate.belowHw":
    "A follower cuts off records that it knew to be committed. After an unclean election, or with a leader that has lost its disk, that is real loss.",
  "log.truncate.noneNeeded":
    "The follower asked the leader where its last epoch ends, and need not cut anything off.",
  "log.truncate.epochUnknown":
    "Leader and follower have different epochs: the follower cuts back to the last one that both may have, and asks again.",
  "log.truncate.unknownOffset":
    "The leader has no epochs that old, so the follower falls back on its high watermark, or on where it began to fetch.",
  "log.epochs.conflict":
    "The file of leader epochs had entries that the new one contradicts: they belonged to records that were truncated.",
  "log.fetcher.outOfRange":
    "A follower wanted to fetch where the leader has nothing. It takes the leader's end, and cuts off the rest, or the leader's beginning. After an unclean election that is where records go.",
  "log.fetcher.error":
    "A follower could not fetch from its leader: the connection broke or timed out. It backs off and tries again; if it lasts longer than replica.lag.time.max.ms it leaves the ISR.",
  "log.fetcher.partitionError":
    "The leader answered a follower's fetch with an error. Around an election it does not lead any more, or not yet; the follower asks again.",
  "log.fetcher.unknownPartition":
    "The leader does not have the partition (yet, or any more): it was just created or deleted, or the leader hears of it later than the follower.",
  "log.fetcher.olderEpoch":
    "The follower goes by an old leader epoch, and is fenced: it waits until the controller tells it of the new one.",
  "log.fetcher.newerEpoch":
    "The leader has not yet heard of the epoch that the follower, or the client, knows. It passes as soon as it has.",
  "log.fetcher.failed":
    "The fetcher gives this partition up: it does not replicate any more until the broker gets a new state for it or restarts. Look for the error just before.",
  "log.fetcher.tooLarge":
    "A message is larger than a follower may fetch: replication of this partition stands still. From 0.10.1 on this cannot happen any more.",
  "log.fetcher.added": "Followers on this broker fetch from that leader from now on.",
  "log.fetcher.removed":
    "Followers stop fetching these partitions: this broker leads them now, follows somebody else, or has them no more.",
  "log.stopReplica.ignored":
    "A StopReplica request is older than what the broker knows of the partition, or repeats it, and is not obeyed.",
  "log.controller.oldEpoch":
    "The request is from a controller that has been replaced. It does not know yet, and the broker refuses it.",
  "log.leaderAndIsr.ignored":
    "The state that the controller sent is not newer than what the broker has, or the broker is no replica: it stays as it is.",
  "log.broker.fenced":
    "The controller has not heard from that broker for broker.session.timeout.ms: it is taken out of every ISR and leads nothing any more. The broker may still be running, cut off or in a long pause.",
  "log.broker.unfenced":
    "The broker has caught up with the metadata and counts as alive: it may be elected, and join ISRs.",
  "log.broker.registered":
    "A broker has registered as a new process. Until it is unfenced it leads nothing.",
  "log.broker.refused":
    "The registration is refused: an earlier process with this id still has a valid session. After a fast restart it passes when that has ended; else two brokers have the same id.",
  "log.broker.heartbeatFailed":
    "A broker cannot reach the active controller. If it lasts for a session, the broker is fenced, though it runs.",
  "log.broker.shutdownAsked":
    "A broker stops cleanly: its leaderships go to other members of the ISR before it ends.",
  "log.broker.shutdownDone":
    "All leaderships are handed over, or the broker has ended: a clean stop loses nothing and needs no recovery.",
  "log.broker.shutdownFailed":
    "The broker could not hand over all its leaderships: for some partition nobody else is in the ISR. After the last try it ends without, and these have no leader.",
  "log.session.expired":
    "This broker has lost its session with ZooKeeper: for the others it is dead, loses its leaderships, and registers anew. A long garbage collection is the usual cause.",
  "log.controller.brokerFailure":
    "The controller has noticed that brokers are gone (or new): it elects leaders for what they led and takes them out of ISRs.",
  "log.controller.brokerStartup":
    "The controller has noticed a broker that came (back): it sends it the state of its partitions.",
  "log.controller.elected":
    "This broker is the controller now. It reads everything from ZooKeeper anew and tells all brokers.",
  "log.controller.resigned":
    "This broker is not the controller any more: its session ended, or another one has taken over.",
  "log.controller.active":
    "A new active controller: it replays the metadata and starts the clocks of all sessions anew, so that dead brokers are noticed later than usual.",
  "log.controller.renounced":
    "A controller of the quorum has changed its role. Without a majority nothing is elected and no ISR changes, while reads and writes with the present leaders go on.",
  "log.recovery.unclean":
    "The broker did not stop cleanly: what may not be on disk is read and checked before it serves. With many segments that takes minutes.",
  "log.recovery.clean": "The broker had stopped cleanly: its logs need no recovery.",
  "log.recovery.segment":
    "A segment above the recovery point is read through: what is whole stays, indexes are built anew.",
  "log.recovery.corrupt":
    "A batch was not whole on disk: from there on the log is cut, and later segments go. As a follower the replica fetches it again; if it is the only one, that is loss.",
  "log.recovery.index":
    "An index was missing or damaged and is built anew from the log. No records are lost by it.",
  "log.recovery.loaded": "A log is loaded: its end is the end of what was valid on disk.",
  "log.log.startGone":
    "The log is emptied and begins anew at another offset: what was there is not used any more.",
  "log.log.rolled":
    "A segment was full or old enough, and a new one has begun. The old one is flushed in the background.",
  "log.log.dirFailed":
    "A disk failed: the replicas on it are offline, and others take over what they led. Before 1.0 the whole broker halts.",
  "log.log.halted":
    "The leader has less than this follower, and unclean elections are off for the topic: an old broker stops itself rather than throw records away.",
  "log.move.started":
    "A reassignment is under way: new replicas copy the partition and then join the ISR; only after that do the old ones go.",
  "log.move.completed":
    "A reassignment is done: the new replicas are in sync, the old ones are given up.",
  "log.replica.deleted":
    "A replica is not wanted here any more, by a move or a deleted topic: its folder goes.",
  "log.consumer.outOfRange":
    "The consumer wants to read where the log has nothing: its position was deleted by retention, or lies beyond the end after records were lost. auto.offset.reset decides: latest skips, earliest reads again.",
  "log.consumer.reset":
    "The consumer takes the position that auto.offset.reset says: it had none committed, or it was out of range.",
  "log.consumer.noCommit":
    "The group has no position for this partition yet, or it was deleted because nobody used it for offsets.retention.minutes.",
  "log.consumer.truncated":
    "The log under the consumer has changed: records that it has read are not there any more. It goes back to where the histories part.",
  "log.consumer.coordinatorGone":
    "The broker that looks after this group has changed or is unreachable: the leader of that partition of __consumer_offsets. The consumer looks for the new one.",
  "log.consumer.memberFailed":
    "A member is out of its group: no heartbeat for session.timeout.ms, no poll for max.poll.interval.ms, or it has left. Its partitions go to others, who read again what it had not committed.",
  "log.consumer.rebalance":
    "The group shares its partitions anew: somebody came, left or expired. Until that is done nobody in it reads.",
  "log.consumer.commitFailed":
    "A position was not stored. If the member is out of its group, others read these records again.",
  "log.connection.refused":
    "Nobody listens at that address: the broker is down, not yet up, or its advertised.listeners name a place that cannot be reached from here. A client goes on with others.",
  "log.connection.timedOut":
    "The broker took the request, or the connection, and did not answer in time: it hangs, is overloaded, or the network drops packets. What was under way may have been written all the same.",
  "log.connection.lost":
    "A connection ended. If the broker was not stopped, that alone means little: idle ones are closed after connections.max.idle.ms.",
  "led.lagging":
    "A follower is down, cut off, in a long pause, or its disk or network is slower than what is written.",
  "led.caughtUp": "A broker is back, or what slowed it down is over.",
  "led.isrChange": "The leader has proposed it just before.",
  "led.zombie":
    "The broker was away from the controller, by a pause or a cut, while the partition's state changed.",
  "led.staleLeader": "The broker was deposed or restarted and does not know it yet.",
  "led.election": "A broker died, stopped, came back, or leadership was rebalanced.",
  "led.repeated":
    "The controller has sent the same state again, for instance after a failover of its own.",
  "led.staleMetadata": "News of a change has reached one side earlier than the other.",
  "led.restart": "The broker has been started.",
  "led.truncation": "Leadership has changed while not everything was replicated.",
  "led.fewReplicas": "Too many brokers of this partition are down or lag behind.",
  "led.leaderMoved": "Leadership has just moved: a broker died, stopped or was rebalanced.",
  "led.noLeaderForLong":
    "The partition had no leader that could be reached for that long, or brokers were too slow.",
  "led.slowBrokers": "A broker hangs, its disk is slow, or the network loses packets.",
  "led.slowFollowers":
    "A follower in the ISR is slow or has just died, and the leader still waits for it.",
  "led.configuration": "A setting.",
  "led.sequenceGap":
    "A failover to a replica that lacks acknowledged records (acks below all, unclean election), or a batch that failed before this one.",
  "led.producerExpired": "A producer that writes rarely, or a topic with short retention.",
  "led.twoProducers":
    "A second instance with the same transactional.id, or a pause longer than transaction.timeout.ms.",
  "led.start": "The producer has started.",
  "led.allDead": "All members of the ISR died, one after the other or together.",
  "led.leaderDead": "The leader's broker died or lost its session.",
  "led.rebalance":
    "The preferred leader is back after a restart, and auto.leader.rebalance.enable or an operator wants it to lead.",
  "led.uncleanBefore":
    "Usually an unclean election, a leader that came back with an empty or shortened disk, or records deleted on the leader.",
  "led.diskBroken": "A disk error or a full disk.",
  "led.twoControllers": "The controller has moved, and the old one has not noticed.",
  "led.sessionEnded":
    "The process died, hangs (garbage collection, disk), or is cut off from the controller.",
  "led.sessionStillValid": "A broker that was killed and started again within its session.",
  "led.controllerGone": "The controllers are down or electing, or the network to them is cut.",
  "led.cleanStop": "Somebody stopped the broker.",
  "led.cannotHandOver": "Partitions with one replica, or whose other replicas are out of the ISR.",
  "led.controllerDead":
    "The controller before was stopped, died, or lost its session or its majority.",
  "led.killed": "The process was killed or the machine went down.",
  "led.powerLost":
    "The machine lost power, or its operating system crashed, before the pages were on disk.",
  "led.diskEmptied":
    "The leader's log begins later than this one ends, or segment files are missing.",
  "led.normal": "Normal work.",
  "led.move": "An operator, or a tool, moves replicas or deletes a topic.",
  "led.positionGone": "A new group, a pause longer than retention, or records lost in a failover.",
  "led.readerGone": "A consumer was started, stopped, killed, or is too slow between polls.",
  "led.brokerGone": "A broker was stopped or died, or an address is wrong.",
  "ask.racks": "Racks, if you want them asked",
  "board.title":
    "What if: {brokers} {brokers?broker|brokers}, {partitions} {partitions?partition|partitions}",
  "board.minIsrAssumed":
    "The text says no min.insync.replicas for these topics; {value}, Kafka's default, is assumed: {topics}. Paste the brokers' settings beside it if they say otherwise.",
  "board.minIsrGiven":
    "min.insync.replicas={value} of the brokers is taken for these topics: {topics}.",
  "board.uncleanAssumed": "Unclean elections are taken to be on where a topic does not say.",
  "board.down":
    "These brokers lead nothing and are in no ISR of a partition that has a leader, so they are taken to be down: {brokers}.",
  "board.acks":
    "“May lose” is about records that acks=all had acknowledged, and about power about what the operating system had not flushed. Records with acks=1 can be lost with each leader that dies.",
  "board.repair": "Repair first",
  "board.healthy": "Nothing to repair: every partition has its preferred leader and its whole ISR.",
  "board.restart": "Rolling restart",
  "board.order": "In this order, each once the one before is back in every ISR: {order}.",
  "board.orderPart":
    "These can be restarted, each once the one before is back in every ISR: {order}.",
  "board.stuck.R5.13": "Not {broker}: {partition} would have no leader while it is away.",
  "board.stuck.R2.7": "Not {broker}: {partition} would refuse acks=all while it is away.",
  "board.singles": "Each broker",
  "board.racks": "Each rack",
  "board.unreadRacks":
    "Not read as racks: {racks}. A rack is its name and the ids of its brokers, such as a=1,2 b=3.",
  "board.pairs": "Pairs that are worse together than each alone",
  "board.noPairs": "No pair of brokers is worse together than each alone.",
  "board.brokers": "Brokers",
  "board.stop": "Stop cleanly",
  "board.crash": "Crash",
  "board.power": "Lose power",
  "board.may": "May it be restarted now?",
  "board.rack": "{rack} ({brokers})",
  "board.nothing": "nothing gets worse",
  "board.mayLose": "{count} may lose",
  "board.leaderless": "{count} without leader",
  "board.refused": "{count} {count?refuses|refuse} acks=all",
  "board.play": "play",
  "board.yes": "Yes.",
  "board.noLeader": "No: {partition} would have no leader.",
  "board.noIsr": "No: {partition} would refuse acks=all.",
  "repair.offline":
    "{count} {count?partition has|partitions have} no leader; bring back one of: {brokers}.",
  "repair.underMinIsr":
    "{count} {count?partition refuses|partitions refuse} acks=all: fewer in sync than min.insync.replicas. Missing: {brokers}.",
  "repair.atMinIsr":
    "{count} {count?partition has|partitions have} just as many in sync as min.insync.replicas asks for: one failure more, and acks=all is refused. Missing: {brokers}.",
  "repair.underReplicated":
    "{count} {count?partition lacks|partitions lack} replicas in {count?its|their} ISR. Missing: {brokers}.",
  "repair.oneReplica":
    "{count} {count?partition has|partitions have} one replica: no other broker can take over, and its disk is all there is.",
  "repair.moving":
    "{count} {count?partition is|partitions are} being moved; wait for it, or cancel it, before the next step.",
  "repair.notPreferred":
    "{count} {count?partition is|partitions are} led by another than the preferred replica: load is uneven, nothing is at risk.",
  "finding.queue.async":
    "With producer.type=async messages wait in a queue of the process: what is in it when the process dies is lost, and so is what fails after its retries, without the caller hearing of it.",
  "finding.idempotence.none":
    "This producer has no idempotence: a batch whose answer is lost is sent again, and stands in the log twice.",
  "finding.heartbeat.late":
    "A broker that sends a heartbeat every {interval} ms, but counts as dead after {session} ms without one, is fenced again and again: its partitions lose their leader each time.",
  "log.produce.appendError":
    "The leader could not append a batch; the line behind it says why. With NotEnoughReplicasException the ISR is too small, with OutOfOrderSequenceException a batch is missing, with KafkaStorageException the disk has failed.",
  "log.controller.cannotReach":
    "The controller sends a broker the state of its partitions over a connection of its own. While that cannot be made, the broker goes by what it knew.",
  "log.election.failed":
    "The controller could not bring a partition online: nobody of its ISR is alive, or the state in ZooKeeper has changed meanwhile.",
  "log.broker.fencedChanges":
    "The controller takes a broker that is fenced or shutting down out of these partitions: they get another leader, or a smaller ISR.",
  "log.offsets.notEnoughBrokers":
    "A topic is to have more replicas than there are brokers up, and is not created. Until enough are there, groups cannot commit and consumers cannot start.",
  "log.broker.allDirsFailed":
    "No disk of this broker is left, and it stops. What its replicas held must come from the others.",
  "log.isr.conditionalUpdate":
    "A leader wanted to write the partition's state to ZooKeeper, and somebody else had written it first: the controller, with another leader or ISR.",
  "log.session.lost":
    "The connection to ZooKeeper broke, or is back. Nothing is decided yet: if it is back within the session timeout, nobody notices.",
  "log.broker.transition":
    "The broker was told to stop, and stops cleanly: it hands over its leaderships first.",
  "log.client.rdkafkaRefused":
    "A client built on librdkafka has lost a broker, or cannot reach it. It connects again by itself; records wait until message.timeout.ms.",
  "log.move.inProgress":
    "The tool says that the move is not done: the new replicas are still copying. Until then the partition keeps the old replicas, too; a broker that is away now holds the move up.",
  "log.move.verified":
    "The tool says that the move is done: the partition is on its new replicas. Throttles that were set for it are taken away by the same command, and only by that.",
  "log.move.failed":
    "The tool says that the partition is not where the file wants it and nobody moves it: the move was refused, cancelled, or replaced by another one.",
  "quorum.title": "The controllers' quorum: {count} {count?voter|voters}",
  "quorum.leader": "{leader} is the active controller: elections and ISR changes go through it.",
  "quorum.none":
    "There is no active controller. Reads and writes with the present leaders go on, but nobody is elected and no ISR changes until there is one.",
  "quorum.may": "Of {list}, {down} may be down at once; the others still elect a controller.",
  "quorum.mayNot":
    "None of {list} may be down: without a majority there is no controller, and no failover of any partition.",
  "quorum.even": "{count} voters survive no more failures than {count} less one do.",
  "quorum.lag":
    "The last follower is {ms} ms behind: a controller or broker that is so late decides by old metadata.",
  "finding.refusedByClient": "{client} refuses this: “{says}”",
};
