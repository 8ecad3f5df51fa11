//! Fixture lines, whose texts stand in parts.

#[path = "expand.rs"]
mod expand;

use serde::Deserialize;

pub(crate) use expand::expand;

/// One line of a fixture.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Line {
    /// The rule that has to find it; empty in negatives.
    #[serde(default)]
    pub(crate) rule: String,
    /// The text in parts.
    pub(crate) text: Vec<String>,
    /// Whether the text is the value and nothing else.
    #[serde(default)]
    pub(crate) alone: bool,
}

/// The lines of a fixture.
pub(crate) fn lines(fixture: &str) -> Vec<Line> {
    let filled = fixture.lines().filter(|line| !line.is_empty());
    filled
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}
