//! Reads by followers and consumers (R2.27–R2.31, R3.14).

use super::node::{BrokerEffects, BrokerTimer};
use super::running::{Running, because};
use crate::partition::read_replica::{self, Readable};
use crate::partition::{divergence, readers};
use crate::replica::Replica;
use crate::settings::Key;
use crate::settings::rules::AboveHw;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, EpochAnswer, EpochQuery, FetchPart, FetchRequest, Fetched};
use crate::words::{BrokerEpoch, BrokerId, ErrorCode, Micros, Node, PartitionId};
use alloc::vec::Vec;

/// A fetch that waits for data (R2.28).
#[derive(Clone, Debug)]
pub(super) struct ParkedFetch {
    from: Node,
    correlation: u32,
    request: FetchRequest,
}

impl Running<'_> {
    pub(super) fn handle_fetch(
        &mut self,
        from: Node,
        correlation: u32,
        request: FetchRequest,
        fx: &mut BrokerEffects,
    ) {
        let mut parts: Vec<Fetched> = Vec::new();
        for part in &request.parts {
            let read = self.read(part, &request);
            if let Some(replica) = request.replica {
                fx.caused_by(fx.cause(), |fx| self.note_fetch(replica, part, &read, fx));
            }
            parts.push(read);
        }
        if is_ready(self.rules.preferred_at_once, &request, &parts) {
            respond(from, correlation, parts, fx);
        } else {
            self.park_fetch(from, correlation, request, fx);
        }
    }

    /// What a leader learns from a follower's fetch of one partition (R2.1).
    fn note_fetch(
        &mut self,
        (follower, epoch): (BrokerId, BrokerEpoch),
        part: &FetchPart,
        read: &Fetched,
        fx: &mut BrokerEffects,
    ) {
        if read.error == ErrorCode::None && read.diverging.is_none() {
            self.update_follower_fetch_state(part, follower, epoch, fx);
        } else {
            self.record_failed_fetch(part.partition, follower, fx.now);
        }
        tell_unusual(part.partition, follower, part, read, fx);
    }

    /// Reads one partition, with the HW as it is before this fetch counts (R2.29).
    fn read(&self, part: &FetchPart, request: &FetchRequest) -> Fetched {
        let failed = |error| Fetched {
            partition: part.partition,
            offset: part.offset,
            error,
            hw: -1,
            hw_why: crate::words::EventId::NONE,
            log_start: -1,
            diverging: None,
            batches: Vec::new(),
            preferred: None,
        };
        let Some(replica) = self.replicas.get(&part.partition) else {
            return failed(self.no_replica(part.partition));
        };
        match self.check_reader(replica, part, request.replica) {
            Ok(()) => {}
            Err(error) => return failed(error),
        }
        let diverging = match request.replica {
            Some(_) => {
                divergence::check_fetch(replica.log.view(), part.offset, part.last_fetched_epoch)
            }
            None => divergence::check_fetch(replica.log.view(), part.offset, -1),
        };
        let diverging = match diverging {
            Ok(diverging) => diverging,
            Err(error) => return failed(error),
        };
        let preferred = self.preferred_replica(replica, part, request);
        // A consumer between HW and LEO (R2.30).
        if request.replica.is_none()
            && part.offset > replica.hw
            && self.rules.above_hw == AboveHw::Error
        {
            return failed(ErrorCode::Unknown);
        }
        // Followers read up to the end, consumers up to the HW (R2.27).
        let limit = if request.replica.is_some() { replica.log.end() } else { replica.hw };
        let batches = if diverging.is_some() || preferred.is_some() || part.offset >= limit {
            Vec::new()
        } else {
            replica.log.read(part.offset, limit, request.max_bytes)
        };
        Fetched {
            partition: part.partition,
            offset: part.offset,
            error: ErrorCode::None,
            hw: replica.hw,
            hw_why: replica.hw_why,
            log_start: replica.log.start(),
            diverging,
            batches,
            preferred,
        }
    }

    /// Where a consumer had better read (R7.8).
    fn preferred_replica(
        &self,
        replica: &Replica,
        part: &FetchPart,
        request: &FetchRequest,
    ) -> Option<BrokerId> {
        let process = &*self.process;
        let asks = request.replica.is_none() && request.rack > 0;
        if !asks
            || !self.rules.follower_fetching
            || process.values.get(Key::ReplicaSelectorClass) == 0
        {
            return None;
        }
        let leading = replica.leading()?;
        let readable = |broker: BrokerId, end| Readable {
            broker,
            end,
            same_rack: self.racks.get(&broker) == Some(&request.rack),
            in_isr: leading.isr.contains(&broker),
        };
        let up = |b: BrokerId| process.image.brokers.get(&b).is_some_and(|s| !s.fenced);
        let followers = leading.followers.iter().filter(|f| up(f.broker));
        let followers = followers.map(|f| readable(f.broker, f.state.end));
        read_replica::preferred(readable(self.id, replica.log.end()), followers, part.offset)
    }

    /// Whether this broker answers that reader for that partition (R2.3, R2.31).
    fn check_reader(
        &self,
        replica: &Replica,
        part: &FetchPart,
        reader: Option<(BrokerId, BrokerEpoch)>,
    ) -> Result<(), ErrorCode> {
        let Some(leading) = replica.leading() else {
            readers::check_leader_epoch(true, part.leader_epoch, replica.leader_epoch)?;
            // Consumers may read from followers (R7.8).
            let follows = replica.following().is_some();
            if reader.is_none() && self.rules.follower_fetching && follows {
                return Ok(());
            }
            return Err(ErrorCode::NotLeaderOrFollower);
        };
        readers::check_leader_epoch(true, part.leader_epoch, leading.epoch)?;
        let Some((follower, epoch)) = reader else { return Ok(()) };
        let is_replica = leading.follower(follower).is_some();
        let known = self.process.image.broker_epoch(follower);
        readers::check_follower(is_replica, part.leader_epoch, epoch, known)
    }

    /// The leader learns how far a follower is (R2.2), and what follows from it.
    fn update_follower_fetch_state(
        &mut self,
        part: &FetchPart,
        follower: BrokerId,
        epoch: BrokerEpoch,
        fx: &mut BrokerEffects,
    ) {
        let partition = part.partition;
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let leader_end = replica.log.end();
        let Some(progress) = replica.leading_mut().and_then(|l| l.follower_mut(follower)) else {
            return;
        };
        let from = progress.state.end;
        progress.state = progress.state.after_fetch(part.offset, leader_end, fx.now);
        progress.state.broker_epoch = epoch;
        let to = part.offset;
        if from != to {
            let event = EventKind::FollowerProgressed { partition, follower, from, to };
            progress.why = fx.chain(event);
        }
        self.maybe_expand_isr(partition, follower, fx);
        if from != to {
            self.maybe_increment_leader_hw(partition, fx);
            // With acks=2 and more the HW need not move for an answer (R2.9).
            self.answer_waiting(partition, fx);
        }
    }

    /// A follower's fetch that could not be read (R2.1).
    fn record_failed_fetch(&mut self, partition: PartitionId, follower: BrokerId, now: Micros) {
        let rule = self.rules.follower_clock;
        let leading = self.replicas.get_mut(&partition).and_then(|r| r.leading_mut());
        if let Some(progress) = leading.and_then(|l| l.follower_mut(follower)) {
            progress.state = progress.state.after_failed_fetch(rule, now);
        }
    }

    fn park_fetch(
        &mut self,
        from: Node,
        correlation: u32,
        request: FetchRequest,
        fx: &mut BrokerEffects,
    ) {
        let deadline = fx.now + request.max_wait;
        let process = &mut *self.process;
        process.next_parked += 1;
        let id = process.next_parked;
        for part in &request.parts {
            if let Some(replica) = self.replicas.get_mut(&part.partition) {
                match request.replica {
                    Some(_) => replica.follower_fetches.push(id),
                    None => replica.consumer_fetches.push(id),
                }
            }
        }
        // What this very fetch set going may have written more: look again before waiting.
        let limit = |r: &Replica| if request.replica.is_some() { r.log.end() } else { r.hw };
        let grew = request
            .parts
            .iter()
            .any(|part| self.replicas.get(&part.partition).is_some_and(|r| limit(r) > part.offset));
        process.parked_fetches.park(id, deadline, ParkedFetch { from, correlation, request });
        fx.wake_by(deadline, BrokerTimer::Parked);
        if grew {
            self.retry_fetch(id, false, fx);
        }
    }

    /// A leader's log grew: its followers' parked fetches are looked at again (R2.8).
    pub(super) fn wake_followers(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let waiting = core::mem::take(&mut replica.follower_fetches);
        for id in waiting {
            self.retry_fetch(id, false, fx);
        }
    }

    /// A replica's HW moved: consumers' parked fetches are looked at again.
    pub(super) fn wake_consumers(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let waiting = core::mem::take(&mut replica.consumer_fetches);
        for id in waiting {
            self.retry_fetch(id, false, fx);
        }
    }

    /// A parked fetch reads everything again; it is answered if that is enough, or if it must be
    /// (R2.28, R2.29).
    pub(super) fn retry_fetch(&mut self, id: u32, must_answer: bool, fx: &mut BrokerEffects) {
        let Some((deadline, parked)) = self.process.parked_fetches.leave(id) else { return };
        let parts: Vec<Fetched> =
            parked.request.parts.iter().map(|part| self.read(part, &parked.request)).collect();
        let at_once = self.rules.preferred_at_once;
        let ready = must_answer || is_ready(at_once, &parked.request, &parts);
        for part in &parked.request.parts {
            let Some(replica) = self.replicas.get_mut(&part.partition) else { continue };
            let waiting = match parked.request.replica {
                Some(_) => &mut replica.follower_fetches,
                None => &mut replica.consumer_fetches,
            };
            waiting.retain(|waiting| *waiting != id);
            if !ready {
                waiting.push(id);
            }
        }
        if ready {
            respond(parked.from, parked.correlation, parts, fx);
        } else {
            self.process.parked_fetches.park(id, deadline, parked);
        }
    }

    /// Where an epoch ends on this leader (R3.11, R7.7).
    pub(super) fn handle_offsets_for_leader_epoch(&self, r: EpochQuery) -> EpochAnswer {
        let answer = |error, end| EpochAnswer { partition: r.partition, error, end };
        let Some(replica) = self.replicas.get(&r.partition) else {
            return answer(self.no_replica(r.partition), None);
        };
        let Some(leading) = replica.leading() else {
            return answer(ErrorCode::NotLeaderOrFollower, None);
        };
        match readers::check_leader_epoch(true, r.leader_epoch, leading.epoch) {
            Err(error) => answer(error, None),
            Ok(()) => answer(ErrorCode::None, replica.log.end_offset_for(r.epoch)),
        }
    }
}

/// Whether a fetch is answered at once (R2.28); `preferred_at_once`: also one that is sent to
/// another replica.
fn is_ready(preferred_at_once: bool, request: &FetchRequest, parts: &[Fetched]) -> bool {
    let bytes = || parts.iter().flat_map(|p| &p.batches).map(|b| i64::from(b.bytes)).sum::<i64>();
    request.max_wait == Micros::ZERO
        || request.parts.is_empty()
        || parts.iter().any(|p| p.error != ErrorCode::None || p.diverging.is_some())
        || (preferred_at_once && parts.iter().any(|p| p.preferred.is_some()))
        || bytes() >= request.min_bytes
}

fn respond(from: Node, correlation: u32, parts: Vec<Fetched>, fx: &mut BrokerEffects) {
    fx.send(from, correlation, Body::FetchResponse(parts), fx.cause());
}

/// The story of a follower's fetch that gets no records.
fn tell_unusual(
    partition: PartitionId,
    follower: BrokerId,
    part: &FetchPart,
    read: &Fetched,
    fx: &mut BrokerEffects,
) {
    if let Some(end) = read.diverging {
        let (epoch, end) = (end.epoch, end.end);
        fx.chain(EventKind::Diverged { partition, follower, epoch, end });
    } else if read.error == ErrorCode::OffsetOutOfRange {
        let causes = because(fx.cause(), read.hw_why);
        let event = EventKind::FetchOutOfRange { partition, follower, offset: part.offset };
        fx.chain_because(event, causes);
    }
}
