//! The controller as a part of its broker: what is asked of it, and task after task.

use super::{FIRST_REBALANCE, LOST, RESEND, RunningTask, Task, ZkController};
use crate::broker::node::{BrokerEffects, BrokerTimer};
use crate::broker::running::Running;
use crate::partition::zk_election;
use crate::settings::Key;
use crate::wire::message::{AlterPartitionAnswer, Body, SetData, SetDataAnswer, StateWrite};
use crate::wire::metadata::{MetadataImage, MetadataRecord};
use crate::words::{ErrorCode, EventId, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Running<'_> {
    /// This broker holds the controller's node.
    pub(in crate::broker) fn become_controller(&mut self, epoch: i32, fx: &mut BrokerEffects) {
        let settings = self.config.clone();
        let process = &mut *self.process;
        process.zk.controller =
            Some(Box::new(ZkController::elected(epoch, MetadataImage::new(settings))));
        fx.timer(fx.now + FIRST_REBALANCE, BrokerTimer::Rebalance);
    }

    /// The controller of a cluster that has been running for long.
    pub(in crate::broker) fn form_controller(
        &mut self,
        image: &MetadataImage,
        fx: &mut BrokerEffects,
    ) {
        self.process.zk.controller = Some(Box::new(ZkController::formed(image.clone())));
        fx.timer(fx.now + FIRST_REBALANCE, BrokerTimer::Rebalance);
    }

    /// ZooKeeper has news for the controller.
    pub(in crate::broker) fn controller_learns(
        &mut self,
        records: &[(MetadataRecord, EventId)],
        fx: &mut BrokerEffects,
    ) {
        let rules = self.rules;
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return };
        controller.learn(records, rules);
        self.work(fx);
    }

    /// A request to the controller; nobody answers if this broker is not it.
    pub(in crate::broker) fn handle_controller_request(
        &mut self,
        from: Node,
        correlation: u32,
        body: Body,
        fx: &mut BrokerEffects,
    ) {
        let steps = self.rules.shutdown_steps;
        let Some(controller) = self.process.zk.controller.as_deref_mut() else {
            if let Body::AlterPartition(_) = body {
                let error = ErrorCode::NotController;
                let answer = AlterPartitionAnswer { error, parts: Vec::new() };
                fx.send(
                    from,
                    correlation,
                    Body::AlterPartitionResponse(Box::new(answer)),
                    fx.cause(),
                );
            }
            return;
        };
        let asker = (from, correlation);
        let tasks = &mut controller.tasks;
        match body {
            // An earlier session of the broker's asked (R2.23).
            Body::AlterPartition(request)
                if controller.image.broker_epoch(request.broker) != request.broker_epoch =>
            {
                let error = ErrorCode::StaleBrokerEpoch;
                let answer = AlterPartitionAnswer { error, parts: Vec::new() };
                let body = Body::AlterPartitionResponse(Box::new(answer));
                fx.send(from, correlation, body, fx.cause());
            }
            Body::AlterPartition(request) => tasks.push_back(Task::AlterIsr(request, asker)),
            Body::IsrChangeNotification(partitions) => {
                tasks.push_back(Task::TellIsrs(partitions));
            }
            Body::ElectLeaders(r) if r.unclean => {
                tasks.push_back(Task::Unclean(r.partition, asker))
            }
            Body::ElectLeaders(r) => tasks.push_back(Task::Preferred(r.partition, Some(asker))),
            Body::AlterPartitionReassignments(r) => tasks.push_back(Task::Move(*r, asker)),
            Body::ControlledShutdown(broker) => {
                controller.shut_down(broker, steps, asker);
            }
            _ => {}
        }
        self.work(fx);
    }

    /// Gives leadership back to preferred leaders (R5.16).
    pub(in crate::broker) fn rebalance(&mut self, fx: &mut BrokerEffects) {
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return };
        let values = controller.image.settings.cluster();
        let percent = values.get(Key::LeaderImbalancePerBrokerPercentage);
        if values.is(Key::AutoLeaderRebalanceEnable)
            && !controller.partitions().any(|(_, s)| s.is_reassigning())
        {
            let states = controller.image.partitions.iter();
            let led = states.map(|s| (s.replicas.first().copied(), s.leader));
            let led: Vec<_> = led.collect();
            for id in zk_election::imbalanced(&led, percent) {
                let id = PartitionId(id as u32);
                controller.tasks.push_back(Task::Preferred(id, None));
            }
        }
        let every = values.get(Key::LeaderImbalanceCheckIntervalSeconds).max(1) as u64;
        fx.timer(fx.now + Micros::from_secs(every), BrokerTimer::Rebalance);
        self.work(fx);
    }

    /// Begins tasks until one has to wait for ZooKeeper; sends what is to be sent.
    fn work(&mut self, fx: &mut BrokerEffects) {
        let (own, rules) = (self.id, self.rules);
        while let Some(controller) = self.process.zk.controller.as_deref_mut() {
            if controller.running.is_some() || !controller.loaded {
                break;
            }
            let Some(task) = controller.tasks.pop_front() else { break };
            let planned = controller.plan(&task, None, rules, fx);
            let error = planned.as_ref().err().copied().unwrap_or(ErrorCode::None);
            let writes = planned.unwrap_or_default();
            let running = RunningTask {
                correlation: 0,
                until: Micros::ZERO,
                changed: Vec::new(),
                stopped: controller.stopped_by(&task),
                error,
                task,
            };
            if writes.is_empty() {
                controller.conclude(own, running, rules.offline_partitions, fx);
            } else {
                self.write_states(running, writes, fx);
            }
        }
        self.send_to_brokers(fx);
    }

    fn write_states(
        &mut self,
        running: RunningTask,
        writes: Vec<StateWrite>,
        fx: &mut BrokerEffects,
    ) {
        let process = &mut *self.process;
        let correlation = process.correlation();
        let request = SetData { broker: self.id, broker_epoch: process.broker_epoch, writes };
        let why = request.writes.last().map_or(fx.cause(), |w| w.why);
        fx.send(Node::Controller, correlation, Body::SetData(Box::new(request)), why);
        if let Some(controller) = process.zk.controller.as_deref_mut() {
            let until = fx.now + LOST;
            controller.running = Some(RunningTask { correlation, until, ..running });
            fx.timer(until, BrokerTimer::ControllerWork);
        }
    }

    /// ZooKeeper wrote, or not; false: that was not the controller's request.
    pub(in crate::broker) fn on_states_written(
        &mut self,
        correlation: u32,
        r: &SetDataAnswer,
        fx: &mut BrokerEffects,
    ) -> bool {
        let order = self.rules.dropped_order;
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return false };
        let running = controller.running.take_if(|r| r.correlation == correlation);
        let Some(mut running) = running else { return false };
        let mut again = Vec::new();
        for (id, made, state) in &r.results {
            let was = controller.image.partition(*id).cloned();
            controller.image.put_partition(*id, state.clone());
            if !made {
                again.push(*id);
                continue;
            }
            running.changed.push(*id);
            if running.task.elects() && state.leader.is_some() {
                controller.offline.remove(id);
            }
            if let Some(was) = was {
                controller.drop_replicas(*id, &was, state, &running.task, order);
            }
        }
        let why = r.results.last().map_or(fx.cause(), |(_, _, state)| state.why);
        fx.caused_by(why, |fx| self.go_on(running, &again, fx));
        true
    }

    /// A task's states are written, but for those of `again`.
    fn go_on(&mut self, mut running: RunningTask, again: &[PartitionId], fx: &mut BrokerEffects) {
        let (own, rules) = (self.id, self.rules);
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return };
        if !again.is_empty() {
            // Somebody wrote in between, or this is asked again because the answer was lost: what is
            // wanted is worked out from what is there now.
            let writes = controller.plan(&running.task, Some(again), rules, fx);
            let writes = writes.unwrap_or_default();
            // Where nothing is left to write the brokers hear what is stored.
            let settled = again.iter().filter(|id| !writes.iter().any(|w| w.partition == **id));
            running.changed.extend(settled);
            if !writes.is_empty() {
                self.write_states(running, writes, fx);
                return;
            }
        }
        controller.conclude(own, running, rules.offline_partitions, fx);
        self.work(fx);
    }

    /// ZooKeeper's connection broke while it was to write: the task begins anew.
    pub(in crate::broker) fn writes_lost(&mut self, fx: &mut BrokerEffects) {
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return };
        if let Some(running) = controller.running.take() {
            controller.tasks.push_front(running.task);
            fx.timer(fx.now + RESEND, BrokerTimer::ControllerWork);
        }
    }

    /// See [`Broker::writes_lost`].
    pub(in crate::broker) fn work_again(&mut self, fx: &mut BrokerEffects) {
        let Some(controller) = self.process.zk.controller.as_deref_mut() else { return };
        if let Some(lost) = controller.running.take_if(|r| r.until <= fx.now) {
            controller.tasks.push_front(lost.task);
        }
        self.work(fx);
    }
}
