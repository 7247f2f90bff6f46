//! Who is in sync and where the HW goes (R2.1–R2.31), and the controller's side of it (R2.24).

use super::controller::{self, Cluster, Governed, look_at};
use super::fields::{Fields, broker, restart_log};
use super::leader::Seat;
use super::{Bench, Era, Outcome, cluster, common_op, result, unknown_field};
use highwater_core::partition::alter_partition::{Proposed, validate_alter_isr};
use highwater_core::partition::{self, divergence};
use highwater_core::settings::rules::IsrStore;
use highwater_core::wire::metadata::BrokerState;
use highwater_core::words::{BrokerId, ErrorCode, Micros};
use serde_json::{Value, json};

pub fn bench(era: &Era, given: &Fields<'_>, inputs: &[Value]) -> Result<Box<dyn Bench>, String> {
    if cluster::is_needed(inputs) {
        let settings = cluster::Settings {
            min_isr: given.int("minIsr")?,
            elr: given.flag("elr", false)?,
            ..cluster::Settings::default()
        };
        return Ok(Box::new(cluster::Played::of_replicas(era, &settings, given)?));
    }
    let elr = given.flag("elr", false)?;
    if let Some(state) = given.object("partition")? {
        let mut registered: Vec<(BrokerId, BrokerState)> = Vec::new();
        for (id, state) in given.object("brokers")?.iter().flat_map(Fields::all) {
            let state = Fields::new(state)?;
            let id = broker(&json!(id))?.ok_or("a broker")?;
            let broker = BrokerState {
                epoch: state.need("epoch")?,
                incarnation: 1,
                fenced: state.flag("fenced", false)?,
                shutting_down: state.flag("shuttingDown", false)?,
                directory: 0,
            };
            state.finish()?;
            registered.push((id, broker));
        }
        if era.rules.isr_store == IsrStore::AlterIsr {
            let state = controller::partition(&state)?;
            return Ok(Box::new(Stored { state, brokers: registered }));
        }
        let setting = Cluster {
            release: era.release,
            rules: era.rules(elr),
            min_isr: given.int_or("minIsr", 1)?,
            unclean: false,
        };
        return Ok(Box::new(Governed::new(
            &setting,
            &registered,
            Some(controller::partition(&state)?),
        )?));
    }
    Ok(Box::new(InSync(Seat::new(era, given)?)))
}

/// The controller's side where ZooKeeper keeps the state (R2.23).
struct Stored {
    state: partition::Stored,
    brokers: Vec<(BrokerId, BrokerState)>,
}

impl Bench for Stored {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        if op != "alterPartition" {
            return common_op(op, input);
        }
        let from = input.need_broker("from")?;
        input.skip(&["recovering", "isrEpochs"]);
        let known = self.brokers.iter().find(|(id, _)| *id == from).map_or(-1, |(_, b)| b.epoch);
        let broker_epoch = input.int_or("brokerEpoch", known)?;
        let (epoch, version) = (self.state.leader_epoch, self.state.partition_epoch);
        let isr = input.brokers_or_none("isr")?;
        let members: Vec<(BrokerId, i64)> = isr.iter().map(|b| (*b, -1)).collect();
        let proposed = Proposed {
            leader_epoch: input.int_or("leaderEpoch", epoch.into())? as i32,
            partition_epoch: input.int_or("partitionEpoch", version.into())? as i32,
            isr: &members,
            recovering: false,
        };
        if broker_epoch != known {
            return Ok(result(Err(ErrorCode::StaleBrokerEpoch)));
        }
        let stored = validate_alter_isr(&proposed, &self.state);
        if stored == Ok(true) {
            self.state.isr = isr;
            self.state.partition_epoch += 1;
        }
        Ok(result(stored.map(drop)))
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        look_at(&self.state, name).map_or_else(|| unknown_field(name), Ok)
    }
}

struct InSync(Seat);

impl Bench for InSync {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        let seat = &mut self.0;
        seat.begin_input();
        match op {
            "fetch" => return seat.fetch(input),
            "consumerFetch" => return seat.consumer_fetch(input),
            "maybeShrink" => seat.maybe_shrink(),
            "checkLag" => {
                return Ok([("outOfSync".to_string(), seat.check_lag())].into_iter().collect());
            }
            "reply" => seat.reply(input)?,
            "setBroker" => seat.set_broker(input)?,
            "epochEnd" => return seat.epoch_end(input),
            "listLatest" => return seat.list_latest(input),
            "leaderState" => seat.leader_state(input)?,
            "isr" => {
                seat.confirm_isr(&input.brokers("isr")?.ok_or("no isr")?);
            }
            "append" => {
                let epoch = input.int_or("epoch", i64::from(seat.leader_epoch))? as i32;
                seat.append(input.need("n")?, epoch)?;
            }
            "raiseHw" => {
                let (to, hw) = (input.need("to")?, seat.hw);
                seat.keep_hw(to.max(hw));
                return Ok([("changed".to_string(), json!(seat.hw != hw))].into_iter().collect());
            }
            "setHw" | "followerHw" => {
                let hw = seat.hw;
                seat.keep_hw(input.need("to")?);
                return Ok([("changed".to_string(), json!(seat.hw != hw))].into_iter().collect());
            }
            "truncateTo" => {
                seat.log.truncate_to(input.need("offset")?, Micros::ZERO);
                seat.keep_hw(seat.hw);
            }
            "truncateAllStartAt" => {
                let hw = restart_log(&mut seat.log, input, Micros::ZERO)?;
                seat.keep_hw(hw);
            }
            "deleteRecordsTo" => {
                // Only what is committed is deleted.
                let to = input.need("offset")?;
                let deleted = divergence::check_offset(0, seat.hw, to);
                if deleted.is_ok() {
                    seat.log.raise_start(to);
                }
                return Ok(result(deleted));
            }
            "advance" => seat.pass(input.ms("ms")?.ok_or("no ms")?),
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        self.0.look(name).map_or_else(|| unknown_field(name), Ok)
    }
}
