//! The tokens that an answer says it took, read while it goes by untouched: whole or as a stream, of a completion or of
//! a response.
//!
//! Nothing of an answer is kept for that but the object that stands behind `"usage"`. Within a text the quotation marks
//! of those words are escaped, so a model cannot say them by accident. Several tell of the same answer, each more than
//! the one before, so the last one counts.

use serde_json::Value;
use testimony_service::ports::models::TokenUsage;

const NAME: &[u8] = b"\"usage\"";

/// What is longer tells of no tokens.
const LONGEST: usize = 4 << 10;

/// Looks for usage in what goes by.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    state: State,
    /// Whether the byte before makes the next one a mere letter.
    escapes: bool,
    last: Option<TokenUsage>,
}

#[derive(Debug, Default)]
enum State {
    /// Nothing of it.
    #[default]
    Elsewhere,
    /// So many bytes of the name have gone by.
    Name(usize),
    /// The name has, and its colon has not.
    Colon,
    /// Both have.
    Value,
    /// The object is going by.
    Object(Object),
}

#[derive(Debug)]
struct Object {
    text: Vec<u8>,
    depth: usize,
    within_text: bool,
}

impl Usage {
    /// Takes in what goes by.
    pub(crate) fn see(&mut self, piece: &[u8]) {
        for byte in piece {
            let state = std::mem::take(&mut self.state);
            self.state = if let State::Object(object) = state {
                self.object(object, *byte)
            } else {
                self.before_object(&state, *byte)
            };
            self.escapes = *byte == b'\\' && !self.escapes;
        }
    }

    /// What was told last, once.
    pub(crate) const fn take(&mut self) -> Option<TokenUsage> {
        self.last.take()
    }

    fn before_object(&self, state: &State, byte: u8) -> State {
        match (state, byte) {
            (State::Name(at), _) if NAME.get(*at) == Some(&byte) => match at + 1 {
                end if end == NAME.len() => State::Colon,
                next => State::Name(next),
            },
            (State::Colon, b' ' | b'\t' | b'\r' | b'\n') => State::Colon,
            (State::Colon, b':') | (State::Value, b' ' | b'\t' | b'\r' | b'\n') => State::Value,
            (State::Value, b'{') => State::Object(Object {
                text: vec![b'{'],
                depth: 1,
                within_text: false,
            }),
            // A quotation mark that is a letter of a text begins no name.
            (_, b'"') if !self.escapes => State::Name(1),
            _ => State::Elsewhere,
        }
    }

    fn object(&mut self, mut object: Object, byte: u8) -> State {
        object.text.push(byte);
        match byte {
            b'"' if !self.escapes => object.within_text = !object.within_text,
            b'{' if !object.within_text => object.depth += 1,
            b'}' if !object.within_text => object.depth -= 1,
            _ => {}
        }
        if object.depth == 0 {
            self.last = read(&object.text).or(self.last);
            return State::Elsewhere;
        }
        if object.text.len() > LONGEST {
            return State::Elsewhere;
        }
        State::Object(object)
    }
}

/// Tokens as completions name them, or as responses do.
fn read(text: &[u8]) -> Option<TokenUsage> {
    let usage: Value = serde_json::from_slice(text).ok()?;
    let count = |names: [&str; 2]| {
        let found = names.iter().find_map(|name| usage.get(name));
        found.and_then(Value::as_u64)
    };
    Some(TokenUsage {
        prompt: count(["prompt_tokens", "input_tokens"])?,
        completion: count(["completion_tokens", "output_tokens"]).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a text that goes by in pieces of so many bytes.
    fn told(text: &str, at_once: usize) -> Option<(u64, u64)> {
        let mut usage = Usage::default();
        for piece in text.as_bytes().chunks(at_once) {
            usage.see(piece);
        }
        let told = usage.take();
        assert_eq!(usage.take(), None);
        told.map(|told| (told.prompt, told.completion))
    }

    #[test]
    fn usage_is_found_wherever_it_stands_and_nowhere_else() {
        let endless = format!("{{\"usage\":{{\"a\":\"{}\"}}}}", "x".repeat(LONGEST));
        for (text, expected) in [
            (
                r#"{"id":"c","usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11},"x":1}"#,
                Some((9, 2)),
            ),
            (
                "data: {\"usage\":null}\n\ndata: {\"choices\":[],\"usage\" : {\"prompt_tokens\":3,\"d\":{\"cached\":1}}}\n\n",
                Some((3, 0)),
            ),
            (
                r#"{"response":{"usage":{"input_tokens":5,"s":"}\"{","output_tokens":7}}}"#,
                Some((5, 7)),
            ),
            (
                r#"{"usage":{"prompt_tokens":1}} {"usage":{"prompt_tokens":4,"completion_tokens":4}}"#,
                Some((4, 4)),
            ),
            (
                r#"{"usage":{"prompt_tokens":1,"completion_tokens":2}} {"usage":{"other":4}}"#,
                Some((1, 2)),
            ),
            (r#"{"content":"\"usage\":{\"prompt_tokens\":900}"}"#, None),
            (r#"{"a":"\\","usage":{"prompt_tokens":6}}"#, Some((6, 0))),
            (r#"{"a":"usage","b":{"prompt_tokens":900}}"#, None),
            (r#"{"usage":[{"prompt_tokens":900}]}"#, None),
            (r#"{"usage":{"prompt_tokens":"#, None),
            (&endless, None),
            ("", None),
        ] {
            for at_once in [1, 2, 7, 4_096] {
                assert_eq!(
                    told(text, at_once),
                    expected,
                    "{text} in pieces of {at_once}"
                );
            }
        }
    }
}
