//! From bytes to a JSON object: bounded in depth before anything is built, with each name once, and digested
//! independently of its spelling.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
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
    /// An object has a name twice, so that two readers could read two different things.
    #[error(
        "an object of the body has a name twice, at line {line}, column {column}; send each name once"
    )]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
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
/// [`NoObject`] when they are none, or more than is read, or say something twice.
pub fn object(bytes: &[u8], most: Measure) -> Result<Map<String, Value>, NoObject> {
    within(bytes, most)?;
    let read = serde_json::from_slice(bytes).map(|Single(value)| value);
    as_object(read)
}

/// Reads bytes that go on as they came: of two members of one name the last counts here, and it is for the reader behind
/// to say what that is to mean.
///
/// # Errors
/// [`NoObject`] when they are no object, or more than is read.
pub fn object_that_goes_on(bytes: &[u8], most: Measure) -> Result<Map<String, Value>, NoObject> {
    within(bytes, most)?;
    as_object(serde_json::from_slice(bytes))
}

fn within(bytes: &[u8], most: Measure) -> Result<(), NoObject> {
    let found = measure(bytes);
    if found.depth > most.depth {
        return Err(NoObject::Deep { most: most.depth });
    }
    if found.values > most.values {
        return Err(NoObject::Many { most: most.values });
    }
    Ok(())
}

fn as_object(read: Result<Value, serde_json::Error>) -> Result<Map<String, Value>, NoObject> {
    match read {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(NoObject::Other),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            // Any JSON is a value, so nothing else is wrong with data that can be read.
            Err(if error.is_data() {
                NoObject::Twice { line, column }
            } else {
                NoObject::Syntax { line, column }
            })
        }
    }
}

/// A value in which no object has a name twice.
struct Single(Value);

impl<'de> Deserialize<'de> for Single {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reading).map(Self)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Value, S::Error> {
        let mut values = Vec::new();
        while let Some(Single(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Value, M::Error> {
        let mut members = Map::new();
        while let Some((name, Single(value))) = map.next_entry::<String, _>()? {
            if members.insert(name, value).is_some() {
                return Err(M::Error::custom("a name stands twice"));
            }
        }
        Ok(Value::Object(members))
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
    fn what_says_something_twice_is_refused_wherever_it_stands() {
        for text in [
            r#"{"a":1,"a":2}"#,
            r#"{"a":1,"\u0061":1}"#,
            r#"{"b":[{"c":{"a":1,"d":2,"a":null}}]}"#,
        ] {
            let wrong = object(text.as_bytes(), MOST);
            assert!(matches!(wrong, Err(NoObject::Twice { .. })), "{text}");
            assert!(object_that_goes_on(text.as_bytes(), MOST).is_ok());
        }
        let twice_apart = r#"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#;
        assert!(object(twice_apart.as_bytes(), MOST).is_ok());
    }

    #[test]
    fn each_kind_of_value_is_read_as_it_stands() {
        let text = r#"{"a":[null,true,-1,18446744073709551615,0.1,-0.0,1e300,"\ud83d\ude42",{}]}"#;
        let plain: Map<String, Value> = serde_json::from_str(text).unwrap();
        assert_eq!(object(text.as_bytes(), MOST), Ok(plain));
    }

    /// Read less exactly, such a number is another one each time that it is written and read.
    #[test]
    fn a_number_with_many_digits_is_the_same_after_it_was_written() {
        let sent = format!(r#"{{"number": 1843709{}1615}}"#, "5".repeat(117));
        let read = object(sent.as_bytes(), MOST).unwrap();
        let written = Value::Object(read.clone()).to_string();
        assert_eq!(object(written.as_bytes(), MOST).unwrap(), read);
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
