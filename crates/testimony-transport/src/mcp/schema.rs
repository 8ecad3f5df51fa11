//! Tools as a client is told of them: schemas from the tables that read the bodies of the routes, in the fewest words that
//! a model needs.

use std::sync::Arc;

use rmcp::model::{Tool as Described, ToolAnnotations};
use serde_json::{Map, Value, json};
use testimony_domain::{ContainerGrant, ContainerTag, Principal};

use super::Members;
use super::catalogue::{CONTAINER, Given, GivenKind, Hints, Tool};
use crate::openapi::spelled;
use crate::wire::field::{Field, Kind, each};

/// So many containers are named in a schema; of more, any is taken.
const MOST_NAMED: usize = 20;

/// A tool as somebody is told of it.
pub(super) fn described(tool: &Tool, principal: &Principal) -> Described {
    Described::new(
        tool.name,
        tool.description,
        Arc::new(input(tool, principal)),
    )
    .with_title(tool.title)
    .with_raw_output_schema(Arc::new(output(tool)))
    .with_annotations(annotations(tool.hints))
}

fn annotations(hints: Hints) -> ToolAnnotations {
    let said = ToolAnnotations::new()
        .read_only(hints.reads_only)
        .open_world(false);
    // What the others say holds of what changes something.
    if hints.reads_only {
        return said;
    }
    said.destructive(hints.destroys).idempotent(hints.repeats)
}

/// What a tool takes.
fn input(tool: &Tool, principal: &Principal) -> Members {
    let of_route = tool.takes.names.iter().filter_map(|name| {
        let mut fields = each(tool.takes.table);
        fields.find(|field| field.name == *name)
    });
    let fields = || of_route.clone().chain(each(tool.own)).chain(tool.controls);
    let mut properties: Members = fields()
        .map(|field| (field.name.to_owned(), of_field(tool, field)))
        .collect();
    let mut required: Vec<&str> = fields()
        .filter(|field| field.required)
        .map(|field| field.name)
        .collect();
    if let (true, Some(which)) = (tool.is_of_a_container(), container(principal)) {
        properties.insert(CONTAINER.name.to_owned(), which);
        // How everything stands can be told without one.
        if tool.needs.is_some() {
            required.push(CONTAINER.name);
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

/// Which containers can be named; whoever reaches one only need name none.
fn container(principal: &Principal) -> Option<Value> {
    if principal.containers.sole().is_some() {
        return None;
    }
    let schema = match &principal.containers {
        ContainerGrant::Listed(tags) if tags.len() <= MOST_NAMED => {
            let tags: Vec<&str> = tags.iter().map(ContainerTag::as_str).collect();
            json!({ "type": "string", "enum": tags })
        }
        ContainerGrant::Prefix(prefix) => {
            json!({ "type": "string", "description": format!("The container: {prefix}…") })
        }
        ContainerGrant::Listed(_) | ContainerGrant::All => {
            json!({ "type": "string", "description": CONTAINER.note })
        }
    };
    Some(schema)
}

fn of_field(tool: &Tool, field: &Field) -> Value {
    let mut schema = of_kind(&field.kind);
    let Value::Object(members) = &mut schema else {
        return schema;
    };
    members.insert("description".to_owned(), json!(field.note));
    if let Some(default) = tool.default_of(field).filter(counts) {
        members.insert("default".to_owned(), default);
    }
    schema
}

/// What holds where nobody says anything is worth a word only where it is not plain nothing.
fn counts(default: &Value) -> bool {
    let is_nothing = default.as_array().is_some_and(Vec::is_empty)
        || default.as_object().is_some_and(Map::is_empty)
        || *default == json!(false)
        || *default == json!(0.0);
    !is_nothing
}

fn of_kind(kind: &Kind) -> Value {
    match kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Text(_) | Kind::Label(_) | Kind::Form(_) => json!({ "type": "string" }),
        Kind::TextOrWhole(_) => json!({ "type": ["string", "integer"] }),
        Kind::Word(words) => json!({ "type": "string", "enum": words }),
        Kind::Whole(_) => bounded("integer", kind),
        Kind::Number(_) => bounded("number", kind),
        Kind::Object | Kind::Record(_) => json!({ "type": "object" }),
        Kind::TextOrList(..) => json!({ "type": ["string", "array"] }),
        Kind::Item(_) => json!({ "type": ["string", "object"] }),
        Kind::List(of, _) | Kind::OneOrMore(of, _) => {
            json!({ "type": "array", "items": of_kind(of) })
        }
    }
}

fn bounded(name: &str, kind: &Kind) -> Value {
    let mut schema = json!({ "type": name });
    if let (Some(bound), Some(members)) = (kind.bound(), schema.as_object_mut()) {
        members.insert("minimum".to_owned(), spelled(bound.min));
        members.insert("maximum".to_owned(), spelled(bound.max));
    }
    schema
}

/// What a tool gives. Members that are not named may come beside these.
fn output(tool: &Tool) -> Members {
    let property = |given: &Given| (given.name.to_owned(), json!({ "type": word(given.kind) }));
    let properties: Members = tool.gives.iter().map(property).collect();
    let always = tool.gives.iter().filter(|given| given.always);
    let always: Vec<&str> = always.map(|given| given.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!(always));
    schema
}

const fn word(kind: GivenKind) -> &'static str {
    match kind {
        GivenKind::Text => "string",
        GivenKind::Flag => "boolean",
        GivenKind::Whole => "integer",
        GivenKind::List => "array",
        GivenKind::Object => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::catalogue::TOOLS;

    #[test]
    fn every_field_that_a_tool_takes_stands_in_the_table_of_its_route() {
        for tool in TOOLS {
            for name in tool.takes.names {
                let known = each(tool.takes.table).any(|field| field.name == *name);
                assert!(known, "{}: {name}", tool.name);
            }
        }
    }
}
