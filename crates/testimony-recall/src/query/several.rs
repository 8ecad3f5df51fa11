//! Questions that want what several rows say together, in so many words or by naming several: "the whole story of the boiler",
//! "Compare the harvests", "What do we need for the roof and the cellar?".

use super::kind::spoken;
use crate::text::{Shape, Word};
use crate::words::{Cue, SEVERAL};

/// "And for the roof": so many words behind what joins two things lead up to the second.
const LONGEST_LEAD: usize = 3;

/// Whether a question wants what several rows say.
pub(super) fn asks_for_several(words: &[Word]) -> bool {
    says(words, |here| SEVERAL.at(here).is_some()) || joins_several(words)
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

/// Whether two things are joined that it is about: "the roof and the cellar", "the hay of 2023 and of 2024". Two by their
/// names are rather asked about together: "Where did Ana and Ben meet?".
fn joins_several(words: &[Word]) -> bool {
    let words: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let mut joints = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.is(Cue::Joins));
    joints.any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let after = words.iter().skip(at + 1).take(LONGEST_LEAD);
        // "Ana and I": who asks is nothing that is asked about. "Bakes and is famous for": more is said of the same.
        let says_more = |word: &Word| word.is_first_person() || word.is(Cue::OfOne);
        let mut after = after.take_while(|word| !says_more(word));
        let topic = before.filter(|word| is_topic(word));
        let next = after.find(|word| is_topic(word));
        topic
            .zip(next)
            .is_some_and(|(one, other)| !(one.is_name() && other.is_name()))
    })
}

fn is_topic(word: &Word) -> bool {
    !word.stop || word.shape != Shape::Plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn what_asks_for_several_things_is_told_from_what_asks_for_one() {
        for question in [
            "Compare the harvests of 2023 and 2024",
            "What do insurance and Adobe cost?",
            "Give me the whole story of the boiler",
            "By how much did the rent rise?",
            "What do both of them play?",
            "What did we decide for the roof and for the cellar?",
        ] {
            assert!(asks_for_several(&text::read(question)), "{question}");
        }
        for question in [
            "Where does Ana live?",
            "And where does Ana live?",
            "Where do Ana and I meet?",
            "Which cake is it that Ana bakes and is famous for?",
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
