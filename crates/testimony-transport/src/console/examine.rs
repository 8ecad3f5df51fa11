//! A key put to the test: what a client would meet with it, check by check, by the same code that a client meets.

use serde_json::{Value, json};
use testimony_domain::{Capability, Claim, ContainerGrant, ContainerTag, Principal};
use testimony_service::Service;
use testimony_service::read::RecallRequest;

/// So many containers are entered.
const ENTERED: usize = 5;
/// What is asked: whether something is known about it does not matter.
const QUESTION: &str = "Is anybody there?";

fn check(name: &str, passed: bool, detail: impl Into<String>) -> Value {
    json!({ "name": name, "passed": passed, "detail": detail.into() })
}

/// Every check, up to the first that has to hold for the others.
pub(super) fn key(service: &Service, words: &str) -> Value {
    let mut checks = Vec::new();
    match service.authenticate(Some(words)) {
        Err(why) => checks.push(check("Known and active", false, why.to_string())),
        Ok(principal) => {
            let ends = principal.expires_at;
            let ends = ends.map_or_else(
                || "it does not expire".to_owned(),
                |at| format!("it ends at {at}"),
            );
            checks.push(check("Known and active", true, ends));
            checks.extend(of_principal(service, &principal));
        }
    }
    json!({ "checks": checks })
}

fn of_principal(service: &Service, principal: &Principal) -> Vec<Value> {
    let may: Vec<&str> = principal
        .capabilities
        .iter()
        .map(Capability::as_str)
        .collect();
    let identity = principal.agent.as_ref().map_or_else(
        || "bound to no agent".to_owned(),
        |agent| format!("acts as {agent}"),
    );
    let mut checks = vec![
        check(
            "Identity",
            true,
            format!("{identity}; its word is {}", principal.class),
        ),
        check("Capabilities", !may.is_empty(), may.join(", ")),
    ];
    match &principal.containers {
        ContainerGrant::Listed(tags) => {
            for tag in tags.iter().take(ENTERED) {
                checks.extend(in_container(service, principal, tag));
            }
        }
        ContainerGrant::Prefix(prefix) => {
            checks.push(check(
                "Container",
                true,
                format!("every container that begins with {prefix}"),
            ));
        }
        ContainerGrant::All => checks.push(check("Container", true, "every container")),
    }
    checks
}

/// Whether the key comes into a container, and one call there. The call is a look, so nothing counts as handed out.
fn in_container(service: &Service, principal: &Principal, tag: &ContainerTag) -> Vec<Value> {
    let first = principal.capabilities.iter().next();
    let needed = first.unwrap_or(Capability::Recall);
    let entered = match service.enter(principal, tag, needed, &Claim::default()) {
        Ok(_) => check("Container", true, format!("{tag} is there and it comes in")),
        Err(why) => return vec![check("Container", false, why.to_string())],
    };
    if !principal.capabilities.allow(Capability::Recall) {
        let detail = "it may not recall, so nothing was asked";
        return vec![entered, check("One call", true, detail)];
    }
    let request = RecallRequest::of(QUESTION);
    let asked = service.weigh(principal, tag, &request, |_, rows| rows.len());
    let called = match asked {
        Ok(rows) => check(
            "One call",
            true,
            format!("a recall was answered from {rows} candidates"),
        ),
        Err(why) => check("One call", false, why.to_string()),
    };
    vec![entered, called]
}
