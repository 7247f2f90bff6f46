//! What each invariant says, in terms of the model's state.

use super::history::{History, News, Past};
use super::kinds::Kind;
use highwater_core::audit::Answer;
use highwater_core::broker::{Broker, Phase};
use highwater_core::partition::Stored;
use highwater_core::replica::{Leading, Replica};
use highwater_core::settings::rules::{LastKnownLeader, Truncation};
use highwater_core::sim::{ProcessState, World};
use highwater_core::wire::metadata::PartitionState;
use highwater_core::words::{BrokerId, Node, Offset, RecordId};

/// An invariant: what it says, and of which runs it is claimed beside what its era says.
pub struct Property {
    /// Its name in the data.
    pub name: &'static str,
    /// Of which clusters and faults.
    pub claimed: fn(&Kind) -> bool,
    /// It says nothing more of a partition to which that has happened.
    pub is_over: fn(&Past) -> bool,
    /// How it is judged.
    pub holds: Holds,
}

/// How an invariant is judged.
pub enum Holds {
    /// At every change of a partition.
    Always(fn(&View<'_>) -> bool),
    /// At some time after the faults are over.
    Eventually(fn(&World, &History) -> bool),
}

/// A partition at one moment.
pub struct View<'a> {
    pub world: &'a World,
    pub history: &'a History,
    pub news: &'a News,
    pub state: &'a PartitionState,
}

const fn always(
    name: &'static str,
    claimed: fn(&Kind) -> bool,
    holds: fn(&View<'_>) -> bool,
) -> Property {
    Property { name, claimed, is_over: |_| false, holds: Holds::Always(holds) }
}

/// "No unclean election".
const fn unless_unclean(
    name: &'static str,
    claimed: fn(&Kind) -> bool,
    holds: fn(&View<'_>) -> bool,
) -> Property {
    Property { is_over: |past| past.was_unclean, ..always(name, claimed, holds) }
}

/// KIP-320's model, in which every replica stays one.
const fn unless_moved(name: &'static str, holds: fn(&View<'_>) -> bool) -> Property {
    Property { is_over: |past| past.was_moved, ..always(name, is_fenced, holds) }
}

const fn eventually(name: &'static str, holds: fn(&World, &History) -> bool) -> Property {
    let holds = Holds::Eventually(holds);
    Property { name, claimed: Kind::comes_to_rest, is_over: |_| false, holds }
}

/// Every invariant that is known.
pub const PROPERTIES: &[Property] = &[
    unless_moved("WeakIsr", |v| {
        v.acting_leaders().all(|l| l.leading.isr.iter().all(|b| v.has_below_hw(&l, *b)))
    }),
    unless_moved("StrongIsr", |v| {
        v.acting_leaders().all(|l| v.state.isr.iter().all(|b| v.has_below_hw(&l, *b)))
    }),
    always(
        "LeaderInIsr",
        |k| !k.rules().elr,
        |v| v.state.leader.is_none_or(|leader| v.state.isr.contains(&leader)),
    ),
    always(
        "ValidReplicaState",
        |_| true,
        |v| v.acting_leaders().all(|l| l.knows_itself(v)) && !v.any_log_has_holes(),
    ),
    always("ValidFetcherState", |_| true, |v| v.world.brokers().iter().all(|b| v.fetches_right(b))),
    always(
        "ValidControllerState",
        |k| k.rules().elr,
        |v| {
            let image = v.world.controller().image();
            v.state.isr.iter().all(|b| image.brokers.get(b).is_some_and(|b| !b.fenced))
        },
    ),
    // A reassignment that ends under the minimum ISR leaves foreign ids in the ELR (A31): the KIP
    // would not let it end.
    always(
        "ValidControllerIsrAndElr",
        |k| k.rules().elr && !k.moves(),
        |v| {
            let Stored { isr, elr, replicas, .. } = &v.state.stored;
            replicas.contains_all(isr)
                && replicas.contains_all(elr)
                && !isr.iter().any(|b| elr.contains(b))
                && (elr.is_empty() || isr.len() < v.world.min_isr(v.state))
        },
    ),
    always(
        "ReplicationQuorumSupersetProperty",
        |_| true,
        |v| {
            let leader = v.acting_leaders().find(|l| l.leading.epoch == v.state.leader_epoch);
            leader.is_none_or(|l| {
                let (own, maximal) = (&l.leading.isr, l.leading.maximal_isr());
                let same = l.leading.pending.is_some() || maximal.same_set(own);
                let enough = own.len() >= l.leading.min_isr;
                same && (!enough
                    || maximal.contains_all(&v.state.isr) && maximal.contains_all(&v.state.elr))
            })
        },
    ),
    // A reassignment that ends under the minimum ISR leaves ids in the ELR that are no replicas and
    // cannot be elected (A31).
    Property {
        is_over: |past| past.was_unclean || past.was_moved,
        ..always("LeaderCandidateCompletenessProperty", Kind::loses_few, |v| {
            let candidates = v.state.isr.iter().chain(v.state.elr.iter());
            candidates.filter(|b| v.runs(**b)).all(|b| v.end(*b) >= v.true_hw())
        })
    },
    unless_unclean("LeaderCompletenessProperty", Kind::loses_few, |v| {
        v.state.leader.filter(|b| v.runs(*b)).is_none_or(|leader| {
            let confirmed = v.history.confirmed(v.news).iter();
            v.end(leader) >= v.true_hw()
                && confirmed.copied().all(|id| holders(v.world, id).any(|b| b == leader))
        })
    }),
    unless_unclean("LogMatchingProperty", Kind::loses_few, |v| {
        let all: Vec<(BrokerId, Offset)> = v.replicas().map(|(b, r)| (b, known_hw(r))).collect();
        all.iter().enumerate().all(|(i, (a, hw))| {
            let partition = v.news.partition;
            all[..i].iter().all(|(b, other)| v.history.agree(partition, *a, *b, *hw.min(other)))
        })
    }),
    always("MetadataLogMatchingProperty", |_| true, |v| v.history.is_metadata_copied()),
    always("NoCommittedRecordLostGlobally", Kind::loses_few, |v| {
        let confirmed = v.history.confirmed(v.news).iter();
        confirmed.copied().all(|id| holders(v.world, id).next().is_some())
    }),
    unless_unclean("ConsistentReadProperty", Kind::loses_few, |v| {
        let leader = v.acting_leaders().find(|l| l.leading.epoch == v.state.leader_epoch);
        leader.is_none_or(|l| {
            let at = |offset| v.history.record_at(v.news.partition, l.broker.id, offset);
            v.history.read(v.news).iter().all(|(offset, record)| at(*offset) == Some(*record))
        })
    }),
    // By the KIP an ELR has no more members than are missing to the minimum ISR; Kafka takes in all
    // who leave at once (R5.22).
    Property {
        is_over: |past| past.several_left,
        ..always("MinIsrRecoveryQuorum", recovers_by_quorum, |v| {
            let empty = v.state.isr.is_empty() && v.state.elr.is_empty();
            !empty || v.state.last_known_elr.len() == v.world.min_isr(v.state)
        })
    },
    eventually("EventuallyRuns", |world, _| {
        let image = world.controller().image();
        world.brokers().iter().all(|b| {
            let runs = b.process.as_ref().is_some_and(|p| p.phase == Phase::Running);
            runs && image.brokers.get(&b.id).is_some_and(|b| !b.fenced)
        })
    }),
    eventually("EventuallyUnfenced", |world, _| {
        world.controller().image().brokers.values().all(|b| !b.fenced)
    }),
    eventually("AlterPartitionEpochEventuallyReachedOrZero", |world, _| {
        leaders(world).all(|(_, leading)| leading.pending.is_none())
    }),
    eventually("EventuallyMetadataConverges", |world, _| {
        let image = world.controller().image();
        let knows = |broker: &Broker| {
            let process = broker.process.as_ref();
            process.is_some_and(|p| p.image.partitions == image.partitions)
                && broker.replicas.iter().all(|(p, replica)| {
                    let epoch = image.partition(*p).map(|s| s.leader_epoch);
                    epoch == Some(replica.leader_epoch)
                })
        };
        world.brokers().iter().all(knows)
            && leaders(world).all(|(state, leading)| leading.isr.same_set(&state.isr))
    }),
    eventually("EventuallyWriteIsAcceptedOrRejected", |world, _| {
        let audit = world.audit();
        let all = (0..audit.len() as u32).filter_map(|id| audit.record(RecordId(id)));
        all.into_iter().all(|record| record.answer != Answer::Pending)
    }),
    eventually("EventuallyAcknowledgedValueFullyReplicated", |world, history| {
        let image = world.controller().image();
        (0u32..).map(highwater_core::words::PartitionId).zip(&image.partitions).all(
            |(id, state)| {
                history.all_confirmed(id).iter().all(|record| {
                    let on: Vec<BrokerId> = holders(world, *record).collect();
                    state.replicas.iter().all(|b| on.contains(b))
                })
            },
        )
    }),
    eventually("EventuallyReassignmentCompletes", |world, _| {
        world.controller().image().partitions.iter().all(|p| !p.is_reassigning())
    }),
];

/// KIP-320 fences by epoch, and nothing is lost.
fn is_fenced(kind: &Kind) -> bool {
    let rules = kind.rules();
    rules.fetch_fencing && rules.truncation == Truncation::Fetch && kind.loses_nothing()
}

/// The last known ELR is kept for an unclean recovery, as the text of KIP-966 has it.
fn recovers_by_quorum(kind: &Kind) -> bool {
    let rules = kind.rules();
    rules.elr && rules.last_known_leader == LastKnownLeader::Unused
}

/// The brokers whose logs hold a record.
fn holders(world: &World, id: RecordId) -> impl Iterator<Item = BrokerId> {
    world.audit().record(id).into_iter().flat_map(|r| r.on.iter().map(|(b, _)| *b))
}

/// As far as a replica knows that its records are committed.
fn known_hw(replica: &Replica) -> Offset {
    replica.hw.min(replica.log.end())
}

/// The leaders that the controller chose, as they see themselves.
fn leaders(world: &World) -> impl Iterator<Item = (&PartitionState, &Leading)> {
    let partitions = world.controller().image().partitions.iter().enumerate();
    partitions.filter_map(|(i, state)| {
        let id = highwater_core::words::PartitionId(i as u32);
        let leading = world.broker(state.leader?)?.replicas.get(&id)?.leading()?;
        Some((&**state, leading))
    })
}

/// A replica that takes itself for the leader.
struct Acting<'a> {
    broker: &'a Broker,
    replica: &'a Replica,
    leading: &'a Leading,
}

impl Acting<'_> {
    fn knows_itself(&self, view: &View<'_>) -> bool {
        let process = self.broker.process.as_ref();
        let known = process.and_then(|p| p.image.partition(view.news.partition));
        known.is_some_and(|s| {
            s.leader == Some(self.broker.id) && s.leader_epoch == self.leading.epoch
        })
    }
}

impl<'a> View<'a> {
    fn replicas(&self) -> impl Iterator<Item = (BrokerId, &'a Replica)> {
        let partition = self.news.partition;
        let brokers = self.world.brokers().iter();
        brokers.filter_map(move |b| Some((b.id, b.replicas.get(&partition)?)))
    }

    fn acting_leaders(&self) -> impl Iterator<Item = Acting<'a>> {
        let partition = self.news.partition;
        self.world.brokers().iter().filter(|b| b.is_up()).filter_map(move |broker| {
            let replica = broker.replicas.get(&partition)?;
            Some(Acting { broker, replica, leading: replica.leading()? })
        })
    }

    /// Whether a broker has the same record as a leader at every offset below the leader's HW.
    fn has_below_hw(&self, leader: &Acting<'_>, broker: BrokerId) -> bool {
        let (own, hw) = (leader.broker.id, leader.replica.hw);
        broker == own || self.history.agree(self.news.partition, own, broker, hw)
    }

    fn any_log_has_holes(&self) -> bool {
        self.replicas().any(|(b, _)| self.history.has_holes(self.news.partition, b))
    }

    /// A leader is fetched for by nobody, a follower by one fetcher, that of its leader.
    fn fetches_right(&self, broker: &Broker) -> bool {
        let partition = self.news.partition;
        let owners: Vec<BrokerId> = broker.fetchers_of(partition).collect();
        let replica = broker.replicas.get(&partition).filter(|_| broker.is_up());
        match replica.and_then(|r| r.following()) {
            Some(following) => owners == [following.leader],
            None => owners.is_empty(),
        }
    }

    /// Whether a broker's latest process is registered, unfenced and serves.
    fn runs(&self, id: BrokerId) -> bool {
        let process = self.world.broker(id).and_then(|b| b.process.as_ref());
        let up = self.world.process_state(Node::Broker(id)).0 == ProcessState::Up;
        let registered = self.world.controller().image().broker_epoch(id);
        up && process.is_some_and(|p| p.phase == Phase::Running && p.broker_epoch == registered)
    }

    fn end(&self, id: BrokerId) -> Offset {
        let broker = self.world.broker(id);
        broker.and_then(|b| b.replicas.get(&self.news.partition)).map_or(0, |r| r.log.end())
    }

    fn true_hw(&self) -> Offset {
        self.history.true_hw(self.news.partition)
    }
}
