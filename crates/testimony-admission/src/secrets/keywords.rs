//! Where the keywords of the table stand in a text, without case.
//!
//! A number made of the next four bytes says through one bit whether a keyword may begin like that, and a number made of
//! three says the same of the few that are shorter. Ordinary text fails at nearly every byte and costs two looks at a few
//! kilobytes that stay in the cache; an automaton over so many words is larger than any cache near the processor. Only
//! where a bit is set are the few words looked at that begin alike, and of those the first eight letters stand beside
//! each other in one list.

use crate::work::steps;

/// So many bytes of a text make a number.
const HEAD: usize = 4;
/// How many bits a byte gives.
const BITS: usize = 5;
/// So many places are asked at once whether a word may begin there.
const STRETCH: usize = 64;

/// Words, ready to be found.
pub(super) struct Keywords {
    /// Words of up to three bytes, by three bytes.
    short: Heads,
    /// Longer words, by four bytes.
    long: Heads,
}

/// A word in a text.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// Its number.
    pub(super) word: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Keywords {
    pub(super) fn of(words: impl IntoIterator<Item = &'static str>) -> Self {
        let mut numbered: Vec<(usize, &'static str)> = words.into_iter().enumerate().collect();
        numbered.sort_by_key(|(_, word)| word.len());
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (number, word) in numbered {
            let head = head_of(word.as_bytes());
            if word.len() >= HEAD {
                long.push((mixed(head), number, word));
                continue;
            }
            // Where the word has fewer than three bytes, anything may follow.
            let free = BITS * (HEAD - 1_usize).saturating_sub(word.len());
            short.extend((0..1 << free).map(|rest| (near(head) | rest, number, word)));
        }
        Self {
            short: Heads::of(short),
            long: Heads::of(long),
        }
    }

    /// Calls `found` for every word in `text`, from front to back, a shorter word before a longer one.
    pub(super) fn each_in(&self, text: &str, mut found: impl FnMut(Found)) {
        let bytes = text.as_bytes();
        steps(bytes.len());
        for from in (0..bytes.len()).step_by(STRETCH) {
            let mut begun = self.begun_in(bytes.get(from..).unwrap_or_default());
            while begun != 0 {
                self.compare(bytes, from + begun.trailing_zeros() as usize, &mut found);
                begun &= begun - 1;
            }
        }
        // A short last word has a number too.
        for start in bytes.len().saturating_sub(HEAD - 1)..bytes.len() {
            self.compare(bytes, start, &mut found);
        }
    }

    /// One bit for each of the first places of `rest` with four bytes: whether a word may begin there. No branch depends
    /// on the text, and what may begin is gone through apart, since it is little.
    #[inline(always)]
    fn begun_in(&self, rest: &[u8]) -> u64 {
        let stretch = rest.get(..STRETCH + HEAD - 1).unwrap_or(rest);
        let (mut begun, mut place) = (0, 1);
        for head in stretch.array_windows() {
            let may_begin = self.short.may_begin(near(*head)) | self.long.may_begin(mixed(*head));
            begun |= if may_begin { place } else { 0 };
            place <<= 1;
        }
        begun
    }

    /// Calls `found` for every word that begins at `start`.
    fn compare(&self, bytes: &[u8], start: usize, found: &mut impl FnMut(Found)) {
        let rest = bytes.get(start..).unwrap_or_default();
        let head = head_of(rest);
        self.short.compare(rest, start, near(head), found);
        self.long.compare(rest, start, mixed(head), found);
    }
}

/// The bits that capitals and small letters have in common.
const fn bits_of(byte: u8) -> usize {
    (byte & 0x1f) as usize
}

/// The first four bytes; behind the end stand bytes of nothing.
fn head_of(rest: &[u8]) -> [u8; HEAD] {
    rest.first_chunk().copied().unwrap_or_else(|| {
        let mut head = [0; HEAD];
        head.iter_mut()
            .zip(rest)
            .for_each(|(byte, there)| *byte = *there);
        head
    })
}

/// A number for the first three of four bytes without case.
const fn near([first, second, third, _]: [u8; HEAD]) -> usize {
    (bits_of(first) << BITS | bits_of(second)) << BITS | bits_of(third)
}

/// A number for four bytes without case.
const fn mixed(head: [u8; HEAD]) -> usize {
    const SPREAD: u32 = 0x9e37_79b1;
    const SMALL: u32 = 0x2020_2020;
    ((u32::from_be_bytes(head) | SMALL).wrapping_mul(SPREAD) >> 16) as usize
}

/// What makes small letters of capitals, eight at a time. Other bytes may become alike, so this only sorts out.
const SMALL: u64 = 0x2020_2020_2020_2020;

/// How many numbers there are.
const NUMBERS: usize = 1 << 16;

/// Words by a number.
struct Heads {
    /// One bit for each number: whether a word begins like that.
    begins: Box<[u64; NUMBERS / 64]>,
    /// For each group of sixty-four numbers, how many numbers before it have words.
    before: Box<[u16; NUMBERS / 64]>,
    /// For each number that has words, where they begin in `words`.
    places: Vec<usize>,
    /// Words by number, those that begin alike the shortest first.
    words: Vec<Word>,
}

/// A word and how it begins.
struct Word {
    /// The first eight letters, and which of them it has.
    letters: u64,
    mask: u64,
    number: usize,
    word: &'static str,
}

impl Heads {
    fn of(mut words: Vec<(usize, usize, &'static str)>) -> Self {
        words.sort_by_key(|(head, ..)| *head);
        let mut heads = Self {
            begins: Box::new([0; NUMBERS / 64]),
            before: Box::new([0; NUMBERS / 64]),
            places: Vec::new(),
            words: Vec::new(),
        };
        let mut last = None;
        for (head, number, word) in words {
            if last.replace(head) != Some(head) {
                heads.places.push(heads.words.len());
            }
            if let Some(bits) = heads.begins.get_mut(head / 64) {
                *bits |= 1 << (head % 64);
            }
            heads.words.push(Word::of(number, word));
        }
        let mut count = 0;
        for (before, bits) in heads.before.iter_mut().zip(heads.begins.iter()) {
            *before = count;
            count += u16::try_from(bits.count_ones()).unwrap_or_default();
        }
        heads
    }

    #[inline(always)]
    fn may_begin(&self, head: usize) -> bool {
        let bits = self.begins.get(head % NUMBERS / 64);
        bits.is_some_and(|bits| bits >> (head % 64) & 1 == 1)
    }

    /// The words of a number.
    fn words_of(&self, head: usize) -> &[Word] {
        let group = head / 64;
        let (Some(bits), Some(before)) = (self.begins.get(group), self.before.get(group)) else {
            return &[];
        };
        let lower = bits & ((1 << (head % 64)) - 1);
        let place = usize::from(*before) + lower.count_ones() as usize;
        let from = self.places.get(place).copied().unwrap_or(self.words.len());
        let to = self.places.get(place + 1).copied();
        let to = to.unwrap_or(self.words.len());
        self.words.get(from..to).unwrap_or_default()
    }

    /// Calls `found` for every word that `rest` begins with; it begins at `start`.
    fn compare(&self, rest: &[u8], start: usize, head: usize, found: &mut impl FnMut(Found)) {
        if !self.may_begin(head) {
            return;
        }
        let letters = letters_of(rest) | SMALL;
        for word in self.words_of(head) {
            steps(1);
            if (letters ^ word.letters) & word.mask == 0 && word.begins(rest) {
                found(Found {
                    word: word.number,
                    start,
                    end: start + word.word.len(),
                });
            }
        }
    }
}

impl Word {
    fn of(number: usize, word: &'static str) -> Self {
        let free = 8 * 8_usize.saturating_sub(word.len());
        Self {
            letters: letters_of(word.as_bytes()) | SMALL,
            mask: u64::MAX >> free,
            number,
            word,
        }
    }

    fn begins(&self, text: &[u8]) -> bool {
        let there = text.get(..self.word.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(self.word.as_bytes()))
    }
}

/// The first eight bytes, or as many as there are.
fn letters_of(text: &[u8]) -> u64 {
    if let Some(first) = text.first_chunk::<8>() {
        return u64::from_le_bytes(*first);
    }
    let bytes = text.iter().rev();
    bytes.fold(0, |letters, byte| letters << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::Keywords;

    /// The words of `words` in `text`, with their places, in the order in which they are found.
    fn found(words: &[&'static str], text: &str) -> Vec<(&'static str, usize)> {
        let keywords = Keywords::of(words.to_vec());
        let mut found = Vec::new();
        keywords.each_in(text, |hit| {
            assert_eq!(hit.end - hit.start, words[hit.word].len());
            found.push((words[hit.word], hit.start));
        });
        found
    }

    #[test]
    fn words_are_found_without_case_wherever_they_stand() {
        let words = ["key", "keys", "|", "ab", "ключ", "://", "y k"];
        assert_eq!(
            found(&words, "KEYS|my key ключ"),
            [
                ("key", 0),
                ("keys", 0),
                ("|", 4),
                ("y k", 6),
                ("key", 8),
                ("ключ", 12)
            ]
        );
        assert_eq!(found(&words, "x://aB"), [("://", 1), ("ab", 4)]);
        assert_eq!(found(&words, "ab"), [("ab", 0)]);
        assert_eq!(found(&words, "|"), [("|", 0)]);
        assert_eq!(found(&words, "ab key"), [("ab", 0), ("key", 3)]);
    }

    #[test]
    fn words_are_found_wherever_a_stretch_of_places_ends() {
        for before in 0..2 * super::STRETCH + 2 {
            let text = format!("{}token|ab", ".".repeat(before));
            let there = [("token", before), ("|", before + 5), ("ab", before + 6)];
            assert_eq!(found(&["token", "|", "ab"], &text), there);
        }
    }

    #[test]
    fn what_has_the_same_bits_is_not_taken_for_the_word() {
        assert!(found(&["key", "q~"], "+%9 1~ k\u{5}y").is_empty());
        assert!(found(&["key", "token"], "").is_empty());
        assert!(found(&["token"], "4o+en toke").is_empty());
    }
}
