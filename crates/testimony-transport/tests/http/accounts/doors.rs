//! Nobody but an operator comes through an operator's door, whatever is asked for behind it.

use serde_json::json;
use testimony_domain::{Capabilities, Capability, ContainerGrant};
use testimony_transport::routes::{Audience, Door, Handler, Method, all};

use crate::support::{Answer, Harness, Sent};

/// Paths of a route: about something that is there, and about something that is not.
fn paths(pattern: &str, container: &str, key: &str) -> [String; 2] {
    let missing = "key_00000000000000000000000000000000";
    [(container, key), ("nowhere", missing)].map(|(container, key)| {
        pattern
            .replace("{container_tag}", container)
            .replace("{key_id}", key)
    })
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
    let victim = harness
        .service
        .keys(testimony_service::ports::ledger::Page::first(1))
        .unwrap();
    let victim = victim[0].principal.key.to_string();
    let mut asked = 0;
    for route in all().filter(|route| matches!(route.handler, Handler::Behind(Door::Operator, _))) {
        assert_eq!(route.audience, Audience::Operator, "{}", route.name);
        let [there, missing] = paths(route.pattern, "workspace", &victim);
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
    assert!(asked >= 9 * 4, "{asked}");
}
