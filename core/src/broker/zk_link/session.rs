//! A broker's session with ZooKeeper, and what its watches tell it (R5.1, R5.2).

use crate::broker::controller_link::Asked;
use crate::broker::lifecycle::Phase;
use crate::broker::node::BrokerEffects;
use crate::broker::running::Running;
use crate::settings::Key;
use crate::wire::event::EventKind;
use crate::wire::message::{
    Body, BrokerHeartbeat, ControllerElection, HeartbeatAnswer, MetadataAnswer, RegistrationAnswer,
};
use crate::wire::metadata::MetadataRecord;
use crate::words::{ErrorCode, Micros, Node};

/// A session is kept alive three times within its timeout.
const PINGS: u64 = 3;
/// Delay before a ZooKeeper client reconnects. The real client picks a random delay of up to 1 s;
/// this is the mean.
const RECONNECT: Micros = Micros::from_ms(500);
/// Delay before retrying a registration that the broker's own unexpired session still blocks
/// (R5.1).
const REGISTER_AGAIN: Micros = Micros::from_ms(500);

impl Running<'_> {
    pub(in crate::broker) fn ping_interval(&mut self) -> Micros {
        Micros(self.process.values.ms(Key::ZookeeperSessionTimeoutMs).0 / PINGS)
    }

    /// Sessions are kept alive in step, so that those of machines that die together end together.
    fn next_ping(&mut self, fx: &mut BrokerEffects) {
        let every = self.ping_interval().0.max(1);
        self.wait_for_heartbeat(Micros((fx.now.0 / every + 1) * every), fx);
    }

    /// ZooKeeper took the broker's node, or the earlier session still stands.
    pub(in crate::broker) fn registered_in_zookeeper(
        &mut self,
        r: RegistrationAnswer,
        fx: &mut BrokerEffects,
    ) {
        if r.error != ErrorCode::None {
            self.wait_for_heartbeat(fx.now + REGISTER_AGAIN, fx);
            return;
        }
        let process = &mut *self.process;
        process.broker_epoch = r.broker_epoch;
        if process.phase == Phase::Ready {
            process.phase = Phase::Running;
            fx.event(EventKind::Running {});
        }
        self.next_ping(fx);
        self.fetch_metadata(fx);
    }

    /// Says to ZooKeeper that the session lives.
    pub(in crate::broker) fn ping(&mut self, fx: &mut BrokerEffects) {
        let body = self.session(false);
        self.ask(Asked::Heartbeat, Node::Controller, body, fx);
    }

    fn session(&mut self, closes: bool) -> Body {
        let broker = self.id;
        let process = &mut *self.process;
        Body::BrokerHeartbeat(BrokerHeartbeat {
            broker,
            broker_epoch: process.broker_epoch,
            metadata_offset: process.zk.watched,
            want_fence: false,
            want_shutdown: closes,
        })
    }

    /// The session goes on; or it ended, and with it what the broker held.
    pub(in crate::broker) fn heard_ping(&mut self, r: HeartbeatAnswer, fx: &mut BrokerEffects) {
        if r.error == ErrorCode::None {
            self.next_ping(fx);
            return;
        }
        let process = &mut *self.process;
        process.broker_epoch = -1;
        process.zk.controller = None;
        process.zk.sessions += 1;
        self.wait_for_heartbeat(fx.now + RECONNECT, fx);
    }

    /// A stopping broker closes its session: its node goes at once.
    pub(in crate::broker) fn close_session(&mut self, fx: &mut BrokerEffects) {
        let body = self.session(true);
        fx.send(Node::Controller, 0, body, fx.cause());
    }

    /// What the broker's watches say.
    pub(in crate::broker) fn take_watched(&mut self, r: &MetadataAnswer, fx: &mut BrokerEffects) {
        let own = self.id;
        let process = &mut *self.process;
        if r.offset != process.zk.watched {
            return;
        }
        process.zk.watched = r.next;
        let mut vacant = None;
        let mut settings_changed = false;
        for (record, why) in r.records.iter() {
            match record {
                MetadataRecord::Settings(settings) => {
                    process.image.settings = settings.clone();
                    settings_changed = true;
                }
                MetadataRecord::Controller(broker, epoch) => {
                    process.image.controller = *broker;
                    process.zk.controller_epoch = process.zk.controller_epoch.max(*epoch);
                    vacant = broker.is_none().then_some(*why);
                }
                _ => {}
            }
        }
        if process.image.controller != Some(own) {
            process.zk.controller = None;
        }
        if settings_changed {
            self.take_settings();
        }
        if let Some(why) = vacant {
            fx.caused_by(why, |fx| self.elect(fx));
        }
        let process = &mut *self.process;
        let elected = process.image.controller == Some(own) && process.zk.controller.is_none();
        if elected && process.broker_epoch >= 0 {
            // It reads everything, from the beginning.
            process.zk.watched = 0;
            let epoch = process.zk.controller_epoch;
            self.become_controller(epoch, fx);
        } else {
            let why = r.records.last().map_or(fx.cause(), |(_, why)| *why);
            fx.caused_by(why, |fx| self.controller_learns(&r.records, fx));
        }
        self.send_alter_partition(fx);
    }

    /// The controller's node is gone: everybody tries to create it (R5.2).
    fn elect(&mut self, fx: &mut BrokerEffects) {
        let (broker, process) = (self.id, &mut *self.process);
        let broker_epoch = process.broker_epoch;
        if broker_epoch >= 0 {
            let body = Body::ControllerElection(ControllerElection { broker, broker_epoch });
            self.ask(Asked::Election, Node::Controller, body, fx);
        }
    }
}
