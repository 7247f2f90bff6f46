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
fn several_things_in_one_paste_are_told_apart() {
    let text =
        "acks=1\nretries=3\n\nTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n";
    let answer = read(Ask::new().answer(text, "", "3.9"));
    assert_eq!(answer["described"]["partitions"][0]["line"], json!(4));
    assert_eq!(answer["checked"]["units"][0]["owner"], json!("producer"));
    let findings = answer["checked"]["findings"].as_array().expect("findings");
    assert_eq!(findings[0]["code"], json!("acks.leader"));
    assert!(
        findings[0]["proof"].as_str().is_some_and(|p| p.starts_with("highwater 1\nkafka 3.9\n"))
    );
    let status = "LeaderId: 1\nCurrentVoters: [1,2,3]\n";
    let answer = read(Ask::new().answer(status, "", "3.9"));
    assert_eq!(answer["quorum"]["mayBeDown"], json!(1));
    let nothing = read(Ask::new().answer("Good morning", "", "3.9"));
    assert_eq!(nothing, json!({}));
}

#[wasm_bindgen_test]
fn a_pasted_description_is_read_and_becomes_a_script() {
    let line = "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2";
    let answer = read(Ask::new().answer(line, "a=1 b=2", "4.4"));
    let described = &answer["described"];
    assert_eq!(described["partitions"][0]["isr"], json!([1, 2]));
    let script = described["script"].as_str().expect("a script");
    assert!(script.starts_with("highwater 1\nkafka 4.4\nbrokers 1,2\n"), "{script}");
    let board = &answer["board"];
    assert_eq!(board["order"], json!([1, 2]));
    assert_eq!(board["racks"][0]["rack"], json!("a"));
    assert_eq!(board["pairs"][0]["fates"][2]["mayLose"], json!(1));
}
