//! A model behind a server: portions, attempts, the breaker, and answers that cannot be believed.
//!
//! The server is on this machine; time is a value, and a pause moves it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use testimony_domain::{Clock, Timestamp};
use testimony_embedding::remote::{ApiKey, BreakerRules, RemoteSettings, Surroundings};
use testimony_embedding::{EmbedError, Embedder, RemoteEmbedder, Vector};
use testimony_service::ports::health::Health;

use crate::server::{Reply, Server, numbers_of};

/// Time that only moves when somebody pauses or the test says so, and the pauses that were made.
struct Stage {
    now: Mutex<Timestamp>,
    pauses: Mutex<Vec<Duration>>,
}

impl Stage {
    fn new() -> Arc<Self> {
        let now = Mutex::new(Timestamp::constant(1_800_000_000, 0));
        let pauses = Mutex::new(Vec::new());
        Arc::new(Self { now, pauses })
    }

    fn pass(&self, time: Duration) {
        let mut now = self.now.lock().unwrap();
        *now = now.checked_add(time).unwrap();
    }

    fn pauses_ms(&self) -> Vec<u128> {
        let pauses = self.pauses.lock().unwrap();
        pauses.iter().map(Duration::as_millis).collect()
    }
}

impl Clock for Stage {
    fn now(&self) -> Timestamp {
        *self.now.lock().unwrap()
    }
}

impl Surroundings for Stage {
    fn pause(&self, time: Duration) {
        self.pauses.lock().unwrap().push(time);
        self.pass(time);
    }

    fn chance(&self) -> f64 {
        1.0
    }
}

const KEY: &str = "marlin-0042-harbour";

fn settings(server: &Server) -> RemoteSettings {
    RemoteSettings {
        key: Some(ApiKey::new(KEY).unwrap()),
        breaker: BreakerRules {
            failures: 4,
            rest: Duration::from_secs(30),
            longest_rest: Duration::from_secs(120),
        },
        ..RemoteSettings::new(server.base(), "lighthouse-small", 4)
    }
}

fn embedder(server: &Server, stage: &Arc<Stage>) -> RemoteEmbedder {
    RemoteEmbedder::new(settings(server), stage.clone()).unwrap()
}

fn vector_of(text: &str) -> Option<Vector> {
    Some(Vector::from_direction(numbers_of(text).to_vec()).unwrap())
}

/// The error of asking once, which holds neither what was asked nor the credential.
fn error_of(embedder: &RemoteEmbedder) -> EmbedError {
    let text = "the ferry leaves at dusk";
    let error = embedder.embed(&[text]).unwrap_err();
    let health = format!("{:?}", embedder.health());
    for told in [error.to_string(), format!("{error:?}"), health] {
        assert!(
            !told.contains("ferry") && !told.contains("marlin"),
            "{told}"
        );
    }
    error
}

#[test]
fn every_text_gets_its_vector_whatever_the_order_of_the_answer() {
    let (server, stage) = (Server::that_answers([Reply::Vectors]), Stage::new());
    let embedder = embedder(&server, &stage);
    let texts = ["kelp", "", "a tide table", " \t\u{7}", "buoy 9"];
    let found = embedder.embed(&texts).unwrap();
    let expected = [
        vector_of(texts[0]),
        None,
        vector_of(texts[2]),
        None,
        vector_of(texts[4]),
    ];
    assert_eq!(found, expected);
    let asked = server.asked();
    assert_eq!(asked[0].texts(), ["kelp", "a tide table", "buoy 9"]);
    assert_eq!(asked[0].body["model"], "lighthouse-small");
    assert!(asked[0].body.get("dimensions").is_none());
    assert!(
        asked[0]
            .head
            .starts_with("POST /v1/embeddings HTTP/1.1\r\n")
    );
    let bearer = format!("authorization: bearer {KEY}\r\n");
    assert!(asked[0].head.to_lowercase().contains(&bearer));
    assert_eq!(embedder.health(), Health::Healthy);
    assert_eq!(embedder.calibration(), None, "nobody has measured it");
    let identity = embedder.identity();
    assert_eq!(
        (identity.name.as_str(), identity.dimensions),
        ("lighthouse-small", 4)
    );
}

#[test]
fn nothing_is_sent_for_texts_that_say_nothing() {
    let (server, stage) = (Server::that_answers([]), Stage::new());
    let found = embedder(&server, &stage).embed(&["", "\n"]).unwrap();
    assert_eq!(found, [None, None]);
}

#[test]
fn texts_go_in_portions_by_number_and_by_bytes() {
    let replies = std::iter::repeat_n(Reply::Vectors, 4);
    let (server, stage) = (Server::that_answers(replies), Stage::new());
    let settings = RemoteSettings {
        texts_per_request: 2,
        bytes_per_request: 10,
        shorten: true,
        key: None,
        ..settings(&server)
    };
    let embedder = RemoteEmbedder::new(settings, stage).unwrap();
    let texts = [
        "one",
        "two",
        "three",
        "a text that is longer than ten",
        "four",
        "five",
    ];
    let found = embedder.embed(&texts).unwrap();
    assert_eq!(found, texts.map(vector_of));
    let asked = server.asked();
    let portions: Vec<Vec<String>> = asked.iter().map(crate::server::Asked::texts).collect();
    let expected: [&[&str]; 4] = [&texts[..2], &texts[2..3], &texts[3..4], &texts[4..]];
    assert_eq!(portions, expected);
    assert_eq!(asked[0].body["dimensions"], 4);
    assert!(!asked[0].head.to_lowercase().contains("authorization"));
}

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    let busy = Reply::Status(429, "Retry-After: 7\r\n", String::new());
    let (server, stage) = (
        Server::that_answers([busy, Reply::status(503), Reply::Vectors]),
        Stage::new(),
    );
    let embedder = embedder(&server, &stage);
    assert_eq!(embedder.embed(&["net"]).unwrap(), [vector_of("net")]);
    assert_eq!(stage.pauses_ms(), [7_000, 500]);
    assert_eq!(embedder.health(), Health::Healthy);
}

#[test]
fn a_server_that_wants_to_be_left_alone_for_long_is_left_alone() {
    let busy = Reply::Status(429, "Retry-After: 90\r\n", String::new());
    let (server, stage) = (Server::that_answers([busy, Reply::Vectors]), Stage::new());
    let embedder = embedder(&server, &stage);
    let until = stage.now().checked_add(Duration::from_secs(90)).unwrap();
    for _ in 0..2 {
        // The second time nobody is asked.
        let error = error_of(&embedder);
        let EmbedError::Unavailable {
            until: told,
            because,
            ..
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!(told, Some(until));
        assert!(because.contains("429"), "{because}");
    }
    assert_eq!(embedder.rests_until(), Some(until));
    assert!(!embedder.health().is_available());
    assert_eq!(stage.pauses_ms(), [0; 0]);
    assert_eq!(server.asked().len(), 1);
    stage.pass(Duration::from_secs(90));
    assert_eq!(embedder.rests_until(), None);
    assert_eq!(embedder.embed(&["net"]).unwrap(), [vector_of("net")]);
}

#[test]
fn a_server_that_fails_again_and_again_is_left_alone_and_tried_once_afterwards() {
    let mut replies = vec![Reply::status(500); 5];
    replies.push(Reply::Vectors);
    let (server, stage) = (Server::that_answers(replies), Stage::new());
    let embedder = embedder(&server, &stage);
    let is_unavailable = |error: &EmbedError| matches!(error, EmbedError::Unavailable { .. });
    assert!(is_unavailable(&error_of(&embedder)), "three attempts");
    assert!(matches!(embedder.health(), Health::Degraded { .. }));
    assert!(
        is_unavailable(&error_of(&embedder)),
        "one attempt, and the breaker opens"
    );
    assert_eq!(server.asked().len(), 4);
    let until = embedder.rests_until().unwrap();
    assert!(matches!(embedder.health(), Health::Unavailable { .. }));
    error_of(&embedder);
    assert_eq!(server.asked().len(), 4, "nobody is asked while it rests");
    // One question decides; it fails, and the rest is twice as long.
    stage.pass(until.duration_since(stage.now()).try_into().unwrap());
    error_of(&embedder);
    assert_eq!(server.asked().len(), 5);
    let again = embedder.rests_until().unwrap();
    assert_eq!(again.duration_since(stage.now()).as_secs(), 60);
    // The next one is answered.
    stage.pass(Duration::from_secs(60));
    assert_eq!(embedder.embed(&["net"]).unwrap(), [vector_of("net")]);
    assert_eq!(embedder.health(), Health::Healthy);
}

#[test]
fn somebody_in_a_hurry_asks_once_and_does_not_wait() {
    let (server, stage) = (Server::that_answers([Reply::status(502)]), Stage::new());
    let embedder = embedder(&server, &stage);
    embedder.embed_at_once(&["net"]).unwrap_err();
    assert_eq!(stage.pauses_ms(), [0; 0]);
    assert!(
        matches!(embedder.health(), Health::Degraded { .. }),
        "they share the breaker"
    );
}

#[test]
fn other_dimensions_are_an_error_that_says_what_to_do() {
    let body = r#"{"data": [{"index": 0, "embedding": [1, 2, 3]}]}"#;
    let (server, stage) = (Server::that_answers([Reply::body(body)]), Stage::new());
    let embedder = embedder(&server, &stage);
    let error = error_of(&embedder);
    let EmbedError::OtherDimensions {
        configured: 4,
        found: 3,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert!(
        error.to_string().contains("set its dimensions to 3"),
        "{error}"
    );
    assert!(!error.is_about_the_texts());
    assert!(
        embedder
            .health()
            .because()
            .unwrap()
            .contains("set its dimensions to 3")
    );
    let EmbedError::Unavailable { because, .. } = error_of(&embedder) else {
        panic!("{error}")
    };
    assert!(because.contains("set its dimensions to 3"), "{because}");
}

#[test]
fn answers_that_cannot_be_believed_are_asked_for_again() {
    let garbage = [
        r#"{"data": []}"#,
        r#"{"data": [{"index": 0, "embedding": [1, NaN, 0, 0]}]}"#,
        r#"{"data": [{"index": 0, "embedding": [1e39, 1, 1, 1]}]}"#,
        r#"{"data": [{"index": 3, "embedding": [1, 1, 1, 1]}]}"#,
        "<html>down for the tide</html>",
        "",
    ];
    for body in garbage {
        let replies = [Reply::body(body), Reply::Vectors];
        let (server, stage) = (Server::that_answers(replies), Stage::new());
        let embedder = embedder(&server, &stage);
        assert_eq!(
            embedder.embed(&["net"]).unwrap(),
            [vector_of("net")],
            "{body}"
        );
        assert_eq!(stage.pauses_ms(), [250], "{body}");
    }
}

#[test]
fn an_answer_without_end_is_not_read_to_its_end() {
    let body = " ".repeat(2_000_000);
    let (server, stage) = (Server::that_answers([Reply::body(body)]), Stage::new());
    let embedder = embedder(&server, &stage);
    let EmbedError::Unavailable { because, .. } = embedder.embed_at_once(&["net"]).unwrap_err()
    else {
        panic!("it was read");
    };
    assert!(because.contains("longer than any answer"), "{because}");
}

#[test]
fn a_connection_that_breaks_off_and_a_server_that_is_not_there_are_tried_again() {
    let (server, stage) = (
        Server::that_answers([Reply::Cut, Reply::Vectors]),
        Stage::new(),
    );
    assert_eq!(
        embedder(&server, &stage).embed(&["net"]).unwrap(),
        [vector_of("net")]
    );
    assert_eq!(stage.pauses_ms(), [250]);
    let gone = Server::that_answers([]);
    let settings = settings(&gone);
    drop(gone);
    let stage = Stage::new();
    let embedder = RemoteEmbedder::new(settings, stage.clone()).unwrap();
    let EmbedError::Unavailable { because, .. } = error_of(&embedder) else {
        panic!("it answered")
    };
    assert_eq!(because, "nobody listens at its address");
    assert_eq!(stage.pauses_ms(), [250, 500]);
}

#[test]
fn an_answer_that_does_not_come_in_time_is_no_answer() {
    let (server, stage) = (Server::that_answers([Reply::Silence]), Stage::new());
    let settings = RemoteSettings {
        timeout: Duration::from_millis(5),
        attempts: 1,
        ..settings(&server)
    };
    let embedder = RemoteEmbedder::new(settings, stage).unwrap();
    let EmbedError::Unavailable { because, .. } = error_of(&embedder) else {
        panic!("it answered")
    };
    assert_eq!(because, "there was no answer in time");
}

#[test]
fn somebody_in_a_hurry_waits_less_long_for_an_answer() {
    let (server, stage) = (Server::that_answers([Reply::Silence]), Stage::new());
    let settings = RemoteSettings {
        timeout_at_once: Duration::from_millis(5),
        ..settings(&server)
    };
    let embedder = RemoteEmbedder::new(settings, stage.clone()).unwrap();
    let EmbedError::Unavailable { because, .. } = embedder.embed_at_once(&["net"]).unwrap_err()
    else {
        panic!("it answered")
    };
    assert_eq!(because, "there was no answer in time");
    assert_eq!(stage.pauses_ms(), [0; 0]);
}

#[test]
fn texts_that_are_refused_are_no_fault_of_the_server() {
    let (server, stage) = (
        Server::that_answers([Reply::status(413), Reply::Vectors]),
        Stage::new(),
    );
    let embedder = embedder(&server, &stage);
    let error = error_of(&embedder);
    assert!(error.is_about_the_texts(), "{error}");
    assert_eq!(stage.pauses_ms(), [0; 0], "it would be refused again");
    assert_eq!(embedder.health(), Health::Healthy);
    assert_eq!(embedder.embed(&["net"]).unwrap(), [vector_of("net")]);
}

#[test]
fn what_only_the_configuration_can_mend_is_not_asked_again_at_once() {
    let table = [
        (
            Reply::Status(401, "", format!("no such key: {KEY}")),
            "credential",
        ),
        (Reply::status(404), "no such model"),
        (
            Reply::Status(307, "Location: http://127.0.0.1:9/\r\n", String::new()),
            "moved",
        ),
    ];
    for (reply, word) in table {
        let (server, stage) = (Server::that_answers([reply]), Stage::new());
        let embedder = embedder(&server, &stage);
        let error = error_of(&embedder);
        assert!(matches!(error, EmbedError::Misconfigured { .. }), "{error}");
        assert!(error.to_string().contains(word), "{error}");
        assert_eq!(
            embedder
                .rests_until()
                .map(|until| until.duration_since(stage.now()).as_secs()),
            Some(30)
        );
        assert!(!embedder.health().is_available());
    }
}
