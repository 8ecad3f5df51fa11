//! Where the text comes from: the arguments, a file, or standard input.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use crate::admit::Trouble;
use crate::arguments::AdmitArguments;

/// More than this is no text that anybody would retain at once.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// The text that is to be ruled on.
pub(crate) fn text(arguments: &AdmitArguments) -> Result<String, Trouble> {
    match &arguments.file {
        Some(path) if path.as_os_str() != "-" => from_file(path),
        None if !arguments.text.is_empty() => Ok(arguments.text.join(" ")),
        Some(_) | None => from_standard_input(),
    }
}

fn from_file(path: &Path) -> Result<String, Trouble> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| Trouble::Unreadable {
        name: name.clone(),
        source,
    })?;
    whole(file, name)
}

#[expect(
    clippy::print_stderr,
    reason = "a person who waits at a terminal should know what is waited for"
)]
fn from_standard_input() -> Result<String, Trouble> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        eprintln!("Reading the text from the terminal; end it with Ctrl-D.");
    }
    whole(stdin.lock(), "standard input".to_owned())
}

fn whole(source: impl Read, name: String) -> Result<String, Trouble> {
    let mut bytes = Vec::new();
    let read = source.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|source| Trouble::Unreadable {
        name: name.clone(),
        source,
    })?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Trouble::TooLong {
            name,
            most: MOST_BYTES,
        });
    }
    String::from_utf8(bytes).map_err(|error| Trouble::NoText {
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
        let arguments = AdmitArguments {
            text: vec!["two".to_owned(), "words".to_owned()],
            ..AdmitArguments::default()
        };
        assert_eq!(text(&arguments).unwrap(), "two words");
    }
}
