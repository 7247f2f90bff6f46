//! A consumer's group: what it commits, when, and where it goes on (R7.2–R7.5).

use super::{Consumer, Position};
use crate::client::ClientEffects;
use crate::log::{Batch, GroupOffsets};
use crate::settings::Key;
use crate::settings::rules::OffsetStorage;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::Body;
use crate::words::{BrokerId, ErrorCode, Map, Micros, Node, Offset, PartitionId};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// When a consumer of a group commits (R7.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CommitMode {
    /// By itself, every `auto.commit.interval.ms`, if `enable.auto.commit` says so.
    #[default]
    Auto,
    /// Before it processes what it fetched: at most once.
    Before,
    /// After it processed it: at least once.
    After,
}

/// What a consumer knows of its group (R7.2–R7.5). It is the group's only member.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub name: String,
    pub mode: CommitMode,
    pub storage: OffsetStorage,
    /// Who keeps its offsets, once known.
    pub coordinator: Option<BrokerId>,
    /// The request under way to find it, to read or to write: whom, and until when.
    pub asked: Option<(u32, Node, Micros)>,
    pub not_before: Micros,
    /// Whether its committed offsets were read.
    pub is_read: bool,
    /// What was committed last, as far as it knows.
    pub committed: Map<PartitionId, Offset>,
    /// What the request under way commits.
    pub committing: Map<PartitionId, Offset>,
    /// A commit that is to be sent whatever the interval says.
    pub wanted: bool,
    /// When it begins to count intervals: when its committed offsets were read.
    pub since: Micros,
    /// When it commits by itself next; never, where it does not.
    pub next_commit: Micros,
}

impl Group {
    pub fn new(name: String, mode: CommitMode, storage: OffsetStorage) -> Group {
        Group {
            name,
            mode,
            storage,
            coordinator: None,
            asked: None,
            not_before: Micros::ZERO,
            is_read: false,
            committed: Map::new(),
            committing: Map::new(),
            wanted: false,
            since: Micros::ZERO,
            next_commit: Micros::NEVER,
        }
    }

    /// What the group has to do next, at `now`, where no request of its own is under way.
    fn next(&self, positions: &Map<PartitionId, Offset>, now: Micros) -> Errand {
        if self.not_before > now {
            Errand::Wait(self.not_before)
        } else if self.storage == OffsetStorage::Topic && self.coordinator.is_none() {
            Errand::Find
        } else if !self.is_read {
            Errand::Read
        } else if *positions == self.committed {
            Errand::Wait(Micros::NEVER)
        } else if self.wanted || self.next_commit <= now {
            Errand::Commit
        } else {
            Errand::Wait(self.next_commit)
        }
    }

    /// The coordinator is not where it was: it is looked for again, after a while.
    pub fn lost(&mut self, again: Micros) {
        self.coordinator = None;
        self.asked = None;
        self.not_before = again;
    }
}

/// See [`Group::next`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Errand {
    /// Nothing before that time.
    Wait(Micros),
    /// Find the coordinator.
    Find,
    /// Read the committed offsets.
    Read,
    /// Commit the positions.
    Commit,
}

impl Consumer {
    pub(super) fn lose_coordinator(&mut self, fx: &ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        if let Some(group) = &mut self.group {
            group.lost(again);
        }
    }

    /// What a fetch brought is processed, at once or for a while.
    pub(super) fn take_in(
        &mut self,
        partition: PartitionId,
        batches: Vec<Batch>,
        fx: &mut ClientEffects,
    ) {
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
    pub(super) fn finish_work(&mut self, fx: &mut ClientEffects) -> Micros {
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
    pub(super) fn offsets(&self) -> Map<PartitionId, Offset> {
        self.positions.iter().filter_map(|(p, at)| Some((*p, at.offset?))).collect()
    }

    /// Finds the coordinator, reads the committed offsets, commits; says when to look again.
    pub(super) fn keep_offsets(&mut self, fx: &mut ClientEffects) -> Micros {
        let Some(group) = &mut self.group else { return Micros::NEVER };
        if let Some((_, _, deadline)) = group.asked {
            if fx.now < deadline {
                return deadline;
            }
            group.lost(fx.now + self.values.ms(Key::ConsumerRetryBackoffMs));
        }
        let commits_by_itself = self.values.is(Key::EnableAutoCommit) && self.work.is_none();
        let every = self.values.ms(Key::AutoCommitIntervalMs).max(Micros(1));
        // What is not processed is not committed by itself (R7.4).
        let by_itself = group.mode == CommitMode::Auto && commits_by_itself;
        let offsets = self.offsets();
        let Some(group) = &mut self.group else { return Micros::NEVER };
        if !by_itself || offsets == group.committed {
            group.next_commit = Micros::NEVER;
        } else if group.next_commit == Micros::NEVER {
            // Its clock ticks whether there is something to commit or not.
            let ticks = fx.now.since(group.since).0 / every.0 + 1;
            group.next_commit = group.since + Micros(ticks * every.0);
        }
        let to = match group.storage {
            OffsetStorage::ZooKeeper => Some(Node::Controller),
            OffsetStorage::Topic => group.coordinator.map(Node::Broker),
        };
        let (to, body) = match (group.next(&offsets, fx.now), to) {
            (Errand::Wait(until), _) => return until,
            (Errand::Find, _) => {
                let Some(broker) = self.bootstrap.any_broker() else { return Micros::NEVER };
                (Node::Broker(broker), Body::FindCoordinator(group.name.clone()))
            }
            (_, None) => return Micros::NEVER,
            (Errand::Read, Some(to)) => (to, Body::OffsetFetch(group.name.clone())),
            (Errand::Commit, Some(to)) => {
                group.committing = offsets;
                group.wanted = false;
                group.next_commit = Micros::NEVER;
                let offsets = group.committing.iter().map(|(p, o)| (*p, *o)).collect();
                let commit = GroupOffsets { group: group.name.clone(), offsets };
                (to, Body::OffsetCommit(Box::new(commit)))
            }
        };
        self.next_correlation += 1;
        let deadline = fx.now + self.values.ms(Key::ConsumerRequestTimeoutMs);
        group.asked = Some((self.next_correlation, to, deadline));
        fx.send(to, self.next_correlation, body, fx.last_event());
        deadline
    }

    pub(super) fn hear_coordinator(
        &mut self,
        correlation: u32,
        body: Body,
        fx: &mut ClientEffects,
    ) {
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
                group.since = fx.now;
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
}
