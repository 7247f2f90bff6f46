//! Who leads where ZooKeeper keeps the state (R5.9–R5.15).

use crate::settings::rules::{LastIsrMember, ShutdownHandover};
use crate::words::{BrokerId, Brokers};

/// A leader and the ISR that comes with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elected {
    /// Who leads.
    pub leader: BrokerId,
    /// The new ISR.
    pub isr: Brokers,
    /// Whether committed records may be missing.
    pub unclean: bool,
}

/// Whether a broker is up.
pub type Live<'a> = &'a dyn Fn(BrokerId) -> bool;

/// A new partition: the first live replica leads, all live ones are in sync (R5.9).
pub fn new_partition(replicas: &Brokers, live: Live<'_>) -> Option<Elected> {
    let isr = replicas.filtered(live);
    isr.first().copied().map(|leader| Elected { leader, isr, unclean: false })
}

/// A partition without leader: the first live replica of the ISR, in order of assignment; if there
/// is none and unclean election is enabled, the first live one (R5.11).
pub fn offline(
    replicas: &Brokers,
    isr: &Brokers,
    unclean: bool,
    live: Live<'_>,
) -> Option<Elected> {
    let up = isr.filtered(live);
    if let Some(leader) = replicas.iter().find(|r| up.contains(r)) {
        return Some(Elected { leader: *leader, isr: up, unclean: false });
    }
    let anyone = replicas.iter().copied().find(|r| unclean && live(*r))?;
    Some(Elected { leader: anyone, isr: Brokers::only(anyone), unclean: true })
}

/// A reassignment whose leader is not in the target, or down: the first live member of the target
/// that is in sync (R5.36).
pub fn reassigned(target: &Brokers, isr: &Brokers, live: Live<'_>) -> Option<Elected> {
    let leader = target.iter().copied().find(|r| live(*r) && isr.contains(r))?;
    Some(Elected { leader, isr: *isr, unclean: false })
}

/// The preferred leader, if it is up and in sync (R5.15).
pub fn preferred(replicas: &Brokers, isr: &Brokers, live: Live<'_>) -> Option<Elected> {
    let leader = replicas.first().copied().filter(|r| live(*r) && isr.contains(r))?;
    Some(Elected { leader, isr: *isr, unclean: false })
}

/// To whom a leader hands over that stops cleanly: another member of the ISR that is up and not
/// stopping. Those that stop leave the ISR (R5.13).
pub fn controlled_shutdown(
    rule: ShutdownHandover,
    replicas: &Brokers,
    isr: &Brokers,
    live: Live<'_>,
    stopping: Live<'_>,
) -> Option<Elected> {
    let fit = |r: &BrokerId| live(*r) && isr.contains(r) && !stopping(*r);
    let order = match rule {
        ShutdownHandover::IsrOrder => isr,
        ShutdownHandover::ReplicaOrder => replicas,
    };
    let leader = order.iter().copied().find(fit)?;
    Some(Elected { leader, isr: isr.filtered(|b| !stopping(b)), unclean: false })
}

/// What is left of a partition's leader and ISR when the replica on `broker` is gone: none if it
/// was in neither. A last member of the ISR stays in it, unless the rule lets it go because unclean
/// election is enabled (R5.12).
pub fn without_replica(
    rule: LastIsrMember,
    leader: Option<BrokerId>,
    isr: &Brokers,
    broker: BrokerId,
    unclean: bool,
) -> Option<(Option<BrokerId>, Brokers)> {
    if !isr.contains(&broker) {
        return None;
    }
    let leader = leader.filter(|l| *l != broker);
    let kept = match rule {
        LastIsrMember::KeptIfClean => !unclean,
        LastIsrMember::Kept => true,
    };
    let isr = match &**isr {
        [_] if kept => *isr,
        _ => isr.filtered(|b| b != broker),
    };
    Some((leader, isr))
}

/// Partitions to be given back to their preferred leaders: those whose first replica is on a broker
/// that does not lead more than `percent` per cent of the partitions that prefer it; strict
/// (R5.16). `partitions`: preferred and present leader of each.
pub fn imbalanced(
    partitions: &[(Option<BrokerId>, Option<BrokerId>)],
    percent: i64,
) -> impl Iterator<Item = usize> {
    let ratio_exceeds = move |broker: Option<BrokerId>| {
        let preferring = || partitions.iter().filter(move |(p, _)| *p == broker);
        let elsewhere = preferring().filter(|(p, l)| p != l).count() as i64;
        elsewhere * 100 > percent * preferring().count() as i64
    };
    let misplaced = partitions.iter().enumerate().filter(|(_, (p, l))| p != l);
    misplaced.filter(move |(_, (p, _))| ratio_exceeds(*p)).map(|(i, _)| i)
}
