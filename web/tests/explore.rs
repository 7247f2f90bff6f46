//! The explorer, in JavaScript's hands.

#![cfg(target_arch = "wasm32")]

use highwater_web::Explorer;
use js_sys::{Error, JSON};
use serde_json::{Value, json};
use tsify::Ts;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// What the page reads, as JSON: what is undefined is not there.
fn read<T: Into<JsValue>>(value: Result<T, Error>) -> Value {
    let text = JSON::stringify(&value.expect("an answer").into()).expect("plain values");
    serde_json::from_str(&String::from(text)).expect("JSON")
}

fn question(changes: Value) -> Value {
    let mut question = json!({
        "release": "4.4", "brokers": 3, "acks": -1, "minIsr": 2, "unclean": false,
        "flushEveryRecord": false, "records": 1, "maxEpoch": 3, "property": "ackedSurvives",
        "faults": {"crash": 1, "power": 0, "session": 0, "stop": 0, "uncleanElection": 0, "lag": 0},
    });
    for (name, value) in changes.as_object().expect("an object") {
        question[name] = value.clone();
    }
    question
}

fn explorer(changes: Value) -> Result<Explorer, Error> {
    let question = JSON::parse(&question(changes).to_string()).expect("JSON");
    Explorer::new(Ts::new_unchecked(question), 1e9)
}

#[wasm_bindgen_test]
fn a_loss_is_found_with_its_run_and_its_scenarios() {
    let mut explorer = explorer(json!({"acks": 1})).expect("a question");
    let found = read(explorer.run(1e4));
    assert_eq!((&found["verdict"], &found["length"]), (&json!("broken"), &json!(4)));
    let kinds = explorer.history().expect("a run").into_iter().map(|step| {
        read(Ok::<JsValue, Error>(step.into()))["kind"].as_str().expect("a name").to_owned()
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["produce", "crash", "fence", "hear"]);
    assert!(explorer.scenarios()[0].contains("crash 1"));
}

#[wasm_bindgen_test]
fn what_cannot_be_lost_is_safe_after_some_slices() {
    let mut explorer = explorer(json!({})).expect("a question");
    let mut slices = 0;
    let last = loop {
        let view = read(explorer.run(0.0));
        slices += 1;
        if view.get("verdict").is_some() {
            break view;
        }
    };
    assert_eq!(last["verdict"], json!("safe"));
    assert!(slices > 3 && explorer.scenarios().is_empty());
}

#[wasm_bindgen_test]
fn the_yardstick_is_the_whole_space_of_the_oracle() {
    let mut explorer = Explorer::yardstick(2, 1e9).expect("room");
    let view = read(explorer.run(1e5));
    assert_eq!((&view["distinct"], &view["verdict"]), (&json!(737_794), &json!("safe")));
}

#[wasm_bindgen_test]
fn what_the_model_cannot_answer_is_refused_by_name() {
    for (changes, name) in [
        (json!({"brokers": 9}), "brokers"),
        (json!({"records": 0}), "records"),
        (json!({"release": "0.7"}), "TypeError"),
        (json!({"brokers": "three"}), "TypeError"),
        (json!({"brokers": 5, "records": 3, "maxEpoch": 7}), "tooMuch"),
    ] {
        let error = explorer(changes).err().expect("an error");
        assert_eq!(String::from(error.name()), name);
    }
}
