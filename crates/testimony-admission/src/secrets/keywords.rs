//! Where the keywords of the table stand in a text, without case.
//!
//! Five bits of each of three bytes in a row make a number, and one bit for each number says whether a keyword begins
//! like that. Ordinary text fails at nearly every byte and costs one look at four kilobytes that stay in the cache; an
//! automaton over so many words is larger than any cache near the processor. Only where the bit is set are the few
//! words compared that begin alike.

use crate::work::steps;

/// How many numbers three bytes make.
const GRAMS: usize = 1 << 15;

/// Words, ready to be found.
pub(super) struct Keywords {
    words: Vec<&'static str>,
    /// One bit for each number: whether a word begins like that.
    begins: Vec<u64>,
    /// For each number the place of its words in `alike`.
    places: Vec<u16>,
    /// Numbers of words that begin alike, the shortest first.
    alike: Vec<Vec<usize>>,
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
    pub(super) fn of(words: Vec<&'static str>) -> Self {
        let mut keywords = Self {
            begins: vec![0; GRAMS / 64],
            places: vec![0; GRAMS],
            alike: Vec::new(),
            words,
        };
        let mut by_length: Vec<(usize, &str)> =
            keywords.words.iter().copied().enumerate().collect();
        by_length.sort_by_key(|(_, word)| word.len());
        for (number, word) in by_length {
            for gram in grams_of(word) {
                keywords.add(number, gram);
            }
        }
        keywords
    }

    fn add(&mut self, number: usize, gram: usize) {
        let known = self.begins_like(gram);
        if let Some(bits) = self.begins.get_mut(gram / 64) {
            *bits |= 1 << (gram % 64);
        }
        let Some(place) = self.places.get_mut(gram) else {
            return;
        };
        if !known {
            *place = u16::try_from(self.alike.len()).unwrap_or_default();
            self.alike.push(Vec::new());
        }
        if let Some(alike) = self.alike.get_mut(usize::from(*place)) {
            alike.push(number);
        }
    }

    fn begins_like(&self, gram: usize) -> bool {
        let bits = self.begins.get(gram / 64).copied().unwrap_or_default();
        bits >> (gram % 64) & 1 == 1
    }

    /// Calls `found` for every word in `text`, from front to back, a shorter word before a longer one.
    pub(super) fn each_in(&self, text: &str, mut found: impl FnMut(Found)) {
        let bytes = text.as_bytes();
        steps(bytes.len());
        let mut gram = 0;
        // Behind the end stand two bytes of nothing, so that a short last word has a number too.
        bytes
            .iter()
            .chain(&[0, 0])
            .enumerate()
            .for_each(|(at, byte)| {
                gram = (gram << 5 | bits_of(*byte)) % GRAMS;
                if self.begins_like(gram)
                    && let Some(start) = at.checked_sub(2)
                {
                    self.compare(bytes, start, gram, &mut found);
                }
            });
    }

    #[inline(never)]
    fn compare(&self, bytes: &[u8], start: usize, gram: usize, found: &mut impl FnMut(Found)) {
        let place = self.places.get(gram).copied().unwrap_or_default();
        for number in self.alike.get(usize::from(place)).into_iter().flatten() {
            let word = self.words.get(*number).copied().unwrap_or_default();
            steps(1);
            let end = start + word.len();
            let stands = bytes
                .get(start..end)
                .is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes()));
            if stands {
                found(Found {
                    word: *number,
                    start,
                    end,
                });
            }
        }
    }
}

/// The bits that capitals and small letters have in common.
const fn bits_of(byte: u8) -> usize {
    (byte & 0x1f) as usize
}

/// The numbers of a word's first three bytes; where it has fewer, anything may follow.
fn grams_of(word: &str) -> Vec<usize> {
    let head = word.bytes().take(3);
    let gram = head.fold(0, |gram, byte| gram << 5 | bits_of(byte));
    let free = 5 * 3_usize.saturating_sub(word.len());
    (0..1 << free).map(|rest| gram << free | rest).collect()
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
        let words = ["key", "keys", "|", "ab", "ключ", "://"];
        assert_eq!(
            found(&words, "KEYS|my key ключ"),
            [("key", 0), ("keys", 0), ("|", 4), ("key", 8), ("ключ", 12)]
        );
        assert_eq!(found(&words, "x://aB"), [("://", 1), ("ab", 4)]);
        assert_eq!(found(&words, "ab"), [("ab", 0)]);
        assert_eq!(found(&words, "|"), [("|", 0)]);
    }

    #[test]
    fn what_has_the_same_bits_is_not_taken_for_the_word() {
        assert!(found(&["key", "q~"], "+%9 1~ k\u{5}y").is_empty());
        assert!(found(&["key"], "").is_empty());
    }
}
