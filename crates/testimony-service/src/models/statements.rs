//! Statements that a model drew from a text: what it is shown, and what of its answer goes on to admission.

use serde_json::{Value, json};
use testimony_domain::Timestamp;

use super::failure::ModelFailure;
use super::grounding::{Source, missing};
use super::json::the_object;
use super::material;
use super::reply::reads_like_an_instruction;

/// So many statements of one text go on.
const MOST: usize = 12;
/// So long one of them is, in characters.
const LONGEST: usize = 600;

/// A text for a model, as data.
pub(crate) fn shown(text: &str, said: Timestamp, speaker: Option<&str>) -> String {
    material::object(&json!({ "text": text, "said": said.to_string(), "speaker": speaker }))
}

/// The statements of an answer that stand in the text they were drawn from, each once.
///
/// Whatever else is not a statement is left out: what a model adds to a text is not in it.
pub(crate) fn read(
    answer: &str,
    text: &str,
    said: Timestamp,
    speaker: Option<&str>,
) -> Result<Vec<String>, ModelFailure> {
    let members = the_object(answer, "statements")?;
    let listed = members.get("statements").and_then(Value::as_array);
    let listed = listed.ok_or(ModelFailure::Unreadable)?;
    let mut source = Source::default();
    source.add(text, said);
    source.add_day(said);
    if let Some(speaker) = speaker {
        source.add(speaker, said);
    }
    let mut kept: Vec<String> = Vec::new();
    for statement in listed.iter().filter_map(Value::as_str).map(str::trim) {
        let fits = !statement.is_empty() && statement.chars().nth(LONGEST).is_none();
        let is_new = kept.iter().all(|known| known != statement);
        let stands = fits
            && missing(statement, &source, said).is_none()
            && !reads_like_an_instruction(statement);
        if is_new && stands {
            kept.push(statement.to_owned());
        }
        if kept.len() == MOST {
            break;
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "We moved the staging database of Harborlight to port 6543 on Monday, and Mara watches it now.";

    fn drawn(answer: &str) -> Option<Vec<String>> {
        let said = "2026-03-10T09:00:00Z".parse().unwrap();
        read(answer, TEXT, said, None).ok()
    }

    #[test]
    fn only_what_stands_in_the_text_goes_on() {
        let answer = r#"Here you are: {"statements": [
            "The staging database of Harborlight runs on port 6543.",
            "The staging database of Harborlight runs on port 6543.",
            "The staging database of Harborlight runs on port 9999.",
            "Mara watches the staging database of Harborlight.",
            "Bruno watches the staging database.",
            7, "", {"text": "x"}]}"#;
        let kept = drawn(answer).unwrap();
        assert_eq!(
            kept,
            [
                "The staging database of Harborlight runs on port 6543.",
                "Mara watches the staging database of Harborlight."
            ]
        );
        assert_eq!(drawn("{\"statements\": []}"), Some(Vec::new()));
        for unreadable in ["none", "{\"statements\": 3}", "{\"claims\": []}"] {
            assert_eq!(drawn(unreadable), None, "{unreadable}");
        }
    }
}
