//! The state of a cluster, in the words of the cases.

use super::Played;
use crate::fidelity::conformance::controller::look_at;
use crate::fidelity::conformance::fields::{entries, of_broker, runs};
use crate::fidelity::conformance::unknown_field;
use highwater_core::log::Disk;
use highwater_core::replica::Replica;
use highwater_core::wire::event::{Event, EventKind};
use highwater_core::words::{BrokerId, Offset, PartitionId, RecordId};
use serde_json::{Map, Value, json};

impl Played {
    /// A field of the state.
    pub(super) fn seen(&self, name: &str, wanted: &Value) -> Result<Value, String> {
        let state = self.state()?;
        if name == "leader" {
            // A stored leader that is down leads nobody (R5.2).
            return Ok(of_broker(state.leader.filter(|l| self.is_up(*l))));
        }
        match name {
            "leaderEpoch" => return Ok(json!(state.leader_epoch + self.first_epochs.0)),
            "partitionEpoch" => return Ok(json!(state.partition_epoch + self.first_epochs.1)),
            _ => {}
        }
        if let Some(value) = look_at(state, name) {
            return Ok(value);
        }
        let log = self.log_of();
        Ok(match name {
            "uncleanElections" => json!(self.unclean_elections()),
            "accepted" => json!(self.accepted),
            "readable" if wanted.is_number() => json!(self.readable().len()),
            "readable" => json!(self.readable()),
            "log" => log.map_or(Value::Null, Played::replica_seen),
            "logs" => self.by_broker(|p, b| p.replica(b).map_or(Value::Null, Played::replica_seen)),
            "ends" => self.by_broker(|p, b| json!(p.replica(b).map_or(-1, |r| r.log.end()))),
            "logsEqual" | "equal" => json!(self.logs_equal()),
            "hw" => log.map_or(Value::Null, |r| json!(r.hw)),
            "logEnd" => log.map_or(Value::Null, |r| json!(r.log.end())),
            "lastRecordEpoch" => {
                let last = log.and_then(|r| r.log.batches().next_back());
                json!(last.map_or(-1, |b| b.epoch))
            }
            "caches" => {
                let leader = self.state()?.leader;
                let followers = self.state()?.replicas.filtered(|b| Some(b) != leader);
                let of = |b: Option<BrokerId>| {
                    b.and_then(|b| self.replica(b)).map_or(Value::Null, |r| entries(&r.log))
                };
                json!({"leader": of(leader), "follower": of(followers.first().copied())})
            }
            "hwCheckpoint" => self.on_disk(|disk, id| disk.hw.get(&id).copied()),
            "checkpoint" => self.on_disk(|disk, id| disk.recovery_point.get(&id).copied()),
            "offsetsStrictlyIncrease" => {
                let bases: Vec<i64> =
                    log.iter().flat_map(|r| r.log.batches()).map(|b| b.base).collect();
                json!(bases.windows(2).all(|w| w[0] < w[1]))
            }
            "atLeast" => {
                let read = self.readable().len() as u64;
                match wanted.as_u64() {
                    Some(least) if read >= least => wanted.clone(),
                    _ => json!(read),
                }
            }
            "lost" if wanted.is_number() => json!(self.timeline.world().audit().counts().lost),
            "lost" => json!(self.lost()),
            _ => return unknown_field(name),
        })
    }

    fn unclean_elections(&self) -> usize {
        let unclean = |e: &&Event| {
            matches!(e.kind, EventKind::LeaderUnclean { .. } | EventKind::LeaderLastKnown { .. })
        };
        self.timeline.tape().events().iter().filter(unclean).count()
    }

    /// Offsets of records that no leader will ever have again.
    fn lost(&self) -> Vec<i64> {
        let audit = self.timeline.world().audit();
        let records = (0..audit.len()).filter_map(|i| audit.record(RecordId(i as u32)));
        records.filter(|r| r.flags.lost).filter_map(|r| r.offset).collect()
    }

    /// Values that a consumer gets from the leader.
    fn readable(&self) -> Vec<String> {
        let Some(leader) = self.state().ok().and_then(|s| s.leader).filter(|l| self.is_up(*l))
        else {
            return Vec::new();
        };
        let Some(replica) = self.replica(leader) else { return Vec::new() };
        let below = replica.log.batches().filter(|b| b.end() <= replica.hw);
        let records = below.flat_map(|b| b.records.iter());
        records.map(|r| self.timeline.tape().record(*r).value.to_string()).collect()
    }

    fn logs_equal(&self) -> bool {
        let contents = |b: &BrokerId| -> Option<Vec<(i64, i32, Vec<RecordId>)>> {
            let log = &self.replica(*b)?.log;
            Some(log.batches().map(|b| (b.base, b.epoch, b.records.to_vec())).collect())
        };
        let Ok(state) = self.state() else { return false };
        let mut all = state.replicas.iter().map(contents);
        let first = all.next().flatten();
        first.is_some() && all.all(|c| c == first)
    }

    fn replica_seen(replica: &Replica) -> Value {
        json!({
            "start": replica.log.start(),
            "end": replica.log.end(),
            "hw": replica.hw,
            "runs": runs(&replica.log),
        })
    }

    /// An offset that a file of each broker names; a partition that no file names starts at 0.
    fn on_disk(&self, named: impl Fn(&Disk, PartitionId) -> Option<Offset>) -> Value {
        self.by_broker(|p, b| {
            let disk = p.timeline.world().broker(b).map(|b| &b.disk);
            json!(disk.zip(p.id()).and_then(|(disk, id)| named(disk, id)).unwrap_or(0))
        })
    }

    fn by_broker(&self, of: impl Fn(&Self, BrokerId) -> Value) -> Value {
        let brokers = self.timeline.world().brokers().iter();
        Value::Object(brokers.map(|b| (b.id.to_string(), of(self, b.id))).collect::<Map<_, _>>())
    }
}
