//! Scenarios in which a finding happens: built from the settings that were given, and short. Each
//! ends with what must come out; with the change made, that does not come out.

use super::setup::Setup;
use alloc::format;
use alloc::string::String;
use highwater_core::settings::{Key, Owner, Release};

/// What a proof shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// The leader dies with a record that no follower has (A6, A7).
    LeaderDies,
    /// The ISR has shrunk to the leader, and its disk goes (A12).
    LastOne,
    /// A replica that lacks a record is elected (A9).
    Unclean,
    /// The disk of the only replica goes.
    OneCopy,
    /// An answer is lost, and the batch sent again (A15).
    AnswerLost,
    /// A request is lost, the next one is not (A16).
    RequestLost,
    /// One replica dies, and acks=all is refused (A31).
    OneFewer,
    /// A write with acks=all, and everything is well.
    AllWell,
    /// The leader dies under a producer that writes all the time.
    Failover,
    /// A leader is stopped, and hands nothing over.
    Stop,
    /// A consumer dies between a record and its commit (A27).
    ReaderDies,
    /// A consumer comes to a topic that has records, for the first time.
    NewReader,
}

impl Proof {
    /// Its script, or `None` where the settings leave it no room.
    pub fn script(self, setup: &Setup) -> Option<String> {
        match self {
            Proof::LeaderDies => leader_dies(setup),
            Proof::LastOne => last_one(setup),
            Proof::Unclean => unclean(setup),
            Proof::OneCopy => one_copy(setup),
            Proof::AnswerLost => answer_lost(setup),
            Proof::RequestLost => request_lost(setup),
            Proof::OneFewer => one_fewer(setup),
            Proof::AllWell => Some(all_well(setup)),
            Proof::Failover => failover(setup),
            Proof::Stop => stop(setup),
            Proof::ReaderDies => reader_dies(setup),
            Proof::NewReader => new_reader(setup),
        }
    }
}

fn others(setup: &Setup) -> impl Iterator<Item = u32> {
    3..2 + setup.replicas
}

/// The leader is cut off from its followers, acknowledges, and dies.
fn leader_dies(setup: &Setup) -> Option<String> {
    if setup.replicas < 2 {
        return None;
    }
    let mut text = setup.head("") + "at 3s send p1 \"a\"\n";
    for follower in others(setup) {
        text += &format!("at 5s cut 2>{follower}\n");
    }
    let end = 20_000 + setup.session_ms();
    text += "at 5100ms send p1 \"b\"\nat 5500ms crash 2\nat 6s heal all\n";
    // The record is on the dead leader only, and another leads without it.
    Some(
        text + &format!(
            "at {end}ms start 2\nexpect {}ms records.acked-lost=1\nuntil {}ms\n",
            end + 20_000,
            end + 20_000
        ),
    )
}

/// All followers die; what is acknowledged then is on one disk, which goes.
fn last_one(setup: &Setup) -> Option<String> {
    if setup.replicas < 2 {
        return None;
    }
    let setup = setup.clone().or(Owner::Producer, "acks", "all");
    let mut text = setup.head("");
    for follower in others(&setup) {
        text += &format!("at 5s crash {follower}\n");
    }
    let at = 6_000 + setup.shrunk_ms();
    let end = at + 10_000;
    text += &format!(
        "at {at}ms send p1 \"a\"\nat {}ms crash 2\nat {}ms wipe 2\n",
        at + 5_000,
        at + 6_000
    );
    Some(text + &format!("expect {end}ms records.acked-lost=1\nuntil {end}ms\n"))
}

/// A follower is down while a record is acknowledged; then all others die, and it comes back alone.
fn unclean(setup: &Setup) -> Option<String> {
    if setup.replicas < 2 {
        return None;
    }
    let setup =
        setup.clone().or(Owner::Producer, "acks", if setup.is_strict() { "1" } else { "all" });
    let last = 1 + setup.replicas;
    let shrunk = 6_000 + setup.shrunk_ms();
    let dead = shrunk + 5_000;
    let back = dead + setup.session_ms() + 5_000;
    let interval = setup.broker_values().known_ms(Key::UncleanLeaderElectionIntervalMs);
    let wait = interval.map_or(30_000, |i| (i.0 / 1000) as i64 + 30_000);
    let end = back + wait + 30_000;
    let mut text = setup.head("") + "at 3s send p1 \"a\"\n";
    text += &format!("at 5s crash {last}\nat {shrunk}ms send p1 \"b\"\n");
    for broker in 2..last {
        text += &format!("at {dead}ms crash {broker}\n");
    }
    text += &format!("at {back}ms start {last}\n");
    Some(
        text + &format!(
            "expect {end}ms orders/0.leader={last} records.acked-lost=1\nuntil {end}ms\n"
        ),
    )
}

fn one_copy(setup: &Setup) -> Option<String> {
    let acks = if setup.is_never_met() { "1" } else { "all" };
    let setup = setup.clone().or(Owner::Producer, "acks", acks);
    let end = 15_000 + setup.session_ms();
    let text = setup.head("") + "at 3s send p1 \"a\"\nat 6s crash 2\nat 7s wipe 2\n";
    Some(text + &format!("expect {end}ms records.acked-lost=1\nuntil {end}ms\n"))
}

/// The broker appends, its answer is lost, and the producer sends again.
fn answer_lost(setup: &Setup) -> Option<String> {
    let values = setup.producer_values();
    let request = values.get(Key::ProducerRequestTimeoutMs);
    if setup.release == Release::V0_8_2 || request > 600_000 {
        return None;
    }
    let end = 3_000 + request + 10_000;
    let text = setup.head("") + "drop produce-response 2>p1 orders/0 #1\nat 3s send p1 \"a\"\n";
    Some(text + &format!("expect {end}ms records.duplicated=1\nuntil {end}ms\n"))
}

/// Of two requests under way the first is lost.
fn request_lost(setup: &Setup) -> Option<String> {
    let values = setup.producer_values();
    let request = values.get(Key::ProducerRequestTimeoutMs);
    let linger = values.get(Key::LingerMs);
    if setup.release == Release::V0_8_2 || request > 600_000 || linger > 10_000 {
        return None;
    }
    let second = 3_100 + linger;
    let end = second + request + 10_000;
    let text = setup.head("") + "drop produce p1>2 orders/0 #1\nat 3s send p1 \"first\"\n";
    Some(
        text + &format!(
            "at {second}ms send p1 \"second\"\nexpect {end}ms records.reordered=1\nuntil {end}ms\n"
        ),
    )
}

/// One replica dies, and stays away.
fn one_fewer(setup: &Setup) -> Option<String> {
    let setup = setup.clone().or(Owner::Producer, "acks", "all");
    let (dies, left) = if setup.replicas > 1 { (1 + setup.replicas, true) } else { (2, false) };
    let at = 6_000 + setup.shrunk_ms();
    let end = at + 10_000;
    let seen = if left { "orders/0.min-isr-met=no" } else { "orders/0.leader=none" };
    let text = setup.head("")
        + &format!("at 3s send p1 \"a\"\nat 5s crash {dies}\nat {at}ms send p1 \"b\"\n");
    Some(text + &format!("expect {end}ms {seen} p1.acked<=1\nuntil {end}ms\n"))
}

/// There can be too few replicas from the beginning.
fn all_well(setup: &Setup) -> String {
    let setup = setup.clone().or(Owner::Producer, "acks", "all");
    setup.head("")
        + "at 3s send p1 \"a\"\nexpect 10s orders/0.min-isr-met=no p1.acked<=0\nuntil 10s\n"
}

/// The leader dies while a producer writes ten records a second.
fn failover(setup: &Setup) -> Option<String> {
    if setup.replicas < 2 {
        return None;
    }
    let setup = setup.clone().or(Owner::Producer, "acks", "all");
    let values = setup.producer_values();
    let patience = values.known_ms(Key::DeliveryTimeoutMs).map_or(0, |d| (d.0 / 1000) as i64);
    let end = 20_000 + setup.session_ms() * 2 + patience.min(150_000);
    // A request is under way when the leader dies.
    let dies = 10_010 + values.get(Key::LingerMs).min(5_000);
    let text = setup.head(" every=100ms from=1s until=15s");
    let text = text + &format!("at 2s slow p1-2 20ms\nat {dies}ms crash 2\n");
    Some(text + &format!("expect {end}ms p1.failed>=1\nuntil {end}ms\n"))
}

fn stop(setup: &Setup) -> Option<String> {
    // ZooKeeper hears at once that a session was closed.
    if setup.replicas < 2 || setup.release < Release::V3_9 {
        return None;
    }
    let text = setup.head("") + "at 3s send p1 \"a\"\nat 5s stop 2\n";
    Some(text + "expect 7s orders/0.leader!=3\nuntil 30s\n")
}

fn reader_dies(setup: &Setup) -> Option<String> {
    // Who was killed keeps its place for a session.
    let setup = setup.clone().or(Owner::Consumer, "session.timeout.ms", "6000");
    let end = 15_000 + setup.consumer_session_ms() * 2;
    let text = format!("{}{}", setup.head(" every=100ms until=20s"), setup.consumer(" group=g"));
    Some(
        text + &format!(
            "at 9300ms crash c1\nat 10s start c1\nexpect {end}ms c1.duplicates>=1\nuntil {end}ms\n"
        ),
    )
}

fn new_reader(setup: &Setup) -> Option<String> {
    let text = format!("{}{}", setup.head(""), setup.consumer(" group=g"));
    Some(
        text + "at 50ms send p1 \"a\"\nat 20s send p1 \"b\"\n\
            expect 40s c1.values=\"b\"\nuntil 40s\n",
    )
}
