//! Invariants of Kafka's replication (fidelity/conformance/invariants.json), judged in runs of
//! random faults.
//!
//! A seed is played once for each kind of cluster and faults, and every invariant that is claimed
//! of that kind is looked at after each event. What the invariants say is in [`properties`]; the
//! data says which there are, since which era, and under which truncation protocols they break.

mod history;
mod kinds;
mod properties;

// The author of random scripts belongs to the core's own tests.
#[path = "../../../../core/tests/random_faults/mod.rs"]
mod random_faults;

use super::Checks;
use crate::error::Error;
use crate::repo;
use highwater_core::script;
use highwater_core::sim::Timeline;
use highwater_core::words::{Micros, PartitionId};
use history::History;
use kinds::{KINDS, Kind};
use properties::{Holds, PROPERTIES, Property, View};
use random_faults::{Author, END};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many seeds an invariant must hold in, for each kind.
const SEEDS: u64 = 1000;
/// How many are played to see it broken.
const MOST_SEEDS: u64 = 4000;
/// How long after the faults something may take that comes about eventually.
const PATIENCE: Micros = Micros::from_secs(400);
/// How often that is looked at.
const LOOK: Micros = Micros::from_secs(1);

/// Every invariant of a file with its outcome; none if there is no such file.
pub fn all(file: &Path) -> Result<Checks, Error> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = super::read(file).map_err(Error::new)?;
    let entries: Vec<&Value> = text["invariants"].as_array().into_iter().flatten().collect();
    let claims: Vec<Result<Claim<'_>, String>> = entries.iter().map(|e| Claim::of(e)).collect();
    let known: Vec<&Claim<'_>> = claims.iter().filter_map(|c| c.as_ref().ok()).collect();
    let mut broken: Vec<Option<String>> = vec![None; known.len()];
    let mut judged = vec![0u32; known.len()];
    for kind in KINDS {
        let claimed: Vec<usize> = (0..known.len()).filter(|i| known[*i].covers(kind)).collect();
        let properties: Vec<&Property> = claimed.iter().map(|i| known[*i].property).collect();
        let found = play_all(kind, &properties, SEEDS, false);
        for (i, found) in claimed.into_iter().zip(found) {
            judged[i] += 1;
            let tell = |found: Found| found.tell(kind);
            broken[i] = broken[i].take().or(found.map(tell));
        }
    }
    let mut outcomes = broken.into_iter().zip(judged).map(|(broken, kinds)| match broken {
        Some(broken) => Err(broken),
        None if kinds == 0 => Err("no run is in its scope".to_string()),
        None => Ok(()),
    });
    let check = |(entry, claim): (&&Value, &Result<Claim<'_>, String>)| {
        let id = entry["id"].as_str().unwrap_or("an invariant without id").to_string();
        let outcome = match claim {
            Ok(claim) => {
                let held = outcomes.next().expect("one for each claim that is known");
                held.and_then(|()| claim.breaks_where_it_may())
            }
            Err(error) => Err(error.clone()),
        };
        (id, outcome)
    };
    Ok(entries.iter().zip(&claims).map(check).collect())
}

/// What the data says of one invariant.
struct Claim<'a> {
    property: &'static Property,
    era: &'a str,
    may_fail_under: Vec<&'a str>,
}

impl<'a> Claim<'a> {
    fn of(entry: &'a Value) -> Result<Claim<'a>, String> {
        let name = entry["name"].as_str().ok_or("no name")?;
        let property = PROPERTIES.iter().find(|p| p.name == name);
        let property = property.ok_or_else(|| format!("unknown invariant {name}"))?;
        let era = entry["era"].as_str().ok_or("no era")?;
        KINDS[0].is_of_era(era).ok_or_else(|| format!("unknown era {era}"))?;
        let is_safety = matches!(property.holds, Holds::Always(_));
        if entry["kind"] != if is_safety { "safety" } else { "liveness" } {
            return Err(format!("it is not of the kind {}", entry["kind"]));
        }
        let protocols = entry["mayFailUnder"].as_array().into_iter().flatten();
        let may_fail_under = protocols.filter_map(Value::as_str).collect();
        Ok(Claim { property, era, may_fail_under })
    }

    fn covers(&self, kind: &Kind) -> bool {
        kind.is_of_era(self.era) == Some(true) && (self.property.claimed)(kind)
    }

    /// Whether it is seen broken under each protocol under which it may be.
    fn breaks_where_it_may(&self) -> Result<(), String> {
        for protocol in &self.may_fail_under {
            let kind = kinds::under(protocol).ok_or_else(|| format!("unknown: {protocol}"))?;
            if play_all(&kind, &[self.property], MOST_SEEDS, true)[0].is_none() {
                return Err(format!("never broken in {MOST_SEEDS} runs of {kind}"));
            }
        }
        Ok(())
    }
}

/// Where an invariant was broken: when, or in the end.
#[derive(Clone)]
struct Found {
    seed: u64,
    at: Micros,
}

impl Found {
    /// Tells of it, and leaves the script where it can be looked into.
    fn tell(&self, kind: &Kind) -> String {
        let Found { seed, at } = self;
        let file = repo::target().join("fidelity").join(format!("{}-{seed}.hw", kind.file_name()));
        let script = Author::script(kind.0, *seed);
        let left = match repo::write(&file, &script) {
            Ok(()) => format!("see {}", file.display()),
            Err(error) => error.to_string(),
        };
        format!("broken in {kind}: seed {seed}, at {at}; {left}")
    }
}

/// Plays all seeds of a kind, on all processors; for each invariant, the lowest seed that broke it.
/// With `one_is_enough` it stops soon after every one was broken.
fn play_all(
    kind: &Kind,
    properties: &[&'static Property],
    seeds: u64,
    one_is_enough: bool,
) -> Vec<Option<Found>> {
    if properties.is_empty() {
        return Vec::new();
    }
    let next = AtomicU64::new(0);
    let enough = AtomicU64::new(seeds);
    let work = || {
        let mut found: Vec<Option<Found>> = vec![None; properties.len()];
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= enough.load(Ordering::Relaxed) {
                return found;
            }
            for (found, at) in found.iter_mut().zip(play(kind, properties, seed)) {
                *found = found.take().or(at.map(|at| Found { seed, at }));
            }
            if one_is_enough && found.iter().all(Option::is_some) {
                enough.store(0, Ordering::Relaxed);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    let all: Vec<Vec<Option<Found>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|w| w.join().expect("a run does not panic")).collect()
    });
    let lowest = |i: usize| all.iter().filter_map(|f| f[i].clone()).min_by_key(|f| f.seed);
    (0..properties.len()).map(lowest).collect()
}

/// Plays one seed: when each invariant was broken.
fn play(kind: &Kind, properties: &[&'static Property], seed: u64) -> Vec<Option<Micros>> {
    let text = Author::script(kind.0, seed);
    let parsed = script::parse(&text).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    let mut timeline = Timeline::new(parsed).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let mut history = History::default();
    let mut broken: Vec<Option<Micros>> = vec![None; properties.len()];
    while timeline.world().next_time().is_some_and(|next| next <= END) && timeline.step() {
        look(&timeline, &mut history, properties, &mut broken);
    }
    let all_hold = |timeline: &Timeline, history: &History, broken: &mut [Option<Micros>]| {
        let now = timeline.world().now();
        for (broken, property) in broken.iter_mut().zip(properties) {
            if let Holds::Eventually(holds) = property.holds {
                *broken = (!holds(timeline.world(), history)).then_some(now);
            }
        }
        let mut all = broken.iter().zip(properties);
        all.all(|(b, p)| b.is_none() || matches!(p.holds, Holds::Always(_)))
    };
    while !all_hold(&timeline, &history, &mut broken) && timeline.world().now() < END + PATIENCE {
        let until = timeline.world().now() + LOOK;
        while timeline.world().next_time().is_some_and(|next| next <= until) && timeline.step() {
            look(&timeline, &mut history, properties, &mut broken);
        }
        timeline.run_until(until);
    }
    broken
}

/// Judges what always holds, if there is news.
fn look(
    timeline: &Timeline,
    history: &mut History,
    properties: &[&'static Property],
    broken: &mut [Option<Micros>],
) {
    let world = timeline.world();
    for news in &history.see(timeline) {
        let PartitionId(at) = news.partition;
        let Some(state) = world.controller().image().partitions.get(at as usize) else { continue };
        let view = View { world, history, news, state };
        for (broken, property) in broken.iter_mut().zip(properties) {
            let Holds::Always(holds) = property.holds else { continue };
            let silent = (property.is_over)(&history.past(news.partition));
            if broken.is_none() && !silent && !holds(&view) {
                *broken = Some(world.now());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highwater_core::settings::Release;
    use random_faults::{Cluster, Faults};

    /// What is said to hold is worth nothing unless it is seen where it does not.
    #[test]
    fn what_does_not_hold_is_seen() {
        let kind = |release, elr, faults| {
            Kind(Cluster { release, elr: Some(elr), rules: "", faults, moves: false })
        };
        let old = kind(Release::V0_8_2, false, Faults::Hasty);
        let without_elr = kind(Release::V3_9, false, Faults::Rough);
        let places = [
            ("WeakIsr", old),
            ("StrongIsr", old),
            ("LeaderCandidateCompletenessProperty", old),
            ("LeaderCompletenessProperty", old),
            ("LogMatchingProperty", old),
            ("ConsistentReadProperty", old),
            ("NoCommittedRecordLostGlobally", without_elr),
            ("ValidControllerState", without_elr),
            ("EventuallyAcknowledgedValueFullyReplicated", without_elr),
            ("ValidControllerIsrAndElr", kind(Release::V4_4, true, Faults::Rough)),
            ("MinIsrRecoveryQuorum", kind(Release::V4_1, true, Faults::Gentle)),
        ];
        for (name, kind) in places {
            let property = PROPERTIES.iter().find(|p| p.name == name).expect("a property");
            let found = play_all(&kind, &[property], 40, true);
            assert!(found[0].is_some(), "{name} is not seen broken in {kind}");
        }
    }
}
