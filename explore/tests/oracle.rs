//! The oracle's tables: what TLC finds in the public originals, this engine finds in models of its
//! own. The first table has whole spaces, the second the lengths of shortest violations.

use highwater_explore::oracle::{Oracle, Protocol, STRONG_ISR, WEAK_ISR};
use highwater_explore::{Keep, Options, Search, Verdict};

const OPTIONS: Options =
    Options { symmetric: false, wanted: 0, memory: 1 << 30, keep: Keep::States };

fn searched(oracle: Oracle, options: Options) -> Search<Oracle> {
    let mut search = Search::new(oracle, options).expect("room for the tables");
    while search.run(|_| true).is_none() {}
    search
}

/// Distinct states, generated states and depth of a whole space.
#[track_caller]
fn space(oracle: Oracle, symmetric: bool, expected: (u64, u64), depth: Option<u32>) {
    for keep in [Keep::States, Keep::Fingerprints] {
        let search = searched(oracle, Options { symmetric, keep, ..OPTIONS });
        let progress = search.progress();
        assert_eq!(search.verdict(), Some(Verdict::Exhausted), "{oracle:?} {keep:?}");
        assert_eq!((progress.distinct, progress.generated), expected, "{oracle:?} {keep:?}");
        assert!(depth.is_none_or(|d| d == progress.depth), "{} levels", progress.depth);
    }
}

#[test]
fn kip_320_with_two_replicas() {
    space(Oracle::new(Protocol::Kip320, 2), false, (5_973, 11_839), Some(18));
}

#[test]
fn kip_320_with_two_replicas_and_three_of_everything() {
    let oracle =
        Oracle { log_size: 3, max_records: 3, max_epoch: 3, ..Oracle::new(Protocol::Kip320, 2) };
    space(oracle, false, (120_879, 261_017), Some(26));
}

#[test]
fn kip_320_with_three_replicas() {
    space(Oracle::new(Protocol::Kip320, 3), false, (737_794, 1_967_560), Some(26));
}

#[test]
fn kip_320_with_three_interchangeable_replicas() {
    space(Oracle::new(Protocol::Kip320, 3), true, (123_311, 328_998), Some(26));
}

#[test]
fn kip_320_with_three_interchangeable_replicas_and_four_epochs() {
    let oracle = Oracle { max_epoch: 3, ..Oracle::new(Protocol::Kip320, 3) };
    space(oracle, true, (1_665_204, 4_521_185), Some(32));
}

#[test]
fn kip_279_and_the_first_try_with_two_replicas() {
    space(Oracle::new(Protocol::Kip279, 2), false, (9_027, 23_425), None);
    space(Oracle::new(Protocol::Kip320FirstTry, 2), false, (8_429, 19_387), None);
}

/// Lengths of the shortest violations of WeakIsr and StrongIsr; with interchangeable replicas and
/// with fingerprints they are the same.
#[track_caller]
fn shortest(protocol: Protocol, replicas: usize, expected: Option<(u32, u32)>) {
    let oracle = Oracle::new(protocol, replicas);
    let wanted = WEAK_ISR | STRONG_ISR;
    for (symmetric, keep) in
        [(false, Keep::States), (true, Keep::States), (true, Keep::Fingerprints)]
    {
        let search = searched(oracle, Options { symmetric, wanted, keep, ..OPTIONS });
        let length = |property| {
            let found = search.found().iter().find(|f| f.property == property)?;
            let trace = search.trace(found);
            assert_is_a_run(oracle, &trace, property);
            assert_eq!(trace.len(), found.length as usize);
            Some(found.length)
        };
        let lengths = length(WEAK_ISR).zip(length(STRONG_ISR));
        assert_eq!(lengths, expected, "{protocol:?}, {replicas} replicas, {symmetric} {keep:?}");
    }
}

/// Every state is a successor of the one before it, by the action that it names, and the last one
/// breaks the property.
fn assert_is_a_run(oracle: Oracle, trace: &[highwater_explore::Step<[u64; 2]>], property: u32) {
    use highwater_explore::Model;
    for pair in trace.windows(2) {
        let mut leads = false;
        oracle.successors(&pair[0].state, |action, state| {
            leads |= Some(action) == pair[1].action && state == pair[1].state;
        });
        assert!(leads, "{pair:?}");
    }
    let last = trace.last().expect("a run has states");
    assert_ne!(oracle.broken(&last.state) & property, 0);
}

#[test]
fn truncating_to_the_high_watermark_loses_data() {
    shortest(Protocol::Truncate, 2, Some((9, 10)));
    shortest(Protocol::Truncate, 3, Some((9, 9)));
}

#[test]
fn kip_101_loses_data() {
    shortest(Protocol::Kip101, 2, Some((12, 12)));
    shortest(Protocol::Kip101, 3, Some((11, 11)));
}

#[test]
fn kip_279_loses_data_with_three_replicas_only() {
    shortest(Protocol::Kip279, 2, None);
    shortest(Protocol::Kip279, 3, Some((11, 11)));
}

#[test]
fn the_first_try_at_kip_320_loses_data_with_three_replicas_only() {
    shortest(Protocol::Kip320FirstTry, 2, None);
    shortest(Protocol::Kip320FirstTry, 3, Some((12, 13)));
}

#[test]
fn kip_320_loses_nothing() {
    shortest(Protocol::Kip320, 2, None);
    shortest(Protocol::Kip320, 3, None);
}
