//! Nobody but an operator comes through an operator's door, whatever is asked for behind it.

use serde_json::{Value, json};
use testimony_domain::{Capabilities, Capability, ContainerGrant};
use testimony_transport::routes::{Audience, Door, Handler, Method, all};

use crate::support::{Answer, Harness, Sent};

/// What is there to be asked about, by the name that paths have for it.
type There = [(&'static str, String)];

/// Paths of a route: about something that is there, and about something that is not.
fn paths(pattern: &str, there: &There) -> [String; 2] {
    let nothing = "0".repeat(32);
    let filled = |with: &dyn Fn(&str) -> String| {
        let mut path = pattern.to_owned();
        for (name, id) in there {
            path = path.replace(name, &with(id));
        }
        assert!(
            !path.contains('{'),
            "{pattern}: nothing of its kind is there"
        );
        path
    };
    let missing = |id: &str| match id.split_once('_') {
        Some((kind, _)) => format!("{kind}_{nothing}"),
        None => "nowhere".to_owned(),
    };
    [filled(&str::to_owned), filled(&missing)]
}

/// One of everything that operators' routes are about.
fn everything(harness: &Harness) -> Vec<(&'static str, String)> {
    let key = harness.operator();
    let made = |path: &str, body: Value| {
        let made = harness.post(&key, path, &body).expect(200).body;
        made["id"].as_str().unwrap().to_owned()
    };
    let scoped = json!({ "containers": ["workspace"] });
    let person = json!({ "name": "mara", "password": "four lamps on the pier" });
    vec![
        ("{container_tag}", "workspace".to_owned()),
        ("{key_id}", made("/api/v1/admin/keys", scoped.clone())),
        ("{connector_id}", made("/api/v1/admin/connectors", scoped)),
        ("{person_id}", made("/api/v1/admin/people", person)),
    ]
}

fn ask(harness: &Harness, method: Method, path: &str, key: Option<&str>) -> Answer {
    let sent = Sent::new(method.as_str(), path);
    let sent = key.into_iter().fold(sent, |sent, key| sent.key(key));
    let sent = if method == Method::Get {
        sent
    } else {
        sent.json(&json!({}))
    };
    harness.send(&sent)
}

/// What was answered, but for the name of the request.
fn told(answer: &Answer) -> (u16, String) {
    let mut body = answer.body.clone();
    if let Some(body) = body.as_object_mut() {
        body.remove("request_id");
    }
    (answer.status, body.to_string())
}

#[test]
fn a_key_that_is_no_operators_learns_nothing() {
    let harness = Harness::start();
    let scoped = harness.agent();
    let reviewer = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::Review, Capability::CourtroomRead]);
    });
    let half = harness.key(|order| order.capabilities = Capabilities::of([Capability::Admin]));
    let prefixed = harness.key(|order| {
        order.containers = ContainerGrant::Prefix("work".to_owned());
        order.capabilities = Capabilities::of([Capability::Admin]);
    });
    let there = everything(&harness);
    let mut asked = 0;
    for route in all().filter(|route| matches!(route.handler, Handler::Behind(Door::Operator, _))) {
        assert_eq!(route.audience, Audience::Operator, "{}", route.name);
        let [there, missing] = paths(route.pattern, &there);
        for key in [&scoped, &reviewer, &half, &prefixed] {
            let answers =
                [&there, &missing].map(|path| ask(&harness, route.method, path, Some(key)));
            assert_eq!(
                answers[0].status, 403,
                "{}: {:#}",
                route.name, answers[0].body
            );
            assert_eq!(told(&answers[0]), told(&answers[1]), "{}", route.name);
            asked += 1;
        }
        let answers = [&there, &missing].map(|path| ask(&harness, route.method, path, None));
        assert_eq!(answers[0].status, 401, "{}", route.name);
        assert_eq!(told(&answers[0]), told(&answers[1]), "{}", route.name);
    }
    assert!(asked >= 16 * 4, "{asked}");
}
