//! What cannot start together, as Kafka says it.

use super::check::Context;
use super::entry::{Dialect, Unit};
use super::finding::{Finding, Harm};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use highwater_core::settings::{Key, Kind, Owner, Release};

/// A refusal: the setting at fault, its rule, what Kafka says, and what would be accepted.
struct Refusal {
    name: &'static str,
    rule: &'static str,
    says: String,
    instead: Vec<(&'static str, String)>,
}

/// Whether anything of a unit is refused: then nothing of it runs.
pub(super) fn is_refused(context: &Context<'_>, unit: &Unit) -> bool {
    !refusals(context, unit).is_empty() || !invalid(context, unit).is_empty()
}

pub(super) fn check(context: &Context<'_>, unit: &Unit, all: &mut Vec<Finding>) {
    all.extend(invalid(context, unit));
    for refusal in refusals(context, unit) {
        let Refusal { name, rule, says, instead } = refusal;
        let code = if unit.dialect == Dialect::Kafka { "refused" } else { "refusedByClient" };
        let mut finding = Finding::new(code, Harm::Refused, rule)
            .at(unit.entry(name).map(|e| e.line))
            .with("says", says)
            .with("client", unit.dialect.name());
        for (name, value) in instead {
            finding = finding.change(unit.owner, name, value);
        }
        all.push(finding);
    }
}

fn refusals(context: &Context<'_>, unit: &Unit) -> Vec<Refusal> {
    let mut found = Vec::new();
    if unit.dialect != Dialect::Kafka {
        by_other_clients(unit, &mut found);
        return found;
    }
    match unit.owner {
        Owner::Producer => {
            idempotence(context.release, unit, &mut found);
            delivery(context.release, unit, &mut found);
        }
        Owner::Consumer => sessions(context.release, unit, &mut found),
        Owner::Broker => fetching(context.release, unit, &mut found),
        Owner::Topic | Owner::ScalaProducer => {}
    }
    found
}

/// What holds for a number: as given, or by default.
fn number(unit: &Unit, name: &str, release: Release) -> Option<i64> {
    match unit.given(name) {
        Some(text) => text.parse().ok(),
        None => Key::find(name, unit.owner, release).ok()?.spec().default(release),
    }
}

fn is_true(text: &str) -> bool {
    text.eq_ignore_ascii_case("true")
}

/// R6.14: what idempotence and transactions need.
fn idempotence(release: Release, unit: &Unit, found: &mut Vec<Refusal>) {
    if release < Release::V0_11 {
        return;
    }
    let asked = unit.given("enable.idempotence");
    let transactional = unit.given("transactional.id").is_some();
    let by_default = release >= Release::V3_9;
    let explicit = asked.is_some_and(is_true) || (transactional && asked.is_none() && !by_default);
    let acks = unit.given("acks").map(str::to_ascii_lowercase);
    let wrong_acks = acks.as_deref().is_some_and(|a| a != "all" && a != "-1");
    let no_retries = unit.given("retries") == Some("0");
    let in_flight = number(unit, "max.in.flight.requests.per.connection", release).unwrap_or(5);
    let given_in_flight = unit.given("max.in.flight.requests.per.connection").is_some();
    let most = if release == Release::V0_11 { 1 } else { 5 };
    let mut say = |name: &'static str, says: &str, value: &str| {
        let instead = Vec::from([(name, value.to_string())]);
        found.push(Refusal { name, rule: "R6.14", says: says.to_string(), instead });
    };
    let off = asked.is_some_and(|a| !is_true(a))
        || (by_default && asked.is_none() && (wrong_acks || no_retries));
    if transactional && off {
        let says = "Cannot set a transactional.id without also enabling idempotence.";
        if asked.is_some() {
            say("enable.idempotence", says, "true");
        } else if wrong_acks {
            say("acks", says, "all");
        } else {
            say("retries", says, "2147483647");
        }
        return;
    }
    if explicit && no_retries {
        let says = "Must set retries to non-zero when using the idempotent producer.";
        say("retries", says, "2147483647");
    }
    if explicit && wrong_acks {
        let says = "Must set acks to all in order to use the idempotent producer. \
            Otherwise we cannot guarantee idempotence.";
        say("acks", says, "all");
    }
    // From 4.0 on it does not give way to this one any more, even where nobody asked for it.
    let holds = by_default && release >= Release::V4_1 && asked.is_none();
    if (explicit || holds) && given_in_flight && in_flight > most {
        let says = match release {
            Release::V0_11 => {
                "Must set max.in.flight.requests.per.connection to 1 in order to use the \
                idempotent producer. Otherwise we cannot guarantee idempotence."
                    .to_string()
            }
            _ if release >= Release::V4_1 => format!(
                "To use the idempotent producer, max.in.flight.requests.per.connection must be \
                set to at most 5. Current value is {in_flight}."
            ),
            _ => "Must set max.in.flight.requests.per.connection to at most 5 to use the \
                idempotent producer."
                .to_string(),
        };
        say("max.in.flight.requests.per.connection", &says, &most.to_string());
    }
}

/// R6.14: what librdkafka and Sarama say when a client is made with idempotence and without what
/// that needs.
fn by_other_clients(unit: &Unit, found: &mut Vec<Refusal>) {
    let asked = unit.given("enable.idempotence").is_some_and(is_true);
    if unit.owner != Owner::Producer || !asked {
        return;
    }
    let in_flight = "max.in.flight.requests.per.connection";
    let rows: [(&'static str, &str, &str); 3] = match unit.dialect {
        Dialect::Librdkafka => [
            ("acks", "`acks` must be set to `all` when `enable.idempotence` is true", "all"),
            ("retries", "`retries` must be set >= 1 when `enable.idempotence` is true", "10"),
            (in_flight, "`max.in.flight` must be set <= 5 when `enable.idempotence` is true", "5"),
        ],
        Dialect::Sarama => [
            ("acks", "Idempotent producer requires Producer.RequiredAcks to be WaitForAll", "all"),
            ("retries", "Idempotent producer requires Producer.Retry.Max >= 1", "10"),
            (in_flight, "Idempotent producer requires Net.MaxOpenRequests to be 1", "1"),
        ],
        _ => return,
    };
    for (name, says, value) in rows {
        // Sarama's own defaults do not go with idempotence.
        let theirs = match (unit.dialect, name) {
            (Dialect::Sarama, "acks") => Some("1"),
            (Dialect::Sarama, "retries") => Some("3"),
            (Dialect::Sarama, _) => Some("5"),
            _ => None,
        };
        let Some(given) = unit.given(name).or(theirs) else { continue };
        let number = given.parse::<i64>().ok();
        let most = if unit.dialect == Dialect::Sarama { 1 } else { 5 };
        let is_wrong = match name {
            "acks" => given != "all" && given != "-1",
            "retries" => number == Some(0),
            _ => number.is_some_and(|n| n > most),
        };
        if is_wrong {
            let instead = Vec::from([(name, value.to_string())]);
            found.push(Refusal { name, rule: "R6.14", says: says.to_string(), instead });
        }
    }
}

/// R6.7: a delivery lasts at least one try.
fn delivery(release: Release, unit: &Unit, found: &mut Vec<Refusal>) {
    let name = "delivery.timeout.ms";
    let Some(delivery) = unit.given(name).and_then(|d| d.parse::<i64>().ok()) else { return };
    let part = |name| number(unit, name, release).unwrap_or(0);
    let least = part("linger.ms").saturating_add(part("request.timeout.ms"));
    if release >= Release::V2_8 && delivery < least {
        let says =
            "delivery.timeout.ms should be equal to or larger than linger.ms + request.timeout.ms";
        let instead = Vec::from([(name, least.max(120_000).to_string())]);
        found.push(Refusal { name, rule: "R6.7", says: says.to_string(), instead });
    }
}

/// R7.9: a member's heartbeats come within its session, which the broker has to allow.
fn sessions(release: Release, unit: &Unit, found: &mut Vec<Refusal>) {
    if release < Release::V0_11
        || unit.given("group.protocol").is_some_and(|p| p.eq_ignore_ascii_case("consumer"))
    {
        return;
    }
    let (heartbeat, session) = ("heartbeat.interval.ms", "session.timeout.ms");
    let value = |name| number(unit, name, release).unwrap_or(0);
    let (beat, limit) = (value(heartbeat), value(session));
    if beat >= limit {
        let name = if unit.given(heartbeat).is_some() { heartbeat } else { session };
        let says = "Heartbeat must be set lower than the session timeout".to_string();
        let instead = Vec::from([(heartbeat, (limit / 3).max(1).to_string())]);
        found.push(Refusal { name, rule: "R7.9", says, instead });
    }
    // group.min.session.timeout.ms and group.max.session.timeout.ms as they are by default.
    let most = if release == Release::V0_11 { 300_000 } else { 1_800_000 };
    if unit.given(session).is_some() && (limit < 6_000 || limit > most) {
        let says = "The session timeout is not within the range allowed by the broker (as \
            configured by group.min.session.timeout.ms and group.max.session.timeout.ms).";
        let instead = Vec::from([(session, limit.clamp(6_000, most).to_string())]);
        found.push(Refusal { name: session, rule: "R7.9", says: says.to_string(), instead });
    }
    let (request, wait) = (value("request.timeout.ms"), value("fetch.max.wait.ms"));
    if release == Release::V0_11 && (request <= limit || request <= wait) {
        let says =
            "request.timeout.ms should be greater than session.timeout.ms and fetch.max.wait.ms";
        let instead = Vec::from([("request.timeout.ms", (limit.max(wait) + 1).to_string())]);
        found.push(Refusal {
            name: "request.timeout.ms",
            rule: "R7.9",
            says: says.to_string(),
            instead,
        });
    }
}

/// R3.1: a fetch that waits is neither a dead connection nor a lagging follower.
fn fetching(release: Release, unit: &Unit, found: &mut Vec<Refusal>) {
    let (wait, socket, lag) =
        ("replica.fetch.wait.max.ms", "replica.socket.timeout.ms", "replica.lag.time.max.ms");
    let value = |name| number(unit, name, release).unwrap_or(0);
    let than = if release >= Release::V2_8 { "less than or equal to" } else { "at least" };
    let rows = [
        (
            socket,
            "requirement failed: replica.socket.timeout.ms should always be at least \
            replica.fetch.wait.max.ms to prevent unnecessary socket timeouts"
                .to_string(),
        ),
        (
            lag,
            format!(
                "requirement failed: replica.fetch.wait.max.ms should always be {than} \
            replica.lag.time.max.ms to prevent frequent changes in ISR"
            ),
        ),
    ];
    for (high, says) in rows {
        if value(wait) > value(high) {
            let name = if unit.given(high).is_some() { high } else { wait };
            let spec = Key::find(name, Owner::Broker, release)
                .ok()
                .and_then(|k| k.spec().default(release));
            let instead = Vec::from([(name, spec.unwrap_or_default().to_string())]);
            found.push(Refusal { name, rule: "R3.1", says, instead });
        }
    }
}

/// Values that are none.
fn invalid(context: &Context<'_>, unit: &Unit) -> Vec<Finding> {
    if unit.dialect != Dialect::Kafka {
        return Vec::new();
    }
    let release = context.release;
    let bad = unit.entries.iter().filter_map(|entry| {
        let key = Key::find(&entry.name, unit.owner, release).ok()?;
        // A value that is filled in later is not known here.
        if entry.value.contains("${") || entry.value.contains("{{") || entry.value.is_empty() {
            return None;
        }
        let error = key.spec().parse(&entry.value, release).err()?;
        if matches!(key.spec().kind, Kind::Choice(_)) && key == Key::ReplicaSelectorClass {
            return None; // Any class will do.
        }
        let says = format!("Invalid value {} for configuration {}", entry.value, entry.name);
        let finding = Finding::new("invalid", Harm::Refused, "");
        let finding = finding.at(Some(entry.line)).with("says", says);
        Some(Finding { accepted: Some(error.accepted), ..finding })
    });
    bad.collect()
}
