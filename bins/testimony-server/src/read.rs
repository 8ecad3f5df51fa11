//! What an answer holds, without a word about what it might not hold: the routes say what is there, and older or newer
//! servers may say less or more.

use serde_json::Value;

/// A text; empty where there is none.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A text, where there is one.
pub(crate) fn maybe<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

/// A part of an answer; `null` where there is none.
pub(crate) fn part<'v>(value: &'v Value, name: &str) -> &'v Value {
    const NOTHING: &Value = &Value::Null;
    value.get(name).unwrap_or(NOTHING)
}

/// The rows of a list; none where there is no list.
pub(crate) fn rows<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    let list = value.get(name).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// The texts of a list.
pub(crate) fn texts<'v>(value: &'v Value, name: &str) -> Vec<&'v str> {
    rows(value, name).iter().filter_map(Value::as_str).collect()
}

/// A whole number; 0 where there is none.
pub(crate) fn count(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(Value::as_u64).unwrap_or_default()
}

/// Whether something is said to be so.
pub(crate) fn is(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool) == Some(true)
}

/// A number as people write scores: two places.
pub(crate) fn score(value: &Value, name: &str) -> String {
    let score = value.get(name).and_then(Value::as_f64);
    score.map_or_else(|| "–".to_owned(), |score| format!("{score:.2}"))
}

/// Whatever stands there, as a person writes it: texts without quotation marks, lists with commas, nothing as a dash.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(list) if list.is_empty() => "–".to_owned(),
        Value::Array(list) => list.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_there_is_nothing() {
        let value = json!({ "a": 1 });
        assert_eq!(text(&value, "a"), "");
        assert!(rows(&value, "a").is_empty() && !is(&value, "a"));
        assert_eq!(score(&value, "b"), "–");
        assert_eq!(shown(&json!(["x", 2, null])), "x, 2, –");
    }
}
