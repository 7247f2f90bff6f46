use crate::settings::rules::OffsetStorage;
use crate::words::{BrokerId, Map, Micros, Node, Offset, PartitionId};
use alloc::string::String;

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
            next_commit: Micros::ZERO,
        }
    }

    /// What the group has to do next, at `now`.
    pub fn next(&self, positions: &Map<PartitionId, Offset>, now: Micros) -> Errand {
        if self.asked.is_some() || self.not_before > now {
            Errand::None
        } else if self.storage == OffsetStorage::Topic && self.coordinator.is_none() {
            Errand::Find
        } else if !self.is_read {
            Errand::Read
        } else if (self.wanted || self.next_commit <= now) && *positions != self.committed {
            Errand::Commit
        } else {
            Errand::None
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
pub(super) enum Errand {
    /// Nothing.
    None,
    /// Find the coordinator.
    Find,
    /// Read the committed offsets.
    Read,
    /// Commit the positions.
    Commit,
}
