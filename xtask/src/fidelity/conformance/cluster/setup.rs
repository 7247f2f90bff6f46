//! A cluster as a case gives it.

use super::{Played, Settings};
use crate::fidelity::conformance::Era;
use crate::fidelity::conformance::controller::partition;
use crate::fidelity::conformance::fields::Fields;
use highwater_core::partition::Stored;
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_core::words::{BrokerId, Brokers, Micros};
use serde_json::json;
use std::fmt::Write;

/// The cluster has been up for so long when the first input comes.
const START: Micros = Micros::from_secs(6);
/// Producers, a fresh one for each produce.
pub const PRODUCERS: usize = 40;

impl Played {
    pub fn of_election(
        era: &Era,
        settings: &Settings,
        given: &Fields<'_>,
    ) -> Result<Played, String> {
        let fields = given.object("partition")?.ok_or("no partition")?;
        let state = partition(&fields)?;
        let (mut brokers, mut down) = (state.replicas, Brokers::EMPTY);
        if let Some(cluster) = given.object("cluster")? {
            brokers = brokers.union(&cluster.brokers_or_none("brokers")?);
            down = cluster.brokers_or_none("fenced")?;
            down = down.union(&cluster.brokers_or_none("shuttingDown")?);
            cluster.finish()?;
        }
        let mut played = Played::new(era, settings, &brokers, &state)?;
        played.bring_to(&state, &down)?;
        Ok(played)
    }

    pub fn of_replicas(
        era: &Era,
        settings: &Settings,
        given: &Fields<'_>,
    ) -> Result<Played, String> {
        let replicas = given.brokers("replicas")?.ok_or("no replicas")?;
        let leader = given.broker("leader")?.or(replicas.first().copied());
        let isr = given.brokers("isr")?.unwrap_or(replicas);
        let mut records = 0;
        if let Some(log) = given.object("log")? {
            records = log.int_or("end", 0)?;
            if log.int_or("start", 0)? != 0 || log.int_or("hw", records)? != records {
                return Err("a cluster that starts with records that are not committed".into());
            }
            log.finish()?;
        }
        given.skip(&["entries", "logEnd", "minIsr", "elr", "unclean", "acks", "protocol"]);
        // The first replica leads a new partition.
        let first = leader.into_iter().collect::<Brokers>();
        let ordered = first.union(&replicas);
        let state = Stored { leader, isr, replicas: ordered, ..Stored::default() };
        let mut played = Played::new(era, settings, &replicas.sorted(), &state)?;
        played.bring_to(&state, &Brokers::EMPTY)?;
        if records > 0 {
            let input = json!({"n": records, "acks": "all", "asOneBatch": true});
            played.produce(&Fields::new(&input)?)?;
            played.settle();
        }
        Ok(played)
    }

    fn new(
        era: &Era,
        settings: &Settings,
        brokers: &[BrokerId],
        state: &Stored,
    ) -> Result<Played, String> {
        let release = era.release;
        let list = |ids: &[BrokerId]| {
            let ids: Vec<String> = ids.iter().map(|b| b.0.to_string()).collect();
            ids.join(",")
        };
        let mut text = format!("highwater 1\nkafka {release}\nbrokers {},\n", list(brokers));
        if brokers.len() > 1 {
            text = format!("highwater 1\nkafka {release}\nbrokers {}\n", list(brokers));
        }
        let mut rules: Vec<&str> = settings.rules.as_deref().into_iter().collect();
        if release == Release::V2_8 {
            // Kafka's tests write a move into ZooKeeper, as kafka-reassign-partitions --zookeeper
            // does: past the check of the admin API (R5.36).
            rules.push("reassignment-start=waits");
        }
        if !rules.is_empty() {
            let _ = writeln!(text, "rules {}", rules.join(" "));
        }
        let _ = writeln!(text, "set auto.leader.rebalance.enable={}", settings.rebalance);
        if settings.rebalance {
            text.push_str("set leader.imbalance.check.interval.seconds=2\n");
        }
        if release >= Release::V4_1 && !settings.elr {
            text.push_str("set eligible.leader.replicas.version=0\n");
        }
        let _ = write!(text, "topic t assignment={}", list(&state.replicas));
        if let Some(min) = settings.min_isr {
            let _ = write!(text, " min.insync.replicas={min}");
        }
        if let Some(unclean) = settings.unclean {
            let _ = write!(text, " unclean.leader.election.enable={unclean}");
        }
        text.push('\n');
        for i in 0..PRODUCERS {
            let _ = write!(text, "producer p{i} topic=t acks=1 retries=0 linger.ms=0");
            if release > Release::V0_8_2 {
                text.push_str(" enable.idempotence=false max.block.ms=10000");
            }
            text.push('\n');
        }
        let parsed = script::parse(&era.against.written_into(&text))
            .map_err(|errors| errors[0].to_string())?;
        let mut timeline = Timeline::new(parsed).map_err(|e| format!("{:?}", e.0))?;
        timeline.run_until(START);
        let acks = if settings.acks.is_empty() { "1" } else { settings.acks };
        let topic = "t";
        let accepted = false;
        let first_epochs = (0, 0);
        let (sent, produces, touched) = (0, 0, None);
        Ok(Played { timeline, topic, acks, sent, produces, touched, accepted, first_epochs })
    }

    /// From a new partition, which its first replica leads with all in sync, to the state that is
    /// given: with another leader, and with brokers down.
    fn bring_to(&mut self, given: &Stored, down: &Brokers) -> Result<(), String> {
        let other = given.leader.filter(|l| given.replicas.first() != Some(l));
        if let Some(leader) = other {
            // It leads when all others are gone, and still does when they are back.
            let others = given.replicas.filtered(|b| b != leader);
            others.iter().try_for_each(|b| self.stop_cleanly(*b))?;
            others.iter().try_for_each(|b| self.start(*b))?;
        }
        down.iter().try_for_each(|b| self.stop_cleanly(*b))?;
        self.touched = None;
        let state = self.state()?;
        if state.leader != given.leader || !state.isr.same_set(&given.isr) {
            return Err("a cluster that does not come to such a leader and ISR".into());
        }
        let began = (state.leader_epoch, state.partition_epoch);
        self.first_epochs = (given.leader_epoch - began.0, given.partition_epoch - began.1);
        Ok(())
    }
}
