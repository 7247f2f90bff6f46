//! The handle that the page holds when somebody pastes something: questions in, answers out.

mod board;
mod config;
mod described;
mod log;
mod quorum;

use crate::thrown;
use board::BoardView;
use config::CheckedView;
use described::DescribedView;
use highwater_ask::config::check;
use highwater_ask::describe;
use highwater_ask::log_lines;
use highwater_ask::recognise::{Kind, kinds, only};
use highwater_core::settings::Release;
use js_sys::Error;
use log::LogView;
use quorum::QuorumView;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// What is in a pasted text, each with its answer.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct AnswerView {
    /// What `kafka-topics --describe` printed, if anything of it is there.
    pub described: Option<DescribedView>,
    /// What would become of the cluster that it describes.
    pub board: Option<BoardView>,
    /// What the settings can do, if there are any.
    pub checked: Option<CheckedView>,
    /// The quorum of the controllers, if the text has its status.
    pub quorum: Option<QuorumView>,
    /// What log lines mean, if there are any.
    pub log: Option<LogView>,
}

/// Reads and answers; it keeps nothing between two questions.
#[wasm_bindgen]
#[derive(Default)]
pub struct Ask {}

/// No answer here is an error that a text can cause: an `Err` says that a value could not be
/// written for JavaScript.
#[wasm_bindgen]
impl Ask {
    /// One for the page.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Ask {
        console_error_panic_hook::set_once();
        Ask {}
    }

    /// What a pasted text is, and what is to be said of it on `release`. `racks`: brokers by their
    /// racks, such as `a=1,2 b=3`.
    pub fn answer(&self, text: &str, racks: &str, release: &str) -> Result<Ts<AnswerView>, Error> {
        let release = Release::parse(release).unwrap_or_default();
        let kinds = kinds(text);
        let checked = check(&only(text, &kinds, &[Kind::Other]), release);
        let read = kinds.contains(&Kind::Describe).then(|| {
            // What nobody else claims is named as not read.
            let own: &[Kind] = match checked.units.is_empty() {
                false => &[Kind::Describe],
                true => &[Kind::Describe, Kind::Other],
            };
            describe::read(&only(text, &kinds, own))
        });
        let board = read.as_ref().and_then(|read| board::view(read, &checked, racks, release));
        let described = read.map(|read| described::view(read, release));
        let checked = (!checked.units.is_empty()).then(|| config::view(checked));
        let log = kinds.contains(&Kind::Log).then(|| {
            // A terminal may have wrapped them: the rest of a line looks like nothing.
            let own = only(text, &kinds, &[Kind::Log, Kind::Other]);
            log::view(log_lines::read(&own, release))
        });
        let log = log.filter(|log| !log.told.is_empty());
        let quorum = highwater_ask::quorum::read(&only(text, &kinds, &[Kind::Quorum]));
        let quorum = quorum.map(quorum::view);
        AnswerView { described, board, checked, quorum, log }.into_ts().map_err(thrown::misshapen)
    }
}
