//! Metrics under the JMX names that operators know.

use crate::engine::names::find_partition;
use highwater_core::observe::metrics;
use highwater_core::sim::World;
use serde::Serialize;
use tsify::Tsify;

/// A JMX-named metric.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MetricView {
    /// Such as `kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions`.
    pub name: String,
    /// The broker, or `"controller"`.
    pub node: String,
    /// Its value.
    pub value: i64,
}

/// All of them; of one partition those of each replica, too.
pub(crate) fn all(world: &World, partition: Option<&str>) -> Vec<MetricView> {
    let all = metrics::all(world, find_partition(world, partition)).into_iter();
    all.map(|m| MetricView { name: m.name, node: world.node_name(m.node), value: m.value })
        .collect()
}
