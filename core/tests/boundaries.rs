//! Strict or not: every comparison of the rules, just below its edge, at it and just above.
//!
//! Each row cites its rule. Where the comparison is a function, that is called; where it sits in a
//! node, a tiny script is played.

use highwater_core::broker::{Broker, BrokerEffects};
use highwater_core::controller::liveness::Heartbeats;
use highwater_core::log::{Batch, BatchKind, Disk, Log, LogRules, ProducerStamp, SegmentLimits};
use highwater_core::partition::acks::{self, Standing};
use highwater_core::partition::alter_partition::{self, Proposed};
use highwater_core::partition::change::{Change, ChangeContext};
use highwater_core::partition::divergence::{self, OutOfRange};
use highwater_core::partition::epochs::{EpochEnd, EpochEntry, LogView};
use highwater_core::partition::high_watermark::{self, Candidate};
use highwater_core::partition::progress::{FollowerProgress, Lag};
use highwater_core::partition::reassignment::{self, Plan};
use highwater_core::partition::zk_election::imbalanced;
use highwater_core::partition::{Eligibility, Stored, isr, readers};
use highwater_core::script;
use highwater_core::settings::rules::{
    Acks, EpochBeforeFirst, FollowerAhead, HwSet, IsrCheck, IsrJoin, IsrLag, MinIsr,
    OutOfRangeRestart, ReassignmentCompletion, Truncation,
};
use highwater_core::settings::{Layers, Release, Rules};
use highwater_core::sim::Timeline;
use highwater_core::wire::message::{Body, LeaderAndIsr, Message};
use highwater_core::wire::metadata::{
    BrokerState, MetadataImage, MetadataRecord, PartitionState, Topic,
};
use highwater_core::words::{
    BrokerId, Brokers, ErrorCode, EventId, Micros, Node, Offset, PartitionId, RecordId,
};
use std::fmt::Debug;
use std::rc::Rc;

/// What comes out one below an edge, at it, and one above.
fn at_the_edge<T: Debug + PartialEq>(
    rule: &str,
    what: &str,
    edge: i64,
    outcome: impl Fn(i64) -> T,
    wanted: [T; 3],
) {
    let found = [edge - 1, edge, edge + 1].map(outcome);
    assert_eq!(found, wanted, "{rule}: {what}, around {edge}");
}

fn brokers(ids: &[u16]) -> Brokers {
    ids.iter().map(|id| BrokerId(*id)).collect()
}

const NOW: Micros = Micros::from_secs(100);
const LAG: Micros = Micros::from_secs(10);
const ACTIVE: Eligibility = Eligibility { active: true, broker_epoch: 7 };

/// A follower whose log ends at `end`, last heard of and caught up so long ago.
fn follower(end: Offset, ago: Micros) -> FollowerProgress {
    let at = Some(NOW - ago);
    FollowerProgress {
        end,
        last_caught_up: at,
        last_fetch: at,
        leader_end_at_last_fetch: end,
        broker_epoch: 7,
    }
}

fn micros(n: i64) -> Micros {
    Micros(n as u64)
}

#[test]
fn answers_to_producers() {
    let before = |isr: i64| acks::before_append(acks::ALL, isr as usize, 2).is_ok();
    at_the_edge("R2.7", "|ISR| < min ISR refuses", 2, before, [false, true, true]);
    let capped = |min: i64| high_watermark::effective_min_isr(MinIsr::Capped, min, 3);
    at_the_edge("R2.7", "min ISR is capped by the replicas", 3, capped, [2, 3, 3]);
    let three = |acks: i64| acks::is_valid(Acks::Three, acks as i32);
    at_the_edge("R2.9", "acks from -1 on", -1, three, [false, true, true]);
    at_the_edge("R2.9", "acks up to 1", 1, three, [true, true, false]);
    let at = Standing { hw: 10, required: 10, isr_size: 2, min_isr: 2, reached: 0 };
    let by_hw = |hw: i64| acks::after_append(-1, Standing { hw, ..at });
    let (ok, few) = (Some(ErrorCode::None), Some(ErrorCode::NotEnoughReplicasAfterAppend));
    at_the_edge("R2.10", "HW >= the required offset", 10, by_hw, [None, ok, ok]);
    let by_isr = |n: i64| acks::after_append(-1, Standing { isr_size: n as usize, ..at });
    at_the_edge("R2.10", "|maximal ISR| < min ISR", 2, by_isr, [few, ok, ok]);
    let reached = |n: i64| acks::after_append(2, Standing { reached: n as usize, ..at });
    at_the_edge("R2.9", "acks=2: so many have it", 2, reached, [None, ok, ok]);
}

#[test]
fn who_leaves_the_isr_and_who_joins() {
    let period = |rule| isr::check_period(rule, LAG);
    assert_eq!(period(IsrCheck::EveryLagTime), LAG, "R2.14");
    assert_eq!(period(IsrCheck::EveryHalf), Micros::from_secs(5), "R2.14");
    let second = Micros::from_secs(1);
    let quiet = |ago: i64| isr::is_notice_due(NOW - micros(ago), NOW - second, NOW);
    at_the_edge("R2.22", "told after 5 s of quiet", 5_000_000, quiet, [false, false, true]);
    let silent = |ago: i64| isr::is_notice_due(NOW - second, NOW - micros(ago), NOW);
    at_the_edge("R2.22", "told after 60 s at last", 60_000_000, silent, [false, false, true]);
    let lag = |rule| Lag { rule, max: LAG, max_messages: 4 };
    for rule in [IsrLag::FetchOrMessages, IsrLag::CaughtUp, IsrLag::BehindAndCaughtUp] {
        let late = |ago: i64| follower(8, micros(ago)).is_out_of_sync(10, NOW, lag(rule));
        let edge = LAG.0 as i64;
        at_the_edge("R2.15", "the lag is strictly longer", edge, late, [false, false, true]);
    }
    let behind = |n: i64| {
        let rule = lag(IsrLag::FetchOrMessages);
        follower(10 - n, Micros::ZERO).is_out_of_sync(10, NOW, rule)
    };
    at_the_edge("R2.15", "strictly more messages behind", 4, behind, [false, false, true]);
    let whole = |end: i64| {
        let rule = lag(IsrLag::BehindAndCaughtUp);
        follower(end, LAG + LAG).is_out_of_sync(10, NOW, rule)
    };
    at_the_edge("R2.15", "who ends where the leader does stays", 10, whole, [true, false, true]);
    let joins = |rule, hw, start| {
        move |end: i64| isr::may_join(rule, &follower(end, Micros::ZERO), hw, start, ACTIVE)
    };
    for rule in [IsrJoin::HighWatermark, IsrJoin::EpochStart, IsrJoin::Eligible] {
        at_the_edge("R2.17", "LEO >= HW", 10, joins(rule, 10, 0), [false, true, true]);
    }
    for rule in [IsrJoin::EpochStart, IsrJoin::Eligible] {
        let start = joins(rule, 0, 10);
        at_the_edge("R2.17", "LEO >= the epoch's start", 10, start, [false, true, true]);
    }
    at_the_edge(
        "R2.17",
        "LEO >= the epoch's start is not asked in 0.8",
        10,
        joins(IsrJoin::HighWatermark, 0, 10),
        [true, true, true],
    );
    let same = |epoch: i64| ACTIVE.allows(epoch);
    at_the_edge("R2.17", "the broker epoch is the same", 7, same, [false, true, false]);
    at_the_edge("R2.17", "-1 is not checked", -1, same, [false, true, false]);
}

#[test]
fn the_high_watermark() {
    let candidate = |end, ago, in_maximal_isr| Candidate {
        progress: follower(end, ago),
        in_maximal_isr,
        eligibility: ACTIVE,
    };
    let moved = |end: i64| {
        let members = [candidate(end, Micros::ZERO, true)].into_iter();
        high_watermark::advanced(HwSet::Isr, 10, 20, members, NOW, LAG)
    };
    at_the_edge("R2.18", "it moves only up", 10, moved, [None, None, Some(11)]);
    let edge = LAG.0 as i64;
    for rule in [HwSet::CaughtUp, HwSet::Eligible] {
        let counts = |ago: i64| candidate(5, micros(ago), false).counts(rule, 20, NOW, LAG);
        at_the_edge("R2.18", "caught up within the lag", edge, counts, [true, true, false]);
    }
    let held = |isr: i64| high_watermark::is_held(true, isr as usize, 2);
    at_the_edge("R2.19", "|ISR| < min ISR holds it", 2, held, [true, false, false]);
    let followed = |hw: i64| high_watermark::followed(hw, 5, 10);
    at_the_edge("R3.3", "no further than the log", 10, followed, [9, 10, 10]);
    at_the_edge("R3.3", "not before its start", 5, followed, [5, 5, 6]);
    let withheld = |hw: i64| {
        readers::latest_offset(readers::Isolation::Uncommitted, true, (hw, 20), 10, None).is_ok()
    };
    at_the_edge("R4.5", "HW < the epoch's start is withheld", 10, withheld, [false, true, true]);
}

#[test]
fn fetches_and_their_epochs() {
    let within = |offset: i64| divergence::check_offset(5, 10, offset).is_ok();
    at_the_edge("R2.30", "not behind the end", 10, within, [true, true, false]);
    at_the_edge("R2.30", "not before the start", 5, within, [false, true, true]);
    let epoch = |epoch: i64| readers::check_leader_epoch(true, epoch as i32, 5);
    let (fenced, unknown) = (ErrorCode::FencedLeaderEpoch, ErrorCode::UnknownLeaderEpoch);
    let wanted = [Err(fenced), Ok(()), Err(unknown)];
    at_the_edge("R2.31", "the leader epoch is the same", 5, epoch, wanted);
    let old = |epoch: i64| readers::check_follower(true, 5, epoch, 7).is_ok();
    at_the_edge("R2.3", "no older broker epoch", 7, old, [false, true, true]);
    let known = EpochEnd { epoch: 3, end: 10 };
    let diverges = |offset: i64| divergence::check_epoch(0, Some(known), offset, 3) == Ok(None);
    at_the_edge("R3.14", "a fetch behind the epoch's end", 10, diverges, [true, true, false]);
    let later = |epoch: i64| divergence::check_epoch(0, Some(known), 10, epoch as i32) == Ok(None);
    at_the_edge("R3.14", "of a later epoch than known", 3, later, [true, true, false]);
    let epochs = [EpochEntry { epoch: 3, start: 0 }, EpochEntry { epoch: 4, start: 8 }];
    let before_first = EpochBeforeFirst::FirstStart;
    let log = LogView { start: 0, end: 12, epochs: &epochs, before_first };
    let cut = |end: i64| divergence::after_divergence(log, EpochEnd { epoch: 3, end }).to;
    at_the_edge("R3.13", "the shorter end of the epoch", 8, cut, [7, 8, 8]);
    let none = LogView { epochs: &[], ..log };
    let kip101 = Truncation::Kip101;
    let asked = |end: i64| divergence::after_epoch_answer(kip101, none, 2, (-1, end)).to;
    at_the_edge("R3.12", "no further than the log", 12, asked, [11, 12, 12]);
    at_the_edge("R3.12", "undefined: to the HW", -1, asked, [2, 2, 0]);
    let first = |latest: i64| {
        divergence::beginning(Truncation::Fetch, 2, latest as i32) == divergence::Beginning::Fetch
    };
    at_the_edge("R3.14", "a log that knows an epoch", 0, first, [false, true, true]);
    let goes_on = |start: i64| divergence::behind(OutOfRangeRestart::Continues, 10, start);
    let wanted = [OutOfRange::Continue, OutOfRange::Continue, OutOfRange::RestartAt(11)];
    at_the_edge("R3.16", "the leader starts behind its end", 10, goes_on, wanted);
    let wanted = [OutOfRange::Halt, OutOfRange::TruncateTo(3)];
    let ahead = |unclean| divergence::ahead(FollowerAhead::Halts, 3, unclean);
    assert_eq!([ahead(false), ahead(true)], wanted, "R3.16");
}

#[test]
fn sessions_and_epochs_at_the_controller() {
    let (one, timeout) = (BrokerId(1), Micros::from_secs(9));
    let mut heard = Heartbeats::default();
    heard.touch(one, 3, 0, NOW);
    let edge = (NOW + timeout).0 as i64;
    let expired = |now: i64| heard.expired([one].into_iter(), micros(now), timeout).is_some();
    at_the_edge("R5.3", "strictly older than the limit", edge, expired, [false, false, true]);
    let held = |now: i64| heard.has_session(one, 3, micros(now), timeout);
    at_the_edge("R5.5", "not older than the limit", edge, held, [true, true, false]);
    let all = brokers(&[1, 2, 3]);
    let stored = Stored { leader_epoch: 5, partition_epoch: 5, ..Stored::new(all, all) };
    let asked = |leader_epoch, partition_epoch| {
        let proposed = Proposed { leader_epoch, partition_epoch, isr: &[], recovering: false };
        alter_partition::validate(&proposed, one, &stored, &|_| None).unwrap_err()
    };
    // An empty ISR is refused, but behind the tests of the epochs.
    let (fenced, future) = (ErrorCode::FencedLeaderEpoch, ErrorCode::NotController);
    let wanted = [fenced, ErrorCode::InvalidRequest, future];
    at_the_edge("R2.24", "the leader epoch", 5, |e| asked(e as i32, 5), wanted);
    let wanted = [ErrorCode::InvalidUpdateVersion, ErrorCode::InvalidRequest, future];
    at_the_edge("R2.24", "the partition epoch", 5, |e| asked(5, e as i32), wanted);
    let rules = Rules::of(Release::V4_4, true);
    let world = ChangeContext { rules: &rules, min_isr: 2, acceptable: &|_| true };
    let elr = |n: i64| {
        let isr = stored.replicas.iter().copied().take(n as usize).collect();
        let change = Change { isr, ..Change::of(&stored) };
        let changed = change.build(&stored, &world).expect("no stranger would win");
        changed.map_or(0, |changed| changed.state.elr.len())
    };
    at_the_edge("R5.22", "|ISR| >= min ISR empties the ELR", 2, elr, [2, 0, 0]);
    let given_back = |misplaced: i64| {
        let at = |i| (Some(one), Some(if i < misplaced { BrokerId(2) } else { one }));
        let all: Vec<_> = (0..10).map(at).collect();
        imbalanced(&all, 20).count()
    };
    at_the_edge("R5.16", "strictly more than the share", 2, given_back, [0, 0, 3]);
}

/// More are removed than added: the whole target must be in the ISR.
#[test]
fn a_move_that_shrinks() {
    let current = brokers(&[1, 2, 3]);
    let done = |removed: i64| {
        // 4 is added, as many as that go, and 1 is not in the ISR.
        let kept = brokers(&[1, 2, 3][..3 - removed as usize]);
        let plan = Plan::to(&current, &kept.union(&[BrokerId(4)])).expect("it fits");
        let isr = brokers(&[2, 3, 4]);
        reassignment::completed(&plan, &isr, ReassignmentCompletion::Added).is_some()
    };
    at_the_edge("R5.37", "fewer are added than removed", 1, done, [true, true, false]);
}

fn rules() -> LogRules {
    LogRules::of(&Rules::of(Release::V4_4, true))
}

const NO_LIMIT: SegmentLimits = SegmentLimits { bytes: 1 << 30, age: Micros::LIMIT };

fn batch(bytes: u32, producer: Option<ProducerStamp>) -> Batch {
    let records = [RecordId(0)].into();
    Batch {
        base: 0,
        epoch: 0,
        bytes,
        producer,
        kind: BatchKind::Plain,
        records,
        appended: Micros::ZERO,
    }
}

/// A log with so many records, each 100 bytes.
fn log_of(records: i64) -> Log {
    let mut log = Log::new(0, rules(), Micros::ZERO);
    for _ in 0..records {
        log.append_as_leader(batch(100, None), 0, NO_LIMIT, Micros::ZERO).expect("it fits");
    }
    log
}

#[test]
fn logs() {
    let rolls = |limits: SegmentLimits, now: i64| {
        let appended = log_of(2).append_as_leader(batch(100, None), 0, limits, micros(now));
        appended.expect("it fits").rolled.is_some()
    };
    let by_size = |bytes: i64| rolls(SegmentLimits { bytes: bytes as u64, ..NO_LIMIT }, 0);
    at_the_edge("R1.3", "size > limit - batch", 300, by_size, [true, false, false]);
    let by_age = |now: i64| rolls(SegmentLimits { age: micros(1000), ..NO_LIMIT }, now);
    at_the_edge("R1.3", "strictly older", 1000, by_age, [false, false, true]);
    let loaded = |hw: i64| {
        let mut disk = Disk::default();
        disk.hw.insert(PartitionId(0), hw);
        disk.loaded_hw(PartitionId(0), &log_of(10))
    };
    at_the_edge("R1.11", "no further than the log", 10, loaded, [9, 10, 10]);
    at_the_edge("R1.11", "not before its start", 0, loaded, [0, 0, 1]);
    let cut = |to: i64| log_of(10).truncate_to(to, NOW).is_some();
    at_the_edge("R1.26", "T >= LEO changes no data", 10, cut, [true, false, false]);
    let stamp = |first_sequence: i32| ProducerStamp { id: 1, epoch: 0, first_sequence };
    let mut log = Log::new(0, rules(), NOW);
    for sequence in 0..8 {
        let batch = batch(100, Some(stamp(sequence)));
        log.append_as_leader(batch, 0, NO_LIMIT, NOW).expect("the next");
    }
    let repeated = |back: i64| {
        let rule = rules().remembered_batches;
        log.producers().repeated(rule, &stamp(8 - back as i32), 1).is_some()
    };
    at_the_edge("R6.16", "five batches are remembered", 5, repeated, [true, true, false]);
    let next =
        |sequence: i64| log.producers().validate(&rules(), &stamp(sequence as i32), 1).is_ok();
    at_the_edge("R6.16", "the next sequence number", 8, next, [false, true, false]);
    let epoch = |epoch: i64| {
        let stamp = ProducerStamp { id: 1, epoch: 5 + epoch as i16, first_sequence: 1 };
        let known = ProducerStamp { epoch: 5, first_sequence: 0, ..stamp };
        let mut log = Log::new(0, rules(), NOW);
        log.append_as_leader(batch(100, Some(known)), 0, NO_LIMIT, NOW).expect("the first");
        log.producers().validate(&rules(), &stamp, 1).err()
    };
    let wanted =
        [Some(ErrorCode::InvalidProducerEpoch), None, Some(ErrorCode::OutOfOrderSequenceNumber)];
    at_the_edge("R6.16", "no older producer epoch", 0, epoch, wanted);
}

/// What a broker of 2.8, which knows epoch 5 of a partition and epoch 3 of the controller, answers
/// to that LeaderAndIsr.
fn told(leader_epoch: i64, controller_epoch: i64) -> ErrorCode {
    let settings = Rc::new(Layers::new(Release::V2_8));
    let mut image = MetadataImage::new(settings.clone());
    let directory = 1;
    let up =
        BrokerState { epoch: 1, incarnation: 1, fenced: false, shutting_down: false, directory };
    image.apply(&MetadataRecord::Broker(BrokerId(1), up));
    let topic = Rc::new(Topic { name: "orders".into(), partitions: vec![PartitionId(0)] });
    image.apply(&MetadataRecord::Topic(topic));
    let both = brokers(&[1, 2]);
    let state = |leader_epoch| {
        let leader = Some(BrokerId(2));
        let stored = Stored { leader, leader_epoch, ..Stored::new(both, both) };
        Rc::new(PartitionState { stored, ..PartitionState::default() })
    };
    image.apply(&MetadataRecord::Partition(PartitionId(0), state(5)));
    image.apply(&MetadataRecord::Controller(Some(BrokerId(2)), 3));
    let mut broker = Broker::new(BrokerId(1), directory, Rules::of(Release::V2_8, false), settings);
    let mut fx = BrokerEffects::new(0);
    broker.form(&image, Micros::ZERO, &mut fx);
    let body = Body::LeaderAndIsr(Box::new(LeaderAndIsr {
        controller: BrokerId(2),
        controller_epoch: controller_epoch as i32,
        topics: image.topics.clone(),
        parts: vec![(PartitionId(0), state(leader_epoch as i32))],
        live: both.into(),
    }));
    broker.receive(
        Node::Broker(BrokerId(2)),
        Message { correlation: 9, body, why: EventId::NONE },
        &mut fx,
    );
    let answer = fx.sends.iter().find_map(|send| match send.message.body {
        Body::LeaderAndIsrResponse(error) => Some(error),
        _ => None,
    });
    answer.expect("an answer")
}

#[test]
fn what_the_controller_tells_a_broker() {
    let (ok, stale) = (ErrorCode::None, ErrorCode::StaleControllerEpoch);
    let wanted = [stale, stale, ok];
    at_the_edge("R3.7", "a later leader epoch than known", 5, |e| told(e, 3), wanted);
    let wanted = [stale, ok, ok];
    at_the_edge("R3.7", "no earlier controller", 3, |epoch| told(6, epoch), wanted);
}

fn played(text: &str, until: Micros) -> Timeline {
    let parsed = script::parse(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let mut timeline = Timeline::new(parsed).expect("a cluster that can be set up");
    timeline.run_until(until);
    timeline
}

#[test]
fn flushes() {
    let flushed = |timeline: &Timeline| {
        let broker = timeline.world().broker(BrokerId(1)).expect("a broker");
        broker.replicas.get(&PartitionId(0)).expect("a replica").log.flushed()
    };
    let by_count = |records: i64| {
        let mut text = "highwater 1\nbrokers 1,\ntopic orders replicas=1 flush.messages=3\n\
                        producer p1 topic=orders acks=1 linger.ms=0\n"
            .to_owned();
        (0..records).for_each(|i| text += &format!("at {}ms send p1 \"x\"\n", 1000 + 100 * i));
        flushed(&played(&text, Micros::from_secs(5)))
    };
    at_the_edge("R1.7", "LEO - flushed >= the limit", 3, by_count, [0, 3, 3]);
    // Looked at every second, from the start on: the log's last flush was at its creation.
    let by_age = |limit: i64| {
        let text = format!(
            "highwater 1\nbrokers 1,\nset log.flush.scheduler.interval.ms=1000\n\
             topic orders replicas=1 flush.ms={limit}\nproducer p1 topic=orders acks=1 linger.ms=0\n\
             at 1s send p1 \"x\"\n"
        );
        flushed(&played(&text, Micros::from_ms(2500)))
    };
    at_the_edge("R1.7", "now - last flush >= the limit", 2000, by_age, [1, 1, 0]);
}

#[test]
fn retries() {
    // Nobody takes acks=all: the only other replica is down.
    let script = |settings: &str| {
        format!(
            "highwater 1\nbrokers 2\ntopic orders assignment=1,2 min.insync.replicas=2\n\
             producer p1 topic=orders acks=all linger.ms=0 {settings}\n\
             at 1s stop 2\nat 5s send p1 \"x\"\n"
        )
    };
    let record = |timeline: &Timeline| timeline.world().audit().record(RecordId(0)).cloned();
    let attempts = |retries: i64| {
        let text = script(&format!("retries={retries} enable.idempotence=false"));
        record(&played(&text, Micros::from_secs(60))).expect("a record").attempts
    };
    at_the_edge("R6.7", "attempts < retries", 1, attempts, [1, 2, 3]);
    let text = script("delivery.timeout.ms=3000 request.timeout.ms=1000");
    let pending = |at: i64| {
        let timeline = played(&text, micros(at));
        record(&timeline).expect("a record").answer == highwater_core::audit::Answer::Pending
    };
    let edge = Micros::from_ms(8000).0 as i64;
    at_the_edge("R6.7", "now - created < delivery.timeout.ms", edge, pending, [true, false, false]);
}

/// The order that was recorded on 2.8.2, and that its hash map gives.
#[test]
fn replicas_that_leave_together() {
    use highwater_core::partition::zk_change::drop_rank;
    use highwater_core::settings::rules::DroppedOrder;
    let all: Vec<BrokerId> = (0..12).map(BrokerId).collect();
    let order = |rule: DroppedOrder| {
        let mut sorted = all.clone();
        sorted.sort_by_key(|b| drop_rank(rule, *b, &all));
        sorted.iter().map(|b| b.0).collect::<Vec<_>>()
    };
    assert_eq!(order(DroppedOrder::Hashed), [0, 5, 10, 1, 6, 9, 2, 7, 3, 11, 8, 4], "R5.12");
    assert_eq!(order(DroppedOrder::List), (0..12).collect::<Vec<_>>(), "R5.12");
}
