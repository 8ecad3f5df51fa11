//! How a client finds out how to be let in: the metadata of RFC 9728, and the words of `WWW-Authenticate` that lead to it.

use serde_json::{Value, json};
use testimony_domain::Capability;

use crate::problem::Code;
use crate::routes::{Outcome, Reply, Stranger};
use crate::wire::shape::{Member, Shape};

/// Where the metadata stands, as the standard has it.
pub(crate) const METADATA: &str = "/.well-known/oauth-protected-resource";
/// The path of the resource itself.
pub(crate) const RESOURCE: &str = "/mcp";

/// What the metadata holds.
#[rustfmt::skip]
pub(crate) const ANSWER: Shape = Shape::Named("ProtectedResource", &Shape::Object(&[
    Member::new("resource", Shape::Text, "What is protected."),
    Member::new("resource_name", Shape::Text, "How it is called."),
    Member::new("resource_documentation", Shape::Text, "Where it is described."),
    Member::new("bearer_methods_supported", Shape::List(&Shape::Word(&["header"])), "How a credential is sent."),
    Member::new("scopes_supported", Shape::List(&Shape::Word(Capability::WORDS)), "What a credential can let its holder do."),
    Member::new("authorization_servers", Shape::List(&Shape::Text), "Whose tokens are believed; without it, only keys of the service are.").at_times(),
]));

/// The metadata of the service as a whole.
pub(crate) fn of_service(stranger: &Stranger<'_>) -> Outcome {
    metadata(stranger, "")
}

/// The metadata of the endpoint for tools.
pub(crate) fn of_endpoint(stranger: &Stranger<'_>) -> Outcome {
    metadata(stranger, RESOURCE)
}

#[expect(clippy::unnecessary_wraps, reason = "every handler can refuse")]
fn metadata(stranger: &Stranger<'_>, path: &str) -> Outcome {
    let address = stranger.address;
    let agents = Capability::ALL
        .iter()
        .filter(|it| **it != Capability::Admin);
    let scopes: Vec<&str> = agents.map(|it| it.as_str()).collect();
    let mut body = json!({
        "resource": format!("{address}{path}"),
        "resource_name": "Testimony",
        "resource_documentation": format!("{address}/docs"),
        "bearer_methods_supported": ["header"],
        "scopes_supported": scopes,
    });
    let issuers = stranger.service.issuers();
    if let (false, Value::Object(members)) = (issuers.is_empty(), &mut body) {
        members.insert("authorization_servers".to_owned(), json!(issuers));
    }
    Ok(Reply::ok(body))
}

/// What somebody who is not let in is told about how to be.
pub(crate) fn challenge(address: &str, code: Code) -> Option<String> {
    let metadata = format!("resource_metadata=\"{address}{METADATA}{RESOURCE}\"");
    match (code.status(), code) {
        (401, Code::CredentialMissing) => Some(format!("Bearer {metadata}")),
        (401, _) => Some(format!("Bearer error=\"invalid_token\", {metadata}")),
        (403, Code::CapabilityMissing) => {
            let scope = Capability::McpTools;
            Some(format!(
                "Bearer error=\"insufficient_scope\", scope=\"{scope}\", {metadata}"
            ))
        }
        _ => None,
    }
}
