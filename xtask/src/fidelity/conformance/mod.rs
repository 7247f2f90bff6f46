//! Kafka's own tests as data (fidelity/conformance/README.md), held against the core.
//!
//! The adapter only translates: it builds the state that a case gives, calls the functions that the
//! simulation calls, and compares the fields that the case names. It holds no rule and no default
//! of the protocol, and knows no case.

mod assignment;
mod cluster;
mod compare;
mod controller;
mod election;
mod epochs;
mod fields;
mod isr;
mod leader;
mod node;
mod not_modelled;
mod produce_ack;
mod producer_state;
mod recovery;
mod truncation;

use super::against::Against;
use super::tally::Unmet;
use crate::error::Error;
use fields::Fields;
use highwater_core::settings::rules::{self, LastKnownLeader, UnknownProducer};
use highwater_core::settings::{Release, Rules};
use highwater_core::words::ErrorCode;
use serde_json::{Map, Value};
use std::path::Path;

/// What an input brought about that is no state: its result, replies and the like.
type Outcome = Map<String, Value>;

/// What cases of one kind are played on.
trait Bench {
    /// Does what one input says.
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String>;

    /// The state now, in the words of the cases. `wanted` says which part of it is looked at.
    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String>;
}

/// Every case of a folder with its outcome, played when it is asked for; those that ask for what is
/// not modelled are not played. A file that cannot be read is a failure of its own.
pub fn all(folder: &Path) -> Result<impl Iterator<Item = super::Check<Unmet>> + use<>, Error> {
    let played = |Case { area, case }: Case| match not_modelled::reason(&case) {
        Some(reason) => Err(Unmet::NotModelled(reason)),
        None => Ok(check(&area, &case, Against::default())?),
    };
    Ok(cases(folder)?.map(move |(name, case)| (name, case.map_err(Unmet::from).and_then(played))))
}

/// The cases that are played on one release, with something set against it. What is not modelled is
/// played too, as far as the core has code that it tests.
pub fn all_of(
    folder: &Path,
    release: Release,
    against: Against,
) -> Result<impl Iterator<Item = super::Check> + use<>, Error> {
    Ok(cases(folder)?.filter_map(move |(name, case)| match case {
        Ok(Case { case, .. }) if !is_of(&case, release) => None,
        Ok(Case { area, case }) => Some((name, check(&area, &case, against))),
        Err(error) => Some((name, Err(error))),
    }))
}

type NamedCase = (String, Result<Case, String>);

fn cases(folder: &Path) -> Result<impl Iterator<Item = NamedCase> + use<>, Error> {
    Ok(super::json_below(folder)?.into_iter().flat_map(|file| cases_of(&file)))
}

struct Case {
    area: String,
    case: Value,
}

/// The cases of a file by their ids; what cannot be read goes by the file's name.
fn cases_of(file: &Path) -> Vec<NamedCase> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut text = match super::read(file) {
        Ok(text) => text,
        Err(error) => return vec![(name, Err(error))],
    };
    // The invariants are properties of runs, not cases.
    if text.get("invariants").is_some() {
        return Vec::new();
    }
    let area = text["area"].as_str().unwrap_or(&name).to_string();
    let Value::Array(cases) = text["cases"].take() else {
        return vec![(name, Err("no cases".into()))];
    };
    let named = |case: Value| {
        let id = case["id"].as_str().unwrap_or("a case without id").to_string();
        (id, Ok(Case { area: area.clone(), case }))
    };
    cases.into_iter().map(named).collect()
}

fn is_of(case: &Value, release: Release) -> bool {
    let era = case["era"].as_str().and_then(|era| Era::of(era, Against::default()).ok());
    era.is_some_and(|era| era.release == release)
}

/// Plays one case; an error is the first difference, or what cannot be read.
fn check(area: &str, case: &Value, against: Against) -> Result<(), String> {
    let about = Fields::new(case)?;
    about.skip(&["id", "source", "page", "kip", "derived", "note"]);
    let mut era = Era::of(about.text("era")?.ok_or("no era")?, against)?;
    era.go_back_to(about.text("ref")?.unwrap_or_default());
    let given = Fields::new(about.get("given").ok_or("no given")?)?;
    let inputs = about.list("when")?.ok_or("no when")?;
    let then = Fields::new(about.get("then").ok_or("no then")?)?;
    about.finish()?;
    let mut bench: Box<dyn Bench> = match area {
        "assignment" => Box::new(assignment::Placing::new(&era, &given)?),
        "election" => election::bench(&era, &given, inputs)?,
        "isr" => isr::bench(&era, &given, inputs)?,
        "epochs" => epochs::bench(&era, &given, inputs)?,
        "truncation" => truncation::bench(&era, &given)?,
        "producer_state" => Box::new(producer_state::Producers::new(&era, &given)?),
        "produce_ack" => produce_ack::bench(&era, &given)?,
        "recovery" => recovery::bench(&era, &given)?,
        other => return Err(format!("unknown area {other}")),
    };
    given.finish().map_err(|e| format!("given: {e}"))?;
    let after = then.list("after")?.ok_or("no then.after")?;
    if after.len() != inputs.len() {
        return Err("then.after is not as long as when".into());
    }
    for (i, (input, wanted)) in inputs.iter().zip(after).enumerate() {
        play(bench.as_mut(), input, wanted).map_err(|e| format!("input {}: {e}", i + 1))?;
    }
    if let Some(wanted) = then.given("final") {
        compare::check(bench.as_mut(), &Outcome::new(), wanted)
            .map_err(|e| format!("at the end: {e}"))?;
    }
    then.finish()
}

fn play(bench: &mut dyn Bench, input: &Value, wanted: &Value) -> Result<(), String> {
    let fields = Fields::new(input)?;
    let op = fields.text("op")?.ok_or("no op")?;
    let at = |e| format!("{op}: {e}");
    let outcome = bench.act(op, &fields).map_err(at)?;
    fields.finish().map_err(at)?;
    if wanted.is_null() {
        return Ok(());
    }
    compare::check(bench, &outcome, wanted).map_err(at)
}

/// Inputs that are known everywhere, where a bench has nothing of its own to do about them: a look,
/// and time that passes where there is no clock.
fn common_op(op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
    match op {
        "status" => {}
        "advance" => input.skip(&["ms"]),
        other => return Err(format!("unknown action {other}")),
    }
    Ok(Outcome::new())
}

fn unknown_field<T>(name: &str) -> Result<T, String> {
    Err(format!("unknown field {name}"))
}

/// The result of an operation, under Kafka's name for it.
fn result(result: Result<(), ErrorCode>) -> Outcome {
    let error = result.err().unwrap_or(ErrorCode::None);
    let mut outcome = Outcome::new();
    outcome.insert("error".into(), error.constant().into());
    outcome.insert("ok".into(), (error == ErrorCode::None).into());
    outcome
}

/// Whose rules a case goes by.
pub struct Era {
    pub release: Release,
    pub rules: Rules,
    /// What is set against them, to see a case fail.
    pub against: Against,
}

impl Era {
    fn of(name: &str, against: Against) -> Result<Era, String> {
        let release = match name {
            "0.8" => Release::V0_8_2,
            "0.11" => Release::V0_11,
            "2.x" => Release::V2_8,
            "4.x" => Release::V4_1,
            other => return Err(format!("unknown era {other}")),
        };
        let rules = against.set_in(Rules::of(release, false));
        Ok(Era { release, rules, against })
    }

    /// An era is played on its last release. A test of a version before that goes by what has
    /// changed since: an unknown producer was refused by a name of its own until 2.4 (KIP-360).
    fn go_back_to(&mut self, tag: &str) {
        let own_name = (1, 0)..(2, 5);
        if version(tag).is_some_and(|version| own_name.contains(&version)) {
            self.rules.unknown_producer = UnknownProducer::UnknownId;
            self.rules = self.against.set_in(self.rules);
        }
    }

    /// The rules, with ELR or without.
    fn rules(&self, elr: bool) -> Rules {
        self.against.set_in(Rules::of(self.release, elr))
    }

    /// The rules of the release with what `config` sets against it.
    fn with(&self, config: &Fields<'_>) -> Result<Rules, String> {
        let elr = config.flag("elr", false)?;
        let mut rules = self.rules(elr);
        if !config.flag("lastKnownLeader", true)? {
            rules.last_known_leader = LastKnownLeader::Unused;
        }
        if !config.flag("leaderRecovery", true)? {
            rules.leader_recovery = false;
        }
        if config.flag("epochBumpOnShrink", false)? {
            rules.shrink_bumps_epoch = true;
        }
        Ok(rules)
    }

    /// The rules of the release with another way of truncating.
    fn truncating(&self, protocol: Option<&str>) -> Result<Rules, String> {
        let mut rules = self.rules;
        rules.truncation = match protocol {
            None => rules.truncation,
            Some("fetch") => rules::Truncation::Fetch,
            Some("epochRequest") => rules::Truncation::Kip279,
            Some("kip101") => rules::Truncation::Kip101,
            Some("highWatermark") => rules::Truncation::HighWatermark,
            Some(other) => return Err(format!("unknown protocol {other}")),
        };
        Ok(rules)
    }
}

/// The version that a tag of Kafka's is of, if it is one and not a commit.
fn version(tag: &str) -> Option<(u32, u32)> {
    let mut numbers = tag.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kafkas_own_cases_hold_or_are_disputed() {
        let page = crate::repo::read(&crate::repo::path("docs/fidelity.md")).expect("the page");
        let disputed = super::super::Disputed::of(&page);
        let mut tally = super::super::Tally::default();
        let cases = all(&crate::repo::path("fidelity/conformance")).expect("readable data");
        super::super::note_all(&mut tally, cases, &disputed);
        assert_eq!((tally.failed(), tally.total), (0, 308));
    }

    #[test]
    fn what_a_case_says_and_nobody_knows_fails_by_its_name() {
        let case = |given: Value, input: Value, wanted: Value| {
            let case = json!({
                "id": "x",
                "era": "4.x",
                "given": given,
                "when": [input],
                "then": {"after": [wanted]},
            });
            check("epochs", &case, Against::default()).expect_err("a case that fails")
        };
        let (entries, latest) = (json!({"entries": [[1, 0]]}), json!({"op": "latest"}));
        let none = Value::Null;
        for (error, named) in [
            (case(json!({"entries": [], "odd": 1}), latest.clone(), none.clone()), "field odd"),
            (case(entries.clone(), json!({"op": "odd"}), none.clone()), "action odd"),
            (case(entries.clone(), json!({"op": "latest", "odd": 1}), none), "field odd"),
            (case(entries.clone(), latest.clone(), json!({"odd": 1})), "field odd"),
            (case(entries, latest, json!({"value": 2})), "value is 1, wanted value 2"),
        ] {
            assert!(error.contains(named), "{error}");
        }
    }
}
