//! Promises kept and broken: the audit's account.

use crate::engine::client::{ErrorView, error};
use crate::engine::names::event_id;
use highwater_core::audit::{Answer, LedgerRecord, PROPERTIES, PropertyKind};
use highwater_core::sim::Timeline;
use highwater_core::words::{BrokerId, Node, RecordId};
use serde::Serialize;
use tsify::Tsify;

/// The audit's account.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LedgerView {
    /// Records that producers were handed.
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

/// Where a record has got to.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum RecordStatus {
    /// Its producer has it.
    Waiting,
    /// It was sent.
    Sent,
    /// A log has it.
    Appended,
    /// It lies below a leader's HW.
    Committed,
    /// It was in a log, and is in no log that can come back.
    Lost,
    /// No log has taken it.
    Refused,
}

/// What a producer knows of a record.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum AnswerView {
    /// Nothing yet.
    Pending,
    /// It is written.
    Acked,
    /// It is not, as far as the producer was told.
    Failed,
}

/// The life of one record.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
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
    /// Where it has got to.
    pub status: RecordStatus,
    /// What the producer knows.
    pub answer: AnswerView,
    /// Its error.
    pub error: Option<ErrorView>,
    /// Whether it can be read.
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

/// One property that is checked after every event.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PropertyView {
    /// Such as `I1`; the key of its sentence in `www`.
    pub id: &'static str,
    /// Whether it has to hold always, or to be seen sometimes.
    #[tsify(type = "\"always\" | \"sometimes\"")]
    pub kind: &'static str,
    /// Always: holds so far. Sometimes: was seen.
    pub holds: bool,
    /// The event that broke it, or showed it first.
    pub why: Option<u32>,
}

pub(crate) fn view(timeline: &Timeline, records: usize) -> LedgerView {
    let audit = timeline.world().audit();
    let counts = audit.counts();
    let newest = (0..audit.len() as u32).rev().take(records);
    LedgerView {
        sent: counts.sent,
        acked: counts.acked,
        committed: counts.committed,
        visible: counts.committed,
        failed: counts.failed,
        lost: counts.lost,
        acked_lost: counts.acked_lost,
        duplicated: counts.duplicated,
        reordered: counts.reordered,
        records: newest.filter_map(|id| record(timeline, RecordId(id))).collect(),
        properties: PROPERTIES
            .iter()
            .zip(audit.properties())
            .map(|(property, state)| PropertyView {
                id: property.id,
                kind: match property.kind {
                    PropertyKind::Always => "always",
                    PropertyKind::Sometimes => "sometimes",
                },
                holds: (property.kind == PropertyKind::Always) != state.decided_by.is_some(),
                why: state.decided_by.and_then(event_id),
            })
            .collect(),
    }
}

/// `None` if there is no record of that id.
pub(crate) fn record(timeline: &Timeline, id: RecordId) -> Option<RecordView> {
    let world = timeline.world();
    let entry = world.audit().record(id)?;
    let info = timeline.tape().record(id);
    let (answer, failure) = match entry.answer {
        Answer::Pending => (AnswerView::Pending, None),
        Answer::Acked(_) => (AnswerView::Acked, None),
        Answer::Failed(code) => (AnswerView::Failed, error(code)),
    };
    Some(RecordView {
        id: id.0,
        producer: world.node_name(Node::Client(entry.producer)),
        key: info.key.as_deref().map(String::from),
        value: info.value.to_string(),
        partition: entry.partition.map(|p| world.partition_name(p)),
        offset: entry.offset,
        status: status(entry),
        answer,
        error: failure,
        visible: entry.flags.committed && !entry.flags.lost,
        duplicated: entry.flags.duplicated,
        reordered: entry.flags.reordered,
        broken: entry.flags.lost && matches!(entry.answer, Answer::Acked(_)),
        on: entry.on.iter().map(|(b, _): &(BrokerId, u16)| b.0).collect(),
        read_by: entry.read_by.iter().map(|c| world.node_name(Node::Client(*c))).collect(),
        attempts: entry.attempts,
        events: entry.events.iter().copied().filter_map(event_id).collect(),
        why: entry.events.last().copied().and_then(event_id),
    })
}

fn status(entry: &LedgerRecord) -> RecordStatus {
    if entry.flags.lost {
        RecordStatus::Lost
    } else if entry.flags.committed {
        RecordStatus::Committed
    } else if entry.partition.is_some() {
        RecordStatus::Appended
    } else if matches!(entry.answer, Answer::Failed(_)) {
        RecordStatus::Refused
    } else if entry.attempts > 0 {
        RecordStatus::Sent
    } else {
        RecordStatus::Waiting
    }
}
