//! Several partitions of one fetcher.

use super::Pair;
use crate::fidelity::conformance::fields::Fields;
use crate::fidelity::conformance::{Bench, Outcome, compare};
use highwater_core::settings::Rules;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Partitions by name, each with what the last input brought about there. An input that names none
/// is for all of them.
pub struct Pairs {
    pairs: BTreeMap<String, (Pair, Outcome)>,
    touched: Option<String>,
}

impl Pairs {
    /// Partitions by name: each a follower, or a follower and a leader.
    pub fn new(rules: Rules, partitions: &Fields<'_>, given: &Fields<'_>) -> Result<Pairs, String> {
        given.skip(&["follower", "leader", "lookups", "recordsPerFetch"]);
        let mut pairs = BTreeMap::new();
        for (name, partition) in partitions.all() {
            let fields = Fields::new(partition)?;
            let pair = match fields.has("follower") || fields.has("leader") {
                true => Pair::new(rules, &fields)?,
                false => {
                    let alone = json!({"follower": partition});
                    Pair::new(rules, &Fields::new(&alone)?)?
                }
            };
            if fields.has("follower") || fields.has("leader") {
                fields.finish()?;
            }
            pairs.insert(name.to_string(), (pair, Outcome::new()));
        }
        Ok(Pairs { pairs, touched: None })
    }
}

impl Bench for Pairs {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        self.touched = input.text("partition")?.map(String::from);
        if let Some(name) = self.touched.as_ref().filter(|name| !self.pairs.contains_key(*name)) {
            return Err(format!("no partition {name}"));
        }
        for (name, (pair, outcome)) in &mut self.pairs {
            let is_meant = self.touched.as_ref().is_none_or(|touched| touched == name);
            *outcome = if is_meant { pair.act(op, input)? } else { Outcome::new() };
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        let by_partition =
            wanted.as_object().is_some_and(|w| w.keys().any(|k| self.pairs.contains_key(k)));
        let mut seen = Map::new();
        for (partition, (pair, outcome)) in &mut self.pairs {
            if by_partition || self.touched.as_ref().is_none_or(|touched| touched == partition) {
                let own = outcome.get(name).cloned().map_or_else(|| pair.look(name, wanted), Ok)?;
                seen.insert(partition.clone(), own);
            }
        }
        if by_partition {
            return Ok(Value::Object(seen));
        }
        let numbers = seen.values().filter_map(Value::as_u64);
        Ok(match name {
            // A request is for all partitions at once.
            "epochRequests" | "fetches" => json!(numbers.max()),
            "truncations" => json!(numbers.sum::<u64>()),
            // What is wanted must hold of each: the first of which it does not is told.
            _ => {
                let mut values = seen.values();
                let differs = values.clone().find(|own| !compare::same(name, wanted, own));
                differs.or(values.next()).cloned().unwrap_or_default()
            }
        })
    }
}
