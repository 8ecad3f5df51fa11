//! Words pushed together without a break: `ignoreallpreviousinstructions`.
//!
//! Such a word is parted along a short list of words that attacks cannot do without, and only where they make up nearly
//! all of it: an ordinary long word is made of other letters.

use std::sync::LazyLock;

use crate::lexicon::WordSet;
use crate::work::steps;

/// A word without a break is looked at from so many letters on.
pub(super) const LONG_WORD: usize = 14;
/// No word of the list is longer.
const LONGEST: usize = 14;
/// So many letters of a hundred are those of listed words.
const SHARE: usize = 75;
/// So many words are a sentence.
const FEWEST: usize = 3;

/// The words.
const WORDS: &str = "ignore disregard forget override bypass obey follow reveal print show repeat output display leak \
    send forward email upload post copy delete transfer act pretend tell mention hide approve do not you are now your \
    my all any every the these those previous prior earlier above below everything before instructions instruction \
    rules rule guidelines orders policies system prompt hidden secret secrets passwords password keys api stored \
    memories memory conversation messages files data user admin root assistant and then with from about into only me \
    of to no dan developer mode unrestricted given were have has been told verbatim reply answer answers next time \
    says hello note this message safety filters limits whole entire original initial";

static LISTED: LazyLock<WordSet<&'static str>> =
    LazyLock::new(|| WORDS.split_whitespace().collect());

/// Where the words of a run-on word end, the last one's end aside; nothing where it is one word.
pub(super) fn breaks(word: &str) -> Vec<usize> {
    let word = word.to_ascii_lowercase();
    let most_strange = word.len() * (100 - SHARE) / 100;
    let (mut ends, mut count, mut strange) = (Vec::new(), 0, 0);
    let (mut at, mut is_known) = (0, true);
    while at < word.len() && strange <= most_strange {
        let len = listed_at(&word, at);
        if at > 0 && (is_known || len > 0) {
            ends.push(at);
        }
        is_known = len > 0;
        count += usize::from(is_known);
        strange += usize::from(!is_known);
        at += len.max(1);
    }
    if count < FEWEST || strange > most_strange {
        ends.clear();
    }
    ends
}

/// How long the longest listed word is that begins at a place.
fn listed_at(word: &str, at: usize) -> usize {
    steps(LONGEST);
    let lengths = (2..=LONGEST.min(word.len() - at)).rev();
    let is_listed = |len: &usize| {
        let part = word.get(at..at + len);
        part.is_some_and(|part| LISTED.contains(part))
    };
    lengths.into_iter().find(is_listed).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_on_word_is_parted_and_a_long_one_is_not() {
        assert_eq!(breaks("ignoreallrules"), [6, 9]);
        for word in [
            "internationalisation",
            "donaudampfschifffahrt",
            "straightforwardness",
            "uncharacteristically",
            "aaaaaaaaaaaaaaaaaaaa",
        ] {
            assert!(breaks(word).is_empty(), "{word}");
        }
    }
}
