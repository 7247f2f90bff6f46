//! What is stored of a partition (R0.3, R0.4, R4.1).

use super::reassignment::Plan;
use crate::words::{BrokerId, Brokers, LeaderEpoch, PartitionEpoch};

/// What the controller, or ZooKeeper, stores of a partition: the facts alone, without the topic that
/// it belongs to, the directories of its replicas or the events that made it so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stored {
    /// The leader, if there is one.
    pub leader: Option<BrokerId>,
    /// Assigned replicas; the first is the preferred leader (R0.3).
    pub replicas: Brokers,
    /// In-sync replicas.
    pub isr: Brokers,
    /// Eligible leader replicas (R5.22).
    pub elr: Brokers,
    /// At most one: the last known leader (R5.25).
    pub last_known_elr: Brokers,
    /// Replicas that a reassignment adds (R5.36, R5.37).
    pub adding: Brokers,
    /// Replicas that it removes.
    pub removing: Brokers,
    /// The leader's epoch (R4.1).
    pub leader_epoch: LeaderEpoch,
    /// Version of this state, +1 on every change.
    pub partition_epoch: PartitionEpoch,
    /// The leader came by an unclean election and has not said that it recovered (R4.8).
    pub recovering: bool,
}

impl Stored {
    /// A new partition on `replicas`, of which those in `isr` are up; the first of them leads
    /// (R5.9, R5.17).
    pub fn new(replicas: Brokers, isr: Brokers) -> Stored {
        Stored { leader: isr.first().copied(), replicas, isr, ..Stored::default() }
    }

    /// Whether a reassignment is under way.
    pub fn is_reassigning(&self) -> bool {
        !self.adding.is_empty() || !self.removing.is_empty()
    }

    /// The lists of the reassignment under way; without one, the replicas alone.
    pub fn plan(&self) -> Plan {
        Plan { replicas: self.replicas, adding: self.adding, removing: self.removing }
    }

    /// Takes over a plan's lists.
    pub fn set_plan(&mut self, plan: Plan) {
        let Plan { replicas, adding, removing } = plan;
        (self.replicas, self.adding, self.removing) = (replicas, adding, removing);
    }

    /// Where the reassignment under way leads to.
    pub fn target(&self) -> Brokers {
        self.plan().target()
    }

    /// The replicas that were there before the reassignment under way.
    pub fn origin(&self) -> Brokers {
        self.plan().origin()
    }

    /// Whether its preferred replica leads (R0.3).
    pub fn preferred_leads(&self) -> bool {
        self.leader.is_some() && self.leader == self.replicas.first().copied()
    }

    /// What a stored record makes of this state: a record that names a leader, be it the same,
    /// begins a leader epoch, and every record a partition epoch (R4.1).
    #[must_use]
    pub fn recorded(self, names_leader: bool) -> Stored {
        let recorded = Stored {
            leader_epoch: self.leader_epoch + i32::from(names_leader),
            partition_epoch: self.partition_epoch + 1,
            ..self
        };
        debug_assert!(recorded.is_sound(), "{recorded:?}");
        recorded
    }

    /// Invariants of every stored state that a controller writes: no in-sync or eligible replica is
    /// a stranger to the list, and none is both.
    pub fn is_sound(&self) -> bool {
        self.replicas.contains_all(&self.removing) && !self.isr.iter().any(|b| self.elr.contains(b))
    }

    /// The state without the ELR and the last known leader, as a change of `min.insync.replicas`
    /// leaves it; `None` if it has neither (R5.24).
    pub fn with_elr_cleared(&self) -> Option<Stored> {
        let has = !self.elr.is_empty() || !self.last_known_elr.is_empty();
        has.then_some(Stored { elr: Brokers::EMPTY, last_known_elr: Brokers::EMPTY, ..*self })
    }
}
