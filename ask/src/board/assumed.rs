//! What a description leaves open, and where the answer is taken from.

use crate::config::Unit;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use highwater_core::settings::rules::MinIsr;
use highwater_core::settings::{Key, Owner, Release, Rules};

/// What the text leaves open, and what is assumed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assumed {
    /// `min.insync.replicas` of topics for which nothing is said.
    pub min_isr: u32,
    /// Whether it is known from the brokers' settings.
    pub min_isr_given: bool,
    /// Whether a replica may be elected that is not in sync, where nothing is said.
    pub unclean: bool,
    /// Racks with their brokers.
    pub racks: Vec<(String, Vec<u32>)>,
    /// What was written as racks and could not be read.
    pub unread_racks: Vec<String>,
}

impl Assumed {
    /// From the brokers' settings beside the description, and from racks as somebody wrote them
    /// (`a=1,2 b=3`); for the rest the defaults of `release` hold.
    pub fn of(units: &[Unit], racks: &str, release: Release) -> Assumed {
        let brokers = || units.iter().filter(|u| u.owner == Owner::Broker);
        let given = |name: &str| brokers().find_map(|unit| unit.given(name));
        let counts = Rules::of(release, true).min_isr != MinIsr::TopicOnly;
        let min_isr = given("min.insync.replicas").and_then(|v| v.parse().ok());
        let min_isr = min_isr.filter(|_| counts);
        let unclean = given("unclean.leader.election.enable").map_or_else(
            || Key::UncleanLeaderElectionEnable.spec().default(release) == Some(1),
            |value| value.eq_ignore_ascii_case("true"),
        );
        let mut assumed = Assumed {
            min_isr: min_isr.unwrap_or(1),
            min_isr_given: min_isr.is_some(),
            unclean,
            ..Assumed::default()
        };
        for part in racks.split(|c: char| c.is_whitespace() || c == ';').filter(|p| !p.is_empty()) {
            let named = part.split_once(['=', ':']).filter(|(name, _)| !name.is_empty());
            let read = named.and_then(|(name, ids)| {
                let ids: Result<Vec<u32>, _> = ids.split(',').map(str::parse).collect();
                Some((name, ids.ok()?))
            });
            match read {
                Some((name, ids)) => assumed.put(name, ids),
                None => assumed.unread_racks.push(part.to_string()),
            }
        }
        for unit in brokers() {
            let id = unit.given("broker.id").or(unit.given("node.id"));
            if let (Some(rack), Some(Ok(id))) = (unit.given("broker.rack"), id.map(str::parse)) {
                assumed.put(rack, Vec::from([id]));
            }
        }
        assumed
    }

    fn put(&mut self, rack: &str, ids: Vec<u32>) {
        match self.racks.iter_mut().find(|(name, _)| name == rack) {
            Some((_, members)) => members.extend(ids),
            None => self.racks.push((rack.to_string(), ids)),
        }
    }
}
