//! Several partitions of one fetcher.

use super::Pair;
use crate::fidelity::conformance::fields::Fields;
use crate::fidelity::conformance::{Bench, Outcome};
use highwater_core::settings::Rules;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Several partitions of one fetcher. An input that names none is for all of them.
pub struct Pairs {
    pairs: BTreeMap<String, Pair>,
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
            pairs.insert(name.to_string(), pair);
        }
        Ok(Pairs { pairs, touched: None })
    }
}

impl Bench for Pairs {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        self.touched = input.text("partition")?.map(String::from);
        if let Some(name) = &self.touched {
            let pair = self.pairs.get_mut(name).ok_or_else(|| format!("no partition {name}"))?;
            return pair.act(op, input);
        }
        let mut outcome = Outcome::new();
        for (name, pair) in &mut self.pairs {
            for (field, value) in pair.act(op, input)? {
                outcome.entry(field).or_insert_with(|| json!({}))[name] = value;
            }
        }
        Ok(outcome)
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        if let Some(touched) = self.touched.as_ref().and_then(|t| self.pairs.get_mut(t)) {
            return touched.look(name, wanted);
        }
        let all = self.pairs.iter_mut();
        let all = all.map(|(partition, pair)| Ok((partition.clone(), pair.look(name, wanted)?)));
        Ok(Value::Object(all.collect::<Result<Map<_, _>, String>>()?))
    }
}
