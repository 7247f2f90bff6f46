//! The rules of one partition allocate nothing: each is called over and over with random facts, and
//! a counting allocator watches.

use highwater_core::partition::acks::{self, Standing as Waiting};
use highwater_core::partition::alter_partition::{Proposed, validate, validate_alter_isr};
use highwater_core::partition::change::{Change, ChangeContext};
use highwater_core::partition::election::{self, Election};
use highwater_core::partition::epochs::{self, EpochEnd, EpochEntry, LogView};
use highwater_core::partition::follow::{
    Following, FollowingState, after_fetch_error, takes_batch,
};
use highwater_core::partition::heard::{self, Known, Standing};
use highwater_core::partition::lead::{Follower, known_follower};
use highwater_core::partition::progress::FollowerProgress;
use highwater_core::partition::read_replica::{Readable, preferred};
use highwater_core::partition::readers::{self, Isolation};
use highwater_core::partition::{
    Eligibility, Lead, LeaderContext, Stored, divergence, isr, reassignment, zk_change, zk_election,
};
use highwater_core::settings::{Release, Rules};
use highwater_core::words::{BrokerId, Brokers, ErrorCode, Micros, Rng};

const NOW: Micros = Micros::from_secs(100);

/// Keeps the compiler from leaving a call out whose outcome nobody wants.
fn called<T>(outcome: T) {
    let _ = std::hint::black_box(outcome);
}

/// Random facts.
struct Facts(Rng);

impl Facts {
    fn below(&mut self, bound: i64) -> i64 {
        self.0.below(bound as u64) as i64
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn broker(&mut self) -> BrokerId {
        BrokerId(self.below(6) as u16 + 1)
    }

    fn brokers(&mut self) -> Brokers {
        (0..self.below(5)).map(|_| self.broker()).collect()
    }

    fn stored(&mut self) -> Stored {
        let replicas = self.brokers().union(&[self.broker()]);
        let some = |facts: &mut Facts| {
            let keep = facts.brokers();
            replicas.filtered(|b| keep.contains(&b))
        };
        let isr = some(self);
        Stored {
            leader: self.flag().then(|| self.broker()),
            isr,
            elr: some(self).filtered(|b| !isr.contains(&b)),
            last_known_elr: some(self),
            adding: if self.flag() { some(self) } else { Brokers::EMPTY },
            removing: if self.flag() { some(self) } else { Brokers::EMPTY },
            leader_epoch: self.below(5) as i32 - 1,
            partition_epoch: self.below(5) as i32,
            recovering: self.flag(),
            replicas,
        }
    }

    fn progress(&mut self) -> FollowerProgress {
        FollowerProgress {
            end: self.below(8) - 1,
            last_caught_up: self.flag().then(|| Micros::from_secs(self.below(100) as u64)),
            last_fetch: self.flag().then(|| Micros::from_secs(self.below(100) as u64)),
            leader_end_at_last_fetch: self.below(8) - 1,
            broker_epoch: self.below(3) - 1,
        }
    }

    fn standing(&mut self) -> Standing {
        match self.below(3) {
            0 => Standing::Leader { epoch: self.below(4) as i32, partition_epoch: 1 },
            1 => Standing::Follower { leader: self.broker() },
            _ => Standing::Idle,
        }
    }
}

fn of_leaders(rules: &Rules, facts: &mut Facts) {
    let state = facts.stored();
    let followers: [Follower; 3] = [1, 2, 3].map(|b| (BrokerId(b), facts.progress()));
    let active = facts.flag();
    let eligibility = |_| Eligibility { active, broker_epoch: 1 };
    let world = LeaderContext {
        now: NOW,
        lag_max: Micros::from_secs(10),
        lag_max_messages: 4,
        rules,
        eligibility: &eligibility,
    };
    let mut lead = Lead::begin(&state, 2, facts.below(8));
    if facts.flag() {
        lead = lead.expanding(facts.broker());
    } else {
        lead = lead.shrinking(&facts.brokers());
    }
    let known = || followers.iter().copied();
    called((
        lead.committed(&facts.stored()),
        lead.advanced_hw(facts.below(8), facts.below(8), known(), &world),
        lead.out_of_sync(facts.below(8), known(), &world),
        lead.may_expand(followers[0], facts.below(8), &world),
        lead.reached(facts.below(8), known()),
        known_follower(rules, Some(facts.progress()), true, Some(3), NOW),
        facts.progress().after_fetch(facts.below(8), 5, NOW),
        facts.progress().after_failed_fetch(rules.follower_clock, NOW),
        isr::check_period(rules.isr_check, NOW),
        isr::is_notice_due(NOW, NOW, NOW),
        isr::after_answer(ErrorCode::InvalidRequest),
    ));
    let at = Waiting { hw: 3, required: facts.below(8), isr_size: 1, min_isr: 2, reached: 1 };
    called((
        acks::is_valid(rules.acks, 2),
        acks::waits(-1),
        acks::before_append(-1, 1, 2),
        acks::after_append(-1, at),
        readers::check_leader_epoch(rules.fetch_fencing, 3, 4),
        readers::check_follower(true, 3, 1, 2),
        readers::latest_offset(Isolation::Uncommitted, true, (3, 4), 5, None),
    ));
    let readable = Readable { broker: BrokerId(1), end: 3, same_rack: false, in_isr: true };
    called(preferred(readable, [readable].into_iter(), 2));
}

fn of_followers(rules: &Rules, facts: &mut Facts) {
    let known = Known {
        leader_epoch: facts.below(5) as i32 - 1,
        standing: facts.standing(),
        stopping: facts.flag(),
    };
    let (own, state) = (facts.broker(), facts.stored());
    called((
        heard::heard(rules, own, known, &state),
        heard::told(rules, own, known, &state),
        heard::checked(rules, own, known.leader_epoch, &state, &|_| true),
        heard::checked_controller(3, 2),
    ));
    let entries = [EpochEntry { epoch: 1, start: 0 }, EpochEntry { epoch: 3, start: 4 }];
    let log = LogView {
        start: 0,
        end: facts.below(6) + 4,
        epochs: &entries,
        before_first: rules.epoch_before_first,
    };
    let entry = EpochEntry { epoch: facts.below(6) as i32, start: facts.below(8) };
    let end = EpochEnd { epoch: facts.below(5) as i32, end: facts.below(8) };
    called((
        log.end_of(2),
        epochs::epoch_at(&entries, 5),
        epochs::assigned(rules.epoch_assignment, &entries, entry),
        epochs::begun(rules.epoch_entries, 4, 9),
        epochs::kept_below(&entries, 3),
        epochs::dropped_before(&entries, 5),
        divergence::check_fetch(log, facts.below(9), facts.below(5) as i32 - 1),
        divergence::beginning(rules.truncation, 3, facts.below(3) as i32 - 1),
        divergence::after_epoch_answer(rules.truncation, log, 2, (end.epoch, end.end)),
        divergence::after_divergence(log, end),
        divergence::ahead(rules.follower_ahead, 3, false),
        divergence::behind(rules.out_of_range_restart, 3, 5),
    ));
    let state = FollowingState::Delayed(NOW);
    let following = Following { leader: own, epoch: 1, asks_epoch: false, state, lag: 0 };
    called((
        following.is_ready(NOW),
        following.awaits(own),
        following.wants(own, 3, 3),
        after_fetch_error(ErrorCode::FencedLeaderEpoch, 1, 1),
        takes_batch(rules.late_epoch_batches, 3, 2),
    ));
}

fn of_controllers(rules: &Rules, facts: &mut Facts) {
    let (state, broker, up) = (facts.stored(), facts.broker(), facts.brokers());
    let acceptable = |b: BrokerId| up.contains(&b);
    let world = ChangeContext { rules, min_isr: 2, acceptable: &acceptable };
    let election = [Election::Preferred, Election::Online, Election::Unclean];
    let election = election[facts.below(3) as usize];
    let target = facts.brokers();
    let changes = [
        Some(Change::of(&state)),
        Some(Change::electing(&state, election)),
        Change::fenced(&state, broker, election),
        Change::registered(rules, &state, broker, (facts.flag(), facts.flag()), election),
        Some(Change::proposed(&state, target, false, election)),
        Change::move_to(&state, &target),
        Change::cancel_move(&state, election).ok(),
    ];
    for change in changes.into_iter().flatten() {
        called(change.build(&state, &world));
    }
    let isr = [(BrokerId(1), 1), (BrokerId(2), 1)];
    let proposed = Proposed { leader_epoch: 1, partition_epoch: 1, isr: &isr, recovering: false };
    called((
        validate(&proposed, broker, &state, &|_| Some(1)),
        validate_alter_isr(&proposed, &state),
        election::asked_for(&state, facts.flag()),
        election::is_imbalanced(&state),
        state.with_elr_cleared(),
    ));
    // Where ZooKeeper keeps the state there is no ELR.
    let state = state.with_elr_cleared().unwrap_or(state);
    let live = |b| up.contains(&b);
    called((
        zk_change::elect(&state, facts.flag(), facts.flag(), &live),
        zk_change::remove(rules, &state, broker, facts.flag()),
        zk_change::hand_over(rules, &state, broker, &live, &|_| false),
        zk_change::prefer(&state, &live),
        zk_change::elect_unclean(&state, &live),
        zk_change::start_move(rules, &state, Some(target), &|_| true, &live),
        zk_change::complete_move(&state, &live),
        zk_change::alter_isr(&state, &proposed),
        zk_change::drop_rank(rules.dropped_order, broker, &up),
        reassignment::zk_caught_up(&state),
        zk_election::imbalanced(&[(Some(broker), None)], 10).count(),
    ));
}

#[test]
fn no_rule_of_a_partition_allocates() {
    let control = allocation_counter::measure(|| {
        called(vec![1_u8]);
    });
    assert!(control.count_total > 0, "the counter counts");
    let mut facts = Facts(Rng::new(1));
    for release in Release::ALL {
        let rules = Rules::of(release, true);
        for _ in 0..2_000 {
            for (which, call) in [
                ("leaders", of_leaders as fn(&Rules, &mut Facts)),
                ("followers", of_followers),
                ("controllers", of_controllers),
            ] {
                let counted = allocation_counter::measure(|| call(&rules, &mut facts));
                assert_eq!(counted.count_total, 0, "{release}: a rule of {which} allocates");
            }
        }
    }
}
