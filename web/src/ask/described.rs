//! What a pasted `kafka-topics --describe` says, for the page.

use highwater_ask::describe::{self, Described, DescribedPartition};
use highwater_core::settings::Release;
use serde::Serialize;
use tsify::Tsify;

/// What a pasted `kafka-topics --describe` says.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct DescribedView {
    /// The scenario that comes to look like it, if there can be one. The engine may refuse it.
    pub script: Option<String>,
    /// Its partitions, in order.
    pub partitions: Vec<DescribedPartitionView>,
    /// Settings of topics that the model has.
    pub settings: Vec<DescribedSettingView>,
    /// What could not be read.
    pub unread: Vec<UnreadView>,
    /// Topics of which partitions are left out.
    pub missing: Vec<MissingView>,
}

/// A topic with fewer partitions in the text than its header counts.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
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

/// One partition of it; a list is absent where the text has no such column.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
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

/// A setting of a topic, as the text gives it.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct DescribedSettingView {
    /// The topic.
    pub topic: String,
    /// Its Kafka name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

/// What could not be read.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct UnreadView {
    /// Its line in the pasted text.
    pub line: u32,
    /// What stands there.
    pub text: String,
    /// It is a partition, but not a whole one.
    pub incomplete: bool,
}

pub(super) fn view(described: Described, release: Release) -> DescribedView {
    let script = describe::scenario(&described, release);
    let settings = described.settings.into_iter();
    let unread = described.unread.into_iter();
    let missing = described.missing.into_iter();
    DescribedView {
        script,
        partitions: described.partitions.into_iter().map(partition).collect(),
        settings: settings
            .map(|s| DescribedSettingView { topic: s.topic, name: s.name, value: s.value })
            .collect(),
        unread: unread
            .map(|u| UnreadView { line: u.line, text: u.text, incomplete: u.incomplete })
            .collect(),
        missing: missing
            .map(|m| MissingView {
                topic: m.topic,
                line: m.line,
                counted: m.counted,
                listed: m.listed,
            })
            .collect(),
    }
}

fn partition(p: DescribedPartition) -> DescribedPartitionView {
    DescribedPartitionView {
        name: format!("{}/{}", p.topic, p.partition),
        line: p.line,
        leader: p.leader,
        replicas: p.replicas,
        isr: p.isr,
        elr: p.elr,
        last_known_elr: p.last_known_elr,
        adding: p.adding,
        removing: p.removing,
        offline: p.offline,
        observers: p.observers,
    }
}
