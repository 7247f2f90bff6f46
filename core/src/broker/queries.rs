//! Questions that change nothing: who leads, where a log begins and ends, a producer's id.

use super::running::Running;
use crate::partition::readers::{self, Isolation};
use crate::settings::rules::NotAReplica;
use crate::wire::message::{Body, ClientMetadata, ListOffsets, ListedOffset, LogEnd};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, ErrorCode, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;

impl Running<'_> {
    /// Answers what can be answered at once and changes no log; `None`: not at all.
    pub(super) fn handle_query(&mut self, body: Body) -> Option<Body> {
        Some(match body {
            Body::ListOffsets(r) => Body::ListOffsetsResponse(self.handle_list_offsets(&r)),
            Body::OffsetsForLeaderEpoch(r) => {
                Body::OffsetsForLeaderEpochResponse(self.handle_offsets_for_leader_epoch(r))
            }
            Body::ApiVersions(()) => Body::ApiVersionsResponse(()),
            Body::Metadata(()) => Body::MetadataResponse(Box::new(self.handle_metadata()?)),
            Body::InitProducerId(()) => Body::InitProducerIdResponse(self.generate_producer_id()),
            _ => return None,
        })
    }

    /// An id that no other broker gives out, nor an earlier process of this one (R6.15).
    pub(super) fn generate_producer_id(&mut self) -> i64 {
        let id = i64::from(self.id.0);
        let process = &mut *self.process;
        process.producer_ids += 1;
        id * 1_000_000 + i64::from(process.incarnation) * 1000 + process.producer_ids
    }

    /// What clients are told (R6.9): leaders that are up, as far as this broker knows.
    pub(super) fn handle_metadata(&self) -> Option<ClientMetadata> {
        if !self.process.phase.serves() {
            return None;
        }
        let image = &self.process.image;
        let up = |b: BrokerId| image.brokers.get(&b).is_some_and(|s| !s.fenced);
        let leader =
            |s: &Rc<PartitionState>| s.leader.filter(|b| up(*b)).map(|b| (b, s.leader_epoch));
        Some(ClientMetadata {
            topics: image.topics.clone(),
            leaders: image.partitions.iter().map(leader).collect(),
            brokers: image.brokers.keys().copied().filter(|b| up(*b)).collect(),
        })
    }

    /// What it answers about a partition of which it has no replica, or no more (R2.3).
    pub(super) fn no_replica(&self, partition: PartitionId) -> ErrorCode {
        let is_known = self.process.image.partition(partition).is_some();
        match self.rules.not_a_replica {
            NotAReplica::NotLeader if is_known => ErrorCode::NotLeaderOrFollower,
            _ => ErrorCode::UnknownTopicOrPartition,
        }
    }

    pub(super) fn handle_list_offsets(&self, r: &ListOffsets) -> ListedOffset {
        let answer =
            |error, offset| ListedOffset { partition: r.partition, end: r.end, error, offset };
        let Some(replica) = self.replicas.get(&r.partition) else {
            return answer(self.no_replica(r.partition), -1);
        };
        let Some(leading) = replica.leading() else {
            return answer(ErrorCode::NotLeaderOrFollower, -1);
        };
        if let Err(error) = readers::check_leader_epoch(true, r.leader_epoch, leading.epoch) {
            return answer(error, -1);
        }
        let reader = if r.from_replica { Isolation::Replica } else { Isolation::Uncommitted };
        let offset = match r.end {
            LogEnd::Earliest => Ok(replica.log.start()),
            LogEnd::Latest => {
                let (ends, withheld) =
                    ((replica.hw, replica.log.end()), self.rules.offset_not_available);
                readers::latest_offset(reader, withheld, ends, leading.epoch_start, None)
            }
        };
        match offset {
            Ok(offset) => answer(ErrorCode::None, offset),
            Err(error) => answer(error, -1),
        }
    }
}
