//! Letters that nobody reads as words: what a generator drew, without a digit or a sign to tell it by.

use super::value::{first_hump, wordlike_bytes};

/// For each letter, those that follow it in hardly any word, in whatever language is written with these letters.
#[rustfmt::skip]
const UNSPOKEN: [&str; 26] = [
    "q", "cfghkmpqwxz", "bdfgjmpvwx", "qx", "", "bcdghkmpqvwxz", "cfjkpqvwxz", "bcfgjpqxz", "w", "bcfhpqrwxy", "bfghmpqxz", "qrwx", "cdfghjkqrvwxz",
    "qx", "q", "bcgmqvwxz", "abcdefghijklmnopqrstvwxyz", "qx", "x", "gqx", "q", "bcfghkqwx", "bcfgjqvx", "bdfghjklmnqrsvwz", "hjqxy", "fgjqrsx",
];

/// So many unspoken pairs of letters are no misspelling and no abbreviation.
const ENOUGH_PAIRS: usize = 2;
/// So many consonants in a row are none beside one such pair.
const ENOUGH_CONSONANTS: usize = 5;

/// Whether letters look drawn: capitals stand inside where no word begins, or letters side by side as in no word.
pub(super) fn are_drawn(value: &str) -> bool {
    let letters = value.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters && (changes_case(value) || are_unspeakable(value))
}

/// `jKtwRupaXo`, and not `keyPressed`, `OpenVPN` or `NSString`.
pub(super) fn changes_case(value: &str) -> bool {
    let (_, behind) = first_hump(value);
    !behind.is_empty() && wordlike_bytes(value) * 2 < value.len()
}

fn are_unspeakable(letters: &str) -> bool {
    let bytes = letters.as_bytes();
    let shouted = bytes.iter().all(u8::is_ascii_uppercase);
    let (mut pairs, mut gap, mut longest) = (0, 0, 0);
    for [left, right] in bytes.array_windows() {
        // A capital inside begins a word, so what stands before it belongs to another.
        let joined = shouted || right.is_ascii_lowercase();
        pairs += usize::from(joined && are_unspoken(*left, *right));
        let vowel = b"aeiouyAEIOUY".contains(right);
        gap = if vowel { 0 } else { gap + 1 };
        longest = longest.max(gap);
    }
    pairs >= ENOUGH_PAIRS || pairs > 0 && longest >= ENOUGH_CONSONANTS
}

fn are_unspoken(left: u8, right: u8) -> bool {
    let place = usize::from(left.to_ascii_lowercase().wrapping_sub(b'a'));
    let followers = UNSPOKEN.get(place).copied().unwrap_or_default();
    followers.as_bytes().contains(&right.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::are_drawn;

    #[test]
    fn words_and_names_are_not_drawn() {
        for word in [
            "sunflower",
            "purpleMonkey",
            "MinLength",
            "OpenVPN",
            "YouTube",
            "NSString",
            "getPwd",
            "ChatGPT",
            "przechowywane",
            "bijgewerkt",
            "rechtschreibung",
            "strengths",
            "McDonald",
            "KeePassXC",
        ] {
            assert!(!are_drawn(word), "{word}");
        }
    }

    #[test]
    fn what_no_word_could_be_is_drawn() {
        for letters in ["jKtwRupaXo", "vqxyzhwll", "XKVQZWPM", "kbqmzrtp"] {
            assert!(are_drawn(letters), "{letters}");
        }
    }
}
