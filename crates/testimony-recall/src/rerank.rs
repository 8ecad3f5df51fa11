//! A second look at results: how close together a row says what is asked, and in which order.
//!
//! It needs no model, and it sees only rows that passed every gate and cleared the floor; it says how well each answers,
//! and takes none away and brings none in.

use std::collections::BTreeSet;

use testimony_domain::Score;

use crate::answer::Recalled;
use crate::text::{self, Word};

/// What each feature counts. They sum to 1, so that the whole is a score.
const RELEVANCE: f64 = 0.60;
const COVERED: f64 = 0.16;
const CLOSE: f64 = 0.12;
const IN_ORDER: f64 = 0.08;
const BRIEF: f64 = 0.04;

/// A row of so many words is half as brief as an empty one.
const HALF_AS_BRIEF: f64 = 30.0;

/// How well each row answers, in their order.
#[must_use]
pub fn order_again(query: &str, rows: &[Recalled<'_>]) -> Vec<Score> {
    let asked = telling(&text::read(query));
    rows.iter().map(|row| score(&asked, row)).collect()
}

/// The stems of words that carry a topic.
fn telling(words: &[Word]) -> Vec<String> {
    let telling = words.iter().filter(|word| !word.stop && !word.whole);
    telling.map(|word| word.stem.clone()).collect()
}

fn score(asked: &[String], row: &Recalled<'_>) -> Score {
    let said = telling(&text::read(row.memory.content.as_str()));
    let wanted: BTreeSet<&String> = asked.iter().collect();
    let places: Vec<(usize, &String)> = said
        .iter()
        .enumerate()
        .filter(|(_, stem)| wanted.contains(stem))
        .collect();
    let found: BTreeSet<&String> = places.iter().map(|(_, stem)| *stem).collect();
    let length = u32::try_from(said.len()).unwrap_or(u32::MAX);
    let whole = RELEVANCE * row.answer_relevance_score.get()
        + COVERED * share(found.len(), wanted.len())
        + CLOSE * closeness(&places, found.len())
        + IN_ORDER * in_order(asked, &said)
        + BRIEF * HALF_AS_BRIEF / (HALF_AS_BRIEF + f64::from(length));
    Score::clamped(whole)
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |it: usize| f64::from(u32::try_from(it).unwrap_or(u32::MAX));
    if whole == 0 {
        0.0
    } else {
        number(part) / number(whole)
    }
}

/// How much of the shortest stretch that holds every word that was found is made of such words; 0 where one alone was.
fn closeness(places: &[(usize, &String)], distinct: usize) -> f64 {
    if distinct < 2 {
        return 0.0;
    }
    let mut counts: std::collections::BTreeMap<&String, usize> = std::collections::BTreeMap::new();
    let mut shortest = usize::MAX;
    let mut tail = places.iter();
    for (end, stem) in places {
        *counts.entry(stem).or_default() += 1;
        while counts.len() == distinct {
            let Some((start, first)) = tail.next() else {
                break;
            };
            shortest = shortest.min(end - start + 1);
            if let Some(count) = counts.get_mut(first) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(first);
                }
            }
        }
    }
    share(distinct, shortest)
}

/// The share of the question's neighbours that are neighbours in the row too.
fn in_order(asked: &[String], said: &[String]) -> f64 {
    let pairs = |words: &[String]| -> BTreeSet<(String, String)> {
        let next = words.iter().skip(1).cloned();
        words.iter().cloned().zip(next).collect()
    };
    let (wanted, there) = (pairs(asked), pairs(said));
    share(wanted.intersection(&there).count(), wanted.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_stretch_counts() {
        let words = ["a", "x", "x", "b", "a", "b"].map(str::to_owned);
        let places: Vec<(usize, &String)> = words
            .iter()
            .enumerate()
            .filter(|(_, word)| *word != "x")
            .collect();
        assert!((closeness(&places, 2) - 1.0).abs() < 1e-9);
        assert!((closeness(&places[..2], 2) - 0.5).abs() < 1e-9);
        assert!(closeness(&places[..1], 1).abs() < 1e-9);
    }

    #[test]
    fn neighbours_of_the_question_count_where_they_are_neighbours() {
        let [asked, near, apart] = [
            "stage database port",
            "the stage database",
            "database of stage",
        ]
        .map(|text| text.split(' ').map(str::to_owned).collect::<Vec<String>>());
        assert!((in_order(&asked, &near) - 0.5).abs() < 1e-9);
        assert!(in_order(&asked, &apart).abs() < 1e-9);
        assert!(in_order(&[], &near).abs() < 1e-9);
    }

    #[test]
    fn the_weights_sum_to_one() {
        let sum = RELEVANCE + COVERED + CLOSE + IN_ORDER + BRIEF;
        assert!((sum - 1.0).abs() < 1e-9);
    }
}
