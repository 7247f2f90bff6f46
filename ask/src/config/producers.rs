//! What a producer's settings can do.

use super::check::Context;
use super::entry::{Dialect, Unit};
use super::finding::{Finding, Harm};
use super::foreign;
use super::proof::Proof;
use super::refused::is_refused;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use highwater_core::settings::{Key, Owner, Release};

/// A producer with what holds for it.
struct Producer<'a> {
    context: &'a Context<'a>,
    unit: &'a Unit,
    acks: String,
    idempotent: bool,
    retries: i64,
    in_flight: i64,
}

pub(super) fn check(context: &Context<'_>, unit: &Unit, all: &mut Vec<Finding>) {
    if unit.owner == Owner::ScalaProducer {
        scala(context, unit, all);
        return;
    }
    let producer = Producer::new(context, unit);
    // What does not start loses nothing, and how it is mended decides what it will do.
    if !is_refused(context, unit) {
        producer.acks(all);
        producer.duplicates(all);
        producer.reorders(all);
        producer.failover(all);
    } else {
        producer.too_short(all, true);
    }
    producer.nothing(all);
}

impl<'a> Producer<'a> {
    fn new(context: &'a Context<'a>, unit: &'a Unit) -> Producer<'a> {
        let value = |name: &str| {
            let theirs = foreign::default(name, unit.dialect).map(ToString::to_string);
            unit.given(name).map(ToString::to_string).or(theirs).or_else(|| {
                let key = Key::find(name, Owner::Producer, context.release).ok()?;
                Some(key.spec().print_in(
                    highwater_core::settings::Value(key.spec().default(context.release)?),
                    context.release,
                ))
            })
        };
        let number = |name: &str| value(name).and_then(|v| v.parse().ok()).unwrap_or(0);
        let acks = match value("acks").unwrap_or_default().as_str() {
            "-1" => "all".to_string(),
            other => other.to_ascii_lowercase(),
        };
        let wanted = value("enable.idempotence").is_some_and(|v| v.eq_ignore_ascii_case("true"));
        let (retries, in_flight) =
            (number("retries"), number("max.in.flight.requests.per.connection"));
        // Idempotence that nobody asked for gives way; one that was asked for brings its defaults.
        let asked = unit.given("enable.idempotence").is_some() && wanted;
        let transactional = unit.given("transactional.id").is_some();
        let acks = if asked && unit.given("acks").is_none() { "all".to_string() } else { acks };
        let retries =
            if asked && unit.given("retries").is_none() { i64::from(i32::MAX) } else { retries };
        let possible = acks == "all" && retries > 0 && in_flight <= 5;
        let idempotent = transactional || asked || (wanted && possible);
        Producer { context, unit, acks, idempotent, retries, in_flight }
    }

    fn line(&self, name: &str) -> Option<u32> {
        self.unit.entry(name).map(|e| e.line)
    }

    /// A finding with its proof, and the same once it is mended.
    fn proven(&self, finding: Finding, proof: Proof) -> Finding {
        let setup = self.context.setup().with(self.unit);
        let mended = setup.changed(&finding.changes);
        Finding { proof: proof.script(&setup), mended: proof.script(&mended), ..finding }
    }

    fn acks(&self, all: &mut Vec<Finding>) {
        let release = self.context.release;
        let code = match self.acks.as_str() {
            "0" => "acks.none",
            "1" => "acks.leader",
            "all" => return,
            _ if release == Release::V0_8_2 => "acks.some",
            _ => return, // It is refused.
        };
        // A default of Kafka's is one only where a client's file says nothing at all of it.
        let finding =
            Finding::new(code, Harm::Loses, if code == "acks.none" { "R6.10" } else { "R2.9" })
                .at(self.line("acks"))
                .with("acks", &self.acks)
                .with("client", self.unit.dialect.name())
                .change(Owner::Producer, "acks", "all");
        all.push(self.proven(finding, Proof::LeaderDies));
    }

    fn duplicates(&self, all: &mut Vec<Finding>) {
        if self.idempotent || self.retries == 0 || self.acks == "0" {
            return;
        }
        let explicit = self.line("enable.idempotence");
        let why = self.why_not_idempotent();
        let code = match (explicit, why) {
            (Some(_), _) => "idempotence.off",
            (None, Some(_)) => "idempotence.gaveWay",
            (None, None) => "idempotence.default",
        };
        let mut finding = Finding::new(code, Harm::Duplicates, "R6.11")
            .at(explicit.or(why.and_then(|name| self.line(name))))
            .with("client", self.unit.dialect.name())
            .with("setting", why.unwrap_or("enable.idempotence"));
        if Key::find("enable.idempotence", Owner::Producer, self.context.release).is_ok() {
            finding = self.idempotence_on(finding);
            all.push(self.proven(finding, Proof::AnswerLost));
        } else {
            all.push(finding);
        }
    }

    /// Idempotence, and what stands in its way taken out of it.
    fn idempotence_on(&self, finding: Finding) -> Finding {
        let mut finding = finding.change(Owner::Producer, "enable.idempotence", "true");
        if self.acks != "all" {
            finding = finding.change(Owner::Producer, "acks", "all");
        }
        let most = if self.context.release == Release::V0_11 { 1 } else { 5 };
        if self.in_flight > most {
            let name = "max.in.flight.requests.per.connection";
            finding = finding.change(Owner::Producer, name, most);
        }
        finding
    }

    /// The setting that idempotence, on by default, gives way to.
    fn why_not_idempotent(&self) -> Option<&'static str> {
        if self.context.release < Release::V3_9 || self.unit.dialect != Dialect::Kafka {
            return None;
        }
        match () {
            () if self.acks != "all" => Some("acks"),
            () if self.retries == 0 => Some("retries"),
            () if self.in_flight > 5 => Some("max.in.flight.requests.per.connection"),
            () => None,
        }
    }

    fn reorders(&self, all: &mut Vec<Finding>) {
        if self.idempotent || self.retries == 0 || self.in_flight <= 1 || self.acks == "0" {
            return;
        }
        let name = "max.in.flight.requests.per.connection";
        let mut finding = Finding::new("order.retries", Harm::Reorders, "R6.12")
            .at(self.line(name).or(self.line("retries")).or(self.line("enable.idempotence")))
            .with("inFlight", self.in_flight);
        let has = Key::find("enable.idempotence", Owner::Producer, self.context.release).is_ok();
        finding = if has {
            self.idempotence_on(finding)
        } else {
            finding.change(Owner::Producer, name, 1)
        };
        all.push(self.proven(finding, Proof::RequestLost));
    }

    fn failover(&self, all: &mut Vec<Finding>) {
        let setup = self.context.setup().with(self.unit);
        let session = setup.session_ms();
        if self.retries == 0 && self.acks != "0" {
            let finding = Finding::new("retries.none", Harm::Failover, "R6.7")
                .at(self.line("retries"))
                .with("client", self.unit.dialect.name())
                .change(Owner::Producer, "retries", i32::MAX);
            // Up to 2.0 a batch that waits longer than a request is given up, too.
            let request = setup.producer_values().get(Key::ProducerRequestTimeoutMs);
            let finding = match self.context.release < Release::V2_8 && request < session * 2 {
                true => {
                    finding.change(Owner::Producer, "request.timeout.ms", 30_000.max(session * 2))
                }
                false => finding,
            };
            all.push(self.proven(finding, Proof::Failover));
            return;
        }
        self.too_short(all, false);
    }

    /// A record is given up before a dead leader is replaced.
    fn too_short(&self, all: &mut Vec<Finding>, is_refused: bool) {
        let session = self.context.setup().session_ms();
        let Some(given) = self.unit.given("delivery.timeout.ms") else { return };
        let Ok(delivery) = given.parse::<i64>() else { return };
        // A new leader is elected once the dead one's session has ended.
        if self.context.release >= Release::V2_8 && delivery <= session {
            let finding = Finding::new("delivery.short", Harm::Failover, "R6.7")
                .at(self.line("delivery.timeout.ms"))
                .with("given", delivery)
                .with("session", session)
                .change(Owner::Producer, "delivery.timeout.ms", 120_000);
            let proven = || self.proven(finding.clone(), Proof::Failover);
            all.push(if is_refused { finding.clone() } else { proven() });
        }
    }

    fn nothing(&self, all: &mut Vec<Finding>) {
        if self.acks == "0" && self.unit.given("retries").is_some() && self.retries > 0 {
            let finding =
                Finding::new("retries.unused", Harm::Nothing, "R6.10").at(self.line("retries"));
            all.push(finding.change(Owner::Producer, "acks", "all"));
        }
        let min = self.context.of_topic("min.insync.replicas").and_then(|v| v.parse().ok());
        if self.acks != "all" && min.is_some_and(|m: i64| m > 1) {
            let finding = Finding::new("minIsr.unused", Harm::Nothing, "R2.7")
                .at(self.line("acks"))
                .with("acks", &self.acks)
                .with("minIsr", min.unwrap_or_default());
            all.push(finding.change(Owner::Producer, "acks", "all"));
        }
    }
}

/// The old producer of Scala: without idempotence, and with acks=0 by default (R6.2).
fn scala(context: &Context<'_>, unit: &Unit, all: &mut Vec<Finding>) {
    let owner = Owner::ScalaProducer;
    let line = |name: &str| unit.entry(name).map(|e| e.line);
    let given = unit.given("request.required.acks");
    let acks = given.unwrap_or("0");
    let played = |finding: Finding, proof: Proof| {
        let setup = context.setup().with(unit);
        let mended = setup.changed(&finding.changes);
        Finding { proof: proof.script(&setup), mended: proof.script(&mended), ..finding }
    };
    if acks == "0" || acks == "1" {
        let (code, rule) = match acks {
            "0" => ("acks.none", "R6.2"),
            _ => ("acks.leader", "R2.9"),
        };
        let finding = Finding::new(code, Harm::Loses, rule)
            .at(line("request.required.acks"))
            .with("acks", acks)
            .with("client", "Scala")
            .change(owner, "request.required.acks", -1);
        // The queue of async comes between; nobody hears of what acks=0 loses.
        let is_played = acks == "1" && unit.given("producer.type") != Some("async");
        all.push(if is_played { played(finding, Proof::LeaderDies) } else { finding });
    }
    if unit.given("producer.type") == Some("async") {
        let finding = Finding::new("queue.async", Harm::Loses, "R6.1").at(line("producer.type"));
        all.push(finding.change(owner, "producer.type", "sync"));
    }
    let retries = unit.given("message.send.max.retries").unwrap_or("3");
    if acks != "0" && retries != "0" {
        let finding = Finding::new("idempotence.none", Harm::Duplicates, "R6.11");
        all.push(finding.at(line("message.send.max.retries")));
    }
    if retries == "0" && acks != "0" {
        let finding = Finding::new("retries.none", Harm::Failover, "R6.3")
            .at(line("message.send.max.retries"))
            .with("client", "Scala");
        all.push(finding.change(owner, "message.send.max.retries", 10));
    }
}
