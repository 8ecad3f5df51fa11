//! A key with a limit is told how it stands, and is refused beyond it; nobody else notices.

use serde_json::json;

use crate::support::{Answer, Harness, Sent, fact};

fn asks(harness: &Harness, key: &str) -> Answer {
    harness.recall(key, &json!({ "query": "On which port does it run?" }))
}

fn standing(answer: &Answer) -> [u64; 3] {
    let number = |name: &str| answer.header(name).and_then(|value| value.parse().ok());
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map(|name| number(name).unwrap())
}

#[test]
fn beyond_its_limit_a_key_waits_and_is_told_how_long() {
    let harness = Harness::start();
    let key = harness.key(|order| order.allowance.requests_per_minute = Some(3));
    for left in [2, 1, 0] {
        let answer = asks(&harness, &key).expect(200);
        assert_eq!(standing(&answer)[..2], [3, left]);
        assert_eq!(answer.header("ratelimit-policy"), Some("\"key\";q=3;w=60"));
    }
    let refused = asks(&harness, &key).expect(429);
    assert_eq!(refused.code(), "rate_limited");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    assert_eq!(standing(&refused), [3, 0, wait]);
    harness.pass(wait);
    asks(&harness, &key).expect(200);
    harness.pass(60);
    assert_eq!(standing(&asks(&harness, &key).expect(200))[1], 2);
}

#[test]
fn whatever_is_answered_says_how_the_key_stands() {
    let harness = Harness::start();
    let key = harness.key(|order| order.allowance.requests_per_minute = Some(100));
    let broken = Sent::post("/api/v2/containers/workspace/recall")
        .key(&key)
        .body("application/json", b"{");
    let plain = Sent::post("/api/v2/containers/workspace/recall")
        .key(&key)
        .body("text/plain", b"{}");
    let elsewhere = Sent::post("/api/v2/containers/elsewhere/recall")
        .key(&key)
        .json(&json!({}));
    let missing = Sent::new("GET", "/api/v1/memories/mem_1/courtroom").key(&key);
    for (sent, status) in [
        (broken, 422),
        (plain, 415),
        (elsewhere, 403),
        (missing, 404),
    ] {
        let answer = harness.send(&sent).expect(status);
        assert_eq!(standing(&answer)[0], 100);
    }
    let free = harness.agent();
    assert_eq!(
        asks(&harness, &free).expect(200).header("ratelimit-limit"),
        None
    );
}

#[test]
fn what_one_uses_and_what_fails_costs_nobody_else_anything() {
    let harness = Harness::start();
    let limited = |count| harness.key(|order| order.allowance.requests_per_minute = Some(count));
    let (one, other) = (limited(1), limited(2));
    harness.retain(&one, &fact()).expect(200);
    asks(&harness, &one).expect(429);
    let mut wrong = other.clone();
    wrong.replace_range(wrong.len() - 20..wrong.len() - 19, "#");
    for key in ["", "tst_agent_0_0", &wrong] {
        for _ in 0..5 {
            let refused = asks(&harness, key).expect(401);
            assert_eq!(refused.header("ratelimit-limit"), None);
        }
    }
    assert_eq!(standing(&asks(&harness, &other).expect(200))[1], 1);
}

#[test]
fn a_key_hands_in_so_many_items_a_day_and_a_repetition_spends_nothing() {
    let harness = Harness::start();
    let key = harness.key(|order| order.allowance.items_per_day = Some(3));
    let said = |texts: &[&str], request: &str| json!({ "contents": texts, "request_id": request });
    let two = said(
        &[
            "The crane of pier 2 is blue.",
            "The pump of pier 4 is loud.",
        ],
        "first",
    );
    harness.retain(&key, &two).expect(200);
    harness.retain(&key, &two).expect(200);
    let more = said(
        &[
            "The gate of pier 1 is open.",
            "The lamp of pier 3 is green.",
        ],
        "second",
    );
    let refused = harness.retain(&key, &more).expect(429);
    assert_eq!(refused.code(), "quota_spent");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=86_400).contains(&wait), "{wait}");
    let detail = refused.body["detail"].as_str().unwrap();
    assert!(
        detail.contains("3 items a day") && detail.contains("1 of today's"),
        "{detail}"
    );
    // Nothing of what was refused is kept, and what still fits comes in.
    harness
        .retain(&key, &said(&["The gate of pier 1 is open."], "third"))
        .expect(200);
    harness
        .retain(&key, &said(&["Something else is blue."], "fourth"))
        .expect(429);
    harness
        .recall(&key, &json!({ "query": "Which gate is open?" }))
        .expect(200);
}
