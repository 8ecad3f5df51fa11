//! Disguises that a secret may wear: what somebody does to a value so that a scanner of plain text does not see it.
//!
//! Without dependencies, so that any crate can attack its own scanner with them.

/// One way to disguise a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transform {
    /// Nothing is done.
    Raw,
    /// A zero-width space after every few characters.
    ZeroWidthSpace,
    /// A zero-width joiner after every few characters.
    ZeroWidthJoiner,
    /// A byte order mark after every few characters.
    WordJoinerBom,
    /// A soft hyphen after every few characters.
    SoftHyphen,
    /// Every ASCII character in its full-width form.
    Fullwidth,
    /// A line break in the middle.
    LineWrap,
    /// A backslash, a line break and an indent in the middle.
    LineWrapIndent,
    /// Base64 with padding.
    Base64,
    /// Base64 in the URL alphabet without padding.
    Base64UrlNoPad,
    /// Base64 broken into short lines.
    Base64WrappedLines,
    /// Hexadecimal.
    Hex,
    /// Decimal HTML entities.
    HtmlEntity,
    /// JSON's `\u` escapes.
    JsonUnicodeEscape,
    /// Percent escapes.
    Percent,
}

impl Transform {
    /// Every disguise, the absence of one first.
    pub const ALL: [Self; 15] = [
        Self::Raw,
        Self::ZeroWidthSpace,
        Self::ZeroWidthJoiner,
        Self::WordJoinerBom,
        Self::SoftHyphen,
        Self::Fullwidth,
        Self::LineWrap,
        Self::LineWrapIndent,
        Self::Base64,
        Self::Base64UrlNoPad,
        Self::Base64WrappedLines,
        Self::Hex,
        Self::HtmlEntity,
        Self::JsonUnicodeEscape,
        Self::Percent,
    ];
}

/// `value` in its disguise.
#[must_use]
pub fn apply(transform: Transform, value: &str) -> String {
    match transform {
        Transform::Raw => value.to_owned(),
        Transform::ZeroWidthSpace => between(value, 4, '\u{200b}'),
        Transform::ZeroWidthJoiner => between(value, 7, '\u{200d}'),
        Transform::WordJoinerBom => between(value, 9, '\u{feff}'),
        Transform::SoftHyphen => between(value, 5, '\u{ad}'),
        Transform::Fullwidth => value.chars().map(fullwidth).collect(),
        Transform::LineWrap => halves(value).join("\n"),
        Transform::LineWrapIndent => halves(value).join("\\\n    "),
        Transform::Base64 => base64(value, STANDARD, true),
        Transform::Base64UrlNoPad => base64(value, URL, false),
        Transform::Base64WrappedLines => lines(&base64(value, STANDARD, true)),
        Transform::Hex => each_byte(value, |byte| format!("{byte:02x}")),
        Transform::HtmlEntity => each_char(value, |code| format!("&#{code};")),
        Transform::JsonUnicodeEscape => each_utf16(value),
        Transform::Percent => each_byte(value, |byte| format!("%{byte:02X}")),
    }
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const WRAPPED_LINE: usize = 20;

fn between(value: &str, every: usize, mark: char) -> String {
    let mut written = String::new();
    for (count, character) in value.chars().enumerate() {
        if count > 0 && count % every == 0 {
            written.push(mark);
        }
        written.push(character);
    }
    written
}

fn fullwidth(character: char) -> char {
    let code = u32::from(character);
    let wide = (0x21..=0x7e)
        .contains(&code)
        .then(|| char::from_u32(code + 0xfee0));
    wide.flatten().unwrap_or(character)
}

fn halves(value: &str) -> [&str; 2] {
    let middle = value.floor_char_boundary(value.len() / 2);
    value
        .split_at_checked(middle)
        .map_or([value, ""], |(first, second)| [first, second])
}

fn base64(value: &str, alphabet: &[u8; 64], padded: bool) -> String {
    let mut written = String::new();
    for group in value.as_bytes().chunks(3) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4_usize {
            let sextet = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or_default();
            let letter = alphabet
                .get(sextet)
                .map_or('A', |letter| char::from(*letter));
            if place <= group.len() {
                written.push(letter);
            } else if padded {
                written.push('=');
            }
        }
    }
    written
}

fn lines(text: &str) -> String {
    let mut written = String::new();
    for (count, character) in text.chars().enumerate() {
        if count > 0 && count % WRAPPED_LINE == 0 {
            written.push('\n');
        }
        written.push(character);
    }
    written
}

fn each_byte(value: &str, write: impl Fn(u8) -> String) -> String {
    value.bytes().map(write).collect()
}

fn each_char(value: &str, write: impl Fn(u32) -> String) -> String {
    value
        .chars()
        .map(|character| write(u32::from(character)))
        .collect()
}

fn each_utf16(value: &str) -> String {
    value
        .encode_utf16()
        .map(|unit| format!("\\u{unit:04x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Transform, apply};

    #[test]
    fn known_texts_in_their_disguises() {
        let cases = [
            (Transform::Raw, "ab-1"),
            (Transform::ZeroWidthSpace, "ab-1"),
            (Transform::Fullwidth, "ａｂ－１"),
            (Transform::LineWrap, "ab\n-1"),
            (Transform::LineWrapIndent, "ab\\\n    -1"),
            (Transform::Base64, "YWItMQ=="),
            (Transform::Base64UrlNoPad, "YWItMQ"),
            (Transform::Hex, "61622d31"),
            (Transform::HtmlEntity, "&#97;&#98;&#45;&#49;"),
            (Transform::JsonUnicodeEscape, "\\u0061\\u0062\\u002d\\u0031"),
            (Transform::Percent, "%61%62%2D%31"),
        ];
        for (transform, expected) in cases {
            assert_eq!(apply(transform, "ab-1"), expected, "{transform:?}");
        }
    }
}
