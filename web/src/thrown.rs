//! What the page catches: `Error`s of JavaScript.

use crate::script::{ErrorLineView, lines};
use highwater_core::script::ScriptError;
use js_sys::{Array, Error, JsString, Reflect, TypeError};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

/// A script was not taken: an `Error` named `ScriptRefused` whose `errors` are `ErrorLineView[]`.
pub(crate) fn refused(errors: &[ScriptError]) -> Error {
    let words = errors.iter().map(|e| format!("line {}: {}", e.line, e.reason));
    let error = Error::new(&words.collect::<Vec<_>>().join("\n"));
    error.set_name("ScriptRefused");
    let views: Result<Array, _> = lines(errors).iter().map(ErrorLineView::into_js).collect();
    // A fresh object takes any property, and lines are plain enough to be written.
    if let Ok(views) = views {
        let _ = Reflect::set(&error, &JsString::from("errors"), &views);
    }
    error
}

/// What came from the page, or goes there, has no such shape: a `TypeError`.
pub(crate) fn misshapen(error: tsify::Error) -> Error {
    JsValue::from(TypeError::new(&error.to_string())).into()
}

/// All of them for the page.
pub(crate) fn each<T: Tsify + Serialize>(views: &[T]) -> Result<Vec<Ts<T>>, Error> {
    views.iter().map(|view| view.into_ts().map_err(misshapen)).collect()
}

/// It for the page, if it is there.
pub(crate) fn maybe<T: Tsify + Serialize>(view: Option<T>) -> Result<Option<Ts<T>>, Error> {
    view.map(|view| view.into_ts().map_err(misshapen)).transpose()
}
