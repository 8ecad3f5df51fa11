//! Escapes resolved in place: percent, HTML, `\u`, `\x`, octal and the usual backslash ones.

use std::ops::Range;

use super::Layer;
use super::view::{Builder, View};
use crate::work::steps;

/// Named HTML entities that stand for ASCII, and the blank.
const NAMED: &[(&str, char)] = &[
    ("amp", '&'),
    ("apos", '\''),
    ("ast", '*'),
    ("bsol", '\\'),
    ("colon", ':'),
    ("comma", ','),
    ("commat", '@'),
    ("dollar", '$'),
    ("equals", '='),
    ("excl", '!'),
    ("gt", '>'),
    ("hyphen", '-'),
    ("lowbar", '_'),
    ("lpar", '('),
    ("lt", '<'),
    ("nbsp", ' '),
    ("num", '#'),
    ("percnt", '%'),
    ("period", '.'),
    ("plus", '+'),
    ("quest", '?'),
    ("quot", '"'),
    ("rpar", ')'),
    ("semi", ';'),
    ("sol", '/'),
    ("shy", '\u{ad}'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
];
/// The longest entity that is read, from the ampersand to the semicolon.
const LONGEST_ENTITY: usize = 12;

/// The view with its escapes resolved, where it has any.
pub(super) fn unescape<'a>(parent: &View<'a>) -> Option<View<'a>> {
    let text = parent.text();
    let bytes = text.as_bytes();
    if !holds(bytes, |b| (b == b'%') | (b == b'&') | (b == b'\\')) {
        return None;
    }
    let mut at = next_mark(bytes, 0)?;
    let mut builder = Builder::new(parent);
    let mut kept_from = 0;
    let mut changed = false;
    loop {
        let resolved = match bytes.get(at) {
            Some(b'%') => percent(bytes, at),
            Some(b'&') => entity(text, at),
            Some(_) => backslash(text, at),
            None => None,
        };
        let end = match resolved {
            Some(Resolved { text, unit, range }) => {
                builder.keep(kept_from..range.start);
                let start = range.start;
                if unit == 0 {
                    builder.put(&text, range.clone());
                } else {
                    builder.put_decoded(&text, |r| start + r.start * unit..start + r.end * unit);
                }
                changed = true;
                kept_from = range.end;
                range.end
            }
            None => at + 1,
        };
        match next_mark(bytes, end) {
            Some(next) => at = next,
            None => break,
        }
    }
    builder.keep(kept_from..text.len());
    changed.then(|| builder.finish(Layer::Unescaped, parent.depth() + 1))
}

/// Whether one of the bytes is meant. The question stops at none of them, so the processor asks it of many at once.
pub(super) fn holds(bytes: &[u8], is_meant: impl Fn(u8) -> bool) -> bool {
    steps(bytes.len());
    let found = bytes
        .iter()
        .fold(0, |found, byte| found | u8::from(is_meant(*byte)));
    found != 0
}

/// What an escape says, and where it stands. With a `unit`, every byte of the text took that many bytes.
struct Resolved {
    text: String,
    unit: usize,
    range: Range<usize>,
}

fn next_mark(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = rest.iter().position(|b| matches!(b, b'%' | b'&' | b'\\'));
    steps(found.unwrap_or(rest.len()));
    found.map(|found| from + found)
}

/// A run of `%XX`, as far as it is UTF-8 text. No pair beyond that is read, or a run of pairs that are no text would be
/// read anew from each of them.
fn percent(bytes: &[u8], start: usize) -> Option<Resolved> {
    let unit = 3;
    let mut text = String::new();
    while let Some(character) = percent_character(bytes.get(start + text.len() * unit..)?) {
        text.push(character);
    }
    let range = start..start + text.len() * unit;
    (!text.is_empty()).then_some(Resolved { text, unit, range })
}

/// The character that the first pairs spell.
fn percent_character(bytes: &[u8]) -> Option<char> {
    let mut spelled = [0; 4];
    let mut len = 0;
    for (byte, triple) in spelled.iter_mut().zip(bytes.as_chunks::<3>().0) {
        steps(1);
        let [b'%', high, low] = triple else { break };
        let Some(pair) = hex_pair(*high, *low) else {
            break;
        };
        *byte = pair;
        len += 1;
    }
    let valid = spelled.get(..len)?.utf8_chunks().next()?.valid();
    valid.chars().next()
}

/// The value of one hexadecimal digit.
pub(super) const fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// The byte that two hexadecimal digits spell.
pub(super) fn hex_pair(high: u8, low: u8) -> Option<u8> {
    Some(hex_digit(high)? << 4 | hex_digit(low)?)
}

/// `&#65;`, `&#x41;`, `&amp;`; a numeric one also without its semicolon.
fn entity(text: &str, start: usize) -> Option<Resolved> {
    let rest = text.as_bytes().get(start + 1..)?;
    let limit = rest.get(..LONGEST_ENTITY).unwrap_or(rest);
    let (character, len) = match limit {
        [b'#', b'x' | b'X', digits @ ..] => numeric(digits, 16).map(|(c, n)| (c, n + 2))?,
        [b'#', digits @ ..] => numeric(digits, 10).map(|(c, n)| (c, n + 1))?,
        _ => {
            let len = limit.iter().position(|b| *b == b';')?;
            let name = std::str::from_utf8(limit.get(..len)?).ok()?;
            let (_, character) = NAMED.iter().find(|(known, _)| *known == name)?;
            (*character, len)
        }
    };
    let semicolon = usize::from(rest.get(len) == Some(&b';'));
    Some(single(character, start..start + 1 + len + semicolon))
}

fn numeric(digits: &[u8], radix: u32) -> Option<(char, usize)> {
    let len = digits
        .iter()
        .take_while(|b| char::from(**b).is_digit(radix))
        .count();
    let value = digits
        .get(..len)
        .and_then(|d| std::str::from_utf8(d).ok())?;
    let character = char::from_u32(u32::from_str_radix(value, radix).ok()?)?;
    Some((character, len))
}

fn single(character: char, range: Range<usize>) -> Resolved {
    let text = character.to_string();
    Resolved {
        text,
        unit: 0,
        range,
    }
}

/// A backslash escape.
fn backslash(text: &str, start: usize) -> Option<Resolved> {
    let rest = text.as_bytes().get(start + 1..)?;
    let (character, len) = match rest {
        [b'u', b'{', digits @ ..] => {
            let (character, len) = numeric(digits.get(..8).unwrap_or(digits), 16)?;
            let closed = digits.get(len) == Some(&b'}');
            closed.then_some((character, len + 3))?
        }
        [b'u', digits @ ..] => utf16(digits).map(|(c, n)| (c, n + 1))?,
        [b'U', digits @ ..] => exact(digits, 8, 16)?,
        [b'x', digits @ ..] => exact(digits, 2, 16)?,
        [b'0'..=b'3', b'0'..=b'7', b'0'..=b'7', ..] => {
            exact(rest, 3, 8).map(|(c, n)| (c, n - 1))?
        }
        [b'n', ..] => ('\n', 1),
        [b'r', ..] => ('\r', 1),
        [b't', ..] => ('\t', 1),
        [sign @ (b'"' | b'\'' | b'/' | b'\\'), ..] => (char::from(*sign), 1),
        _ => return None,
    };
    Some(single(character, start..start + 1 + len))
}

/// A number of exactly `len` digits after its letter: the character, and how long letter and digits are.
fn exact(digits: &[u8], len: usize, radix: u32) -> Option<(char, usize)> {
    let (character, read) = numeric(digits.get(..len)?, radix)?;
    (read == len).then_some((character, len + 1))
}

/// Four digits, or twice four for a surrogate pair.
fn utf16(digits: &[u8]) -> Option<(char, usize)> {
    let unit = |from: usize| {
        let four = digits.get(from..from + 4)?;
        let text = std::str::from_utf8(four).ok()?;
        let all_hex = four.iter().all(u8::is_ascii_hexdigit);
        all_hex
            .then(|| u16::from_str_radix(text, 16).ok())
            .flatten()
    };
    let first = unit(0)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some((character, 4));
    }
    let escaped = digits.get(4..6) == Some(b"\\u");
    let second = escaped.then(|| unit(6)).flatten()?;
    let character = char::decode_utf16([first, second]).next()?.ok()?;
    Some((character, 10))
}
