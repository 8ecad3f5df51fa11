//! What a text affirms and what it denies, clause by clause, for whoever holds it against another text.

use std::collections::BTreeSet;

use super::clauses::clauses;
use super::leave_out::Sight;
use super::sentences::sentences;
use super::statement::{WordRole, compared};
use super::token::tokens;

/// The clauses of texts, each with whether it denies.
#[derive(Clone, Debug, Default)]
pub struct Denials(Vec<Clause>);

#[derive(Clone, Debug)]
struct Clause {
    /// Every word but those that deny.
    words: BTreeSet<String>,
    /// Those of them that name nothing.
    content: BTreeSet<String>,
    denies: bool,
}

impl Denials {
    /// Adds what a text says.
    pub fn add(&mut self, text: &str) {
        for sentence in sentences(text) {
            let text = text.get(sentence.span).unwrap_or_default();
            let (tokens, language) = tokens(text, 0, text.len());
            let parts = clauses(text, &tokens).into_iter();
            self.0.extend(parts.map(|part| {
                let tokens = tokens.get(part.from..part.to).unwrap_or_default();
                let said = compared(text, tokens, &Sight::new(text, tokens, language));
                let of = |is: fn(WordRole) -> bool| {
                    let words = said.iter().filter(|word| is(word.role));
                    words.map(|word| word.stem.clone()).collect()
                };
                Clause {
                    words: of(|role| role != WordRole::Negation),
                    content: of(|role| role == WordRole::Content),
                    denies: said.iter().any(|word| word.role == WordRole::Negation),
                }
            }));
        }
    }

    /// Adds what other texts say.
    pub fn extend(&mut self, others: &Self) {
        self.0.extend(others.0.iter().cloned());
    }

    /// Whether one of these clauses denies what those of others affirm, or affirms what they deny.
    #[must_use]
    pub fn turn(&self, others: &Self) -> bool {
        self.0.iter().any(|clause| clause.turns(&others.0))
    }
}

impl Clause {
    /// Whether it says the opposite of the clauses that are nearest to it by their words.
    fn turns(&self, others: &[Self]) -> bool {
        let shared = |other: &&Self| self.words.intersection(&other.words).count();
        let most = others.iter().map(|other| shared(&other)).max();
        let nearest = others.iter().filter(|other| Some(shared(other)) == most);
        let nearest: Vec<&Self> = nearest.filter(|other| self.speaks_as(other)).collect();
        if nearest.is_empty() || nearest.iter().any(|other| other.denies == self.denies) {
            return false;
        }
        if self.denies {
            !self.takes_its_denial_from(others, &nearest)
        } else {
            nearest.iter().all(|denied| self.holds_most_of(denied))
        }
    }

    fn speaks_as(&self, other: &Self) -> bool {
        !self.content.is_disjoint(&other.content)
    }

    /// "She works at Acme and does not drive" joins two clauses; what is denied is what another denies too.
    fn takes_its_denial_from(&self, others: &[Self], nearest: &[&Self]) -> bool {
        let told = |word: &&String| nearest.iter().any(|near| near.content.contains(*word));
        let denied = others.iter().filter(|other| other.denies);
        let mut shared = denied.flat_map(|other| self.content.intersection(&other.content));
        shared.any(|word| !told(&word))
    }

    /// Of a longer clause that denies, a part may well be affirmed.
    fn holds_most_of(&self, denied: &Self) -> bool {
        let held = self.content.intersection(&denied.content).count();
        held * 3 >= denied.content.len() * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence, what is known, and whether it turns that round.
    #[rustfmt::skip]
    const CASES: &[(&str, &str, bool)] = &[
        ("Mara does not work at Northwind Logistics.", "Mara works at Northwind Logistics.", true),
        ("Mara no longer works at Northwind Logistics.", "Mara works at Northwind Logistics.", true),
        ("Mara never worked at Northwind Logistics as an engineer.", "Mara works at Northwind Logistics.", true),
        ("Mara works at Northwind Logistics.", "Mara does not work at Northwind Logistics.", true),
        ("Mara works at Northwind Logistics.", "Mara works at Northwind Logistics.", false),
        ("Mara does not work at Northwind.", "Mara doesn't work at Northwind.", false),
        ("Mara does not work at Northwind.", "Mara works at Northwind. Mara does not work on Fridays.", true),
        ("Mara works at Northwind and does not drive.", "Mara works at Northwind. Mara does not drive.", false),
        ("Mara works at Northwind.", "Mara works at Northwind and does not drive.", false),
        ("Mara cares for animals.", "Mara does not eat meat because she cares for animals.", false),
        ("Mara arbeitet nicht bei Northwind.", "Mara arbeitet bei Northwind.", true),
        ("Mara no trabaja en Northwind.", "Mara trabaja en Northwind.", true),
        ("Mara departed from Northwind in May.", "Mara left Northwind in May.", false),
        ("Nothing is known of her car.", "Mara works at Northwind.", false),
    ];

    #[test]
    fn a_text_that_turns_what_is_known_round_is_known() {
        let wrong = CASES.iter().filter(|(sentence, known, expected)| {
            let (mut said, mut others) = (Denials::default(), Denials::default());
            said.add(sentence);
            others.add(known);
            said.turn(&others) != *expected
        });
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&(&str, &str, bool)>::new());
    }
}
