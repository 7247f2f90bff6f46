//! One moment of a run as the screen shows it.

use crate::engine::broker::{self, BrokerView};
use crate::engine::client::{self, ClientView};
use crate::engine::controller::{self, ControllerView};
use crate::engine::faults::{self, FaultView};
use crate::engine::flight::{self, FlightView};
use crate::engine::ledger::{self, LedgerView};
use crate::engine::names::{MOST, at_most, find_partition, us};
use crate::engine::narration::{self, ExpectView, SayView, UnmatchedView};
use crate::engine::partition::{self, PartitionView};
use crate::engine::story::{self, EventView};
use highwater_core::sim::Timeline;
use highwater_core::words::PartitionId;
use serde::{Deserialize, Serialize};
use tsify::Tsify;

/// Version of the view structs; the page refuses another.
pub const VIEW_VERSION: u32 = 2;

/// What the page asks for; the engine chooses what it does not say.
#[derive(Clone, Default, Debug, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct ViewRequest {
    /// The partition to look into; the first one if there is none of that name.
    pub partition: Option<String>,
    /// How many cells of each log.
    pub cells: Option<u32>,
    /// How many events.
    pub story: Option<u32>,
    /// Periodic events too.
    pub story_all: bool,
    /// How many records.
    pub records: Option<u32>,
    /// How many messages.
    pub flights: Option<u32>,
    /// Routine messages too.
    pub flights_all: bool,
    /// Every partition, a row each.
    pub partitions: bool,
}

/// One moment of a run, as far as the page asked for it.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Version of the view structs.
    pub v: u32,
    /// Release of the scenario, such as `"4.4"`.
    pub release: String,
    /// Now.
    pub time: i64,
    /// How many events of this instant have happened.
    pub index: u32,
    /// When the next event is due, unless nothing is left.
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

/// This moment, as far as `request` asks for it.
pub(crate) fn view(timeline: &Timeline, request: &ViewRequest) -> View {
    let world = timeline.world();
    let chosen = find_partition(world, request.partition.as_deref());
    let image = world.controller().image();
    let state = chosen.and_then(|p| image.partition(p));
    let moving = world.flights();
    View {
        v: VIEW_VERSION,
        release: timeline.script().release().to_string(),
        time: us(world.now()),
        index: world.index(),
        next_time: world.next_time().map(us),
        next_significant_time: world.next_significant_time().map(us),
        end: us(timeline.end()),
        settled: world.is_settled(),
        fingerprint: world.fingerprint(),
        events: world.event_count(),
        partition: chosen.map(|p| world.partition_name(p)),
        state: chosen.zip(state).map(|(p, s)| partition::view(world, p, s)),
        brokers: broker::all(timeline, chosen, at_most(request.cells, 16)),
        controller: controller::view(world),
        has_elr: world.controller().rules().elr,
        clients: client::all(timeline),
        flights_total: moving.len() as u32,
        flights: flight::all(timeline, &moving, chosen, request),
        story: story::newest(timeline, chosen, request),
        ledger: ledger::view(timeline, at_most(request.records, 20)),
        partitions: request.partitions.then(|| {
            let all = image.partitions.iter().enumerate().take(MOST);
            all.map(|(i, s)| partition::view(world, PartitionId(i as u32), s)).collect()
        }),
        says: narration::said(timeline),
        expects: narration::expects(timeline),
        faults: faults::all(world),
        unmatched: narration::unmatched(timeline),
    }
}
