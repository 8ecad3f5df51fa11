//! What the tests of reviewers and operators have in common: their keys, and who is refused where.

use serde_json::{Value, json};
use testimony_domain::{AgentScope, Capabilities, Capability, ContainerGrant, SourceClass};
use testimony_transport::routes::{Door, Handler, Method, Route, all};
use testimony_transport::wire::shape::differences;

use crate::support::{Answer, Harness, Sent};

pub(crate) const WORKSPACE: &str = "/api/v1/containers/workspace";

impl Harness {
    /// A key that reviews in some containers, whoever's rows those are.
    pub(crate) fn reviewer(&self, containers: &[&str]) -> String {
        self.key(|order| {
            order.containers = ContainerGrant::parse("containers", containers).unwrap();
            order.capabilities = Capabilities::of([Capability::Review]);
            order.agent = None;
            order.agent_scope = AgentScope::Container;
        })
    }

    /// An agent whose word is weaker than its user's.
    pub(crate) fn observer(&self) -> String {
        self.key(|order| order.class = SourceClass::AgentObservation)
    }

    /// Asks a route by name, and holds its answer of success against what the route says it gives.
    pub(crate) fn ask(&self, key: &str, name: &str, path: &str, body: &Value) -> Answer {
        let route = all().find(|route| route.name == name).unwrap();
        let sent = Sent::new(route.method.as_str(), path).key(key);
        let sent = if route.method == Method::Get {
            sent
        } else {
            sent.json(body)
        };
        let answer = self.send(&sent);
        if answer.status == 200 {
            let said = differences(&route.answer, &answer.body);
            assert_eq!(said, Vec::<String>::new(), "{name}: {:#}", answer.body);
        }
        answer
    }
}

/// Every route of reviewers and operators refuses who may not ask, before it looks at anything.
#[test]
fn no_route_of_governance_answers_an_agent_or_a_foreign_reviewer() {
    let harness = Harness::start();
    let known = harness.retain(&harness.agent(), &crate::support::fact());
    let known = known.expect(200).body;
    let foreign = harness.reviewer(&["elsewhere"]);
    let governed = |route: &&Route| {
        matches!(
            route.handler,
            Handler::Behind(Door::Operator | Door::Container(Capability::Review), _)
        )
    };
    let mut asked = 0;
    for route in all().filter(governed) {
        let id = known["memories"][0]["id"].as_str().unwrap();
        let path = route
            .pattern
            .replace("{container_tag}", "workspace")
            .replace("{memory_id}", id)
            .replace("{case_id}", "case_00000000000070008000000000000000")
            .replace("{job_id}", "job_00000000000070008000000000000000")
            .replace(['{', '}'], "");
        for key in [&harness.agent(), &foreign] {
            let sent = Sent::new(route.method.as_str(), &path).key(key);
            let answer = harness.send(&sent.json(&json!({})));
            assert_eq!(answer.status, 403, "{}: {:#}", route.name, answer.body);
            assert!(
                !answer.body.to_string().contains("port 6543"),
                "{}",
                route.name
            );
        }
        asked += 1;
    }
    assert!(asked > 25, "{asked}");
}
