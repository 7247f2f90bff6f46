//! The face in JavaScript's hands: requests and views there and back, errors that are thrown, and a
//! few features. `wasm-pack test --node web` runs them.

#![cfg(target_arch = "wasm32")]

use highwater_web::Engine;
use js_sys::{Error, Float64Array, JSON, Reflect, TypeError, Uint8Array};
use serde_json::{Value, json};
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

const SCRIPT: &str = "highwater 1\nkafka 4.4\nbrokers 3\n\
    topic orders partitions=2 replicas=3 min.insync.replicas=2\n\
    producer p1 topic=orders acks=all every=200ms\nconsumer c1 topic=orders group=g\n\
    at 5s crash 3\nsay 1s en \"Hello\" zh \"你好\"\nexpect 4s orders/0 hw>=1\nuntil 20s\n";

fn at(time: f64) -> Engine {
    let mut engine = Engine::new(SCRIPT).expect("a script that is taken");
    engine.seek(time, None);
    engine
}

/// A value that JavaScript has written down.
fn js(text: &str) -> JsValue {
    JSON::parse(text).expect("JSON")
}

fn request<T: Tsify>(text: &str) -> Ts<T> {
    Ts::new_unchecked(js(text))
}

/// What the page reads, as JSON: what is undefined is not there.
fn read<T: Into<JsValue>>(value: Result<T, Error>) -> Value {
    written(&value.expect("an answer").into())
}

fn written(value: &JsValue) -> Value {
    let text = JSON::stringify(value).expect("plain values");
    serde_json::from_str(&String::from(text)).expect("JSON")
}

fn each<T: Into<JsValue>>(value: Result<Vec<T>, Error>) -> Vec<Value> {
    let values = value.expect("answers").into_iter();
    values.map(|each| written(&each.into())).collect()
}

#[wasm_bindgen_test]
fn a_view_has_what_was_asked_for_and_no_more() {
    let engine = at(4e6);
    let whole = read(engine.view(request("{}")));
    assert_eq!(whole["time"], json!(4_000_000));
    assert_eq!(whole["release"], json!("4.4"));
    assert_eq!(whole["partition"], json!("orders/0"));
    assert_eq!(whole["state"]["health"], json!("ok"));
    assert_eq!(whole["brokers"][0]["state"], json!("running"));
    assert_eq!(whole["says"][0]["zh"], json!("你好"));
    assert_eq!(whole["expects"][0]["held"], json!(true));
    assert!(whole["partitions"].is_null());
    let asked =
        r#"{"partition":"orders/0","cells":2,"story":3,"records":1,"flights":0,"partitions":true}"#;
    let part = read(engine.view(request(asked)));
    assert_eq!(part["brokers"][0]["replica"]["cells"].as_array().map(Vec::len), Some(2));
    assert_eq!(part["story"].as_array().map(Vec::len), Some(3));
    assert_eq!(part["ledger"]["records"].as_array().map(Vec::len), Some(1));
    assert_eq!(part["partitions"][1]["name"], json!("orders/1"));
    assert_eq!(part["flights"], json!([]));
    assert_eq!(part["fingerprint"], whole["fingerprint"]);
}

#[wasm_bindgen_test]
fn numbers_are_numbers_and_what_is_absent_is_undefined() {
    let view: JsValue = at(4e6).view(request("{}")).expect("a view").into();
    let field = |name: &str| Reflect::get(&view, &name.into()).expect("an object");
    assert_eq!(field("time").as_f64(), Some(4e6));
    assert!(field("partitions").is_undefined());
    assert_eq!(field("settled").as_bool(), written(&view)["settled"].as_bool());
}

#[wasm_bindgen_test]
fn a_request_that_is_none_is_a_type_error_and_harms_nothing() {
    let mut engine = at(4e6);
    for wrong in [r#"{"cells":"many"}"#, r#"{"cells":-1}"#, "7", "null"] {
        let Err(thrown) = engine.view(request(wrong)) else { panic!("{wrong} was taken") };
        assert!(thrown.is_instance_of::<TypeError>(), "{wrong}");
        assert!(String::from(thrown.message()).contains("ViewRequest"), "{wrong}");
    }
    assert!(engine.step(), "it can be used as before");
}

#[wasm_bindgen_test]
fn a_refused_script_is_thrown_with_its_lines() {
    let Err(thrown) = Engine::new("highwater 1\nbrokers 3\nfrobnicate\n") else {
        panic!("taken");
    };
    assert_eq!(String::from(thrown.name()), "ScriptRefused");
    assert!(String::from(thrown.message()).starts_with("line 3: "));
    let errors = written(&Reflect::get(&thrown, &"errors".into()).expect("lines"));
    assert_eq!(errors[0]["line"], json!(3));
    assert!(errors[0]["accepted"]["values"][0].as_str().is_some_and(|text| text.contains("topic")));
    let mut engine = at(1e6);
    let thrown = engine.replace_script("nonsense").expect_err("no script");
    assert_eq!(String::from(thrown.name()), "ScriptRefused");
    assert_eq!(engine.time(), 1e6, "the old one is still there");
    assert_eq!(each(Engine::check(SCRIPT)), Vec::<Value>::new());
    assert_eq!(each(Engine::check("highwater 1\nat 1s explode 1\n"))[0]["line"], json!(2));
}

#[wasm_bindgen_test]
fn an_action_is_a_line_or_says_why_not() {
    let mut engine = at(2e6);
    let done = read(engine.perform("crash 1"));
    assert_eq!((&done["ok"], &done["branched"]), (&json!(true), &json!(false)));
    assert!(engine.script().contains("crash 1\n"));
    let refused = read(engine.perform("crash 9"));
    assert_eq!(refused["ok"], json!(false));
    assert!(refused["errors"][0]["reason"] == json!({ "phrase": "NoSuchBroker", "values": ["9"] }));
    assert!(engine.undo());
    assert!(!engine.script().contains("crash 1\n"));
    assert_eq!(each(engine.branches())[0]["active"], json!(true));
}

#[wasm_bindgen_test]
fn a_frame_ends_in_time_and_comes_to_the_same_history() {
    let mut whole = at(0.0);
    whole.run_until(20e6);
    let mut frames = at(0.0);
    for _ in 0..100_000 {
        frames.run_until_significant(20e6);
        if frames.time() >= 20e6 {
            break;
        }
    }
    assert_eq!(frames.fingerprint(), whole.fingerprint());
}

#[wasm_bindgen_test]
fn why_walks_to_causes_and_absent_things_are_undefined() {
    let engine = at(8e6);
    let view = read(engine.view(request("{}")));
    let newest = view["story"][0]["id"].as_u64().expect("an event") as u32;
    let chain = each(engine.why(newest, 5));
    assert_eq!(chain[0]["id"], json!(newest));
    assert!(chain.len() > 1 && chain.len() <= 5);
    assert!(engine.fact("orders/0", "leader").is_some());
    assert!(engine.fact("orders/0", "colour").is_none());
    assert!(engine.event(u32::MAX).expect("no error").is_none());
    assert!(engine.record(u32::MAX).expect("no error").is_none());
    assert!(engine.reading("p1").expect("no error").is_none());
    assert!(engine.value("topic", "orders", "no.such.setting").is_none());
    assert_eq!(engine.value("topic", "orders", "min.insync.replicas").as_deref(), Some("2"));
}

#[wasm_bindgen_test]
fn what_is_plotted_and_mapped_comes_as_typed_arrays() {
    let engine = at(8e6);
    let series: JsValue = engine.series("orders/0").expect("a series").into();
    let array = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).expect("a field");
    let times: Float64Array = array(&series, "times").dyn_into().expect("times");
    let leo: Float64Array = array(&series, "leo").dyn_into().expect("leo");
    assert_eq!(leo.length(), 3 * times.length());
    assert_eq!(times.get_index(times.length() - 1), 8e6);
    let map: JsValue = engine.map().expect("a map").into();
    let cells: Uint8Array = array(&map, "cells").dyn_into().expect("cells");
    let partitions = written(&map)["partitions"].as_array().map_or(0, Vec::len);
    assert!(partitions >= 2);
    assert_eq!(cells.length() as usize, partitions * 3);
    assert!(cells.to_vec().contains(&1), "somebody leads");
}

#[wasm_bindgen_test]
fn a_pasted_configuration_says_what_was_taken() {
    let mut engine = at(2e6);
    let text = "min.insync.replicas=1\nno.such.setting=5\n";
    let pasted = read(engine.paste_config("topic", text, Some("orders".to_owned())));
    assert_eq!(pasted["applied"], json!([{"name": "min.insync.replicas", "value": "1"}]));
    assert_eq!(pasted["skipped"][0]["line"], json!(2));
}

#[wasm_bindgen_test]
fn settings_and_metrics_have_kafkas_names() {
    let engine = at(2e6);
    let settings = each(engine.settings("topic", Some("orders".to_owned())));
    let min_isr = settings.iter().find(|s| s["name"] == "min.insync.replicas").expect("it");
    assert_eq!((&min_isr["value"], &min_isr["source"]), (&json!("2"), &json!("topic")));
    assert_eq!(min_isr["kind"], json!("int"));
    let metrics = each(engine.metrics(None));
    assert!(metrics.iter().any(|m| {
        m["name"].as_str().is_some_and(|name| name.ends_with("UnderReplicatedPartitions"))
    }));
    assert!(Engine::releases().contains(&"4.4".to_owned()));
    let moved = read(engine.on_release("0.8.2"));
    assert!(moved["script"].as_str().is_some_and(|script| script.contains("kafka 0.8.2")));
}
