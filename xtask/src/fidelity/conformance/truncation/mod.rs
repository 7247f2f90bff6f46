//! Where logs part, and where they are cut (R1.26, R1.27, R3.1–R3.16).

mod log_alone;
mod pair;
mod pairs;
mod scene;

use super::fields::{Fields, entries, log, runs};
use super::{Bench, Era, cluster};
use highwater_core::log::{Log, LogRules};
use highwater_core::settings::Rules;
use log_alone::LogAlone;
use pair::Pair;
use pairs::Pairs;
use scene::Scene;
use serde_json::{Value, json};

pub fn bench(era: &Era, given: &Fields<'_>) -> Result<Box<dyn Bench>, String> {
    let rules = era.truncating(given.text("protocol")?)?;
    if let Some(log_given) = given.object("log")? {
        let hw = log_given.int_or("hw", 0)?;
        let log = log(&log_given, LogRules::of(&rules), 0)?;
        log_given.finish()?;
        return Ok(Box::new(LogAlone { log, hw }));
    }
    if given.has("logs") {
        return Ok(Box::new(Scene::new(rules, given)?));
    }
    if given.has("replicas") {
        let settings = cluster::Settings {
            min_isr: given.int("minIsr")?,
            unclean: given.has("unclean").then(|| given.flag("unclean", false)).transpose()?,
            acks: cluster::acks_of(given)?,
            rules: cluster::truncation_switch(given)?,
            ..cluster::Settings::default()
        };
        return Ok(Box::new(cluster::Played::of_replicas(era, &settings, given)?));
    }
    if let Some(partitions) = given.object("partitions")? {
        return Ok(Box::new(Pairs::new(rules, &partitions, given)?));
    }
    Ok(Box::new(Pair::new(rules, given)?))
}

fn seen(log: &Log, hw: i64) -> Value {
    json!({
        "start": log.start(),
        "end": log.end(),
        "hw": hw,
        "runs": runs(log),
        "epochEntries": entries(log),
    })
}

/// One side: a log, and what it believes of the leader epoch.
struct Side {
    log: Log,
    hw: i64,
    leader_epoch: i32,
}

impl Side {
    fn new(given: &Fields<'_>, rules: &Rules) -> Result<Side, String> {
        let latest = given.int("latestEpoch")?.or(given.int("lastEpoch")?);
        let mut log = log(given, LogRules::of(rules), latest.unwrap_or(0) as i32)?;
        let known = i64::from(log.epochs().latest_epoch().max(0));
        let leader_epoch = given.int_or("leaderEpoch", latest.unwrap_or(known))? as i32;
        // A newest epoch without records is one that its leader has begun.
        if let Some(latest) = latest {
            log.put_epoch(latest as i32);
        }
        Ok(Side { hw: given.int_or("hw", 0)?, log, leader_epoch })
    }
}
