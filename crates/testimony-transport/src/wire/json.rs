//! From bytes to a JSON object: bounded in depth before anything is built, and digested independently of its spelling.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use testimony_service::ports::ledger::audit::Digest;

/// Why bytes are not the object that a route reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoObject {
    /// They are no JSON.
    #[error(
        "the body is no JSON: it goes wrong at line {line}, column {column}; send one JSON object"
    )]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// Too much stands within one another.
    #[error("the body nests more than {most} levels deep; send it flatter")]
    Deep {
        /// How many levels are read.
        most: usize,
    },
    /// They are another kind of JSON.
    #[error("the body is not a JSON object; send one that begins with {{")]
    Other,
}

/// Reads bytes as an object.
///
/// # Errors
/// [`NoObject`] when they are none, or nest too deep.
pub fn object(bytes: &[u8], most: usize) -> Result<Map<String, Value>, NoObject> {
    if depth(bytes) > most {
        return Err(NoObject::Deep { most });
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(NoObject::Other),
        Err(error) => Err(NoObject::Syntax {
            line: error.line(),
            column: error.column(),
        }),
    }
}

/// How deep brackets nest, outside of texts.
fn depth(bytes: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0_usize);
    let (mut in_text, mut escaped) = (false, false);
    for byte in bytes {
        if in_text {
            (in_text, escaped) = (escaped || *byte != b'"', !escaped && *byte == b'\\');
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'[' | b'{' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// What a body says, whatever the order of its fields and the blanks between them.
#[must_use]
pub fn digest(object: &Map<String, Value>) -> Digest {
    let mut hash = Sha256::new();
    add_object(&mut hash, object);
    Digest(hash.finalize().into())
}

fn add_object(hash: &mut Sha256, object: &Map<String, Value>) {
    let mut names: Vec<&String> = object.keys().collect();
    names.sort_unstable();
    add_length(hash, b'{', names.len());
    for name in names {
        add_text(hash, name);
        add(hash, object.get(name).unwrap_or(&Value::Null));
    }
}

fn add(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Null => hash.update(b"0"),
        Value::Bool(flag) => hash.update(if *flag { b"t" } else { b"f" }),
        Value::Number(number) => {
            hash.update(b"n");
            add_text(hash, &number.to_string());
        }
        Value::String(text) => add_text(hash, text),
        Value::Array(values) => {
            add_length(hash, b'[', values.len());
            for value in values {
                add(hash, value);
            }
        }
        Value::Object(object) => add_object(hash, object),
    }
}

fn add_text(hash: &mut Sha256, text: &str) {
    add_length(hash, b'"', text.len());
    hash.update(text.as_bytes());
}

/// A mark with a length behind it, so that no two values are written alike.
fn add_length(hash: &mut Sha256, mark: u8, length: usize) {
    hash.update([mark]);
    hash.update((length as u64).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nests_too_deep_is_refused_before_it_is_built() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(
            object(deep.as_bytes(), 32),
            Err(NoObject::Deep { most: 32 })
        );
        let brackets_in_text = r#"{"a":"[[[[[[\"[[[["}"#;
        assert!(object(brackets_in_text.as_bytes(), 1).is_ok());
    }

    #[test]
    fn what_is_no_object_says_where_it_goes_wrong() {
        let wrong = object(b"{\n \"a\": x}", 32);
        assert_eq!(wrong, Err(NoObject::Syntax { line: 2, column: 7 }));
        assert_eq!(object(b"[]", 32), Err(NoObject::Other));
        assert!(matches!(object(b"", 32), Err(NoObject::Syntax { .. })));
        assert!(matches!(
            object(b"{\"a\":\"\xff\"}", 32),
            Err(NoObject::Syntax { .. })
        ));
    }

    #[test]
    fn the_digest_looks_at_what_is_said_and_not_at_how() {
        let of = |text: &str| digest(&object(text.as_bytes(), 32).unwrap());
        assert_eq!(
            of(r#"{"a":1,"b":[true,null]}"#),
            of(r#"{ "b": [true, null], "a": 1 }"#)
        );
        for other in [
            r#"{"a":1,"b":[true]}"#,
            r#"{"a":"1","b":[true,null]}"#,
            r#"{"a":1,"b":[null,true]}"#,
            r#"{"a":1}"#,
        ] {
            assert_ne!(of(r#"{"a":1,"b":[true,null]}"#), of(other), "{other}");
        }
    }
}
