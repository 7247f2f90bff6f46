//! Reads settings from where people keep them: properties, environments of compose files, YAML of
//! Spring and Strimzi, dictionaries in Python, JavaScript, Go, C# and Java.

use super::entry::{Dialect, Entry, Unit};
use super::foreign;
use super::names;
use super::place::{Place, place_of, speaks_of};
use super::statement::{Statement, statements};
use crate::text::{Line, lines};
use alloc::vec::Vec;
use highwater_core::settings::{Owner, Release};

/// What stands together in a text: a file, a fenced block, a document of YAML.
struct Part {
    /// What the heading says of whose it is.
    heading: Option<Place>,
    statements: Vec<Statement>,
}

/// The units of a text.
pub fn read(text: &str, release: Release) -> Vec<Unit> {
    let lines = lines(text);
    let dialect = foreign::dialect(&lines);
    let parts = parts(&lines);
    let mut units: Vec<Unit> = Vec::new();
    for part in &parts {
        units.extend(units_of(part, dialect, release));
    }
    units.retain(|unit| !unit.entries.is_empty() || unit.replicas.is_some());
    units
}

/// Cuts a text at fences, separators of YAML documents, and headings.
fn parts(lines: &[Line]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut from = 0;
    let mut heading = None;
    let mut close = |from: usize, to: usize, heading: Option<Place>| {
        let statements = statements(&lines[from..to]);
        if !statements.is_empty() {
            parts.push(Part { heading, statements });
        }
    };
    for (at, line) in lines.iter().enumerate() {
        let text = line.text.trim();
        let is_fence = text.starts_with("```") || text.starts_with("~~~");
        let is_separator = text == "---" || text.starts_with("==>");
        let heads = speaks_of(text);
        if is_fence || is_separator || heads.is_some() {
            close(from, at, heading);
            from = at + 1;
            // What it says may stand in the line itself.
            if heads.is_some() && super::command::is_one(text) {
                from = at;
            }
            // A fence keeps what the line before it says of it.
            let before = lines[..at].iter().rev().find(|l| !l.text.trim().is_empty());
            let said = before.filter(|_| is_fence).and_then(|l| speaks_of(l.text.trim()));
            heading = heads.or(said).or(if text == "---" { None } else { heading });
        }
    }
    close(from, lines.len(), heading);
    parts
}

/// The units of one part: one for each place that its paths name, and for what no path places, one
/// for each owner that the names have.
fn units_of(part: &Part, dialect: Dialect, release: Release) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let replicas = replicas_of_topic(part);
    let mut loose: Vec<Entry> = Vec::new();
    for statement in &part.statements {
        let place = place_of(statement, part.heading);
        let Some(entry) = entry(statement, place, dialect) else { continue };
        match place.map(|place| place.owners()) {
            None => loose.push(entry),
            Some([]) => {}
            Some(owners) => {
                for owner in owners {
                    let unit = unit(&mut units, *owner, dialect, entry.line);
                    if *owner == Owner::Topic {
                        unit.replicas = unit.replicas.or(replicas);
                        // People write it there, though it is given when a topic is created.
                        if entry.name == "replication.factor" {
                            unit.replicas = entry.value.parse().ok();
                            continue;
                        }
                    }
                    unit.entries.push(entry.clone());
                }
            }
        }
    }
    // A topic without settings still has its replicas.
    if let Some(count) = replicas
        && !units.iter().any(|u| u.owner == Owner::Topic)
    {
        let line = part.statements.first().map_or(1, |s| s.line);
        unit(&mut units, Owner::Topic, dialect, line).replicas = Some(count);
    }
    units.extend(by_names(loose, dialect, release));
    units
}

fn unit(units: &mut Vec<Unit>, owner: Owner, dialect: Dialect, line: u32) -> &mut Unit {
    let at = units.iter().position(|u| u.owner == owner);
    let at = at.unwrap_or_else(|| {
        let entries = Vec::new();
        units.push(Unit { owner, is_certain: true, dialect, line, replicas: None, entries });
        units.len() - 1
    });
    &mut units[at]
}

/// Settings that nothing but their names places. What only one owner has goes there; the rest goes
/// to the owner that has most of the others.
fn by_names(entries: Vec<Entry>, dialect: Dialect, release: Release) -> Vec<Unit> {
    let sole = |entry: &Entry| {
        let mut owners =
            Owner::ALL.into_iter().filter(|o| names::lifetime(&entry.name, *o).is_some());
        let first = owners.next()?;
        let rest: Vec<Owner> = owners.collect();
        match (first, rest.as_slice()) {
            (Owner::Broker, [Owner::Topic]) => Some(Owner::Broker),
            (Owner::Producer, [Owner::ScalaProducer]) => Some(Owner::Producer),
            // Who writes them for a later release means the producer that it has.
            (Owner::ScalaProducer, []) if release > Release::V0_11 => Some(Owner::Producer),
            (owner, []) => Some(owner),
            _ => None,
        }
    };
    let mut counts = [0usize; Owner::ALL.len()];
    for entry in &entries {
        // What every client must have says whose a file is, though several have it.
        let is_broker = matches!(
            entry.name.as_str(),
            "broker.id" | "node.id" | "process.roles" | "log.dirs" | "log.dir" | "listeners"
        );
        if is_broker {
            counts[Owner::Broker as usize] += 10;
        } else if let Some(owner) = sole(entry) {
            counts[owner as usize] += 1;
        }
    }
    let is_client = entries.iter().any(|e| e.name == "bootstrap.servers");
    let is_broker = counts[Owner::Broker as usize] >= 10;
    let of_clients = [Owner::Producer, Owner::Consumer, Owner::ScalaProducer];
    let clients = of_clients.into_iter().filter(|o| counts[*o as usize] > 0).count();
    let mut most = Owner::ALL.into_iter().rev().max_by_key(|o| counts[*o as usize]);
    if counts.iter().all(|c| *c == 0) {
        most = guessed(&entries);
    }
    let Some(most) = most else { return Vec::new() };
    // One file of one owner: a foreign name in it is a mistake, not another file.
    // One name of the other client's in a long file is a mistake, too.
    let (most_names, fewest) = {
        let of = |owner: Owner| counts[owner as usize];
        let (p, c) = (of(Owner::Producer), of(Owner::Consumer));
        (p.max(c), p.min(c))
    };
    let clients = if clients == 2 && fewest == 1 && most_names >= 4 { 1 } else { clients };
    let of_client: usize = of_clients.into_iter().map(|o| counts[o as usize]).sum();
    let has_group = entries.iter().any(|e| e.name == "group.id" || e.name.ends_with("serializer"));
    let one = (is_client && !is_broker && clients == 1)
        || (is_broker && !is_client && !has_group && of_client <= 1);
    let owner_of_file = if is_client && clients == 1 {
        of_clients.into_iter().max_by_key(|o| counts[*o as usize]).unwrap_or(most)
    } else {
        most
    };
    let mut units: Vec<Unit> = Vec::new();
    for entry in entries {
        let owner = if one { owner_of_file } else { sole(&entry).unwrap_or(most) };
        let unit = unit(&mut units, owner, dialect, entry.line);
        unit.is_certain = one;
        unit.entries.push(entry);
    }
    units
}

/// Where nothing that is known stands: whose a misspelt name would be.
fn guessed(entries: &[Entry]) -> Option<Owner> {
    let near = |owner: Owner| {
        let mut all = Release::ALL.into_iter().rev();
        entries
            .iter()
            .any(|e| e.name.contains('.') && all.any(|r| names::meant(&e.name, owner, r).is_some()))
    };
    Owner::ALL.into_iter().find(|o| near(*o))
}

/// The setting that a statement gives; `None` for what is none: a variable of the image, a key of
/// another program.
fn entry(statement: &Statement, place: Option<Place>, dialect: Dialect) -> Option<Entry> {
    // How many replicas a topic has is no setting.
    if statement.name == "replication-factor" {
        return None;
    }
    let written = statement.name.clone();
    let name = foreign::kafka_name(statement, place, dialect)?;
    let value = foreign::kafka_value(&name, &statement.value, dialect);
    Some(Entry { line: statement.line, written, name, value })
}

/// What a topic's resource or command says beside its configuration.
fn replicas_of_topic(part: &Part) -> Option<u32> {
    let mut all = part.statements.iter();
    let named = |s: &&Statement| ["replicas", "replication-factor"].contains(&s.name.as_str());
    let found = all.find(named)?;
    let is_topic = part.statements.iter().any(|s| s.name == "kind" && s.value == "KafkaTopic");
    let is_command = found.name == "replication-factor" && found.path.len() == 1;
    let is_topic = is_topic || is_command || part.heading == Some(Place::Topic);
    found.value.parse().ok().filter(|_| is_topic)
}
