//! What is wrong with a configuration, in order of harm.

use super::entry::{Dialect, Unit};
use super::finding::Finding;
use super::setup::Setup;
use super::{brokers, consumers, producers, refused, written};
use alloc::vec::Vec;
use highwater_core::settings::{Owner, Release};

/// The units of a text with what is known of the cluster around them.
pub(super) struct Context<'a> {
    pub release: Release,
    pub units: &'a [Unit],
}

impl<'a> Context<'a> {
    pub fn of(&self, owner: Owner) -> impl Iterator<Item = &'a Unit> {
        self.units.iter().filter(move |u| u.owner == owner)
    }

    /// What brokers and topics are given for a setting, the topic's first.
    pub fn of_topic(&self, name: &str) -> Option<&'a str> {
        let given = |owner| self.of(owner).find_map(|u| u.given(name));
        given(Owner::Topic).or_else(|| given(Owner::Broker))
    }

    pub fn of_broker(&self, name: &str) -> Option<&'a str> {
        self.of(Owner::Broker).find_map(|u| u.given(name))
    }

    /// How many replicas a topic has, where that is known.
    pub fn replicas(&self) -> Option<u32> {
        let of_topic = self.of(Owner::Topic).find_map(|u| u.replicas);
        of_topic.or_else(|| self.of_broker("default.replication.factor")?.parse().ok())
    }

    /// The cluster that a proof plays on, with what was given.
    pub fn setup(&self) -> Setup {
        Setup::new(self)
    }
}

/// The findings of a text, in order of harm.
pub(super) fn findings(units: &[Unit], release: Release) -> Vec<Finding> {
    let context = Context { release, units };
    let mut all = Vec::new();
    for unit in units {
        written::check(&context, unit, &mut all);
        refused::check(&context, unit, &mut all);
        match unit.owner {
            Owner::Producer | Owner::ScalaProducer => producers::check(&context, unit, &mut all),
            Owner::Consumer => consumers::check(&context, unit, &mut all),
            Owner::Broker | Owner::Topic => {}
        }
    }
    brokers::check(&context, &mut all);
    if units.iter().any(|u| u.dialect != Dialect::Kafka) {
        all.iter_mut().for_each(|f| f.is_translated = true);
    }
    all.sort_by_key(|f: &Finding| (f.harm, f.line));
    all.dedup_by(|a, b| a.code == b.code && a.line == b.line && a.params == b.params);
    all
}
