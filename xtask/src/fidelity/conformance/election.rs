//! Who leads: KRaft's builder and controller, ZooKeeper's elections, whole clusters.

use super::cluster;
use super::controller::{Cluster, Governed, look_at, partition};
use super::fields::{Fields, brokers, of_broker, of_brokers};
use super::{Bench, Era, Outcome, common_op, unknown_field};
use highwater_core::partition::change::{self, Change, ChangeContext};
use highwater_core::partition::election::{self, Candidates, Election};
use highwater_core::partition::high_watermark::effective_min_isr;
use highwater_core::partition::reassignment::{self, Plan};
use highwater_core::partition::zk_election::{self, Elected};
use highwater_core::partition::{Stored, zk_change};
use highwater_core::settings::rules::{Coordination, MinIsr};
use highwater_core::settings::{Key, Release, Rules, Values};
use highwater_core::wire::metadata::BrokerState;
use highwater_core::words::{BrokerId, Brokers};
use serde_json::{Value, json};

/// What the rules say without a controller.
const BY_RULES: [&str; 12] = [
    "electOnly",
    "change",
    "epochBumpCheck",
    "setEligible",
    "merge",
    "electionWasClean",
    "planReassign",
    "maybeComplete",
    "planRevert",
    "zkElect",
    "zkReplicaOffline",
    "defaultConfig",
];

pub fn bench(era: &Era, given: &Fields<'_>, inputs: &[Value]) -> Result<Box<dyn Bench>, String> {
    let config = given.object_or_empty("config")?;
    let rules = era.with(&config)?;
    let ops: Vec<&str> = inputs.iter().filter_map(|i| i["op"].as_str()).collect();
    let by_zookeeper = rules.coordination == Coordination::ZooKeeper;
    let by_rules = ops.iter().any(|op| BY_RULES.contains(op));
    // What ZooKeeper's controller does with a partition is not to be had without its brokers.
    let by_brokers = by_zookeeper && given.has("cluster") && given.has("partition") && !by_rules;
    if cluster::is_needed(inputs) || by_brokers {
        let settings = cluster::Settings {
            min_isr: config.int("minIsr")?,
            unclean: config.has("unclean").then(|| config.flag("unclean", false)).transpose()?,
            elr: config.flag("elr", false)?,
            rebalance: config.flag("autoRebalance", false)?,
            ..cluster::Settings::default()
        };
        config.finish()?;
        return Ok(Box::new(cluster::Played::of_election(era, &settings, given)?));
    }
    let min_isr = config.int_or("minIsr", 1)?;
    let unclean = config.flag("unclean", false)?;
    config.skip(&["autoRebalance"]);
    config.finish()?;
    let state = given.object("partition")?.map(|p| partition(&p)).transpose()?;
    let mut live = given.brokers_or_none("live")?;
    let mut eligible = given.brokers_or_none("eligible")?;
    if let Some(cluster) = given.object("cluster")?.filter(|_| by_rules || by_zookeeper) {
        let down = cluster.brokers_or_none("fenced")?;
        let down = down.union(&cluster.brokers_or_none("shuttingDown")?);
        live = cluster.brokers_or_none("brokers")?.filtered(|b| !down.contains(&b));
        eligible = eligible.union(&live);
        cluster.finish()?;
    } else if let Some(cluster) = given.object("cluster")? {
        let (fenced, shutting_down) =
            (cluster.brokers_or_none("fenced")?, cluster.brokers_or_none("shuttingDown")?);
        let registered: Vec<(BrokerId, BrokerState)> = (100..)
            .zip(&cluster.brokers_or_none("brokers")?)
            .map(|(epoch, id)| {
                let state = BrokerState {
                    epoch,
                    incarnation: 1,
                    fenced: fenced.contains(id),
                    shutting_down: shutting_down.contains(id),
                    directory: 0,
                };
                (*id, state)
            })
            .collect();
        cluster.finish()?;
        let setting = Cluster { release: era.release, rules, min_isr, unclean };
        return Ok(Box::new(Governed::new(&setting, &registered, state)?));
    }
    let plan = given.object("plan")?.map(|p| plan(&p)).transpose()?;
    Ok(Box::new(Building {
        release: era.release,
        rules,
        min_isr,
        unclean,
        eligible,
        live,
        state: state.unwrap_or_default(),
        plan,
        unclean_elections: 0,
    }))
}

fn plan(given: &Fields<'_>) -> Result<Plan, String> {
    let plan = Plan {
        replicas: given.brokers_or_none("replicas")?,
        adding: given.brokers_or_none("adding")?,
        removing: given.brokers_or_none("removing")?,
    };
    given.finish()?;
    Ok(plan)
}

/// The rules alone, over one partition.
struct Building {
    release: Release,
    rules: Rules,
    min_isr: i64,
    unclean: bool,
    eligible: Brokers,
    live: Brokers,
    state: Stored,
    plan: Option<Plan>,
    unclean_elections: usize,
}

impl Building {
    /// The reassignment: the one that is planned, or else the partition's.
    fn plan(&self) -> Plan {
        self.plan.unwrap_or_else(|| self.state.plan())
    }

    fn change(&self, input: &Fields<'_>) -> Result<Change, String> {
        let mut change = Change::of(&self.state);
        change.election = match input.text("election")?.unwrap_or("online") {
            "preferred" => Election::Preferred,
            "online" => Election::Online,
            "unclean" => Election::Unclean,
            other => return Err(format!("unknown election {other}")),
        };
        let lists = [
            ("targetIsr", &mut change.isr),
            ("targetReplicas", &mut change.plan.replicas),
            ("targetAdding", &mut change.plan.adding),
            ("targetRemoving", &mut change.plan.removing),
            ("uncleanShutdown", &mut change.unclean_shutdown),
        ];
        for (name, list) in lists {
            if let Some(given) = input.brokers(name)? {
                *list = given;
            }
        }
        Ok(change)
    }

    fn built(&self, change: Change) -> Result<Option<change::Changed>, String> {
        let acceptable = |b: BrokerId| self.eligible.contains(&b);
        let replicas = self.state.replicas.len();
        let min_isr = effective_min_isr(MinIsr::Capped, self.min_isr, replicas);
        let world = ChangeContext { rules: &self.rules, min_isr, acceptable: &acceptable };
        change.build(&self.state, &world).map_err(|error| error.constant().to_string())
    }

    fn elect_only(&self, change: &Change) -> Outcome {
        let acceptable = |b: BrokerId| self.eligible.contains(&b);
        let winner = Candidates {
            replicas: &change.plan.replicas,
            isr: &change.isr,
            elr: &self.state.elr,
            last_known: change::last_known(&self.state, &self.rules),
            last_known_must_be_up: self.rules.last_known_leader
                != highwater_core::settings::rules::LastKnownLeader::Any,
            leader: self.state.leader,
            acceptable: &acceptable,
        }
        .elect(change.election);
        let mut outcome = Outcome::new();
        outcome.insert("leader".into(), of_broker(winner.map(|(leader, _)| leader)));
        outcome.insert("unclean".into(), winner.is_some_and(|(_, s)| s.is_unclean()).into());
        outcome
    }

    /// A record's fields over the state.
    fn merge(&mut self, record: &Fields<'_>) -> Result<(), String> {
        let names_leader = record.given("leader").is_some();
        if names_leader {
            self.state.leader = record.broker("leader")?;
        }
        let lists = [
            ("isr", &mut self.state.isr),
            ("replicas", &mut self.state.replicas),
            ("elr", &mut self.state.elr),
            ("lastKnownElr", &mut self.state.last_known_elr),
            ("adding", &mut self.state.adding),
            ("removing", &mut self.state.removing),
        ];
        for (name, list) in lists {
            if let Some(given) = record.brokers(name)? {
                *list = given;
            }
        }
        self.state.recovering = record.flag("recovering", self.state.recovering)?;
        self.state = self.state.recorded(names_leader);
        record.finish()
    }

    fn zk_elect(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let stopping = input.brokers_or_none("shuttingDown")?;
        let live = |b: BrokerId| self.live.contains(&b);
        let (replicas, isr) = (&self.state.replicas, &self.state.isr);
        let unclean = input.flag("unclean", self.unclean)?;
        let elected = match input.text("strategy")?.ok_or("no strategy")? {
            "offline" => {
                let written = zk_change::elect(&self.state, true, unclean, &live);
                written.and_then(|w| w.elected)
            }
            "reassign" => zk_election::reassigned(replicas, isr, &live),
            "preferred" => zk_election::preferred(replicas, isr, &live),
            "controlledShutdown" => zk_election::controlled_shutdown(
                self.rules.shutdown_handover,
                replicas,
                isr,
                &live,
                &|b| stopping.contains(&b),
            ),
            other => return Err(format!("unknown strategy {other}")),
        };
        match elected {
            Some(Elected { leader, isr, unclean }) => {
                self.unclean_elections += usize::from(unclean);
                let leader = Some(leader);
                self.state = Stored { leader, isr, ..self.state }.recorded(true);
            }
            None => self.state.leader = None,
        }
        Ok(())
    }

    fn zk_replica_offline(&mut self, broker: BrokerId, unclean: bool) {
        if let Some(written) = zk_change::remove(&self.rules, &self.state, broker, unclean) {
            self.state = written.state;
        }
    }
}

impl Bench for Building {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        let mut outcome = Outcome::new();
        match op {
            "electOnly" => return Ok(self.elect_only(&self.change(input)?)),
            "change" => {
                let changed = self.built(self.change(input)?)?;
                outcome.insert("changed".into(), changed.is_some().into());
                if let Some(changed) = changed {
                    let unclean = changed.elected.is_some_and(election::Source::is_unclean);
                    self.unclean_elections += usize::from(unclean);
                    outcome.insert("unclean".into(), unclean.into());
                    outcome.insert("complete".into(), changed.completed.into());
                    self.state = changed.state;
                }
            }
            "epochBumpCheck" => {
                // What rises because another leads is the election's matter.
                let before = &self.state;
                let bump = self.built(self.change(input)?)?.is_some_and(|c| {
                    c.state.leader == before.leader && c.state.leader_epoch > before.leader_epoch
                });
                outcome.insert("bump".into(), bump.into());
            }
            "setEligible" => {
                let given = input.brokers("eligible")?;
                self.eligible = given.or(input.brokers("brokers")?).ok_or("no eligible")?;
            }
            "planReassign" => {
                let list = |name| brokers(input.get(name).ok_or(format!("no {name}"))?);
                let plan = Plan::to(&list("current")?, &list("target")?).ok_or("too many")?;
                tell_plan(&plan, &mut outcome);
                self.plan = Some(plan);
            }
            "maybeComplete" => {
                let isr = input.brokers_or_none("isr")?;
                let done = reassignment::completed(&self.plan(), &isr, self.rules.reassignment);
                outcome.insert("complete".into(), done.is_some().into());
                if let Some((replicas, isr)) = done {
                    outcome.insert("replicas".into(), of_brokers(&replicas));
                    outcome.insert("isr".into(), of_brokers(&isr));
                }
            }
            "planRevert" => {
                let (replicas, isr, unclean) =
                    reassignment::reverted(&self.plan(), &self.state.isr);
                outcome.insert("replicas".into(), of_brokers(&replicas));
                outcome.insert("isr".into(), of_brokers(&isr));
                outcome.insert("unclean".into(), unclean.into());
            }
            "merge" => self.merge(&input.object("record")?.ok_or("no record")?)?,
            "electionWasClean" => {
                let (isr, elr) = (input.brokers_or_none("isr")?, input.brokers_or_none("elr")?);
                let clean = election::is_clean(input.broker("leader")?, &isr, &elr);
                outcome.insert("clean".into(), clean.into());
            }
            "effectiveMinIsr" => {
                let replicas = self.state.replicas.len();
                let value = effective_min_isr(self.rules.min_isr, self.min_isr, replicas);
                outcome.insert("value".into(), value.into());
            }
            "setUnclean" => self.unclean = input.flag("value", true)?,
            "setMinIsr" => self.min_isr = input.need("value")?,
            "createPartition" => {
                let replicas = input.brokers("replicas")?.ok_or("no replicas")?;
                // Nobody has led it yet.
                let new = Stored { replicas, leader_epoch: -1, ..Stored::default() };
                let written = zk_change::elect(&new, true, false, &|b| self.live.contains(&b));
                self.state = written.map_or(new, |w| w.state);
            }
            "zkElect" => self.zk_elect(input)?,
            "zkReplicaOffline" => {
                let unclean = input.flag("unclean", self.unclean)?;
                self.zk_replica_offline(input.need_broker("broker")?, unclean);
            }
            "defaultConfig" => {
                let values = Values::defaults(self.release);
                let unclean = values.is(Key::UncleanLeaderElectionEnable);
                outcome.insert("unclean".into(), unclean.into());
                outcome.insert("minIsr".into(), values.get(Key::MinInsyncReplicas).into());
                let rebalance = values.is(Key::AutoLeaderRebalanceEnable);
                outcome.insert("autoRebalance".into(), rebalance.into());
            }
            other => return common_op(other, input),
        }
        Ok(outcome)
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        match name {
            "uncleanElections" => Ok(json!(self.unclean_elections)),
            "inProgress" => Ok(json!(self.plan().is_under_way())),
            _ => look_at(&self.state, name).map_or_else(|| unknown_field(name), Ok),
        }
    }
}

fn tell_plan(plan: &Plan, outcome: &mut Outcome) {
    outcome.insert("replicas".into(), of_brokers(&plan.replicas));
    outcome.insert("adding".into(), of_brokers(&plan.adding));
    outcome.insert("removing".into(), of_brokers(&plan.removing));
    outcome.insert("inProgress".into(), plan.is_under_way().into());
}
