//! What differs between releases, as named switches (docs/protocol.md, section 0.3).

use super::Release;

/// What differs between releases, as named switches (docs/protocol.md, section 0.3).
///
/// Protocol code asks for a switch and never for a release, so that one rule can be set against its
/// release, and so that a test can take one away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// When the controller notices that a session ran out (R5.3).
    pub session_look: SessionLook,
    /// Whether the HW stands still below min ISR (R2.19).
    pub hw_gate: bool,
    /// Whether eligible leader replicas are kept (R5.22, R5.24).
    pub elr: bool,
    /// What a new incarnation's registration does to the ISR (R5.29).
    pub registration: Registration,
    /// Whose earlier session keeps a new process from registering (R5.5).
    pub duplicate_registration: DuplicateRegistration,
    /// When leaderless partitions and imbalances are looked after (R5.21, R5.31).
    pub controller_tasks: ControllerTasks,
    /// When a reassignment is complete (R5.37).
    pub reassignment: ReassignmentCompletion,
    /// Whether a new disk is reported before or after the request to unfence (R5.39).
    pub directory_report: DirectoryReport,
    /// Whether a fetched batch of a later epoch than the follower's is dropped (R3.3).
    pub late_epoch_batches: LateEpochBatches,
}

/// See [`Rules::session_look`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionLook {
    /// A timer armed for the earliest expiry; the next look follows at once.
    AtExpiry,
    /// Every eighth of the session; after a fencing the next look follows after 10 ms.
    Periodic,
}

/// See [`Rules::registration`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registration {
    /// ISR and leader stay as they are.
    KeepsIsr,
    /// Like fencing; after an unclean stop it leaves ISR and ELR, if those are kept.
    LeavesIsr,
}

/// See [`Rules::duplicate_registration`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DuplicateRegistration {
    /// Only a broker that is not fenced.
    Unfenced,
    /// Every broker that was heard of within the session, also after a clean stop.
    HeardOf,
}

/// See [`Rules::controller_tasks`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ControllerTasks {
    /// An interval after there is something to do.
    Armed,
    /// Strictly periodic from the controller's activation.
    Periodic,
}

/// See [`Rules::reassignment`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReassignmentCompletion {
    /// Every target replica is in the ISR.
    WholeTarget,
    /// Every added replica is in the ISR; all of the target only where the partition shrinks.
    Added,
}

/// See [`Rules::directory_report`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DirectoryReport {
    /// The request to unfence leaves first.
    AfterUnfence,
    /// The report leaves first.
    BeforeUnfence,
}

/// See [`Rules::late_epoch_batches`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LateEpochBatches {
    /// Appended like any other.
    Appended,
    /// Dropped, with all that follows in the response.
    Dropped,
}

impl Rules {
    /// The rules of `release`; `elr` is the feature's level there (R5.24).
    pub fn of(release: Release, elr: bool) -> Rules {
        let from = |first: Release| release >= first;
        Rules {
            session_look: if from(Release::V4_1) {
                SessionLook::Periodic
            } else {
                SessionLook::AtExpiry
            },
            hw_gate: from(Release::V3_9),
            elr: elr && from(Release::V4_1),
            registration: if from(Release::V4_1) {
                Registration::LeavesIsr
            } else {
                Registration::KeepsIsr
            },
            duplicate_registration: if from(Release::V4_1) {
                DuplicateRegistration::HeardOf
            } else {
                DuplicateRegistration::Unfenced
            },
            controller_tasks: if from(Release::V4_1) {
                ControllerTasks::Periodic
            } else {
                ControllerTasks::Armed
            },
            reassignment: if from(Release::V4_4) {
                ReassignmentCompletion::Added
            } else {
                ReassignmentCompletion::WholeTarget
            },
            directory_report: if from(Release::V4_4) {
                DirectoryReport::BeforeUnfence
            } else {
                DirectoryReport::AfterUnfence
            },
            late_epoch_batches: if from(Release::V4_1) {
                LateEpochBatches::Dropped
            } else {
                LateEpochBatches::Appended
            },
        }
    }
}
