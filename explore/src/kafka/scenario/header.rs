//! What a scenario says before anything happens.

use super::hold::Hold;
use crate::kafka::question::Question;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use highwater_core::settings::{Key, Owner, Release};

/// A producer tries once, and waits for long.
pub(super) const PRODUCER: [(&str, u64); 5] = [
    ("retries", 0),
    ("request.timeout.ms", 600_000),
    ("timeout.ms", 600_000),
    ("delivery.timeout.ms", 1_200_000),
    ("max.block.ms", 600_000),
];

/// Those of the settings that the release has, as a script names them.
pub(super) fn known(release: Release, owner: Owner, settings: &[(&str, u64)]) -> String {
    let has = |name: &str| Key::find(name, owner, release).is_ok();
    let written = |(name, value): &(&str, u64)| format!(" {name}={value}");
    let mut all: String = settings.iter().filter(|(name, _)| has(name)).map(written).collect();
    if owner == Owner::Producer && has("enable.idempotence") {
        all.push_str(" enable.idempotence=false");
    }
    all
}

/// What there is from the start. With ZooKeeper the controller is a broker of its own.
pub(super) fn header(question: &Question, hold: Hold, lag: u64, checkpoint: u64) -> String {
    let Question { release, brokers, min_isr, unclean, .. } = question;
    let controller = match question.has_zookeeper() {
        true => format!("brokers {0}\ncontroller {0}", brokers + 1),
        false => format!("brokers {brokers}"),
    };
    let settings = [
        ("replica.lag.time.max.ms", lag),
        ("replica.fetch.wait.max.ms", hold.wait()),
        ("replica.socket.timeout.ms", hold.wait() + 500),
        ("broker.session.timeout.ms", hold.session),
        ("zookeeper.session.timeout.ms", hold.session),
        ("replica.high.watermark.checkpoint.interval.ms", checkpoint),
    ];
    let settings = known(*release, Owner::Broker, &settings);
    let assignment: Vec<String> = (1..=*brokers).map(|b| format!("{b}")).collect();
    let flush = if question.flush_every_record { " flush.messages=1" } else { "" };
    format!(
        "highwater 1\nkafka {release}\nseed 1\n{controller}\n\
         set{settings} auto.leader.rebalance.enable=false\n\
         topic orders assignment={} min.insync.replicas={min_isr} \
         unclean.leader.election.enable={unclean}{flush}\n",
        assignment.join(","),
    )
}
