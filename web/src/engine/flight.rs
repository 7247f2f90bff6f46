//! Messages on their way.

use crate::engine::names::{at_most, event_id, us};
use crate::engine::view::ViewRequest;
use highwater_core::sim::{Flight, Timeline};
use highwater_core::wire::Body;
use highwater_core::words::PartitionId;
use serde::Serialize;
use tsify::Tsify;

/// What becomes of a message.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum Fate {
    /// It is on its way.
    Travelling,
    /// It lies in the sockets of a paused process.
    Waiting,
}

/// A message on its way.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct FlightView {
    /// Identity while it is on its way.
    pub id: i64,
    /// Its name in scripts, such as `fetch 2>1 orders/0 #14`.
    pub name: String,
    /// Its kind, such as `fetch` or `fetch-response`.
    pub kind: &'static str,
    /// Sender.
    pub from: String,
    /// Receiver.
    pub to: String,
    /// When it left.
    pub sent: i64,
    /// When it arrives.
    pub arrives: i64,
    /// What becomes of it.
    pub fate: Fate,
    /// Whether it carries more than routine: records, an error, a change of state.
    pub significant: bool,
    /// Whether it concerns the chosen partition.
    pub chosen: bool,
    /// Its content for the chosen partition: names and values, to be shown as they are.
    pub fields: Vec<(&'static str, String)>,
    /// Event that sent it.
    pub why: Option<u32>,
}

pub(crate) fn all(
    timeline: &Timeline,
    moving: &[Flight<'_>],
    chosen: Option<PartitionId>,
    request: &ViewRequest,
) -> Vec<FlightView> {
    let world = timeline.world();
    let shown = moving.iter().filter(|f| request.flights_all || f.body.is_significant());
    let view = |f: &Flight<'_>| {
        let mut partitions = Vec::new();
        f.body.each_partition(&mut |partition| partitions.push(partition));
        FlightView {
            id: i64::from(f.id),
            name: timeline.flight_name(f),
            kind: f.body.kind().name(),
            from: world.node_name(f.from),
            to: world.node_name(f.to),
            sent: us(f.sent),
            arrives: us(f.arrives),
            fate: if f.waits { Fate::Waiting } else { Fate::Travelling },
            significant: f.body.is_significant(),
            chosen: chosen.is_some_and(|p| partitions.contains(&p)),
            fields: fields(f.body, chosen),
            why: event_id(f.why),
        }
    };
    shown.take(at_most(request.flights, 60)).map(view).collect()
}

/// What a message says, for its pop-up: Kafka's own field names.
fn fields(body: &Body, chosen: Option<PartitionId>) -> Vec<(&'static str, String)> {
    let of_chosen = |p: PartitionId| chosen.is_none_or(|c| c == p);
    match body {
        Body::Produce(r) => {
            let records: usize = r.batches.iter().map(|b| b.records.len()).sum();
            vec![("acks", acks_name(r.acks)), ("records", records.to_string())]
        }
        Body::ProduceResponse(parts) => {
            let parts = parts.iter().filter(|p| of_chosen(p.partition));
            parts
                .flat_map(|p| {
                    let error = ("error_code", p.error.constant().to_string());
                    [error, ("base_offset", p.first.to_string())]
                })
                .collect()
        }
        Body::Fetch(r) => {
            let part = r.parts.iter().find(|p| of_chosen(p.partition));
            part.map_or_else(Vec::new, |p| {
                vec![
                    ("fetch_offset", p.offset.to_string()),
                    ("current_leader_epoch", p.leader_epoch.to_string()),
                    ("last_fetched_epoch", p.last_fetched_epoch.to_string()),
                ]
            })
        }
        Body::FetchResponse(parts) => {
            let part = parts.iter().find(|p| of_chosen(p.partition));
            part.map_or_else(Vec::new, |p| {
                let records: usize = p.batches.iter().map(|b| b.records.len()).sum();
                let mut all = vec![
                    ("error_code", p.error.constant().to_string()),
                    ("high_watermark", p.hw.to_string()),
                    ("records", records.to_string()),
                ];
                if let Some(end) = p.diverging {
                    all.push(("diverging_epoch", format!("{} → {}", end.epoch, end.end)));
                }
                all
            })
        }
        _ => fields_to_controller(body, of_chosen),
    }
}

/// The same of what brokers and the controller say to each other.
fn fields_to_controller(
    body: &Body,
    of_chosen: impl Fn(PartitionId) -> bool,
) -> Vec<(&'static str, String)> {
    match body {
        Body::AlterPartition(r) => {
            let part = r.parts.iter().find(|p| of_chosen(p.partition));
            part.map_or_else(Vec::new, |p| {
                let isr: Vec<String> = p.isr.iter().map(|(b, _)| b.to_string()).collect();
                vec![
                    ("new_isr", isr.join(",")),
                    ("leader_epoch", p.leader_epoch.to_string()),
                    ("partition_epoch", p.partition_epoch.to_string()),
                ]
            })
        }
        Body::BrokerHeartbeat(r) => vec![
            ("want_fence", r.want_fence.to_string()),
            ("want_shut_down", r.want_shutdown.to_string()),
            ("current_metadata_offset", r.metadata_offset.to_string()),
        ],
        Body::BrokerHeartbeatResponse(r) => vec![
            ("is_fenced", r.fenced.to_string()),
            ("should_shut_down", r.should_shutdown.to_string()),
        ],
        Body::BrokerRegistration(r) => {
            vec![("previous_broker_epoch", r.previous_broker_epoch.to_string())]
        }
        Body::BrokerRegistrationResponse(r) => vec![
            ("error_code", r.error.constant().to_string()),
            ("broker_epoch", r.broker_epoch.to_string()),
        ],
        Body::MetadataFetchResponse(r) => {
            vec![("offset", r.offset.to_string()), ("records", r.records.len().to_string())]
        }
        _ => Vec::new(),
    }
}

pub(crate) fn acks_name(acks: i32) -> String {
    if acks == -1 { String::from("all") } else { acks.to_string() }
}
