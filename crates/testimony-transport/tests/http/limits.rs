//! Everything that is sent has an end.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::json;
use testimony_service::ports::ledger::LedgerError;
use testimony_transport::http::Limits;

use crate::support::{Answer, Excuse, Harness, QUESTION, Sent, fact, limits};

const RETAIN: &str = "/api/v2/containers/workspace/retain";

fn chunked(key: &str, chunks: usize) -> Vec<u8> {
    let head = Sent::post(RETAIN)
        .key(key)
        .header("Content-Type", "application/json")
        .header("Transfer-Encoding", "chunked");
    let mut bytes = head.bytes();
    let piece = vec![b' '; 64 << 10];
    for _ in 0..chunks {
        bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        bytes.extend_from_slice(&piece);
        bytes.extend_from_slice(b"\r\n");
    }
    let fact = fact().to_string();
    bytes.extend_from_slice(format!("{:x}\r\n{fact}\r\n0\r\n\r\n", fact.len()).as_bytes());
    bytes
}

#[test]
fn a_body_that_is_too_large_is_refused_by_what_it_says_and_by_what_it_is() {
    let harness = Harness::start();
    let key = harness.agent();
    // Nothing of the body comes: its length alone is enough.
    let announced = Sent::post(RETAIN)
        .key(&key)
        .header("Content-Type", "application/json")
        .header("Content-Length", "1048577");
    let answer = harness.send(&announced).expect(413);
    assert_eq!(answer.code(), "body_too_large");
    Answer::read(&harness.raw(&chunked(&key, 15))).expect(200);
    Answer::read(&harness.raw(&chunked(&key, 16))).expect(413);
}

#[test]
fn a_body_that_is_refused_is_still_let_in_so_that_the_answer_is_read() {
    let harness = Harness::start();
    let body = vec![b'x'; 3 << 20];
    let sent = Sent::post(RETAIN).body("application/json", &body);
    let answer = harness.send(&sent).expect(401);
    assert_eq!(answer.code(), "credential_missing");
}

#[test]
fn all_bodies_together_have_so_much_room() {
    let harness = Harness::with(Limits {
        bodies_bytes: 64 << 10,
        ..limits()
    });
    let key = harness.agent();
    for _ in 0..3 {
        let large = harness.raw(&chunked(&key, 2));
        let refused = Answer::read(&large).expect(429);
        assert_eq!(refused.code(), "overloaded");
        // What was taken for it is given back.
        harness.retain(&key, &fact()).expect(200);
    }
}

#[test]
fn whoever_takes_nothing_of_its_answers_is_cut() {
    let harness = Harness::with(Limits {
        write_time: Duration::from_millis(20),
        ..limits()
    });
    let mut stream = harness.connect();
    let asked = Sent::new("GET", "/healthz").header("Connection", "keep-alive");
    let many = asked.bytes().repeat(500);
    // The answers fill every buffer on their way, and then nothing more is taken either.
    let cut = (0..2_000).any(|_| stream.write_all(&many).is_err());
    assert!(cut);
}

#[test]
fn json_nests_no_deeper_than_is_read() {
    let harness = Harness::start();
    let key = harness.agent();
    let nested = |levels: usize| {
        let metadata = format!(
            "{}{}",
            "{\"a\":".repeat(levels),
            "1".to_owned() + &"}".repeat(levels)
        );
        let body =
            format!("{{\"content\":\"Harborlight is hosted in Bergen.\",\"metadata\":{metadata}}}");
        harness.send(
            &Sent::post(RETAIN)
                .key(&key)
                .body("application/json", body.as_bytes()),
        )
    };
    nested(31).expect(200);
    let refused = nested(32).expect(422);
    assert_eq!(refused.code(), "invalid_json");
    nested(100_000).expect(422);
}

#[test]
fn encoded_bodies_are_not_read() {
    let harness = Harness::start();
    let key = harness.agent();
    let sent = Sent::post(RETAIN).key(&key).json(&fact());
    harness
        .send(&sent.header("Content-Encoding", "gzip"))
        .expect(415);
}

#[test]
fn a_body_that_does_not_come_in_time_is_given_up() {
    let harness = Harness::with(Limits {
        body_time: Duration::from_millis(20),
        ..limits()
    });
    let key = harness.agent();
    let sent = Sent::post(RETAIN)
        .key(&key)
        .header("Content-Type", "application/json")
        .header("Content-Length", "10");
    assert_eq!(harness.send(&sent).expect(408).code(), "request_timeout");
}

#[test]
fn whoever_says_nothing_or_half_a_head_is_cut() {
    let harness = Harness::with(Limits {
        header_time: Duration::from_millis(20),
        ..limits()
    });
    for said in ["", "PRI * HT", "POST /api HTTP/1.1\r\nHost: loc"] {
        let mut stream = harness.connect();
        stream.write_all(said.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // Whether it ends or is reset, it does not go on.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(!answer.contains("200"), "{answer}");
    }
    // Between two requests no connection is held for ever either.
    let mut stream = harness.connect();
    let kept = Sent::new("GET", "/healthz").header("Connection", "keep-alive");
    stream.write_all(&kept.bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    Answer::read(&answer).expect(200);
}

#[test]
fn heads_have_an_end() {
    let harness = Harness::start();
    let many = (0..100).fold(Sent::new("GET", "/healthz"), |sent, number| {
        sent.header(&format!("X-Header-{number}"), "1")
    });
    harness.send(&many).expect(431);
    let long = Sent::new("GET", "/healthz").header("X-Long", &"x".repeat(64 << 10));
    harness.send(&long).expect(431);
}

#[test]
fn more_work_than_is_taken_is_sent_away_for_a_moment() {
    let harness = Harness::with(Limits {
        at_once: 1,
        ..limits()
    });
    let key = harness.agent();
    let gate = harness.clock.gate.lock().unwrap();
    let before = harness.clock.read.load(std::sync::atomic::Ordering::SeqCst);
    let question = json!({ "query": QUESTION });
    std::thread::scope(|scope| {
        let first = scope.spawn(|| harness.recall(&key, &question));
        while harness.clock.read.load(std::sync::atomic::Ordering::SeqCst) == before {
            std::thread::yield_now();
        }
        let second = harness.recall(&key, &question).expect(429);
        assert_eq!(second.code(), "overloaded");
        assert_eq!(second.header("retry-after"), Some("1"));
        harness.send(&Sent::new("GET", "/readyz")).expect(429);
        drop(gate);
        first.join().unwrap().expect(200);
    });
}

#[test]
fn a_ledger_that_cannot_write_says_so_and_reads_go_on() {
    let harness = Harness::start();
    let key = harness.agent();
    let excuses: [(Excuse, u16, &str, Option<&str>); 4] = [
        (|| LedgerError::Full, 507, "storage_full", None),
        (
            || LedgerError::Overloaded { waiting: 9 },
            429,
            "overloaded",
            Some("1"),
        ),
        (|| LedgerError::Stopped, 500, "ledger_failed", None),
        (
            || LedgerError::Damaged {
                place: "the inner place".to_owned(),
                what: "broken".to_owned(),
            },
            500,
            "ledger_failed",
            None,
        ),
    ];
    for (excuse, status, code, retry) in excuses {
        *harness.excuse.lock().unwrap() = Some(excuse);
        let answer = harness.retain(&key, &fact()).expect(status);
        assert_eq!((answer.code(), answer.header("retry-after")), (code, retry));
        assert!(
            !answer.body.to_string().contains("inner"),
            "{:#}",
            answer.body
        );
        let unready = harness.send(&Sent::new("GET", "/readyz")).expect(503);
        assert_eq!(unready.code(), "not_ready");
        harness.send(&Sent::new("GET", "/healthz")).expect(200);
        harness
            .recall(&key, &json!({ "query": QUESTION }))
            .expect(200);
    }
    *harness.excuse.lock().unwrap() = None;
    harness.retain(&key, &fact()).expect(200);
}

#[test]
fn whoever_waits_to_go_on_is_told_at_once_where_that_is_in_vain() {
    let harness = Harness::start();
    let key = harness.agent();
    let waiting = Sent::post(RETAIN)
        .header("Content-Type", "application/json")
        .header("Content-Length", "100")
        .header("Expect", "100-continue");
    let told = harness.raw(&waiting.bytes());
    assert!(
        told.starts_with(b"HTTP/1.1 401"),
        "{}",
        String::from_utf8_lossy(&told)
    );
    let mut stream = harness.connect();
    let body = fact().to_string();
    let sent = waiting
        .key(&key)
        .header("Content-Length", &body.len().to_string());
    stream.write_all(&sent.bytes()).unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    Answer::read(&answer).expect(200);
}

#[test]
fn work_that_takes_too_long_is_answered_all_the_same() {
    let harness = Harness::with(Limits {
        request_time: Duration::from_millis(20),
        ..limits()
    });
    let key = harness.agent();
    let gate = harness.clock.gate.lock().unwrap();
    let answer = harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(429);
    assert_eq!(answer.code(), "overloaded");
    drop(gate);
}

#[test]
fn connections_beyond_the_limit_wait_for_room() {
    let harness = Harness::with(Limits {
        connections: 1,
        ..limits()
    });
    let idle = harness.connect();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| harness.send(&Sent::new("GET", "/healthz")));
        drop(idle);
        waiting.join().unwrap().expect(200);
    });
}

#[test]
fn metadata_is_no_place_to_keep_much_in() {
    let harness = Harness::start();
    let key = harness.agent();
    let with = |metadata: serde_json::Value| json!({ "content": "The crane is blue.", "metadata": metadata });
    let wide: serde_json::Map<String, serde_json::Value> = (0..600)
        .map(|number| (format!("n{number}"), json!("v")))
        .collect();
    let deep = json!({ "n".repeat(9_000): { "a": 1, "b": 2 } });
    for (metadata, status) in [
        (json!({ "note": "x".repeat(16_000) }), 200),
        (deep, 200),
        (json!({ "note": "x".repeat(16_400) }), 422),
        (serde_json::Value::Object(wide), 422),
    ] {
        let answer = harness.retain(&key, &with(metadata)).expect(status);
        if status == 422 {
            assert_eq!(answer.pointers(), ["/metadata"]);
        }
    }
}
