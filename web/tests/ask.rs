//! What is asked about a pasted text, in JavaScript's hands.

#![cfg(target_arch = "wasm32")]

use highwater_web::Ask;
use js_sys::{Error, JSON};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// What the page reads, as JSON: what is undefined is not there.
fn read<T: Into<JsValue>>(value: Result<T, Error>) -> Value {
    let text = JSON::stringify(&value.expect("an answer").into()).expect("plain values");
    serde_json::from_str(&String::from(text)).expect("JSON")
}

#[wasm_bindgen_test]
fn a_pasted_description_is_read_and_becomes_a_script() {
    let line = "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2";
    let described = read(Ask::new().read_describe(line, "4.4"));
    assert_eq!(described["partitions"][0]["isr"], json!([1, 2]));
    let script = described["script"].as_str().expect("a script");
    assert!(script.starts_with("highwater 1\nkafka 4.4\nbrokers 1,2\n"), "{script}");
}
