//! Tokens: words, numbers, things such as addresses and paths, and marks, each with what the tables say of it.

use super::class::Class;
use super::lexicon::{Language, Lexeme, lexicon};

/// What a token is by its characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Letters, perhaps with hyphens.
    Word,
    /// Begins with a digit, perhaps after a sign or a currency.
    Number,
    /// An address, a path, an identifier: no spaces, and characters that words do not hold.
    Thing,
    /// Punctuation.
    Mark(char),
    /// An emoji or another symbol.
    Symbol,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// Where it ends, in bytes.
    pub(crate) end: usize,
    /// What it is by its characters.
    pub(crate) shape: Shape,
    /// The word in the lexicon, if it is there.
    pub(crate) lexeme: Option<&'static Lexeme>,
    /// What it is by the tables, in the language of its sentence.
    pub(crate) classes: Class,
    /// Whether its first letter is a capital.
    pub(crate) capital: bool,
}

impl Token {
    /// Whether it is of any of `classes`.
    pub(crate) const fn is(&self, classes: Class) -> bool {
        self.classes & classes != 0
    }

    /// Whether it is the mark `mark`.
    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.shape == Shape::Mark(mark)
    }

    /// Whether it is any mark.
    pub(crate) const fn is_any_mark(&self) -> bool {
        matches!(self.shape, Shape::Mark(_))
    }

    /// The word's number in the lexicon; 0 for a word that is not there.
    pub(crate) fn id(&self) -> u16 {
        self.lexeme.map_or(0, |lexeme| lexeme.id)
    }

    /// The month that its word names; 0 for none.
    pub(crate) fn month(&self) -> i8 {
        self.lexeme.map_or(0, |lexeme| lexeme.month)
    }

    /// The value of its word: which number, which day of the week.
    pub(crate) fn value(&self) -> i32 {
        self.lexeme.map_or(0, |lexeme| lexeme.value)
    }

    /// Its characters in `text`.
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The tokens of `text` between `start` and `end`, and the language that its words speak for.
pub(crate) fn tokens(text: &str, start: usize, end: usize) -> (Vec<Token>, Language) {
    let mut found = Vec::with_capacity((end - start) / 5 + 2);
    let part = text.get(start..end).unwrap_or_default();
    let mut chunk_start = None;
    for (at, c) in part.char_indices() {
        if c.is_whitespace() {
            if let Some(from) = chunk_start.take() {
                push_chunk(part, from, at, start, &mut found);
            }
        } else if chunk_start.is_none() {
            chunk_start = Some(at);
        }
    }
    if let Some(from) = chunk_start {
        push_chunk(part, from, part.len(), start, &mut found);
    }
    let language = Language::spoken_by(&found);
    for token in &mut found {
        token.classes = token.lexeme.map_or(0, |lexeme| lexeme.classes_in(language));
    }
    (found, language)
}

/// Marks that may stand before a word without being part of it.
fn is_opener(c: char) -> bool {
    matches!(
        c,
        '(' | '['
            | '{'
            | '"'
            | '\''
            | '“'
            | '„'
            | '‚'
            | '‘'
            | '«'
            | '‹'
            | '¿'
            | '¡'
            | '*'
            | '_'
            | '`'
            | '~'
            | '<'
            | '「'
            | '『'
            | '（'
            | '#'
            | '—'
            | '–'
            | '-'
            | '>'
            | '|'
            | '='
            | '+'
            | '•'
    )
}

/// Marks that may stand behind a word without being part of it.
fn is_closer(c: char) -> bool {
    matches!(
        c,
        ')' | ']'
            | '}'
            | '"'
            | '\''
            | '”'
            | '’'
            | '“'
            | '»'
            | '›'
            | '.'
            | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '…'
            | '*'
            | '_'
            | '`'
            | '~'
            | '>'
            | '」'
            | '』'
            | '）'
            | '。'
            | '！'
            | '？'
            | '、'
            | '，'
            | '—'
            | '–'
            | '-'
            | '|'
            | '='
    )
}

fn push_chunk(part: &str, from: usize, to: usize, offset: usize, out: &mut Vec<Token>) {
    let Some(chunk) = part.get(from..to) else {
        return;
    };
    let base = offset + from;
    let mut core_start = 0;
    let mut core_end = chunk.len();
    for (at, c) in chunk.char_indices() {
        let sign = matches!(c, '-' | '+')
            && chunk
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with(|d: char| d.is_ascii_digit()));
        if !is_opener(c) || sign {
            break;
        }
        push_mark(base + at, c, out);
        core_start = at + c.len_utf8();
    }
    let rest = chunk.get(core_start..).unwrap_or_default();
    let trailing = rest
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_closer(*c))
        .last();
    if let Some((at, _)) = trailing {
        core_end = core_start + at;
    }
    push_core(
        chunk.get(core_start..core_end).unwrap_or_default(),
        base + core_start,
        out,
    );
    for (at, c) in chunk.get(core_end..).unwrap_or_default().char_indices() {
        push_mark(base + core_end + at, c, out);
    }
}

fn push_mark(at: usize, mark: char, out: &mut Vec<Token>) {
    out.push(Token {
        start: at,
        end: at + mark.len_utf8(),
        shape: Shape::Mark(mark),
        lexeme: None,
        classes: 0,
        capital: false,
    });
}

fn push_token(core: &str, at: usize, shape: Shape, out: &mut Vec<Token>) {
    if core.is_empty() {
        return;
    }
    let lexeme = match shape {
        Shape::Word | Shape::Thing => lexicon().find(core),
        Shape::Number | Shape::Mark(_) | Shape::Symbol => None,
    };
    out.push(Token {
        start: at,
        end: at + core.len(),
        shape,
        lexeme,
        classes: 0,
        capital: core.chars().next().is_some_and(char::is_uppercase),
    });
}

/// A chunk without the marks around it; what is glued to a word (`'s`, `n't`, `l'`, a dash) becomes a token of its own.
fn push_core(core: &str, at: usize, out: &mut Vec<Token>) {
    match shape_of(core) {
        Shape::Word if core.contains(['—', '–', '…', ',', ';', '"', '(', '“', '”']) => {
            push_glued(core, at, out);
        }
        Shape::Word => push_word(core, at, out),
        shape @ (Shape::Number | Shape::Thing | Shape::Mark(_) | Shape::Symbol) => {
            push_token(core, at, shape, out);
        }
    }
}

/// Words that a dash or a comma glues together without a space.
fn push_glued(core: &str, at: usize, out: &mut Vec<Token>) {
    let mut from = 0;
    for (place, c) in core.char_indices() {
        if matches!(c, '—' | '–' | '…' | ',' | ';' | '"' | '(' | '“' | '”') {
            push_word(core.get(from..place).unwrap_or_default(), at + from, out);
            push_mark(at + place, c, out);
            from = place + c.len_utf8();
        }
    }
    push_word(core.get(from..).unwrap_or_default(), at + from, out);
}

/// What may be glued to the end of a word behind an apostrophe.
const ENDINGS: &[&str] = &["s", "m", "re", "ve", "ll", "d", "S"];
/// What may be glued to the front of a word before an apostrophe.
const ELISIONS: &[&str] = &[
    "l", "d", "j", "m", "s", "c", "n", "qu", "t", "L", "D", "J", "M", "S", "C", "N", "Qu", "T",
];

fn push_word(core: &str, at: usize, out: &mut Vec<Token>) {
    let Some((place, mark)) = core.char_indices().find(|(_, c)| matches!(c, '\'' | '’')) else {
        push_token(core, at, Shape::Word, out);
        return;
    };
    let (head, tail) = core.split_at_checked(place).unwrap_or((core, ""));
    let (_, behind) = core
        .split_at_checked(place + mark.len_utf8())
        .unwrap_or((core, ""));
    if behind == "t" && head.ends_with(['n', 'N']) && head.len() > 1 {
        let (stem, _) = head.split_at_checked(head.len() - 1).unwrap_or((head, ""));
        push_token(stem, at, Shape::Word, out);
        push_token(
            core.get(stem.len()..).unwrap_or_default(),
            at + stem.len(),
            Shape::Word,
            out,
        );
    } else if ENDINGS.contains(&behind) {
        push_token(head, at, Shape::Word, out);
        push_token(tail, at + place, Shape::Word, out);
    } else if ELISIONS.contains(&head) && !behind.is_empty() {
        let cut = place + mark.len_utf8();
        push_token(core.get(..cut).unwrap_or_default(), at, Shape::Word, out);
        push_token(behind, at + cut, Shape::Word, out);
    } else {
        push_token(core, at, Shape::Word, out);
    }
}

fn shape_of(core: &str) -> Shape {
    let mut chars = core.chars();
    let Some(first) = chars.next() else {
        return Shape::Symbol;
    };
    if first.is_ascii_digit() {
        return Shape::Number;
    }
    if matches!(first, '$' | '€' | '£' | '¥' | '+' | '-' | '−' | '~')
        && chars.next().is_some_and(|second| second.is_ascii_digit())
    {
        return Shape::Number;
    }
    if core.chars().any(|c| {
        c.is_ascii_digit()
            || matches!(
                c,
                '/' | '@' | '_' | '\\' | '=' | ':' | '.' | '<' | '$' | '#' | '&' | '+'
            )
    }) {
        return if core.chars().any(char::is_alphanumeric) {
            Shape::Thing
        } else {
            Shape::Symbol
        };
    }
    if core.chars().any(char::is_alphabetic) {
        Shape::Word
    } else {
        Shape::Symbol
    }
}
