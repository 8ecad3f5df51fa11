//! What is sent to a server, and how its answer becomes vectors or is found wanting.

use serde::{Deserialize, Serialize};

use super::batches::Placed;
use super::settings::RemoteSettings;
use crate::{Vector, VectorError};

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    input: Vec<&'a str>,
    encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    index: usize,
    embedding: Vec<f32>,
}

/// What is wrong with an answer whose status is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Flaw {
    #[error("its answer is not the agreed JSON, or holds something that is no number")]
    NotAgreed,
    #[error("it was asked for {asked} vectors and gave {given}")]
    Count { asked: usize, given: usize },
    #[error("it gave the vector of text {index} twice, or of a text that it was not asked for")]
    Index { index: usize },
    #[error("its vector of text {index} holds a number that is not finite, or has no direction")]
    NoVector { index: usize },
    #[error("its vectors have {found} dimensions")]
    Dimensions { found: usize },
}

/// The body of a request for these texts.
pub(super) fn question(settings: &RemoteSettings, texts: &[Placed<'_>]) -> Vec<u8> {
    let question = Question {
        model: &settings.model,
        input: texts.iter().map(|(_, text)| *text).collect(),
        encoding_format: "float",
        dimensions: settings.shorten.then_some(settings.dimensions),
    };
    // Texts and numbers can always be written as JSON.
    serde_json::to_vec(&question).unwrap_or_default()
}

/// How many bytes an answer may have: more than any number is written with, and room for what stands around them.
pub(super) fn longest_answer(settings: &RemoteSettings, texts: usize) -> u64 {
    const OF_A_NUMBER: usize = 32;
    const AROUND: usize = 64 * 1_024;
    // A server that gives other dimensions than it should is to be told so, and not that it talks too much.
    let numbers = settings.dimensions.max(8_192).saturating_mul(texts);
    let most = numbers.saturating_mul(OF_A_NUMBER).saturating_add(AROUND);
    u64::try_from(most).unwrap_or(u64::MAX)
}

/// The vectors in the order of the texts.
pub(super) fn vectors(body: &[u8], texts: usize, dimensions: usize) -> Result<Vec<Vector>, Flaw> {
    let answer: Answer = serde_json::from_slice(body).map_err(|_| Flaw::NotAgreed)?;
    let given = answer.data.len();
    if given != texts {
        return Err(Flaw::Count {
            asked: texts,
            given,
        });
    }
    let mut lines = answer.data;
    lines.sort_by_key(|line| line.index);
    let wrong = lines
        .iter()
        .enumerate()
        .find(|(place, line)| line.index != *place);
    if let Some((_, Line { index, .. })) = wrong {
        return Err(Flaw::Index { index: *index });
    }
    lines
        .into_iter()
        .map(|line| vector(line, dimensions))
        .collect()
}

fn vector(line: Line, dimensions: usize) -> Result<Vector, Flaw> {
    let found = line.embedding.len();
    if found != dimensions {
        return Err(Flaw::Dimensions { found });
    }
    let index = line.index;
    Vector::from_direction(line.embedding).map_err(|_: VectorError| Flaw::NoVector { index })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Vec<Vector>, Flaw> {
        vectors(body.as_bytes(), 2, 2)
    }

    #[test]
    fn vectors_stand_in_the_order_of_their_index() {
        let body = r#"{"object": "list", "usage": {"total_tokens": 3},
            "data": [{"index": 1, "embedding": [0, 2.5]}, {"index": 0, "embedding": [3, 0], "object": "embedding"}]}"#;
        let found = read(body).unwrap();
        assert_eq!(found[0].as_slice(), [1.0, 0.0]);
        assert_eq!(found[1].as_slice(), [0.0, 1.0]);
    }

    #[test]
    fn an_answer_that_cannot_be_right_is_named() {
        let line = |index: usize, numbers: &str| {
            format!(r#"{{"index": {index}, "embedding": [{numbers}]}}"#)
        };
        let both = |one: String, two: String| format!(r#"{{"data": [{one}, {two}]}}"#);
        let table = [
            ("<html>busy</html>".to_owned(), Flaw::NotAgreed),
            (
                r#"{"data": [{"index": 0, "embedding": "AACAPw=="}]}"#.to_owned(),
                Flaw::NotAgreed,
            ),
            (both(line(0, "1, NaN"), line(1, "1, 0")), Flaw::NotAgreed),
            (both(line(0, "1, null"), line(1, "1, 0")), Flaw::NotAgreed),
            (
                format!(r#"{{"data": [{}]}}"#, line(0, "1, 0")),
                Flaw::Count { asked: 2, given: 1 },
            ),
            (
                both(line(1, "1, 0"), line(1, "1, 0")),
                Flaw::Index { index: 1 },
            ),
            (
                both(line(0, "1, 0"), line(2, "1, 0")),
                Flaw::Index { index: 2 },
            ),
            (
                both(line(0, "1, 0"), line(1, "1, 0, 0")),
                Flaw::Dimensions { found: 3 },
            ),
            (both(line(0, "1, 1e39"), line(1, "1, 0")), Flaw::NotAgreed),
            (
                both(line(0, "1, 0"), line(1, "0, 0")),
                Flaw::NoVector { index: 1 },
            ),
        ];
        for (body, flaw) in table {
            assert_eq!(read(&body), Err(flaw), "{body}");
        }
    }
}
