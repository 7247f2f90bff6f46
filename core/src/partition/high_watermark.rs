//! Where the high watermark goes. **This is where the HW is computed, and why:**
//!
//! The HW is the smallest log end offset among the replicas that count: everything below it is on
//! all of them, so it survives as long as one of them does, and consumers may see it (R0.2, R2.18).
//! Those that count are the leader, every member of the *maximal* ISR (who may be elected), and
//! every other replica that keeps up and could join, so that joining does not make the HW go back.
//! Since 3.7 the HW stands still while the ISR is below `min.insync.replicas` (R2.19): then every
//! member of the ELR still has everything below it (R5.23).

use super::isr::Eligibility;
use super::progress::FollowerProgress;
use crate::settings::rules::{HwSet, MinIsr};
use crate::words::{Micros, Offset};

/// A replica other than the leader, as the HW sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// How far it is.
    pub progress: FollowerProgress,
    /// Whether it is in the maximal ISR (R2.21).
    pub in_maximal_isr: bool,
    /// Whether it could join the ISR.
    pub eligibility: Eligibility,
}

impl Candidate {
    /// Whether the HW must not pass its log end (R2.18).
    pub fn counts(&self, rule: HwSet, leader_end: Offset, now: Micros, lag_max: Micros) -> bool {
        self.in_maximal_isr
            || match rule {
                HwSet::Isr => false,
                HwSet::CaughtUp => self.progress.was_caught_up(now, lag_max),
                HwSet::Eligible => {
                    self.progress.is_caught_up(leader_end, now, lag_max)
                        && self.eligibility.allows(self.progress.broker_epoch)
                }
            }
    }
}

/// The new HW, if it moves: the smallest log end among the leader and the replicas that count.
/// One whose log end is unknown blocks it; a sitting leader's HW never goes back (R2.18, I3).
pub fn advanced(
    rule: HwSet,
    hw: Offset,
    leader_end: Offset,
    candidates: impl Iterator<Item = Candidate>,
    now: Micros,
    lag_max: Micros,
) -> Option<Offset> {
    let counting = candidates.filter(|c| c.counts(rule, leader_end, now, lag_max));
    let smallest = counting.map(|c| c.progress.end).fold(leader_end, Offset::min);
    (smallest > hw).then_some(smallest)
}

/// Whether the HW stands still because the committed ISR is below min ISR (R2.19).
pub fn is_held(gate: bool, isr_size: usize, min_isr: usize) -> bool {
    gate && isr_size < min_isr
}

/// The minimum ISR size that a leader enforces for a given `min.insync.replicas` (R2.7).
pub fn effective_min_isr(rule: MinIsr, min_insync_replicas: i64, replicas: usize) -> usize {
    let wanted = usize::try_from(min_insync_replicas).unwrap_or(0);
    match rule {
        MinIsr::TopicOnly | MinIsr::Raw => wanted,
        MinIsr::Capped => wanted.min(replicas),
    }
}

/// The HW that a follower takes over from its leader: as far as its log reaches. A plain
/// assignment, which may go back after a failover (R3.3).
pub fn followed(leader_hw: Offset, log_start: Offset, log_end: Offset) -> Offset {
    leader_hw.min(log_end).max(log_start)
}
