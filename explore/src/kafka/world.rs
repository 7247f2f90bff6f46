//! One state, unpacked: what brokers, controller and clients have.

use super::question::{Fault, Frame};
use highwater_core::partition::epochs::{self, EpochEntry, LogView};
use highwater_core::partition::{FollowerProgress, Lead, PendingIsr, Stored};
use highwater_core::settings::Rules;
use highwater_core::settings::rules::EpochEntries;
use highwater_core::words::{BrokerId, Brokers};

/// Most brokers.
pub const MOST_BROKERS: usize = 5;
/// Most records; a log never has more.
pub const MOST_RECORDS: usize = 3;
/// Leader epochs run from 0 to here at most.
pub const MOST_EPOCHS: usize = 7;

/// A set of brokers or records, a bit each.
pub type Set = u8;

/// The broker epoch of every broker's present process. Only "the present one or an earlier one"
/// matters to the rules, so earlier ones are 0.
const PRESENT: i64 = 1;

/// A change of the ISR that a leader has asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pending {
    /// Nothing is asked for.
    #[default]
    None,
    /// A replica is to join.
    Expand,
    /// Replicas are to leave.
    Shrink,
}

/// What a leader's process keeps beside its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leading {
    /// Where its epoch began.
    pub start: u8,
    /// The first offset whose producer still waits.
    pub waits_from: u8,
    /// The ISR that it knows to be committed.
    pub isr: Set,
    /// The change that it asked for.
    pub pending: Pending,
    /// The ISR that it asked for.
    pub proposed: Set,
    /// Log end of each follower + 1; 0 is unknown.
    pub ends_1: [u8; MOST_BROKERS],
    /// Followers whose last fetch was of their present process.
    pub current: Set,
}

/// A broker with its log and what its process knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Broker {
    /// The record at each offset.
    pub log: [u8; MOST_RECORDS],
    /// The log end offset.
    pub end: u8,
    /// Where each leader epoch begins in this log, + 1; 0: not known here.
    pub starts_1: [u8; MOST_EPOCHS + 1],
    /// What is below is on the disk.
    pub flushed: u8,
    /// The high watermark.
    pub hw: u8,
    /// Whether the process runs.
    pub up: bool,
    /// Whether the last process stopped cleanly, and no other has started since.
    pub clean: bool,
    /// The leader epoch that it knows, + 1.
    pub epoch_1: u8,
    /// Whom it takes for the leader, + 1; 0: nobody, or it has not heard yet.
    pub leader_1: u8,
    /// Whether something was stored of which it has not heard.
    pub behind: bool,
    /// Whether it has to ask where its newest epoch ends before it fetches.
    pub asks: bool,
    /// The HW on its disk.
    pub checkpoint: u8,
    /// If it leads.
    pub leading: Leading,
}

/// What the controller stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Control {
    /// The leader + 1; 0: none.
    pub leader_1: u8,
    /// In-sync replicas.
    pub isr: Set,
    /// Eligible leader replicas.
    pub elr: Set,
    /// The last known leader + 1; 0: none.
    pub last_known_1: u8,
    /// The leader epoch.
    pub epoch: u8,
    /// See [`Stored::recovering`].
    pub recovering: bool,
    /// Fenced brokers.
    pub fenced: Set,
}

/// A whole state.
#[derive(Clone, Copy, Debug)]
pub struct World {
    pub(super) brokers: [Broker; MOST_BROKERS],
    /// Brokers that were changed since the state was unpacked.
    touched: Set,
    pub(super) rest: Rest,
}

/// What is not a broker's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rest {
    /// The controller.
    pub control: Control,
    /// How many records were sent.
    pub sent: u8,
    /// Records that were acknowledged.
    pub acked: Set,
    /// Records that a consumer may have read.
    pub seen: Set,
    /// How often each fault may still happen.
    pub left: [u8; Fault::COUNT],
}

/// The id of the broker at a place: 1 for the first.
pub fn id(broker: usize) -> BrokerId {
    BrokerId(broker as u16 + 1)
}

fn place(id: BrokerId) -> usize {
    usize::from(id.0) - 1
}

/// The brokers of a set, in order of assignment.
pub fn brokers(set: Set) -> Brokers {
    members(set).map(id).collect()
}

/// The places of a set's members.
pub fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..8).filter(move |b| set & (1 << b) != 0)
}

fn set_of(brokers: &Brokers) -> Set {
    brokers.iter().fold(0, |set, b| set | (1 << place(*b)))
}

/// A log's epochs as the kernel sees them.
pub struct History {
    entries: [EpochEntry; MOST_EPOCHS + 1],
    len: usize,
    end: u8,
}

impl History {
    pub fn entries(&self) -> &[EpochEntry] {
        &self.entries[..self.len]
    }

    pub fn view(&self, rules: &Rules) -> LogView<'_> {
        LogView {
            start: 0,
            end: self.end.into(),
            epochs: self.entries(),
            before_first: rules.epoch_before_first,
        }
    }
}

impl Broker {
    /// A broker that has never run.
    pub const NEW: Broker = Broker {
        log: [0; MOST_RECORDS],
        end: 0,
        starts_1: [0; MOST_EPOCHS + 1],
        flushed: 0,
        hw: 0,
        up: false,
        clean: false,
        epoch_1: 0,
        leader_1: 0,
        behind: false,
        asks: false,
        checkpoint: 0,
        leading: Leading {
            start: 0,
            waits_from: 0,
            isr: 0,
            pending: Pending::None,
            proposed: 0,
            ends_1: [0; MOST_BROKERS],
            current: 0,
        },
    };

    /// Whether it runs and takes itself for the leader.
    pub fn leads(&self, own: usize) -> bool {
        self.up && self.leader_1 == own as u8 + 1
    }

    /// Whom it follows.
    pub fn follows(&self, own: usize) -> Option<usize> {
        let leader = self.leader_1.checked_sub(1)?.into();
        (self.up && leader != own).then_some(leader)
    }

    /// The leader epoch that it knows; −1 before any.
    pub fn epoch(&self) -> i32 {
        i32::from(self.epoch_1) - 1
    }

    /// The records in its log.
    pub fn records(&self) -> Set {
        self.records_below(self.end)
    }

    /// The records below an offset.
    pub fn records_below(&self, end: u8) -> Set {
        self.log[..usize::from(end)].iter().fold(0, |set, r| set | (1 << r))
    }

    /// Its epochs as the kernel sees them.
    pub fn history(&self) -> History {
        let mut history = History {
            entries: [EpochEntry { epoch: 0, start: 0 }; MOST_EPOCHS + 1],
            len: 0,
            end: self.end,
        };
        for (epoch, start_1) in self.starts_1.iter().enumerate().filter(|(_, s)| **s > 0) {
            let start = i64::from(*start_1) - 1;
            history.entries[history.len] = EpochEntry { epoch: epoch as i32, start };
            history.len += 1;
        }
        history
    }

    /// Notes that an epoch begins in this log, if logs know of epochs (R1.5).
    pub fn assign(&mut self, rules: &Rules, entry: EpochEntry) {
        if rules.epoch_entries == EpochEntries::None {
            return;
        }
        let history = self.history();
        let assigned = epochs::assigned(rules.epoch_assignment, history.entries(), entry);
        for dropped in &history.entries()[assigned.keep..] {
            self.starts_1[dropped.epoch as usize] = 0;
        }
        if let Some(EpochEntry { epoch, start }) = assigned.added {
            self.starts_1[epoch as usize] = start as u8 + 1;
        }
    }

    /// The log ends at `end` from now on, and so do its epochs (R1.18, R1.26).
    pub fn cut(&mut self, end: u8) {
        self.log[usize::from(end)..].fill(0);
        self.end = end;
        self.hw = self.hw.min(end);
        self.flushed = self.flushed.min(end);
        self.forget_epochs_behind_end();
    }

    /// Entries that begin at the end or behind it go.
    pub fn forget_epochs_behind_end(&mut self) {
        let history = self.history();
        let keep = epochs::kept_below(history.entries(), self.end.into());
        for dropped in &history.entries()[keep..] {
            self.starts_1[dropped.epoch as usize] = 0;
        }
    }

    /// A process that ends: what it only remembered is gone.
    pub fn exit(&mut self) {
        let Broker { log, end, starts_1, flushed, checkpoint, .. } = *self;
        *self = Broker { log, end, starts_1, flushed, checkpoint, ..Broker::default() };
    }
}

impl Leading {
    /// The leader as the kernel sees it.
    pub fn lead(&self, world: &World, own: usize, question: &Frame) -> Lead {
        let proposed = question.brokers(self.proposed);
        Lead {
            epoch: world.brokers[own].epoch(),
            epoch_start: self.start.into(),
            partition_epoch: world.known_version(own),
            isr: question.brokers(self.isr),
            pending: match self.pending {
                Pending::None => None,
                Pending::Expand => Some(PendingIsr::Expand { isr: proposed }),
                Pending::Shrink => Some(PendingIsr::Shrink { isr: proposed }),
            },
            min_isr: question.effective_min_isr(),
            recovering: false,
        }
    }

    /// Takes the kernel's leader back.
    pub fn take(&mut self, lead: &Lead) {
        self.start = lead.epoch_start as u8;
        self.isr = set_of(&lead.isr);
        self.pending = match lead.pending {
            None => Pending::None,
            Some(PendingIsr::Expand { .. }) => Pending::Expand,
            Some(PendingIsr::Shrink { .. }) => Pending::Shrink,
        };
        self.proposed = lead.pending.as_ref().map_or(0, |p| set_of(p.proposed()));
    }

    /// A follower as this leader knows it. Time stands still here: nobody was caught up "a short
    /// time ago", a follower is where its last fetch says or it lags.
    pub fn progress(&self, follower: usize) -> FollowerProgress {
        let end = i64::from(self.ends_1[follower]) - 1;
        let current = i64::from((self.current >> follower) & 1) * PRESENT;
        FollowerProgress {
            end,
            last_caught_up: None,
            last_fetch: None,
            leader_end_at_last_fetch: -1,
            broker_epoch: if end < 0 { -1 } else { current },
        }
    }
}

impl World {
    /// Nothing at all.
    pub const EMPTY: World = World {
        brokers: [Broker::NEW; MOST_BROKERS],
        touched: 0,
        rest: Rest {
            control: Control {
                leader_1: 0,
                isr: 0,
                elr: 0,
                last_known_1: 0,
                epoch: 0,
                recovering: false,
                fenced: 0,
            },
            sent: 0,
            acked: 0,
            seen: 0,
            left: [0; Fault::COUNT],
        },
    };

    /// The broker at a place.
    pub fn broker(&self, place: usize) -> &Broker {
        &self.brokers[place]
    }

    /// The same, to be changed.
    #[inline]
    pub fn broker_mut(&mut self, place: usize) -> &mut Broker {
        self.touched |= 1 << place;
        &mut self.brokers[place]
    }

    /// Whether a broker was changed since the state was unpacked.
    pub fn is_touched(&self, place: usize) -> bool {
        self.touched & (1 << place) != 0
    }

    /// What is not a broker's.
    pub fn rest(&self) -> &Rest {
        &self.rest
    }

    /// The controller.
    pub fn control(&self) -> &Control {
        &self.rest.control
    }

    /// The version of the stored state that a broker knows: all that matters is whether it is the
    /// newest, which is 1.
    pub fn known_version(&self, broker: usize) -> i32 {
        i32::from(!self.brokers[broker].behind)
    }

    /// What the controller stores, as the kernel has it.
    pub fn stored(&self, question: &Frame) -> Stored {
        let control = self.control();
        let named = |broker_1: u8| broker_1.checked_sub(1).map(|b| id(b.into()));
        Stored {
            leader: named(control.leader_1),
            replicas: question.brokers(question.everyone()),
            isr: question.brokers(control.isr),
            elr: question.brokers(control.elr),
            last_known_elr: question.brokers((1 << control.last_known_1) >> 1),
            leader_epoch: control.epoch.into(),
            partition_epoch: 1,
            recovering: control.recovering,
            ..Stored::default()
        }
    }

    /// Stores a new state, of which nobody has heard yet. False: its leader epoch is beyond the
    /// question's bounds.
    #[must_use]
    pub fn store(&mut self, stored: &Stored, question: &Frame) -> bool {
        let within = self.put(stored, question);
        for broker in 0..usize::from(question.brokers) {
            // That alone does not touch it: its piece only gets one more bit.
            self.brokers[broker].behind |= self.brokers[broker].up;
        }
        within
    }

    /// Stores a new state that nobody is told. False: as [`World::store`].
    #[must_use]
    pub fn put(&mut self, stored: &Stored, question: &Frame) -> bool {
        let Ok(epoch) = u8::try_from(stored.leader_epoch) else { return false };
        if epoch > question.max_epoch {
            return false;
        }
        let numbered = |broker: Option<BrokerId>| broker.map_or(0, |b| place(b) as u8 + 1);
        self.rest.control = Control {
            leader_1: numbered(stored.leader),
            isr: set_of(&stored.isr),
            elr: set_of(&stored.elr),
            last_known_1: numbered(stored.last_known_elr.first().copied()),
            epoch,
            recovering: stored.recovering,
            fenced: self.control().fenced,
        };
        true
    }

    /// Whether a broker is fenced.
    pub fn is_fenced(&self, broker: usize) -> bool {
        self.control().fenced & (1 << broker) != 0
    }

    /// The broker epoch of a registered broker that is not fenced.
    pub fn active_epoch(&self, broker: BrokerId) -> Option<i64> {
        (!self.is_fenced(place(broker))).then_some(PRESENT)
    }

    /// The leader that everybody will follow: stored, up, and leading under the stored epoch.
    pub fn true_leader(&self) -> Option<usize> {
        let leader = usize::from(self.control().leader_1.checked_sub(1)?);
        let broker = &self.brokers[leader];
        let current = broker.epoch() == i32::from(self.control().epoch);
        (broker.leads(leader) && current).then_some(leader)
    }
}
