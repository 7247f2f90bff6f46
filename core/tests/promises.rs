//! No promise is marked as broken that Kafka keeps, and commands that name what is not there are
//! answered.

use highwater_core::audit::{PROPERTIES, PropertyKind};
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_core::wire::Param;

fn played(text: &str) -> Timeline {
    let parsed = script::parse(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let mut timeline = Timeline::new(parsed).expect("a cluster that can be set up");
    timeline.run_until(timeline.end());
    timeline
}

/// The promises that the audit holds for broken.
fn broken(timeline: &Timeline) -> Vec<&'static str> {
    let states = timeline.world().audit().properties();
    let broken = PROPERTIES.iter().zip(states).filter(|(property, state)| {
        property.kind == PropertyKind::Always && state.decided_by.is_some()
    });
    broken.map(|(property, _)| property.id).collect()
}

/// Ordinary operations: a replica is replaced, the leader is moved, a move is cancelled, brokers are
/// rolled and crash, and the preferred leader is elected again.
const ORDINARY: [&str; 6] = [
    "at 5s reassign orders/0 1,2,4",
    "at 5s reassign orders/0 4,5",
    "at 5s cut 4>1\nat 6s reassign orders/0 1,2,4\nat 9s heal all",
    "at 5s stop 1\nat 9s start 1\nat 15s stop 2\nat 19s start 2",
    "at 5s crash 1\nat 25s start 1\nat 40s elect preferred orders/0",
    "at 5s reassign orders/0 3,2,1\nat 8s elect preferred orders/0",
];

#[test]
fn ordinary_operations_break_no_promise() {
    for release in Release::ALL {
        for lines in ORDINARY {
            let text = format!(
                "highwater 1\nkafka {release}\nbrokers 5\n\
                 topic orders assignment=1,2,3 min.insync.replicas=2\n\
                 producer p1 topic=orders acks=all every=500ms\n{lines}\nuntil 50s\n"
            );
            assert_eq!(broken(&played(&text)), Vec::<&str>::new(), "{text}");
        }
    }
}

/// What an operator's commands were answered, in order.
fn answers(timeline: &Timeline) -> Vec<String> {
    let mut all = Vec::new();
    for event in timeline.tape().events().iter().filter(|e| e.kind.code() == "command.answered") {
        event.kind.visit(&mut |name, value| {
            if let (true, Param::Error(error)) = (name == "error", value) {
                all.push(error.constant().to_owned());
            }
        });
    }
    all
}

/// A topic whose creation fails when it comes to it: its partition is named, and is not there.
#[test]
fn commands_that_name_a_partition_that_never_came_are_answered() {
    for release in Release::ALL {
        let text = format!(
            "highwater 1\nkafka {release}\nbrokers 3\ntopic orders assignment=1\n\
             consumer c1 topic=late\n\
             at 1s crash 2\nat 1s crash 3\nat 40s create late assignment=2,3\n\
             at 41s elect preferred late/0\nat 42s reassign late/0 1\n\
             at 44s disk 1 late/0 5ms\nat 45s seek c1 late/0 3\nuntil 60s\n"
        );
        let timeline = played(&text);
        if timeline.world().partition_named("late", 0).is_some() {
            continue; // ZooKeeper's tools create a topic on brokers that are down.
        }
        let answers = answers(&timeline);
        assert_eq!(answers[1..3], ["UNKNOWN_TOPIC_OR_PARTITION"; 2], "{text}{answers:?}");
        let void = timeline.tape().events().iter().filter(|e| e.kind.code() == "action.void");
        assert_eq!(void.count(), 2, "{text}");
    }
}
