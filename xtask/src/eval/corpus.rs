//! Labelled rows, one JSON object a line, gzipped.

use std::path::Path;

use serde_json::Value;

use crate::{Trouble, shell};

/// A row of a set.
pub(super) struct Row {
    /// Where it stands in its file, from 1.
    pub(super) line: usize,
    value: Value,
}

impl Row {
    /// The text that is sent.
    pub(super) fn text(&self) -> &str {
        self.word("text").unwrap_or_default()
    }

    /// The credential in it, where the set names it.
    pub(super) fn secret(&self) -> Option<&str> {
        self.word("secret")
    }

    /// How hard its disguise is, where it has one.
    pub(super) fn tier(&self) -> Option<u64> {
        self.value.get("tier").and_then(Value::as_u64)
    }

    /// Several texts, where the set has them.
    pub(super) fn rows(&self) -> Vec<&str> {
        let rows = self.value.get("rows").and_then(Value::as_array);
        rows.into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    /// What the set calls it: never its text.
    pub(super) fn label(&self) -> String {
        let words = ["rule", "transform", "cat", "category"];
        let known: Vec<&str> = words.iter().filter_map(|name| self.word(name)).collect();
        known.join(" ")
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.value.get(name).and_then(Value::as_str)
    }
}

/// Reads a set.
pub(super) fn rows(data: &Path, file: &str) -> Result<Vec<Row>, Trouble> {
    let text = shell::read_gzip(&data.join(file))?;
    parse(&text).map_err(|(line, what)| Trouble::Malformed {
        place: format!("{file}:{line}"),
        what,
    })
}

fn parse(text: &str) -> Result<Vec<Row>, (usize, String)> {
    let lines = (1..).zip(text.lines());
    lines
        .map(|(line, json)| match serde_json::from_str(json) {
            Ok(value) => Ok(Row { line, value }),
            Err(error) => Err((line, error.to_string())),
        })
        .collect()
}

#[cfg(test)]
pub(super) fn row(json: &str) -> Row {
    parse(json).unwrap().remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let error = parse("{\"text\": \"a\"}\n{\"text\": \n").err().unwrap();
        assert_eq!(error.0, 2);
    }

    #[test]
    fn a_label_never_holds_the_text() {
        let row = row(r#"{"rule": "a-key", "transform": "hex", "text": "t", "secret": "s"}"#);
        assert_eq!(row.label(), "a-key hex");
    }
}
