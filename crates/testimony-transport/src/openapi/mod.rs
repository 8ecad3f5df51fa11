//! The description of the interface, written from the same tables by which requests are read and answers are tested.
//!
//! [`document`] gives it as `OpenAPI` 3.1, [`page`] as a page for people. Nothing of it is written twice: a route that is
//! added to the table is described.

mod examples;
mod operation;
mod page;
mod schema;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

pub use examples::Example;
pub use page::{STYLE, page};

use crate::routes::{Audience, Route, all};
use operation::{operation, tag};
use schema::Named;
pub(crate) use schema::spelled;

/// What is told of the whole, before its parts.
pub(crate) const ABOUT: &str = "A memory for AI agents in which nothing counts as known until it has been examined. Evidence is kept as it was said, secrets are taken out before anything is written, and every claim comes back with how far it may be relied on and why. Where nothing qualifies, the answer is that there is none.";
/// What holds of all routes.
pub(crate) const CONVENTIONS: &[&str] = &[
    "Bodies and answers are JSON. Fields that a route does not know are ignored, and named in `warnings`; `null` is the same as leaving a field out.",
    "The identity of a caller comes from its key. What a body claims can narrow it and never widen it; what is dropped is said in `diagnostics`.",
    "A request keeps the id in its `X-Request-Id`, or gets one; answers and logs carry it.",
    "Errors are problem documents (RFC 9457) with a `code` that does not change, and a JSON pointer for each value that is wrong.",
    "`200` can be poorer than it should be: what could not be asked is said in `diagnostics`, never hidden.",
    "Times are in UTC in the form of RFC 3339.",
];

/// The routes that are described to somebody.
pub(crate) fn described(audience: Audience) -> impl Iterator<Item = &'static Route> {
    all().filter(move |route| route.audience == audience)
}

/// The description, as `OpenAPI` 3.1.
#[must_use]
pub fn document(audience: Audience) -> Value {
    let mut named = Named::default();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in described(audience) {
        let method = route.method.as_str().to_ascii_lowercase();
        let operation = operation(route, &mut named);
        paths
            .entry(route.pattern)
            .or_default()
            .insert(method, operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": title(audience),
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("{ABOUT}\n\n{}", CONVENTIONS.join("\n\n")),
            "license": { "name": "Apache 2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "The service that gave this description." }],
        "tags": tags(audience),
        "paths": paths,
        "components": {
            "schemas": named.into_schemas(),
            "headers": headers(),
            "securitySchemes": schemes(),
        },
    })
}

/// How a caller can say who it is.
fn schemes() -> Value {
    json!({
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A key, as it was shown when it was made.",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "testimony_session",
            "description": "The session of a person who signed in; behind https its name begins with `__Host-`. What changes anything needs the `csrf_token` of the session as `X-CSRF-Token`.",
        },
    })
}

pub(crate) const fn title(audience: Audience) -> &'static str {
    match audience {
        Audience::Public | Audience::Browser => "Testimony",
        Audience::Operator => "Testimony for operators",
    }
}

/// The headings of the routes, in the order in which they come.
pub(crate) fn headings(audience: Audience) -> Vec<&'static str> {
    let mut found = Vec::new();
    for route in described(audience) {
        let tag = tag(route);
        if !found.contains(&tag) {
            found.push(tag);
        }
    }
    found
}

fn tags(audience: Audience) -> Vec<Value> {
    let all = headings(audience);
    all.iter().map(|tag| json!({ "name": tag })).collect()
}

fn headers() -> Value {
    json!({
        "RequestId": { "description": "The id of the request.", "schema": { "type": "string" } },
        "RetryAfter": { "description": "After so many seconds it makes sense to try again.", "schema": { "type": "integer" } },
        "WwwAuthenticate": { "description": "How to show who asks.", "schema": { "type": "string", "pattern": "^Bearer" } },
    })
}

/// The description as it is written down and served.
#[must_use]
pub fn written(audience: Audience) -> String {
    let mut text = serde_json::to_string_pretty(&document(audience)).unwrap_or_default();
    text.push('\n');
    text
}

/// What is served again and again, written once.
pub(crate) fn once(
    held: &'static OnceLock<String>,
    write: impl FnOnce() -> String,
) -> &'static str {
    held.get_or_init(write)
}
