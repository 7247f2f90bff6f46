//! What is said of a text that is not taken: a phrase's name and its values. The words are the page's,
//! `www/pkg/phrases.js` in English (made from the core's table) and `www/strings/zh.errors.js`.

use highwater_core::words::Said;
use serde::Serialize;
use tsify::Tsify;

/// A phrase with its values.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SaidView {
    /// The phrase's name.
    pub phrase: &'static str,
    /// What stands in its places, in their order.
    pub values: Vec<String>,
}

impl From<&Said> for SaidView {
    fn from(said: &Said) -> SaidView {
        SaidView { phrase: said.phrase.name(), values: said.values.clone() }
    }
}
