//! Where the keywords of the table stand in a text, without case.
//!
//! Five bits of each of the next four bytes make a number, and one bit for each number says whether a keyword may begin
//! like that. Ordinary text fails at nearly every byte and costs a look at a few kilobytes that stay in the cache; an
//! automaton over so many words is larger than any cache near the processor. Only where the bit is set are the few
//! words compared that begin alike.

use crate::work::steps;

/// So many bytes of a text make a number.
const HEAD: usize = 4;
/// How many bits a byte gives.
const BITS: usize = 5;

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
        let mut keywords = Self {
            short: Heads::new(),
            long: Heads::new(),
        };
        for (number, word) in numbered {
            let head = word.bytes().take(HEAD);
            let head = head.fold(0, |head, byte| head << BITS | bits_of(byte));
            if word.len() < HEAD {
                // Where the word has fewer than three bytes, anything may follow.
                let free = BITS * (HEAD - 1 - word.len());
                let heads = (0..1 << free).map(|rest| head << free | rest);
                heads.for_each(|head| keywords.short.add(head, number, word));
            } else {
                keywords.long.add(mixed(head), number, word);
            }
        }
        keywords
    }

    /// Calls `found` for every word in `text`, from front to back, a shorter word before a longer one.
    pub(super) fn each_in(&self, text: &str, mut found: impl FnMut(Found)) {
        let bytes = text.as_bytes();
        steps(bytes.len());
        let mut head = 0;
        // Behind the end stand bytes of nothing, so that a short last word has a number too.
        for end in 0..bytes.len() + HEAD - 1 {
            let byte = bytes.get(end).copied().unwrap_or_default();
            head = (head << BITS | bits_of(byte)) & ((1 << (HEAD * BITS)) - 1);
            let (short, long) = (head >> BITS, mixed(head));
            if self.short.may_begin(short) | self.long.may_begin(long)
                && let Some(start) = (end + 1).checked_sub(HEAD)
            {
                self.short.compare(bytes, start, short, &mut found);
                self.long.compare(bytes, start, long, &mut found);
            }
        }
    }
}

/// The bits that capitals and small letters have in common.
const fn bits_of(byte: u8) -> usize {
    (byte & 0x1f) as usize
}

/// Sixteen bits of twenty, so that the table for them stays small.
const fn mixed(head: usize) -> usize {
    (head ^ head >> 9) % NUMBERS
}

/// How many numbers there are.
const NUMBERS: usize = 1 << 16;

/// Words by a number.
struct Heads {
    /// One bit for each number: whether a word begins like that.
    begins: Box<[u64; NUMBERS / 64]>,
    /// For each number the place of its words in `alike`.
    places: Vec<u16>,
    /// Words that begin alike, each with its number, the shortest first.
    alike: Vec<Vec<(usize, &'static str)>>,
}

impl Heads {
    fn new() -> Self {
        Self {
            begins: Box::new([0; NUMBERS / 64]),
            places: vec![0; NUMBERS],
            alike: Vec::new(),
        }
    }

    fn add(&mut self, head: usize, number: usize, word: &'static str) {
        let known = self.may_begin(head);
        if let Some(bits) = self.begins.get_mut(head / 64) {
            *bits |= 1 << (head % 64);
        }
        let Some(place) = self.places.get_mut(head) else {
            return;
        };
        if !known {
            *place = u16::try_from(self.alike.len()).unwrap_or_default();
            self.alike.push(Vec::new());
        }
        if let Some(alike) = self.alike.get_mut(usize::from(*place)) {
            alike.push((number, word));
        }
    }

    #[inline]
    fn may_begin(&self, head: usize) -> bool {
        let bits = self.begins.get(head % NUMBERS / 64);
        bits.is_some_and(|bits| bits >> (head % 64) & 1 == 1)
    }

    /// Calls `found` for every word that stands at `start`. This is rare, and kept out of the way of the bytes before.
    #[inline(never)]
    fn compare(&self, bytes: &[u8], start: usize, head: usize, found: &mut impl FnMut(Found)) {
        if !self.may_begin(head) {
            return;
        }
        let place = self.places.get(head).copied().unwrap_or_default();
        for (number, word) in self.alike.get(usize::from(place)).into_iter().flatten() {
            steps(1);
            let end = start + word.len();
            let there = bytes.get(start..end).unwrap_or_default();
            if there.eq_ignore_ascii_case(word.as_bytes()) {
                found(Found {
                    word: *number,
                    start,
                    end,
                });
            }
        }
    }
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
    }

    #[test]
    fn what_has_the_same_bits_is_not_taken_for_the_word() {
        assert!(found(&["key", "q~"], "+%9 1~ k\u{5}y").is_empty());
        assert!(found(&["key", "token"], "").is_empty());
        assert!(found(&["token"], "4o+en toke").is_empty());
    }
}
