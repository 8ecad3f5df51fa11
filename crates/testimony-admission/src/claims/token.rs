//! Tokens: words, numbers, things such as addresses and paths, and marks, each with what the tables say of it.

use std::borrow::Cow;

use super::class::Class;
use super::lexicon::{Language, Lexeme, lexicon};
use super::words::sketch;

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
    /// Which words it may be, so that lists need not be compared with it; see [`Words`](super::words::Words).
    pub(crate) sketch: u8,
    /// Whether it holds characters beyond ASCII.
    pub(crate) beyond_ascii: bool,
}

impl Token {
    /// Whether it is of any of `classes`.
    #[inline]
    pub(crate) const fn is(&self, classes: Class) -> bool {
        self.classes & classes != 0
    }

    /// Whether it is the mark `mark`.
    #[inline]
    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.shape == Shape::Mark(mark)
    }

    /// Whether it is any mark.
    #[inline]
    pub(crate) const fn is_any_mark(&self) -> bool {
        matches!(self.shape, Shape::Mark(_))
    }

    /// The word's number in the lexicon; 0 for a word that is not there.
    #[inline]
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
    #[inline]
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// A word in lower case; most are written so.
pub(crate) fn lower_case(word: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if word.bytes().all(is_lower) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(word.to_lowercase())
    }
}

/// The tokens of `text` between `start` and `end`, and the language that its words speak for.
pub(crate) fn tokens(text: &str, start: usize, end: usize) -> (Vec<Token>, Language) {
    let part = text.get(start..end).unwrap_or_default();
    let mut found = Vec::with_capacity(part.len() / 5 + 2);
    let mut at = 0;
    while at < part.len() {
        let rest = part.as_bytes().get(at..).unwrap_or_default();
        let mut seen = 0;
        let length = rest
            .iter()
            .position(|byte| {
                let class = class_of(*byte);
                seen |= class;
                class == SPACE
            })
            .unwrap_or(rest.len());
        let chunk = part.get(at..at + length).unwrap_or_default();
        if seen & !SPACE == LETTER {
            // Most chunks are letters and nothing else: a word without marks around it.
            push_token(chunk, start + at, Shape::Word, &mut found);
        } else if seen & BEYOND == 0 {
            push_chunk(chunk, start + at, &mut found);
        } else {
            push_chunks(chunk, start + at, &mut found);
        }
        at += length + 1;
    }
    let language = Language::spoken_by(&found);
    for token in &mut found {
        token.classes = token.lexeme.map_or(0, |lexeme| lexeme.classes_in(language));
    }
    (found, language)
}

/// The chunks of what may hold white space beyond ASCII.
fn push_chunks(part: &str, offset: usize, out: &mut Vec<Token>) {
    let mut chunk_start = None;
    for (at, c) in part.char_indices() {
        if c.is_whitespace() {
            if let Some(from) = chunk_start.take() {
                push_chunk(part.get(from..at).unwrap_or_default(), offset + from, out);
            }
        } else if chunk_start.is_none() {
            chunk_start = Some(at);
        }
    }
    if let Some(from) = chunk_start {
        push_chunk(part.get(from..).unwrap_or_default(), offset + from, out);
    }
}

/// What a byte says of the chunk that it stands in, one bit each.
type ByteClass = u8;

/// A letter.
const LETTER: ByteClass = 1;
/// A digit.
const DIGIT: ByteClass = 1 << 1;
/// A mark that addresses, paths and identifiers hold and words do not.
const THING: ByteClass = 1 << 2;
/// A mark that glues two words together.
const GLUE: ByteClass = 1 << 3;
/// An apostrophe.
const APOSTROPHE: ByteClass = 1 << 4;
/// White space.
const SPACE: ByteClass = 1 << 5;
/// Part of a character beyond ASCII, which may be any of these.
const BEYOND: ByteClass = 1 << 6;
/// Any other mark.
const OTHER: ByteClass = 1 << 7;

/// The class of every byte, so that a chunk is judged by one pass over it.
const CLASSES: [ByteClass; 256] = {
    let mut classes = [OTHER; 256];
    let mut rest: &mut [ByteClass] = &mut classes;
    let mut byte = 0_u8;
    while let [class, tail @ ..] = rest {
        *class = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'/' | b'@' | b'_' | b'\\' | b'=' | b':' | b'.' | b'<' | b'$' | b'#' | b'&' | b'+' => {
                THING
            }
            b',' | b';' | b'"' | b'(' => GLUE,
            b'\'' => APOSTROPHE,
            b'\t'..=b'\r' | b' ' => SPACE,
            128.. => BEYOND,
            _ => OTHER,
        };
        byte = byte.wrapping_add(1);
        rest = tail;
    }
    classes
};

fn class_of(byte: u8) -> ByteClass {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

fn classes_of(word: &str) -> ByteClass {
    word.bytes().fold(0, |seen, byte| seen | class_of(byte))
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

/// A chunk without white space: marks, a core, marks.
fn push_chunk(chunk: &str, base: usize, out: &mut Vec<Token>) {
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
        sketch: sketch(mark.encode_utf8(&mut [0; 4])),
        beyond_ascii: !mark.is_ascii(),
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
        capital: core.starts_with(char::is_uppercase),
        sketch: sketch(core),
        beyond_ascii: !core.is_ascii(),
    });
}

/// A chunk without the marks around it; what is glued to a word (`'s`, `n't`, `l'`, a dash) becomes a token of its own.
fn push_core(core: &str, at: usize, out: &mut Vec<Token>) {
    let seen = classes_of(core);
    match shape_of(core, seen) {
        Shape::Word
            if seen & GLUE != 0
                || seen & BEYOND != 0 && core.contains(['—', '–', '…', '“', '”']) =>
        {
            push_glued(core, at, out);
        }
        Shape::Word if seen & (APOSTROPHE | BEYOND) != 0 => push_word(core, at, out),
        shape @ (Shape::Word | Shape::Number | Shape::Thing | Shape::Mark(_) | Shape::Symbol) => {
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

fn shape_of(core: &str, seen: ByteClass) -> Shape {
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
    if seen & (DIGIT | THING) != 0 {
        let told = seen & (LETTER | DIGIT) != 0
            || seen & BEYOND != 0 && core.chars().any(char::is_alphanumeric);
        return if told { Shape::Thing } else { Shape::Symbol };
    }
    if seen & LETTER != 0 || seen & BEYOND != 0 && core.chars().any(char::is_alphabetic) {
        Shape::Word
    } else {
        Shape::Symbol
    }
}
