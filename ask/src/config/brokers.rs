//! What settings of brokers and topics can do.

use super::check::Context;
use super::entry::Unit;
use super::finding::{Finding, Harm};
use super::proof::Proof;
use super::refused::is_refused;
use super::setup::Setup;
use alloc::string::ToString;
use alloc::vec::Vec;
use highwater_core::settings::{Owner, Release};

pub(super) fn check(context: &Context<'_>, all: &mut Vec<Finding>) {
    let is_refused = context.units.iter().any(|u| is_refused(context, u));
    for owner in [Owner::Broker, Owner::Topic] {
        for unit in context.of(owner) {
            let subject = Subject { context, unit, is_refused };
            subject.replicas(all);
            subject.min_isr(all);
            subject.unclean(all);
            subject.internal_topics(all);
            subject.shutdown(all);
            subject.heartbeats(all);
            subject.disks(all);
        }
    }
}

/// Brokers with what they give to topics, or a topic.
struct Subject<'a> {
    context: &'a Context<'a>,
    unit: &'a Unit,
    is_refused: bool,
}

impl Subject<'_> {
    fn line(&self, name: &str) -> Option<u32> {
        self.unit.entry(name).map(|e| e.line)
    }

    fn is_broker(&self) -> bool {
        self.unit.owner == Owner::Broker
    }

    /// What is given here, or elsewhere to brokers.
    fn given(&self, name: &str) -> Option<&str> {
        self.unit.given(name).or_else(|| self.context.of_broker(name))
    }

    /// Whether a default is to be spoken of: of brokers whose file this is, or of a topic alone.
    fn speaks_for(&self, name: &str) -> bool {
        let elsewhere = self.context.units.iter().any(|u| u.entry(name).is_some());
        let brokers = self.context.of(Owner::Broker).next().is_some();
        self.unit.is_certain && !elsewhere && (self.is_broker() || !brokers)
    }

    fn proven(&self, finding: Finding, proof: Proof) -> Finding {
        if self.is_refused {
            return finding;
        }
        let mut setup = Setup::of(self.context.release, self.replicas_known());
        self.context.of(Owner::Broker).for_each(|unit| setup.take(unit));
        setup.take(self.unit);
        let mended = setup.changed(&finding.changes);
        Finding { proof: proof.script(&setup), mended: proof.script(&mended), ..finding }
    }

    fn replicas_known(&self) -> Option<u32> {
        let own = self.unit.replicas.filter(|_| !self.is_broker());
        own.or_else(|| self.given("default.replication.factor")?.parse().ok())
    }

    fn replicas(&self, all: &mut Vec<Finding>) {
        let (name, line) = match (self.is_broker(), self.unit.replicas) {
            (true, _) => match self.line("default.replication.factor") {
                Some(line) => ("default.replication.factor", line),
                None => return,
            },
            (false, Some(_)) => ("replicas", self.unit.line),
            (false, None) => return,
        };
        if self.replicas_known() == Some(1) {
            let finding = Finding::new("replicas.one", Harm::Loses, "R5.35")
                .at(Some(line))
                .with("name", name)
                .change(self.unit.owner, name, 3);
            all.push(self.proven(finding, Proof::OneCopy));
        }
    }

    fn min_isr(&self, all: &mut Vec<Finding>) {
        let name = "min.insync.replicas";
        let release = self.context.release;
        let line = self.line(name);
        if release == Release::V0_8_2 && self.is_broker() {
            if line.is_some() {
                all.push(Finding::new("minIsr.topicOnly", Harm::Nothing, "R2.7").at(line));
            }
            return;
        }
        let replicas = self.replicas_known().map(i64::from);
        let min: i64 = self.given(name).and_then(|v| v.parse().ok()).unwrap_or(1);
        let is_silent = line.is_none() && !self.speaks_for(name);
        // Of one replica the minimum does not matter, unless it can never be met.
        let is_one = replicas == Some(1) && (min == 1 || release >= Release::V3_9);
        if is_silent || is_one {
            return;
        }
        let owner = self.unit.owner;
        let with = |finding: Finding| {
            finding.at(line).with("minIsr", min).with("replicas", replicas.unwrap_or(3))
        };
        if min == 1 {
            let code = if line.is_some() { "minIsr.one" } else { "minIsr.default" };
            let finding = with(Finding::new(code, Harm::Loses, "R2.7")).change(owner, name, 2);
            // With two replicas the change itself stops writes when one of them dies.
            let more = if self.is_broker() { "default.replication.factor" } else { "replicas" };
            let finding = match replicas {
                Some(2) => finding.change(owner, more, 3),
                _ => finding,
            };
            all.push(self.proven(finding, Proof::LastOne));
            return;
        }
        let Some(replicas) = replicas.filter(|r| min >= *r) else { return };
        // From 3.9 on a minimum above the replicas counts as all of them.
        let more = min > replicas && release < Release::V3_9;
        let code = if more { "minIsr.more" } else { "minIsr.all" };
        let finding = with(Finding::new(code, Harm::StopsWrites, "R2.7"));
        let finding = finding.change(owner, name, (replicas - 1).max(1));
        let proof = if more { Proof::AllWell } else { Proof::OneFewer };
        all.push(self.proven(finding, proof));
    }

    fn unclean(&self, all: &mut Vec<Finding>) {
        let name = "unclean.leader.election.enable";
        let given = self.unit.given(name).map(|v| v.eq_ignore_ascii_case("true"));
        let by_default = self.context.release == Release::V0_8_2 && self.speaks_for(name);
        if !given.unwrap_or(by_default) || self.replicas_known() == Some(1) {
            return;
        }
        let code = if given.is_some() { "unclean.on" } else { "unclean.default" };
        let finding = Finding::new(code, Harm::Loses, "R4.8").at(self.line(name));
        let finding = finding.change(self.unit.owner, name, false);
        all.push(self.proven(finding, Proof::Unclean));
    }

    fn of_broker(&self, name: &str) -> Option<&str> {
        self.unit.given(name).filter(|_| self.is_broker())
    }

    /// Kafka's own topics: the positions of groups, the states of transactions.
    fn internal_topics(&self, all: &mut Vec<Finding>) {
        let one = |name: &str| self.of_broker(name).is_some_and(|v| v == "1");
        let rows = [
            ("offsets.topic.replication.factor", "offsets.one", "R7.3", 3),
            ("transaction.state.log.replication.factor", "transactions.one", "R6.16", 3),
            ("transaction.state.log.min.isr", "transactions.minIsr", "R2.7", 2),
        ];
        for (name, code, rule, value) in rows {
            let harm = if code == "transactions.minIsr" { Harm::Loses } else { Harm::StopsWrites };
            if one(name) {
                let finding = Finding::new(code, harm, rule).at(self.line(name));
                all.push(finding.with("name", name).change(Owner::Broker, name, value));
            }
        }
    }

    fn shutdown(&self, all: &mut Vec<Finding>) {
        let name = "controlled.shutdown.enable";
        if self.of_broker(name).is_some_and(|v| v.eq_ignore_ascii_case("false")) {
            let finding = Finding::new("shutdown.uncontrolled", Harm::Failover, "R5.13")
                .at(self.line(name))
                .change(Owner::Broker, name, true);
            all.push(self.proven(finding, Proof::Stop));
        }
    }

    /// A broker whose heartbeats come later than its session ends is fenced in between.
    fn heartbeats(&self, all: &mut Vec<Finding>) {
        let (beat, session) = ("broker.heartbeat.interval.ms", "broker.session.timeout.ms");
        if !self.is_broker() || self.context.release < Release::V3_9 {
            return;
        }
        let value = |name: &str, default: i64| {
            self.of_broker(name).and_then(|v| v.parse().ok()).unwrap_or(default)
        };
        let (interval, limit) = (value(beat, 2_000), value(session, 9_000));
        if interval >= limit {
            let finding = Finding::new("heartbeat.late", Harm::StopsWrites, "R5.3")
                .at(self.line(beat).or(self.line(session)))
                .with("interval", interval)
                .with("session", limit);
            all.push(finding.change(Owner::Broker, beat, (limit / 4).max(1)));
        }
    }

    /// What the system may empty at a restart.
    fn disks(&self, all: &mut Vec<Finding>) {
        for name in ["log.dirs", "log.dir"] {
            let Some(value) = self.of_broker(name) else { continue };
            let mut folders = value.split(',').map(str::trim);
            if let Some(folder) = folders.find(|f| *f == "/tmp" || f.starts_with("/tmp/")) {
                let finding = Finding::new("disk.temporary", Harm::Loses, "R1.21")
                    .at(self.line(name))
                    .with("folder", folder.to_string())
                    .change(Owner::Broker, name, "/var/lib/kafka/data");
                all.push(finding);
            }
        }
    }
}
