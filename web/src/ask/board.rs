//! What would become of a described cluster, for the page.

use highwater_ask::board::{Assumed, Board, Fate, Repair, Row, Stuck, board};
use highwater_ask::config::Checked;
use highwater_ask::describe::Described;
use highwater_core::settings::Release;
use serde::Serialize;
use tsify::Tsify;

/// More pairs than these are counted, not shown.
const MOST_PAIRS: usize = 60;

/// What would become of a cluster.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BoardView {
    /// How many partitions it has.
    pub partitions: u32,
    /// Its brokers.
    pub brokers: Vec<u32>,
    /// Those that are taken to be down.
    pub down: Vec<u32>,
    /// `min.insync.replicas` that is assumed where the text says none.
    pub assumed_min_isr: u32,
    /// Whether it is known from the brokers' settings.
    pub min_isr_given: bool,
    /// Topics for which it is.
    pub assumed_topics: Vec<String>,
    /// Whether unclean elections are assumed to be on where the text does not say.
    pub assumed_unclean: bool,
    /// What was written as racks and could not be read.
    pub unread_racks: Vec<String>,
    /// Each broker that is up.
    pub singles: Vec<RowView>,
    /// Each rack.
    pub racks: Vec<RowView>,
    /// Pairs of which one is worse than each alone.
    pub pairs: Vec<RowView>,
    /// How many there are of them in all.
    pub pair_count: u32,
    /// Brokers in an order in which they can be restarted.
    pub order: Vec<u32>,
    /// Those that cannot.
    pub stuck: Vec<StuckView>,
    /// What to repair first.
    pub repairs: Vec<RepairView>,
}

/// Some brokers, and what would become of the cluster without them.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RowView {
    /// The brokers.
    pub brokers: Vec<u32>,
    /// The rack that they are.
    pub rack: Option<String>,
    /// After a clean stop, a crash and a loss of power.
    pub fates: Vec<FateView>,
}

/// What a blow would do.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct FateView {
    /// Partitions that would refuse acks=all.
    pub refused: u32,
    /// Partitions that would have no leader.
    pub leaderless: u32,
    /// Partitions that may lose acknowledged records.
    pub may_lose: u32,
    /// Some of the first kind.
    pub refusing: Vec<String>,
    /// Some of the second kind.
    pub without_leader: Vec<String>,
    /// Some of the third kind.
    pub losing: Vec<String>,
}

/// A broker that cannot be restarted.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct StuckView {
    /// The broker.
    pub broker: u32,
    /// A partition that forbids it.
    pub partition: String,
    /// The rule.
    pub rule: &'static str,
}

/// Partitions that are to be repaired.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RepairView {
    /// What is wrong: the page has words for it.
    pub code: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// How many there are.
    pub count: u32,
    /// Some of them.
    pub partitions: Vec<String>,
    /// Brokers that are missing from their ISRs.
    pub brokers: Vec<u32>,
}

/// The board of a cluster, with what else the paste says of it.
pub(super) fn view(
    described: &Described,
    checked: &Checked,
    racks: &str,
    release: Release,
) -> Option<BoardView> {
    let assumed = Assumed::of(&checked.units, racks, release);
    let Board {
        partitions,
        brokers,
        down,
        assumed_topics,
        singles,
        racks,
        pairs,
        rolling,
        repairs,
    } = board(described, release, &assumed)?;
    Some(BoardView {
        partitions,
        brokers,
        down,
        assumed_min_isr: assumed.min_isr,
        min_isr_given: assumed.min_isr_given,
        assumed_topics,
        assumed_unclean: assumed.unclean,
        unread_racks: assumed.unread_racks,
        singles: singles.into_iter().map(row).collect(),
        racks: racks.into_iter().map(row).collect(),
        pair_count: pairs.len() as u32,
        pairs: pairs.into_iter().take(MOST_PAIRS).map(row).collect(),
        order: rolling.order,
        stuck: rolling.stuck.into_iter().map(stuck).collect(),
        repairs: repairs.into_iter().map(repair).collect(),
    })
}

fn row(row: Row) -> RowView {
    let Row { brokers, rack, fates } = row;
    RowView { brokers, rack, fates: fates.into_iter().map(fate).collect() }
}

fn fate(fate: Fate) -> FateView {
    let Fate { refused, leaderless, may_lose, refusing, without_leader, losing } = fate;
    FateView { refused, leaderless, may_lose, refusing, without_leader, losing }
}

fn stuck(Stuck { broker, partition, rule }: Stuck) -> StuckView {
    StuckView { broker, partition, rule }
}

fn repair(Repair { kind, count, partitions, brokers }: Repair) -> RepairView {
    RepairView { code: kind.code(), rule: kind.rule(), count, partitions, brokers }
}
