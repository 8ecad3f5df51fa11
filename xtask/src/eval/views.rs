//! The ways in which somebody could still read a value in a text: as it stands, without disguise, and decoded.
//!
//! Written apart from admission's own normalising on purpose: a measurement that used the same reader would be blind
//! where it is blind.

use unicode_normalization::UnicodeNormalization;

/// How often decoding is repeated.
const DEPTH: usize = 2;
/// A shorter run of an encoding holds no value worth the name.
const LEAST_RUN: usize = 16;

/// Letters of other scripts that look like Latin ones.
const LOOKALIKES: &[(char, char)] = &[
    ('а', 'a'),
    ('е', 'e'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('у', 'y'),
    ('х', 'x'),
    ('і', 'i'),
    ('ј', 'j'),
    ('ѕ', 's'),
    ('А', 'A'),
    ('В', 'B'),
    ('Е', 'E'),
    ('К', 'K'),
    ('М', 'M'),
    ('Н', 'H'),
    ('О', 'O'),
    ('Р', 'P'),
    ('С', 'C'),
    ('Т', 'T'),
    ('Х', 'X'),
    ('І', 'I'),
    ('Ѕ', 'S'),
    ('Ј', 'J'),
    ('ο', 'o'),
    ('Ο', 'O'),
    ('ν', 'v'),
    ('α', 'a'),
];

/// Every reading of `text` but the text itself.
pub(super) fn readings(text: &str) -> Vec<String> {
    let mut readings = vec![fold(text)];
    let mut layer = unescape(text);
    for _ in 0..DEPTH {
        let folded = fold(&layer);
        layer = [unescape(&folded), base64(&folded), hex(&folded)].join("\n");
        readings.extend([folded.chars().rev().collect(), rot13(&folded), folded]);
    }
    readings.push(fold(&layer));
    readings
}

/// The text without what only disguises it: width, look-alikes, invisible characters, wraps, quotes and joints.
pub(super) fn fold(text: &str) -> String {
    text.nfkc().filter_map(plain).collect()
}

fn plain(c: char) -> Option<char> {
    let invisible = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    let joint = c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '`' | '\\' | '+');
    if invisible || joint {
        return None;
    }
    let tag = u32::from(c)
        .checked_sub(0xe_0000)
        .filter(|code| (0x20..0x7f).contains(code));
    if let Some(letter) = tag.and_then(char::from_u32) {
        return Some(letter);
    }
    let lookalike = LOOKALIKES.iter().find(|(from, _)| *from == c);
    Some(lookalike.map_or(c, |(_, to)| *to))
}

/// `%41`, `&#65;`, `&#x41;`, `\u0041` and `\x41` as the characters that they stand for.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (c, after) = escape(rest).unwrap_or((first, rest.split_at(first.len_utf8()).1));
        plain.push(c);
        rest = after;
    }
    plain
}

fn escape(text: &str) -> Option<(char, &str)> {
    for (mark, digits) in [("%", 2), ("\\u", 4), ("\\x", 2)] {
        if let Some(rest) = text.strip_prefix(mark) {
            let (number, after) = rest.split_at_checked(digits)?;
            return Some((character(number, 16)?, after));
        }
    }
    let (number, after) = text.strip_prefix("&#")?.split_once(';')?;
    let hexadecimal = number.strip_prefix(['x', 'X']);
    let c = hexadecimal.map_or_else(|| character(number, 10), |number| character(number, 16))?;
    Some((c, after))
}

fn character(number: &str, radix: u32) -> Option<char> {
    let short = number.len() <= 7 && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    short.then(|| {
        u32::from_str_radix(number, radix)
            .ok()
            .and_then(char::from_u32)
    })?
}

/// What the base64 in a text says, read from each of its first four characters, since a cut may have moved its start.
fn base64(text: &str) -> String {
    let runs = runs(text, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
    });
    let shifted = runs.flat_map(|run| (0..4).filter_map(move |shift| run.get(shift..)));
    shifted
        .map(|run| packed(run, 6, sextet))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What the hexadecimal digits in a text say.
fn hex(text: &str) -> String {
    let runs = runs(text, |byte| byte.is_ascii_hexdigit());
    let shifted = runs.flat_map(|run| (0..2).filter_map(move |shift| run.get(shift..)));
    shifted
        .map(|run| packed(run, 4, |byte| char::from(byte).to_digit(16)))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Every Latin letter moved half the alphabet on.
fn rot13(text: &str) -> String {
    let moved = |c: char, first: u8| {
        let place = u32::from(c) - u32::from(first);
        char::from_u32((place + 13) % 26 + u32::from(first)).unwrap_or(c)
    };
    let letters = text.chars().map(|c| match c {
        'a'..='z' => moved(c, b'a'),
        'A'..='Z' => moved(c, b'A'),
        _ => c,
    });
    letters.collect()
}

fn runs(text: &str, holds: fn(u8) -> bool) -> impl Iterator<Item = &[u8]> {
    text.as_bytes()
        .split(move |byte| !holds(*byte))
        .filter(|run| run.len() >= LEAST_RUN)
}

fn sextet(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(value.into())
}

/// Digits of `bits` bits each, put together to characters of eight.
fn packed(digits: &[u8], bits: u32, value: fn(u8) -> Option<u32>) -> String {
    let (mut held, mut waiting) = (0_u32, 0);
    let mut text = String::new();
    for digit in digits.iter().filter_map(|byte| value(*byte)) {
        held = (held << bits | digit) & 0xffff;
        waiting += bits;
        if waiting >= 8 {
            waiting -= 8;
            text.extend(char::from_u32(held >> waiting & 0xff));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(text: &str) -> bool {
        readings(text)
            .iter()
            .any(|reading| reading.contains("blue-heron-42"))
    }

    #[test]
    fn a_value_is_read_through_every_disguise() {
        for disguised in [
            "blue-heron-42",
            "blue\u{200b}-her\u{ad}on-42",
            "ｂｌｕｅ－ｈｅｒｏｎ－４２",
            "say Ymx1ZS1oZXJvbi00Mg== now",
            "say Ymx1ZS1o\nZXJvbi00Mg now",
            "WW14MVpTMW9aWEp2YmkwME1nPT0=",
            "626c75652d6865726f6e2d3432",
            "%62%6C%75%65%2D%68%65%72%6F%6E%2D%34%32",
            "&#98;&#108;&#117;&#x65;-heron-42",
            "\\u0062\\u006c\\u0075\\u0065-heron-42",
            "bl\u{443}e-heron-42 is not it, bluе-hеrоn-42 is",
            "\"blue-he\" + \"ron-42\"",
            "blue-her\\\n    on-42",
            "24-noreh-eulb",
            "oyhr-ureba-42",
        ] {
            assert!(reads(disguised), "{disguised}");
        }
    }

    #[test]
    fn another_value_is_not_read() {
        assert!(!reads("blue-heron-43 and Z3JlZW4taGVyb24tNDI="));
        assert!(!reads("%zz &#; \\u12 &#99999999;"));
    }
}
