//! Replicas whose logs and HWs are given, without clock or network.

use super::{Side, seen};
use crate::fidelity::conformance::fields::{Fields, NO_LIMITS, broker, record};
use crate::fidelity::conformance::{Bench, Outcome, common_op, unknown_field};
use highwater_core::log::Batch;
use highwater_core::partition::divergence::{self, Beginning};
use highwater_core::partition::high_watermark;
use highwater_core::settings::Rules;
use highwater_core::settings::rules::Truncation;
use highwater_core::words::{BrokerId, Micros, RecordId};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Replicas whose logs and HWs are given, without clock or network.
pub struct Scene {
    rules: Rules,
    leader: Option<BrokerId>,
    replicas: BTreeMap<BrokerId, Side>,
    names: BTreeMap<BrokerId, String>,
    dead: BTreeSet<BrokerId>,
    /// What the leaders have had.
    written: BTreeMap<i64, Vec<RecordId>>,
    records: u32,
}

impl Scene {
    pub fn new(rules: Rules, given: &Fields<'_>) -> Result<Scene, String> {
        given.skip(&["replicas", "isr", "acks", "minIsr", "unclean"]);
        let mut names = BTreeMap::new();
        let mut replicas = BTreeMap::new();
        for (name, side) in given.object("logs")?.iter().flat_map(Fields::all) {
            let id = broker(&json!(name))?.ok_or("a broker")?;
            let fields = Fields::new(side)?;
            replicas.insert(id, Side::new(&fields, &rules)?);
            fields.finish()?;
            names.insert(id, name.to_string());
        }
        let leader = given.broker("leader")?;
        let (dead, written) = (BTreeSet::new(), BTreeMap::new());
        let mut scene = Scene { rules, leader, replicas, names, dead, written, records: 1_000_000 };
        scene.note_written();
        Ok(scene)
    }

    fn leading(&self) -> Result<&Side, String> {
        let leader = self.leader.filter(|l| !self.dead.contains(l)).ok_or("no leader")?;
        self.replicas.get(&leader).ok_or("no such leader".into())
    }

    fn note_written(&mut self) {
        let Ok(side) = self.leading() else { return };
        let all: Vec<(i64, Vec<RecordId>)> =
            side.log.batches().map(|b| (b.base, b.records.to_vec())).collect();
        self.written.extend(all);
    }

    /// One fetch: records, then the HW that the leader had before this fetch counted (R2.29).
    fn fetch_round(&mut self, follower: BrokerId) -> Result<(), String> {
        let side = self.leading()?;
        let (hw, log) = (side.hw, side.log.clone());
        let own = self.replicas.get_mut(&follower).ok_or("no such follower")?;
        if self.rules.truncation == Truncation::Fetch {
            let latest = own.log.epochs().latest_epoch();
            if let Ok(Some(end)) = divergence::check_fetch(log.view(), own.log.end(), latest) {
                let to = divergence::after_divergence(own.log.view(), end).to;
                own.log.truncate_to(to, Micros::ZERO);
                own.hw = high_watermark::followed(own.hw, own.log.start(), own.log.end());
                return Ok(());
            }
        }
        for batch in log.read(own.log.end(), log.end(), i64::MAX) {
            let appended = own.log.append_as_follower(batch, NO_LIMITS, Micros::ZERO);
            appended.map_err(|e| format!("{e:?}"))?;
        }
        own.hw = high_watermark::followed(hw, own.log.start(), own.log.end());
        let end = own.log.end();
        // The next fetch tells the leader; with two replicas that moves its HW.
        let both = self.replicas.len() == 2;
        let leader = self.leader.and_then(|l| self.replicas.get_mut(&l));
        if let Some(leader) = leader.filter(|_| both) {
            leader.hw = leader.hw.max(end.min(leader.log.end()));
        }
        Ok(())
    }

    /// A replica begins to follow, with the HW that it had, and truncates as its release does.
    fn follow(&mut self, id: BrokerId) -> Result<(), String> {
        if self.leader == Some(id) {
            return Ok(());
        }
        let own = self.replicas.get(&id).ok_or("no such replica")?;
        let rule = self.rules.truncation;
        let to = match divergence::beginning(rule, own.hw, own.log.epochs().latest_epoch()) {
            Beginning::TruncateTo(to) => Some(to),
            Beginning::Fetch => None,
            Beginning::AskEnd(epoch) => self.leading().ok().map(|leader| {
                let end = leader.log.end_offset_for(epoch);
                let (epoch, end) = end.map_or((-1, -1), |e| (e.epoch, e.end));
                divergence::after_epoch_answer(rule, own.log.view(), own.hw, (epoch, end)).to
            }),
        };
        let own = self.replicas.get_mut(&id).ok_or("no such replica")?;
        if let Some(to) = to {
            own.log.truncate_to(to, Micros::ZERO);
        }
        own.hw = high_watermark::followed(own.hw, own.log.start(), own.log.end());
        Ok(())
    }

    /// Another replica leads, under a new epoch; the others that are up follow it.
    fn elect(&mut self, leader: BrokerId) -> Result<(), String> {
        let epoch = self.replicas.values().map(|s| s.leader_epoch).max().unwrap_or(0) + 1;
        let side = self.replicas.get_mut(&leader).ok_or("no such replica")?;
        side.leader_epoch = epoch;
        side.log.begin_epoch(epoch);
        self.leader = Some(leader);
        let up: Vec<BrokerId> =
            self.replicas.keys().copied().filter(|b| !self.dead.contains(b)).collect();
        up.into_iter().try_for_each(|b| self.follow(b))
    }

    fn produce(&mut self, n: i64) -> Result<(), String> {
        self.leading()?;
        for _ in 0..n {
            self.records += 1;
            let records = [RecordId(self.records)].into();
            let leader = self.leader.and_then(|l| self.replicas.get_mut(&l)).ok_or("no leader")?;
            let epoch = leader.leader_epoch;
            let batch = Batch { records, ..record(epoch, leader.log.end()) };
            let appended = leader.log.append_as_leader(batch, epoch, NO_LIMITS, Micros::ZERO);
            appended.map_err(|e| format!("{e:?}"))?;
        }
        self.note_written();
        Ok(())
    }

    /// Offsets that a leader has had and the present one has not, or has something else at.
    fn lost(&self) -> Vec<i64> {
        let kept = |offset: i64, records: &[RecordId]| {
            let log = self.leading().ok().map(|s| &s.log);
            log.and_then(|l| l.batch_at(offset)).is_some_and(|b| *b.records == *records)
        };
        let lost = self.written.iter().filter(|(offset, records)| !kept(**offset, records));
        lost.map(|(offset, _)| *offset).collect()
    }

    fn logs_equal(&self) -> bool {
        let contents = |s: &Side| -> Vec<(i64, i32, Vec<RecordId>)> {
            s.log.batches().map(|b| (b.base, b.epoch, b.records.to_vec())).collect()
        };
        let mut all = self.replicas.values().map(contents);
        let first = all.next();
        all.all(|c| Some(&c) == first.as_ref())
    }
}

impl Bench for Scene {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "fetchRound" => self.fetch_round(input.need_broker("follower")?)?,
            "restart" => self.follow(input.need_broker("broker")?)?,
            "kill" | "stop" => {
                input.skip(&["crash", "clean"]);
                let id = input.need_broker("broker")?;
                self.note_written();
                self.dead.insert(id);
                if let Some(lost) = input.int("loses")? {
                    let side = self.replicas.get_mut(&id).ok_or("no such replica")?;
                    side.log.lose_from((side.log.end() - lost).max(0));
                    side.log.load(false, 0, Micros::ZERO);
                }
            }
            "start" => {
                let id = input.need_broker("broker")?;
                self.dead.remove(&id);
                self.follow(id)?;
            }
            "elect" => self.elect(input.need_broker("leader")?)?,
            "produce" => {
                input.skip(&["asOneBatch", "acks"]);
                self.produce(input.int_or("n", 1)?)?;
            }
            "settle" => {
                let followers: Vec<BrokerId> =
                    self.replicas.keys().copied().filter(|b| Some(*b) != self.leader).collect();
                for _ in 0..100 {
                    for id in followers
                        .iter()
                        .filter(|b| !self.dead.contains(b))
                        .copied()
                        .collect::<Vec<_>>()
                    {
                        self.fetch_round(id)?;
                    }
                }
            }
            "readAll" => {}
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        Ok(match name {
            "logs" => {
                let all = self.replicas.iter();
                let all = all.map(|(id, s)| (self.names[id].clone(), seen(&s.log, s.hw)));
                Value::Object(all.collect::<Map<_, _>>())
            }
            "log" => {
                let side = self.leading()?;
                seen(&side.log, side.hw)
            }
            "lost" if wanted.is_number() => json!(self.lost().len()),
            "lost" => json!(self.lost()),
            "ends" => {
                let all = self.replicas.iter();
                let all = all.map(|(id, s)| (self.names[id].clone(), json!(s.log.end())));
                Value::Object(all.collect())
            }
            "logsEqual" | "equal" => json!(self.logs_equal()),
            "offsetsStrictlyIncrease" => {
                let bases: Vec<i64> = self.leading()?.log.batches().map(|b| b.base).collect();
                json!(bases.windows(2).all(|w| w[0] < w[1]))
            }
            "atLeast" => {
                let log = &self.leading()?.log;
                let read = log.end() - log.start();
                let enough = wanted.as_i64().is_some_and(|least| least <= read);
                if enough { wanted.clone() } else { json!(read) }
            }
            _ => return unknown_field(name),
        })
    }
}
