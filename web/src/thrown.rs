//! What the page catches: `Error`s of JavaScript.

use js_sys::{Error, TypeError};
#[cfg(feature = "engine")]
use serde::Serialize;
#[cfg(feature = "engine")]
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

/// What came from the page, or goes there, has no such shape: a `TypeError`.
pub(crate) fn misshapen(error: tsify::Error) -> Error {
    JsValue::from(TypeError::new(&error.to_string())).into()
}

/// All of them for the page.
#[cfg(feature = "engine")]
pub(crate) fn each<T: Tsify + Serialize>(views: &[T]) -> Result<Vec<Ts<T>>, Error> {
    views.iter().map(|view| view.into_ts().map_err(misshapen)).collect()
}

/// It for the page, if it is there.
#[cfg(feature = "engine")]
pub(crate) fn maybe<T: Tsify + Serialize>(view: Option<T>) -> Result<Option<Ts<T>>, Error> {
    view.map(|view| view.into_ts().map_err(misshapen)).transpose()
}
