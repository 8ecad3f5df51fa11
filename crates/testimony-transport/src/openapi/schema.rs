//! Tables of fields and shapes of answers as JSON Schema, in the dialect of `OpenAPI` 3.1.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use testimony_domain::Bound;

use crate::wire::field::{Effect, Field, Kind, Table, each};
use crate::wire::shape::{Member, Shape};

/// The schemas that have a name, as they are found while others are written.
#[derive(Debug, Default)]
pub(super) struct Named {
    schemas: BTreeMap<String, Value>,
}

impl Named {
    /// Keeps a schema under a name, and says how it is referred to. Of two schemas that want one name, the later one gets
    /// a number behind it.
    pub(super) fn keep(&mut self, name: &str, schema: Value) -> Value {
        let taken = |name: &String| {
            let held = self.schemas.get(name);
            held.is_some_and(|held| *held != schema)
        };
        let numbered = (2_usize..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
        self.schemas.insert(name, schema);
        reference
    }

    pub(super) fn into_schemas(self) -> BTreeMap<String, Value> {
        self.schemas
    }
}

/// The body that a table reads.
pub(super) fn of_table(table: Table, named: &mut Named) -> Value {
    let properties: Map<String, Value> = each(table)
        .map(|field| (field.name.to_owned(), of_field(field, named)))
        .collect();
    let required: Vec<&str> = each(table)
        .filter(|field| field.required)
        .map(|field| field.name)
        .collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        put(&mut schema, "required", json!(required));
    }
    schema
}

/// A field with its note, its default, and what comes of it. What may be absent may be `null`.
pub(super) fn of_field(field: &Field, named: &mut Named) -> Value {
    let schema = of_kind(&field.kind, named);
    let mut schema = if field.required {
        schema
    } else {
        or_null(schema)
    };
    put(&mut schema, "description", json!(note(field)));
    if let Some(default) = field.default {
        put(&mut schema, "default", default());
    }
    schema
}

/// What a field is, and what comes of it where that is not what it says.
pub(super) fn note(field: &Field) -> String {
    match field.effect {
        Effect::Counts => field.note.to_owned(),
        Effect::Recorded(because) => format!("{} Recorded only: {because}", field.note),
        Effect::Ignored(because) => format!("{} Without effect: {because}", field.note),
    }
}

/// What a value has to be.
pub(super) fn of_kind(kind: &Kind, named: &mut Named) -> Value {
    match kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Text(bound) => text(bound, NOT_BLANK),
        Kind::TextOrWhole(bound) => {
            json!({ "anyOf": [text(bound, NOT_BLANK), { "type": "integer", "format": "int64" }] })
        }
        Kind::Label(_) => kind
            .bound()
            .map_or_else(|| json!({ "type": "string" }), |bound| text(bound, NAME)),
        Kind::Word(words) => json!({ "type": "string", "enum": words }),
        Kind::Form(form) => json!({ "type": "string", "minLength": 1, "description": form.like }),
        Kind::Whole(_) => number("integer", kind.bound()),
        Kind::Number(_) => number("number", kind.bound()),
        Kind::Object => json!({ "type": "object" }),
        Kind::Record(table) => of_table(table, named),
        Kind::TextOrList(bound, of, most) => {
            let list = json!({ "type": "array", "items": of_kind(of, named), "maxItems": most });
            json!({ "anyOf": [text(bound, NOT_BLANK), list] })
        }
        Kind::Item(table) => {
            let object = of_table(table, named);
            let content = each(table).find(|field| field.name == "content");
            let alone = content.map(|field| of_kind(&field.kind, named));
            let reference = named.keep("Item", object);
            json!({ "anyOf": [alone.unwrap_or_else(|| json!({ "type": "string" })), reference] })
        }
        Kind::List(of, most) => {
            json!({ "type": "array", "items": of_kind(of, named), "maxItems": most })
        }
        Kind::OneOrMore(of, most) => {
            let one = of_kind(of, named);
            let many = json!({ "type": "array", "items": one.clone(), "maxItems": most });
            json!({ "anyOf": [one, many] })
        }
    }
}

/// Something that is no blank.
const NOT_BLANK: &str = r"\S";
/// Something that is no blank, and no control character anywhere.
const NAME: &str = r"^[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0][^\x00-\x1f\x7f-\x9f]*$";

fn text(bound: &Bound, pattern: &str) -> Value {
    let mut schema = json!({ "type": "string", "maxLength": spelled(bound.max) });
    if bound.min >= 1.0 {
        put(&mut schema, "minLength", spelled(bound.min));
        put(&mut schema, "pattern", json!(pattern));
    }
    schema
}

fn number(kind: &str, bound: Option<&Bound>) -> Value {
    let mut schema = json!({ "type": kind });
    if let Some(bound) = bound {
        put(&mut schema, "minimum", spelled(bound.min));
        put(&mut schema, "maximum", spelled(bound.max));
    }
    schema
}

/// A number as a person would write it: without a point where it is whole.
pub(crate) fn spelled(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "bounds are far within the range, and only whole ones are taken"
    )]
    let whole = number as i64;
    if number.fract() == 0.0 {
        json!(whole)
    } else {
        json!(number)
    }
}

/// What an answer holds.
pub(super) fn of_shape(shape: &Shape, named: &mut Named) -> Value {
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Time => json!({ "type": "string", "format": "date-time" }),
        Shape::Id(prefix) => {
            json!({ "type": "string", "pattern": format!("^{prefix}_[0-9a-f]{{32}}$") })
        }
        Shape::Word(words) => json!({ "type": "string", "enum": words }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Whole => json!({ "type": "integer" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Object(members) => of_members(&[members], named),
        Shape::Groups(groups) => of_members(groups, named),
        Shape::Open(members) => {
            let mut schema = of_members(&[members], named);
            put(&mut schema, "additionalProperties", json!(true));
            schema
        }
        Shape::Named(name, inner) => {
            let schema = of_shape(inner, named);
            named.keep(name, schema)
        }
        Shape::Map(inner) => {
            json!({ "type": "object", "additionalProperties": of_shape(inner, named) })
        }
        Shape::List(inner) => json!({ "type": "array", "items": of_shape(inner, named) }),
        Shape::Maybe(inner) => or_null(of_shape(inner, named)),
        Shape::Anything => json!({}),
    }
}

fn of_members(groups: &[&[Member]], named: &mut Named) -> Value {
    let members = || groups.iter().copied().flatten();
    let properties: Map<String, Value> = members()
        .map(|member| {
            let mut schema = of_shape(&member.shape, named);
            put(&mut schema, "description", json!(member.note));
            (member.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = members()
        .filter(|member| member.always)
        .map(|member| member.name)
        .collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The same, or `null`.
fn or_null(mut schema: Value) -> Value {
    let Some(object) = schema.as_object_mut() else {
        return schema;
    };
    let Some(Value::String(kind)) = object.get("type") else {
        if let Some(Value::Array(any)) = object.get_mut("anyOf") {
            any.push(json!({ "type": "null" }));
            return schema;
        }
        return json!({ "anyOf": [schema, { "type": "null" }] });
    };
    let kinds = json!([kind, "null"]);
    object.insert("type".to_owned(), kinds);
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

/// Puts something into an object.
pub(super) fn put(schema: &mut Value, name: &str, value: Value) {
    if let Some(object) = schema.as_object_mut() {
        object.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: Field = Field::new("mode", Kind::Word(&["a", "b"]), "How.").recorded("It is.");

    #[test]
    fn what_may_be_absent_may_be_null_and_says_what_comes_of_it() {
        let schema = of_field(&FIELD, &mut Named::default());
        assert_eq!(schema["type"], json!(["string", "null"]));
        assert_eq!(schema["enum"], json!(["a", "b", null]));
        assert_eq!(schema["description"], "How. Recorded only: It is.");
        let required = of_field(&FIELD.required(), &mut Named::default());
        assert_eq!(required["type"], "string");
    }

    #[test]
    fn two_schemas_of_one_name_are_told_apart() {
        let mut named = Named::default();
        for (schema, reference) in [
            (json!({ "type": "string" }), "#/components/schemas/Row"),
            (json!({ "type": "integer" }), "#/components/schemas/Row2"),
            (json!({ "type": "string" }), "#/components/schemas/Row"),
        ] {
            assert_eq!(named.keep("Row", schema)["$ref"], reference);
        }
        assert_eq!(named.into_schemas().len(), 2);
    }
}
