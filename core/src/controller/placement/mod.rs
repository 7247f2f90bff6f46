//! Where replicas of new partitions go: by KRaft's striped placer (R5.34), round robin where
//! ZooKeeper keeps the state (R5.32, R5.33), or by hand (R5.35).

mod manual;
mod round_robin;
mod striped;

pub use manual::{
    check_first_exists, check_manual, check_more_partitions, check_numbers, check_replicas,
};
pub use round_robin::{RoundRobinStart, added_start, alternating_racks, place_round_robin};
pub use striped::{RoundRobin, StripedPlacer};

use crate::settings::rules::Placement;
use crate::words::{BrokerId, ErrorCode};
use alloc::string::String;

/// A broker that may be given replicas.
#[derive(Clone, PartialEq, Debug)]
pub struct Usable {
    /// Its id.
    pub id: BrokerId,
    /// Its rack; to the striped placer brokers without one form one rack.
    pub rack: Option<String>,
    /// It may hold replicas, but not the first.
    pub fenced: bool,
}

/// What the one who asked for a placement is told: in 0.8 the tool itself refuses, with an error of
/// its own for everything (R5.35).
pub fn tool_error(rule: Placement, error: ErrorCode) -> ErrorCode {
    match rule {
        Placement::RoundRobin => ErrorCode::AdminOperation,
        Placement::RackAware | Placement::Striped => error,
    }
}

/// A number below a bound, by chance.
pub type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;
