//! Kafka's own model: what can break a promise, and what cannot.

use highwater_core::settings::Release;
use highwater_explore::kafka::{Fault, Kafka, Property, Question, Step};
use highwater_explore::{Keep, Options, Search, Verdict};

fn explored(question: Question) -> Search<Kafka<3>> {
    let model = Kafka::new(question).expect("a good question").expect("three words");
    let wanted = question.property.bit();
    let options = Options { symmetric: false, wanted, memory: 3 << 30, keep: Keep::States };
    let mut search = Search::new(model, options).expect("room");
    while search.run(|_| true).is_none() {}
    search
}

fn history(search: &Search<Kafka<3>>) -> Vec<Step> {
    let found = search.found().first().expect("a violation");
    search.trace(found).iter().filter_map(|s| s.action).map(Step::of).collect()
}

#[test]
fn first_look() {
    let recipe = Question::recipe(Release::V4_4);
    for (name, question) in [
        ("acks=1, a crash", Question { acks: 1, ..recipe }.with(Fault::Crash, 1)),
        ("all, 1 crash", recipe.with(Fault::Crash, 1)),
        ("all, 2 crashes", recipe.with(Fault::Crash, 2)),
        ("all, 1 power", recipe.with(Fault::Power, 1)),
        ("all, 2 power", recipe.with(Fault::Power, 2)),
        ("all, min 1, 1 power", Question { min_isr: 1, ..recipe }.with(Fault::Power, 1)),
        ("all, unclean, 2 crash", Question { unclean: true, ..recipe }.with(Fault::Crash, 2)),
        ("leader", Question { property: Property::HasLeader, ..recipe }.with(Fault::Crash, 2)),
    ] {
        let started = std::time::Instant::now();
        let search = explored(question);
        println!("{name}: {:?} {:?} {:?}", search.verdict(), search.progress(), started.elapsed());
        if search.verdict() == Some(Verdict::Broken) {
            println!("   {:?}", history(&search));
        }
    }
}
