//! The scenario script: what it refuses and how it says so, and that printing is exact.

use expect_test::{Expect, expect};
use highwater_core::script::*;
use highwater_core::settings::{Key, Owner, Release, Value};
use highwater_core::wire::MessageKind;
use highwater_core::words::{BrokerId, Brokers, Micros};
use proptest::prelude::*;
use std::fmt::Write as _;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scenario-format.md");

fn errors(text: &str) -> String {
    match parse(text) {
        Ok(_) => "fine\n".to_owned(),
        Err(all) => all.iter().map(|e| format!("{e}\n")).collect(),
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&errors(text));
}

/// Each line by itself, in a script that has something to name.
fn check_lines(lines: &[&str], expected: Expect) {
    let mut all = String::new();
    for line in lines {
        let frame = "highwater 1\ntopic orders partitions=2 replicas=3\n\
                     producer p1 topic=orders\nconsumer c1 topic=orders\n";
        all += &format!("{line}\n  {}", errors(&format!("{frame}{line}\n")).replace('\n', "\n  "));
        all.truncate(all.trim_end().len());
        all.push('\n');
    }
    expected.assert_eq(&all);
}

fn parsed(text: &str) -> Script {
    parse(text).unwrap_or_else(|e| panic!("{e:#?}\n{text}"))
}

fn check_round_trip(script: &Script) {
    let text = print(script);
    let again = parsed(&text);
    assert_eq!(&again, script, "{text}");
    assert_eq!(print(&again), text);
}

#[test]
fn the_examples_of_the_page_are_scripts() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let mut examples = 0;
    for block in page.split("```highwater\n").skip(1) {
        let text = block.split("```").next().unwrap();
        check_round_trip(&parsed(text));
        examples += 1;
    }
    assert!(examples >= 6);
}

#[test]
fn printing_is_canonical_and_keeps_comments() {
    let text = "# A lesson.\n\
                highwater 1   # version\r\n\
                \n\
                \tkafka  0.11\n\
                brokers 5,1 racks=b,a\n\
                network jitter=0.5ms\n\
                topic t.x assignment=1,5;5,1 flush.ms=10\n\
                consumer c topic=t.x auto.offset.reset=earliest\n\
                producer p retries=3 every=1500ms burst=1 topic=t.x acks=-1\n\
                at 2m set client p acks=default\n\
                at 0.0015s set broker 1 log.roll.hours=3\n\
                drop fetch 5>1 t.x/0 #14 #15\n\
                at 1s send p plain \"two words\" key=k\n\
                expect 1s records lost=0 t.x/0@5.log=\"a b\" sent>=1\n";
    let script = parsed(text);
    expect![[r##"
        # A lesson.
        highwater 1 # version

        kafka 0.11
        brokers 1,5 racks=a,b
        network latency=1ms jitter=500us
        topic t.x assignment=1,5;5,1 flush.ms=10
        consumer c topic=t.x auto.offset.reset=earliest
        producer p topic=t.x every=1500ms retries=3 acks=all
        at 120s set client p acks=default
        at 1500us set broker 1 log.roll.hours=3
        drop fetch 5>1 t.x/0 #14 #15
        at 1s send p "plain" "two words" key="k"
        expect 1s records.lost=0 t.x/0@5.log="a b" records.sent>=1
    "##]]
    .assert_eq(&print(&script));
    check_round_trip(&script);
    assert_eq!(print(&parsed("highwater 1\nbrokers 5,")), "highwater 1\nbrokers 5,\n");
}

#[test]
fn wrong_words_are_refused_with_place_and_reason() {
    check_lines(
        &[
            "tpoic a",
            "at 5 crash 1",
            "at 5s",
            "at 5s crsh 1",
            "at 5s crash 1 2",
            "at 31.5x crash 1",
            "at 0.0000001s crash 1",
            "at 43201m crash 1",
            "at 5s crash 07",
            "at 5s crash 9",
            "at 5s crash p9",
            "at 5s crash p-1",
            "at 5s lose 1 orders/2 from=1",
            "at 5s lose 1 orders/0 to=1",
            "at 5s power-off 1 lose=some",
            "at 5s slow 1>1 3ms",
            "at 5s cut 1",
            "at 5s elect clean orders/0",
            "at 5s reassign orders/0 1,2,2",
            "at 5s reassign orders/0 1,2,4",
            "at 5s reassign order/0 cancel",
            "at 5s send p1",
            "at 5s send c1 \"a\"",
            "at 5s send p1 \"a\" partition=x",
            "at 5s every p1 10us",
            "at 5s seek c1 orders/0 -1",
            "at 5s set name",
            "at 5s set brokers 1 a=b",
            "at 5s set client p1 acks=3",
            "at 5s set client p1 ack=1",
            "at 5s set client p1 acks=1 acks=all",
            "at 5s create orders",
            "say 5s \"hello\"",
            "say 5s en hello",
            "say 5s en \"hello",
            "say 5s en \"a\\q\"",
            "say 5s en \"a\"b",
            "say 5s de \"hallo\"",
            "title en \"a\" en \"b\"",
            "set min.insync.replicas=default",
            "kafka 4.2",
            "seed -1",
            "brokers 0",
            "brokers 1,1",
            "brokers 2 racks=a",
            "topic a replicas=4",
            "topic a b=c",
            "topic a assignment=1,2;3",
            "topic a assignment=1,2 replicas=2",
            "topic a/b",
            "producer p2",
            "producer p1 topic=orders",
            "producer 2p topic=orders",
            "producer records topic=orders",
            "producer p2 topic=other",
            "producer p2 topic=orders topic=orders",
            "consumer c2 topic=orders acks=1",
            "drop fetch 2>1 orders/0",
            "at 5s elect preferred orders/2",
            "at 5s reassign orders/7 1,2",
            "at 5s disk 1 orders/2 5ms",
            "at 5s send p1 \"x\" partition=2",
            "at 5s seek c1 orders/2 0",
            "at 5s create late\nat 6s elect preferred late/1",
            "at 5s set num.partitions=3\nat 6s create late\nat 7s elect preferred late/3",
            "topic other\nat 5s seek c1 other/0 0",
            "at 5s reassign orders/0 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
            "drop fech 2>1 #1",
            "drop fetch 2-1 #1",
            "delay fetch 2>1 #1",
            "delay fetch 2>1 #0 by 1s",
            "network speed=1",
            "until soon",
            "\u{1}",
        ],
        expect![[r#"
            tpoic a
              line 5, column 1: “tpoic” is no statement; accepted: topic? All: highwater, title, about, kafka, seed, rules, controller, brokers, set, network, topic, producer, consumer, at, drop, delay, duplicate, say, ask, answer, goal, expect, until
            at 5 crash 1
              line 5, column 4: “5” has no unit; accepted: a time such as 3s, 250ms, 1500us, 2m, 1.5s
            at 5s
              line 5, column 6: the line ends here; accepted: crash, power-off, lose, stop, start, pause, resume, wipe, disk, slow, cut, heal, create, set, elect, reassign, send, every, seek
            at 5s crsh 1
              line 5, column 7: “crsh” is no action; accepted: crash? All: crash, power-off, lose, stop, start, pause, resume, wipe, disk, slow, cut, heal, create, set, elect, reassign, send, every, seek
            at 5s crash 1 2
              line 5, column 15: “2” is too much; accepted: the end of the line, or # and a comment
            at 31.5x crash 1
              line 5, column 4: “31.5x” is no time; accepted: a time such as 3s, 250ms, 1500us, 2m, 1.5s
            at 0.0000001s crash 1
              line 5, column 4: “0.0000001s” is not a whole number of microseconds; accepted: a time such as 3s, 250ms, 1500us, 2m, 1.5s
            at 43201m crash 1
              line 5, column 4: “43201m” is later than 30 days; accepted: a time such as 3s, 250ms, 1500us, 2m, 1.5s
            at 5s crash 07
              line 5, column 13: “07” is no whole number; accepted: a broker's id, 0 … 9999
            at 5s crash 9
              line 5, column 13: there is no broker 9; accepted: brokers 1,2,3
            at 5s crash p9
              line 5, column 13: there is no client “p9”; accepted: c1, p1
            at 5s crash p-1
              line 5, column 13: “p-1” is neither a broker nor a client; accepted: a broker's id, controller or a client
            at 5s lose 1 orders/2 from=1
              line 5, column 14: topic orders has no partition 2; accepted: orders/0 … orders/1
            at 5s lose 1 orders/0 to=1
              line 5, column 23: “to=1” is unknown; accepted: from=OFFSET
            at 5s power-off 1 lose=some
              line 5, column 24: “some” is unknown; accepted: all, seeded
            at 5s slow 1>1 3ms
              line 5, column 14: both ends are the same; accepted: two different ends
            at 5s cut 1
              line 5, column 11: “1” is no link; accepted: 1>2 (one way) or 1-2 (both); ends are brokers, controller, clients
            at 5s elect clean orders/0
              line 5, column 13: “clean” is no kind of election; accepted: preferred, unclean
            at 5s reassign orders/0 1,2,2
              line 5, column 29: broker 2 is there twice; accepted: each id once
            at 5s reassign orders/0 1,2,4
              line 5, column 29: there is no broker 4; accepted: brokers 1,2,3
            at 5s reassign order/0 cancel
              line 5, column 16: there is no topic “order”; accepted: orders?
            at 5s send p1
              line 5, column 14: the line ends here; accepted: values in quotes, then key="…" and partition=N
            at 5s send c1 "a"
              line 5, column 12: there is no producer “c1”; accepted: p1
            at 5s send p1 "a" partition=x
              line 5, column 29: “x” is no whole number; accepted: 0 … 9999
            at 5s every p1 10us
              line 5, column 16: “10us” is too often; accepted: 1ms or longer
            at 5s seek c1 orders/0 -1
              line 5, column 24: “-1” is no whole number; accepted: 0 … 9007199254740991
            at 5s set name
              line 5, column 11: “name” is no place for settings; accepted: name=value, or first: broker ID, topic NAME, client NAME
            at 5s set brokers 1 a=b
              line 5, column 11: “brokers” is no place for settings; accepted: name=value, or first: broker ID, topic NAME, client NAME
            at 5s set client p1 acks=3
              line 5, column 26: acks=3 is out of range in Kafka 4.4; accepted: -1 … 1, or all
            at 5s set client p1 ack=1
              line 5, column 21: ack is no producer setting that the model has; accepted: acks?
            at 5s set client p1 acks=1 acks=all
              line 5, column 28: acks is given twice; accepted: each name once
            at 5s create orders
              line 5, column 1: topic orders is on line 2 already; accepted: another name
            say 5s "hello"
              line 5, column 8: words in quotes do not belong here; accepted: en "…", zh "…" or both
            say 5s en hello
              line 5, column 11: no quotes; accepted: en "…", zh "…" or both
            say 5s en "hello
              line 5, column 11: the quote is not closed; accepted: "…" on one line
            say 5s en "a\q"
              line 5, column 13: \q is no escape; accepted: \" \\ \n \t
            say 5s en "a"b
              line 5, column 14: b right behind a closing quote; accepted: a space
            say 5s de "hallo"
              line 5, column 8: “de” is no language of the page; accepted: en "…", zh "…" or both
            title en "a" en "b"
              line 5, column 17: that language again; accepted: en "…", zh "…" or both
            set min.insync.replicas=default
              line 5, column 25: default takes a value back, and here nothing was given before; accepted: 1 … 2147483647
            kafka 4.2
              line 5, column 7: “4.2” is no release that the model has; accepted: 0.8.2, 0.11, 2.8, 3.9, 4.1, 4.4
            seed -1
              line 5, column 6: “-1” is no whole number; accepted: 0 … 9007199254740991
            brokers 0
              line 5, column 9: “0” is out of range; accepted: 1 … 100
            brokers 1,1
              line 5, column 11: broker 1 is there twice; accepted: each id once
            brokers 2 racks=a
              line 5, column 17: “a” is no list of 2 racks; accepted: racks=a,b,… with 2 names of letters, digits, . _ -
            topic a replicas=4
              line 5, column 1: 4 replicas on 3 brokers (R5.35); accepted: replicas=1 … 3
            topic a b=c
              line 5, column 9: b is no topic setting that the model has; accepted: the topic settings of docs/scenario-format.md
            topic a assignment=1,2;3
              line 5, column 24: the partitions differ in their number of replicas (R5.35); accepted: as many replicas in each
            topic a assignment=1,2 replicas=2
              line 5, column 9: assignment says the numbers already; accepted: assignment, or partitions and replicas
            topic a/b
              line 5, column 7: “a/b” is no name that Kafka allows; accepted: letters, digits, . _ -, at most 249
            producer p2
              line 5, column 12: no topic; accepted: topic=NAME
            producer p1 topic=orders
              line 5, column 1: client p1 is there already; accepted: another name
            producer 2p topic=orders
              line 5, column 10: “2p” is no name for a client; accepted: a letter, then letters, digits, _, at most 32; not controller, zookeeper, records
            producer records topic=orders
              line 5, column 10: “records” is no name for a client; accepted: a letter, then letters, digits, _, at most 32; not controller, zookeeper, records
            producer p2 topic=other
              line 5, column 19: there is no topic “other”; accepted: orders
            producer p2 topic=orders topic=orders
              line 5, column 26: topic is given twice; accepted: each name once
            consumer c2 topic=orders acks=1
              line 5, column 26: acks is a producer setting, not a consumer one; accepted: the consumer settings of docs/scenario-format.md
            drop fetch 2>1 orders/0
              line 5, column 24: the line ends here; accepted: which one, such as #1
            at 5s elect preferred orders/2
              line 5, column 23: topic orders has no partition 2; accepted: orders/0 … orders/1
            at 5s reassign orders/7 1,2
              line 5, column 16: topic orders has no partition 7; accepted: orders/0 … orders/1
            at 5s disk 1 orders/2 5ms
              line 5, column 14: topic orders has no partition 2; accepted: orders/0 … orders/1
            at 5s send p1 "x" partition=2
              line 5, column 29: topic orders has no partition 2; accepted: orders/0 … orders/1
            at 5s seek c1 orders/2 0
              line 5, column 15: topic orders has no partition 2; accepted: orders/0 … orders/1
            at 5s create late
            at 6s elect preferred late/1
              line 6, column 23: topic late has no partition 1; accepted: late/0 … late/0
            at 5s set num.partitions=3
            at 6s create late
            at 7s elect preferred late/3
              line 7, column 23: topic late has no partition 3; accepted: late/0 … late/2
            topic other
            at 5s seek c1 other/0 0
              line 6, column 15: c1 does not read topic other; accepted: a partition of orders
            at 5s reassign orders/0 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
              line 5, column 64: a partition has at most 16 replicas here; accepted: 1 … 16 brokers
            drop fech 2>1 #1
              line 5, column 6: “fech” is no message; accepted: fetch?
            drop fetch 2-1 #1
              line 5, column 12: a message goes one way; accepted: a link such as 2>1
            delay fetch 2>1 #1
              line 5, column 19: the line ends here; accepted: by and a time
            delay fetch 2>1 #0 by 1s
              line 5, column 17: “0” is out of range; accepted: 1 … 4294967295
            network speed=1
              line 5, column 9: “speed=1” does not belong here; accepted: latency=1ms, jitter=0
            until soon
              line 5, column 7: “soon” is no time; accepted: a time such as 3s, 250ms, 1500us, 2m, 1.5s
            
              line 5, column 1: a control character; accepted: text, spaces and tabs
        "#]],
    );
}

#[test]
fn expectations_are_checked_by_field() {
    check_lines(
        &[
            "expect 5s",
            "expect 5s isr=1",
            "expect 5s orders/0",
            "expect 5s orders/0 1.state=running",
            "expect 5s orders/0 1 state=running",
            "expect 5s orders/0 iser=1",
            "expect 5s orders/0.isr=1,x",
            "expect 5s orders/0.isr>=1",
            "expect 5s orders/0.hw=many",
            "expect 5s orders/0.min-isr-met=maybe",
            "expect 5s orders/0@1.epochs=0-1",
            "expect 5s orders/0@7.leo=1",
            "expect 5s p1.error=NOT_ENOUGH",
            "expect 5s p9.acked=1",
            "expect 5s records.lots=1",
            "expect 5s ?.hw=1",
        ],
        expect![[r#"
            expect 5s
              line 5, column 10: the line ends here; accepted: a partition (orders/0), a replica (orders/0@2), a broker (2), a client (p1) or records
            expect 5s isr=1
              line 5, column 11: “isr” of what?; accepted: a partition (orders/0), a replica (orders/0@2), a broker (2), a client (p1) or records
            expect 5s orders/0
              line 5, column 11: nothing is expected of it; accepted: field=value behind it
            expect 5s orders/0 1.state=running
              line 5, column 11: nothing is expected of it; accepted: field=value behind it
            expect 5s orders/0 1 state=running
              line 5, column 11: nothing is expected of it; accepted: field=value behind it
            expect 5s orders/0 iser=1
              line 5, column 20: “iser” is no field of it; accepted: isr? All: leader, isr, elr, last-known-elr, replicas, adding, removing, hw, leo, leader-epoch, partition-epoch, min-isr-met
            expect 5s orders/0.isr=1,x
              line 5, column 26: “x” is no whole number; accepted: a broker's id, 0 … 9999
            expect 5s orders/0.isr>=1
              line 5, column 11: isr has no order; accepted: = or !=
            expect 5s orders/0.hw=many
              line 5, column 23: “many” is no whole number; accepted: 0 … 9007199254740991
            expect 5s orders/0.min-isr-met=maybe
              line 5, column 32: “maybe” is no value of it; accepted: yes, no
            expect 5s orders/0@1.epochs=0-1
              line 5, column 29: “0-1” is no value of it; accepted: epoch:start with commas such as 0:0,1:5, or none
            expect 5s orders/0@7.leo=1
              line 5, column 20: there is no broker 7; accepted: brokers 1,2,3
            expect 5s p1.error=NOT_ENOUGH
              line 5, column 20: “NOT_ENOUGH” is no value of it; accepted: NOT_ENOUGH_REPLICAS?
            expect 5s p9.acked=1
              line 5, column 11: there is no client “p9”; accepted: c1, p1
            expect 5s records.lots=1
              line 5, column 11: “lots” is no field of it; accepted: sent, acked, committed, visible, lost, acked-lost, duplicated, reordered, refused, timed-out
            expect 5s ?.hw=1
              line 5, column 11: “?” is nothing to look at; accepted: a partition (orders/0), a replica (orders/0@2), a broker (2), a client (p1) or records
        "#]],
    );
}

#[test]
fn all_errors_come_at_once_in_order() {
    check(
        "kafka 2.8\nbrokers 2\nat 1s crash 3\nbrokers 3\ntopic a replicas=3\ntopic b nonsense\n\
         producer p topic=b acks=9\nat 1s send p \"x\"\nat 5s elect unclean c/0\n\
         at 6s create c\nhighwater 2\n",
        expect![[r#"
            line 1, column 1: a script begins with its version; accepted: highwater 1
            line 3, column 13: there is no broker 3; accepted: brokers 1,2
            line 4, column 1: brokers again; it is on line 2 already; accepted: it once
            line 5, column 1: 3 replicas on 2 brokers (R5.35); accepted: replicas=1 … 2
            line 6, column 9: “nonsense” is no name=value; accepted: name=value
            line 7, column 25: acks=9 is out of range in Kafka 2.8; accepted: -1 … 1, or all
            line 9, column 21: topic c is created later, on line 10; accepted: a line that happens after 6s
            line 11, column 11: “2” is out of range; accepted: 1 … 1
        "#]],
    );
    check(
        "",
        expect![[r#"
        line 1, column 1: the script is empty; accepted: highwater 1
    "#]],
    );
    check(
        "# nothing\n\n",
        expect![[r#"
        line 1, column 1: the script is empty; accepted: highwater 1
    "#]],
    );
    let many = "nonsense\n".repeat(100);
    assert_eq!(parse(&many).unwrap_err().len(), MAX_ERRORS);
}

#[test]
fn settings_that_exclude_each_other_are_refused_in_the_order_of_time() {
    check(
        "highwater 1\ntopic a\nproducer p topic=a enable.idempotence=true\n\
         at 9s set client p acks=1\nat 3s set client p enable.idempotence=default\n",
        expect![[r#"
            fine
        "#]],
    );
    check(
        "highwater 1\ntopic a\nproducer p topic=a enable.idempotence=true\n\
         at 2s set client p acks=1\nat 3s set client p enable.idempotence=default\n\
         set broker.session.timeout.ms=1000\nset broker 1 min.insync.replicas=2\n",
        expect![[r#"
            line 4, column 1: acks=1 contradicts enable.idempotence=true (R6.14); accepted: acks=all
            line 6, column 1: broker.heartbeat.interval.ms=2000 does not go with broker.session.timeout.ms=1000; accepted: broker.heartbeat.interval.ms less than broker.session.timeout.ms
            line 7, column 1: min.insync.replicas=2 is refused on one broker while ELR is on; accepted: set it for the cluster or the topic (R5.24)
        "#]],
    );
}

#[test]
fn limits_hold() {
    let first = |text: &str| parse(text).unwrap_err()[0].to_string();
    let head = "highwater 1\n";
    let mut all = String::new();
    for text in [
        format!("{head}{}", "#".repeat(MAX_BYTES)),
        format!("{head}{}", "\n".repeat(MAX_LINES)),
        format!("{head}# {}", "中".repeat(MAX_LINE)),
        format!("{head}say 1s en \"{}\"", "中".repeat(MAX_LONG_LINE)),
        format!("{head}brokers 101"),
        format!("{head}topic a partitions=10001"),
        format!("{head}topic a partitions=6000\ntopic b partitions=6000"),
        head.to_owned() + &(0..201).map(|i| format!("topic t{i}\n")).collect::<String>(),
        format!("{head}topic a\n")
            + &(0..101).map(|i| format!("producer p{i} topic=a\n")).collect::<String>(),
        format!("{head}topic a\nproducer p topic=a burst=1001"),
        format!("{head}topic a\nproducer p topic=a keys=10001"),
        format!("{head}seed 9007199254740992"),
        format!("{head}topic a\nproducer p topic=a\nat 1s send p{}", " a".repeat(1001)),
    ] {
        all += &format!("{}\n", first(&text));
    }
    expect![[r#"
        line 1, column 1: the script is too long; accepted: at most 262144 bytes
        line 10001, column 1: too many lines; accepted: at most 10000 lines
        line 2, column 1001: the line is too long; accepted: at most 1000 characters
        line 2, column 4001: the line is too long; accepted: at most 4000 characters
        line 2, column 9: “101” is out of range; accepted: 1 … 100
        line 2, column 20: “10001” is out of range; accepted: 1 … 10000
        line 3, column 1: 12000 partitions; accepted: at most 10000 in all topics
        line 202, column 1: 201 topics; accepted: at most 200
        line 103, column 1: 101 clients; accepted: at most 100
        line 3, column 26: “1001” is out of range; accepted: 1 … 1000
        line 3, column 25: “10001” is out of range; accepted: 0 … 10000
        line 2, column 6: “9007199254740992” is out of range; accepted: 0 … 9007199254740991
        line 4, column 14: 1001 values; accepted: 1 … 1000 values
    "#]]
    .assert_eq(&all);
    parsed(&format!("{head}say 1s en \"{}\"", "中".repeat(MAX_LONG_LINE - 12)));
}

#[test]
fn a_script_answers_for_what_it_does_not_say() {
    let script = parsed("highwater 1\n");
    assert_eq!(script.release(), Release::V4_4);
    assert_eq!((script.seed(), script.until()), (1, None));
    assert_eq!(script.brokers().ids.to_string(), "1,2,3");
    assert_eq!(script.network(), (Micros::from_ms(1), Micros::ZERO));
    let script = parsed("highwater 1\nset num.partitions=4\nkafka 2.8\n");
    assert_eq!(script.layers().unwrap().cluster().get(Key::NumPartitions), 4);
    assert_eq!(script.layers().unwrap().release(), Release::V2_8);
}

/// What a release does not have is refused with the release named, and left out by name when a
/// script moves there.
#[test]
fn what_a_release_does_not_have() {
    let cases = [
        ("0.8.2", "brokers 3 racks=a,a,b"),
        ("0.11", "at 1s elect unclean orders/0"),
        ("0.8.2", "at 1s reassign orders/0 cancel"),
        ("0.11", "consumer c2 topic=orders client.rack=a"),
        ("4.4", "controller 2"),
        ("0.11", "at 1s crash controller"),
        ("3.9", "at 1s crash zookeeper"),
        ("0.8.2", "producer p2 topic=orders enable.idempotence=true"),
        ("0.11", "producer p2 topic=orders acks=2"),
        ("4.1", "producer p2 topic=orders producer.type=async"),
        ("3.9", "set unclean.recovery.strategy=Balanced"),
        ("0.11", "set replica.lag.max.messages=10"),
    ];
    let mut all = String::new();
    for (release, line) in cases {
        let text = format!("highwater 1\nkafka {release}\ntopic orders replicas=1\n{line}\n");
        writeln!(all, "{release}: {line}\n  {}", errors(&text).trim_end()).unwrap();
    }
    let newest = "highwater 1\nbrokers 3 racks=a,a,b\ntopic orders replicas=3\n\
                  consumer c topic=orders client.rack=a\nproducer p topic=orders enable.idempotence=true\n\
                  at 1s elect unclean orders/0\nat 1s reassign orders/0 cancel\nat 2s crash controller\n";
    let (moved, left_out) = on_release(&parsed(newest), Release::V0_8_2);
    writeln!(all, "left out on 0.8.2: {}\n{}", left_out.join(" | "), print(&moved)).unwrap();
    expect![[r#"
        0.8.2: brokers 3 racks=a,a,b
          line 4, column 11: 0.8.2 has no racks (R5.33); accepted: kafka 0.11 or later
        0.11: at 1s elect unclean orders/0
          line 4, column 13: 0.11 has no unclean election by command (KIP-460); accepted: kafka 2.8 or later
        0.8.2: at 1s reassign orders/0 cancel
          line 4, column 25: 0.8.2 has no reassignment that can be cancelled (KIP-455); accepted: kafka 2.8 or later
        0.11: consumer c2 topic=orders client.rack=a
          line 4, column 26: 0.11 has no client.rack (R7.8); accepted: kafka 2.8 or later
        4.4: controller 2
          line 4, column 12: in 4.4 no broker is the controller; accepted: no such line, or kafka 0.8.2, 0.11 or 2.8
        0.11: at 1s crash controller
          line 4, column 13: 0.11 has no controller of its own: a broker is it; accepted: zookeeper, or the id of the broker that is the controller
        3.9: at 1s crash zookeeper
          line 4, column 13: 3.9 has no ZooKeeper; accepted: controller
        0.8.2: producer p2 topic=orders enable.idempotence=true
          line 4, column 26: enable.idempotence is no producer setting of Kafka 0.8.2: it exists from 0.11 on; accepted: a release that has it, or another setting
        0.11: producer p2 topic=orders acks=2
          line 4, column 31: acks=2 is out of range in Kafka 0.11; accepted: -1 … 1, or all
        4.1: producer p2 topic=orders producer.type=async
          line 4, column 26: producer.type is no producer setting of Kafka 4.1: it exists up to 0.11; accepted: a release that has it, or another setting
        3.9: set unclean.recovery.strategy=Balanced
          line 4, column 5: unclean.recovery.strategy is no broker setting that the model has; accepted: the broker settings of docs/scenario-format.md
        0.11: set replica.lag.max.messages=10
          line 4, column 5: replica.lag.max.messages is no broker setting of Kafka 0.11: it exists up to 0.8.2; accepted: a release that has it, or another setting
        left out on 0.8.2: racks=a,a,b | client.rack=a | enable.idempotence=true | elect unclean orders/0 | reassign orders/0 cancel
        highwater 1
        kafka 0.8.2
        brokers 3
        topic orders replicas=3
        consumer c topic=orders
        producer p topic=orders


        at 2s crash zookeeper

    "#]].assert_eq(&all);
}

#[test]
fn a_scala_producer_is_known_by_its_settings() {
    let script = parsed(
        "highwater 1\nkafka 0.11\ntopic a\nproducer s topic=a producer.type=async\n\
         producer j topic=a request.timeout.ms=7\nat 1s set client s request.timeout.ms=8\n",
    );
    let owners: Vec<Owner> = script
        .statements()
        .filter_map(|(_, s)| match s {
            Statement::Producer(decl) => Some(decl.owner()),
            _ => None,
        })
        .collect();
    assert_eq!(owners, [Owner::ScalaProducer, Owner::Producer]);
    let set = script.actions().next().unwrap();
    let Action::Set(_, changes) = set.what else { panic!("{set:?}") };
    assert_eq!(changes, &[(Key::ScalaRequestTimeoutMs, Some(Value(8)))]);
}

#[test]
fn an_action_goes_in_by_its_time() {
    let mut script =
        parsed("highwater 1\n\nat 2s crash 1\nsay 3s en \"x\"\nat 3s crash 2\nuntil 9s\n# end\n");
    let crash = || Action::Crash(Place::Broker(BrokerId(3)));
    assert_eq!(script.insert(Micros::from_secs(3), crash()), 6);
    assert_eq!(script.insert(Micros::from_secs(1), crash()), 3);
    assert_eq!(script.insert(Micros::from_secs(5), crash()), 8);
    let fault = "drop fetch 2>1 #1";
    let statement = parsed(&format!("highwater 1\n{fault}\n")).lines[1].statement.clone();
    assert_eq!(script.push(statement.unwrap()), 11);
    expect![[r#"
        highwater 1

        at 1s crash 3
        at 2s crash 1
        say 3s en "x"
        at 3s crash 2
        at 3s crash 3
        at 5s crash 3
        until 9s
        # end
        drop fetch 2>1 #1
    "#]]
    .assert_eq(&print(&script));
    let times: Vec<_> = script.actions().map(|a| a.at.to_string()).collect();
    assert_eq!(times, ["1s", "2s", "3s", "3s", "5s"]);
    let mut empty = parsed("highwater 1\n");
    assert_eq!(empty.insert(Micros::ZERO, crash()), 2);
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z \"\\\\\n\t#=中]{0,12}",
        any::<char>().prop_filter("control", |c| !c.is_control()).prop_map(String::from)
    ]
}

fn text() -> impl Strategy<Value = Text> {
    (proptest::option::of(words()), words()).prop_map(|(en, zh)| Text { en, zh: Some(zh) })
}

fn time() -> impl Strategy<Value = Micros> {
    prop_oneof![
        0..100u64,
        (0..100u64).prop_map(|n| n * 1_500),
        (0..100u64).prop_map(|n| n * 500_000)
    ]
    .prop_map(Micros)
}

fn broker() -> impl Strategy<Value = BrokerId> {
    (1..=3u16).prop_map(BrokerId)
}

fn partition() -> impl Strategy<Value = PartitionName> {
    (r"orders|a\.b-c", 0..2u32).prop_map(|(topic, partition)| PartitionName { topic, partition })
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        broker().prop_map(Place::Broker),
        Just(Place::Controller),
        "p1|c1".prop_map(Place::Client),
    ]
}

fn link() -> impl Strategy<Value = Link> {
    (place(), place(), any::<bool>())
        .prop_filter("one end", |(a, b, _)| a != b)
        .prop_map(|(from, to, both)| Link { from, to, both })
}

fn replicas() -> impl Strategy<Value = Brokers> {
    Just(vec![1, 2, 3]).prop_shuffle().prop_flat_map(|ids| {
        (1..=3usize).prop_map(move |n| ids[..n].iter().map(|id| BrokerId(*id)).collect())
    })
}

fn setting() -> impl Strategy<Value = (Scope, Vec<(Key, Option<Value>)>)> {
    let topic = Scope::Topic("orders".to_owned());
    prop_oneof![
        (100_000..200_000i64)
            .prop_map(|n| { (Scope::Cluster, vec![(Key::ReplicaLagTimeMaxMs, Some(Value(n)))],) }),
        any::<bool>().prop_map(|on| {
            let key = Key::UncleanLeaderElectionEnable;
            (Scope::Broker(BrokerId(2)), vec![(key, Some(Value(on.into())))])
        }),
        Just((topic, vec![(Key::FlushMs, None), (Key::SegmentBytes, Some(Value(1 << 20)))])),
        (-1..=1i64).prop_map(|acks| {
            (Scope::Client("p1".to_owned()), vec![(Key::Acks, Some(Value(acks)))])
        }),
        (0..=2i64).prop_map(|word| {
            (Scope::Client("c1".to_owned()), vec![(Key::AutoOffsetReset, Some(Value(word)))])
        }),
        (0..=1i64)
            .prop_map(|word| (Scope::Cluster, vec![(Key::CordonedLogDirs, Some(Value(word)))])),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let seeded = |seeded| {
        if seeded { PowerLoss::Seeded } else { PowerLoss::All }
    };
    let faults = prop_oneof![
        place().prop_map(Action::Crash),
        place().prop_map(Action::Pause),
        broker().prop_map(Action::Wipe),
        (broker(), any::<bool>())
            .prop_map(move |(broker, s)| Action::PowerOff { broker, lose: seeded(s) }),
        (broker(), partition(), 0..99i64).prop_map(|(broker, partition, from)| Action::Lose {
            broker,
            partition,
            from
        }),
        (broker(), proptest::option::of(partition()), time())
            .prop_map(|(broker, partition, delay)| Action::Disk { broker, partition, delay }),
        (link(), proptest::option::of(time()))
            .prop_map(|(link, latency)| Action::Slow { link, latency }),
        link().prop_map(Action::Cut),
        proptest::option::of(link()).prop_map(Action::Heal),
    ];
    let commands = prop_oneof![
        setting().prop_map(|(scope, changes)| Action::Set(scope, changes)),
        (any::<bool>(), partition())
            .prop_map(|(unclean, partition)| Action::Elect { unclean, partition }),
        (partition(), proptest::option::of(replicas()))
            .prop_map(|(partition, target)| Action::Reassign { partition, target }),
        (
            proptest::collection::vec(words(), 1..4),
            proptest::option::of(words()),
            proptest::option::of(0..2u32)
        )
            .prop_map(|(values, key, partition)| Action::Send {
                producer: "p1".to_owned(),
                values,
                key,
                partition
            }),
        proptest::option::of((1..9u64).prop_map(Micros::from_ms))
            .prop_map(|every| Action::Every { producer: "p1".to_owned(), every }),
        (0..2u32, 0..99i64).prop_map(|(partition, offset)| Action::Seek {
            consumer: "c1".to_owned(),
            partition: PartitionName { topic: "orders".to_owned(), partition },
            offset
        }),
    ];
    prop_oneof![faults, commands]
}

fn expectation() -> impl Strategy<Value = Expectation> {
    let make = |subject, field: &str, relation, value| Expectation {
        subject,
        field: field.to_owned(),
        relation,
        value,
    };
    prop_oneof![
        (partition(), replicas()).prop_map(move |(name, ids)| {
            make(Subject::Partition(name), "isr", Relation::Is, ids.to_string())
        }),
        (partition(), broker(), words()).prop_map(move |(name, id, log)| {
            make(Subject::Replica(name, id), "log", Relation::IsNot, log)
        }),
        (0..9u32).prop_map(move |n| {
            make(Subject::Records, "acked-lost", Relation::AtMost, n.to_string())
        }),
        (0..9u32).prop_map(move |n| {
            make(Subject::Client("p1".to_owned()), "acked", Relation::AtLeast, n.to_string())
        }),
        broker().prop_map(move |id| {
            make(Subject::Broker(id), "state", Relation::Is, "powered-off".to_owned())
        }),
    ]
}

fn message() -> impl Strategy<Value = MessageFault> {
    let kind = prop_oneof![
        Just(MessageFaultKind::Drop),
        Just(MessageFaultKind::Duplicate),
        time().prop_map(MessageFaultKind::Delay),
    ];
    let names = proptest::sample::select(MessageKind::NAMES);
    (kind, names, link(), proptest::option::of(partition()), 1..99u32).prop_map(
        |(kind, name, link, partition, ordinal)| MessageFault {
            kind,
            message: MessageName {
                kind: name.to_owned(),
                from: link.from,
                to: link.to,
                partition,
                ordinal,
            },
        },
    )
}

fn statement() -> impl Strategy<Value = Option<Statement>> {
    prop_oneof![
        1 => Just(None),
        6 => (time(), action()).prop_map(|(at, action)| Some(Statement::At(at, action))),
        2 => (time(), text()).prop_map(|(at, text)| Some(Statement::Say(at, text))),
        2 => message().prop_map(|fault| Some(Statement::Message(fault))),
        2 => (time(), proptest::collection::vec(expectation(), 1..5))
            .prop_map(|(at, expected)| Some(Statement::Expect(at, expected))),
    ]
}

fn comment() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("( ?[a-z0-9#\"中]{1,5}){0,3}")
}

fn script() -> impl Strategy<Value = Script> {
    let line =
        (statement(), comment()).prop_map(|(statement, comment)| Line { statement, comment });
    proptest::collection::vec(line, 0..20).prop_map(|lines| {
        let mut script = parsed(
            "highwater 1\ntopic orders partitions=2 replicas=3\ntopic a.b-c assignment=1,2;2,3\n\
             producer p1 topic=orders\nconsumer c1 topic=orders\n",
        );
        script.lines.extend(lines);
        script
    })
}

proptest! {
    #[test]
    fn any_script_that_was_printed_parses_to_itself(script in script()) {
        check_round_trip(&script);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "(?s).{0,200}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_line_makes_the_parser_panic(lines in proptest::collection::vec(
        "(highwater|at|set|topic|producer|expect|drop|delay|say|brokers|network|consumer|#)\
         ( (1|2s|9.9s|1>2|-|a/0|a/0@1|a|client|broker|crash|send|disk|every|create|fetch|#1|=|x=|\
         isr=1|=\"|\"a b\"|racks=,|assignment=1,;|partitions=3|acks=all|中|,|5,|\\\\|/|@|\\.|a\\.|>)){0,5}",
        0..12,
    )) {
        if let Ok(script) = parse(&lines.join("\n")) {
            check_round_trip(&script);
        }
    }

    #[test]
    fn a_mutated_script_does_not_make_the_parser_panic(
        script in script(), at in any::<prop::sample::Index>(), with in any::<char>(),
    ) {
        let mut text: Vec<char> = print(&script).chars().collect();
        let at = at.index(text.len());
        text[at] = with;
        if let Ok(script) = parse(&text.into_iter().collect::<String>()) {
            check_round_trip(&script);
        }
    }
}
