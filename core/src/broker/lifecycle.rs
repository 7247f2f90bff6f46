//! Start, recovery, controlled shutdown, crash (R1.12–R1.21, R5.5, R5.6).

use super::alter_partition::Proposals;
use super::controller_link::ControllerLink;
use super::meters::Meters;
use super::node::{Broker, BrokerEffects, BrokerTimer};
use super::process::Process;
use super::running::Running;
use super::zk_link::ZkLink;
use crate::log::{CleanMark, Truncation, take_clean_mark};
use crate::replica::purgatory::Purgatory;
use crate::settings::Key;
use crate::settings::rules::Coordination;
use crate::wire::event::EventKind;
use crate::wire::metadata::MetadataImage;
use crate::words::{Map, Micros, Offset, PartitionId};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;

/// From the start of a process to its registration.
const BOOT: Micros = Micros::from_ms(500);
/// Loading logs after a clean stop.
const LOAD: Micros = Micros::from_ms(20);
/// Reading one record again after an unclean one.
const RECOVER_RECORD: Micros = Micros(20);

/// How far a process has come (R5.5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// It has not talked to anybody yet.
    Booting,
    /// It registers and catches up with the metadata.
    Starting,
    /// It loads its logs.
    Recovering,
    /// It has asked to be unfenced.
    Ready,
    /// It serves.
    Running,
    /// It is in controlled shutdown, and serves.
    Stopping,
}

impl Phase {
    /// Whether it answers requests and wants to be unfenced.
    pub fn serves(self) -> bool {
        self >= Phase::Ready
    }

    /// Whether its logs are loaded.
    pub fn has_logs(self) -> bool {
        self >= Phase::Ready
    }
}

/// What a power loss leaves of one log, given where flushed data ends and where the log ends.
pub type PowerCut<'a> = &'a mut dyn FnMut(Offset, Offset) -> Offset;

impl Broker {
    fn new_process(&mut self, image: MetadataImage, phase: Phase, now: Micros) {
        self.incarnations += 1;
        let values = self.config.broker(self.id);
        self.process = Some(Box::new(Process {
            ended: false,
            phase,
            image,
            broker_epoch: -1,
            values,
            incarnation: self.incarnations,
            // No answer to an earlier process's request is taken for one of this one's.
            next_correlation: self.incarnations << 20,
            producer_ids: -1,
            controller: ControllerLink::default(),
            proposals: Proposals::default(),
            zk: ZkLink::new(now),
            fetchers: Map::new(),
            next_parked: 0,
            parked_produces: Purgatory::default(),
            parked_fetches: Purgatory::default(),
            busy: Map::new(),
            groups: Map::new(),
            meters: Meters::default(),
            disk_queue: VecDeque::new(),
        }));
    }

    /// The broker has been running for long when the scenario begins; `phase` spreads its
    /// heartbeats.
    pub fn form(&mut self, image: &MetadataImage, phase: Micros, fx: &mut BrokerEffects) {
        self.new_process(image.clone(), Phase::Running, fx.now);
        self.run(|running| running.form(image, fx));
        fx.timer(fx.now + phase, BrokerTimer::Heartbeat);
        fx.timer(fx.now, BrokerTimer::IsrExpiration);
        fx.timer(fx.now, BrokerTimer::MetadataAgain);
    }

    /// A new process starts. It talks to nobody for a moment.
    pub fn start(&mut self, fx: &mut BrokerEffects) {
        let settings = Rc::clone(&self.config);
        self.new_process(MetadataImage::new(settings), Phase::Booting, fx.now);
        fx.chain(EventKind::Starting {});
        fx.timer(fx.now + BOOT, BrokerTimer::Booted);
    }

    /// A clean stop begins: leaderships are handed over first, if that is on (R1.12, R5.6).
    pub fn stop(&mut self, fx: &mut BrokerEffects) {
        self.run(|running| running.stop(fx));
    }

    /// kill -9: the page cache survives (R1.20).
    pub fn crash(&mut self) {
        self.exit();
    }

    /// The machine goes dark: of what was not flushed, `keep` says how far it survives (R1.21,
    /// R1.24). Returns how many records are gone.
    pub fn lose_power(&mut self, keep: PowerCut<'_>) -> u32 {
        self.exit();
        let mut lost = 0;
        for replica in self.replicas.iter_mut().map(|(_, v)| v) {
            let end = keep(replica.log.durable(), replica.log.end());
            if let Some(Truncation { from, to }) = replica.log.lose_from(end) {
                lost += (from - to) as u32;
            }
        }
        lost
    }

    /// A stopped broker's log loses its end; how many records that were.
    pub fn lose_from(&mut self, partition: PartitionId, from: Offset) -> u32 {
        let replica = self.replicas.get_mut(&partition);
        let cut = replica.and_then(|r| r.log.lose_from(from));
        self.disk.clean_mark = None;
        cut.map_or(0, |c| (c.from - c.to) as u32)
    }

    /// A new, empty disk (R5.39).
    pub fn wipe(&mut self, directory: u32) {
        self.replicas.clear();
        self.disk = crate::log::Disk { directory, ..crate::log::Disk::default() };
    }

    fn exit(&mut self) {
        self.process = None;
        for replica in self.replicas.iter_mut().map(|(_, v)| v) {
            replica.forget();
        }
    }
}

impl Running<'_> {
    fn form(&mut self, image: &MetadataImage, fx: &mut BrokerEffects) {
        let process = &mut *self.process;
        process.broker_epoch = image.broker_epoch(self.id);
        process.zk.watched = image.offset;
        process.zk.controller_epoch = image.controller_epoch;
        process.zk.hears_controller = true;
        self.arm_storage_tasks(fx);
        self.await_hw_checkpoint(fx);
        self.apply_image(fx);
        for replica in self.replicas.iter_mut().map(|(_, replica)| replica) {
            replica.hosted = true;
        }
        if image.controller == Some(self.id) {
            self.form_controller(image, fx);
        }
    }

    pub(super) fn booted(&mut self, fx: &mut BrokerEffects) {
        if self.rules.coordination == Coordination::ZooKeeper {
            // The logs are loaded before the broker's node is created.
            self.recover(fx);
            return;
        }
        self.process.phase = Phase::Starting;
        self.register(fx);
        self.fetch_metadata(fx);
    }

    /// Loads the logs, as the last stop left them (R1.13, R1.15–R1.18).
    pub(super) fn recover(&mut self, fx: &mut BrokerEffects) {
        self.process.phase = Phase::Recovering;
        // Where the mark goes before loading, a crash meanwhile is an unclean stop (R1.13).
        let is_under_way = true;
        let clean = take_clean_mark(self.rules.clean_mark, &mut self.disk.clean_mark, is_under_way);
        let clean = clean.is_some();
        let mut wait = LOAD;
        for (partition, replica) in self.replicas.iter_mut() {
            let checkpoint = self.disk.loaded_recovery_point(*partition);
            replica.log.load(clean, checkpoint, fx.now);
            replica.hw = self.disk.loaded_hw(*partition, &replica.log);
            replica.hw_why = fx.cause();
            if !clean {
                let (recovery_point, end) = (replica.log.flushed(), replica.log.end());
                let records = (end - recovery_point).max(0) as u64;
                wait += Micros(RECOVER_RECORD.0.saturating_mul(records));
                let partition = *partition;
                fx.event(EventKind::LogRecovered { partition, recovery_point, end });
            }
        }
        fx.timer(fx.now + wait, BrokerTimer::Recovered);
    }

    pub(super) fn recovered(&mut self, fx: &mut BrokerEffects) {
        take_clean_mark(self.rules.clean_mark, &mut self.disk.clean_mark, false);
        let process = &mut *self.process;
        process.phase = Phase::Ready;
        process.values = process.image.settings.broker(self.id);
        self.arm_storage_tasks(fx);
        fx.timer(fx.now, BrokerTimer::IsrExpiration);
        if self.rules.coordination == Coordination::ZooKeeper {
            // What it leads and follows it will hear from the controller (R5.14).
            self.register(fx);
            return;
        }
        self.apply_image(fx);
        self.checkpoint_high_watermarks(fx);
        self.ask_to_unfence(fx);
    }

    fn stop(&mut self, fx: &mut BrokerEffects) {
        let process = &mut *self.process;
        fx.chain(EventKind::Stopping {});
        if !process.phase.serves() {
            self.exit();
            fx.event(EventKind::Stopped {});
        } else if process.values.is(Key::ControlledShutdownEnable) {
            process.phase = Phase::Stopping;
            match self.rules.coordination {
                Coordination::KRaft => self.send_heartbeat_now(fx),
                Coordination::ZooKeeper => self.ask_for_shutdown(fx),
            }
        } else {
            self.finish_stop(fx);
        }
    }

    /// Writes everything down, and is gone (R1.12).
    pub(super) fn finish_stop(&mut self, fx: &mut BrokerEffects) {
        self.write_hw_file();
        let mark = CleanMark(self.process.broker_epoch);
        for replica in self.replicas.iter_mut().map(|(_, v)| v) {
            replica.log.close(fx.now);
        }
        self.write_recovery_points();
        self.disk.clean_mark = Some(mark);
        if self.rules.coordination == Coordination::ZooKeeper {
            self.close_session(fx);
        }
        self.exit();
        fx.event(EventKind::Stopped {});
    }

    /// A follower whose log is longer than its leader's ends its process (R3.16).
    pub(super) fn halt(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        self.exit();
        fx.event(EventKind::Halted { partition });
    }

    /// The process ends; the input that it ends by is the last.
    fn exit(&mut self) {
        self.process.ended = true;
        for replica in self.replicas.iter_mut().map(|(_, v)| v) {
            replica.forget();
        }
    }
}
