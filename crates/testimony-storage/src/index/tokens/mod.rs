//! What a text is found by: stems of its words, and beside them identifiers, versions, paths, addresses, amounts and
//! pairs of characters where a script writes no spaces.
//!
//! A pure function of the text, the same for rows and for questions, and linear in its length.

mod cut;
mod fold;
mod tables;

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

use cut::{Kind, Piece};

/// Longer tokens are cut: nobody types the rest, and the same cut is made in rows and in questions.
const LONGEST_BYTES: usize = 120;
/// Beyond this a run of letters is no word of a language.
const LONGEST_STEMMED_BYTES: usize = 40;

/// What a text is found by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// In the order of the text, with repetitions: stems, and wholes of what is more than a word.
    pub stems: Vec<String>,
    /// The words as they stand, folded and not stemmed.
    pub words: Vec<String>,
}

/// Reads what a text is found by.
#[must_use]
pub fn tokens(text: &str) -> Tokens {
    let mut out = Tokens::default();
    let pieces = cut::pieces(text);
    for (at, piece) in pieces.iter().enumerate() {
        match piece.kind {
            Kind::Characters => out.characters(piece.text),
            Kind::Symbol => {}
            Kind::Compound => {
                let before = at.checked_sub(1).and_then(|at| pieces.get(at));
                out.compound(piece, before, pieces.get(at + 1));
            }
        }
    }
    out
}

/// A name in the form in which names are compared: folded, with single spaces between its words.
#[must_use]
pub fn name(text: &str) -> String {
    let words = cut::pieces(text);
    let folded: Vec<String> = words.iter().map(|piece| fold::fold(piece.text)).collect();
    shortened(folded.join(" "))
}

/// Whether a folded word carries no topic, so that a question is not about it.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    tables::STOP_WORDS
        .iter()
        .any(|language| language.contains(&word))
}

impl Tokens {
    /// A script without spaces: every character, and every two that stand side by side.
    fn characters(&mut self, run: &str) {
        let characters: Vec<String> = run
            .chars()
            .map(|c| fold::fold(c.encode_utf8(&mut [0; 4])))
            .collect();
        let pairs = characters.iter().zip(characters.iter().skip(1));
        let pairs: Vec<String> = pairs.map(|(one, next)| format!("{one}{next}")).collect();
        if pairs.is_empty() {
            self.words.extend(characters.iter().cloned());
        }
        self.words.extend(pairs.iter().cloned());
        self.stems.extend(characters);
        self.stems.extend(pairs);
    }

    fn compound(
        &mut self,
        piece: &Piece<'_>,
        before: Option<&Piece<'_>>,
        after: Option<&Piece<'_>>,
    ) {
        let text = without_possessive(piece.text);
        let Some((number, unit)) = amount(text) else {
            return self.levels(text, 0);
        };
        if unit.is_empty() {
            let prefix = before.filter(|it| it.is_currency() && it.touches(piece));
            let suffix = after.filter(|it| piece.measured_by(it));
            if let Some(measure) = prefix.or(suffix) {
                let (measure, is_unit) = (fold::fold(measure.text), measure.kind == Kind::Compound);
                self.whole(if is_unit {
                    format!("{number}{measure}")
                } else {
                    format!("{measure}{number}")
                });
            }
        } else {
            self.whole(format!("{number}{}", fold::fold(unit)));
        }
        self.whole(number);
    }

    /// The text as a whole, and its parts by every kind of separator, the widest first.
    fn levels(&mut self, text: &str, level: usize) {
        let parts = cut::parts(text, level);
        let is_one = parts.len() < 2;
        if is_one && level + 1 < cut::LEVELS {
            return self.levels(text, level + 1);
        }
        if is_one {
            return self.word(text);
        }
        self.whole(fold::fold(text));
        if let Some(version) = version(text) {
            self.whole(fold::fold(version));
        }
        for part in parts {
            self.levels(part, level + 1);
        }
    }

    /// What is more than a word: it is found as it stands.
    fn whole(&mut self, folded: String) {
        let folded = shortened(folded);
        if !folded.is_empty() {
            self.words.push(folded.clone());
            self.stems.push(folded);
        }
    }

    fn word(&mut self, text: &str) {
        let folded = shortened(fold::fold(text));
        if folded.is_empty() {
            return;
        }
        self.stems.push(stem(&folded).into_owned());
        self.words.push(folded);
    }
}

/// The stem by the script, since a short question tells no language: the same for rows and for questions.
pub(super) fn stem(folded: &str) -> Cow<'_, str> {
    let letters = folded.len() <= LONGEST_STEMMED_BYTES && folded.chars().all(char::is_alphabetic);
    if !letters {
        return Cow::Borrowed(folded);
    }
    let algorithm = match folded.chars().next() {
        Some('\u{400}'..='\u{4ff}') => Algorithm::Russian,
        Some('\u{370}'..='\u{3ff}') => Algorithm::Greek,
        Some('\u{600}'..='\u{6ff}') => Algorithm::Arabic,
        Some('\0'..='\u{24f}') => Algorithm::English,
        _ => return Cow::Borrowed(folded),
    };
    let stem = Stemmer::new(algorithm).stem(folded);
    if stem.is_empty() {
        Cow::Borrowed(folded)
    } else {
        stem
    }
}

fn without_possessive(text: &str) -> &str {
    let endings = ["'s", "’s", "'S", "’S"];
    endings
        .iter()
        .find_map(|ending| text.strip_suffix(ending))
        .unwrap_or(text)
}

/// `v1.2.3-rc.1` is also the version `1.2.3`.
fn version(text: &str) -> Option<&str> {
    let bare = text.strip_prefix(['v', 'V']).unwrap_or(text);
    let release = bare.split(['-', '+']).next()?;
    let is_version = release.starts_with(|c: char| c.is_ascii_digit()) && release.contains('.');
    (is_version && release != text).then_some(release)
}

/// A number, without the commas that group its thousands, and the letters that stand directly behind it.
fn amount(text: &str) -> Option<(String, &str)> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let well_formed = number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && unit.chars().all(char::is_alphabetic);
    if !well_formed {
        return None;
    }
    let groups = number.split(',').skip(1);
    let grouped = groups
        .into_iter()
        .all(|group| group.split('.').next().is_some_and(|it| it.len() == 3));
    Some((
        if grouped {
            number.replace(',', "")
        } else {
            number.to_owned()
        },
        unit,
    ))
}

fn shortened(mut token: String) -> String {
    token.truncate(token.floor_char_boundary(LONGEST_BYTES));
    token
}
