//! How everything stands for a caller: key, container, capabilities, the parts of the service, and one real read.

use serde_json::{Map, Value, json};
use testimony_domain::{Capability, ContainerTag, Principal};

use super::{Caller, catalogue};
use crate::local::{self, Ask};
use crate::wire::accounts::keys::reached;

/// What nobody has said, so that nothing is handed out.
const QUESTION: &str = "Is anything read?";

/// Says how everything stands. It is an answer also where not everything is well.
pub(super) fn status(caller: &Caller, container: Option<&ContainerTag>) -> Value {
    let principal = &caller.principal;
    let read = read(caller, container);
    let service = service(caller);
    let is = |part: &Value, word: &str| part.get("status") == Some(&json!(word));
    let well = !is(&read, "failed") && is(&service, "ready");
    let names = |all: Vec<&str>| json!(all);
    let may = Capability::ALL
        .iter()
        .filter(|it| {
            **it != Capability::Admin || principal.capabilities.iter().any(|own| own == **it)
        })
        .filter(|it| principal.capabilities.allow(**it));
    json!({
        "status": if well { "ok" } else { "degraded" },
        "key": key(principal),
        "containers": reached(&principal.containers),
        "container_tag": container.map(ContainerTag::as_str),
        "capabilities": names(may.map(|it| it.as_str()).collect()),
        "tools": names(catalogue::of(principal).map(|tool| tool.name).collect()),
        "service": service,
        "read": read,
    })
}

fn key(principal: &Principal) -> Value {
    json!({
        "id": principal.key.to_string(),
        "kind": principal.kind.as_str(),
        "agent_id": principal.agent.as_ref().map(ToString::to_string),
        "source_app": principal.source_app.as_ref().map(ToString::to_string),
        "agent_scope": principal.agent_scope.as_str(),
        "source_class": principal.class.as_str(),
        "expires_at": principal.expires_at.map(|at| at.to_string()),
    })
}

/// What anybody may know of the service.
fn service(caller: &Caller) -> Value {
    let (service, running) = (&caller.desk.service, &caller.desk.running);
    match crate::routes::ready(service, running) {
        Ok(reply) => reply.into_json(),
        Err(problem) => json!({ "status": "unavailable", "detail": problem.detail }),
    }
}

/// Reads once, by the first route that the caller may ask.
fn read(caller: &Caller, container: Option<&ContainerTag>) -> Value {
    let ways = [
        (Capability::Recall, "recall", "query"),
        (Capability::AgentContext, "agent/context", "user_message"),
    ];
    let mine =
        |(needed, ..): &&(Capability, &str, &str)| caller.principal.capabilities.allow(*needed);
    let Some((_, route, field)) = ways.iter().find(mine) else {
        let detail = "This key lacks every capability to read; nothing was tried.";
        return json!({ "status": "not_allowed", "detail": detail });
    };
    let Some(container) = container else {
        let detail =
            "This key reaches several containers; name one as `container_tag` to have it read.";
        return json!({ "status": "no_container", "detail": detail });
    };
    let mut input = Map::new();
    input.insert((*field).to_owned(), json!(QUESTION));
    input.insert("limit".to_owned(), json!(1));
    // Nothing is above this floor.
    input.insert("threshold".to_owned(), json!(1.0));
    let ask = Ask {
        method: "POST",
        path: &format!("/api/v2/containers/{container}/{route}"),
        input,
        idempotency_key: None,
    };
    let (service, running) = (&caller.desk.service, &caller.desk.running);
    match local::ask(service, Some(running), (*caller.principal).clone(), &ask) {
        Ok(_) => json!({ "status": "ok", "operation": route }),
        Err(problem) => json!({
            "status": "failed",
            "operation": route,
            "code": problem.code.as_str(),
            "detail": problem.detail,
        }),
    }
}
