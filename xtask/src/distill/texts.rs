//! The texts that the table is fitted to: definitions and examples of a dictionary, or plain lines.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{Trouble, shell};

/// Texts from one file.
pub(super) struct Source {
    /// The name of the file.
    pub(super) name: String,
    /// Its texts, none twice.
    pub(super) texts: Vec<String>,
}

/// Reads a file.
pub(super) fn read(file: &Path) -> Result<Source, Trouble> {
    let bytes = shell::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let texts: Vec<String> = if is_dictionary(&text) {
        text.lines().flat_map(entry).collect()
    } else {
        text.lines().map(str::trim).map(str::to_owned).collect()
    };
    let mut seen = BTreeSet::new();
    let new = |text: &String| !text.is_empty() && seen.insert(text.clone());
    Ok(Source {
        name: file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        texts: texts.into_iter().filter(new).collect(),
    })
}

/// Data files of `WordNet` open with their licence, each line of it indented and numbered.
fn is_dictionary(text: &str) -> bool {
    text.starts_with("  1 This software and database")
}

/// The words with their definition, and every example, of one line of a dictionary.
fn entry(line: &str) -> Vec<String> {
    let Some((head, gloss)) = line.split_once(" | ") else {
        return Vec::new();
    };
    let (definition, examples) = gloss.split_once("; \"").unwrap_or((gloss, ""));
    let mut texts = vec![format!("{}: {}", words(head).join(", "), definition.trim())];
    let examples = examples.split('"');
    let examples = examples.map(|part| part.trim_matches([';', ' ', '-']));
    texts.extend(examples.filter(|one| one.contains(' ')).map(str::to_owned));
    texts
}

/// The words of a line: their number stands fourth in hexadecimal digits, and after each stands a number.
fn words(head: &str) -> Vec<String> {
    let mut fields = head.split(' ').skip(3);
    let count = fields.next();
    let count = count.and_then(|count| usize::from_str_radix(count, 16).ok());
    let words = fields.step_by(2).take(count.unwrap_or_default());
    words.map(|word| plain(word).replace('_', " ")).collect()
}

/// Adjectives may say in brackets where they stand.
fn plain(word: &str) -> &str {
    word.split_once('(').map_or(word, |(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_gives_its_words_with_the_definition_and_each_example() {
        let line = "00000001 00 a 02 snow_proof(p) 0 dry 1 001 @ 00000002 n 0000 | kept from wet; \"she bought dry boots\"; \"dry boots\"  ";
        assert_eq!(
            entry(line),
            [
                "snow proof, dry: kept from wet",
                "she bought dry boots",
                "dry boots"
            ]
        );
        assert!(entry("  2 its licence").is_empty());
    }
}
