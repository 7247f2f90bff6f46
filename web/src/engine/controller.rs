//! The controller, or ZooKeeper; and what any process does.

use highwater_core::broker::Phase;
use highwater_core::sim::{ProcessState, World};
use highwater_core::words::Node;
use serde::Serialize;
use tsify::Tsify;

/// What a process does.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum ProcessView {
    /// Its work.
    Running,
    /// It gets ready.
    Starting,
    /// It reads its log again.
    Recovering,
    /// It ends in good order.
    Stopping,
    /// Nothing, for a while.
    Paused,
    /// It has ended in good order.
    Stopped,
    /// It was killed.
    Crashed,
    /// Its machine is dark.
    PoweredOff,
}

/// The controller, or ZooKeeper.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ControllerView {
    /// What scripts call it.
    #[tsify(type = "\"controller\" | \"zookeeper\"")]
    pub name: &'static str,
    /// With ZooKeeper: the broker that is the controller.
    pub broker: Option<u16>,
    /// What its process does.
    pub state: ProcessView,
    /// End of its metadata log.
    pub metadata_offset: i64,
    /// Brokers that are fenced.
    pub fenced: Vec<u16>,
}

pub(crate) fn view(world: &World) -> ControllerView {
    let image = world.controller().image();
    let starting = !world.controller().is_active()
        && world.process_state(Node::Controller).0 == ProcessState::Up;
    ControllerView {
        name: world.coordinator_name(),
        broker: image.controller.map(|b| b.0),
        state: if starting { ProcessView::Starting } else { process(world, Node::Controller) },
        metadata_offset: image.offset,
        fenced: image.brokers.iter().filter(|(_, b)| b.fenced).map(|(id, _)| id.0).collect(),
    }
}

pub(crate) fn process(world: &World, node: Node) -> ProcessView {
    let phase = match node {
        Node::Broker(id) => world.broker(id).and_then(|b| b.process.as_ref()).map(|p| p.phase),
        _ => None,
    };
    match world.process_state(node).0 {
        ProcessState::Paused => ProcessView::Paused,
        ProcessState::Crashed => ProcessView::Crashed,
        ProcessState::PoweredOff => ProcessView::PoweredOff,
        ProcessState::Stopped => ProcessView::Stopped,
        ProcessState::Up => match phase {
            Some(Phase::Booting | Phase::Starting) => ProcessView::Starting,
            Some(Phase::Recovering | Phase::Ready) => ProcessView::Recovering,
            Some(Phase::Stopping) => ProcessView::Stopping,
            Some(Phase::Running) | None => ProcessView::Running,
        },
    }
}
