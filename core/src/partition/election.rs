//! Who may lead, in KRaft (R5.19–R5.21, R5.26).

use super::stored::Stored;
use crate::words::{BrokerId, Brokers, ErrorCode};

/// Which election is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Election {
    /// The first replica is wanted back (R5.20).
    Preferred,
    /// Any replica that certainly has all committed records (R5.19).
    Online,
    /// If there is none, any replica that is up (R5.19).
    Unclean,
}

/// Where the winner came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The in-sync replicas.
    Isr,
    /// The eligible leader replicas.
    Elr,
    /// The last known leader; counted unclean.
    LastKnown,
    /// Whoever is up; unclean.
    Anyone,
}

impl Source {
    /// Whether committed records may be missing.
    pub fn is_unclean(self) -> bool {
        matches!(self, Source::LastKnown | Source::Anyone)
    }
}

/// Whether a leader, or none, is one that certainly has all committed records.
pub fn is_clean(leader: Option<BrokerId>, isr: &Brokers, elr: &Brokers) -> bool {
    leader.is_none_or(|l| isr.contains(&l) || elr.contains(&l))
}

/// What an election looks at.
pub struct Candidates<'a> {
    /// Replicas in order of preference.
    pub replicas: &'a Brokers,
    /// The ISR as it will be.
    pub isr: &'a Brokers,
    /// The ELR as it will be.
    pub elr: &'a Brokers,
    /// The last known leader, if it may be chosen at all (ELR on).
    pub last_known: Option<BrokerId>,
    /// Whether that one must be up (R5.26).
    pub last_known_must_be_up: bool,
    /// The leader now.
    pub leader: Option<BrokerId>,
    /// Whether a broker is active and the replica's directory online (R5.7).
    pub acceptable: &'a dyn Fn(BrokerId) -> bool,
}

impl Candidates<'_> {
    /// Where `broker` would come from as a clean leader (R5.19).
    fn valid(&self, broker: BrokerId) -> Option<(BrokerId, Source)> {
        let source = if self.isr.contains(&broker) {
            Source::Isr
        } else if self.isr.is_empty() && self.elr.contains(&broker) {
            Source::Elr
        } else {
            return None;
        };
        (self.acceptable)(broker).then_some((broker, source))
    }

    fn first_valid(&self) -> Option<(BrokerId, Source)> {
        self.replicas.iter().find_map(|r| self.valid(*r))
    }

    /// The last known leader, when nobody else is left and it is up (R5.26).
    fn last_known(&self) -> Option<(BrokerId, Source)> {
        let nobody = self.isr.is_empty() && self.elr.is_empty();
        let fits = |b: BrokerId| !self.last_known_must_be_up || (self.acceptable)(b);
        let back = self.last_known.filter(|b| nobody && fits(*b));
        back.map(|b| (b, Source::LastKnown))
    }

    fn anyone(&self) -> Option<(BrokerId, Source)> {
        let up = self.replicas.iter().find(|r| (self.acceptable)(**r));
        up.map(|b| (*b, Source::Anyone))
    }

    /// The winner, if there is one (R5.19, R5.20).
    pub fn elect(&self, election: Election) -> Option<(BrokerId, Source)> {
        // A replica that has left the list can never be elected, not even again (R5.22).
        let listed = self.leader.filter(|b| self.replicas.contains(b));
        let current = || listed.and_then(|b| self.valid(b));
        match election {
            Election::Preferred => {
                let first = self.replicas.first().and_then(|b| self.valid(*b));
                first.or_else(current).or_else(|| self.first_valid()).or_else(|| self.last_known())
            }
            Election::Online => {
                current().or_else(|| self.first_valid()).or_else(|| self.last_known())
            }
            Election::Unclean => self.elect(Election::Online).or_else(|| self.anyone()),
        }
    }
}

/// The election that an operator asks for, and the error if nobody is elected (R5.38).
///
/// # Errors
/// [`ErrorCode::ElectionNotNeeded`] if the preferred replica leads already; for an unclean election,
/// if anybody leads.
pub fn asked_for(state: &Stored, unclean: bool) -> Result<(Election, ErrorCode), ErrorCode> {
    if unclean && state.leader.is_none() {
        Ok((Election::Unclean, ErrorCode::EligibleLeadersNotAvailable))
    } else if !unclean && !state.preferred_leads() {
        Ok((Election::Preferred, ErrorCode::PreferredLeaderNotAvailable))
    } else {
        Err(ErrorCode::ElectionNotNeeded)
    }
}

/// Whether the periodic task would give leadership back to the preferred replica; a partition
/// without leader counts, too (R5.31).
pub fn is_imbalanced(state: &Stored) -> bool {
    state.leader != state.replicas.first().copied()
}
