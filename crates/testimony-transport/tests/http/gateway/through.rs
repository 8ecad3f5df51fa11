//! What goes through as it came.

use serde_json::json;

use super::scripted::{Before, CHAT, Line, RESPONSES, ask, completion, good};
use crate::support::Sent;

/// Bodies as clients send them, with what a reader of JSON would spell otherwise.
const BODIES: &[(&str, &str)] = &[
    (
        CHAT,
        "{ \"model\":\"house/small\", \"messages\":[ {\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hi \\u00e9\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:x\"}}]},\n{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"t1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"a\\\": 1.0}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"t1\",\"content\":\"6543\"}], \"temperature\":1.50e0, \"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"look\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}],\"seed\":123456789012345678901234567890,\"metadata\":{\"trace\":\"t-1\"},\"x_unknown\":[null] }\n",
    ),
    (
        RESPONSES,
        "{\"input\":\"Hi\",\"model\":\"house/small\",\"reasoning\":{\"effort\":\"low\"},\"metadata\":{\"trace\":\"t-1\"},\"store\":false}",
    ),
    (
        RESPONSES,
        "{\"model\":\"house/small\",\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"Hi\"}]},{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"{}\"}]}",
    ),
];

#[test]
fn what_is_sent_goes_on_byte_for_byte() {
    let before = Before::model(good(&completion()));
    let key = before.key();
    for (path, body) in BODIES {
        let sent = Sent::post(path)
            .key(&key)
            .body("application/json", body.as_bytes());
        before.harness.send(&sent).expect(200);
        let went = before.asked().pop().unwrap();
        assert_eq!(went, body.replace("house/small", "small-1"), "{path}");
    }
}

#[test]
fn what_a_model_answers_comes_back_byte_for_byte() {
    let odd = "{ \"id\" : \"x\",\"choices\":[], \"n\":1.50e1, \"é\":\"\\u00e9\" }\n";
    let before = Before::model(Line::Json(
        200,
        &[("x-upstream-request-id", "up-1")],
        odd.to_owned(),
    ));
    let sent = Sent::post(CHAT).key(&before.key()).json(&ask("Hi"));
    let text = String::from_utf8(before.harness.raw(&sent.bytes())).unwrap();
    assert!(text.ends_with(&format!("\r\n\r\n{odd}")), "{text}");
    for header in [
        "x-upstream-request-id: up-1",
        "x-request-id: ",
        "cache-control: no-store",
        "content-length: ",
    ] {
        assert!(text.contains(header), "{header}: {text}");
    }
}

#[test]
fn a_model_is_asked_by_the_name_that_its_provider_knows() {
    let before = Before::model(good(&completion()));
    let key = before.key();
    before.chat(&key, &ask("Hi")).expect(200);
    assert_eq!(before.last()["model"], "small-1");
    let mut other = ask("Hi");
    other["model"] = json!("house/large");
    let refused = before.chat(&key, &other).expect(404);
    assert_eq!(refused.body["error"]["code"], "model_not_found");
    assert_eq!(refused.body["error"]["param"], "model");
    assert_eq!(before.asked().len(), 1);
}

#[test]
fn the_models_that_can_be_asked_for_are_listed() {
    let before = Before::model(good(&completion()));
    let listed = before.harness.get(&before.key(), "/v1/models").expect(200);
    assert_eq!(listed.body["data"][0]["id"], "house/small");
    assert_eq!(listed.body["data"][0]["owned_by"], "house");
}
