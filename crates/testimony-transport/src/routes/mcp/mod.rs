//! The endpoint of MCP, and how a client finds out how to be let in.

use testimony_domain::Capability;

use super::{Door, Handler, Route, get, post};
use crate::mcp::{discovery, message};

/// What is said of a message itself stands beside what is said of who sends it.
const SPOKEN: &[u16] = &[200, 202, 400, 401, 403, 404, 413, 415, 422, 429];
/// Anybody is answered, while there is room.
const OPEN: &[u16] = &[200, 429];

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    post("mcp", discovery::RESOURCE, message::FIELDS, Handler::Spoken(Door::Holder(Capability::McpTools)))
        .answering(SPOKEN).giving(message::ANSWER)
        .saying("Calls tools, in JSON-RPC as MCP has it; there are no sessions."),
    get("protected_resource", discovery::METADATA, &[], Handler::Stranger(discovery::of_service))
        .answering(OPEN).giving(discovery::ANSWER)
        .saying("Says how to be let in, as RFC 9728 has it."),
    get("protected_resource_mcp", "/.well-known/oauth-protected-resource/mcp", &[], Handler::Stranger(discovery::of_endpoint))
        .answering(OPEN).giving(discovery::ANSWER)
        .saying("Says how to be let in to the tools, as RFC 9728 has it."),
];
