//! Kafka's own model: what breaks a promise on each release, by which shortest run, and what does
//! not within its bounds.
//!
//! Runs are written as the model names its steps; brokers are places, 0 is broker 1.

use expect_test::{Expect, expect};
use highwater_core::settings::Release;
use highwater_explore::kafka::{Fault, Kafka, Property, Question, Refusal, Step, words};
use highwater_explore::{Keep, Options, Search, Verdict};

fn explored(question: Question) -> Search<Kafka<3>> {
    let model = Kafka::new(question).expect("a good question").expect("three words");
    let wanted = question.property.bit();
    let options = Options { symmetric: false, wanted, memory: 1 << 30, keep: Keep::States };
    let mut search = Search::new(model, options).expect("room");
    while search.run(|_| true).is_none() {}
    search
}

/// "safe" with the number of states and levels, or the shortest run that breaks the promise.
fn answer(question: Question) -> String {
    let search = explored(question);
    let progress = search.progress();
    match search.verdict() {
        Some(Verdict::Exhausted) => {
            format!("safe: {} states, {} levels", progress.distinct, progress.depth)
        }
        Some(Verdict::Broken) => {
            let run = search.trace(&search.found()[0]);
            let steps = run.iter().filter_map(|s| s.action).map(|a| format!("{:?}", Step::of(a)));
            steps.collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    }
}

#[track_caller]
fn check(question: Question, expected: Expect) {
    expected.assert_eq(&answer(question));
}

fn recipe() -> Question {
    Question { max_epoch: 3, ..Question::recipe(Release::V4_4) }
}

#[test]
fn acks_1_loses_by_one_crash() {
    check(
        Question { acks: 1, ..recipe() }.with(Fault::Crash, 1),
        expect!["Produce(0) Crash(0) Fence(0) Hear(1)"],
    );
}

#[test]
fn the_recipe_survives_two_crashes() {
    check(recipe().with(Fault::Crash, 2), expect!["safe: 33387 states, 24 levels"]);
}

#[test]
fn the_recipe_survives_a_power_loss() {
    check(recipe().with(Fault::Power, 1), expect!["safe: 1247 states, 18 levels"]);
}

#[test]
fn min_isr_1_loses_when_the_others_lag() {
    let question = Question { min_isr: 1, ..recipe() };
    check(
        question.with(Fault::Lag, 2).with(Fault::Power, 1),
        expect!["Produce(0) Shrink(0, 6) Alter(0) Hear(0) Power(0)"],
    );
}

#[test]
fn one_copy_in_a_page_cache_is_lost_with_the_power() {
    // The other copy is on a broker that crashed and registered anew: it may lack records that it
    // had not flushed, so it is taken off the ELR, and the last known leader leads (R5.25, R5.29).
    let question = recipe().with(Fault::Crash, 1).with(Fault::Lag, 1);
    check(
        question.with(Fault::Power, 1),
        expect![
            "Produce(0) Shrink(0, 2) Alter(0) Hear(0) Fetch(2, 0) FetchUnanswered(2, 0) Crash(0) Start(0) Power(2) Start(2) Hear(2) Unfence(2) Hear(2)"
        ],
    );
    check(
        Question { flush_every_record: true, ..question }.with(Fault::Power, 1),
        expect!["safe: 140929 states, 29 levels"],
    );
}

#[test]
fn unclean_elections_lose_what_two_replicas_had() {
    let question = Question { unclean: true, ..recipe() };
    check(
        question.with(Fault::Crash, 2).with(Fault::Lag, 1),
        expect![
            "Produce(0) Shrink(0, 2) Alter(0) Hear(0) Fetch(2, 0) FetchUnanswered(2, 0) Crash(0) Fence(0) Crash(2) Fence(2) Hear(1)"
        ],
    );
    check(
        recipe().with(Fault::Crash, 2).with(Fault::UncleanElection, 1).with(Fault::Lag, 1),
        expect![
            "Produce(0) Shrink(0, 2) Alter(0) Hear(0) Fetch(2, 0) FetchUnanswered(2, 0) Crash(0) Fence(0) Crash(2) Fence(2) UncleanElection Hear(1)"
        ],
    );
}

#[test]
fn two_live_brokers_may_be_without_leader() {
    let question = Question { property: Property::HasLeader, ..recipe() };
    check(
        question.with(Fault::Crash, 2).with(Fault::Lag, 1),
        expect!["Produce(0) Shrink(0, 2) Alter(0) Crash(0) Fence(0) Crash(2) Fence(2) Hear(1)"],
    );
    check(
        Question { alive: 2, ..question }.with(Fault::Crash, 1),
        expect!["safe: 1381 states, 17 levels"],
    );
}

#[test]
fn what_a_consumer_saw_stays_with_acks_1_too() {
    let question = Question { acks: 1, property: Property::SeenStays, ..recipe() };
    check(question.with(Fault::Crash, 2), expect!["safe: 34673 states, 23 levels"]);
}

#[test]
fn questions_beyond_the_bounds_are_refused() {
    let refused = |question: Question| words(&question).unwrap_err();
    assert_eq!(refused(Question { brokers: 6, ..recipe() }), Refusal::Brokers);
    assert_eq!(refused(Question { records: 0, ..recipe() }), Refusal::Records);
    assert_eq!(refused(Question { max_epoch: 9, ..recipe() }), Refusal::Epochs);
    assert_eq!(refused(Question { acks: 2, ..recipe() }), Refusal::Acks);
    assert_eq!(refused(Question { min_isr: 0, ..recipe() }), Refusal::MinIsr);
    assert_eq!(refused(recipe().with(Fault::Crash, 4)), Refusal::Faults);
    assert_eq!(refused(Question::recipe(Release::V0_11)), Refusal::Release);
}

#[test]
fn a_memory_bound_is_kept_and_said() {
    let question = Question { records: 2, ..recipe() }.with(Fault::Crash, 2);
    for memory in [100, 1 << 16, 1 << 20, 3 << 20] {
        let model: Kafka<3> = Kafka::new(question).expect("a good question").expect("three words");
        let options = Options { symmetric: false, wanted: 1, memory, keep: Keep::States };
        let Ok(mut search) = Search::new(model, options) else {
            assert!(memory < 1 << 20);
            continue;
        };
        while search.run(|_| true).is_none() {}
        assert_eq!(search.verdict(), Some(Verdict::OutOfMemory), "{memory} bytes");
        assert!(search.progress().bytes <= memory && search.found().is_empty());
    }
}

#[test]
fn a_search_is_the_same_in_slices() {
    let question = recipe().with(Fault::Crash, 1);
    let whole = explored(question).progress();
    let model: Kafka<3> = Kafka::new(question).expect("a good question").expect("three words");
    let options = Options { symmetric: false, wanted: 1, memory: 1 << 30, keep: Keep::States };
    let mut search = Search::new(model, options).expect("room");
    let mut slices = 0;
    while search.run(|_| false).is_none() {
        slices += 1;
    }
    assert_eq!(search.progress(), whole);
    assert!(slices > 3, "{slices} slices");
}
