//! The way to a state.

use crate::model::{Action, Model, Packed};
use crate::search::{Found, NO_PARENT, Search};
use alloc::vec::Vec;

/// One step of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<S> {
    /// What was done; `None` for the state in which the run begins.
    pub action: Option<Action>,
    /// The state that it led to.
    pub state: S,
}

impl<M: Model> Search<M> {
    /// A shortest run to what was found.
    ///
    /// Only the canonical form of a state is stored. So the run is played again from its beginning:
    /// each time, one of the successors has the next canonical form, and that one is taken. Thus a
    /// broker keeps its name from the first state to the last.
    pub fn trace(&self, found: &Found) -> Vec<Step<M::State>> {
        let mut path = Vec::new();
        let mut index = found.index;
        while index != NO_PARENT {
            path.push(index);
            index = *self.parents.get(index as usize);
        }
        let mut steps: Vec<Step<M::State>> = Vec::with_capacity(path.len());
        for index in path.into_iter().rev() {
            let mut next = None;
            let mut consider = |action: Option<Action>, state: M::State| {
                if next.is_none() && self.is_known_as(index, &state) {
                    next = Some(Step { action, state });
                }
            };
            match steps.last() {
                None => self.model.initial(|state| consider(None, state)),
                Some(last) => {
                    self.model.successors(&last.state, |action, state| {
                        consider(Some(action), state);
                    });
                }
            }
            steps.push(next.expect("a stored state is a successor of its parent"));
        }
        steps
    }

    fn is_known_as(&self, index: u32, state: &M::State) -> bool {
        let form = self.form(state);
        self.store.is(index, &form, form.hash())
    }
}
