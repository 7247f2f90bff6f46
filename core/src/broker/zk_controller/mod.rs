//! The controller of a cluster with ZooKeeper: the broker that holds the controller's node (R5.2,
//! R5.9–R5.16, R5.36).
//!
//! It works on one task at a time. A task plans new states of partitions with the pure rules of
//! [`crate::controller`] (`plan`), has ZooKeeper write them, each under the version that was read,
//! plans again what somebody else wrote meanwhile (`work`), and then tells the brokers (`announce`,
//! `channels`).

mod announce;
mod channels;
mod plan;
mod work;

use crate::partition::{reassignment, zk_change};
use crate::settings::rules::{
    ControllerFailover, DroppedOrder, OfflinePartitions, ResumedMoves, ShutdownSteps, UncleanSwitch,
};
use crate::settings::{Key, Rules};
use crate::wire::message::{AlterPartition, Body, Reassign};
use crate::wire::metadata::{MetadataImage, MetadataRecord, PartitionState};
use crate::words::{
    BrokerId, BrokerList, ErrorCode, EventId, LeaderEpoch, Map, Micros, Node, PartitionId,
};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// From its election to the first look for imbalances (R5.16).
const FIRST_REBALANCE: Micros = Micros::from_secs(5);
/// A request to ZooKeeper without answer for so long was lost on a broken link, or met one that is
/// just starting; it is sent again.
const LOST: Micros = Micros::from_secs(2);
/// What a broker does not answer for so long is sent again (`controller.socket.timeout.ms`, which is
/// the same in all releases).
const UNANSWERED: Micros = Micros::from_secs(30);
/// Before a broker is tried again whose connection broke.
const RESEND: Micros = Micros::from_ms(300);

/// Where an answer goes: node and correlation.
type Asker = (Node, u32);

/// What the controller works on.
#[derive(Clone, Debug)]
enum Task {
    /// A new controller tells every broker everything (R5.2).
    TellAll,
    /// Brokers came up: they hear of all their replicas, the others of them (R5.14).
    TellStarted(BrokerList),
    /// Brokers died: partitions go offline with them (R5.11).
    MarkOffline(BrokerList),
    /// Leaders for partitions that are new or offline (R5.9, R5.11), and not these brokers: they died,
    /// even if a new process of theirs is registered by now (R5.10).
    Elect { without: BrokerList },
    /// A broker's replicas leave the ISRs (R5.12), those that follow if it `lives` (R5.13).
    RemoveReplicas { broker: BrokerId, only: Option<PartitionId>, lives: bool },
    /// A broker that stops does not fetch those partitions any more (R5.13).
    StopFollowing(BrokerId, Vec<PartitionId>),
    /// Leaderships of a broker that stops move, of one partition or of all (R5.13).
    HandOver { broker: BrokerId, only: Option<PartitionId> },
    /// A broker that stops is told how many partitions it still leads.
    AnswerShutdown(BrokerId, Asker),
    /// The first replica is to lead again (R5.15).
    Preferred(PartitionId, Option<Asker>),
    /// Any live replica is to lead a partition that nobody leads (R5.15).
    Unclean(PartitionId, Asker),
    /// A partition is to move (R5.36).
    Move(Reassign, Asker),
    /// A move begins again, since a target replica is back or the controller is another (R5.36).
    ResumeMove(PartitionId),
    /// A move is submitted again by a new controller, and is forgotten if a target is dead (R5.36).
    SubmitMove(PartitionId),
    /// Every target replica is in sync: the target's member leads, under a new epoch (R5.36).
    MoveLeader(PartitionId),
    /// Replicas that are no more: they are deleted (R5.36).
    Delete {
        /// Of which partition.
        partition: PartitionId,
        /// Which of its replicas.
        replicas: BrokerList,
        /// Whether a move ends with it.
        ends: bool,
    },
    /// Leaders wrote other ISRs themselves: everybody hears of them (R2.22).
    TellIsrs(Vec<PartitionId>),
    /// A leader wants another ISR (R2.23).
    AlterIsr(Box<AlterPartition>, Asker),
}

impl Task {
    /// Whether it makes a partition online for the controller when it has written a leader. That the
    /// same leader goes on under a new epoch is no election.
    fn elects(&self) -> bool {
        matches!(
            self,
            Task::Elect { .. }
                | Task::HandOver { .. }
                | Task::Preferred(..)
                | Task::Unclean(..)
                | Task::MoveLeader(_)
        )
    }

    /// The partition that an operator's command names.
    fn names(&self) -> Option<PartitionId> {
        match self {
            Task::Preferred(id, _) | Task::Unclean(id, _) => Some(*id),
            Task::Move(r, _) => Some(r.partition),
            _ => None,
        }
    }

    /// The one partition that it concerns; `None` if it looks at all.
    fn only(&self) -> Option<PartitionId> {
        match self {
            Task::ResumeMove(id) | Task::SubmitMove(id) | Task::MoveLeader(id) => Some(*id),
            Task::HandOver { only, .. } | Task::RemoveReplicas { only, .. } => *only,
            _ => self.names(),
        }
    }
}

#[derive(Clone, Debug)]
struct RunningTask {
    task: Task,
    correlation: u32,
    /// When the write counts as lost.
    until: Micros,
    changed: Vec<PartitionId>,
    /// With which leader epoch the controller knew a replica's partition when the task began: what
    /// its StopReplica carries (R5.36).
    stopped: Option<(PartitionId, LeaderEpoch)>,
    /// What the task answers with, where it was refused.
    error: ErrorCode,
}

/// What is sent to one broker, one request at a time, in order.
#[derive(Clone, Debug, Default)]
struct Channel {
    queue: VecDeque<(Body, EventId)>,
    /// The request under way, and when it counts as lost.
    outstanding: Option<(u32, Micros)>,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct ZkController {
    epoch: i32,
    /// What it has read of ZooKeeper.
    image: MetadataImage,
    /// It has read everything once.
    loaded: bool,
    /// Partitions that it holds for offline: their leader died, or was down when it took over. Until
    /// a leader is elected they have none, even if that broker comes back (R5.11, R5.14). A partition
    /// that lost its leader otherwise is not among them.
    offline: Map<PartitionId, ()>,
    /// Brokers in controlled shutdown.
    shutting_down: BrokerList,
    tasks: VecDeque<Task>,
    running: Option<RunningTask>,
    channels: Map<BrokerId, Channel>,
}

impl ZkController {
    /// Of a cluster that has been running for long.
    pub fn formed(image: MetadataImage) -> ZkController {
        ZkController { loaded: true, ..ZkController::elected(image.controller_epoch, image) }
    }

    /// Just elected: `image` is empty but for the settings.
    pub fn elected(epoch: i32, image: MetadataImage) -> ZkController {
        ZkController {
            epoch,
            image,
            loaded: false,
            offline: Map::new(),
            shutting_down: BrokerList::new(),
            tasks: VecDeque::new(),
            running: None,
            channels: Map::new(),
        }
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.loaded
            && self.running.is_none()
            && self.tasks.is_empty()
            && self.channels.values().all(|c| c.queue.is_empty() && c.outstanding.is_none())
    }

    /// What is new in ZooKeeper becomes tasks.
    fn learn(&mut self, records: &[(MetadataRecord, EventId)], rules: &Rules) {
        let before = self.image.live();
        let mut restarted = BrokerList::new();
        let mut elect = false;
        let mut moved: Vec<PartitionId> = Vec::new();
        for (record, _) in records {
            match record {
                MetadataRecord::Broker(id, state) => {
                    let known = self.image.brokers.get(id);
                    if known.is_some_and(|k| k.epoch != state.epoch) && before.contains(id) {
                        restarted.insert(*id);
                    }
                }
                MetadataRecord::Partition(id, state) => {
                    elect |= state.leader_epoch < 0;
                    if self.image.partition(*id).is_some_and(|k| {
                        k.partition_epoch >= state.partition_epoch && k.leader_epoch >= 0
                    }) {
                        // It wrote that itself, or something newer.
                        continue;
                    }
                    moved.push(*id);
                }
                MetadataRecord::Settings(_) => {
                    elect |= rules.unclean_switch == UncleanSwitch::AtOnce
                }
                _ => {}
            }
            self.image.apply(record);
        }
        if !self.loaded {
            self.loaded = true;
            self.take_over(rules);
            return;
        }
        let now = self.image.live();
        let died = before.filtered(|b| !now.contains(&b) || restarted.contains(&b));
        let started = now.filtered(|b| !before.contains(&b) || restarted.contains(&b));
        if !died.is_empty() {
            self.bury(&died, rules.dropped_order);
        }
        if !started.is_empty() {
            self.tasks.push_back(Task::TellStarted(started.clone()));
        }
        if elect || !started.is_empty() {
            self.tasks.push_back(Task::Elect { without: BrokerList::new() });
        }
        if !started.is_empty() {
            self.resume_moves(&started);
        }
        for id in moved {
            self.check_move(id);
        }
    }

    /// R5.2: everybody is told everything; then those who died before are looked after.
    fn take_over(&mut self, rules: &Rules) {
        self.tasks.push_back(Task::TellAll);
        self.offline = Map::new();
        self.hold_offline(OfflinePartitions::AllLeaderless, &BrokerList::new());
        if rules.controller_failover == ControllerFailover::ShrinksFirst {
            let live = self.image.live();
            let dead: BrokerList =
                self.image.brokers.keys().copied().filter(|b| !live.contains(b)).collect();
            for broker in dead.iter() {
                self.tasks.push_back(Task::RemoveReplicas {
                    broker: *broker,
                    only: None,
                    lives: false,
                });
            }
        }
        self.tasks.push_back(Task::Elect { without: BrokerList::new() });
        for id in self.moving() {
            self.tasks.push_back(match rules.resumed_moves {
                ResumedMoves::Submitted => Task::SubmitMove(id),
                ResumedMoves::Restarted => Task::ResumeMove(id),
            });
        }
    }

    /// Marks the partitions that are offline from now on (R5.11).
    fn hold_offline(&mut self, rule: OfflinePartitions, died: &BrokerList) {
        let live = self.image.live();
        let online =
            |b| live.contains(&b) && !self.shutting_down.contains(&b) && !died.contains(&b);
        let died = |b| died.contains(&b);
        let offline: Vec<PartitionId> = self
            .partitions()
            .filter(|(_, s)| zk_change::is_offline(rule, s, &online, &died))
            .map(|(id, _)| id)
            .collect();
        for id in offline {
            self.offline.insert(id, ());
        }
    }

    /// Partitions with a move under way.
    fn moving(&self) -> Vec<PartitionId> {
        self.partitions().filter(|(_, s)| s.is_reassigning()).map(|(id, _)| id).collect()
    }

    /// A broker wants to stop: its leaderships move, its followers stop and leave the ISRs (R5.13).
    fn shut_down(&mut self, broker: BrokerId, steps: ShutdownSteps, asker: Asker) {
        self.shutting_down.insert(broker);
        let others = |s: &PartitionState| s.replicas.len() > 1 && s.replicas.contains(&broker);
        let shared: Vec<(PartitionId, bool)> = self
            .partitions()
            .filter(|(_, s)| others(s))
            .map(|(id, s)| (id, s.leader == Some(broker)))
            .collect();
        match steps {
            ShutdownSteps::ByPartition => {
                for (id, leads) in shared {
                    let only = Some(id);
                    if leads {
                        self.tasks.push_back(Task::HandOver { broker, only });
                    } else {
                        let stop = Task::StopFollowing(broker, Vec::from([id]));
                        self.tasks.push_back(stop);
                        let remove = Task::RemoveReplicas { broker, only, lives: true };
                        self.tasks.push_back(remove);
                    }
                }
            }
            ShutdownSteps::ByKind => {
                let followed = shared.iter().filter(|(_, leads)| !leads).map(|(id, _)| *id);
                let followed = followed.collect();
                self.tasks.push_back(Task::HandOver { broker, only: None });
                self.tasks.push_back(Task::StopFollowing(broker, followed));
                self.tasks.push_back(Task::RemoveReplicas { broker, only: None, lives: true });
            }
        }
        self.tasks.push_back(Task::AnswerShutdown(broker, asker));
    }

    /// The replica that a task stops, with the leader epoch that the controller knows now.
    fn stopped_by(&self, task: &Task) -> Option<(PartitionId, LeaderEpoch)> {
        match task {
            Task::RemoveReplicas { only: Some(id), lives: false, .. } => {
                self.image.partition(*id).map(|s| (*id, s.leader_epoch))
            }
            _ => None,
        }
    }

    /// Brokers that vanish together: first elections, then they leave the ISRs one after the other
    /// (R5.10).
    fn bury(&mut self, died: &BrokerList, order: DroppedOrder) {
        died.iter().for_each(|b| self.shutting_down.remove(*b));
        self.tasks.push_back(Task::MarkOffline(died.clone()));
        self.tasks.push_back(Task::Elect { without: died.clone() });
        for broker in in_order(order, died).iter() {
            self.channels.remove(broker);
            self.shutting_down.remove(*broker);
            self.tasks.push_back(Task::RemoveReplicas {
                broker: *broker,
                only: None,
                lives: false,
            });
        }
    }

    /// A move is complete when every target replica is in the ISR (R5.36).
    fn check_move(&mut self, id: PartitionId) {
        let Some(state) = self.image.partition(id) else { return };
        if reassignment::zk_caught_up(state) {
            self.tasks.push_back(Task::MoveLeader(id));
        }
    }

    /// Replicas that a move takes off the list leave the ISR and are deleted (R5.36): at its end, or
    /// when it takes the place of another that was to add them.
    fn drop_replicas(
        &mut self,
        id: PartitionId,
        was: &PartitionState,
        now: &PartitionState,
        task: &Task,
        order: DroppedOrder,
    ) {
        let ends = matches!(task, Task::MoveLeader(_));
        let gone = was.replicas.filtered(|b| !now.replicas.contains(&b));
        let gone = in_order(order, &gone);
        if gone.is_empty() && !ends {
            return;
        }
        for broker in gone.iter().rev() {
            let (broker, only) = (*broker, Some(id));
            self.tasks.push_front(Task::RemoveReplicas { broker, only, lives: false });
        }
        let at = gone.len().min(self.tasks.len());
        self.tasks.insert(at, Task::Delete { partition: id, replicas: gone, ends });
    }

    fn is_moving(&self, id: PartitionId) -> bool {
        self.image.partition(id).is_some_and(|s| s.is_reassigning())
    }

    /// A broker that starts makes the moves begin again that wait for it (R5.14, R5.36).
    fn resume_moves(&mut self, started: &BrokerList) {
        let awaited = |s: &PartitionState| s.target().iter().any(|b| started.contains(b));
        for id in self.moving() {
            if self.image.partition(id).is_some_and(|s| awaited(s)) {
                self.tasks.push_back(Task::ResumeMove(id));
            }
        }
    }

    fn is_unclean(&self, state: &PartitionState) -> bool {
        let topic = self.image.topic_of(state);
        self.image.settings.topic(&topic.name, None).is(Key::UncleanLeaderElectionEnable)
    }

    fn partitions(&self) -> impl Iterator<Item = (PartitionId, &Rc<PartitionState>)> {
        self.image.partitions.iter().enumerate().map(|(i, s)| (PartitionId(i as u32), s))
    }
}

/// Brokers in the order in which they leave the ISRs.
fn in_order(order: DroppedOrder, brokers: &[BrokerId]) -> BrokerList {
    let mut all = brokers.to_vec();
    all.sort_by_key(|b| zk_change::drop_rank(order, *b, brokers));
    all.into_iter().collect()
}
