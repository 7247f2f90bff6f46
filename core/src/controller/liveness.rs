//! Who is alive: heartbeats and the states that they move brokers through (R5.3–R5.7).

use crate::wire::metadata::MetadataImage;
use crate::words::{BrokerEpoch, BrokerId, Map, Micros, Offset};

/// A broker as the controller treats it (R5.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrokerControlState {
    /// May neither lead nor be in an ISR.
    Fenced,
    /// Serves.
    Unfenced,
    /// Hands its leaderships over.
    ControlledShutdown,
    /// May stop.
    ShutdownNow,
}

/// What a heartbeat says and what the controller knows, for [`next_state`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeartbeatTest {
    /// The state now.
    pub current: BrokerControlState,
    /// The broker is not ready to serve.
    pub want_fence: bool,
    /// The broker wants to stop.
    pub want_shutdown: bool,
    /// It has followed the metadata log up to its registration.
    pub caught_up: bool,
    /// It still leads partitions.
    pub leads: bool,
    /// Every active broker has followed the log up to the shutdown (R5.6).
    pub shutdown_known: bool,
}

/// The table of R5.6.
pub fn next_state(test: HeartbeatTest) -> BrokerControlState {
    use BrokerControlState::{ControlledShutdown, Fenced, ShutdownNow, Unfenced};
    match test.current {
        Fenced if test.want_shutdown => ShutdownNow,
        Fenced if !test.want_fence && test.caught_up => Unfenced,
        Fenced => Fenced,
        Unfenced if test.want_fence && test.want_shutdown => ShutdownNow,
        Unfenced if test.want_fence => Fenced,
        Unfenced if test.want_shutdown && test.leads => ControlledShutdown,
        Unfenced if test.want_shutdown => ShutdownNow,
        Unfenced => Unfenced,
        ControlledShutdown if !test.leads && test.shutdown_known => ShutdownNow,
        ControlledShutdown => ControlledShutdown,
        ShutdownNow => ShutdownNow,
    }
}

/// What the active controller remembers of one broker; soft state (R5.4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contact {
    /// Registration that it spoke under.
    pub broker_epoch: BrokerEpoch,
    /// When it was last heard of.
    pub at: Micros,
    /// How far it had followed the metadata log.
    pub metadata_offset: Offset,
    /// Where the log ended when its controlled shutdown began.
    pub shutdown_offset: Option<Offset>,
}

/// When brokers were last heard of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Heartbeats(Map<BrokerId, Contact>);

impl Heartbeats {
    /// Every clock starts anew: all that are not fenced count as heard of just now (R5.4).
    pub fn restarted(image: &MetadataImage, now: Micros) -> Heartbeats {
        let mut all = Heartbeats::default();
        for (id, broker) in image.brokers.iter().filter(|(_, b)| !b.fenced) {
            all.touch(*id, broker.epoch, -1, now);
        }
        all
    }

    /// A broker was heard of.
    pub fn touch(&mut self, broker: BrokerId, epoch: BrokerEpoch, offset: Offset, now: Micros) {
        let shutdown_offset =
            self.0.get(&broker).filter(|c| c.broker_epoch == epoch).and_then(|c| c.shutdown_offset);
        let contact =
            Contact { broker_epoch: epoch, at: now, metadata_offset: offset, shutdown_offset };
        self.0.insert(broker, contact);
    }

    /// What is known of `broker`.
    pub fn contact(&self, broker: BrokerId) -> Option<&Contact> {
        self.0.get(&broker)
    }

    /// See [`Heartbeats::contact`].
    pub fn contact_mut(&mut self, broker: BrokerId) -> Option<&mut Contact> {
        self.0.get_mut(&broker)
    }

    /// Whether the session of this (id, epoch) still holds: not older than the limit (R5.5).
    pub fn has_session(
        &self,
        broker: BrokerId,
        epoch: BrokerEpoch,
        now: Micros,
        timeout: Micros,
    ) -> bool {
        self.0.get(&broker).is_some_and(|c| c.broker_epoch == epoch && now <= c.at + timeout)
    }

    /// Of `watched`, the broker whose session ran out first: strictly older than the limit (R5.3).
    pub fn expired(
        &self,
        watched: impl Iterator<Item = BrokerId>,
        now: Micros,
        timeout: Micros,
    ) -> Option<(BrokerId, Micros)> {
        let late = watched.filter_map(|b| Some((b, self.0.get(&b)?.at)));
        late.filter(|(_, at)| *at + timeout < now).min_by_key(|(b, at)| (*at, *b))
    }

    /// When the earliest session of `watched` runs out.
    pub fn next_expiry(
        &self,
        watched: impl Iterator<Item = BrokerId>,
        timeout: Micros,
    ) -> Option<Micros> {
        watched.filter_map(|b| Some(self.0.get(&b)?.at + timeout)).min()
    }

    /// The lowest metadata offset among `active` brokers.
    pub fn lowest_offset(&self, active: impl Iterator<Item = BrokerId>) -> Option<Offset> {
        active.filter_map(|b| Some(self.0.get(&b)?.metadata_offset)).min()
    }
}
