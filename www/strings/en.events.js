/**
 * A sentence for every code of core/src/wire/event.rs, a line for every property of the audit.
 * `{node}` is the process where the event happened; the rest are the event's own parameters.
 * @type {Record<string, string>}
 */
export default {
  "event.process.crashed": "{node} crashed. What it had written stays in the page cache.",
  "event.process.halted":
    "{node} halted: its log of {partition} is longer than its leader's, and unclean election is disabled.",
  "event.controller.gone":
    "The controller, broker {broker}, is gone: its node in ZooKeeper went with its session.",
  "event.controller.elected":
    "Broker {broker} created the controller's node first: it is the controller, in controller epoch {epoch}.",
  "event.records.processed":
    "{node} has processed {records} {records?record|records} of {partition}.",
  "event.group.failed": "{node}: the coordinator of group {group} answered {error}.",
  "event.consumer.follower":
    "{node} is told to read {partition} from broker {replica}, in its own rack.",
  "event.process.poweredOff":
    "{node} lost power; {lost} {lost?record|records} that {lost?was|were} not on disk {lost?is|are} gone.",
  "event.process.stopping": "{node} was asked to stop cleanly.",
  "event.process.stopped": "{node} stopped cleanly.",
  "event.process.starting": "{node} is starting.",
  "event.log.recovered":
    "{node} re-read {partition} from recovery point {recovery_point} to {end}.",
  "event.process.running": "{node} is running and serves clients.",
  "event.process.paused": "{node} stands still in a long pause.",
  "event.process.resumed": "{node} goes on after its pause.",
  "event.disk.wiped": "{node} got a new, empty disk.",
  "event.log.cut":
    "{node} lost {count} {count?record|records} of {partition} from offset {from} on.",
  "event.link.cut": "The link {from} to {to} was cut.",
  "event.link.healed": "The link {from} to {to} works again.",
  "event.link.slowed": "The link {from} to {to} now takes {latency} one way.",
  "event.disk.slowed": "Each write to the disk of broker {broker} now takes {delay} longer.",
  "event.message.dropped": "The message {message} was dropped.",
  "event.message.delayed": "The message {message} was delayed by {by}.",
  "event.message.duplicated": "The message {message} was duplicated.",
  "event.action.void": "“{action}” did nothing to {node} ({state}).",
  "event.message.lost": "A {message} from {node} to {to} never arrived.",
  "event.controller.activated":
    "The controller became active; every broker's session clock starts anew.",
  "event.broker.registered":
    "Broker {broker} registered under broker epoch {broker_epoch}; its last shutdown: {shutdown}.",
  "event.broker.registrationRefused": "The registration of broker {broker} was refused: {error}.",
  "event.broker.sessionExpired": "Broker {broker} was silent for {silent}: its session ran out.",
  "event.broker.fenced":
    "The controller fenced broker {broker}: it may neither lead nor be in an ISR.",
  "event.broker.fenced.zookeeper":
    "The node of broker {broker} in ZooKeeper went with its session: the controller takes it for dead.",
  "event.broker.registered.zookeeper": "Broker {broker} created its node in ZooKeeper.",
  "event.broker.unfenced":
    "The controller unfenced broker {broker}: it may lead and join an ISR again.",
  "event.broker.controlledShutdown":
    "Broker {broker} asked to shut down; its leaderships move first.",
  "event.topic.created":
    "Topic {topic} was created with {partitions} {partitions?partition|partitions}.",
  "event.partition.created":
    "{partition} was created on brokers {replicas}; broker {leader} leads.",
  "event.leader.elected":
    "Broker {leader} was elected leader of {partition} under epoch {epoch}, from the ISR; it is now {isr}.",
  "event.leader.fromElr":
    "Broker {leader} was elected leader of {partition} under epoch {epoch}, from the ELR; no record is lost by it.",
  "event.leader.lastKnown":
    "Broker {leader}, the last known leader, leads {partition} under epoch {epoch}: ISR and ELR were empty.",
  "event.leader.unclean":
    "Unclean election: broker {leader} leads {partition} under epoch {epoch} although it may lack committed records.",
  "event.leader.epochRaised":
    "Broker {leader} goes on leading {partition} under the new epoch {epoch}.",
  "event.leader.none":
    "{partition} has no leader: no replica may lead. Epoch {epoch}, ISR {isr}, ELR {elr}.",
  "event.isr.shrunk": "The ISR of {partition} shrank from {was} to {isr}.",
  "event.isr.expanded": "The ISR of {partition} grew from {was} to {isr}.",
  "event.elr.changed": "The ELR of {partition} went from {was} to {elr}.",
  "event.alterPartition.refused":
    "The controller refused the ISR change of {partition} by broker {from}: {error}.",
  "event.reassignment.started":
    "A reassignment of {partition} began: adding {adding}, removing {removing}.",
  "event.reassignment.completed":
    "The reassignment of {partition} is done; its replicas are {replicas}.",
  "event.reassignment.cancelled":
    "The reassignment of {partition} was cancelled; its replicas are {replicas}.",
  "event.setting.changed": "{name} of {scope} is now {value}.",
  "event.command.answered": "The command {command} was answered: {error}.",
  "event.replica.leads":
    "{node} began to lead {partition} under epoch {epoch}, from offset {start}.",
  "event.replica.follows":
    "{node} began to follow broker {leader} for {partition} under epoch {epoch}.",
  "event.replica.leaderless": "{node} learnt that {partition} has no leader (epoch {epoch}).",
  "event.state.refused":
    "{node} refused the state of {partition} with leader epoch {epoch}, which it knew already: {error}.",
  "event.controller.refused":
    "{node} does not listen to the controller of epoch {epoch}, which another has replaced: {error}.",
  "event.replica.deleted": "{node} deleted its replica of {partition}.",
  "event.log.appended":
    "{node}, the leader, appended offset {first..last} to {partition} under epoch {epoch}.",
  "event.log.replicated":
    "{node} appended offset {first..last} of {partition}, fetched from broker {leader}.",
  "event.log.truncated":
    "{node} cut {count} {count?record|records} of {partition}: its log ends at {to}, it ended at {from}.",
  "event.log.truncatedFully":
    "{node} threw away all {count} {count?record|records} of {partition} and starts at {start}.",
  "event.log.rolled": "{node} began a new segment of {partition} at offset {base}.",
  "event.log.flushed": "{node} flushed {partition} to disk up to offset {to}.",
  "event.hw.checkpointed":
    "{node} wrote its high watermarks to disk ({partitions} {partitions?partition|partitions}).",
  "event.recoveryPoint.checkpointed":
    "{node} wrote its recovery points to disk ({partitions} {partitions?partition|partitions}).",
  "event.hw.advanced":
    "The high watermark of {partition} moved from {from} to {to}: every replica that counts has the records below it.",
  "event.hw.held":
    "The high watermark of {partition} stays at {hw}: only {isrSize} {isrSize?replica is|replicas are} in sync ({isr}), fewer than min.insync.replicas = {min_isr}.",
  "event.hw.followed":
    "{node} learnt from the leader that the high watermark of {partition} is {to} (it knew {from}).",
  "event.follower.progressed":
    "{node}, the leader, learnt that broker {follower} has {partition} up to {to} (before: {from}).",
  "event.fetch.diverged":
    "Broker {follower} was told that its log of {partition} leaves the leader's: epoch {epoch} ends at {end}.",
  "event.fetch.outOfRange":
    "Broker {follower} asked for offset {offset} of {partition}, which the leader does not have.",
  "event.fetch.failed": "{node} got no records of {partition} from broker {leader}: {error}.",
  "event.fetcher.disconnected": "{node} lost its connection to the leader, broker {leader}.",
  "event.isr.shrinkProposed":
    "{node} asks to take {out} out of the ISR of {partition}: behind for more than {lag}.",
  "event.isr.expandProposed":
    "{node} asks to take broker {replica} into the ISR of {partition}: it has reached the high watermark {hw}.",
  "event.isr.committed": "{node}, the leader, took over the stored ISR of {partition}: {isr}.",
  "event.isr.rejected":
    "The ISR change that {node} asked for in {partition} came to nothing: {error}.",
  "event.produce.refused": "{node} refused to append to {partition}: {error}.",
  "event.produce.refused.NOT_ENOUGH_REPLICAS":
    "{node} refused to append to {partition}: {error}. Only {isrSize} {isrSize?replica is|replicas are} in sync ({isr}), and acks=all needs min.insync.replicas = {min_isr}.",
  "event.produce.waits":
    "{node} holds back the answer until the high watermark of {partition} reaches {required}.",
  "event.produce.answered":
    "{node} answered acks={acks}: the records from offset {first} of {partition} are written.",
  "event.produce.failed":
    "{node} answered with {error} although the records are in its log of {partition}.",
  "event.produce.timedOut":
    "{node} waited too long for the high watermark {required} of {partition}; the records stay in the log.",
  "event.produce.duplicate":
    "{node} recognized a batch that is in {partition} already, at offset {first}.",
  "event.connection.closed":
    "{node} closed the connection of {client}: acks=0 leaves no other way to report an error.",
  "event.record.queued": "{node} was handed the record {record} for {partition}.",
  "event.batch.sent":
    "{node} sent {records} {records?record|records} to {partition} (attempt {attempt}).",
  "event.batch.acked":
    "{node} was told that {records} {records?record|records} of {partition} {records?is|are} written from offset {first} on.",
  "event.batch.assumed":
    "{node} takes {records} {records?record|records} of {partition} for written: with acks=0 nobody answers.",
  "event.batch.retried":
    "{node} got {error} for {records} {records?record|records} of {partition} and will send them again (attempt {attempt}).",
  "event.batch.split":
    "{records} records of {partition} are too large for one batch of this topic: {node} sends them again in {pieces} {pieces?batch|batches}.",
  "event.batch.failed":
    "{node} gave up {records} {records?record|records} of {partition}: {error}.",
  "event.request.timedOut": "{node} had no answer from broker {broker} in time.",
  "event.connection.lost": "{node} lost its connection to broker {broker}.",
  "event.connection.notMade": "{node} could not connect to broker {broker} in time.",
  "event.send.failed":
    "{node} could not send {records} {records?record|records} to {topic}: {error}.",
  "event.metadata.learnt": "{node} learnt that broker {leader} leads {partition}.",
  "event.metadata.leaderless": "{node} learnt that nobody leads {partition}.",
  "event.producer.idAssigned": "{node} got producer id {producer_id}, epoch {epoch}.",
  "event.records.read": "{node} read offset {first..last} of {partition}.",
  "event.position.reset":
    "{node} moved its position in {partition} from {from} to {to} ({policy}).",
  "event.consumer.truncation":
    "{node} found its position {position} in {partition} beyond what the new leader has: {end}.",
  "event.consumer.failed": "{node} cannot read {partition}: {error}.",
  "event.offset.committed": "{node} committed offset {offset} of {partition}.",
  "event.group.assigned":
    "{node} has {partitions} {partitions?partition|partitions} in generation {generation} of the group {group}.",
  "event.group.memberExpired":
    "{node} has not heard of {client} for its session: the group {group} goes on without it.",
  "event.audit.ackedLost":
    "Record {record} was acknowledged and is lost (offset {offset} of {partition}).",
  "event.audit.lost":
    "Record {record} is lost (offset {offset} of {partition}); it was never acknowledged.",
  "event.audit.found": "Record {record} is the leader's again (offset {offset} of {partition}).",
  "event.audit.duplicated": "Record {record} is in {partition} twice, again at offset {offset}.",
  "event.audit.reordered":
    "Record {record} stands behind one that was sent after it (offset {offset} of {partition}).",
  "event.audit.broken": "The property {property} is broken in {partition}.",

  "property.I1": "Replicas agree on every offset below all their high watermarks.",
  "property.I2": "What acks=all acknowledged survives the crash of any one process.",
  "property.I3": "The high watermark of a sitting leader never goes back.",
  "property.I4":
    "The leader is in the ISR; ISR and ELR share no broker; an ELR exists only below min ISR.",
  "property.I5": "Leader epochs rise with every leadership; at most one leader per epoch.",
  "property.I6":
    "On every replica: log start ≤ high watermark ≤ log end, and recovery point ≤ log end.",
  "property.I7":
    "With an idempotent producer each record is in the committed log at most once, in order.",
  "property.committed": "A record was committed.",
  "property.refused": "A write was refused for want of in-sync replicas.",
  "property.isr-shrunk": "An ISR shrank.",
  "property.isr-expanded": "An ISR grew.",
  "property.elected": "A new leader was elected.",
  "property.truncated": "A log was truncated.",
  "property.lost": "A record was lost.",
};
