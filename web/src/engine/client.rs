//! Producers and consumers.

use crate::engine::cell::{self, CellView};
use crate::engine::controller::{ProcessView, process};
use crate::engine::names::{MOST, us};
use highwater_core::settings::Owner;
use highwater_core::sim::{Account, Client, Timeline, World};
use highwater_core::words::{ClientId, ErrorCode, Node, Offset, Origin};
use serde::Serialize;
use tsify::Tsify;

/// What a client does.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum ClientKind {
    /// It writes.
    Producer,
    /// It reads.
    Consumer,
}

/// A producer or consumer.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ClientView {
    /// Its name.
    pub name: String,
    /// Whether it is the old Scala producer, which has settings of its own.
    pub scala: bool,
    /// What it does.
    pub kind: ClientKind,
    /// Its topic.
    pub topic: String,
    /// Whether it is paused or crashed.
    pub state: ProcessView,
    /// Producer: `acks` (−1 is all).
    pub acks: Option<i32>,
    /// Producer: whether it is idempotent.
    pub idempotent: Option<bool>,
    /// Producer: time between its ticks.
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

/// An error under Kafka's names.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ErrorView {
    /// Such as `NOT_ENOUGH_REPLICAS`.
    pub constant: &'static str,
    /// Such as `NotEnoughReplicasException`.
    pub exception: &'static str,
    /// The protocol's code.
    pub code: i16,
    /// Who has made it.
    #[tsify(type = "\"broker\" | \"client\"")]
    pub made_by: &'static str,
}

/// How far a consumer has come.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ReadingView {
    /// Where it stands in each partition.
    pub positions: Vec<PositionView>,
    /// The last records read, oldest first.
    pub last_read: Vec<CellView>,
}

/// Where a consumer stands in a partition.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PositionView {
    /// The partition.
    pub partition: String,
    /// Next offset to fetch, once it is known.
    pub position: Option<i64>,
    /// Committed offset.
    pub committed: Option<i64>,
}

/// Producers and consumers in order of declaration.
pub(crate) fn all(timeline: &Timeline) -> Vec<ClientView> {
    let world = timeline.world();
    let all = world.clients().iter().enumerate();
    all.filter_map(|(i, client)| view(world, ClientId(i as u16), client)).collect()
}

/// `None` for an operator, who is no client that the page shows.
fn view(world: &World, id: ClientId, client: &Client) -> Option<ClientView> {
    let node = Node::Client(id);
    let blank = |kind, topic: &str| ClientView {
        name: world.node_name(node),
        scala: false,
        kind,
        topic: topic.to_string(),
        state: process(world, node),
        acks: None,
        idempotent: None,
        every: None,
        sent: 0,
        acked: 0,
        failed: 0,
        pending: 0,
        error: None,
        read: 0,
    };
    match client {
        Client::Producer(sender) => {
            let counts = world.producer_counts(id);
            Some(ClientView {
                scala: sender.decl.owner() == Owner::ScalaProducer,
                acks: Some(sender.producer.acks()),
                idempotent: Some(sender.producer.is_idempotent()),
                every: sender.every.map(us),
                sent: counts.sent,
                acked: counts.acked,
                failed: counts.failed,
                pending: counts.pending,
                error: error(sender.producer.last_error()),
                ..blank(ClientKind::Producer, &sender.decl.topic)
            })
        }
        Client::Consumer(reader) => Some(ClientView {
            error: error(reader.consumer.last_error),
            read: reader.account.count,
            ..blank(ClientKind::Consumer, &reader.topic)
        }),
        Client::Operator(_) => None,
    }
}

pub(crate) fn error(code: ErrorCode) -> Option<ErrorView> {
    (code != ErrorCode::None).then(|| ErrorView {
        constant: code.constant(),
        exception: code.exception(),
        code: code.code(),
        made_by: match code.origin() {
            Origin::Broker => "broker",
            Origin::Client => "client",
        },
    })
}

/// Where a consumer stands, and what it read last.
pub(crate) fn reading(timeline: &Timeline, name: &str) -> Option<ReadingView> {
    let world = timeline.world();
    let mut named = world.clients().iter().enumerate();
    let (_, client) =
        named.find(|(i, _)| world.node_name(Node::Client(ClientId(*i as u16))) == name)?;
    let Client::Consumer(reader) = client else { return None };
    let positions = reader.consumer.positions().iter().take(MOST);
    Some(ReadingView {
        positions: positions
            .map(|(p, position)| PositionView {
                partition: world.partition_name(*p),
                position: position.offset,
                committed: reader.consumer.committed(*p),
            })
            .collect(),
        last_read: last_read(timeline, &reader.account),
    })
}

/// How many records are remembered.
const LAST: usize = 12;

fn last_read(timeline: &Timeline, account: &Account) -> Vec<CellView> {
    let newest = account.batches().rev().take(LAST).flat_map(|(_, batch)| {
        let records = batch.records.iter().enumerate().rev();
        records.map(|(i, r)| cell::read(timeline, *r, batch.base + i as Offset, batch))
    });
    let mut cells: Vec<CellView> = newest.take(LAST).collect();
    cells.reverse();
    cells
}
