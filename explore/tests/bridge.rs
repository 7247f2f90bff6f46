//! Every violation that the explorer finds breaks the same promise in the simulation, when it is
//! played as a scenario of the same release.

use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_explore::kafka::{self, Fault, Kafka, Property, Question, Step};
use highwater_explore::{Keep, Options, Search, Verdict};

/// The scenario of a shortest violation, with the run that it is made of; `None`: there is none.
fn violation(question: Question) -> Option<(Vec<Step>, Option<String>)> {
    let model: Kafka<3> = Kafka::new(question).expect("a good question").expect("three words");
    let wanted = question.property.bit();
    let options = Options { symmetric: false, wanted, memory: 1 << 30, keep: Keep::States };
    let mut search = Search::new(model, options).expect("room");
    while search.run(|_| true).is_none() {}
    assert!(matches!(search.verdict(), Some(Verdict::Broken | Verdict::Exhausted)));
    let run = search.trace(search.found().first()?);
    let steps = run.iter().filter_map(|s| s.action).map(Step::of).collect();
    Some((steps, kafka::scenario(search.model(), &run)))
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

#[test]
fn violations_of_the_matrix_break_the_same_promise_when_played() {
    let mut bad = 0;
    let mut count = 0;
    for release in [Release::V3_9, Release::V4_1, Release::V4_4] {
        for property in Property::ALL {
            for acks in [1, -1] {
                for min_isr in [1, 2] {
                    for unclean in [false, true] {
                        for faults in [
                            [1, 0, 0, 0, 0],
                            [2, 0, 0, 0, 0],
                            [0, 1, 0, 0, 0],
                            [0, 2, 0, 0, 0],
                            [1, 1, 0, 0, 0],
                            [1, 0, 1, 0, 0],
                            [0, 0, 1, 0, 0],
                            [1, 0, 0, 0, 1],
                        ] {
                            let recipe = Question::recipe(release);
                            let question = Question {
                                acks,
                                min_isr,
                                unclean,
                                faults,
                                property,
                                max_epoch: 3,
                                ..recipe
                            };
                            let Some((run, text)) = violation(question) else { continue };
                            count += 1;
                            if let Some(text) = text {
                                assert_eq!(failed(&text), Vec::<String>::new(), "{text}");
                            } else {
                                bad += 1;
                                println!("{question:?}\n{run:?}\n");
                            }
                        }
                    }
                }
            }
        }
    }
    println!("{bad} of {count}");
    let _ = Fault::ALL;
    assert_eq!(bad, 0);
}
