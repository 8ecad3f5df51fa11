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
    /// Too much stands side by side.
    #[error("the body holds more than {most} values; split it into several requests")]
    Many {
        /// How many values are read.
        most: usize,
    },
    /// They are another kind of JSON.
    #[error("the body is not a JSON object; send one that begins with {{")]
    Other,
}

/// How much JSON is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// How many levels stand within one another.
    pub depth: usize,
    /// How many values there are.
    pub values: usize,
}

/// Reads bytes as an object.
///
/// # Errors
/// [`NoObject`] when they are none, or more than is read.
pub fn object(bytes: &[u8], most: Measure) -> Result<Map<String, Value>, NoObject> {
    let found = measure(bytes);
    if found.depth > most.depth {
        return Err(NoObject::Deep { most: most.depth });
    }
    if found.values > most.values {
        return Err(NoObject::Many { most: most.values });
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

/// How deep brackets nest, and how many values there are at most, by what stands outside of texts.
fn measure(bytes: &[u8]) -> Measure {
    let (mut open, mut deepest, mut values) = (0_usize, 0_usize, 1_usize);
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
                values += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
    }
    Measure {
        depth: deepest,
        values,
    }
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

    const MOST: Measure = Measure {
        depth: 32,
        values: 100,
    };

    #[test]
    fn what_holds_too_many_values_is_refused_before_it_is_built() {
        let many = |count: usize| format!("{{\"a\":[{}1]}}", "1,".repeat(count));
        assert!(object(many(97).as_bytes(), MOST).is_ok());
        assert_eq!(
            object(many(98).as_bytes(), MOST),
            Err(NoObject::Many { most: 100 })
        );
        assert!(object(b"{\"a\":\",,,,,,,,,,\"}", Measure { values: 2, ..MOST }).is_ok());
    }

    #[test]
    fn what_nests_too_deep_is_refused_before_it_is_built() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(
            object(deep.as_bytes(), MOST),
            Err(NoObject::Deep { most: 32 })
        );
        let brackets_in_text = r#"{"a":"[[[[[[\"[[[["}"#;
        assert!(object(brackets_in_text.as_bytes(), Measure { depth: 1, ..MOST }).is_ok());
    }

    #[test]
    fn what_is_no_object_says_where_it_goes_wrong() {
        let wrong = object(b"{\n \"a\": x}", MOST);
        assert_eq!(wrong, Err(NoObject::Syntax { line: 2, column: 7 }));
        assert_eq!(object(b"[]", MOST), Err(NoObject::Other));
        assert!(matches!(object(b"", MOST), Err(NoObject::Syntax { .. })));
        assert!(matches!(
            object(b"{\"a\":\"\xff\"}", MOST),
            Err(NoObject::Syntax { .. })
        ));
    }

    #[test]
    fn the_digest_looks_at_what_is_said_and_not_at_how() {
        let of = |text: &str| digest(&object(text.as_bytes(), MOST).unwrap());
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
