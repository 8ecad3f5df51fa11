//! The one JSON object of a model's answer, found among prose and fences and read without mercy: an object in which a
//! name comes twice says two things, and is none.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;

use super::failure::ModelFailure;

/// So much of an answer is looked at, in bytes.
const LONGEST: usize = 32 * 1024;
/// So many beginnings of objects are tried; a brace may stand in prose.
const TRIES: usize = 8;

/// The members of an object, each name once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Members(Vec<(String, Value)>);

impl Members {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// A text of at most so many characters.
    pub(super) fn text(&self, name: &str, most: usize) -> Option<&str> {
        let text = self.get(name)?.as_str()?;
        text.chars().nth(most).is_none().then_some(text)
    }
}

/// The object of an answer that has a member of this name; there may be one such object and no more.
pub(super) fn the_object(answer: &str, needed: &str) -> Result<Members, ModelFailure> {
    if answer.len() > LONGEST {
        return Err(ModelFailure::Unreadable);
    }
    let mut found = None;
    let mut rest = answer;
    for _ in 0..TRIES {
        let Some(open) = rest.find('{') else { break };
        let from = rest.get(open..).unwrap_or_default();
        let mut read = serde_json::Deserializer::from_str(from).into_iter::<Members>();
        match read.next() {
            Some(Ok(members)) => {
                rest = from.get(read.byte_offset()..).unwrap_or_default();
                if members.get(needed).is_none() {
                    continue;
                }
                if found.is_some() {
                    return Err(ModelFailure::Unreadable);
                }
                found = Some(members);
            }
            Some(Err(error)) if error.to_string().starts_with(TWICE) => {
                return Err(ModelFailure::Unreadable);
            }
            Some(Err(_)) | None => rest = from.get(1..).unwrap_or_default(),
        }
    }
    found.ok_or(ModelFailure::Unreadable)
}

/// How the refusal of a name that comes twice begins.
const TWICE: &str = "a name comes twice";

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members, M::Error> {
                const MOST: usize = 64;
                let mut members: Vec<(String, Value)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if members.iter().any(|(known, _)| *known == name) || members.len() >= MOST {
                        return Err(M::Error::custom(TWICE));
                    }
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }

        from.deserialize_map(Reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(answer: &str) -> Option<String> {
        let members = the_object(answer, "verdict").ok()?;
        members.text("verdict", 64).map(str::to_owned)
    }

    #[test]
    fn the_object_is_found_among_prose_and_fences() {
        for answer in [
            "{\"verdict\": \"caution\"}",
            "```json\n{\"verdict\": \"caution\"}\n```",
            "Let me think {carefully}. {\"note\": 1} So: {\"verdict\": \"caution\"} That is all.",
        ] {
            assert_eq!(verdict(answer).as_deref(), Some("caution"), "{answer}");
        }
    }

    #[test]
    fn what_says_two_things_or_none_is_not_read() {
        let deep = "[".repeat(20_000);
        let long = format!(
            "{{\"verdict\": \"caution\", \"rationale\": \"{}\"}}",
            "x".repeat(LONGEST)
        );
        for answer in [
            "",
            "I trust it.",
            "{\"verdict\": \"trusted\", \"verdict\": \"rejected\"}",
            "{\"verdict\": \"rejected\"} {\"verdict\": \"trusted\"}",
            "{\"verdict\": \"caution\"",
            "{\"verdict\": {\"verdict\": NaN}}",
            "\"verdict\"",
            "{{{{{{{{{{{{{\"verdict\": \"caution\"}",
            &format!("{{\"verdict\": {deep}"),
            &long,
        ] {
            assert_eq!(verdict(answer), None, "{answer:.80}");
        }
    }
}
