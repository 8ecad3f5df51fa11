//! A second look at results, and at all of them together: what is asked in several words is often said by several rows, and
//! a row that adds to those before it goes before one that says the same again.
//!
//! It needs no model, and it sees only rows that passed every gate and cleared the floor; it says how well each answers,
//! and takes none away and brings none in.

use std::collections::BTreeSet;

use testimony_domain::Score;

use crate::answer::Recalled;
use crate::text;

/// What it counts that a row says all of what is asked and nobody before it any of that; how well it answers counts the
/// rest.
const ADDS: f64 = 0.1;

/// How well each row answers behind those that go before it, in the order in which they came.
#[must_use]
pub fn order_again(query: &str, rows: &[Recalled<'_>]) -> Vec<Score> {
    let asked = telling(query);
    let says = |row: &Recalled<'_>| {
        let said = telling(row.memory.content.as_str());
        asked.intersection(&said).cloned().collect()
    };
    let left = rows.iter().map(|row| Left {
        answers: row.score.get(),
        adds: says(row),
    });
    let told = tell(left.collect(), asked.len());
    told.into_iter().map(Score::clamped).collect()
}

/// The stems of the words of a text that carry a topic.
fn telling(text: &str) -> BTreeSet<String> {
    let words = text::read(text).into_iter();
    let telling = words.filter(|word| !word.stop && !word.whole);
    telling.map(|word| word.stem.clone()).collect()
}

/// A row that no place was found for yet.
struct Left {
    /// How well it answers by itself.
    answers: f64,
    /// What it says of what is asked and no row before it said.
    adds: BTreeSet<String>,
}

impl Left {
    fn counts(&self, asked: usize) -> f64 {
        let number = |it: usize| f64::from(u32::try_from(it).unwrap_or(u32::MAX));
        let share = number(self.adds.len()) / number(asked.max(1));
        (1.0 - ADDS) * self.answers + ADDS * share
    }
}

/// Gives one place after the other to the row that counts most behind those before it, and says of each what it counted
/// there.
fn tell(mut rows: Vec<Left>, asked: usize) -> Vec<f64> {
    let mut told = vec![0.0; rows.len()];
    let mut left: Vec<usize> = (0..rows.len()).collect();
    let mut last = f64::INFINITY;
    while let Some((place, at, counts)) = best(&rows, &left, asked) {
        left.remove(place);
        // One that had to wait counts no more than whom it waited for.
        last = counts.min(last);
        if let Some(told) = told.get_mut(at) {
            *told = last;
        }
        let said = rows.get_mut(at).map(|row| std::mem::take(&mut row.adds));
        for word in said.unwrap_or_default() {
            for row in &mut rows {
                row.adds.remove(&word);
            }
        }
    }
    told
}

/// Which of the rows that are left counts most, and how much; of equals the first. Rows that answer equally well stand as
/// they came: what put one before the other there, such as that it holds now, is not seen here.
fn best(rows: &[Left], left: &[usize], asked: usize) -> Option<(usize, usize, f64)> {
    let each = left.iter().enumerate();
    let each = each.filter_map(|(place, at)| Some((place, *at, rows.get(*at)?)));
    let mut before = None;
    let first = each.filter(|(_, _, row)| before.replace(row.answers) != Some(row.answers));
    let counted = first.map(|(place, at, row)| (place, at, row.counts(asked)));
    counted.reduce(|best, next| if next.2 > best.2 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(answers: f64, adds: &str) -> Left {
        Left {
            answers,
            adds: adds.split_whitespace().map(str::to_owned).collect(),
        }
    }

    fn order(rows: Vec<Left>, asked: usize) -> Vec<usize> {
        let told = tell(rows, asked);
        let mut order: Vec<usize> = (0..told.len()).collect();
        order.sort_by(|one, other| told[*other].total_cmp(&told[*one]));
        order
    }

    #[test]
    fn a_row_that_adds_something_goes_before_one_that_says_the_same_again() {
        let rows = || {
            vec![
                left(0.60, "stage port"),
                left(0.56, "stage port"),
                left(0.54, "password"),
            ]
        };
        assert_eq!(order(rows(), 3), [0, 2, 1]);
    }

    #[test]
    fn a_row_that_answers_much_better_stays_in_front() {
        let rows = vec![left(0.9, "port"), left(0.2, "stage port password")];
        assert_eq!(order(rows, 3), [0, 1]);
    }

    #[test]
    fn rows_that_answer_equally_well_stand_as_they_came() {
        let rows = |second| vec![left(0.5, "port"), left(second, "stage port")];
        assert_eq!(order(rows(0.5), 3), [0, 1]);
        assert_eq!(order(rows(0.49), 3), [1, 0]);
    }

    #[test]
    fn what_comes_later_counts_no_more_than_what_comes_before() {
        let rows = vec![
            left(0.33, "a b"),
            left(0.32, "b c d"),
            left(0.31, ""),
            left(0.29, "e"),
        ];
        let told = tell(rows, 5);
        let mut sorted = told.clone();
        sorted.sort_by(|one, other| other.total_cmp(one));
        assert_eq!(sorted[0].total_cmp(&told[1]), std::cmp::Ordering::Equal);
        assert!(told.iter().all(|it| (0.0..=1.0).contains(it)));
        assert_eq!(tell(Vec::new(), 0), Vec::<f64>::new());
    }
}
