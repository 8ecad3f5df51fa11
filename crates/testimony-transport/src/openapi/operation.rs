//! A route as an operation: what it takes, what it needs, and everything that it can answer.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use testimony_domain::Capability;

use super::examples::Example;
use super::schema::{Named, note, of_kind, of_shape, of_table, put};
use crate::mcp::discovery::METADATA;
use crate::problem::{Code, DOCUMENT, ENVELOPE};
use crate::routes::{Door, Handler, Route};
use crate::wire::field::{Field, each, label};

/// The operation of a route.
pub(super) fn operation(route: &Route, named: &mut Named) -> Value {
    let example = Example::of(route.name);
    let mut operation = json!({
        "operationId": route.name,
        "tags": [tag(route)],
        "summary": route.summary,
        "description": needs(route),
        "responses": responses(route, example.as_ref(), named),
        "security": match route.handler {
            Handler::Open(_) | Handler::Stranger(_) => json!([]),
            Handler::Behind(Door::Person, _) => json!([{ "session": [] }]),
            Handler::Behind(door, _) if route.takes_sessions(door) => {
                json!([{ "bearer": [] }, { "session": [] }])
            }
            Handler::Behind(..) | Handler::Relayed(..) | Handler::Spoken(_) => {
                json!([{ "bearer": [] }])
            }
        },
    });
    let parameters = parameters(route, named);
    if !parameters.is_empty() {
        put(&mut operation, "parameters", Value::Array(parameters));
    }
    if route.body.is_some() {
        put(
            &mut operation,
            "requestBody",
            request(route, example.as_ref(), named),
        );
    }
    operation
}

/// Under which heading a route stands: what it is about.
pub(super) fn tag(route: &Route) -> &'static str {
    let parts = || route.pattern.split('/').filter(|part| !part.is_empty());
    match route.handler {
        Handler::Open(_) => "service",
        Handler::Relayed(..) | Handler::Behind(Door::Holder(Capability::GatewayChat), _) => {
            "gateway"
        }
        Handler::Spoken(_) => "mcp",
        Handler::Stranger(_) if is_about_tools(route.pattern) => "mcp",
        Handler::Stranger(_) | Handler::Behind(Door::Person, _) => "session",
        Handler::Behind(Door::Container(_), _) => match parts().nth(4) {
            Some("reviews") => "reviews",
            _ => "memory",
        },
        Handler::Behind(Door::Object(_), _) if route.pattern.ends_with("/courtroom") => "courtroom",
        Handler::Behind(Door::Object(_) | Door::Operator | Door::Holder(_), _) => {
            let about = parts().skip(2).find(|part| *part != "admin");
            about
                .filter(|part| !part.starts_with('{'))
                .unwrap_or("service")
        }
    }
}

fn is_about_tools(pattern: &str) -> bool {
    pattern.starts_with("/mcp/") || pattern.starts_with(METADATA)
}

/// What has to be held to be let in, in a sentence.
pub(super) fn needs(route: &Route) -> String {
    match route.handler {
        Handler::Open(_) => "Open: no credential is needed.".to_owned(),
        Handler::Stranger(_) => "No credential is needed but what the request holds.".to_owned(),
        Handler::Behind(Door::Person, _) => {
            "Needs the session of a person, kept by a browser; what changes anything needs its `csrf_token` as `X-CSRF-Token`.".to_owned()
        }
        Handler::Behind(Door::Container(needed), _) => {
            format!("Needs a key that reaches the container and has the capability `{needed}`.")
        }
        Handler::Behind(Door::Object(needed), _) => {
            format!("Needs a key that sees the object and has the capability `{needed}`.")
        }
        Handler::Behind(Door::Holder(needed), _)
        | Handler::Relayed(Door::Holder(needed), _)
        | Handler::Spoken(Door::Holder(needed)) => {
            format!("Needs a key that has the capability `{needed}`.")
        }
        Handler::Behind(Door::Operator, _) | Handler::Relayed(..) | Handler::Spoken(_) => {
            format!(
                "For operators: needs the capability `{}`.",
                Capability::Admin
            )
        }
    }
}

const IDEMPOTENCY_KEY: Field = Field::new(
    "Idempotency-Key",
    label!(RequestId),
    "The caller's name of this write: the same name with the same body is carried out once, and with another body refused with 409.",
);

/// Whether a route writes, and so can be told a name by which a repetition is known.
pub(super) fn is_named_write(route: &Route) -> bool {
    let of_container = matches!(route.handler, Handler::Behind(Door::Container(_), _));
    of_container && route.body.is_some() && route.statuses.contains(&507)
}

/// The names in the braces of a path.
pub(super) fn names(pattern: &str) -> impl Iterator<Item = &str> {
    let parts = pattern.split('/').filter(|part| part.starts_with('{'));
    parts.map(|part| part.trim_matches(['{', '}']))
}

fn parameters(route: &Route, named: &mut Named) -> Vec<Value> {
    let of_path = names(route.pattern).map(of_path).collect::<Vec<_>>();
    let of_query = each(route.query).map(|field| {
        let mut schema = of_kind(&field.kind, named);
        if let Some(default) = field.default {
            put(&mut schema, "default", default());
        }
        json!({
            "name": field.name,
            "in": "query",
            "required": field.required,
            "description": note(field),
            "schema": schema,
        })
    });
    let mut all: Vec<Value> = of_path
        .into_iter()
        .chain(of_query.collect::<Vec<_>>())
        .collect();
    if is_named_write(route) {
        all.push(json!({
            "name": IDEMPOTENCY_KEY.name,
            "in": "header",
            "required": false,
            "description": IDEMPOTENCY_KEY.note,
            "schema": of_kind(&IDEMPOTENCY_KEY.kind, named),
        }));
    }
    all
}

fn of_path(name: &str) -> Value {
    let (schema, description, example) = match name {
        "container_tag" => (
            json!({ "type": "string", "pattern": "^[a-z0-9._-]{1,128}$" }),
            "The container.".to_owned(),
            json!("workspace"),
        ),
        "memory_id" => (
            json!({ "type": "string", "minLength": 1 }),
            "A memory, or a fact for its current memory.".to_owned(),
            json!("mem_01a1fa6ebc5b79989c7b1bb11a873c9c"),
        ),
        other => (
            json!({ "type": "string", "minLength": 1 }),
            format!("Which {}.", other.trim_end_matches("_id").replace('_', " ")),
            Value::Null,
        ),
    };
    let mut parameter = json!({
        "name": name, "in": "path", "required": true, "description": description, "schema": schema,
    });
    if !example.is_null() {
        put(&mut parameter, "example", example);
    }
    parameter
}

fn request(route: &Route, example: Option<&Example>, named: &mut Named) -> Value {
    let mut schema = of_table(route.body.unwrap_or_default(), named);
    if !route.one_of.is_empty() {
        let one = |name: &&str| json!({ "required": [name], "properties": { *name: { "not": { "type": "null" } } } });
        put(&mut schema, "anyOf", route.one_of.iter().map(one).collect());
    }
    let reference = named.keep(&format!("{}Request", camel(route.name)), schema);
    let mut media = json!({ "schema": reference });
    if let Some(example) = example {
        put(&mut media, "example", example.request.clone());
    }
    json!({ "required": true, "content": { "application/json": media } })
}

fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(capital).collect()
}

fn responses(route: &Route, example: Option<&Example>, named: &mut Named) -> Value {
    let statuses: BTreeSet<u16> = route.all_statuses().collect();
    let all: Map<String, Value> = statuses
        .into_iter()
        .map(|status| {
            let response = match status {
                202 => accepted(),
                200..300 => success(route, example, named),
                _ => failure(route, status, named),
            };
            (status.to_string(), response)
        })
        .collect();
    Value::Object(all)
}

fn success(route: &Route, example: Option<&Example>, named: &mut Named) -> Value {
    let schema = of_shape(&route.answer, named);
    let mut media = json!({ "schema": schema });
    if let Some(example) = example {
        put(&mut media, "example", example.answer.clone());
    }
    let kind = route.media.split(';').next().unwrap_or_default();
    let mut content = Map::new();
    content.insert(kind.to_owned(), media);
    json!({
        "description": "It was done; what could not be, or only poorly, is said in the answer.",
        "headers": { "X-Request-Id": { "$ref": "#/components/headers/RequestId" } },
        "content": content,
    })
}

/// What needs no answer.
fn accepted() -> Value {
    json!({
        "description": "It was taken; a notification has no answer.",
        "headers": { "X-Request-Id": { "$ref": "#/components/headers/RequestId" } },
        "content": {},
    })
}

fn failure(route: &Route, status: u16, named: &mut Named) -> Value {
    let codes = codes(route, status);
    let meaning: Vec<String> = codes
        .iter()
        .map(|code| format!("`{code}`: {}.", code.title()))
        .collect();
    let mut headers = json!({ "X-Request-Id": { "$ref": "#/components/headers/RequestId" } });
    match status {
        401 => put(
            &mut headers,
            "WWW-Authenticate",
            reference("WwwAuthenticate"),
        ),
        429 | 503 => put(&mut headers, "Retry-After", reference("RetryAfter")),
        _ => {}
    }
    let (kind, shape) = if is_of_gateway(route) {
        ("application/json", ENVELOPE)
    } else {
        ("application/problem+json", DOCUMENT)
    };
    let mut content = json!({ kind: { "schema": of_shape(&shape, named) } });
    let is_spoken = matches!(route.handler, Handler::Spoken(_));
    if is_spoken && OF_MESSAGES.contains(&status) {
        let schema = of_shape(&route.answer, named);
        put(&mut content, route.media, json!({ "schema": schema }));
    }
    let meaning = match status {
        404 if is_spoken => "The protocol has no such method.".to_owned(),
        _ => meaning.join(" "),
    };
    json!({ "description": meaning, "headers": headers, "content": content })
}

/// Whether a route is one of the gateway, which speaks as OpenAI does.
fn is_of_gateway(route: &Route) -> bool {
    tag(route) == "gateway"
}

/// Codes that only the gateway answers, and the one that it does not.
const OF_GATEWAY: &[Code] = &[
    Code::UpstreamRefused,
    Code::UpstreamBusy,
    Code::UpstreamUnavailable,
    Code::NoUpstream,
    Code::ModelNotFound,
];
const NOT_OF_GATEWAY: &[Code] = &[Code::BadRequest, Code::NotReady];

/// The statuses that can be about the message and not about who sends it; they come in the words of JSON-RPC.
const OF_MESSAGES: &[u16] = &[400, 403, 404, 422, 500];

fn reference(header: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{header}") })
}

/// The codes of the problems that come from a route with a status.
///
/// Of those that say that something is not there, only what the route speaks of can be meant: what stands in the braces of
/// its path, and the memories that a body puts first.
pub(super) fn codes(route: &Route, status: u16) -> Vec<Code> {
    let all = Code::ALL.iter().copied();
    let of_status = all.filter(|code| code.status() == status && *code != Code::RouteNotFound);
    let elsewhere = if is_of_gateway(route) {
        NOT_OF_GATEWAY
    } else {
        OF_GATEWAY
    };
    let of_status: Vec<Code> = of_status.filter(|code| !elsewhere.contains(code)).collect();
    if status != 404 {
        return of_status;
    }
    let fields = || route.body.into_iter().flat_map(each);
    let meant = |code: &Code| {
        let subject = code.as_str().trim_end_matches("_not_found");
        let in_path = names(route.pattern).any(|name| name.starts_with(subject));
        let in_body = subject == "memory" && fields().any(|field| field.name == "priority_ids")
            || is_of_gateway(route) && ["model", "container"].contains(&subject);
        in_path || in_body
    };
    let meant: Vec<Code> = of_status.iter().copied().filter(meant).collect();
    if meant.is_empty() { of_status } else { meant }
}
