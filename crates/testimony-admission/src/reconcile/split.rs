//! A text cut into the words by which statements are compared, in any script.

/// Words, and what typing says about them.
#[derive(Default)]
pub(super) struct Split {
    /// In lower case; characters one by one where a script has no spaces, numbers in one.
    pub(super) words: Vec<String>,
    /// The places of the words that begin with a capital.
    pub(super) capitals: Vec<usize>,
    /// The places of the words in front of which a comma or a dash stands.
    pub(super) paused: Vec<usize>,
    /// The places of the words that own what follows: "Mara's".
    pub(super) owners: Vec<usize>,
}

/// The words of a text.
pub(super) fn split(text: &str) -> Vec<String> {
    split_as_typed(text).words
}

/// The words of a text, and what typing says about them.
pub(super) fn split_as_typed(text: &str) -> Split {
    let mut cutter = Cutter::default();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if is_unspaced(c) {
            cutter.take_character(c);
        } else if is_of_word(c) || cutter.is_joined_by(c, &rest) {
            cutter.take_letter(c);
        } else if matches!(c, '\'' | '’') && !cutter.word.is_empty() {
            if is_possessive(&rest) {
                cutter.split.owners.push(cutter.split.words.len());
                rest.next();
            } else {
                cutter.take_apostrophe();
            }
        } else {
            cutter.end_word();
            if matches!(c, ',' | ';' | '-' | '–' | '—' | '(') {
                cutter.split.paused.push(cutter.split.words.len());
            }
        }
    }
    cutter.end_word();
    cutter.split
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

#[derive(Default)]
struct Cutter {
    split: Split,
    word: String,
    /// Whether the word is a number of Chinese characters so far.
    is_number: bool,
}

impl Cutter {
    fn end_word(&mut self) {
        self.is_number = false;
        if !self.word.is_empty() {
            self.split.words.push(std::mem::take(&mut self.word));
        }
    }

    fn take_character(&mut self, c: char) {
        let number = is_chinese_number(c);
        if !(self.is_number && number) {
            self.end_word();
        }
        self.word.push(c);
        self.is_number = number;
        if !number {
            self.end_word();
        }
    }

    fn take_letter(&mut self, c: char) {
        if self.is_number {
            self.end_word();
        }
        if self.word.is_empty() && c.is_uppercase() {
            self.split.capitals.push(self.split.words.len());
        }
        self.word.extend(c.to_lowercase());
    }

    /// "l'autobus" and "don't": an article goes, a denial stays. "s'appelle": the pronoun says no more than the verb; "we're":
    /// the verb is no more than that.
    fn take_apostrophe(&mut self) {
        if self.word == "s" {
            self.word.clear();
        } else if matches!(self.word.as_str(), "i" | "we" | "he") {
            self.end_word();
            self.word.push('\'');
        } else if self.word.chars().count() < 3 && self.word != "d" && self.word != "it" {
            self.end_word();
        } else {
            self.word.push('\'');
        }
    }

    /// Whether a sign stands inside a word or a number: "re-open", "22.04", "7:30".
    fn is_joined_by(&self, c: char, rest: &Rest<'_>) -> bool {
        let after_digit = self.word.ends_with(|l: char| l.is_ascii_digit());
        matches!(c, '.' | ':' | ',' | '-' | '@' | '/' | '_')
            && !self.word.is_empty()
            && !(c == '-' && is_clitic(rest))
            && rest
                .clone()
                .next()
                .is_some_and(|next| next.is_alphanumeric() && after_digit == next.is_ascii_digit())
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '%' | '€' | '$' | '£' | '#') || is_mark_of_letter(c)
}

/// Whether a character belongs to a script that is written without spaces.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{0e00}'..='\u{0eff}' | '\u{1780}'..='\u{17ff}')
}

pub(super) const fn is_chinese_number(c: char) -> bool {
    matches!(
        c,
        '一' | '二'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十'
            | '百'
            | '千'
            | '万'
            | '两'
            | '零'
            | '〇'
    )
}

/// Whether an `s` and the end of the word follow, as in "Mara's".
fn is_possessive(rest: &Rest<'_>) -> bool {
    let mut ahead = rest.clone();
    matches!(ahead.next(), Some('s' | 'S')) && ahead.next().is_none_or(|c| !c.is_alphanumeric())
}

/// Whether a pronoun follows that hangs on its verb, as in "mudou-se".
fn is_clitic(rest: &Rest<'_>) -> bool {
    let letters: String = rest
        .clone()
        .take(4)
        .take_while(|c| c.is_alphabetic())
        .collect();
    matches!(letters.as_str(), "se" | "me" | "nos" | "lhe" | "lo" | "la")
}

/// Signs that stand on letters in scripts of India and the Near East.
const fn is_mark_of_letter(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{0900}'..='\u{0dff}' | '\u{064b}'..='\u{065f}')
}
