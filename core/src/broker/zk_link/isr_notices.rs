//! ISRs that a leader wrote to ZooKeeper itself: the controller does not see them there, and is told
//! of them now and then (R2.22, KAFKA-1367).

use crate::broker::controller_link::Asked;
use crate::broker::node::{BrokerEffects, BrokerTimer};
use crate::broker::running::Running;
use crate::partition::isr::is_notice_due;
use crate::wire::message::Body;
use crate::words::{Micros, Node, PartitionId};
use alloc::vec::Vec;

/// How often a broker looks whether there is something to tell.
const CHECK: Micros = Micros::from_ms(2500);

/// What a broker has not told the controller yet.
#[derive(Clone, Debug, Default)]
pub(in crate::broker) struct IsrNotices {
    /// Partitions whose ISR it changed.
    changed: Vec<PartitionId>,
    last_change: Micros,
    /// When it told the last ones, or when the process started; looks are counted from there.
    last_notice: Micros,
    started: Micros,
}

impl IsrNotices {
    /// Of a process that starts now.
    pub fn new(now: Micros) -> IsrNotices {
        IsrNotices { last_notice: now, started: now, ..IsrNotices::default() }
    }

    fn next_look(&self, now: Micros) -> Micros {
        let passed = now.since(self.started).0 / CHECK.0;
        self.started + Micros((passed + 1) * CHECK.0)
    }
}

impl Running<'_> {
    /// An ISR of this broker's was written.
    pub(in crate::broker) fn isr_written(
        &mut self,
        partition: PartitionId,
        fx: &mut BrokerEffects,
    ) {
        if !self.rules.isr_notification {
            return;
        }
        let notices = &mut self.process.zk.isr_notices;
        if notices.changed.is_empty() {
            fx.timer(notices.next_look(fx.now), BrokerTimer::IsrNotice);
        }
        notices.last_change = fx.now;
        if !notices.changed.contains(&partition) {
            notices.changed.push(partition);
        }
    }

    /// Creates the notification's node, unless ISRs are still changing.
    pub(in crate::broker) fn tell_isrs(&mut self, fx: &mut BrokerEffects) {
        let notices = &mut self.process.zk.isr_notices;
        if !is_notice_due(notices.last_change, notices.last_notice, fx.now) {
            fx.timer(notices.next_look(fx.now), BrokerTimer::IsrNotice);
            return;
        }
        notices.last_notice = fx.now;
        let body = Body::IsrChangeNotification(core::mem::take(&mut notices.changed));
        self.ask(Asked::IsrNotice, Node::Controller, body, fx);
    }
}
