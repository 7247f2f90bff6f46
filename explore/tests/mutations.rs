//! Guards of Kafka taken away one at a time. Each loses an acknowledged record by a shortest run, or
//! the bounds do not need it: then the answer is the same as with all guards.

use expect_test::{Expect, expect};
use highwater_core::settings::rules::{
    EpochBeforeFirst, EpochEntries, HwSet, IsrJoin, LastKnownLeader, LateEpochBatches, MinIsr,
    Registration, Truncation,
};
use highwater_core::settings::{Release, Rules};
use highwater_explore::kafka::{Fault, Kafka, Question, Step};
use highwater_explore::{Keep, Options, Search};
use std::fmt::Write;

/// Questions to which the answer is "safe" with all guards in place.
fn questions(rules: Rules) -> [Question; 4] {
    let recipe = Question { rules, max_epoch: 3, ..Question::recipe(Release::V4_4) };
    [
        recipe.with(Fault::Crash, 2),
        recipe.with(Fault::Crash, 1).with(Fault::Stop, 1).with(Fault::Lag, 1),
        Question { records: 2, ..recipe }.with(Fault::Session, 1).with(Fault::Lag, 1),
        recipe.with(Fault::Power, 1).with(Fault::Lag, 1),
    ]
}

/// The shortest run to a loss, of the first question that has one.
fn loss(rules: Rules) -> Option<String> {
    questions(rules).into_iter().enumerate().find_map(|(at, question)| {
        let model: Kafka<3> = Kafka::new(question).expect("a question").expect("three words");
        let wanted = question.property.bit();
        let options = Options { symmetric: false, wanted, memory: 1 << 30, keep: Keep::States };
        let mut search = Search::new(model, options).expect("room");
        while search.run(|_| true).is_none() {}
        let run = search.trace(search.found().first()?);
        let steps = run.iter().filter_map(|s| s.action).map(|a| format!("{:?}", Step::of(a)));
        Some(format!("question {}: {}", at + 1, steps.collect::<Vec<_>>().join(" ")))
    })
}

/// A line for each set of rules.
fn losses(all: &[(&str, Rules)]) -> String {
    let mut text = String::new();
    for (name, rules) in all {
        let loss = loss(*rules).unwrap_or_else(|| "not needed within these bounds".to_owned());
        writeln!(text, "{name}: {loss}").expect("room");
    }
    text
}

#[track_caller]
fn check(all: &[(&str, Rules)], expected: Expect) {
    expected.assert_eq(&losses(all));
}

fn rules() -> Rules {
    Rules::of(Release::V4_4, true)
}

#[test]
fn with_all_guards_nothing_is_lost() {
    check(
        &[("4.4", rules())],
        expect![[r#"
        4.4: not needed within these bounds
    "#]],
    );
}

#[test]
fn truncation_and_fencing() {
    check(
        &[
            ("truncation to the HW", Rules { truncation: Truncation::HighWatermark, ..rules() }),
            ("KIP-101's truncation", Rules { truncation: Truncation::Kip101, ..rules() }),
            ("KIP-279's truncation", Rules { truncation: Truncation::Kip279, ..rules() }),
            ("no fencing of fetches", Rules { fetch_fencing: false, ..rules() }),
            (
                "epochs noted at the first append",
                Rules { epoch_entries: EpochEntries::FirstAppend, ..rules() },
            ),
            (
                "no end of an epoch before the first",
                Rules { epoch_before_first: EpochBeforeFirst::Undefined, ..rules() },
            ),
            (
                "batches of later epochs are appended",
                Rules { late_epoch_batches: LateEpochBatches::Appended, ..rules() },
            ),
        ],
        expect![[r#"
            truncation to the HW: question 1: Produce(0) Fetch(1, 0) FetchUnanswered(1, 0) Crash(1) Fetch(2, 0) FetchUnanswered(2, 0) Crash(0) Fence(0) Hear(2) Fence(1) Hear(2)
            KIP-101's truncation: not needed within these bounds
            KIP-279's truncation: not needed within these bounds
            no fencing of fetches: not needed within these bounds
            epochs noted at the first append: not needed within these bounds
            no end of an epoch before the first: not needed within these bounds
            batches of later epochs are appended: not needed within these bounds
        "#]],
    );
}

#[test]
fn isr_and_high_watermark() {
    check(
        &[
            ("join at the HW", Rules { isr_join: IsrJoin::HighWatermark, ..rules() }),
            ("join without broker epoch", Rules { isr_join: IsrJoin::EpochStart, ..rules() }),
            ("HW over the ISR alone", Rules { hw_set: HwSet::Isr, ..rules() }),
            ("no gate for the HW", Rules { hw_gate: false, ..rules() }),
            ("min ISR not capped", Rules { min_isr: MinIsr::Raw, ..rules() }),
        ],
        expect![[r#"
            join at the HW: question 2: Produce(0) Shrink(0, 2) Alter(0) Hear(0) Fetch(2, 0) FetchUnanswered(2, 0) Crash(0) Fence(0) Hear(1) Hear(2) FetchUnanswered(1, 2) Alter(2) Stop(2) Hear(1)
            join without broker epoch: not needed within these bounds
            HW over the ISR alone: not needed within these bounds
            no gate for the HW: not needed within these bounds
            min ISR not capped: not needed within these bounds
        "#]],
    );
}

#[test]
fn elections() {
    check(
        &[
            ("no ELR", Rules { elr: false, ..rules() }),
            (
                "registration keeps the ISR",
                Rules { registration: Registration::KeepsIsr, ..rules() },
            ),
            (
                "the last known leader, up or not",
                Rules { last_known_leader: LastKnownLeader::Any, ..rules() },
            ),
        ],
        expect![[r#"
            no ELR: not needed within these bounds
            registration keeps the ISR: question 4: Produce(0) Fetch(1, 0) FetchUnanswered(1, 0) Fetch(2, 0) FetchUnanswered(2, 0) Power(0) Start(0) Hear(0)
            the last known leader, up or not: not needed within these bounds
        "#]],
    );
}
