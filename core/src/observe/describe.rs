//! What `kafka-topics --describe` prints of a topic (docs/protocol.md, section 13).

use crate::settings::{Key, Layers, Scope, TopicsLayout, Value};
use crate::sim::World;
use crate::wire::metadata::PartitionState;
use crate::words::Brokers;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The text for one topic; none if there is no such topic.
pub fn topic(world: &World, name: &str) -> Option<String> {
    let image = world.controller().image();
    let topic = image.topics.iter().find(|t| t.name == name)?;
    let has_elr = world.controller().rules().elr;
    let first = topic.partitions.first().and_then(|p| image.partition(*p))?;
    let layout = image.settings.release().topics_layout();
    let (count, factor) = (topic.partitions.len(), first.replicas.len());
    let configs = configs(&image.settings, name);
    let mut text = match layout {
        TopicsLayout::Tight => format!(
            "Topic:{name}\tPartitionCount:{count}\tReplicationFactor:{factor}\tConfigs:{configs}\n"
        ),
        TopicsLayout::Spaced | TopicsLayout::WithElr => format!(
            "Topic: {name}\tTopicId: {}\tPartitionCount: {count}\tReplicationFactor: {factor}\t\
             Configs: {configs}\n",
            topic_id(name),
        ),
    };
    for (number, id) in topic.partitions.iter().enumerate() {
        let Some(state) = image.partition(*id) else { continue };
        text += &partition(name, number, state, layout, has_elr);
    }
    Some(text)
}

fn partition(
    topic: &str,
    number: usize,
    state: &PartitionState,
    layout: TopicsLayout,
    has_elr: bool,
) -> String {
    let leader = match (state.leader, layout) {
        (Some(leader), _) => leader.to_string(),
        // ZooKeeper stores -1, and the tool that reads it prints what it finds.
        (None, TopicsLayout::Tight) => String::from("-1"),
        (None, _) => String::from("none"),
    };
    let mut line = format!(
        "\tTopic: {topic}\tPartition: {number}\tLeader: {leader}\tReplicas: {}\tIsr: {}",
        state.replicas, state.isr
    );
    if state.is_reassigning() && layout != TopicsLayout::Tight {
        line += &format!("\tAdding Replicas: {}", state.adding);
        line += &format!("\tRemoving Replicas: {}", state.removing);
    }
    if layout == TopicsLayout::WithElr {
        // A broker that does not keep them does not supply the fields.
        let column = |list: &Brokers| if has_elr { list.to_string() } else { String::from("N/A") };
        let (elr, known) = (column(&state.elr), column(&state.last_known_elr));
        line += &format!("\tElr: {elr}\tLastKnownElr: {known}");
    }
    line + "\n"
}

/// What is set for the topic, or for all: the tool does not show defaults.
fn configs(settings: &Layers, topic: &str) -> String {
    let scopes = [Scope::Topic(topic.to_string()), Scope::Cluster];
    let values = settings.topic(topic, None);
    let shown = [Key::MinInsyncReplicas, Key::UncleanLeaderElectionEnable].into_iter();
    let set = shown.filter(|key| scopes.iter().any(|s| settings.given(s, *key).is_some()));
    let named = set.map(|key| {
        let value = Value(values.get(key));
        format!("{}={}", key.spec().name, key.spec().print(value))
    });
    named.collect::<Vec<_>>().join(",")
}

/// Topics have no ids here: one is made of the name, as long as Kafka's.
fn topic_id(name: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut digit = |salt: u8| {
        for byte in name.bytes().chain([salt]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        char::from(DIGITS[(hash >> 58) as usize])
    };
    (0..22).map(&mut digit).collect()
}
