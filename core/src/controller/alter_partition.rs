//! Leaders ask for another ISR (R2.24).

use super::{Controller, ControllerEffects};
use crate::partition::alter_partition::validate;
use crate::partition::change::Change;
use crate::wire::event::EventKind;
use crate::wire::message::{AlterPartition, AlterPartitionAnswer, AlterPartitionPart};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, ErrorCode};
use alloc::rc::Rc;
use alloc::vec::Vec;

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
            let partition = part.partition;
            let result = fx.caused_by(part.why, |fx| {
                let result = self.alter_one(part, r.broker, fx);
                if let Err(error) = result {
                    let from = r.broker;
                    fx.event(EventKind::AlterPartitionRefused { partition, from, error });
                }
                result
            });
            (partition, result)
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
        let proposed = part.proposed();
        validate(&proposed, sender, &stored, &|b| self.log.image.active_epoch(b))?;
        let (election, isr) = (self.election_of(&stored), proposed.brokers());
        // The leader of an unclean election says that it has recovered (R4.8).
        let change = Change::proposed(&stored, isr, part.recovering, election);
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
