//! The handle that the page holds when somebody pastes something: questions in, answers out.

mod described;

use crate::thrown;
use described::DescribedView;
use highwater_core::settings::Release;
use js_sys::Error;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// Reads and answers; it keeps nothing between two questions.
#[wasm_bindgen]
#[derive(Default)]
pub struct Ask {}

/// No answer here is an error that a text can cause: an `Err` says that a value could not be written
/// for JavaScript.
#[wasm_bindgen]
impl Ask {
    /// One for the page.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Ask {
        console_error_panic_hook::set_once();
        Ask {}
    }

    /// What a pasted `kafka-topics --describe` says, and the script that rebuilds it on `release`.
    #[wasm_bindgen(js_name = readDescribe)]
    pub fn read_describe(&self, text: &str, release: &str) -> Result<Ts<DescribedView>, Error> {
        let view = described::view(text, Release::parse(release).unwrap_or_default());
        view.into_ts().map_err(thrown::misshapen)
    }
}
