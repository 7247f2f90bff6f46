use super::bootstrap::{Bootstrap, ReconnectBackoff};
use super::group::{CommitMode, Errand, Group};
use super::{ClientEffects, ClientTimer};
use crate::log::{Batch, GroupOffsets};
use crate::settings::rules::OffsetStorage;
use crate::settings::{Key, Rules, Values};
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::{
    Body, EpochAnswer, EpochQuery, FetchPart, FetchRequest, Fetched, ListOffsets, ListedOffset,
    LogEnd, Message,
};
use crate::words::{
    BrokerId, BrokerList, ErrorCode, LeaderEpoch, Map, Micros, Node, Offset, PartitionId,
};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// `auto.offset.reset`, as the catalogue numbers its choices.
const RESET: [(&str, Option<LogEnd>); 3] =
    [("latest", Some(LogEnd::Latest)), ("earliest", Some(LogEnd::Earliest)), ("none", None)];

/// Where a consumer stands in one partition (R7.2, R7.7).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Position {
    /// Next offset to fetch; none before it is known.
    pub offset: Option<Offset>,
    /// Leader epoch of the record before it, or −1.
    pub epoch: LeaderEpoch,
    /// Newest leader epoch under which the position was found to be good.
    validated: LeaderEpoch,
    /// The follower that it reads from, and until when (R7.8).
    preferred: Option<(BrokerId, Micros)>,
    state: State,
    not_before: Micros,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It may be fetched, or must be validated or reset first.
    Free,
    /// A request for it is under way.
    Asked(u32),
    /// The application was told an error; it goes on after a seek.
    Failed,
}

impl Position {
    fn unknown() -> Position {
        Position {
            offset: None,
            epoch: -1,
            validated: -1,
            preferred: None,
            state: State::Free,
            not_before: Micros::ZERO,
        }
    }
}

/// A consumer's group, and how it works on what it reads (R7.4).
#[derive(Clone, Debug, Default)]
pub struct Membership {
    /// Its group, if it commits offsets.
    pub group: Option<String>,
    /// When it commits.
    pub commit: CommitMode,
    /// How long it processes what a fetch brought.
    pub processing: Micros,
    /// Its rack, as a number that stands for the name; 0: none (R7.8).
    pub rack: u16,
}

/// The Java consumer of one topic (R7.1–R7.7).
#[derive(Clone, Debug)]
pub struct Consumer {
    rules: Rules,
    topic: String,
    values: Values,
    bootstrap: Bootstrap,
    next_correlation: u32,
    positions: Map<PartitionId, Position>,
    group: Option<Group>,
    /// How long it processes what a fetch brought, and what it works on until when.
    processing: Micros,
    /// See [`FetchRequest::rack`].
    rack: u16,
    work: Option<(Micros, PartitionId, Vec<Batch>)>,
    requests: Vec<InFlight>,
    /// How often in a row each broker's connection broke.
    failures: Map<BrokerId, u32>,
    poll_at: Micros,
    /// The last error that the application was told.
    pub last_error: ErrorCode,
}

#[derive(Clone, Copy, Debug)]
struct InFlight {
    correlation: u32,
    broker: BrokerId,
    deadline: Micros,
    is_fetch: bool,
}

impl Consumer {
    /// A consumer of one topic, with its settings resolved.
    pub fn new(
        topic: String,
        values: Values,
        rules: Rules,
        brokers: BrokerList,
        membership: Membership,
    ) -> Consumer {
        let Membership { group, commit, processing, rack } = membership;
        Consumer {
            group: group.map(|name| Group::new(name, commit, rules.offset_storage)),
            processing,
            rack,
            work: None,
            rules,
            topic,
            values,
            bootstrap: Bootstrap::new(brokers),
            next_correlation: 0,
            positions: Map::new(),
            requests: Vec::new(),
            failures: Map::new(),
            poll_at: Micros::NEVER,
            last_error: ErrorCode::None,
        }
    }

    /// Its settings.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Changes its settings.
    pub fn set_values(&mut self, values: Values) {
        self.values = values;
    }

    /// Where it stands.
    pub fn positions(&self) -> &Map<PartitionId, Position> {
        &self.positions
    }

    /// The application goes to an offset.
    pub fn seek(&mut self, partition: PartitionId, offset: Offset, fx: &mut ClientEffects) {
        let position = self.positions.entry(partition).or_insert_with(Position::unknown);
        let from = position.offset.unwrap_or(-1);
        *position = Position { offset: Some(offset), ..Position::unknown() };
        fx.cause =
            fx.event(EventKind::PositionReset { partition, from, to: offset, policy: "seek" });
        self.poll(fx);
    }

    /// A response came.
    pub fn receive(&mut self, from: BrokerId, message: Message, fx: &mut ClientEffects) {
        let correlation = message.correlation;
        self.failures.remove(&from);
        self.requests.retain(|r| r.correlation != correlation || r.broker != from);
        match message.body {
            Body::MetadataResponse(metadata) => {
                if self.bootstrap.take(correlation, *metadata, &self.topic, fx) {
                    for partition in self.bootstrap.partitions(&self.topic) {
                        self.positions.entry(*partition).or_insert_with(Position::unknown);
                    }
                }
            }
            Body::FetchResponse(parts) => {
                let arrival = fx.cause;
                for part in parts {
                    fx.cause = arrival;
                    self.take_part(correlation, part, fx);
                }
                fx.cause = arrival;
            }
            Body::ListOffsetsResponse(listed) => self.take_listed(correlation, listed, fx),
            Body::OffsetsForLeaderEpochResponse(answer) => self.validated(correlation, answer, fx),
            body => self.hear_coordinator(correlation, body, fx),
        }
        self.poll(fx);
    }

    /// The position that a request was about, if it is still awaited.
    fn awaited(&mut self, correlation: u32, partition: PartitionId) -> Option<&mut Position> {
        let position = self.positions.get_mut(&partition)?;
        if position.state != State::Asked(correlation) {
            return None;
        }
        position.state = State::Free;
        Some(position)
    }

    fn take_part(&mut self, correlation: u32, part: Fetched, fx: &mut ClientEffects) {
        let partition = part.partition;
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        let max_age = self.values.ms(Key::ConsumerMetadataMaxAgeMs);
        let Some(position) = self.awaited(correlation, partition) else { return };
        if position.offset != Some(part.offset) {
            return;
        }
        match part.error {
            ErrorCode::None if part.preferred.is_some() => {
                position.preferred = part.preferred.map(|b| (b, fx.now + max_age));
                let replica = part.preferred.unwrap_or(BrokerId(0));
                fx.event(EventKind::ReadsFromFollower { partition, replica });
            }
            // The follower is behind or gone: the leader is asked (R7.8).
            error if error != ErrorCode::None && position.preferred.take().is_some() => {}
            ErrorCode::None => {
                let Some(last) = part.batches.last() else { return };
                let first = part.offset;
                position.offset = Some(last.end());
                position.epoch = last.epoch;
                let event = EventKind::RecordsRead { partition, first, last: last.last() };
                fx.event_because(event, [fx.cause, part.hw_why]);
                let batches = part.batches.into_iter().map(|b| b.from(first)).collect();
                self.take_in(partition, batches, fx);
            }
            ErrorCode::OffsetOutOfRange => self.out_of_range(partition, fx),
            _ => {
                position.not_before = fx.now + backoff;
                self.bootstrap.want();
            }
        }
    }

    fn reset_policy(&self) -> (&'static str, Option<LogEnd>) {
        let choice = usize::try_from(self.values.get(Key::AutoOffsetReset)).unwrap_or(0);
        RESET.get(choice).copied().unwrap_or(RESET[0])
    }

    /// The position is beyond the log: reset it, or tell the application (R7.5).
    fn out_of_range(&mut self, partition: PartitionId, fx: &mut ClientEffects) {
        let error = ErrorCode::OffsetOutOfRange;
        match self.reset_policy() {
            (_, Some(_)) => {
                fx.event(EventKind::ConsumerFailed { partition, error });
                self.last_error = error;
                if let Some(position) = self.positions.get_mut(&partition) {
                    position.offset = None;
                }
            }
            (_, None) => self.stop_at(partition, error, fx),
        }
    }

    fn stop_at(&mut self, partition: PartitionId, error: ErrorCode, fx: &mut ClientEffects) {
        self.last_error = error;
        fx.event(EventKind::ConsumerFailed { partition, error });
        if let Some(position) = self.positions.get_mut(&partition) {
            position.state = State::Failed;
        }
    }

    fn take_listed(&mut self, correlation: u32, listed: ListedOffset, fx: &mut ClientEffects) {
        let partition = listed.partition;
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        let (policy, _) = self.reset_policy();
        let Some(position) = self.awaited(correlation, partition) else { return };
        if listed.error != ErrorCode::None {
            position.not_before = fx.now + backoff;
            self.bootstrap.want();
            return;
        }
        position.offset = Some(listed.offset);
        let (from, to) = (-1, listed.offset);
        fx.event(EventKind::PositionReset { partition, from, to, policy });
    }

    /// The new leader said where the position's epoch ends (R7.7).
    fn validated(&mut self, correlation: u32, answer: EpochAnswer, fx: &mut ClientEffects) {
        let partition = answer.partition;
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        let leader_epoch = self.bootstrap.leader(partition).map_or(-1, |(_, epoch)| epoch);
        let (policy, reset) = self.reset_policy();
        let Some(position) = self.awaited(correlation, partition) else { return };
        if answer.error != ErrorCode::None {
            position.not_before = fx.now + backoff;
            self.bootstrap.want();
            return;
        }
        position.validated = leader_epoch;
        let at = position.offset.unwrap_or(0);
        match answer.end {
            Some(end) if end.end >= at => {}
            Some(end) => {
                let (position_was, end) = (at, end.end);
                position.offset = Some(end);
                position.epoch = answer.end.map_or(-1, |e| e.epoch);
                let event =
                    EventKind::TruncationDetected { partition, position: position_was, end };
                fx.cause = fx.event(event);
                if reset.is_none() {
                    self.stop_at(partition, ErrorCode::LogTruncation, fx);
                } else {
                    let (from, to) = (position_was, end);
                    fx.event(EventKind::PositionReset { partition, from, to, policy });
                }
            }
            None => self.out_of_range(partition, fx),
        }
    }

    /// The connection to a broker is gone.
    pub fn disconnected(&mut self, broker: BrokerId, fx: &mut ClientEffects) {
        self.bootstrap.lost(broker, fx.now);
        self.drop_requests(broker, fx);
        let peer = Node::Broker(broker);
        let asks = |g: &Group| g.asked.is_some_and(|(_, to, _)| to == peer);
        if self.group.as_ref().is_some_and(|g| g.coordinator == Some(broker) || asks(g)) {
            self.lose_coordinator(fx);
        }
        self.poll(fx);
    }

    /// ZooKeeper is gone, which keeps the group's offsets in old releases.
    pub fn coordinator_disconnected(&mut self, fx: &mut ClientEffects) {
        self.lose_coordinator(fx);
        self.poll(fx);
    }

    /// ZooKeeper answered.
    pub fn hear_zookeeper(&mut self, message: Message, fx: &mut ClientEffects) {
        self.hear_coordinator(message.correlation, message.body, fx);
        self.poll(fx);
    }

    fn lose_coordinator(&mut self, fx: &ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        if let Some(group) = &mut self.group {
            group.lost(again);
        }
    }

    // Groups (R7.2–R7.5).

    /// What a fetch brought is processed, at once or for a while.
    fn take_in(&mut self, partition: PartitionId, batches: Vec<Batch>, fx: &mut ClientEffects) {
        let mode = self.group.as_ref().map_or(CommitMode::Auto, |g| g.mode);
        if mode == CommitMode::Before
            && let Some(group) = &mut self.group
        {
            group.wanted = true;
        }
        self.work = Some((fx.now + self.processing, partition, batches));
        if self.processing == Micros::ZERO {
            self.finish_work(fx);
        }
    }

    /// Says when to look again.
    fn finish_work(&mut self, fx: &mut ClientEffects) -> Micros {
        let Some((until, partition, batches)) = self.work.take_if(|(at, ..)| *at <= fx.now) else {
            return self.work.as_ref().map_or(Micros::NEVER, |(at, ..)| *at);
        };
        if until > Micros::ZERO && self.processing > Micros::ZERO {
            let records = batches.iter().map(|b| b.records.len() as u32).sum();
            fx.event(EventKind::RecordsProcessed { partition, records });
        }
        fx.report(Report::Read(partition, batches));
        if let Some(group) = self.group.as_mut().filter(|g| g.mode == CommitMode::After) {
            group.wanted = true;
        }
        Micros::NEVER
    }

    /// Where it stands, as it would commit it.
    fn offsets(&self) -> Map<PartitionId, Offset> {
        self.positions.iter().filter_map(|(p, at)| Some((*p, at.offset?))).collect()
    }

    /// Finds the coordinator, reads the committed offsets, commits; says when to look again.
    fn keep_offsets(&mut self, fx: &mut ClientEffects) -> Micros {
        if self.group.is_none() {
            return Micros::NEVER;
        }
        let offsets = self.offsets();
        let works = self.work.is_some();
        let auto = self.values.is(Key::EnableAutoCommit);
        let interval = self.values.ms(Key::AutoCommitIntervalMs);
        let timeout = self.values.ms(Key::ConsumerRequestTimeoutMs);
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        let Some(group) = &mut self.group else { return Micros::NEVER };
        if let Some((_, _, deadline)) = group.asked {
            if fx.now < deadline {
                return deadline;
            }
            group.lost(again);
        }
        if group.mode == CommitMode::Auto && (!auto || works) {
            // What is not processed is not committed by itself (R7.4).
            group.next_commit = Micros::NEVER;
        } else if group.mode == CommitMode::Auto && group.next_commit == Micros::NEVER {
            group.next_commit = fx.now;
        } else if group.mode != CommitMode::Auto {
            group.next_commit = Micros::NEVER;
        }
        let errand = group.next(&offsets, fx.now);
        let to = match group.storage {
            OffsetStorage::ZooKeeper => Some(Node::Controller),
            OffsetStorage::Topic => group.coordinator.map(Node::Broker),
        };
        let (to, body) = match (errand, to) {
            (Errand::None, _) => {
                return if group.not_before > fx.now {
                    group.not_before
                } else if offsets == group.committed {
                    Micros::NEVER
                } else {
                    group.next_commit
                };
            }
            (Errand::Find, _) => {
                let Some(broker) = self.bootstrap.any_broker() else { return Micros::NEVER };
                (Node::Broker(broker), Body::FindCoordinator(group.name.clone()))
            }
            (_, None) => return Micros::NEVER,
            (Errand::Read, Some(to)) => (to, Body::OffsetFetch(group.name.clone())),
            (Errand::Commit, Some(to)) => {
                group.committing = offsets;
                group.wanted = false;
                if group.mode == CommitMode::Auto {
                    group.next_commit = fx.now + interval;
                }
                let offsets = group.committing.iter().map(|(p, o)| (*p, *o)).collect();
                let commit = GroupOffsets { group: group.name.clone(), offsets };
                (to, Body::OffsetCommit(Box::new(commit)))
            }
        };
        self.next_correlation += 1;
        let deadline = fx.now + timeout;
        group.asked = Some((self.next_correlation, to, deadline));
        fx.send(to, self.next_correlation, body, fx.last_event());
        deadline
    }

    fn hear_coordinator(&mut self, correlation: u32, body: Body, fx: &mut ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        let Some(group) = &mut self.group else { return };
        if group.asked.take_if(|(c, ..)| *c == correlation).is_none() {
            return;
        }
        match body {
            Body::FindCoordinatorResponse(r) if r.error == ErrorCode::None => {
                group.coordinator = r.broker;
            }
            Body::OffsetFetchResponse(r) if r.error == ErrorCode::None => {
                group.is_read = true;
                group.committed = r.offsets.iter().copied().collect();
                for (partition, offset) in r.offsets {
                    let position =
                        self.positions.entry(partition).or_insert_with(Position::unknown);
                    position.offset = Some(offset);
                    let (from, to, policy) = (-1, offset, "committed");
                    fx.event(EventKind::PositionReset { partition, from, to, policy });
                }
            }
            Body::OffsetCommitResponse(ErrorCode::None) => {
                let committing = core::mem::take(&mut group.committing);
                for (partition, offset) in committing.iter() {
                    if group.committed.get(partition) != Some(offset) {
                        let (partition, offset) = (*partition, *offset);
                        fx.event(EventKind::OffsetCommitted { partition, offset });
                    }
                }
                group.committed = committing;
            }
            body => {
                let error = match body {
                    Body::FindCoordinatorResponse(r) => r.error,
                    Body::OffsetFetchResponse(r) => r.error,
                    Body::OffsetCommitResponse(error) => error,
                    _ => return,
                };
                group.wanted |= !group.committing.is_empty();
                group.committing = Map::new();
                group.lost(again);
                fx.event(EventKind::GroupFailed { group: group.name.clone(), error });
                self.last_error = error;
            }
        }
    }

    fn drop_requests(&mut self, broker: BrokerId, fx: &mut ClientEffects) {
        let lost: Vec<u32> =
            self.requests.iter().filter(|r| r.broker == broker).map(|r| r.correlation).collect();
        self.requests.retain(|r| r.broker != broker);
        if lost.is_empty() {
            return;
        }
        fx.event(EventKind::ConnectionLost { broker });
        let failures = self.failures.entry(broker).or_default();
        *failures += 1;
        let wait = ReconnectBackoff::DEFAULT.after(*failures);
        let wait = wait.max(self.values.ms(Key::ConsumerRetryBackoffMs));
        let again = fx.now + wait;
        for position in self.positions.iter_mut().map(|(_, v)| v) {
            position.preferred.take_if(|(preferred, _)| *preferred == broker);
            if let State::Asked(correlation) = position.state
                && lost.contains(&correlation)
            {
                position.state = State::Free;
                position.not_before = again;
            }
        }
    }

    /// Starts, and looks at everything that waits for a time.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        if self.poll_at <= fx.now {
            self.poll_at = Micros::NEVER;
        }
        while let Some(late) = self.requests.iter().find(|r| r.deadline <= fx.now) {
            let broker = late.broker;
            self.bootstrap.lost(broker, fx.now);
            self.drop_requests(broker, fx);
        }
        let timeout = self.values.ms(Key::ConsumerRequestTimeoutMs);
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        // The Scala consumer asks only when something went wrong.
        let max_age = self.values.known_ms(Key::ConsumerMetadataMaxAgeMs).unwrap_or(Micros::NEVER);
        let correlation = &mut self.next_correlation;
        let mut next = self.bootstrap.poll(max_age, backoff, timeout, correlation, fx);
        next = next.min(self.finish_work(fx));
        next = next.min(self.keep_offsets(fx));
        if self.work.is_none() && self.group.as_ref().is_none_or(|g| g.is_read) {
            next = next.min(self.ask(fx));
        }
        let deadline = self.requests.iter().map(|r| r.deadline).min();
        next = next.min(deadline.unwrap_or(Micros::NEVER));
        if next < self.poll_at {
            self.poll_at = next;
            fx.timer(next.max(fx.now), ClientTimer::Poll);
        }
    }

    /// Resets, validates and fetches whatever is free (R7.5, R7.7).
    fn ask(&mut self, fx: &mut ClientEffects) -> Micros {
        let mut next = Micros::NEVER;
        let mut fetches: Map<BrokerId, Vec<FetchPart>> = Map::new();
        let mut others: Vec<(BrokerId, PartitionId, Body)> = Vec::new();
        let (_, reset) = self.reset_policy();
        let mut without_policy: Vec<PartitionId> = Vec::new();
        for (partition, position) in self.positions.iter_mut() {
            if position.state != State::Free {
                continue;
            }
            if position.not_before > fx.now {
                next = next.min(position.not_before);
                continue;
            }
            let Some((leader, leader_epoch)) = self.bootstrap.leader(*partition) else {
                self.bootstrap.want();
                position.not_before = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
                next = next.min(position.not_before);
                continue;
            };
            let partition = *partition;
            let leader_epoch = if self.rules.fetch_fencing { leader_epoch } else { -1 };
            match (position.offset, reset) {
                (None, None) => without_policy.push(partition),
                (None, Some(end)) => {
                    let ask = ListOffsets { partition, end, from_replica: false, leader_epoch };
                    others.push((leader, partition, Body::ListOffsets(ask)));
                }
                (Some(_), _)
                    if self.rules.truncation_detection
                        && position.epoch >= 0
                        && leader_epoch > position.validated =>
                {
                    let ask = EpochQuery { partition, leader_epoch, epoch: position.epoch };
                    others.push((leader, partition, Body::OffsetsForLeaderEpoch(ask)));
                }
                (Some(offset), _) => {
                    position.preferred.take_if(|(_, until)| *until <= fx.now);
                    let from = position.preferred.map_or(leader, |(broker, _)| broker);
                    let part =
                        FetchPart { partition, offset, leader_epoch, last_fetched_epoch: -1 };
                    fetches.entry(from).or_default().push(part);
                }
            }
        }
        for partition in without_policy {
            self.stop_at(partition, ErrorCode::NoOffsetForPartition, fx);
        }
        for (leader, partition, body) in others {
            self.request(leader, &[partition], body, false, fx);
        }
        for (leader, parts) in fetches {
            if self.requests.iter().any(|r| r.is_fetch && r.broker == leader) {
                continue;
            }
            let partitions: Vec<PartitionId> = parts.iter().map(|p| p.partition).collect();
            let request = FetchRequest {
                replica: None,
                max_wait: self.values.ms(Key::FetchMaxWaitMs),
                min_bytes: self.values.get(Key::FetchMinBytes),
                max_bytes: 1 << 20,
                rack: self.rack,
                parts,
            };
            self.request(leader, &partitions, Body::Fetch(Box::new(request)), true, fx);
        }
        next
    }

    fn request(
        &mut self,
        broker: BrokerId,
        partitions: &[PartitionId],
        body: Body,
        is_fetch: bool,
        fx: &mut ClientEffects,
    ) {
        self.next_correlation += 1;
        let correlation = self.next_correlation;
        let deadline = fx.now + self.values.ms(Key::ConsumerRequestTimeoutMs);
        self.requests.push(InFlight { correlation, broker, deadline, is_fetch });
        for partition in partitions {
            if let Some(position) = self.positions.get_mut(partition) {
                position.state = State::Asked(correlation);
            }
        }
        fx.send(Node::Broker(broker), correlation, body, fx.last_event());
    }
}
