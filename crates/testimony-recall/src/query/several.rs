//! Questions that want what several rows say together and say so: "the whole story of the boiler", "Compare the harvests".

use super::kind::spoken;
use crate::text::Word;
use crate::words::SEVERAL;

/// Whether a question wants what several rows say.
pub(super) fn asks_for_several(words: &[Word]) -> bool {
    says(words, |here| SEVERAL.at(here).is_some())
}

/// Whether a question wants all that is known of what it names.
pub(super) fn asks_for_all(words: &[Word]) -> bool {
    says(words, |here| SEVERAL.named_at("whole", here).is_some())
}

/// Whether it holds of the words from one on.
fn says(words: &[Word], holds: impl Fn(&[&str]) -> bool) -> bool {
    let spoken = spoken(words);
    (0..spoken.len()).any(|at| spoken.get(at..).is_some_and(&holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn what_asks_for_several_things_is_told_from_what_asks_for_one() {
        for question in [
            "Compare the harvests of 2023 and 2024",
            "Give me the whole story of the boiler",
            "By how much did the rent rise?",
            "What do both of them play?",
        ] {
            assert!(asks_for_several(&text::read(question)), "{question}");
        }
        for question in [
            "Where does Ana live?",
            "And where does Ana live?",
            "Where do Ana and I meet?",
            "Where did Ana and Ben meet?",
            "How many shirts did we order?",
            "",
        ] {
            assert!(!asks_for_several(&text::read(question)), "{question}");
        }
    }

    #[test]
    fn all_that_is_known_is_asked_for_in_so_many_words() {
        let all = |question: &str| asks_for_all(&text::read(question));
        assert!(all("Tell me everything about Project Heron") && all("the history of the boiler"));
        assert!(!all("What is the boiler's age?") && !all("Compare the harvests"));
    }
}
