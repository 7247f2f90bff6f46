//! `kafka-topics --describe`, as the release prints it (docs/protocol.md, section 13).

use crate::settings::Key;
use crate::sim::World;
use crate::words::BrokerList;
use alloc::format;
use alloc::string::{String, ToString};

/// The text for one topic; none if there is no such topic.
pub fn topic(world: &World, name: &str) -> Option<String> {
    let image = world.controller().image();
    let topic = image.topics.iter().find(|t| t.name == name)?;
    let elr = world.controller().rules().elr;
    let values = image.settings.topic(name, None);
    let first = topic.partitions.first().and_then(|p| image.partition(*p))?;
    let mut text = format!(
        "Topic: {name}\tPartitionCount: {}\tReplicationFactor: {}\tConfigs: \
         min.insync.replicas={},unclean.leader.election.enable={}\n",
        topic.partitions.len(),
        first.replicas.len(),
        values.get(Key::MinInsyncReplicas),
        values.is(Key::UncleanLeaderElectionEnable),
    );
    for (number, id) in topic.partitions.iter().enumerate() {
        let Some(state) = image.partition(*id) else { continue };
        let leader = state.leader.map_or(String::from("none"), |b| b.to_string());
        text += &format!(
            "\tTopic: {name}\tPartition: {number}\tLeader: {leader}\tReplicas: {}\tIsr: {}",
            state.replicas, state.isr
        );
        if state.is_reassigning() {
            text += &format!(
                "\tAdding Replicas: {}\tRemoving Replicas: {}",
                state.adding, state.removing
            );
        }
        let column = |list: &BrokerList| if elr { list.to_string() } else { String::from("N/A") };
        text += &format!(
            "\tElr: {}\tLastKnownElr: {}\n",
            column(&state.elr),
            column(&state.last_known_elr)
        );
    }
    Some(text)
}
