//! The handle that the page holds: a run, and how it goes on.

use crate::engine::lesson::{self, LessonStepView};
use crate::engine::script::{BranchView, MovedView, PerformView};
use crate::engine::view::{View, ViewRequest};
use crate::engine::{budget, names, script, view};
use crate::thrown;
use highwater_core::script as scripts;
use highwater_core::settings::Release;
use highwater_core::sim::{InsertError, Moment, Timeline};
use js_sys::Error;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A run: one scenario, its history and its branches.
#[wasm_bindgen]
pub struct Engine {
    pub(crate) timeline: Timeline,
}

#[wasm_bindgen]
impl Engine {
    /// The beginning of a scenario.
    ///
    /// # Errors
    /// `ScriptRefused` if the text is no good script.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Engine, Error> {
        console_error_panic_hook::set_once();
        let script = scripts::parse(text).map_err(|errors| script::refused(&errors))?;
        let timeline = Timeline::new(script);
        let timeline = timeline.map_err(|InsertError(errors)| script::refused(&errors))?;
        Ok(Engine { timeline })
    }

    /// The engine's version: part of every link.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_string()
    }

    /// The releases, oldest first.
    pub fn releases() -> Vec<String> {
        Release::NAMES.split(", ").map(String::from).collect()
    }

    /// Now.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        names::us(self.timeline.world().now()) as f64
    }

    /// How many events of this instant have happened.
    #[wasm_bindgen(getter)]
    pub fn index(&self) -> u32 {
        self.timeline.world().index()
    }

    /// Short fingerprint of the history up to now.
    pub fn fingerprint(&self) -> String {
        self.timeline.world().fingerprint()
    }

    /// This moment, as far as the page asks for it.
    ///
    /// # Errors
    /// A `TypeError` if the request is none.
    pub fn view(&self, request: Ts<ViewRequest>) -> Result<Ts<View>, Error> {
        let request = request.to_rust().map_err(thrown::misshapen)?;
        view::view(&self.timeline, &request).into_ts().map_err(thrown::misshapen)
    }

    /// Carries out the next event; false if there is none.
    pub fn step(&mut self) -> bool {
        self.timeline.step()
    }

    /// Takes the last event back; false at the beginning.
    #[wasm_bindgen(js_name = stepBack)]
    pub fn step_back(&mut self) -> bool {
        self.timeline.step_back()
    }

    /// Plays until nothing but periodic work is left; false if the limits came first.
    pub fn settle(&mut self) -> bool {
        self.timeline.settle()
    }

    /// Plays until everything up to that time, in microseconds, has happened.
    #[wasm_bindgen(js_name = runUntil)]
    pub fn run_until(&mut self, time: f64) {
        self.timeline.run_until(names::micros(time));
    }

    /// Plays until that time, in microseconds; but where no message that matters is under way, no
    /// further than to where one leaves, and no more than a frame has time for.
    #[wasm_bindgen(js_name = runUntilSignificant)]
    pub fn run_until_significant(&mut self, time: f64) {
        self.timeline.run_until_significant(names::micros(time), budget::frame());
    }

    /// Goes to a time, or to the n-th event of that instant.
    pub fn seek(&mut self, time: f64, index: Option<u32>) {
        self.timeline.seek(Moment { at: names::micros(time), index });
    }

    /// Adds an action of the script format, without `at`, at this moment.
    ///
    /// # Errors
    /// None that a script can cause.
    pub fn perform(&mut self, action: &str) -> Result<Ts<PerformView>, Error> {
        let done = script::performed(self.timeline.perform(action));
        done.into_ts().map_err(thrown::misshapen)
    }

    /// The script of the branch on the screen.
    pub fn script(&self) -> String {
        scripts::print(self.timeline.script())
    }

    /// What the script says and asks, step by step; goals are judged at this moment.
    ///
    /// # Errors
    /// None that a script can cause.
    pub fn steps(&self) -> Result<Vec<Ts<LessonStepView>>, Error> {
        thrown::each(&lesson::steps(&self.timeline))
    }

    /// Takes another text for the script, at the same moment.
    ///
    /// # Errors
    /// As the constructor.
    #[wasm_bindgen(js_name = replaceScript)]
    pub fn replace_script(&mut self, text: &str) -> Result<(), Error> {
        let script = scripts::parse(text).map_err(|errors| script::refused(&errors))?;
        let replaced = self.timeline.replace_script(script);
        replaced.map_err(|InsertError(errors)| script::refused(&errors))
    }

    /// The script on another release, and what that one does not have.
    ///
    /// # Errors
    /// None that a script can cause.
    #[wasm_bindgen(js_name = onRelease)]
    pub fn on_release(&self, release: &str) -> Result<Ts<MovedView>, Error> {
        script::moved(&self.timeline, release).into_ts().map_err(thrown::misshapen)
    }

    /// Takes the last action back.
    pub fn undo(&mut self) -> bool {
        self.timeline.undo()
    }

    /// Does it again.
    pub fn redo(&mut self) -> bool {
        self.timeline.redo()
    }

    /// The branches of the history.
    ///
    /// # Errors
    /// None that a script can cause.
    pub fn branches(&self) -> Result<Vec<Ts<BranchView>>, Error> {
        thrown::each(&script::branches(&self.timeline))
    }

    /// Shows another branch, at the same moment.
    #[wasm_bindgen(js_name = switchBranch)]
    pub fn switch_branch(&mut self, id: u32) -> bool {
        self.timeline.switch_branch(id)
    }
}
