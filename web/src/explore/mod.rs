//! The handle that the page holds when it asks whether something can happen in any order at all.

mod question;
mod verdict;

use crate::thrown;
use highwater_explore::kafka::{self, Kafka, Question, Step};
use highwater_explore::oracle::{Oracle, Protocol};
use highwater_explore::{Keep, Options, Search, Verdict};
use js_sys::{Date, Error, RangeError};
use question::QuestionRequest;
use tsify::{Ts, Tsify};
use verdict::{SearchView, StepView};
use wasm_bindgen::prelude::*;

/// A search under way.
#[wasm_bindgen]
pub struct Explorer {
    search: Box<dyn AnySearch>,
}

#[wasm_bindgen]
impl Explorer {
    /// Begins to look for the shortest way to break a promise, within so many bytes.
    ///
    /// # Errors
    /// A `TypeError` if the question is none; a `RangeError`, named after the bound, if it is beyond
    /// what the model can answer.
    #[wasm_bindgen(constructor)]
    pub fn new(question: Ts<QuestionRequest>, memory: f64) -> Result<Explorer, Error> {
        console_error_panic_hook::set_once();
        let request = question.to_rust().map_err(thrown::misshapen)?;
        let question = request.question()?;
        let search = begun(question, memory as usize)?;
        Ok(Explorer { search })
    }

    /// The search that this engine is measured by: the whole space of the KIP-320 oracle with three
    /// replicas and leader epochs up to `max_epoch`.
    ///
    /// # Errors
    /// A `RangeError` if there is no room.
    pub fn yardstick(max_epoch: u32, memory: f64) -> Result<Explorer, Error> {
        let oracle = Oracle { max_epoch: max_epoch.min(3), ..Oracle::new(Protocol::Kip320, 3) };
        let memory = memory as usize;
        let options = Options { symmetric: false, wanted: 0, memory, keep: Keep::States };
        let search = Search::new(oracle, options).map_err(no_room)?;
        Ok(Explorer { search: Box::new(search) })
    }

    /// Searches for so many milliseconds, or to the end.
    ///
    /// # Errors
    /// None that a question can cause.
    pub fn run(&mut self, milliseconds: f64) -> Result<Ts<SearchView>, Error> {
        let end = Date::now() + milliseconds;
        self.search.run(&mut || Date::now() < end);
        self.search.view().into_ts().map_err(thrown::misshapen)
    }

    /// The shortest run that breaks the promise, if one was found.
    ///
    /// # Errors
    /// None that a question can cause.
    pub fn history(&self) -> Result<Vec<Ts<StepView>>, Error> {
        let steps = self.search.history().into_iter().map(StepView::of);
        steps.map(|step| step.into_ts().map_err(thrown::misshapen)).collect()
    }

    /// Scenarios of that run, the plainest first: the first that does what it expects is its story.
    pub fn scenarios(&self) -> Vec<String> {
        self.search.scenarios()
    }
}

/// A search, whatever the size of its states.
trait AnySearch {
    fn run(&mut self, go_on: &mut dyn FnMut() -> bool);
    fn view(&self) -> SearchView;
    fn history(&self) -> Vec<Step>;
    fn scenarios(&self) -> Vec<String>;
}

impl<const W: usize> AnySearch for Search<Kafka<W>> {
    fn run(&mut self, go_on: &mut dyn FnMut() -> bool) {
        Search::run(self, |_| go_on());
    }

    fn view(&self) -> SearchView {
        let length = self.found().first().map(|f| f.length);
        SearchView::of(&self.progress(), self.verdict(), length)
    }

    fn history(&self) -> Vec<Step> {
        let found = self.found().first();
        let run = found.map(|f| self.trace(f)).unwrap_or_default();
        run.iter().filter_map(|step| step.action).map(Step::of).collect()
    }

    fn scenarios(&self) -> Vec<String> {
        let found = self.found().first();
        found.map(|f| kafka::scenarios(self.model(), &self.trace(f))).unwrap_or_default()
    }
}

impl AnySearch for Search<Oracle> {
    fn run(&mut self, go_on: &mut dyn FnMut() -> bool) {
        Search::run(self, |_| go_on());
    }

    fn view(&self) -> SearchView {
        SearchView::of(&self.progress(), self.verdict(), None)
    }

    fn history(&self) -> Vec<Step> {
        Vec::new()
    }

    fn scenarios(&self) -> Vec<String> {
        Vec::new()
    }
}

fn begun(question: Question, memory: usize) -> Result<Box<dyn AnySearch>, Error> {
    match kafka::words(&question).map_err(question::refused)? {
        ..=2 => boxed::<2>(question, memory),
        3 => boxed::<3>(question, memory),
        4 => boxed::<4>(question, memory),
        _ => boxed::<6>(question, memory),
    }
}

fn boxed<const W: usize>(question: Question, memory: usize) -> Result<Box<dyn AnySearch>, Error> {
    let wanted = question.property.bit();
    let options = Options { symmetric: false, wanted, memory, keep: Keep::States };
    let too_much = || question::refused(kafka::Refusal::TooMuch);
    let model = Kafka::<W>::new(question).map_err(question::refused)?.ok_or_else(too_much)?;
    match Search::new(model, options) {
        Ok(search) => Ok(Box::new(search)),
        Err(verdict) => Err(no_room(verdict)),
    }
}

/// Not even empty tables fit.
fn no_room(verdict: Verdict) -> Error {
    let error: Error = JsValue::from(RangeError::new(&format!("{verdict:?}"))).into();
    error.set_name("memory");
    error
}
