//! What a row says to be over by its name: "switched from Jira", "Amara has stepped down". Whoever asks for what holds now is
//! answered by such a row rather than by what it ends, though it may say nothing else of what is asked.

use crate::text::{Shape, Word};
use crate::words::OVER;

/// So near a phrase stands the name of what it says to be over.
const NEAR: usize = 2;

/// The numbers of names that a row says to be over.
pub(super) fn names_of_what_is_over(words: &[Word]) -> Vec<u64> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let raws: Vec<&str> = spoken.iter().map(|word| word.raw.as_str()).collect();
    let named = |words: &mut dyn Iterator<Item = &&Word>| -> Vec<u64> {
        let names = words.take(NEAR).filter(|word| may_be_name(word));
        names.map(|word| word.mark).collect()
    };
    let told = |at: usize| {
        let here = raws.get(at..).unwrap_or_default();
        let before = OVER.named_at("before", here);
        let before = before.map(|length| named(&mut spoken.iter().skip(at + length)));
        let behind = OVER.named_at("behind", here);
        let behind = behind.map(|_| named(&mut spoken.iter().take(at).rev()));
        before.into_iter().chain(behind).flatten()
    };
    (0..spoken.len()).flat_map(told).collect()
}

/// A word that opens a sentence may be a name too: "Hallam closed down".
fn may_be_name(word: &Word) -> bool {
    let opens = word.first && word.capital && !word.stop;
    word.is_name() || word.shape == Shape::Identifier || opens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// What a row says, and what of it is over.
    const SAID: &[(&str, &[&str])] = &[
        ("We switched from Jira to Linear.", &["jira"]),
        (
            "Amara has stepped down and Desmond looks after the money now.",
            &["amara"],
        ),
        (
            "No more Hempel. From this season all boats get Micron.",
            &["hempel"],
        ),
        ("We've said goodbye to PagerDuty.", &["pagerduty"]),
        ("Nos hemos pasado de Movistar a Digi.", &["movistar"]),
        ("We moved to Linear.", &[]),
        ("Ana left the keys on the table.", &[]),
        ("the ferry left at nine", &[]),
        ("", &[]),
    ];

    #[test]
    fn what_is_over_is_told_by_its_name() {
        for (row, over) in SAID {
            let words = text::read(row);
            let found = names_of_what_is_over(&words);
            let mut names = words.iter().filter(|word| found.contains(&word.mark));
            let told: Vec<&str> = names.by_ref().map(|word| word.raw.as_str()).collect();
            assert_eq!(told, *over, "{row}");
        }
    }
}
