use super::{Described, DescribedPartition};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use highwater_core::settings::Release;

/// The largest id that a scenario's broker may have.
const LARGEST: u32 = 9999;

/// A scenario that comes to look like what was read, as far as a script can say it: the brokers
/// that were seen, the topics with their replicas, a producer to write with, and brokers down that
/// must be. None: there is no partition, or a broker's id is too large.
pub fn scenario(described: &Described, release: Release) -> Option<String> {
    let partitions = &described.partitions;
    let mut brokers: Vec<u32> = Vec::new();
    for partition in partitions {
        let DescribedPartition { isr, elr, adding, removing, .. } = partition;
        let others = [isr, elr, adding, removing].into_iter().flatten();
        let seen = others.chain([&partition.replicas]).flatten().chain(&partition.leader);
        for broker in seen {
            if !brokers.contains(broker) {
                brokers.push(*broker);
            }
        }
    }
    brokers.sort_unstable();
    if brokers.is_empty() || brokers.iter().any(|b| *b > LARGEST) {
        return None;
    }
    // One broker alone is a list only with a comma; else it would be how many there are.
    let comma = if brokers.len() == 1 { "," } else { "" };
    let mut text = format!("highwater 1\nkafka {release}\nbrokers {}{comma}\n", join(&brokers));
    let mut topics: Vec<&str> = Vec::new();
    for partition in partitions {
        if !topics.contains(&partition.topic.as_str()) {
            topics.push(&partition.topic);
        }
    }
    for topic in &topics {
        text += &topic_line(described, topic);
    }
    if let Some(first) = topics.first() {
        text += &format!("producer p1 topic={first}\n");
    }
    // Who is in no ISR of a partition with a leader, and leads nothing, is down. Last members of an
    // ISR went last, so that they are the last.
    let serves = |b: &u32| {
        let alive = partitions.iter().filter(|p| p.leader.is_some());
        let mut all = alive.flat_map(|p| p.isr.iter().flatten().chain(&p.leader));
        all.any(|member| member == b)
    };
    let last = |b: &u32| partitions.iter().any(|p| p.isr.iter().flatten().any(|m| m == b));
    for (at, are_last) in [(2, false), (62, true)] {
        for broker in brokers.iter().filter(|b| !serves(b) && last(b) == are_last) {
            text += &format!("at {at}s crash {broker}\n");
        }
    }
    Some(text + "until 120s\n")
}

#[inline(never)]
fn join(brokers: &[u32]) -> String {
    let ids: Vec<String> = brokers.iter().map(u32::to_string).collect();
    ids.join(",")
}

/// A topic with its partitions placed by hand. One that the text leaves out has the replicas of the
/// one before.
fn topic_line(described: &Described, topic: &str) -> String {
    let own = || described.partitions.iter().filter(|p| p.topic == topic);
    let counted = described.missing.iter().filter(|m| m.topic == topic).map(|m| m.counted - 1);
    let most = own().map(|p| p.partition).chain(counted).max().unwrap_or(0).min(9_999);
    let mut placed: Vec<String> = Vec::new();
    let mut last = own().next().map(|p| join(&p.replicas)).unwrap_or_default();
    for number in 0..=most {
        if let Some(partition) = own().find(|p| p.partition == number) {
            last = join(&partition.replicas);
        }
        placed.push(last.clone());
    }
    let mut line = format!("topic {topic} assignment={}", placed.join(";"));
    for setting in described.settings.iter().filter(|s| s.topic == topic) {
        line += &format!(" {}={}", setting.name, setting.value);
    }
    line + "\n"
}
