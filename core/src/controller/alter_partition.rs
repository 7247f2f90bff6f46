//! Leaders ask for another ISR (R2.24).

use super::change::Change;
use super::{Controller, ControllerEffects};
use crate::wire::event::EventKind;
use crate::wire::message::{AlterPartition, AlterPartitionAnswer, AlterPartitionPart};
use crate::wire::metadata::{MetadataImage, PartitionState};
use crate::words::{BrokerId, BrokerList, ErrorCode};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The controller's tests, in Kafka's order (R2.24).
pub fn validate(
    part: &AlterPartitionPart,
    sender: BrokerId,
    stored: &PartitionState,
    image: &MetadataImage,
) -> Result<(), ErrorCode> {
    let isr = || part.isr.iter().map(|(b, _)| *b);
    let repeats = isr().collect::<BrokerList>().len() != part.isr.len();
    let eligible = |(broker, epoch): &(BrokerId, i64)| {
        image
            .brokers
            .get(broker)
            .is_some_and(|b| b.is_active() && (*epoch == -1 || *epoch == b.epoch))
    };
    if part.leader_epoch > stored.leader_epoch || part.partition_epoch > stored.partition_epoch {
        Err(ErrorCode::NotController)
    } else if part.leader_epoch < stored.leader_epoch {
        Err(ErrorCode::FencedLeaderEpoch)
    } else if stored.leader != Some(sender) {
        Err(ErrorCode::InvalidRequest)
    } else if part.partition_epoch < stored.partition_epoch {
        Err(ErrorCode::InvalidUpdateVersion)
    } else if repeats
        || !isr().all(|b| stored.replicas.contains(&b))
        || !isr().any(|b| b == sender)
        || (part.recovering && part.isr.len() > 1)
        || (part.recovering && !stored.recovering)
    {
        Err(ErrorCode::InvalidRequest)
    } else if !part.isr.iter().all(eligible) {
        Err(ErrorCode::IneligibleReplica)
    } else {
        Ok(())
    }
}

/// The tests of a controller that ZooKeeper keeps in office (R2.23): whether there is anything to
/// store.
pub fn validate_alter_isr(
    part: &AlterPartitionPart,
    stored: &PartitionState,
) -> Result<bool, ErrorCode> {
    let isr: BrokerList = part.isr.iter().map(|(b, _)| *b).collect();
    if part.leader_epoch < stored.leader_epoch {
        Err(ErrorCode::FencedLeaderEpoch)
    } else if part.leader_epoch == stored.leader_epoch && stored.isr.same_set(&isr) {
        Ok(false)
    } else if part.partition_epoch != stored.partition_epoch {
        Err(ErrorCode::InvalidUpdateVersion)
    } else {
        Ok(true)
    }
}

impl Controller {
    pub(super) fn alter_partition(
        &mut self,
        r: &AlterPartition,
        fx: &mut ControllerEffects,
    ) -> AlterPartitionAnswer {
        if self.log.image.broker_epoch(r.broker) != r.broker_epoch {
            let error = ErrorCode::StaleBrokerEpoch;
            return AlterPartitionAnswer { error, parts: Vec::new() };
        }
        let parts = r.parts.iter().map(|part| {
            fx.cause = part.why;
            let result = self.alter_one(part, r.broker, fx);
            if let Err(error) = result {
                let (partition, from) = (part.partition, r.broker);
                fx.event(EventKind::AlterPartitionRefused { partition, from, error });
            }
            (part.partition, result)
        });
        AlterPartitionAnswer { error: ErrorCode::None, parts: parts.collect() }
    }

    fn alter_one(
        &mut self,
        part: &AlterPartitionPart,
        sender: BrokerId,
        fx: &mut ControllerEffects,
    ) -> Result<Rc<PartitionState>, ErrorCode> {
        let id = part.partition;
        let stored =
            self.log.image.partition(id).ok_or(ErrorCode::UnknownTopicOrPartition)?.clone();
        validate(part, sender, &stored, &self.log.image)?;
        let mut change = Change::of(&stored);
        change.isr = part.isr.iter().map(|(b, _)| *b).collect();
        change.election = self.election_of(&stored);
        // The leader of an unclean election says that it has recovered (R4.8).
        change.recovering = part.recovering;
        if let Some(changed) = self.built(id, change)? {
            let leads = changed.state.leader == Some(sender);
            self.make(id, changed, fx);
            if !leads {
                return Err(ErrorCode::NewLeaderElected);
            }
        }
        Ok(self.log.image.partition(id).expect("stored").clone())
    }
}
