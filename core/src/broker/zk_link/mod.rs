//! A broker of a cluster with ZooKeeper: its session, the ISRs that it writes, and what the
//! controller asks of it.

mod isr_notices;
mod isr_writes;
mod requests;
mod session;
mod shutdown;

use super::zk_controller::ZkController;
use crate::wire::Message;
use crate::wire::message::Body;
use crate::words::{EventId, Micros, Node, Offset};
use alloc::boxed::Box;
use alloc::vec::Vec;
use isr_notices::IsrNotices;

/// What a process keeps only where ZooKeeper keeps the truth.
#[derive(Clone, Debug)]
pub(super) struct ZkLink {
    /// How far its watches have told it.
    pub watched: Offset,
    /// How many sessions it has had.
    pub sessions: u32,
    /// The highest controller epoch that it knows; what a lower one asks is refused (R3.7).
    pub controller_epoch: i32,
    /// Whether a controller has told it anything.
    pub hears_controller: bool,
    /// How often it has asked to be shut down (R5.13).
    pub shutdown_tries: u32,
    /// What it does as the controller; `None` if another broker is it.
    pub controller: Option<Box<ZkController>>,
    /// Requests that wait until an ISR is written to ZooKeeper (R2.22).
    pub held: Vec<(Node, Message)>,
    /// Answers to the controller that wait for fetchers to end (R3.9): to whom, to which request,
    /// the answer, and its cause.
    pub unanswered: Vec<(Node, u32, Body, EventId)>,
    /// ISRs that the controller is told of later (R2.22).
    pub isr_notices: IsrNotices,
}

impl ZkLink {
    /// That of a process which starts at `now`.
    pub fn new(now: Micros) -> ZkLink {
        ZkLink {
            watched: 0,
            sessions: 0,
            controller_epoch: 0,
            hears_controller: false,
            shutdown_tries: 0,
            controller: None,
            held: Vec::new(),
            unanswered: Vec::new(),
            isr_notices: IsrNotices::new(now),
        }
    }
}
