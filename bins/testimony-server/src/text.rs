//! Where the text comes from: the arguments, a file, or standard input.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;

/// More than this is no text that anybody would retain at once.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// A text on the command line.
#[derive(Args, Debug, Default)]
pub(crate) struct TextArguments {
    /// The text. Several words are put together with spaces; without any, it is read from standard input.
    /// Put `--` before a text that begins with a hyphen.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,

    /// Read the text from this file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    pub(crate) file: Option<PathBuf>,
}

/// Why there is no text. Nothing of it is repeated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TextError {
    #[error("{name} could not be read: {source}")]
    Unreadable { name: String, source: io::Error },
    #[error("{name} is not UTF-8 at byte {at}; convert it first, for example with iconv")]
    NoText { name: String, at: usize },
    #[error("{name} is longer than {most} bytes; send it in parts")]
    TooLong { name: String, most: u64 },
}

impl TextArguments {
    /// The text.
    pub(crate) fn read(&self) -> Result<String, TextError> {
        match &self.file {
            Some(path) if path.as_os_str() != "-" => from_file(path),
            None if !self.text.is_empty() && self.text != ["-"] => Ok(self.text.join(" ")),
            Some(_) | None => from_standard_input(),
        }
    }
}

fn from_file(path: &Path) -> Result<String, TextError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| TextError::Unreadable {
        name: name.clone(),
        source,
    })?;
    whole(file, name)
}

#[expect(
    clippy::print_stderr,
    reason = "a person who waits at a terminal should know what is waited for"
)]
fn from_standard_input() -> Result<String, TextError> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        eprintln!("Reading the text from the terminal; end it with Ctrl-D.");
    }
    whole(stdin.lock(), "standard input".to_owned())
}

fn whole(source: impl Read, name: String) -> Result<String, TextError> {
    let mut bytes = Vec::new();
    let read = source.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|source| TextError::Unreadable {
        name: name.clone(),
        source,
    })?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(TextError::TooLong {
            name,
            most: MOST_BYTES,
        });
    }
    String::from_utf8(bytes).map_err(|error| TextError::NoText {
        name,
        at: error.utf8_error().valid_up_to(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_named_by_place_and_not_shown() {
        let trouble = whole(&b"abc\xff"[..], "standard input".to_owned()).unwrap_err();
        assert!(
            trouble
                .to_string()
                .starts_with("standard input is not UTF-8 at byte 3"),
            "{trouble}"
        );
    }

    #[test]
    fn a_flood_ends_in_an_error_with_a_remedy() {
        let trouble = whole(io::repeat(b'a'), "standard input".to_owned()).unwrap_err();
        assert!(
            trouble.to_string().contains("send it in parts"),
            "{trouble}"
        );
    }

    #[test]
    fn words_are_put_together() {
        let arguments = TextArguments {
            text: vec!["two".to_owned(), "words".to_owned()],
            file: None,
        };
        assert_eq!(arguments.read().unwrap(), "two words");
    }
}
