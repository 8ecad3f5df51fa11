//! Names and texts that callers choose: bounded, free of control characters, and each of its own type.

use std::fmt;

use crate::bounds::Bound;
use crate::{Invalid, Problem};

macro_rules! labels {
    ($($name:ident: $min:literal ..= $max:literal, $alphabet:ident, $meaning:literal;)+) => {
        $(
            #[doc = $meaning]
            #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(Box<str>);

            impl $name {
                /// Takes `text` as sent in `field`.
                ///
                /// # Errors
                /// [`Invalid`] when the text is too short, too long or holds a character that it cannot hold.
                pub fn new(field: &str, text: &str) -> Result<Self, Invalid> {
                    check(field, text, $min, $max, &$alphabet).map(|()| Self(text.into()))
                }

                /// The plain text.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.0)
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, "{}({:?})", stringify!($name), self.0)
                }
            }
        )+

        /// Bounds of every label, counted in characters.
        pub const LABELS: &[Bound] = &[$(Bound {
            name: stringify!($name),
            min: $min as f64,
            max: $max as f64,
            default: None,
            unit: "characters",
            meaning: $meaning,
        },)+];
    };
}

labels! {
    ContainerTag: 1 ..= 128, TAG, "The name of a container, as it stands in paths.";
    AgentId: 1 ..= 256, NAME, "The agent that a key is bound to.";
    SourceApp: 1 ..= 256, NAME, "The application that a key is bound to.";
    UserId: 1 ..= 256, NAME, "The person whom a row is about or for.";
    AppId: 1 ..= 256, NAME, "The application that a row is grouped under.";
    OrgId: 1 ..= 256, NAME, "The organisation that a row is grouped under.";
    RunId: 1 ..= 256, NAME, "One run or session of an agent.";
    SourceLabel: 1 ..= 256, NAME, "Where a row came from, in the caller's words.";
    SourceRef: 1 ..= 2_048, NAME, "The document or message that a row was taken from.";
    CustomId: 1 ..= 256, NAME, "The caller's own id of a row.";
    RequestId: 1 ..= 256, NAME, "The caller's own id of a request.";
    Tag: 1 ..= 128, NAME, "A word by which rows are filtered.";
    PersonName: 1 ..= 128, NAME, "The name with which a person signs in.";
    Speaker: 1 ..= 256, NAME, "Who said what a row records.";
}

struct Alphabet {
    holds: fn(char) -> bool,
    named: &'static str,
}

const TAG: Alphabet = Alphabet {
    holds: |c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-'),
    named: "lower-case letters, digits, `.`, `_` and `-`",
};

const NAME: Alphabet = Alphabet {
    holds: |c| !c.is_control(),
    named: "printable characters",
};

fn check(
    field: &str,
    text: &str,
    min: usize,
    max: usize,
    alphabet: &Alphabet,
) -> Result<(), Invalid> {
    let length = text.chars().count();
    let problem = if length < min || text.trim().is_empty() {
        Some(Problem::Empty)
    } else if length > max {
        Some(Problem::TooLong { length, max })
    } else {
        text.chars()
            .position(|c| !(alphabet.holds)(c))
            .map(|position| Problem::BadCharacter {
                position,
                allowed: alphabet.named,
            })
    };
    problem.map_or(Ok(()), |problem| Err(Invalid::new(field, problem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn container_tags_keep_to_their_alphabet() {
        for good in ["workspace", "user-42", "a", "v1.2_x", &"a".repeat(128)] {
            assert!(ContainerTag::new("container_tag", good).is_ok(), "{good}");
        }
        for bad in ["", " ", "Workspace", "a/b", "ä", "a b", &"a".repeat(129)] {
            assert!(ContainerTag::new("container_tag", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_error_says_where_and_never_what() {
        let error = AgentId::new("agent_id", "ops\u{7}bot").unwrap_err();
        let expected = "`agent_id` has a character at position 3 that cannot be used here; use only printable characters";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn length_is_counted_in_characters() {
        assert!(Tag::new("tags", &"ß".repeat(128)).is_ok());
        assert!(Tag::new("tags", &"ß".repeat(129)).is_err());
    }
}
