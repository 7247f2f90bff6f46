//! Breadth-first search in strict level order.
//!
//! A state costs its words, four bytes for its parent and five to eight for its place in the table.
//! States are expanded in the order of their discovery, so the first state that breaks a property
//! is at the end of a shortest way there, with interchangeable brokers folded or not.

use crate::budget::{Budget, Full};
use crate::chunks::Chunks;
use crate::model::{Action, Model, Packed};
use crate::store::Store;
use crate::table::{self, Table};
use alloc::vec::Vec;

/// The parent of a state in which runs begin.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// How many states are expanded between two looks at the caller's clock.
const SLICE: u32 = 128;

/// What is kept of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// All of it: the answer is exact.
    States,
    /// A fingerprint of 64 bits: more states fit, and two may be taken for one
    /// ([`Search::collision_odds`]).
    Fingerprints,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether states that differ only in which broker is which count as one.
    pub symmetric: bool,
    /// The properties that are looked for, a bit each. The search ends when all are found broken;
    /// with none it goes through the whole space.
    pub wanted: u32,
    /// Most bytes to use.
    pub memory: usize,
    /// What is kept of a state.
    pub keep: Keep,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Different states seen.
    pub distinct: u64,
    /// States generated, repetitions and the initial ones included.
    pub generated: u64,
    /// Levels of which every state has been tested; the initial states are the first.
    pub depth: u32,
    /// States still to be expanded.
    pub waiting: u64,
    /// Bytes in use.
    pub bytes: usize,
}

/// What a finished search says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every wanted property can be broken; [`Search::found`] has the shortest ways.
    Broken,
    /// The whole space was seen. What was not found cannot happen within the model's bounds.
    Exhausted,
    /// The memory bound was reached. Nothing else happens within [`Progress::depth`] states.
    OutOfMemory,
    /// The machine gave no more memory, though the bound would have allowed it.
    OutOfMachine,
    /// There are more states than can be numbered.
    TooManyStates,
}

/// A property that a state breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The property's bit.
    pub property: u32,
    /// States of the shortest run that ends in it, the first one included.
    pub length: u32,
    pub(crate) index: u32,
}

/// A search under way.
pub struct Search<M: Model> {
    pub(crate) model: M,
    options: Options,
    pub(crate) store: Store<M::State>,
    pub(crate) parents: Chunks<u32>,
    table: Table,
    budget: Budget,
    distinct: u32,
    generated: u64,
    /// The state that is expanded next, and the first of the level after.
    next: u32,
    level_end: u32,
    depth: u32,
    found: Vec<Found>,
    verdict: Option<Verdict>,
}

impl<M: Model> Search<M> {
    /// Begins a search; the initial states are tested at once.
    ///
    /// # Errors
    /// [`Verdict::OutOfMemory`] or [`Verdict::OutOfMachine`] if not even the empty tables fit.
    pub fn new(model: M, options: Options) -> Result<Search<M>, Verdict> {
        let mut budget = Budget::new(options.memory);
        let table = Table::new(&mut budget).map_err(verdict)?;
        let store = match options.keep {
            Keep::States => Store::states(),
            Keep::Fingerprints => Store::fingerprints(),
        };
        let mut search = Search {
            model,
            options,
            store,
            parents: Chunks::new(),
            table,
            budget,
            distinct: 0,
            generated: 0,
            next: 0,
            level_end: 0,
            depth: 0,
            found: Vec::new(),
            verdict: None,
        };
        let mut initial = Vec::new();
        search.model.initial(|state| initial.push(state));
        for state in initial {
            search.meet(state, NO_PARENT).map_err(verdict)?;
        }
        search.end_level();
        search.conclude();
        Ok(search)
    }

    /// Goes on until there is a verdict or `go_on` says no. It is asked every few states, often
    /// enough for a frame's budget.
    pub fn run(&mut self, mut go_on: impl FnMut(&Progress) -> bool) -> Option<Verdict> {
        while self.verdict.is_none() {
            for _ in 0..SLICE {
                self.expand();
                if self.verdict.is_some() {
                    break;
                }
            }
            if self.verdict.is_none() && !go_on(&self.progress()) {
                break;
            }
        }
        self.verdict
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The verdict, once there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The properties found broken so far, in the order of their discovery.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        Progress {
            distinct: u64::from(self.distinct),
            generated: self.generated,
            depth: self.depth,
            waiting: u64::from(self.distinct - self.next),
            bytes: self.budget.used(),
        }
    }

    /// With fingerprints: the odds against two different states having been taken for one, as
    /// "1 in n". `None` if the search is exact or has seen fewer than two states.
    pub fn collision_odds(&self) -> Option<u64> {
        let pairs = u128::from(self.distinct) * u128::from(self.distinct.saturating_sub(1)) / 2;
        let exact = self.options.keep == Keep::States;
        let odds = (!exact).then(|| (1u128 << 64).checked_div(pairs))??;
        Some(u64::try_from(odds).unwrap_or(u64::MAX))
    }

    /// The form under which a state is stored.
    #[inline]
    pub(crate) fn form(&self, state: &M::State) -> M::State {
        if self.options.symmetric { self.model.canonical(state) } else { *state }
    }

    /// Expands one state.
    fn expand(&mut self) {
        let parent = self.next;
        let state = self.store.take(&mut self.budget);
        if let Err(full) = self.expand_from(&state, parent) {
            self.verdict = Some(verdict(full));
            return;
        }
        self.next += 1;
        if self.next == self.level_end {
            self.end_level();
        }
        self.conclude();
    }

    #[inline]
    fn expand_from(&mut self, state: &M::State, parent: u32) -> Result<(), Full> {
        let Search { model, options, store, parents, table, budget, .. } = self;
        let mut outcome = Ok(());
        let (mut distinct, mut generated) = (self.distinct, self.generated);
        let (depth, found) = (self.depth, &mut self.found);
        model.successors(state, |_: Action, successor| {
            if outcome.is_err() {
                return;
            }
            generated += 1;
            let seen = Seen { store, parents, table, budget };
            outcome = meet(model, options, seen, successor, (parent, distinct)).map(|broken| {
                if let Some(broken) = broken {
                    note(found, broken, distinct, depth + 1);
                    distinct += 1;
                }
            });
        });
        (self.distinct, self.generated) = (distinct, generated);
        outcome
    }

    fn meet(&mut self, state: M::State, parent: u32) -> Result<(), Full> {
        let Search { model, options, store, parents, table, budget, .. } = self;
        self.generated += 1;
        let seen = Seen { store, parents, table, budget };
        if let Some(broken) = meet(model, options, seen, state, (parent, self.distinct))? {
            note(&mut self.found, broken, self.distinct, self.depth + 1);
            self.distinct += 1;
        }
        Ok(())
    }

    /// All states of the level have been expanded: those of the next have been tested.
    fn end_level(&mut self) {
        if self.level_end < self.distinct {
            self.level_end = self.distinct;
            self.depth += 1;
        }
    }

    fn conclude(&mut self) {
        let found = self.found.iter().fold(0, |all, f| all | f.property);
        if self.options.wanted != 0 && found & self.options.wanted == self.options.wanted {
            self.verdict = Some(Verdict::Broken);
        } else if self.next == self.distinct {
            self.verdict = Some(Verdict::Exhausted);
        }
    }
}

/// The places where a new state is written down.
struct Seen<'a, S> {
    store: &'a mut Store<S>,
    parents: &'a mut Chunks<u32>,
    table: &'a mut Table,
    budget: &'a mut Budget,
}

/// Writes a state down as `index` if it is new, and says what it breaks.
#[inline]
fn meet<M: Model>(
    model: &M,
    options: &Options,
    seen: Seen<'_, M::State>,
    state: M::State,
    (parent, index): (u32, u32),
) -> Result<Option<u32>, Full> {
    let Seen { store, parents, table, budget } = seen;
    let state = if options.symmetric { model.canonical(&state) } else { state };
    let hash = state.hash();
    table.reserve(hash, |i| store.hash(i), budget)?;
    if table.find_or_insert(hash, index, |i| store.is(i, &state, hash)).is_some() {
        return Ok(None);
    }
    if index >= table::MOST {
        return Err(Full::Indexes);
    }
    store.push(state, hash, budget)?;
    parents.push(parent, budget)?;
    Ok(Some(model.broken(&state)))
}

/// Notes the properties that are broken for the first time.
fn note(found: &mut Vec<Found>, broken: u32, index: u32, length: u32) {
    let known = found.iter().fold(0, |all, f| all | f.property);
    let mut fresh = broken & !known;
    while fresh != 0 {
        let property = fresh & fresh.wrapping_neg();
        found.push(Found { property, length, index });
        fresh &= !property;
    }
}

fn verdict(full: Full) -> Verdict {
    match full {
        Full::Bound => Verdict::OutOfMemory,
        Full::Machine => Verdict::OutOfMachine,
        Full::Indexes => Verdict::TooManyStates,
    }
}
