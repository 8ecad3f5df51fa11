//! Nobody but an operator comes through an operator's door, whatever is asked for behind it.

use serde_json::{Value, json};
use testimony_domain::{Capabilities, Capability, ContainerGrant};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::audit::Actor;
use testimony_transport::routes::{Audience, Door, Handler, Method, all};

use crate::support::{Answer, Harness, Sent, fact, user};

/// What is there to be asked about, by the name that paths have for it.
type There = [(&'static str, String)];

/// Paths of a route: about something that is there, and about something that is not.
fn paths(pattern: &str, there: &There) -> [String; 2] {
    let filled = |with: &dyn Fn(&str) -> String| {
        let parts = pattern.split('/').map(|part| {
            let known = there.iter().find(|(name, _)| *name == part);
            match known {
                Some((_, id)) => with(id),
                None if part.starts_with('{') => nothing("mem"),
                None => part.to_owned(),
            }
        });
        parts.collect::<Vec<_>>().join("/")
    };
    let missing = |id: &str| match id.split_once('_') {
        Some((kind, _)) => nothing(kind),
        None => "nowhere".to_owned(),
    };
    [filled(&str::to_owned), filled(&missing)]
}

/// An id that nothing has.
fn nothing(kind: &str) -> String {
    format!("{kind}_{}", "0".repeat(32))
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
    let sent = key.into_iter().fold(sent, Sent::key);
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

/// A key of a client that came by a connector token.
fn connector(harness: &Harness) -> String {
    let order = json!({ "containers": ["workspace"] });
    let made = harness
        .post(&harness.operator(), "/api/v1/admin/connectors", &order)
        .expect(200)
        .body;
    let exchange = Sent::post(made["path"].as_str().unwrap()).json(&json!({ "client": "cursor" }));
    let got = harness.send(&exchange).expect(200).body;
    got["key"].as_str().unwrap().to_owned()
}

/// A key of every kind, none of which reaches the container in which something is there.
fn keys_of_every_kind(harness: &Harness) -> Vec<String> {
    use Capability::{Admin, CourtroomRead, Recall, Review};
    let of = |may: &[Capability]| {
        let may = Capabilities::of(may.iter().copied());
        harness.key(|order| order.capabilities = may)
    };
    let prefixed =
        harness.key(|order| order.containers = ContainerGrant::Prefix("work".to_owned()));
    let bound = harness.key(|order| order.labels.user = Some(user("olaf")));
    let ended =
        harness.key(|order| order.expires_at = Some(testimony_domain::Timestamp::UNIX_EPOCH));
    let revoked = harness.agent();
    let last = harness
        .service
        .keys(Page::first(500))
        .unwrap()
        .pop()
        .unwrap();
    harness
        .service
        .revoke_key(Actor::Service, last.principal.key)
        .unwrap();
    vec![
        harness.agent(),
        of(&[Recall]),
        of(&[CourtroomRead]),
        of(&[Review]),
        of(&[Admin]),
        of(&[]),
        connector(harness),
        prefixed,
        bound,
        ended,
        revoked,
        "tst_agent_nothing".to_owned(),
    ]
}

#[test]
fn on_every_route_what_is_foreign_is_answered_like_what_is_missing() {
    let harness = Harness::start();
    let owner = harness.key(|order| {
        order.containers = ContainerGrant::parse("containers", &["elsewhere"]).unwrap();
        order.labels.user = Some(user("mara"));
    });
    let kept = harness
        .post(&owner, "/api/v2/containers/elsewhere/retain", &fact())
        .expect(200)
        .body;
    let memory = kept["memories"][0]["id"].as_str().unwrap().to_owned();
    let mut there = everything(&harness);
    there.retain(|(name, _)| *name != "{container_tag}");
    there.push(("{container_tag}", "elsewhere".to_owned()));
    there.push(("{memory_id}", memory.clone()));
    let keys = keys_of_every_kind(&harness);
    let mut asked = 0;
    for route in all().filter(|route| matches!(route.handler, Handler::Behind(..))) {
        let [foreign, missing] = paths(route.pattern, &there);
        for key in &keys {
            let answers =
                [&foreign, &missing].map(|path| ask(&harness, route.method, path, Some(key)));
            assert_eq!(
                told(&answers[0]),
                told(&answers[1]),
                "{} by {key}",
                route.name
            );
            let mut said = answers[0].body.clone();
            // A random name could happen to hold what is looked for.
            said["request_id"] = json!(null);
            let said = said.to_string();
            assert!(
                !said.contains("port 6543") && !said.contains(&memory),
                "{}: {said}",
                route.name
            );
            asked += 1;
        }
    }
    assert!(asked >= 20 * 12, "{asked}");
}
