use super::{ControllerEffects, ControllerTimer};
use crate::partition::high_watermark::effective_min_isr;
use crate::settings::Key;
use crate::settings::Layers;
use crate::settings::rules::MinIsr;
use crate::wire::message::{Body, MetadataAnswer, MetadataFetch};
use crate::wire::metadata::{BrokerState, MetadataImage, MetadataRecord, PartitionState};
use crate::words::{BrokerId, EventId, Map, Micros, Node, Offset};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// How long a broker's fetch is parked when there is nothing new.
const FETCH_WAIT: Micros = Micros::from_ms(500);

/// The cluster's truth as a log of changes, and those who wait for the next of them. KRaft's
/// controller keeps it as its metadata log; for ZooKeeper it stands for the nodes and their
/// watches.
#[derive(Clone, Debug)]
pub(crate) struct MetadataLog {
    pub image: MetadataImage,
    records: Vec<(MetadataRecord, EventId)>,
    parked: Map<BrokerId, (u32, MetadataFetch)>,
}

impl MetadataLog {
    pub fn new(settings: Rc<Layers>) -> MetadataLog {
        MetadataLog::over(MetadataImage::new(settings))
    }

    /// A log that goes on behind a snapshot.
    pub fn over(image: MetadataImage) -> MetadataLog {
        MetadataLog { image, records: Vec::new(), parked: Map::new() }
    }

    /// Every record, oldest first.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &MetadataRecord> {
        self.records.iter().map(|(record, _)| record)
    }

    pub fn append(&mut self, record: MetadataRecord, why: EventId) {
        self.image.apply(&record);
        self.records.push((record, why));
    }

    /// Registers a broker of a cluster that has been running for long: up and caught up.
    pub fn form_broker(&mut self, broker: BrokerId, directory: u32) {
        let state = BrokerState::up(self.image.offset, 1, directory);
        self.append(MetadataRecord::Broker(broker, state), EventId::NONE);
    }

    /// The `min.insync.replicas` of a partition's topic, by `rule`; where that caps it, by the
    /// replication factor of the topic's first partition (R2.7, R5.22).
    pub fn min_isr(&self, state: &PartitionState, rule: MinIsr) -> usize {
        let topic = self.image.topic_of(state);
        let wanted = self.image.settings.topic(&topic.name, None).get(Key::MinInsyncReplicas);
        let first = topic.partitions.first().and_then(|p| self.image.partition(*p));
        let factor = first.map_or(state.replicas.len(), |s| s.replicas.len());
        effective_min_isr(rule, wanted, factor)
    }

    /// Answers with what is new, or parks the fetch.
    pub fn fetch(&mut self, r: MetadataFetch, correlation: u32, fx: &mut ControllerEffects) {
        if self.has_news(&r) {
            self.send(r, correlation, fx);
            return;
        }
        self.parked.insert(r.broker, (correlation, r));
        fx.timer(fx.now + FETCH_WAIT, ControllerTimer::ParkedFetch(r.broker, correlation));
    }

    /// A parked fetch has waited long enough.
    pub fn expire(&mut self, broker: BrokerId, correlation: u32, fx: &mut ControllerEffects) {
        if self.parked.get(&broker).is_some_and(|(c, _)| *c == correlation)
            && let Some((_, fetch)) = self.parked.remove(&broker)
        {
            self.send(fetch, correlation, fx);
        }
    }

    /// Tells those who wait what is new.
    pub fn publish(&mut self, fx: &mut ControllerEffects) {
        if self.parked.values().all(|(_, fetch)| !self.has_news(fetch)) {
            return;
        }
        for (broker, (correlation, fetch)) in core::mem::take(&mut self.parked) {
            if self.has_news(&fetch) {
                self.send(fetch, correlation, fx);
            } else {
                self.parked.insert(broker, (correlation, fetch));
            }
        }
    }

    /// The process is gone, and with it the connections.
    pub fn forget_parked(&mut self) {
        self.parked.clear();
    }

    fn from(&self, offset: Offset) -> &[(MetadataRecord, EventId)] {
        &self.records[usize::try_from(offset).unwrap_or(0).min(self.records.len())..]
    }

    fn has_news(&self, fetch: &MetadataFetch) -> bool {
        self.from(fetch.offset).iter().any(|(r, _)| fetch.all || r.is_for_all())
    }

    fn send(&self, fetch: MetadataFetch, correlation: u32, fx: &mut ControllerEffects) {
        let news = self.from(fetch.offset).iter().filter(|(r, _)| fetch.all || r.is_for_all());
        let records: Rc<[(MetadataRecord, EventId)]> = news.cloned().collect();
        let why = records.last().map_or(fx.cause(), |(_, why)| *why);
        let (offset, next) = (fetch.offset, self.image.offset);
        let body = Body::MetadataFetchResponse(MetadataAnswer { offset, next, records });
        fx.send(Node::Broker(fetch.broker), correlation, body, why);
    }
}
