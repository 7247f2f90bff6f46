//! "Why is that so?" leads from what happened to the fault behind it, also where whoever waited in
//! vain could not know it.

use expect_test::{Expect, expect};
use highwater_core::observe::facts::{self, Fact};
use highwater_core::observe::why;
use highwater_core::script;
use highwater_core::sim::Timeline;
use highwater_core::words::{EventId, PartitionId};

/// A script played to its end.
fn played(actions: &str) -> Timeline {
    let script = format!(
        "highwater 1\nkafka 4.4\nbrokers 3\n\
         topic orders assignment=1,2,3 min.insync.replicas=2\n\
         producer p1 topic=orders every=500ms\n{actions}\nuntil 60s\n"
    );
    let script = script::parse(&script).expect("a good script");
    let mut timeline = Timeline::new(script).expect("a cluster");
    timeline.run_until(timeline.end());
    timeline
}

/// Plays a script to its end and follows the causes of the last event called `code`.
fn check(fault: &str, code: &str, expect: Expect) {
    let timeline = played(fault);
    let events = timeline.tape().events();
    let last = events.iter().rposition(|e| e.kind.code() == code).expect("it happened");
    let chain = why::chain(timeline.tape(), EventId(last as u32), 5);
    let told: Vec<String> = chain
        .into_iter()
        .map(|id| {
            let event = timeline.tape().event(id).expect("a cause is an event");
            let node = timeline.world().node_name(event.node);
            format!("{} {} {node}\n", event.at, event.kind.code())
        })
        .collect();
    expect.assert_eq(&told.concat());
}

#[test]
fn a_session_that_ran_out_leads_to_the_crash() {
    check(
        "at 5s crash 3",
        "isr.shrunk",
        expect![[r#"
        12375ms isr.shrunk controller
        12375ms broker.fenced controller
        12375ms broker.sessionExpired controller
        5s process.crashed 3
        0s partition.created controller
    "#]],
    );
}

#[test]
fn a_session_that_ran_out_leads_to_the_pause_or_the_cut() {
    check(
        "at 5s pause 3",
        "broker.sessionExpired",
        expect![[r#"
        12375ms broker.sessionExpired controller
        5s process.paused 3
    "#]],
    );
    check(
        "at 5s cut 3-controller",
        "broker.sessionExpired",
        expect![[r#"
        12375ms broker.sessionExpired controller
        5s link.cut 3
    "#]],
    );
}

#[test]
fn a_replica_that_lags_leads_to_its_link_or_its_disk() {
    check(
        "at 5s cut 1-3",
        "isr.shrunk",
        expect![[r#"
        45001ms isr.shrunk controller
        45s isr.shrinkProposed 1
        5s link.cut 3
        4508ms follower.progressed 1
        4507ms log.replicated 3
    "#]],
    );
    check(
        "at 5s disk 3 40s",
        "isr.shrunk",
        expect![[r#"
        45001ms isr.shrunk controller
        45s isr.shrinkProposed 1
        5s disk.slowed 3
        4508ms follower.progressed 1
        4507ms log.replicated 3
    "#]],
    );
}

#[test]
fn a_request_without_answer_leads_to_the_machine_that_is_off() {
    check(
        "at 5s power-off 1",
        "request.timedOut",
        expect![[r#"
            37505ms request.timedOut p1
            5s process.poweredOff 1
        "#]],
    );
}

#[test]
fn acks_that_do_not_come_lead_to_the_follower_that_is_waited_for() {
    check(
        "at 5s cut 1-2",
        "produce.timedOut",
        expect![[r#"
        35006ms produce.timedOut 1
        5s link.cut 2
        4508ms follower.progressed 1
        4507ms log.replicated 2
        4506ms log.appended 1
    "#]],
    );
    check(
        "at 5s disk 2 40s",
        "produce.timedOut",
        expect![[r#"
        35006ms produce.timedOut 1
        5s disk.slowed 2
        4508ms follower.progressed 1
        4507ms log.replicated 2
        4506ms log.appended 1
    "#]],
    );
}

#[test]
fn a_dropped_message_is_behind_the_silence_that_follows() {
    check(
        "drop produce p1>1 orders/0 #3",
        "request.timedOut",
        expect![[r#"
            32500ms request.timedOut p1
            1505ms message.dropped p1
            1505ms batch.sent p1
            1500ms record.queued p1
        "#]],
    );
}

#[test]
fn what_has_been_mended_is_no_cause_any_more() {
    check(
        "at 5s cut 1-3\nat 6s heal 1-3\nat 10s crash 3",
        "isr.shrunk",
        expect![[r#"
        19125ms isr.shrunk controller
        19125ms broker.fenced controller
        19125ms broker.sessionExpired controller
        10s process.crashed 3
        0s partition.created controller
    "#]],
    );
}

/// With ZooKeeper the same happens by other rules.
#[test]
fn each_era_names_its_own_rules() {
    for (release, wanted) in [("0.11", "R2.22"), ("2.8", "R2.23"), ("4.4", "R2.24")] {
        let script = format!(
            "highwater 1\nkafka {release}\nbrokers 3\ntopic orders assignment=1,2,3\n\
             producer p1 topic=orders every=500ms\nat 5s cut 1-3\nuntil 60s\n"
        );
        let script = script::parse(&script).expect("a good script");
        let mut timeline = Timeline::new(script).expect("a cluster");
        timeline.run_until(timeline.end());
        let shrunk = timeline.tape().events().iter().find(|e| e.kind.code() == "isr.shrunk");
        let rules = timeline.world().controller().rules();
        assert_eq!(shrunk.map(|e| e.kind.rule_under(rules)), Some(wanted), "{release}");
    }
}

#[test]
fn each_fact_of_a_partition_has_the_event_that_made_it_so() {
    let facts = |actions: &str| {
        let timeline = played(actions);
        let count = timeline.world().event_count() as usize;
        let of = |name: &str| {
            let fact = Fact::parse(name).expect("a fact");
            let maker = facts::maker(timeline.tape(), count, PartitionId(0), fact);
            let event = maker.and_then(|id| timeline.tape().event(id));
            let told = event.map(|e| format!("{} {}", e.at, e.kind.code()));
            format!("{name}: {}\n", told.unwrap_or_default())
        };
        ["leader", "epoch", "AR", "ISR", "OSR", "ELR", "minIsr"].map(of).concat()
    };
    expect![[r#"
        leader: 0s partition.created
        epoch: 0s partition.created
        AR: 0s partition.created
        ISR: 0s partition.created
        OSR: 0s partition.created
        ELR: 
        minIsr: 
    "#]]
    .assert_eq(&facts(""));
    expect![[r#"
        leader: 23635ms leader.elected
        epoch: 23635ms leader.elected
        AR: 45001ms reassignment.started
        ISR: 23635ms isr.shrunk
        OSR: 23635ms isr.shrunk
        ELR: 40001ms elr.changed
        minIsr: 40001ms setting.changed
    "#]]
    .assert_eq(&facts(
        "at 2s crash 2\nat 15s crash 1\nat 40s set topic orders min.insync.replicas=1\n\
         at 45s reassign orders/0 3,2",
    ));
}
