//! Base64 and hexadecimal stretches replaced in place by the text that they hold.

use std::ops::Range;

use super::Layer;
use super::unescape::hex_pair;
use super::view::{Builder, View};
use crate::work::steps;

/// The shortest stretch that is tried.
const SHORTEST_RUN: usize = 16;
/// Text shorter than this inside decoded bytes is chance.
const SHORTEST_TEXT: usize = 10;
/// So many pairs with a blank, colon or the like between them are hexadecimal bytes.
const FEWEST_PAIRS: usize = 12;

/// The view with its encoded stretches decoded, where it has any that hold text.
pub(super) fn decode<'a>(parent: &View<'a>) -> Option<View<'a>> {
    let bytes = parent.text().as_bytes();
    let mut found: Vec<Found> = Vec::new();
    let mut from = 0;
    while let Some(run) = next_run(bytes, from) {
        from = run.end;
        steps(run.len());
        let stretch = bytes.get(run.clone()).unwrap_or_default();
        let shift = |text: Found| text.shifted(run.start);
        found.extend(texts_of(stretch).map(shift));
    }
    found.extend(spaced_hexadecimal(bytes));
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|text| text.source(0..1).start);
    let mut builder = Builder::new(parent);
    let mut kept_from = 0;
    for text in &found {
        let range = text.source(0..text.text.len());
        if range.start >= kept_from {
            builder.keep(kept_from..range.start);
            builder.put_decoded(&text.text, |stretch| text.source(stretch));
            kept_from = range.end;
        }
    }
    builder.keep(kept_from..parent.text().len());
    Some(builder.finish(Layer::Decoded, parent.depth() + 1))
}

/// Text that was found in decoded bytes, and where it was encoded.
struct Found {
    text: String,
    /// Offset of the first decoded byte of the text.
    first: usize,
    /// Where the encoding of byte 0 begins.
    start: usize,
    code: Code,
}

/// How many bytes of code stand for how many of text.
enum Code {
    /// Four for three.
    Base64,
    /// So many for one.
    Hex(usize),
}

impl Found {
    fn shifted(mut self, by: usize) -> Self {
        self.start += by;
        self
    }

    /// Where a stretch of the text is encoded.
    fn source(&self, stretch: Range<usize>) -> Range<usize> {
        let (from, to) = (self.first + stretch.start, self.first + stretch.end);
        match self.code {
            Code::Base64 => self.start + from * 4 / 3..self.start + (to * 4).div_ceil(3),
            Code::Hex(width) => self.start + from * width..self.start + to * width,
        }
    }
}

/// The next run of base64 letters that is long enough. Only every sixteenth byte is looked at until one is found.
fn next_run(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut probe = from + SHORTEST_RUN - 1;
    loop {
        let byte = bytes.get(probe)?;
        if !is_base64(*byte) {
            probe += SHORTEST_RUN;
            continue;
        }
        let before = bytes.get(from..probe)?;
        let back = before.iter().rev().take_while(|b| is_base64(**b)).count();
        let after = bytes.get(probe..)?;
        let ahead = after.iter().take_while(|b| is_base64(**b)).count();
        steps(back + ahead);
        let run = probe - back..probe + ahead;
        if run.len() >= SHORTEST_RUN {
            return Some(run);
        }
        probe = run.end + SHORTEST_RUN;
    }
}

/// What no letter of base64 stands for.
const NO_LETTER: u8 = 0xff;

/// The six bits that each byte stands for in either alphabet.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses what is out of bounds"
)]
const SEXTETS: [u8; 256] = {
    let mut table = [NO_LETTER; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = 0;
    while value < 64 {
        table[alphabet[value as usize] as usize] = value;
        value += 1;
    }
    table[b'-' as usize] = 62;
    table[b'_' as usize] = 63;
    table
};

fn sextet(byte: u8) -> u8 {
    SEXTETS.get(usize::from(byte)).copied().unwrap_or(NO_LETTER)
}

fn is_base64(byte: u8) -> bool {
    sextet(byte) != NO_LETTER
}

/// What a run holds. Of a path a single part may be hexadecimal; what is not is read as base64.
fn texts_of(run: &[u8]) -> impl Iterator<Item = Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut from = 0;
    for part in runs_of_digits(run) {
        let digits = run.get(part.clone()).unwrap_or_default();
        if let Some(texts) = hexadecimal(digits) {
            found.extend(base64_within(run, from..part.start));
            found.extend(texts.into_iter().map(|text| text.shifted(part.start)));
            from = part.end;
        }
    }
    found.extend(base64_within(run, from..run.len()));
    found.into_iter()
}

/// Where hexadecimal digits stand in a row, enough of them to hold text.
fn runs_of_digits(run: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    let parts = run.split(|byte| !byte.is_ascii_hexdigit());
    let ranges = parts.map(move |part| {
        let start = at;
        at += part.len() + 1;
        start..start + part.len()
    });
    ranges.filter(|range| range.len() >= 2 * SHORTEST_TEXT)
}

fn base64_within(run: &[u8], range: Range<usize>) -> impl Iterator<Item = Found> {
    let start = range.start;
    let texts = base64(run.get(range).unwrap_or_default());
    let texts = texts.into_iter().flatten();
    texts.map(move |text| text.shifted(start))
}

/// Reads digits as hexadecimal, in step with their beginning or one digit later.
fn hexadecimal(run: &[u8]) -> Option<Vec<Found>> {
    let readings = [0, 1].map(|start| {
        let pairs = run.get(start..).unwrap_or_default().as_chunks::<2>().0;
        if !spells_text(pairs) {
            return Vec::new();
        }
        let bytes: Vec<u8> = pairs.iter().filter_map(|[h, l]| hex_pair(*h, *l)).collect();
        texts_in(&bytes, start, &|| Code::Hex(2))
    });
    longest(readings)
}

/// Reads a run as base64, at whichever of the four alignments it holds the most text.
fn base64(run: &[u8]) -> Option<Vec<Found>> {
    let mut best: Vec<Found> = Vec::new();
    for start in 0..4 {
        let letters = run.get(start..).unwrap_or_default();
        if !(holds_ascii(letters) || start == 0 && begins_as_utf8(letters)) {
            continue;
        }
        let decoded: Vec<u8> = base64_bytes(letters).collect();
        let texts = texts_in(&decoded, start, &|| Code::Base64);
        if held(&texts) == decoded.len() {
            return Some(texts);
        }
        if held(&texts) > held(&best) {
            best = texts;
        }
    }
    (!best.is_empty()).then_some(best)
}

/// Whether enough pairs in a row are printable ASCII.
fn spells_text(pairs: &[[u8; 2]]) -> bool {
    let printable = |[high, _]: &[u8; 2]| (b'2'..=b'7').contains(high) || *high == b'0';
    has_row_of(SHORTEST_TEXT, pairs, printable)
}

/// Whether enough groups in a row are printable ASCII; chance makes few of them.
fn holds_ascii(letters: &[u8]) -> bool {
    let printable = |group: &[u8; 4]| {
        // The first letter alone says whether the first byte is ASCII; half of all letters say that it is not.
        let [first, ..] = group;
        let mut bytes = group_bytes(group).into_iter();
        sextet(*first) < 0x20 && bytes.all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
    };
    has_row_of(SHORTEST_TEXT / 3, letters.as_chunks::<4>().0, printable)
}

/// Whether `enough` items in a row pass. One of every `enough` items is part of any such row, so only those are looked
/// at until one of them passes.
fn has_row_of<T>(enough: usize, items: &[T], passes: impl Fn(&T) -> bool) -> bool {
    let mut probe = enough.saturating_sub(1);
    while let Some((before, [item, after @ ..])) = items.split_at_checked(probe) {
        if passes(item) {
            let row = |item: &&T| passes(item);
            let back = before.iter().rev().take(enough).take_while(row).count();
            let ahead = after.iter().take(enough).take_while(row).count();
            if back + 1 + ahead >= enough {
                return true;
            }
            probe += ahead;
        }
        probe += enough;
    }
    false
}

/// Whether the first bytes are text of any script. Random bytes hardly ever are.
fn begins_as_utf8(letters: &[u8]) -> bool {
    const PROBE: usize = 32;
    // An error among the first bytes leaves too little before it, and nearly every run has one there.
    if let [one, two, ..] = letters.as_chunks::<4>().0 {
        let ([a, b, c], [d, e, f]) = (group_bytes(one), group_bytes(two));
        let error = std::str::from_utf8(&[a, b, c, d, e, f]).err();
        if error.is_some_and(|error| error.error_len().is_some()) {
            return false;
        }
    }
    let probe = letters.get(..PROBE).unwrap_or(letters);
    let mut bytes = [0; PROBE * 3 / 4];
    let mut len = 0;
    for (byte, decoded) in bytes.iter_mut().zip(base64_bytes(probe)) {
        *byte = decoded;
        len += 1;
    }
    let decoded = bytes.get(..len).unwrap_or_default();
    let valid = match std::str::from_utf8(decoded) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    };
    valid + 3 >= len && len >= SHORTEST_TEXT
}

fn group_bytes(group: &[u8; 4]) -> [u8; 3] {
    let bits = group
        .iter()
        .fold(0_u32, |bits, letter| bits << 6 | u32::from(sextet(*letter)));
    let [_, one, two, three] = bits.to_be_bytes();
    [one, two, three]
}

fn held(texts: &[Found]) -> usize {
    texts.iter().map(|found| found.text.len()).sum()
}

fn longest(readings: [Vec<Found>; 2]) -> Option<Vec<Found>> {
    let best = readings.into_iter().max_by_key(|texts| held(texts))?;
    (!best.is_empty()).then_some(best)
}

fn base64_bytes(letters: &[u8]) -> impl Iterator<Item = u8> {
    letters.chunks(4).flat_map(|group| {
        let bits = group
            .iter()
            .fold(0_u32, |bits, letter| bits << 6 | u32::from(sextet(*letter)));
        let bits = bits << (6 * (4 - group.len()));
        let [_, one, two, three] = bits.to_be_bytes();
        [one, two, three].into_iter().take(group.len() * 6 / 8)
    })
}

/// The stretches of `bytes` that are text, if long enough not to be chance.
fn texts_in(bytes: &[u8], start: usize, code: &dyn Fn() -> Code) -> Vec<Found> {
    steps(bytes.len());
    let mut texts = Vec::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        for piece in valid.split_inclusive(is_unprintable) {
            let text = piece.trim_end_matches(is_unprintable);
            if text.len() >= SHORTEST_TEXT {
                texts.push(Found {
                    text: text.to_owned(),
                    first: at,
                    start,
                    code: code(),
                });
            }
            at += piece.len();
        }
        at += chunk.invalid().len();
    }
    texts
}

fn is_unprintable(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t')
}

/// What a byte can be among bytes that are written apart.
mod part {
    /// A letter or digit.
    pub(super) const WORD: u8 = 1;
    /// A hexadecimal digit.
    pub(super) const HEX: u8 = 2;
    /// What stands between two pairs.
    pub(super) const GAP: u8 = 4;
    /// The `0` of `0x`.
    pub(super) const ZERO: u8 = 8;
    /// The `x` of `0x`.
    pub(super) const X: u8 = 16;
}

/// What each byte can be.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses what is out of bounds"
)]
const PARTS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        let word = if byte.is_ascii_alphanumeric() {
            part::WORD
        } else {
            0
        };
        let hex = if byte.is_ascii_hexdigit() {
            part::HEX
        } else {
            0
        };
        let sign = match byte {
            b' ' | b':' | b'-' => part::GAP,
            b'0' => part::ZERO,
            b'x' => part::X,
            _ => 0,
        };
        table[byte as usize] = word | hex | sign;
        byte += 1;
    }
    table
};

/// Where a pair may begin that others follow: no letter or digit before it, and a blank or the like behind it or `0x`
/// in its place. Hardly any byte is a gap or an `x`, and only those look back.
fn pair_starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let part_at = |at: Option<usize>| {
        let byte = at.and_then(|at| bytes.get(at)).copied();
        byte.map_or(0, part_of)
    };
    let telling = bytes.iter().enumerate();
    let telling = telling.filter(|(_, byte)| part_of(**byte) & (part::GAP | part::X) != 0);
    telling.filter_map(move |(at, byte)| {
        let [one, two, three] = [1, 2, 3].map(|back| part_at(at.checked_sub(back)));
        if part_of(*byte) & part::X != 0 {
            let named = one & part::ZERO != 0 && two & part::WORD == 0 && at + 1 < bytes.len();
            return named.then(|| at.saturating_sub(1));
        }
        let apart = one & part::HEX != 0 && two & part::HEX != 0 && three & part::WORD == 0;
        apart.then(|| at.saturating_sub(2))
    })
}

fn part_of(byte: u8) -> u8 {
    PARTS.get(usize::from(byte)).copied().unwrap_or_default()
}

/// In how many bytes a pair that is written apart stands: `74 `, `0x74,`, `0x74, `.
const WIDTHS: [usize; 3] = [3, 5, 6];
/// So many pairs are looked for at each place that is asked.
const TELLING: usize = 3;
/// Enough pairs are at least so long, and every so many bytes one is asked: the first pairs behind one of them are theirs.
const BETWEEN_PROBES: usize = FEWEST_PAIRS * 3 - 1 - (TELLING * 3 + 2);

/// Whether enough pairs in a row may stand there. Hardly any text has a few of them where it is asked.
fn may_hold_pairs(bytes: &[u8]) -> bool {
    /// What the widest of them reach from where they are asked for.
    const REACH: usize = 6 * TELLING + 1;
    let mut probes = (0..bytes.len()).step_by(BETWEEN_PROBES);
    steps(probes.len());
    probes.any(|at| {
        // One bit for each digit, so that a few shifts compare all places at once.
        let near = bytes.get(at..).unwrap_or_default().iter().take(REACH);
        let is_hex = |byte: &u8| u32::from(part_of(*byte) & part::HEX != 0);
        let digits = near
            .rev()
            .fold(0_u32, |digits, byte| digits << 1 | is_hex(byte));
        let pairs = digits & digits >> 1;
        let begin = |width: &usize| {
            let rows = (1..TELLING).fold(pairs, |rows, nth| rows & pairs >> (nth * width));
            rows & ((1 << width) - 1) != 0
        };
        WIDTHS.iter().any(begin)
    })
}

/// Hexadecimal bytes written apart: `74 6b 2d`, `74:6b:2d`, `0x74, 0x6b`.
fn spaced_hexadecimal(bytes: &[u8]) -> Vec<Found> {
    let mut found = Vec::new();
    if !may_hold_pairs(bytes) {
        return found;
    }
    steps(bytes.len());
    let mut resume = 0;
    for at in pair_starts(bytes) {
        if at < resume {
            continue;
        }
        if let Some((run, width)) = pairs_at(bytes, at) {
            resume = at + run.len() * width;
            found.extend(texts_in(&run, at, &|| Code::Hex(width)));
        }
    }
    let limit = bytes.len();
    found.retain(|text| text.source(0..text.text.len()).start < limit);
    for text in &mut found {
        clip(text, limit);
    }
    found
}

/// The last pair has no separator behind it, so the source of the last byte may lie beyond the text.
fn clip(text: &mut Found, limit: usize) {
    while text.source(0..text.text.len()).end > limit && text.text.pop().is_some() {}
}

/// The bytes spelled from `at` on, each in `width` bytes of text.
fn pairs_at(bytes: &[u8], at: usize) -> Option<(Vec<u8>, usize)> {
    let rest = bytes.get(at..)?;
    let (prefix, width) = match rest {
        [b'0', b'x', _, _, b',', b' ', ..] => (2, 6),
        [b'0', b'x', _, _, b' ' | b',', ..] => (2, 5),
        [h, l, b' ' | b':' | b'-', ..] if h.is_ascii_hexdigit() && l.is_ascii_hexdigit() => (0, 3),
        _ => return None,
    };
    let pairs = rest
        .chunks(width)
        .map_while(|chunk| match chunk.get(prefix..)? {
            [high, low, ..] => hex_pair(*high, *low),
            _ => None,
        });
    // Most runs are too short, and finding that out makes no list.
    steps(FEWEST_PAIRS);
    let enough = pairs.clone().take(FEWEST_PAIRS).count() == FEWEST_PAIRS;
    enough.then(|| (pairs.collect(), width))
}
