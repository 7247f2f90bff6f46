//! Every violation that the explorer finds breaks the same promise in the simulation, when it is
//! played as a scenario of the same release.

use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_explore::kafka::{self, Fault, Kafka, Property, Question, Step};
use highwater_explore::{Keep, Options, Search, Verdict};

const KRAFT: [Release; 3] = [Release::V3_9, Release::V4_1, Release::V4_4];

/// Budgets of the matrix, in the order of [`Fault::ALL`].
const FAULTS: [[u8; Fault::COUNT]; 13] = [
    [1, 0, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0],
    [0, 2, 0, 0, 0, 0],
    [1, 1, 0, 0, 0, 0],
    [1, 0, 0, 0, 1, 0],
    [0, 1, 0, 1, 0, 0],
    [2, 0, 0, 0, 0, 1],
    [0, 1, 0, 0, 0, 1],
    [1, 1, 0, 0, 0, 1],
    [0, 0, 1, 0, 0, 1],
    [1, 0, 1, 0, 0, 1],
    [2, 1, 0, 0, 0, 0],
];

/// The run of a shortest violation and its scenarios; `None`: there is none.
fn violation(question: Question) -> Option<(Vec<Step>, Vec<String>)> {
    let model: Kafka<3> = Kafka::new(question).expect("a good question").expect("three words");
    let wanted = question.property.bit();
    let options = Options { symmetric: false, wanted, memory: 1 << 30, keep: Keep::States };
    let mut search = Search::new(model, options).expect("room");
    while search.run(|_| true).is_none() {}
    assert!(matches!(search.verdict(), Some(Verdict::Broken | Verdict::Exhausted)));
    let run = search.trace(search.found().first()?);
    let steps = run.iter().filter_map(|s| s.action).map(Step::of).collect();
    Some((steps, kafka::scenarios(search.model(), &run)))
}

/// The expectations that do not hold when a script is played.
fn failed(text: &str) -> Vec<String> {
    let script = script::parse(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let mut timeline = Timeline::new(script).expect("a cluster that can be set up");
    timeline.run_until(timeline.end());
    assert!(!timeline.world().outcomes().is_empty(), "nothing was expected of\n{text}");
    let failed = timeline.world().outcomes().iter().filter(|o| !o.held);
    failed.map(|o| format!("line {}: {}", o.line, o.actual)).collect()
}

/// How many questions of the matrix have a violation on a release, and how many of those violations
/// the simulation plays.
fn violations(
    release: Release,
    property: Property,
    faults: &[[u8; Fault::COUNT]],
) -> (usize, usize) {
    let settings = || [1, -1].into_iter().flat_map(|a| [(a, 1), (a, 2)]);
    let unclean = || settings().flat_map(|(a, m)| [(a, m, false), (a, m, true)]);
    let (mut all, mut played) = (0, 0);
    for (acks, min_isr, unclean) in unclean() {
        for faults in faults.iter().copied() {
            let recipe = Question { max_epoch: 3, ..Question::recipe(release) };
            let question = Question { acks, min_isr, unclean, faults, property, ..recipe };
            let Some((run, scripts)) = violation(question) else { continue };
            all += 1;
            if scripts.iter().any(|script| failed(script).is_empty()) {
                played += 1;
            } else {
                println!("not played: {question:?}\n{run:?}\n{}", scripts.join("\n"));
            }
        }
    }
    (all, played)
}

#[test]
fn lost_acknowledged_records_are_lost_when_played() {
    assert_eq!(KRAFT.map(|r| violations(r, Property::AckedSurvives, &FAULTS)), [(64, 64); 3]);
}

#[test]
fn lost_visible_records_are_lost_when_played() {
    assert_eq!(KRAFT.map(|r| violations(r, Property::SeenStays, &FAULTS[7..])), [(24, 24); 3]);
}

#[test]
fn partitions_without_leader_have_none_when_played() {
    assert_eq!(KRAFT.map(|r| violations(r, Property::HasLeader, &FAULTS[8..11])), [(4, 4); 3]);
}

/// With ZooKeeper a few runs are finer than what cut links and late news can bring about: these are
/// known, and no more.
#[test]
fn with_zookeeper_nearly_all_losses_are_played() {
    let lost = |release| violations(release, Property::AckedSurvives, &FAULTS);
    assert_eq!([Release::V0_8_2, Release::V2_8].map(lost), [(84, 83), (64, 62)]);
}
