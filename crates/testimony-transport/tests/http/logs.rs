//! Events say what happened to a request, and never what it said or who it showed itself to be.

use std::fmt::{Debug, Write as _};
use std::sync::{Mutex, OnceLock};

use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::{Harness, Sent};

/// Keeps everything that is said by anybody, at every level.
struct Listener;

/// What was said since the first test that listens.
fn heard() -> &'static Mutex<String> {
    static HEARD: OnceLock<Mutex<String>> = OnceLock::new();
    HEARD.get_or_init(|| {
        let listening = tracing::subscriber::set_global_default(Listener);
        assert!(listening.is_ok(), "somebody else listens");
        Mutex::default()
    })
}

struct Writer(String);

impl Visit for Writer {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

fn keep(said: impl FnOnce(&mut Writer)) {
    let mut writer = Writer(String::new());
    said(&mut writer);
    let mut heard = heard().lock().unwrap();
    heard.push_str(&writer.0);
    heard.push('\n');
}

impl Subscriber for Listener {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        keep(|writer| span.record(writer));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        keep(|writer| values.record(writer));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        keep(|writer| event.record(writer));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn no_event_holds_content_or_credentials() {
    drop(heard().lock());
    let harness = Harness::start();
    let key = harness.agent();
    let word = "Quillfeather";
    let body = json!({
        "content": format!("The staging database of {word} runs on port 6543."),
        "tags": [word], "user_id": word, "metadata": { word: word }, word: 1,
    });
    let path = "/api/v2/containers/workspace/retain";
    let named = Sent::post(path).key(&key).json(&body);
    harness
        .send(&named.header("X-Request-Id", "heard-1"))
        .expect(200);
    harness
        .recall(
            &key,
            &json!({ "query": format!("the port of {word}?"), "user_id": word }),
        )
        .expect(200);
    harness
        .recall(&key, &json!({ "query": word, "mode": word }))
        .expect(422);
    harness
        .get(&key, &format!("/v1/memories/{word}/courtroom?query={word}"))
        .expect(404);
    harness
        .get(&format!("{key}{word}"), &format!("/{word}?{word}"))
        .expect(404);
    harness
        .post(&format!("{key}{word}"), path, &body)
        .expect(401);
    harness
        .send(&Sent::new(word, &format!("/{word}")).header("Host", word))
        .expect(421);

    let heard = heard().lock().unwrap().clone();
    assert!(heard.contains("id=heard-1"), "{heard}");
    assert!(
        heard.contains("route=\"retain\"") && heard.contains("status=200"),
        "{heard}"
    );
    let secret = key.rsplit('_').next().unwrap();
    assert!(!heard.contains(word) && !heard.contains(secret), "{heard}");
}
