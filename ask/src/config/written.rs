//! Names: unknown, of another release, of somebody else, written twice.

use super::check::Context;
use super::entry::{Dialect, Unit};
use super::finding::{Finding, Harm};
use super::names;
use alloc::vec::Vec;
use highwater_core::settings::Owner;

/// So many names of a unit are looked for elsewhere; who has more of them has another file.
const MOST: usize = 200;

/// What other software reads from the same files.
const OTHERS: [&str; 16] = [
    "listener.name.",
    "confluent.",
    "schema.registry.",
    "specific.avro",
    "basic.auth",
    "auto.register",
    "use.latest",
    "value.subject",
    "key.subject",
    "json.",
    "spring.",
    "log4j",
    "zookeeper.clientCnxnSocket",
    "zookeeper.ssl",
    "cruise.control",
    "authorizer.",
];

pub(super) fn check(context: &Context<'_>, unit: &Unit, all: &mut Vec<Finding>) {
    if unit.dialect != Dialect::Kafka {
        return; // Their own names are as many as Kafka's.
    }
    let release = context.release;
    let mut strange = 0;
    for (at, entry) in unit.entries.iter().enumerate() {
        let name = entry.name.as_str();
        if let Some(later) = unit.entries[at + 1..].iter().find(|e| e.name == name) {
            let finding = Finding::new("given.twice", Harm::Nothing, "").at(Some(entry.line));
            all.push(finding.with("name", name).with("line", later.line).remove(unit.owner, name));
        }
        if OTHERS.iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let scala =
            (unit.owner == Owner::Producer).then(|| names::lifetime(name, Owner::ScalaProducer));
        let lifetime = names::lifetime(name, unit.owner).or(scala.flatten());
        if lifetime.is_some_and(|l| l.has(release)) {
            continue;
        }
        strange += 1;
        if strange <= MOST {
            all.extend(foreign_name(context, unit, at, lifetime));
        }
    }
}

/// A name that its owner does not have in this release.
fn foreign_name(
    context: &Context<'_>,
    unit: &Unit,
    at: usize,
    lifetime: Option<names::Lifetime>,
) -> Option<Finding> {
    let release = context.release;
    let entry = &unit.entries[at];
    let name = entry.name.as_str();
    let finding = |code, harm| {
        let finding = Finding::new(code, harm, "").at(Some(entry.line));
        finding.with("name", name).with("owner", unit.owner.name()).with("release", release)
    };
    if let Some(lifetime) = lifetime {
        let removed = lifetime.last < release;
        let code = if removed { "name.removed" } else { "name.later" };
        let known = if removed { lifetime.last } else { lifetime.first };
        let finding = finding(code, Harm::Unknown).with("known", known);
        return Some(match instead(name) {
            Some((name, value)) => finding.change(unit.owner, name, value.unwrap_or(&entry.value)),
            None => finding.remove(unit.owner, name),
        });
    }
    let owners: Vec<Owner> = names::owners(name, release).collect();
    if let Some(owner) = owners.first() {
        if !unit.is_certain {
            return None;
        }
        let finding = finding("name.misplaced", Harm::Nothing).with("other", owner.name());
        return Some(finding.remove(unit.owner, name).change(*owner, name, &entry.value));
    }
    if names::is_known(name) {
        return None; // An admin client's, or of another release of somebody else.
    }
    if unit.owner == Owner::Broker && name == "replication.factor" {
        let meant = "default.replication.factor";
        let finding = finding("name.meant", Harm::Misspelt).with("meant", meant);
        return Some(finding.remove(unit.owner, name).change(unit.owner, meant, &entry.value));
    }
    if let Some(meant) = names::meant(name, unit.owner, release) {
        let finding = finding("name.meant", Harm::Misspelt).with("meant", meant);
        return Some(finding.remove(unit.owner, name).change(unit.owner, meant, &entry.value));
    }
    let other = Owner::ALL.into_iter().find_map(|o| Some((o, names::meant(name, o, release)?)));
    if let Some((owner, meant)) = other.filter(|_| unit.is_certain) {
        let finding = finding("name.meantElsewhere", Harm::Misspelt);
        let finding = finding.with("meant", meant).with("other", owner.name());
        return Some(finding.remove(unit.owner, name).change(owner, meant, &entry.value));
    }
    let finding = finding("name.unknown", Harm::Unknown).remove(unit.owner, name);
    (unit.is_certain && name.contains('.')).then_some(finding)
}

/// What came in the place of a name that is gone.
fn instead(name: &str) -> Option<(&'static str, Option<&'static str>)> {
    let row = match name {
        "request.required.acks" => ("acks", None),
        "metadata.broker.list" => ("bootstrap.servers", None),
        "message.send.max.retries" => ("retries", None),
        "serializer.class" => ("value.serializer", None),
        "auto.commit.enable" => ("enable.auto.commit", None),
        "fetch.wait.max.ms" => ("fetch.max.wait.ms", None),
        "replica.lag.max.messages" => ("replica.lag.time.max.ms", Some("30000")),
        "timeout.ms" => ("request.timeout.ms", None),
        "metadata.fetch.timeout.ms" => ("max.block.ms", None),
        "advertised.host.name" | "advertised.port" | "host.name" | "port" => return None,
        "zookeeper.connect" => return None,
        _ => return None,
    };
    Some(row)
}
