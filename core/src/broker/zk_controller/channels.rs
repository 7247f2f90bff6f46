//! Requests to brokers, one at a time to each (R5.14).

use super::{RESEND, UNANSWERED};
use crate::broker::node::{BrokerEffects, BrokerTimer};
use crate::broker::running::Running;
use crate::words::{BrokerId, Node};

impl Running<'_> {
    pub(super) fn send_to_brokers(&mut self, fx: &mut BrokerEffects) {
        if self.process.ended {
            return;
        }
        let process = &mut *self.process;
        let Some(controller) = process.zk.controller.as_deref_mut() else { return };
        for (to, channel) in controller.channels.iter_mut() {
            channel.outstanding.take_if(|(_, until)| *until <= fx.now);
            if channel.outstanding.is_some() {
                continue;
            }
            let Some((body, why)) = channel.queue.front() else { continue };
            process.next_correlation += 1;
            let until = fx.now + UNANSWERED;
            channel.outstanding = Some((process.next_correlation, until));
            fx.timer(until, BrokerTimer::SendToBrokers);
            fx.send(Node::Broker(*to), process.next_correlation, body.clone(), *why);
        }
    }

    /// A broker has done what the controller told it.
    pub(in crate::broker) fn on_broker_response(
        &mut self,
        from: BrokerId,
        correlation: u32,
        fx: &mut BrokerEffects,
    ) {
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return };
        let Some(channel) = controller.channels.get_mut(&from) else { return };
        if channel.outstanding.take_if(|(c, _)| *c == correlation).is_some() {
            channel.queue.pop_front();
        }
        self.send_to_brokers(fx);
    }

    /// A broker's connection broke: the same is sent again, while it counts as alive.
    pub(in crate::broker) fn channel_broke(&mut self, to: BrokerId, fx: &mut BrokerEffects) {
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return };
        let Some(channel) = controller.channels.get_mut(&to) else { return };
        if channel.outstanding.take().is_some() {
            fx.timer(fx.now + RESEND, BrokerTimer::SendToBrokers);
        }
    }

    /// See [`Broker::channel_broke`].
    pub(in crate::broker) fn resend(&mut self, fx: &mut BrokerEffects) {
        self.send_to_brokers(fx);
    }
}
