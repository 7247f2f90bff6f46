//! What the page is shown: plain structs in the screen's vocabulary, converted by hand from the
//! core, so that the core can be reshaped without breaking the page or a link.
//!
//! Times are microseconds of virtual time and offsets are counts; both fit a JavaScript number
//! exactly. Ids of events and records are indexes in order of time. A node is named as in scripts:
//! `"2"`, `"controller"`, `"p1"`.

use crate::json::view;

/// Version of these structs; the page refuses another.
pub const VIEW_VERSION: u32 = 1;

view! {
    /// One moment of a run, as far as the page asked for it.
    pub struct View {
        /// [`VIEW_VERSION`].
        pub v: u32,
        /// Release of the scenario, such as `"4.4"`.
        pub release: String,
        /// Now.
        pub time: i64,
        /// How many events of this instant have happened.
        pub index: u32,
        /// When the next event is due; none when nothing is left.
        pub next_time: Option<i64>,
        /// When the next event is due that matters to the eye: a message with data, an ISR change, a
        /// client's request, a scripted action. Periodic traffic does not count.
        pub next_significant_time: Option<i64>,
        /// Where the scenario ends (`until`, or the last line and what follows from it).
        pub end: i64,
        /// Whether nothing but periodic work is left.
        pub settled: bool,
        /// Short fingerprint of the history up to now.
        pub fingerprint: String,
        /// Events so far.
        pub events: u32,
        /// The chosen partition's name.
        pub partition: Option<String>,
        /// The chosen partition as the controller has it.
        pub state: Option<PartitionView>,
        /// All brokers by id.
        pub brokers: Vec<BrokerView>,
        /// The controller.
        pub controller: ControllerView,
        /// Whether it keeps eligible leader replicas.
        pub has_elr: bool,
        /// Producers and consumers in order of declaration.
        pub clients: Vec<ClientView>,
        /// Messages on their way, oldest first; at most as many as asked for.
        pub flights: Vec<FlightView>,
        /// How many messages are on their way in all.
        pub flights_total: u32,
        /// What happened, newest first; at most as many as asked for, periodic events only if asked.
        pub story: Vec<EventView>,
        /// Promises kept and broken.
        pub ledger: LedgerView,
        /// Every partition, a row each; only if asked for.
        pub partitions: Option<Vec<PartitionView>>,
        /// Narration up to now, oldest first.
        pub says: Vec<SayView>,
        /// `expect` lines whose time has come.
        pub expects: Vec<ExpectView>,
        /// Links that are cut or slow, disks that are slow.
        pub faults: Vec<FaultView>,
        /// Once all is over: lines that name a message which never came by.
        pub unmatched: Vec<UnmatchedView>,
    }
}

view! {
    /// A fault of a message that was never sent.
    pub struct UnmatchedView {
        /// Its line in the script.
        pub line: u32,
        /// The message, such as `fetch 2>1 orders/0 #14`.
        pub name: String,
    }
}

view! {
    /// A partition's stored state.
    pub struct PartitionView {
        /// `"orders/0"`.
        pub name: String,
        /// Replicas in order of preference.
        pub replicas: Vec<u16>,
        /// In-sync replicas.
        pub isr: Vec<u16>,
        /// Replicas that are not in sync.
        pub osr: Vec<u16>,
        /// Eligible leader replicas.
        pub elr: Vec<u16>,
        /// The last known leader.
        pub last_known_elr: Vec<u16>,
        /// Replicas that a reassignment adds.
        pub adding: Vec<u16>,
        /// Replicas that a reassignment removes.
        pub removing: Vec<u16>,
        /// The leader, if there is one.
        pub leader: Option<u16>,
        /// Its epoch.
        pub leader_epoch: i32,
        /// Version of this state.
        pub partition_epoch: i32,
        /// Effective `min.insync.replicas`.
        pub min_isr: u32,
        /// `"ok"`, `"underReplicated"`, `"atMinIsr"`, `"underMinIsr"`, `"offline"`.
        pub health: &'static str,
        /// High watermark on the leader.
        pub hw: Option<i64>,
        /// Log end offset of the leader.
        pub leo: Option<i64>,
        /// Event that made the state what it is.
        pub why: Option<u32>,
    }
}

view! {
    /// A broker.
    pub struct BrokerView {
        /// Its id.
        pub id: u16,
        /// Its rack.
        pub rack: Option<String>,
        /// `"running"`, `"starting"`, `"recovering"`, `"stopping"`, `"paused"`, `"stopped"`,
        /// `"crashed"`, `"poweredOff"`.
        pub state: &'static str,
        /// Whether the controller has it fenced.
        pub fenced: bool,
        /// Version of its registration.
        pub broker_epoch: i64,
        /// How many replicas it hosts and how many partitions it leads (in its own view).
        pub replicas: u32,
        /// See `replicas`.
        pub leading: u32,
        /// Its replica of the chosen partition, if it has or should have one.
        pub replica: Option<ReplicaView>,
        /// Last event of its process: start, crash, fence …
        pub why: Option<u32>,
    }
}

view! {
    /// One replica of the chosen partition.
    pub struct ReplicaView {
        /// `"leader"`, `"inSync"`, `"outOfSync"`, `"offline"`, `"adding"`: by the controller's state.
        pub role: &'static str,
        /// Whether it takes itself for the leader, and under which epoch.
        pub leads: bool,
        /// Leader epoch that it knows.
        pub leader_epoch: i32,
        /// First offset.
        pub log_start: i64,
        /// Log end offset.
        pub leo: i64,
        /// Its own high watermark; for a stopped broker that of its checkpoint.
        pub hw: i64,
        /// Event that set `hw`, `leo`.
        pub hw_why: Option<u32>,
        /// See `hw_why`.
        pub leo_why: Option<u32>,
        /// Everything below is on disk.
        pub flushed: i64,
        /// Checkpointed recovery point.
        pub recovery_point: i64,
        /// Checkpointed high watermark.
        pub hw_checkpoint: i64,
        /// Leader-epoch cache as `[epoch, start offset]`.
        pub epochs: Vec<(i32, i64)>,
        /// Base offsets of its segments.
        pub segments: Vec<i64>,
        /// The newest cells, oldest first; at most as many as asked for.
        pub cells: Vec<CellView>,
        /// As the leader sees it: log end offset (−1 unknown) and when it was last caught up.
        pub known_leo: Option<i64>,
        /// See `known_leo`.
        pub caught_up_at: Option<i64>,
        /// Whether its broker can be asked now.
        pub online: bool,
    }
}

view! {
    /// One offset of a log.
    pub struct CellView {
        /// Its offset.
        pub offset: i64,
        /// Leader epoch of its batch.
        pub epoch: i32,
        /// First offset of its batch.
        pub batch: i64,
        /// The record.
        pub record: u32,
        /// Its key.
        pub key: Option<String>,
        /// Its value.
        pub value: String,
        /// `"committed"` (below the replica's HW), `"uncommitted"`.
        pub state: &'static str,
        /// Whether the leader has another record, or none, at this offset.
        pub diverges: bool,
        /// Whether it is on disk.
        pub flushed: bool,
        /// Whether a producer was told that it is written.
        pub acked: bool,
    }
}

view! {
    /// The controller, or ZooKeeper.
    pub struct ControllerView {
        /// What scripts call it: `"controller"` or `"zookeeper"`.
        pub name: &'static str,
        /// With ZooKeeper: the broker that is the controller.
        pub broker: Option<u16>,
        /// `"running"`, `"starting"`, `"paused"`, `"crashed"`.
        pub state: &'static str,
        /// End of its metadata log.
        pub metadata_offset: i64,
        /// Brokers that are fenced.
        pub fenced: Vec<u16>,
    }
}

view! {
    /// A producer or consumer.
    pub struct ClientView {
        /// Its name.
        pub name: String,
        /// Whether it is the old Scala producer, which has settings of its own.
        pub scala: bool,
        /// `"producer"` or `"consumer"`.
        pub kind: &'static str,
        /// Its topic.
        pub topic: String,
        /// Whether it is paused or crashed.
        pub state: &'static str,
        /// Producer: `acks` (−1 is all), idempotence, and its counts.
        pub acks: Option<i32>,
        /// Whether it is idempotent.
        pub idempotent: Option<bool>,
        /// Time between its ticks.
        pub every: Option<i64>,
        /// Records handed to it.
        pub sent: u32,
        /// Records acknowledged.
        pub acked: u32,
        /// Records failed for good.
        pub failed: u32,
        /// Records neither acknowledged nor failed.
        pub pending: u32,
        /// Last error.
        pub error: Option<ErrorView>,
        /// Consumer: records read.
        pub read: u32,
    }
}

view! {
    /// How far a consumer has come.
    pub struct ReadingView {
        /// Where it stands in each partition.
        pub positions: Vec<PositionView>,
        /// The last records read, oldest first.
        pub last_read: Vec<CellView>,
    }
}

view! {
    /// Where a consumer stands in a partition.
    pub struct PositionView {
        /// The partition.
        pub partition: String,
        /// Next offset to fetch; none before it is known.
        pub position: Option<i64>,
        /// Committed offset.
        pub committed: Option<i64>,
    }
}

view! {
    /// An error under Kafka's names.
    pub struct ErrorView {
        /// Such as `NOT_ENOUGH_REPLICAS`.
        pub constant: &'static str,
        /// Such as `NotEnoughReplicasException`.
        pub exception: &'static str,
        /// The protocol's code.
        pub code: i16,
        /// `"broker"` or `"client"`.
        pub made_by: &'static str,
    }
}

view! {
    /// A message on its way.
    pub struct FlightView {
        /// Identity while it is on its way.
        pub id: i64,
        /// Its name in scripts, such as `fetch 2>1 orders/0 #14`.
        pub name: String,
        /// Its kind, such as `fetch` or `fetch-response`.
        pub kind: &'static str,
        /// Sender and receiver.
        pub from: String,
        /// See `from`.
        pub to: String,
        /// When it left and when it arrives.
        pub sent: i64,
        /// See `sent`.
        pub arrives: i64,
        /// `"travelling"`, or `"waiting"` in the sockets of a paused process.
        pub fate: &'static str,
        /// Whether it carries more than routine: records, an error, a change of state.
        pub significant: bool,
        /// Whether it concerns the chosen partition.
        pub chosen: bool,
        /// Its content for the chosen partition: names and values, to be shown as they are.
        pub fields: Vec<(&'static str, String)>,
        /// Event that sent it.
        pub why: Option<u32>,
    }
}

view! {
    /// Something that happened.
    pub struct EventView {
        /// Its id.
        pub id: u32,
        /// When.
        pub time: i64,
        /// Its place among the events of that instant, from 1.
        pub index: u32,
        /// Where.
        pub node: String,
        /// Its code, such as `hw.advanced`: the key of its sentence in `www`.
        pub code: &'static str,
        /// The sentence's parameters by name.
        pub params: Vec<(&'static str, String)>,
        /// The rule that made it so, such as `R2.18`.
        pub rule: &'static str,
        /// Events that caused it, nearest first.
        pub causes: Vec<u32>,
        /// 0 periodic, 1 routine, 2 notable, 3 what someone should see.
        pub weight: u8,
        /// Whether it concerns the chosen partition.
        pub chosen: bool,
    }
}

view! {
    /// The audit's account.
    pub struct LedgerView {
        /// Counts over all records.
        pub sent: u32,
        /// Acknowledged to the producer.
        pub acked: u32,
        /// Below the HW of a leader at some time.
        pub committed: u32,
        /// Read by a consumer, or readable.
        pub visible: u32,
        /// Refused or failed for good, as the producer was told.
        pub failed: u32,
        /// Was in a log, and is in no log that can come back.
        pub lost: u32,
        /// Acknowledged, and lost.
        pub acked_lost: u32,
        /// In the leader's log more than once.
        pub duplicated: u32,
        /// Behind a record of the same producer that was sent after it.
        pub reordered: u32,
        /// The newest records, newest first; at most as many as asked for.
        pub records: Vec<RecordView>,
        /// Kafka's invariants.
        pub properties: Vec<PropertyView>,
    }
}

view! {
    /// The life of one record.
    pub struct RecordView {
        /// Its id.
        pub id: u32,
        /// Its producer.
        pub producer: String,
        /// Its key.
        pub key: Option<String>,
        /// Its value.
        pub value: String,
        /// Its partition, once chosen.
        pub partition: Option<String>,
        /// Its offset at the leader that appended it last.
        pub offset: Option<i64>,
        /// `"waiting"`, `"sent"`, `"appended"`, `"committed"`, `"lost"`, `"refused"`.
        pub status: &'static str,
        /// What the producer knows: `"pending"`, `"acked"`, `"failed"`.
        pub answer: &'static str,
        /// Its error.
        pub error: Option<ErrorView>,
        /// Marks beside the status.
        pub visible: bool,
        /// More than one copy.
        pub duplicated: bool,
        /// Overtaken.
        pub reordered: bool,
        /// Lost although acknowledged.
        pub broken: bool,
        /// The brokers whose logs hold it now.
        pub on: Vec<u16>,
        /// Consumers that read it, once for each time.
        pub read_by: Vec<String>,
        /// How often it was sent.
        pub attempts: u32,
        /// Its events, oldest first.
        pub events: Vec<u32>,
        /// The event that decided its status.
        pub why: Option<u32>,
    }
}

view! {
    /// One property that is checked after every event.
    pub struct PropertyView {
        /// Such as `I1`; the key of its sentence in `www`.
        pub id: &'static str,
        /// `"always"` or `"sometimes"`.
        pub kind: &'static str,
        /// Always: holds so far. Sometimes: was seen.
        pub holds: bool,
        /// The event that broke it, or showed it first.
        pub why: Option<u32>,
    }
}

view! {
    /// A `say` line.
    pub struct SayView {
        /// When.
        pub time: i64,
        /// English.
        pub en: Option<String>,
        /// 中文.
        pub zh: Option<String>,
        /// Line of the script.
        pub line: u32,
    }
}

view! {
    /// An `expect` line whose time has come.
    pub struct ExpectView {
        /// When.
        pub time: i64,
        /// Line of the script.
        pub line: u32,
        /// The expectation as written.
        pub text: String,
        /// Whether it held.
        pub held: bool,
        /// What was there instead.
        pub actual: String,
    }
}

view! {
    /// A fault that is in force.
    pub struct FaultView {
        /// `"cut"`, `"slow"`, `"disk"`.
        pub kind: &'static str,
        /// The link's ends, or the broker.
        pub from: String,
        /// See `from`.
        pub to: Option<String>,
        /// The delay.
        pub delay: Option<i64>,
        /// The partition whose disk writes are slow.
        pub partition: Option<String>,
    }
}

view! {
    /// A setting and where its value comes from.
    pub struct SettingView {
        /// Kafka's name.
        pub name: &'static str,
        /// `"broker"`, `"topic"`, `"producer"`, `"consumer"`.
        pub scope: &'static str,
        /// Effective value as Kafka writes it.
        pub value: String,
        /// The release's default.
        pub default: String,
        /// `"default"`, `"cluster"`, `"broker"`, `"topic"`, `"client"`.
        pub source: &'static str,
        /// `"ms"`, `"bytes"` … or empty.
        pub unit: &'static str,
        /// `"int"`, `"bool"`, `"choice"`.
        pub kind: &'static str,
        /// Accepted range or choices, in words.
        pub accepts: String,
        /// The choices, for `"choice"`.
        pub choices: Vec<String>,
        /// Where `www/strings/settings.json` says what it does.
        pub doc: u16,
        /// Whether it can change while running.
        pub dynamic: bool,
        /// Whether it changes nothing here.
        pub inert: bool,
    }
}

view! {
    /// What kept a script, or one line of it, from being taken.
    pub struct ErrorLineView {
        /// Line, from 1.
        pub line: u32,
        /// Column, from 1.
        pub column: u32,
        /// Why.
        pub reason: String,
        /// What would be accepted.
        pub accepted: String,
    }
}

view! {
    /// A branch of the history.
    pub struct BranchView {
        /// Its number, from 0.
        pub id: u32,
        /// Where it left its parent.
        pub at: i64,
        /// Its parent.
        pub parent: Option<u32>,
        /// Whether it is the one on the screen.
        pub active: bool,
        /// The script line that it began with.
        pub label: String,
    }
}

view! {
    /// A JMX-named metric.
    pub struct MetricView {
        /// Such as `kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions`.
        pub name: String,
        /// The broker, or `"controller"`.
        pub node: String,
        /// Its value.
        pub value: i64,
    }
}

view! {
    /// What adding a line did.
    pub struct PerformView {
        /// Whether it was added.
        pub ok: bool,
        /// Whether a branch was started.
        pub branched: bool,
        /// Its number.
        pub line: Option<u32>,
        /// Why it was not added.
        pub errors: Vec<ErrorLineView>,
    }
}

view! {
    /// What became of a pasted configuration.
    pub struct PasteView {
        /// Known keys.
        pub applied: Vec<AppliedView>,
        /// The others.
        pub skipped: Vec<SkippedView>,
    }
}

view! {
    /// The script on another release.
    pub struct MovedView {
        /// Its text.
        pub script: String,
        /// What that release does not have.
        pub left_out: Vec<String>,
    }
}

view! {
    /// A setting that was taken.
    pub struct AppliedView {
        /// Its name.
        pub name: String,
        /// Its value.
        pub value: String,
    }
}

view! {
    /// A line that was not taken.
    pub struct SkippedView {
        /// Its number in the pasted text, or 0.
        pub line: u32,
        /// The name on it.
        pub name: String,
        /// Why.
        pub reason: String,
    }
}

view! {
    /// What a pasted `kafka-topics --describe` says.
    pub struct DescribedView {
        /// The scenario that comes to look like it, if there can be one.
        pub script: Option<String>,
        /// Why that scenario cannot be run.
        pub errors: Vec<ErrorLineView>,
        /// Its partitions, in order.
        pub partitions: Vec<DescribedPartitionView>,
        /// Settings of topics that the model has.
        pub settings: Vec<DescribedSettingView>,
        /// What could not be read.
        pub unread: Vec<UnreadView>,
        /// Topics of which partitions are left out.
        pub missing: Vec<MissingView>,
    }
}

view! {
    /// A topic with fewer partitions in the text than its header counts.
    pub struct MissingView {
        /// The topic.
        pub topic: String,
        /// The line of its header.
        pub line: u32,
        /// How many partitions that counts.
        pub counted: u32,
        /// How many of them have a line.
        pub listed: u32,
    }
}

view! {
    /// One partition of it; a list is absent where the text has no such column.
    pub struct DescribedPartitionView {
        /// `"orders/0"`.
        pub name: String,
        /// Its line in the pasted text.
        pub line: u32,
        /// Its leader.
        pub leader: Option<u32>,
        /// Replicas in order of preference.
        pub replicas: Vec<u32>,
        /// In-sync replicas.
        pub isr: Option<Vec<u32>>,
        /// Eligible leader replicas.
        pub elr: Option<Vec<u32>>,
        /// The last known ones.
        pub last_known_elr: Option<Vec<u32>>,
        /// Replicas that a reassignment adds.
        pub adding: Option<Vec<u32>>,
        /// Replicas that it removes.
        pub removing: Option<Vec<u32>>,
        /// Replicas that are offline.
        pub offline: Option<Vec<u32>>,
        /// Replicas that only observe.
        pub observers: Option<Vec<u32>>,
    }
}

view! {
    /// A setting of a topic, as the text gives it.
    pub struct DescribedSettingView {
        /// The topic.
        pub topic: String,
        /// Its Kafka name.
        pub name: &'static str,
        /// Its value.
        pub value: String,
    }
}

view! {
    /// What could not be read.
    pub struct UnreadView {
        /// Its line in the pasted text.
        pub line: u32,
        /// What stands there.
        pub text: String,
        /// It is a partition, but not a whole one.
        pub incomplete: bool,
    }
}

view! {
    /// A message of the space-time diagram.
    pub struct PassageView {
        /// Its kind.
        pub kind: &'static str,
        /// Sender and receiver.
        pub from: String,
        /// See `from`.
        pub to: String,
        /// When it left.
        pub sent: i64,
        /// When it arrives; negative: never.
        pub arrives: i64,
        /// Whether it carries more than routine.
        pub significant: bool,
        /// Its name.
        pub name: String,
    }
}

view! {
    /// LEO and HW of every replica over time, in steps.
    pub struct SeriesView {
        /// The brokers, one for each line.
        pub brokers: Vec<u16>,
        /// When something changed.
        pub times: Vec<i64>,
        /// For each broker its LEO at each of these times.
        pub leo: Vec<Vec<i64>>,
        /// And its HW.
        pub hw: Vec<Vec<i64>>,
        /// What is marked beside the lines.
        pub marks: Vec<MarkView>,
    }
}

view! {
    /// An event that is marked in a plot.
    pub struct MarkView {
        /// When.
        pub time: i64,
        /// Its code.
        pub code: &'static str,
        /// Where.
        pub node: String,
        /// Its id.
        pub id: u32,
    }
}

view! {
    /// Partition × broker.
    pub struct MapView {
        /// The brokers.
        pub brokers: Vec<u16>,
        /// The partitions.
        pub partitions: Vec<String>,
        /// For each partition and in it for each broker: 0 none, 1 leader, 2 in sync, 3 out of sync,
        /// 4 offline.
        pub cells: Vec<u8>,
        /// For each partition: 0 ok, 1 under-replicated, 2 at min ISR, 3 under min ISR, 4 offline.
        pub health: Vec<u8>,
    }
}
