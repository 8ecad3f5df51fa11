//! What was taken is read back: it is what was sent, to the last character, or it was refused.

use serde_json::{Value, json};

use crate::asking::{House, WORKSPACE, made, within};
use crate::client::with_body;
use crate::trial::Trial;

/// Texts, as JSON writes them, that a careless store would trim, fold, cut or repair.
const TEXTS: &[&str] = &[
    r#""Ines keeps the lighthouse at Cabo Prior.""#,
    r#""  Ines keeps two boats.  ""#,
    r#""Ines keeps\tthree boats.\r\nOne is red.\n\n\nOne is blue.""#,
    r#""Ine\u0301s keeps four boats.""#,
    r#""In\u00e9s keeps five boats.""#,
    r#""Ines keeps \ud83d\udea4\ufe0f and \ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67.""#,
    r#""Ines \u202ekeeps\u202c six boats.""#,
    r#""Ines\u00a0keeps\u2003seven\u2028boats.""#,
    r#""\ufeffInes keeps eight boats.""#,
    r#""Ines keeps \ufffd and \uffff boats.""#,
    r#""Ines keeps a boat at C:\\boats\\nine\" and \/ten.""#,
    r#""Ines keeps \u0001 boats.""#,
    r#""Ines keeps \u0000 boats.""#,
    r#""Ines keeps \ud83d boats.""#,
    r#""\uff29\uff4e\uff45\uff53 keeps eleven boats.""#,
    r#""Ines keeps \u2126, \u212b and \ufb01sh.""#,
    r#""%49nes keeps &amp; <b>twelve</b> boats.""#,
    r#""{\"name\": \"Ines\", \"boats\": 13}""#,
    r#""\u0627\u064a\u0646\u0627\u0633 keeps 14 boats, \u4f0a\u5185\u65af fifteen.""#,
];

/// Metadata that a careless reader would take for something else.
const METADATA: &[&str] = &[
    r#"{"a": 1, "b": 1.0, "c": -0.0, "d": 0.1}"#,
    r#"{"a": 9007199254740993, "b": 18446744073709551615, "c": -9223372036854775808}"#,
    r#"{"a": 1e308, "b": 5e-324, "c": 123456789012345678901234567890}"#,
    r#"{"a": 1e400}"#,
    r#"{"a": NaN}"#,
    r#"{"a": 1, "a": 2}"#,
    r#"{"a": 1, "\u0061": 2}"#,
    r#"{"a": {"b": [{"c": 1, "c": 2}]}}"#,
    r#"{"": "", " ": " ", "A": 1, "a": 2}"#,
    r#"{"caf\u00e9": 1, "cafe\u0301": 2}"#,
    r#"{"a": "\ud800"}"#,
    r#"{"a": "\u0000"}"#,
    r#"{"a": null, "b": [], "c": {}, "d": [null, [[]]]}"#,
    r##"{"__proto__": {"a": 1}, "$ref": "#/a", "a.b": 1, "a/b~c": 2}"##,
];

/// Names that are kept beside a memory, each sent as tag, source and id of its sender's own.
const NAMES: &[&str] = &[
    r#""Harbour""#,
    r#""harbour ""#,
    r#"" harbour""#,
    r#""hA\u0301rbour""#,
    r#""har\u00adbour""#,
    r#""har\u0000bour""#,
    r#""har\nbour""#,
    r#""\ud83d\udea4""#,
    r#""a/b?c=d&e#f%20""#,
    r#""\"'`\\""#,
];

pub(super) fn kept_or_refused(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    let mut kept_ones = 0;
    let mut kept = |trial: &mut Trial, house: &mut House, body: &str| {
        kept_ones += usize::from(is_kept(trial, house, body));
    };
    for round in 0..trial.rounds {
        for (at, text) in TEXTS.iter().enumerate() {
            let body = format!(r#"{{"content":{text},"source":"text-{round}-{at}"}}"#);
            kept(trial, &mut house, &body);
        }
        for (at, metadata) in METADATA.iter().enumerate() {
            let content = format!("Locker {round} has shelf {at} for rope.");
            let source = format!("metadata-{round}-{at}");
            let body =
                format!(r#"{{"content":"{content}","metadata":{metadata},"source":"{source}"}}"#);
            kept(trial, &mut house, &body);
        }
        for (at, name) in NAMES.iter().enumerate() {
            let content = format!("Locker {round} has drawer {at} for charts.");
            let body = format!(
                r#"{{"content":"{content}","tags":[{name}],"source":{name},"custom_id":{name},"speaker":{name},"source_ref":{name}}}"#
            );
            kept(trial, &mut house, &body);
        }
        trial.round();
    }
    house.is_well(trial, "texts that are hard to keep");
    let sent = trial.found.faults;
    trial.remark(format!(
        "of {sent} that are hard to keep {kept_ones} were kept, the others refused"
    ));
}

/// Sends a body, and compares what is kept of it, if anything, with what its bytes say.
fn is_kept(trial: &mut Trial, house: &mut House, body: &str) -> bool {
    let path = within(WORKSPACE, "retain");
    let answer = house.ask(&with_body("POST", &house.agent, &path, body.as_bytes()));
    trial.fault();
    // What stands against what is known is told as a conflict, and kept.
    let ids = made(&answer);
    if (400..500).contains(&answer.status) && ids.is_empty() {
        return false;
    }
    let Ok(sent) = serde_json::from_str::<Value>(body) else {
        trial.broken(format!("taken though it is no JSON: {body}"));
        return false;
    };
    if says_twice(body) {
        trial.broken(format!("taken though it says two things: {body}"));
    }
    let told = answer.json();
    let Some(id) = ids.first() else {
        let is_told = told["skipped"][0].is_object() || told["errors"][0].is_object();
        if !is_told {
            trial.lost(format!("neither kept nor refused: {body} {told}"));
        }
        return false;
    };
    let record = house.memory(id);
    for difference in differences(&sent, &record) {
        trial.lost(format!("{difference} of {body}"));
    }
    true
}

/// Whether an object in it has a name twice: written out again it is shorter then.
fn says_twice(body: &str) -> bool {
    let names = |text: &str| text.matches("\":").count();
    let again = serde_json::from_str::<Value>(body).map(|value| value.to_string());
    // A text that holds JSON has names too, before and after alike.
    again.is_ok_and(|again| names(&again) < names(body))
}

/// What is kept otherwise than it was sent.
fn differences(sent: &Value, record: &Value) -> Vec<String> {
    let (support, memory) = (&record["supports"][0], &record["memory"]);
    let pairs = [
        ("content", &support["text"]),
        ("metadata", &support["metadata"]),
        ("source", &support["source"]),
        ("source_ref", &support["source_ref"]),
        ("tags", &memory["tags"]),
        ("custom_id", &memory["custom_id"]),
        ("speaker", &memory["speaker"]),
    ];
    let differ = |name: &str, kept: &Value| {
        let sent = sent.get(name)?;
        (sent != kept).then(|| format!("`{name}` is kept as {kept}"))
    };
    let found = pairs
        .into_iter()
        .filter_map(|(name, kept)| differ(name, kept));
    found.collect()
}

/// Eyes for what is kept otherwise than it was sent.
pub(super) fn another_text(trial: &mut Trial) {
    let mut house = House::open(trial, "other");
    let agent = house.agent.clone();
    let answer = house.retain(&agent, &json!({ "content": "Ines keeps a boat." }));
    let id = crate::asking::first_id(&answer).unwrap();
    let record = house.memory(&id);
    for difference in differences(&json!({ "content": "Ines keeps a boat. " }), &record) {
        trial.lost(difference);
    }
}
