//! Questions that ask two things: "When does Tessa come, and which bed is hers?", "Which paints and brushes do we need?".
//!
//! A row that answers one of the two answers.

use super::QuestionKind;
use super::kind::kind_of;
use crate::text::{self, Shape, Word};
use crate::words::Cue;

/// A part of a question, read by itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) text: String,
    /// What the part was said after, which it may point back to.
    pub(super) after: Option<String>,
}

/// A longer question is read as a whole.
const MOST_WORDS: usize = 32;

/// The parts of a question; none where it asks one thing.
pub(super) fn parts(question: &str, kind: QuestionKind) -> Vec<Part> {
    let words: Vec<&str> = question.split_whitespace().collect();
    if !kind.is_question() || words.len() > MOST_WORDS {
        return Vec::new();
    }
    let joints = words.iter().enumerate().filter(|(_, word)| joins(word));
    let mut found = joints.map(|(at, _)| at);
    found
        .find_map(|at| clauses(&words, at).or_else(|| things(&words, at)))
        .unwrap_or_default()
}

fn joins(word: &str) -> bool {
    text::facts_of_one(word).is_some_and(|facts| facts.is(Cue::Joins))
}

/// "…, and how was it repaired?"
fn clauses(words: &[&str], at: usize) -> Option<Vec<Part>> {
    let (before, after) = words.split_at_checked(at)?;
    let after = after.get(1..)?.join(" ");
    let read = text::read(&after);
    let (kind, lead) = kind_of(&after, &read);
    let asks = kind.is_question() && kind != QuestionKind::Topic;
    if !asks || lead == 0 || lead > LONGEST_OPENING || before.len() < LEAST_WORDS {
        return None;
    }
    let before = before.join(" ");
    let before = before.trim_end_matches(',');
    let first = Part {
        text: format!("{before}?"),
        after: None,
    };
    let second = Part {
        text: after,
        after: Some(before.to_owned()),
    };
    Some(vec![first, second])
}

/// "How many", "in which town".
const LONGEST_OPENING: usize = 3;
const LEAST_WORDS: usize = 3;

/// "Which paints and brushes …": the question with each of the two alone.
fn things(words: &[&str], at: usize) -> Option<Vec<Part>> {
    let beside = [at.checked_sub(1)?, at + 1];
    let are_things = beside.iter().all(|at| {
        let read = words.get(*at).map(|word| text::read(word));
        read.is_some_and(|read| matches!(read.as_slice(), [only] if is_thing(only)))
    });
    let cut = words.get(at - 1)?.ends_with([',', '?', '.']);
    if !are_things || cut {
        return None;
    }
    let without = |from: usize| {
        let kept = words.iter().enumerate();
        let kept = kept.filter(|(place, _)| !(from..from + 2).contains(place));
        kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    };
    let alone = |from: usize| {
        let text = without(from);
        let text = format!("{}?", text.trim_end_matches('?'));
        Part { text, after: None }
    };
    Some(vec![alone(at), alone(at - 1)])
}

fn is_thing(word: &Word) -> bool {
    !word.stop && !word.capital && word.shape == Shape::Plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(question: &str) -> Vec<String> {
        let (kind, _) = kind_of(question, &text::read(question));
        let parts = parts(question, kind).into_iter();
        parts.map(|part| part.text).collect()
    }

    #[test]
    fn what_asks_two_things_is_read_in_two_parts() {
        assert_eq!(
            of("When does the ferry leave, and which pier does it leave from?"),
            [
                "When does the ferry leave?",
                "which pier does it leave from?"
            ]
        );
        assert_eq!(
            of("Which paints and brushes do we need?"),
            ["Which paints do we need?", "Which brushes do we need?"]
        );
    }

    #[test]
    fn what_asks_one_thing_is_left_whole() {
        for question in [
            "Where do Ana and Ben live?",
            "Who sold the boat?",
            "Paint the fence and the gate",
            "and",
            "",
        ] {
            assert_eq!(of(question), [""; 0], "{question}");
        }
    }
}
