//! Where replicas go (R5.32–R5.35).

use super::fields::{Fields, of_brokers};
use super::{Bench, Era, Outcome, common_op, result, unknown_field};
use highwater_core::controller::placement::{
    RoundRobin, RoundRobinStart, StripedPlacer, Usable, added_start, alternating_racks,
    check_first_exists, check_more_partitions, check_numbers, check_replicas, place_round_robin,
    tool_error,
};
use highwater_core::partition::zk_election::{self, Elected};
use highwater_core::settings::Rules;
use highwater_core::settings::rules::{Coordination, Placement};
use highwater_core::words::{BrokerId, Brokers, ErrorCode};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};

pub struct Placing {
    rules: Rules,
    brokers: Vec<Usable>,
    shutting_down: Vec<BrokerId>,
    existing: BTreeMap<i64, Vec<BrokerId>>,
    existing_counts: Option<BTreeMap<String, usize>>,
    factor: usize,
    chance: Chance,
    placer: Option<StripedPlacer>,
    list: Option<RoundRobin>,
}

impl Placing {
    pub fn new(era: &Era, given: &Fields<'_>) -> Result<Placing, String> {
        given.skip(&["algorithm"]);
        let mut brokers = Vec::new();
        let mut shutting_down = Vec::new();
        for broker in given.list("brokers")?.into_iter().flatten() {
            let broker = Fields::new(broker)?;
            let id = broker.need_broker("id")?;
            let rack = broker.text("rack")?.map(String::from);
            let fenced = broker.flag("fenced", false)?;
            if broker.flag("shuttingDown", false)? {
                shutting_down.push(id);
            }
            broker.finish()?;
            brokers.push(Usable { id, rack, fenced });
        }
        let mut existing = BTreeMap::new();
        if let Some(partitions) = given.object("existing")? {
            for (partition, replicas) in partitions.all() {
                existing.insert(number(partition)?, ids(replicas)?);
            }
        }
        let counts = given.object("existingCounts")?.map(|topics| {
            let count = |v: &Value| v.as_u64().unwrap_or(0) as usize;
            topics.all().map(|(t, n)| (t.to_string(), count(n))).collect()
        });
        let offset = given.count("startOffset", 0)?;
        let list = given.list("brokerList")?.map(|l| ids(&Value::from(l.clone()))).transpose()?;
        Ok(Placing {
            rules: era.rules,
            chance: Chance::new(given, &brokers)?,
            brokers,
            shutting_down,
            existing,
            existing_counts: counts,
            factor: given.wanted_count("rf")?,
            placer: None,
            list: list.map(|l| RoundRobin::new(l, offset)),
        })
    }

    /// Brokers that may be given replicas: those in controlled shutdown are not used.
    fn usable(&self) -> Vec<Usable> {
        let used = self.brokers.iter().filter(|b| !self.shutting_down.contains(&b.id));
        used.cloned().collect()
    }

    fn is_known(&self, broker: BrokerId) -> bool {
        self.brokers.iter().any(|b| b.id == broker)
    }

    fn is_active(&self, broker: BrokerId) -> bool {
        let up = self.brokers.iter().any(|b| b.id == broker && !b.fenced);
        up && !self.shutting_down.contains(&broker)
    }

    fn round_robin(&self, input: &Fields<'_>) -> Result<Outcome, String> {
        let (partitions, factor) = (input.wanted_count("partitions")?, input.wanted_count("rf")?);
        let first = input.wanted_count("startPartition")?;
        let starts = match input.int("start")? {
            Some(start) => vec![start.max(0) as usize],
            None => (0..self.brokers.len()).collect(),
        };
        let mut outcomes: Vec<Outcome> = Vec::new();
        for start in starts {
            let start = RoundRobinStart { index: start, shift: start, partition: first };
            let rule = self.rules.placement;
            let placed = place_round_robin(rule, &self.brokers, partitions, factor, start);
            outcomes.push(self.outcome(first, placed));
        }
        // What is asked of any start must hold of each.
        let mut outcomes = outcomes.into_iter();
        let mut common = outcomes.next().ok_or("no broker")?;
        for other in outcomes {
            common.retain(|name, value| match (value, other.get(name)) {
                (Value::Object(own), Some(Value::Object(other))) => {
                    own.retain(|k, v| other.get(k) == Some(v));
                    true
                }
                (value, other) => Some(&*value) == other,
            });
        }
        Ok(common)
    }

    fn outcome(&self, first: usize, placed: Result<Vec<Brokers>, ErrorCode>) -> Outcome {
        match placed {
            Ok(placed) => self.described(first as i64, &placed),
            Err(error) => result(Err(error)),
        }
    }

    /// What can be said of new partitions.
    fn described(&self, first: i64, placed: &[Brokers]) -> Outcome {
        let mut outcome = result(Ok(()));
        let numbered = || (first..).zip(placed);
        let map = |of: &dyn Fn(&Brokers) -> Value| -> Value {
            Value::Object(numbered().map(|(p, r)| (p.to_string(), of(r))).collect())
        };
        outcome.insert("assignment".into(), map(&|r| of_brokers(r)));
        outcome.insert("replicaSets".into(), map(&|r| of_brokers(r)));
        let leader = |r: &Brokers| self.elected(r).map_or(json!(-1), |e| json!(e.leader.0));
        outcome.insert("leaders".into(), map(&leader));
        let isr = |r: &Brokers| self.elected(r).map_or(json!([]), |e| of_brokers(&e.isr));
        outcome.insert("isr".into(), map(&isr));
        let mut times: BTreeMap<String, (Value, usize)> = BTreeMap::new();
        for replicas in placed {
            let list = of_brokers(replicas);
            times.entry(list.to_string()).or_insert((list, 0)).1 += 1;
        }
        let times = times.into_values().map(|(list, n)| json!([list, n]));
        outcome.insert("counts".into(), times.collect());
        outcome.insert("properties".into(), Value::Object(self.properties(placed)));
        if let [only] = placed {
            outcome.insert("replicas".into(), of_brokers(only));
        }
        outcome
    }

    fn properties(&self, placed: &[Brokers]) -> Map<String, Value> {
        // A Brokers has no repeats: a list that lost one would be too short.
        let factor = placed.first().map_or(0, |r| r.len());
        let distinct = placed.iter().all(|r| r.len() == factor);
        let rack = |b: BrokerId| self.brokers.iter().find(|u| u.id == b).map(|u| &u.rack);
        let racks = placed.iter().map(|r| {
            let mut racks: Vec<_> = r.iter().map(|b| rack(*b)).collect();
            racks.sort();
            racks.dedup();
            racks.len()
        });
        let of_each = |counts: &dyn Fn(&Brokers, BrokerId) -> bool| -> Vec<usize> {
            let each = self.brokers.iter();
            each.map(|b| placed.iter().filter(|r| counts(r, b.id)).count()).collect()
        };
        let leaders = of_each(&|r, b| r.first() == Some(&b));
        let replicas = of_each(&|r, b| r.contains(&b));
        let mut properties = Map::new();
        properties.insert("distinctBrokers".into(), distinct.into());
        properties.insert("racksPerPartition".into(), if_equal(racks.collect()));
        properties.insert("leadersPerBroker".into(), if_equal(leaders));
        properties.insert("replicasPerBroker".into(), if_equal(replicas));
        properties
    }

    fn striped(&mut self, partitions: usize, factor: usize) -> Result<Vec<Brokers>, ErrorCode> {
        let usable = self.usable();
        let mut placer = StripedPlacer::new(&usable, &mut |bound| self.chance.draw(bound));
        (0..partitions).map(|_| placer.place(factor, &mut |b| self.chance.draw(b))).collect()
    }

    fn add_partitions(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        let total = input.wanted_count("total")?;
        let topic = input.text("topic")?;
        let existing = match (&self.existing_counts, topic) {
            (Some(counts), Some(topic)) => counts.get(topic).copied(),
            _ if self.existing.is_empty() => None,
            _ => Some(self.existing.len()),
        };
        let numbers: Vec<i64> = self.existing.keys().copied().collect();
        if let Err(error) = check_first_exists(&numbers) {
            return Ok(result(Err(error)));
        }
        if let Err(error) = check_more_partitions(existing, total) {
            return Ok(result(Err(tool_error(self.rules.placement, error))));
        }
        let existing = existing.unwrap_or(0);
        let first = self.existing.get(&0).cloned().unwrap_or_default();
        let factor = if first.is_empty() { self.factor } else { first.len() };
        let added = match self.manual(input, existing, total)? {
            Some(manual) => {
                let numbers: Vec<i64> = manual.iter().map(|(p, _)| *p).collect();
                let known = |b| self.is_known(b);
                let good = check_numbers(&numbers, existing as i64).and_then(|()| {
                    let wanted = total - existing == manual.len();
                    if wanted { Ok(()) } else { Err(ErrorCode::InvalidReplicaAssignment) }
                });
                good.and_then(|()| {
                    manual.iter().try_for_each(|(_, r)| check_replicas(r, Some(factor), &known))
                })
                .and_then(|()| self.with_leaders(manual))
            }
            None if self.rules.placement == Placement::Striped => {
                self.striped(total - existing, factor)
            }
            None => {
                let rule = self.rules.placement;
                let head = first.first().copied().unwrap_or(BrokerId(0));
                let start = added_start(rule, &self.brokers, head, existing);
                place_round_robin(rule, &self.brokers, total - existing, factor, start)
            }
        };
        let added = added.map_err(|e| tool_error(self.rules.placement, e));
        Ok(self.outcome(existing, added))
    }

    /// Replicas of new partitions that are given by hand: by number, or as a list.
    fn manual(
        &self,
        input: &Fields<'_>,
        existing: usize,
        total: usize,
    ) -> Result<Option<Numbered>, String> {
        if let Some(manual) = input.object("manual")? {
            return numbered(&manual).map(Some);
        }
        let lists = match input.given("manualList") {
            None => return Ok(None),
            Some(Value::String(text)) => {
                let ids =
                    |l: &str| l.split(':').map(|b| number(b.trim())).collect::<Result<Vec<_>, _>>();
                let lists = text.split(',').map(|l| Ok(json!(ids(l)?)));
                lists.collect::<Result<Vec<Value>, String>>()?
            }
            Some(other) => other.as_array().ok_or("manualList: a list")?.clone(),
        };
        // A tool's list has the existing ones too; a request to KRaft may leave them out.
        let has_existing =
            self.rules.coordination == Coordination::ZooKeeper || lists.len() == total;
        let (first, skipped) = if has_existing { (0, existing) } else { (existing, 0) };
        let added = (first as i64..).zip(lists).skip(skipped);
        added.map(|(p, l)| Ok((p, ids(&l)?))).collect::<Result<Vec<_>, String>>().map(Some)
    }

    fn create_manual(&self, input: &Fields<'_>) -> Result<Outcome, String> {
        let assignment = numbered(&input.object("assignment")?.ok_or("no assignment")?)?;
        let numbers: Vec<i64> = assignment.iter().map(|(p, _)| *p).collect();
        let factor = assignment.first().map(|(_, r)| r.len());
        let known = |b| self.is_known(b);
        let checked = check_numbers(&numbers, 0).and_then(|()| {
            assignment.iter().try_for_each(|(_, r)| check_replicas(r, factor, &known))
        });
        Ok(self.outcome(0, checked.and_then(|()| self.with_leaders(assignment))))
    }

    /// Replicas that are given by hand, if each partition finds a leader. ZooKeeper's controller
    /// looks for it later.
    fn with_leaders(&self, assignment: Numbered) -> Result<Vec<Brokers>, ErrorCode> {
        let placed: Vec<Brokers> =
            assignment.into_iter().map(|(_, r)| r.into_iter().collect()).collect();
        let needs_leader = self.rules.coordination == Coordination::KRaft;
        match needs_leader && !placed.iter().all(|r| self.elected(r).is_some()) {
            true => Err(ErrorCode::InvalidReplicaAssignment),
            false => Ok(placed),
        }
    }

    /// Who leads a new partition, and its ISR.
    fn elected(&self, replicas: &Brokers) -> Option<Elected> {
        zk_election::new_partition(replicas, &|b| self.is_active(b))
    }
}

impl Bench for Placing {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "rrAssign" => self.round_robin(input),
            "rackOrder" => {
                let order: Vec<BrokerId> =
                    alternating_racks(&self.brokers).into_iter().map(|(b, _)| b).collect();
                Ok([("order".to_string(), of_brokers(&order))].into_iter().collect())
            }
            "addPartitions" => self.add_partitions(input),
            "stripedPlace" => {
                let factor = input.wanted_count("rf")?;
                let usable = self.usable();
                let mut placer = match self.placer.take() {
                    Some(placer) => placer,
                    None => StripedPlacer::new(&usable, &mut |b| self.chance.draw(b)),
                };
                let placed = placer.place(factor, &mut |b| self.chance.draw(b));
                self.placer = Some(placer);
                Ok(self.outcome(0, placed.map(|r| vec![r])))
            }
            "stripedTopic" => {
                let (partitions, factor) =
                    (input.wanted_count("partitions")?, input.wanted_count("rf")?);
                let placed = self.striped(partitions, factor);
                Ok(self.outcome(0, placed))
            }
            "brokerListNext" => {
                let round = input.count("round", 0)?;
                let next = self.list.as_mut().ok_or("no brokerList")?.next(round);
                let next = next.map_or(json!(-1), |b| json!(b.0));
                Ok([("broker".to_string(), next)].into_iter().collect())
            }
            "createManual" => self.create_manual(input),
            "validateManual" => {
                let replicas = ids(input.get("replicas").ok_or("no replicas")?)?;
                let factor = input.int("expectRf")?.map(|f| f as usize);
                Ok(result(check_replicas(&replicas, factor, &|b| self.is_known(b))))
            }
            other => common_op(other, input),
        }
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        unknown_field(name)
    }
}

/// Chance as a case gives it: a generator, or the outcomes that it would have.
#[derive(Default)]
struct Chance {
    generator: Option<(u64, u64, u64)>,
    script: VecDeque<usize>,
}

impl Chance {
    fn new(given: &Fields<'_>, brokers: &[Usable]) -> Result<Chance, String> {
        let starts = given.object("startOffsets")?;
        let shuffles = given.list("shuffles")?;
        if let Some(random) = given.object("random")? {
            random.skip(&["kind"]);
            let part = |name| {
                let number = random.get(name).and_then(Value::as_u64);
                number.ok_or_else(|| format!("random.{name}: a number"))
            };
            let generator = Some((part("seed")?, part("mul")?, part("add")?));
            random.finish()?;
            return Ok(Chance { generator, script: VecDeque::new() });
        }
        let Some(starts) = starts else { return Ok(Chance::default()) };
        Chance::scripted(&starts, shuffles.into_iter().flatten(), brokers)
    }

    /// The draws that lead to the given starts and orders: each rack's fenced and unfenced list by
    /// name, then the racks.
    fn scripted<'a>(
        starts: &Fields<'_>,
        shuffles: impl Iterator<Item = &'a Value>,
        brokers: &[Usable],
    ) -> Result<Chance, String> {
        let mut racks: BTreeMap<String, [Vec<u16>; 2]> = BTreeMap::new();
        for broker in brokers {
            let rack = broker.rack.clone().unwrap_or_default();
            racks.entry(rack).or_default()[usize::from(!broker.fenced)].push(broker.id.0);
        }
        let mut names: Vec<String> = racks.keys().cloned().collect();
        let mut script = VecDeque::new();
        let (fenced, unfenced) = (starts.get("fenced"), starts.get("unfenced"));
        for (rack, lists) in &mut racks {
            for (list, offsets) in lists.iter_mut().zip([fenced, unfenced]) {
                list.sort_unstable();
                if !list.is_empty() {
                    let offset = offsets.and_then(|o| o[rack.as_str()].as_u64());
                    script.push_back(offset.unwrap_or(0) as usize);
                }
            }
        }
        script.push_back(starts.count("rack", 0)?);
        for shuffle in shuffles {
            let order = shuffle["rackOrder"].as_array().ok_or("rackOrder: a list")?;
            let order: Vec<String> =
                order.iter().filter_map(|r| r.as_str().map(String::from)).collect();
            draws(&mut names, &order, &mut script)?;
            for (rack, [fenced, unfenced]) in &mut racks {
                for (list, name) in [(fenced, "fenced"), (unfenced, "unfenced")] {
                    let Some(order) = shuffle[name][rack.as_str()].as_array() else { continue };
                    let order: Vec<u16> =
                        order.iter().filter_map(|b| b.as_u64().map(|b| b as u16)).collect();
                    draws(list, &order, &mut script)?;
                }
            }
        }
        Ok(Chance { generator: None, script })
    }

    /// A number below `bound`: of 31 bits, as java.util.Random makes it.
    fn draw(&mut self, bound: usize) -> usize {
        let Some((state, mul, add)) = &mut self.generator else {
            return self.script.pop_front().unwrap_or(0).min(bound - 1);
        };
        let bound = bound as u64;
        loop {
            *state = state.wrapping_mul(*mul).wrapping_add(*add);
            let bits = *state >> 33;
            if bound.is_power_of_two() {
                return ((bound * bits) >> 31) as usize;
            }
            let drawn = bits % bound;
            if bits - drawn + (bound - 1) < 1 << 31 {
                return drawn as usize;
            }
        }
    }
}

/// The draws by which a shuffle turns `list` into `order`.
fn draws<T: PartialEq>(
    list: &mut [T],
    order: &[T],
    script: &mut VecDeque<usize>,
) -> Result<(), String> {
    for i in (1..list.len()).rev() {
        let wanted = order.get(i).ok_or("a shuffle that is too short")?;
        let at = list[..=i].iter().position(|b| b == wanted).ok_or("a shuffle of other brokers")?;
        script.push_back(at);
        list.swap(i, at);
    }
    Ok(())
}

fn if_equal(counts: Vec<usize>) -> Value {
    match counts.first() {
        Some(first) if counts.iter().all(|c| c == first) => json!(first),
        _ => Value::Null,
    }
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("a number, not {text:?}"))
}

/// Brokers as they are given, repeats and all.
fn ids(value: &Value) -> Result<Vec<BrokerId>, String> {
    let list = value.as_array().ok_or_else(|| format!("a list of brokers, not {value}"))?;
    let id = |v: &Value| super::fields::broker(v)?.ok_or_else(|| format!("a broker, not {v}"));
    list.iter().map(id).collect()
}

/// Replicas by partition, in order of number.
type Numbered = Vec<(i64, Vec<BrokerId>)>;

fn numbered(partitions: &Fields<'_>) -> Result<Numbered, String> {
    let all = partitions.all().map(|(p, r)| Ok((number(p)?, ids(r)?)));
    let mut all: Numbered = all.collect::<Result<_, String>>()?;
    all.sort();
    Ok(all)
}
