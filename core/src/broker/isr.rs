//! The leader's HW and its proposals to the controller (R2.14–R2.21).

use super::node::{BrokerEffects, BrokerTimer};
use super::process::with_world;
use super::running::{Running, because};
use crate::partition::isr;
use crate::replica::Replica;
use crate::wire::event::EventKind;
use crate::words::{BrokerId, PartitionId};

impl Running<'_> {
    /// Moves a leader's HW if it may move (R2.18–R2.20), and answers who waited for it.
    pub(super) fn maybe_increment_leader_hw(
        &mut self,
        partition: PartitionId,
        fx: &mut BrokerEffects,
    ) {
        let (Some(process), Some(replica)) =
            (Some(&*self.process), self.replicas.get_mut(&partition))
        else {
            return;
        };
        let Replica { role: crate::replica::Role::Leader(leading), log, hw, hw_why, .. } = replica
        else {
            return;
        };
        let (to, held) = with_world(process, self.rules, fx.now, |world| {
            (leading.advanced_hw(*hw, log.end(), world), leading.is_hw_held(world.rules))
        });
        if let Some(to) = to {
            let causes = because(fx.cause(), leading.hw_limit());
            let from = core::mem::replace(hw, to);
            *hw_why = fx.event_because(EventKind::HwAdvanced { partition, from, to }, causes);
            self.answer_waiting(partition, fx);
            self.wake_consumers(partition, fx);
        } else if held && log.end() > *hw && !leading.told_held {
            leading.told_held = true;
            let (isr, min_isr) = (leading.isr.into(), leading.min_isr as u32);
            let causes = because(fx.cause(), leading.isr_why);
            fx.event_because(EventKind::HwHeld { partition, hw: *hw, isr, min_isr }, causes);
        }
    }

    /// The periodic look for replicas that lag (R2.14).
    pub(super) fn maybe_shrink_isrs(&mut self, fx: &mut BrokerEffects) {
        let led: alloc::vec::Vec<PartitionId> =
            self.replicas.iter().filter(|(_, r)| r.leading().is_some()).map(|(p, _)| *p).collect();
        for partition in led {
            self.maybe_shrink(partition, fx);
        }
        let period = isr::check_period(self.rules.isr_check, self.process.lag_max());
        fx.timer(fx.now + period, BrokerTimer::IsrExpiration);
    }

    fn maybe_shrink(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let (Some(process), Some(replica)) =
            (Some(&*self.process), self.replicas.get_mut(&partition))
        else {
            return;
        };
        let end = replica.log.end();
        let Some(leading) = replica.leading_mut() else { return };
        let out = with_world(process, self.rules, fx.now, |w| leading.out_of_sync(end, w));
        if out.is_empty() {
            return;
        }
        let lag = process.lag_max();
        let last = out.first().and_then(|b| leading.follower(*b)).map(|f| f.why);
        let causes = because(last.unwrap_or_default(), fx.cause());
        leading.lead = leading.lead.shrinking(&out);
        let why =
            fx.event_because(EventKind::ShrinkProposed { partition, out: out.into(), lag }, causes);
        leading.pending_why = why;
        self.propose(partition, fx);
    }

    /// After a follower's fetch: may it join (R2.17)?
    pub(super) fn maybe_expand_isr(
        &mut self,
        partition: PartitionId,
        follower: BrokerId,
        fx: &mut BrokerEffects,
    ) {
        let (Some(process), Some(replica)) =
            (Some(&*self.process), self.replicas.get_mut(&partition))
        else {
            return;
        };
        let hw = replica.hw;
        let Some(leading) = replica.leading_mut() else { return };
        if !with_world(process, self.rules, fx.now, |w| leading.may_expand(follower, hw, w)) {
            return;
        }
        let known = leading.follower(follower).map(|f| f.why).unwrap_or_default();
        let event = EventKind::ExpandProposed { partition, replica: follower, hw };
        let why = fx.event_because(event, because(fx.cause(), known));
        leading.lead = leading.lead.expanding(follower);
        leading.pending_why = why;
        self.propose(partition, fx);
    }
}
