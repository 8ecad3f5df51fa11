//! A person signs in with a browser: what it keeps, what it has to show, where it counts, and what ends it.

use serde_json::{Value, json};
use testimony_transport::http::Options;
use testimony_transport::routes::{Audience, Door, Handler, Method, all};

use super::fits;
use super::people::named;
use crate::support::{Answer, Harness, Sent, limits};

const SESSION: &str = "/api/v1/session";
const PASSWORD: &str = "four lamps on the pier";

/// A browser that is signed in.
struct Browser {
    cookie: String,
    page: String,
}

impl Browser {
    fn sent(&self, method: &str, path: &str) -> Sent {
        Sent::new(method, path).header("Cookie", &self.cookie)
    }

    fn with_page(&self, method: &str, path: &str, body: &Value) -> Sent {
        self.sent(method, path)
            .header("X-CSRF-Token", &self.page)
            .json(body)
    }
}

fn try_in(harness: &Harness, name: &str, password: &str) -> Answer {
    let body = json!({ "name": name, "password": password });
    harness.send(&Sent::post(SESSION).json(&body))
}

fn sign_in(harness: &Harness, name: &str, password: &str) -> Browser {
    let answer = try_in(harness, name, password).expect(200);
    fits("sign_in", &answer.body);
    let cookie = answer.header("set-cookie").unwrap();
    let (pair, rest) = cookie.split_once(';').unwrap();
    assert_eq!(rest, " Path=/; HttpOnly; SameSite=Strict; Max-Age=43200");
    Browser {
        cookie: pair.to_owned(),
        page: answer.body["csrf_token"].as_str().unwrap().to_owned(),
    }
}

#[test]
fn whoever_signs_in_is_known_until_signing_out() {
    let harness = Harness::start();
    named(&harness, "mara", "admin");
    let browser = sign_in(&harness, "mara", PASSWORD);
    let who = harness.send(&browser.sent("GET", SESSION)).expect(200).body;
    fits("get_session", &who);
    assert_eq!(
        (&who["person"]["name"], &who["csrf_token"]),
        (&json!("mara"), &json!(browser.page))
    );
    harness
        .send(&browser.sent("GET", "/api/v1/admin/keys"))
        .expect(200);
    let out = harness
        .send(&browser.with_page("DELETE", SESSION, &json!({})))
        .expect(200);
    fits("sign_out", &out.body);
    let cleared = "testimony_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0";
    assert_eq!(out.header("set-cookie"), Some(cleared));
    let gone = harness.send(&browser.sent("GET", SESSION)).expect(401);
    assert_eq!(gone.code(), "session_ended");
}

#[test]
fn what_changes_anything_needs_the_token_of_a_page() {
    let harness = Harness::start();
    named(&harness, "mara", "admin");
    named(&harness, "olaf", "admin");
    let (browser, other) = (
        sign_in(&harness, "mara", PASSWORD),
        sign_in(&harness, "olaf", PASSWORD),
    );
    let keys = "/api/v1/admin/keys";
    let order = json!({ "containers": ["harbour"] });
    let bare = browser.sent("POST", keys).json(&order);
    let foreign = browser
        .sent("POST", keys)
        .header("X-CSRF-Token", &other.page)
        .json(&order);
    let empty = browser
        .sent("POST", keys)
        .header("X-CSRF-Token", "")
        .json(&order);
    for sent in [bare, foreign, empty, browser.sent("DELETE", SESSION)] {
        assert_eq!(harness.send(&sent).expect(403).code(), "csrf_token_missing");
    }
    let made = harness
        .send(&browser.with_page("POST", keys, &order))
        .expect(200)
        .body;
    // The person is who did it.
    assert!(
        made["record"]["made_by"]
            .as_str()
            .unwrap()
            .starts_with("person_"),
        "{made:#}"
    );
}

#[test]
fn a_cookie_counts_only_where_pages_of_the_service_ask() {
    let harness = Harness::start();
    let agent = harness.agent();
    named(&harness, "mara", "admin");
    let mut browser = sign_in(&harness, "mara", PASSWORD);
    for route in all().filter(|route| matches!(route.handler, Handler::Behind(..))) {
        let path = route.pattern.replace("{container_tag}", "workspace");
        let sent = browser.sent(route.method.as_str(), &path);
        let answer = harness.send(&sent.header("X-CSRF-Token", &browser.page));
        let is_report = matches!(route.handler, Handler::Behind(Door::Object(_), _));
        match route.audience {
            Audience::Public if is_report => assert_eq!(answer.status, 404, "{}", route.name),
            Audience::Public | Audience::Browser => assert_eq!(
                answer.expect(401).code(),
                "credential_missing",
                "{}",
                route.name
            ),
            Audience::Operator => assert_ne!(answer.status, 401, "{}", route.name),
        }
        if route.name == "sign_out" {
            browser = sign_in(&harness, "mara", PASSWORD);
        }
        // A bearer that comes too is what counts, and a cookie lifts none.
        let both = browser.sent(route.method.as_str(), &path).key(&agent);
        if matches!(
            route.handler,
            Handler::Behind(Door::Operator | Door::Person, _)
        ) && route.method == Method::Get
        {
            let status = harness.send(&both).status;
            assert!(matches!(status, 401 | 403), "{}: {status}", route.name);
        }
    }
}

#[test]
fn a_reviewer_is_no_operator() {
    let harness = Harness::start();
    named(&harness, "olaf", "reviewer");
    let browser = sign_in(&harness, "olaf", PASSWORD);
    for path in [
        "/api/v1/admin/keys",
        "/api/v1/admin/people",
        "/api/v1/admin/containers",
    ] {
        let refused = harness.send(&browser.sent("GET", path)).expect(403);
        assert_eq!(refused.code(), "capability_missing");
    }
    harness.send(&browser.sent("GET", SESSION)).expect(200);
}

#[test]
fn a_changed_password_ends_every_session() {
    let harness = Harness::start();
    let path = named(&harness, "mara", "admin");
    let browsers = [(), ()].map(|()| sign_in(&harness, "mara", PASSWORD));
    let new = "a quite different sentence";
    let change = |old: &str, new: &str| {
        let body = json!({ "password": old, "new_password": new });
        harness.send(&browsers[0].with_page("POST", "/api/v1/session/password", &body))
    };
    assert_eq!(
        change("not the one it was", new).expect(401).code(),
        "sign_in_refused"
    );
    assert_eq!(
        change(PASSWORD, "short").expect(422).pointers(),
        ["/new_password"]
    );
    let changed = change(PASSWORD, new).expect(200);
    assert!(changed.header("set-cookie").unwrap().contains("Max-Age=0"));
    for browser in &browsers {
        harness.send(&browser.sent("GET", SESSION)).expect(401);
    }
    harness.pass(300);
    try_in(&harness, "mara", PASSWORD).expect(401);
    let again = sign_in(&harness, "mara", new);
    // Whatever an operator changes about a person ends what the person had open.
    for change in [json!({ "role": "reviewer" }), json!({ "disabled": true })] {
        harness
            .patch(&harness.operator(), &path, &change)
            .expect(200);
        harness.send(&again.sent("GET", SESSION)).expect(401);
    }
}

#[test]
fn a_session_ends_by_itself() {
    let harness = Harness::start();
    named(&harness, "mara", "admin");
    let browser = sign_in(&harness, "mara", PASSWORD);
    harness.pass(12 * 3_600 - 60);
    harness.send(&browser.sent("GET", SESSION)).expect(200);
    harness.pass(60);
    harness.send(&browser.sent("GET", SESSION)).expect(401);
}

#[test]
fn a_name_that_nobody_has_is_answered_like_a_wrong_password_and_both_run_out() {
    let harness = Harness::start();
    named(&harness, "mara", "admin");
    let told = |answer: &Answer| {
        let mut body = answer.body.clone();
        body.as_object_mut().unwrap().remove("request_id");
        (answer.status, body)
    };
    for _ in 0..5 {
        let wrong = try_in(&harness, "mara", "not the password").expect(401);
        assert_eq!(wrong.code(), "sign_in_refused");
        assert_eq!(
            told(&wrong),
            told(&try_in(&harness, "nobody", "not the password"))
        );
    }
    for name in ["mara", "nobody"] {
        let refused = try_in(&harness, name, PASSWORD).expect(429);
        assert_eq!(refused.code(), "too_many_attempts");
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait));
    }
    harness.pass(60);
    try_in(&harness, "mara", PASSWORD).expect(200);
}

#[test]
fn whoever_knows_the_password_signs_in_as_often_as_need_be() {
    let harness = Harness::start();
    named(&harness, "mara", "admin");
    for _ in 0..4 {
        try_in(&harness, "mara", "not the password").expect(401);
    }
    for _ in 0..8 {
        sign_in(&harness, "mara", PASSWORD);
    }
    // What was wrong before still counts: a right password wipes out no wrong one.
    let wrong = [(), ()].map(|()| try_in(&harness, "mara", "not the password").status);
    assert_eq!(wrong, [401, 429]);
    try_in(&harness, "mara", PASSWORD).expect(429);
}

#[test]
fn whoever_signs_in_sends_little_and_is_told_what_is_wrong() {
    let harness = Harness::start();
    let wrong = harness
        .send(&Sent::post(SESSION).json(&json!({ "name": 1 })))
        .expect(422);
    assert_eq!(wrong.pointers(), ["/name", "/password"]);
    let long = json!({ "name": "mara", "password": "x".repeat(20_000) });
    harness.send(&Sent::post(SESSION).json(&long)).expect(413);
    harness
        .send(&Sent::post(SESSION).body("application/x-www-form-urlencoded", b"name=mara"))
        .expect(415);
    let forged = Sent::new("GET", SESSION).header("Cookie", "testimony_session=forged");
    assert_eq!(harness.send(&forged).expect(401).code(), "session_ended");
    assert_eq!(
        harness.send(&Sent::new("GET", SESSION)).expect(401).code(),
        "credential_missing"
    );
}

#[test]
fn behind_https_the_cookie_is_bound_to_host_and_tls() {
    let harness = Harness::of(Options {
        limits: limits(),
        public_url: Some("https://memory.example.com/".to_owned()),
        ..Options::default()
    });
    named(&harness, "mara", "admin");
    let answer = try_in(&harness, "mara", PASSWORD).expect(200);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Host-testimony_session="), "{cookie}");
    assert!(cookie.ends_with("; Secure"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    harness
        .send(&Sent::new("GET", SESSION).header("Cookie", pair))
        .expect(200);
    let plain = pair.trim_start_matches("__Host-");
    harness
        .send(&Sent::new("GET", SESSION).header("Cookie", plain))
        .expect(401);
}

#[test]
fn whoever_signs_in_reads_case_reports() {
    let harness = Harness::start();
    let agent = harness.agent();
    let row = harness
        .retain(&agent, &crate::support::fact())
        .expect(200)
        .body["memories"][0]
        .clone();
    let path = format!("/v1/memories/{}/courtroom", row["id"].as_str().unwrap());
    for role in ["admin", "reviewer"] {
        named(&harness, role, role);
        let browser = sign_in(&harness, role, PASSWORD);
        let report = harness.send(&browser.sent("GET", &path)).expect(200);
        assert_eq!(report.body["memory_id"], row["id"], "{role}");
    }
}

#[test]
fn behind_a_proxy_the_address_that_it_saw_counts_and_the_cookie_needs_https() {
    let harness = Harness::of(Options {
        limits: limits(),
        behind_proxy: true,
        ..Options::default()
    });
    named(&harness, "mara", "admin");
    let from = |addresses: &str, password: &str| {
        let body = json!({ "name": "mara", "password": password });
        let sent = Sent::post(SESSION).json(&body);
        harness.send(&sent.header("X-Forwarded-For", addresses))
    };
    // The caller writes what it likes, and the proxy writes the last.
    for number in 0..8 {
        from(
            &format!("198.51.100.{number}, 192.0.2.1"),
            "not the password",
        );
    }
    from("198.51.100.9, 192.0.2.1", PASSWORD).expect(429);
    let answer = from("192.0.2.2", PASSWORD).expect(200);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.starts_with("__Host-") && cookie.contains("; Secure"),
        "{cookie}"
    );
}
