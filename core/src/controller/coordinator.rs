use super::node::Controller;
use super::zookeeper::ZooKeeper;
use super::{ControllerEffects, ControllerTimer};
use crate::settings::rules::Coordination;
use crate::settings::{Layers, Rules};
use crate::wire::Message;
use crate::wire::message::CreateTopic;
use crate::wire::metadata::{MetadataImage, MetadataRecord, PartitionState};
use crate::words::{BrokerId, BrokerList, ErrorCode, Map, Node};
use alloc::rc::Rc;
use alloc::string::String;

/// The node that keeps the cluster's one truth: KRaft's controller, or ZooKeeper.
#[derive(Clone, Debug)]
pub enum Coordinator {
    /// It decides, too.
    KRaft(Controller),
    /// One of the brokers decides.
    ZooKeeper(ZooKeeper),
}

macro_rules! both {
    ($self:expr, $node:ident => $do:expr) => {
        match $self {
            Coordinator::KRaft($node) => $do,
            Coordinator::ZooKeeper($node) => $do,
        }
    };
}

impl Coordinator {
    /// Whichever the rules name, before anything is in it.
    pub fn new(
        settings: Rc<Layers>,
        rules: Rules,
        seed: u64,
        racks: Map<BrokerId, String>,
    ) -> Coordinator {
        match rules.coordination {
            Coordination::KRaft => {
                Coordinator::KRaft(Controller::new(settings, rules, seed, racks))
            }
            Coordination::ZooKeeper => {
                Coordinator::ZooKeeper(ZooKeeper::new(settings, rules, seed, racks))
            }
        }
    }

    /// A cluster that has been running for long: brokers with their directories, topics.
    /// `controller` is the broker that decides, where one does.
    pub fn form(
        &mut self,
        brokers: &BrokerList,
        controller: BrokerId,
        topics: &[CreateTopic],
        fx: &mut ControllerEffects,
    ) -> Result<(), ErrorCode> {
        for (i, id) in brokers.iter().enumerate() {
            both!(self, node => node.log.form_broker(*id, i as u32 + 1));
        }
        if let Coordinator::ZooKeeper(zookeeper) = self {
            zookeeper.form_controller(controller);
        }
        let mut result = Ok(());
        for topic in topics {
            let formed = fx.caused_by(fx.cause(), |fx| match self {
                Coordinator::KRaft(node) => node.create_topic(topic, fx),
                Coordinator::ZooKeeper(node) => node.form_topic(topic, fx),
            });
            result = result.and(formed);
        }
        both!(self, node => node.activate(fx));
        result
    }

    /// The cluster's truth.
    pub fn image(&self) -> &MetadataImage {
        both!(self, node => node.image())
    }

    /// The changes that made it so, oldest first: [`MetadataImage::offset`] counts them.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &MetadataRecord> {
        both!(self, node => node.log.records())
    }

    /// The switches that it goes by.
    pub fn rules(&self) -> &Rules {
        both!(self, node => node.rules())
    }

    /// Whether it answers.
    pub fn is_active(&self) -> bool {
        both!(self, node => node.is_active())
    }

    /// The process is gone; what it keeps stays.
    pub fn crash(&mut self) {
        both!(self, node => node.crash());
    }

    /// Handles a message.
    pub fn receive(&mut self, from: Node, message: Message, fx: &mut ControllerEffects) {
        both!(self, node => node.receive(from, message, fx));
    }

    /// A timer fired.
    pub fn wake(&mut self, timer: ControllerTimer, fx: &mut ControllerEffects) {
        both!(self, node => node.wake(timer, fx));
    }

    /// The `min.insync.replicas` that a partition's leader goes by (R2.7, R5.22).
    pub fn min_isr(&self, state: &PartitionState) -> usize {
        both!(self, node => node.log.min_isr(state, node.rules().min_isr))
    }
}
