//! Flushes, checkpoints and a slow disk (R1.7–R1.10).

use super::node::{BrokerEffects, BrokerTimer};
use super::running::Running;
use crate::settings::Key;
use crate::settings::rules::RememberedBatches;
use crate::wire::Message;
use crate::wire::event::EventKind;
use crate::wire::message::Body;
use crate::words::{Map, Micros, Node, Offset, PartitionId};

/// The first recovery-point checkpoint after a start (section 14).
const FIRST_RECOVERY_POINT_CHECKPOINT: Micros = Micros::from_secs(30);
/// How often a broker looks for producers that were idle for too long (R6.17).
const PRODUCER_EXPIRATION_CHECK: Micros = Micros::from_secs(600);

impl Running<'_> {
    /// Sets the periodic tasks of a process that has loaded its logs (section 14).
    pub(super) fn arm_storage_tasks(&mut self, fx: &mut BrokerEffects) {
        let values = &self.process.values;
        let flush = values.ms(Key::LogFlushSchedulerIntervalMs);
        fx.timer(fx.now + FIRST_RECOVERY_POINT_CHECKPOINT, BrokerTimer::RecoveryPointCheckpoint);
        if flush <= Micros::LIMIT {
            fx.timer(fx.now + flush, BrokerTimer::LogFlush);
        }
        if self.rules.remembered_batches != RememberedBatches::None {
            fx.timer(fx.now + PRODUCER_EXPIRATION_CHECK, BrokerTimer::ProducerExpiration);
        }
    }

    /// Forgets producers that were idle for too long (R6.17).
    pub(super) fn remove_expired_producers(&mut self, fx: &mut BrokerEffects) {
        let values = &self.process.values;
        let own = values.known_ms(Key::ProducerIdExpirationMs);
        let idle = own.unwrap_or_else(|| values.ms(Key::TransactionalIdExpirationMs));
        for replica in self.replicas.iter_mut().map(|(_, replica)| replica) {
            replica.log.producers_mut().expire(fx.now, idle);
        }
        fx.timer(fx.now + PRODUCER_EXPIRATION_CHECK, BrokerTimer::ProducerExpiration);
    }

    pub(super) fn checkpoint_high_watermarks(&mut self, fx: &mut BrokerEffects) {
        self.write_hw_file();
        let partitions = self.replicas.len() as u32;
        if partitions > 0 {
            fx.event(EventKind::HwCheckpointed { partitions });
        }
        self.await_hw_checkpoint(fx);
    }

    pub(super) fn await_hw_checkpoint(&mut self, fx: &mut BrokerEffects) {
        let every = self.process.values.ms(Key::ReplicaHighWatermarkCheckpointIntervalMs);
        fx.timer(fx.now + every, BrokerTimer::HwCheckpoint);
    }

    /// The file holds what the broker hosts; one that hosts nothing any more is not rewritten
    /// (R1.10).
    pub(super) fn write_hw_file(&mut self) {
        let hosted = self.replicas.iter().filter(|(_, r)| r.hosted);
        let hosted: Map<PartitionId, Offset> = hosted.map(|(p, r)| (*p, r.hw)).collect();
        if !hosted.is_empty() {
            self.disk.hw = hosted;
        }
    }

    pub(super) fn checkpoint_log_recovery_offsets(&mut self, fx: &mut BrokerEffects) {
        self.write_recovery_points();
        let partitions = self.replicas.len() as u32;
        if partitions > 0 {
            fx.event(EventKind::RecoveryPointCheckpointed { partitions });
        }
        let every = self.process.values.ms(Key::LogFlushOffsetCheckpointIntervalMs);
        fx.timer(fx.now + every, BrokerTimer::RecoveryPointCheckpoint);
    }

    pub(super) fn write_recovery_points(&mut self) {
        self.disk.recovery_point =
            self.replicas.iter().map(|(p, r)| (*p, r.log.flushed())).collect();
    }

    /// Flushes logs whose last flush is too long ago (R1.7 c).
    pub(super) fn flush_dirty_logs(&mut self, fx: &mut BrokerEffects) {
        for (partition, replica) in self.replicas.iter_mut() {
            let due = fx.now.since(replica.log.last_flush()) >= replica.settings.flush_after;
            if due && replica.log.flush(fx.now) {
                let to = replica.log.flushed();
                fx.event(EventKind::Flushed { partition: *partition, to });
            }
        }
        let every = self.process.values.ms(Key::LogFlushSchedulerIntervalMs);
        fx.timer(fx.now + every, BrokerTimer::LogFlush);
    }

    /// After an append: tells of a roll, and flushes if too many records are not (R1.4, R1.7 b).
    pub(super) fn after_append(
        &mut self,
        partition: PartitionId,
        rolled: Option<i64>,
        fx: &mut BrokerEffects,
    ) {
        if let Some(base) = rolled {
            fx.event(EventKind::Rolled { partition, base });
        }
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let unflushed = replica.log.end() - replica.log.flushed();
        if unflushed >= replica.settings.flush_messages && replica.log.flush(fx.now) {
            let to = replica.log.flushed();
            fx.event(EventKind::Flushed { partition, to });
        }
    }

    /// How long the disk takes for what a message makes it write; none: no time at all.
    pub(super) fn disk_wait(&self, body: &Body) -> Option<Micros> {
        let slow = |p: &PartitionId| {
            self.disk_delay + self.replica_delays.get(p).copied().unwrap_or_default()
        };
        let delay = match body {
            Body::Produce(r) => r.batches.iter().map(|b| slow(&b.partition)).max(),
            Body::FetchResponse(parts) => {
                let full = parts.iter().filter(|p| !p.batches.is_empty());
                full.map(|p| slow(&p.partition)).max()
            }
            _ => None,
        };
        delay.filter(|d| *d > Micros::ZERO)
    }

    /// The disk does one write after the other.
    pub(super) fn wait_for_disk(
        &mut self,
        from: Node,
        message: Message,
        delay: Micros,
        fx: &mut BrokerEffects,
    ) {
        let queue = &mut self.process.disk_queue;
        let start = queue.back().map_or(fx.now, |(at, _, _)| *at).max(fx.now);
        queue.push_back((start + delay, from, message));
        fx.timer(start + delay, BrokerTimer::DiskDone);
    }

    pub(super) fn disk_done(&mut self, fx: &mut BrokerEffects) {
        let now = fx.now;
        let queue = &mut self.process.disk_queue;
        if queue.front().is_some_and(|(at, _, _)| *at <= now)
            && let Some((_, from, message)) = queue.pop_front()
        {
            fx.caused_by(message.why, |fx| self.handle(from, message, fx));
        }
    }
}
