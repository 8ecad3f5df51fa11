//! Where a text says what other texts say: by its words, whatever case they have and whatever stands between them.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::Range;

/// What stands where something was erased.
pub(super) const MARK: &str = "[erased]";

/// So many words in a row that an echo shares are taken for what it echoes.
const TELLING: usize = 3;

/// A prime that leaves room for products in 128 bits, and a base below it.
const PRIME: u128 = (1 << 61) - 1;
const BASE: u128 = 0x1F35_94E1_75C3_4B21 % PRIME;

/// Texts that are looked for in others.
///
/// Every stretch of words has a number that follows from those of its beginnings, so that a text is searched in one pass
/// for each length that is looked for, however many texts there are.
#[derive(Default)]
pub(super) struct Sayings {
    /// By how many words they have.
    whole: HashMap<usize, HashSet<u128>>,
    /// Every few words in a row of any of them.
    telling: HashSet<u128>,
}

impl Sayings {
    pub(super) fn add(&mut self, text: &str) {
        let said = Said::of(text);
        let count = said.words.len();
        if count == 0 {
            return;
        }
        let whole = self.whole.entry(count).or_default();
        whole.extend(said.stretch(0, count));
        let telling = count.min(TELLING);
        let starts = 0..=(count - telling);
        self.telling
            .extend(starts.filter_map(|start| said.stretch(start, telling)));
    }

    /// Where the text says any of them, from the front, each place once and no two that overlap.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let said = Said::of(text);
        let mut places: Vec<Range<usize>> = Vec::new();
        for start in 0..said.words.len() {
            let longest = self.longest_at(&said, start);
            let Some(place) = longest.and_then(|count| said.place(start, count)) else {
                continue;
            };
            match places.last_mut().filter(|last| place.start <= last.end) {
                Some(last) => last.end = last.end.max(place.end),
                None => places.push(place),
            }
        }
        places
    }

    /// Whether the text says one of them. A word or two prove nothing unless they are the whole text.
    pub(super) fn are_said_in(&self, text: &str) -> bool {
        let said = Said::of(text);
        let all = said.words.len();
        let starts = 0..all;
        let mut longest = starts.filter_map(|start| self.longest_at(&said, start));
        longest.any(|count| count >= TELLING || count == all)
    }

    /// Whether the text shares a few words in a row with one of them.
    pub(super) fn are_touched_in(&self, text: &str) -> bool {
        let said = Said::of(text);
        let count = said.words.len().min(TELLING);
        let mut starts = 0..said.words.len();
        count > 0
            && starts.any(|start| {
                let stretch = said.stretch(start, count);
                stretch.is_some_and(|stretch| self.telling.contains(&stretch))
            })
    }

    fn longest_at(&self, said: &Said, start: usize) -> Option<usize> {
        let is_said = |(count, whole): (&usize, &HashSet<u128>)| {
            let stretch = said.stretch(start, *count)?;
            whole.contains(&stretch).then_some(*count)
        };
        self.whole.iter().filter_map(is_said).max()
    }
}

/// Only what stands at the places of a text; a mark stands for words between them.
pub(super) fn only(text: &str, places: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        push_gap(&mut left, text.get(from..place.start).unwrap_or_default());
        left.push_str(text.get(place.clone()).unwrap_or_default());
        from = place.end;
    }
    push_gap(&mut left, text.get(from..).unwrap_or_default());
    left.trim().to_owned()
}

/// What stands between two places: itself where it holds no word, else a mark behind what ends the sentence before it.
fn push_gap(left: &mut String, gap: &str) {
    if !gap.chars().any(char::is_alphanumeric) {
        left.push_str(gap);
        return;
    }
    let ends = |c: &char| ".!?…。！？,;:)\"'”»".contains(*c);
    if !left.is_empty() {
        left.extend(gap.chars().take_while(ends));
        left.push(' ');
    }
    left.push_str(MARK);
    left.push(' ');
}

/// A text as its words, with where each stands.
struct Said {
    words: Vec<Range<usize>>,
    /// The number of the first words, for every count of them from none on.
    numbers: Vec<u128>,
    powers: Vec<u128>,
}

impl Said {
    fn of(text: &str) -> Self {
        let words = words(text);
        let (mut numbers, mut powers) = (vec![0], vec![1]);
        let (mut number, mut power) = (0, 1);
        for word in &words {
            let own = number_of(text.get(word.clone()).unwrap_or_default());
            number = (number * BASE + own) % PRIME;
            power = power * BASE % PRIME;
            numbers.push(number);
            powers.push(power);
        }
        Self {
            words,
            numbers,
            powers,
        }
    }

    /// The number of so many words in a row; nothing where there are not so many.
    fn stretch(&self, start: usize, count: usize) -> Option<u128> {
        let before = self.numbers.get(start)? * self.powers.get(count)? % PRIME;
        let until = self.numbers.get(start.checked_add(count)?)?;
        Some((until + PRIME - before) % PRIME)
    }

    fn place(&self, start: usize, count: usize) -> Option<Range<usize>> {
        let first = self.words.get(start)?;
        let last = self.words.get(start + count.checked_sub(1)?)?;
        Some(first.start..last.end)
    }
}

/// Letters and digits in a row are a word; in scripts that put no blanks between words, every sign is one.
fn words(text: &str) -> Vec<Range<usize>> {
    const FIRST_WITHOUT_BLANKS: char = '\u{2E80}';
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let alone = c >= FIRST_WITHOUT_BLANKS;
        match words.last_mut() {
            _ if !c.is_alphanumeric() => open = false,
            Some(last) if open && !alone => last.end = end,
            Some(_) | None => {
                words.push(at..end);
                open = !alone;
            }
        }
    }
    words
}

fn number_of(word: &str) -> u128 {
    let mut hasher = DefaultHasher::new();
    for c in word.chars().flat_map(char::to_lowercase) {
        hasher.write_u32(u32::from(c));
    }
    // Never nothing, so that no word is as good as none.
    u128::from(hasher.finish()) % (PRIME - 1) + 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sayings(texts: &[&str]) -> Sayings {
        let mut sayings = Sayings::default();
        for text in texts {
            sayings.add(text);
        }
        sayings
    }

    fn left(text: &str, stays: &[&str]) -> String {
        only(text, &sayings(stays).places(text))
    }

    #[test]
    fn only_what_stays_is_left() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str], &str)] = &[
            ("The gate code is 4711. The pump is red.", &["The pump is red."], "[erased] The pump is red."),
            ("The pump is red. The gate code is 4711.", &["The pump is red."], "The pump is red. [erased]"),
            ("A is one. B is two. C is three.", &["C is three", "A is one"], "A is one. [erased] C is three."),
            ("A is one. B is two.", &["a  IS «one»", "B is two."], "A is one. B is two."),
            ("A is one, and B is two.", &["She said so."], "[erased]"),
            ("[erased] The pump is red.", &["The pump is red."], "[erased] The pump is red."),
            ("[erased] The pump is red.", &[], "[erased]"),
            ("门的密码是四七一一。水泵是红色的。", &["水泵是红色的。"], "[erased] 水泵是红色的。"),
            ("… — !", &[], "… — !"),
            ("", &["A"], ""),
        ];
        for (text, stays, expected) in cases {
            assert_eq!(left(text, stays), *expected, "{text}");
        }
    }

    #[test]
    fn what_repeats_is_known_by_its_words() {
        let erased = sayings(&["The gate code is 4711.", "Tea"]);
        for text in [
            "As you know, the gate code is 4711!",
            "THE GATE CODE IS 4711",
            "tea.",
        ] {
            assert!(erased.are_said_in(text), "{text}");
        }
        for text in ["The gate code is 4712.", "We had tea at the gate.", ""] {
            assert!(!erased.are_said_in(text), "{text}");
        }
        assert!(erased.are_touched_in("It is 4711: that gate code is 4711, still."));
        assert!(!erased.are_touched_in("The gate is open, and tea is hot."));
    }

    fn cases() -> ProptestConfig {
        match std::env::var_os("PROPTEST_CASES") {
            Some(_) => ProptestConfig::default(),
            None => ProptestConfig::with_cases(1_024),
        }
    }

    /// Whether no word is left but of what stays.
    fn says_nothing_else(cut: impl Fn(&str, &[&str]) -> String, text: &str, stays: &str) -> bool {
        let known: HashSet<String> = split(stays);
        let left = cut(text, &[stays]).replace(MARK, " ");
        split(&left).iter().all(|word| known.contains(word))
    }

    fn split(text: &str) -> HashSet<String> {
        words(text)
            .into_iter()
            .map(|word| {
                text.get(word)
                    .unwrap()
                    .chars()
                    .flat_map(char::to_lowercase)
                    .collect()
            })
            .collect()
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn no_other_word_is_left(text in ".{0,60}", stays in ".{0,20}", behind in ".{0,20}") {
            let text = format!("{text} {stays} {behind}");
            prop_assert!(says_nothing_else(left, &text, &stays));
        }

        #[test]
        fn what_stays_is_found_wherever_it_stands(before in "[a-z ]{0,30}", stays in "[a-z]{1,8}( [a-z]{1,8}){0,5}") {
            let left = left(&format!("{before}. {stays}!"), &[&stays]);
            prop_assert!(left.contains(&stays), "{}", left);
        }
    }

    #[test]
    fn one_that_cuts_nothing_is_noticed() {
        let keeps_all = |text: &str, _: &[&str]| text.to_owned();
        assert!(!says_nothing_else(
            keeps_all,
            "the code is 4711. red",
            "red"
        ));
    }
}
