//! What the answers come to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::set::Question;
use crate::shared::measures::{Reliability, abstained_at, auroc, ndcg};

/// How many rows are looked at.
const DEPTHS: [usize; 2] = [5, 10];

/// What a question got.
pub(crate) struct Seen {
    /// How many rows answer it, by the service.
    pub(crate) answers: usize,
    /// How well the first of them answers.
    pub(crate) best: f64,
    /// The turns of every row, those that answer first.
    pub(crate) rows: Vec<Vec<String>>,
    /// The scores of the rows that answer.
    pub(crate) scores: Vec<f64>,
    pub(crate) micros: u64,
}

#[derive(Default)]
struct Category {
    questions: usize,
    found: [f64; DEPTHS.len()],
    reciprocal: f64,
    ndcg: f64,
    answered: usize,
    /// Answered, with evidence among the results.
    rightly: usize,
}

/// Sums over questions.
#[derive(Default)]
pub(crate) struct Figures {
    categories: BTreeMap<u64, Category>,
    /// How well each question was answered, and whether something answers it.
    scores: Vec<(f64, bool)>,
    micros: Vec<u64>,
    /// What each returned row says of itself, and whether it holds evidence.
    returned: Vec<(f64, bool)>,
}

impl Figures {
    pub(crate) fn add(&mut self, question: &Question, seen: &Seen) {
        self.micros.push(seen.micros);
        self.scores.push((seen.best, question.is_answerable()));
        if question.is_answerable() && question.evidence.is_empty() {
            return;
        }
        let answers = question.is_answerable();
        let right =
            |row: &Vec<String>| answers && row.iter().any(|turn| question.evidence.contains(turn));
        self.returned
            .extend(seen.scores.iter().copied().zip(seen.rows.iter().map(right)));
        let category = self.categories.entry(question.category).or_default();
        category.questions += 1;
        let holds = |row: &Vec<String>| row.iter().any(|turn| question.evidence.contains(turn));
        for (found, depth) in category.found.iter_mut().zip(DEPTHS) {
            let turns: BTreeSet<&String> = seen.rows.iter().take(depth).flatten().collect();
            let met = question.evidence.iter().filter(|it| turns.contains(it));
            *found += met.count() as f64 / question.evidence.len().max(1) as f64;
        }
        let first = seen.rows.iter().position(holds);
        category.reciprocal += first.map_or(0.0, |at| 1.0 / (at + 1) as f64);
        let hits: Vec<bool> = seen.rows.iter().map(holds).collect();
        category.ndcg += ndcg(&hits, question.evidence.len(), 10);
        category.answered += usize::from(seen.answers > 0);
        category.rightly += usize::from(seen.rows.iter().take(seen.answers).any(holds));
    }

    fn lines(&self) -> Vec<(String, &Category)> {
        let names = [
            (1, "several turns"),
            (2, "time"),
            (3, "world knowledge"),
            (4, "one turn"),
            (5, "no answer"),
        ];
        let named = |number: &u64| names.iter().find(|(of, _)| of == number);
        let line = |(number, category)| {
            let name = named(number).map_or("other", |(_, name)| name);
            (name.to_owned(), category)
        };
        self.categories.iter().map(line).collect()
    }

    fn answerable(&self) -> Category {
        let mut all = Category::default();
        for (_, one) in self.categories.iter().filter(|(number, _)| **number != 5) {
            all.questions += one.questions;
            all.reciprocal += one.reciprocal;
            all.ndcg += one.ndcg;
            all.answered += one.answered;
            all.rightly += one.rightly;
            for (all, one) in all.found.iter_mut().zip(one.found) {
                *all += one;
            }
        }
        all
    }

    /// How often a question that is answered in memory is answered better than one that is not.
    fn auroc(&self) -> f64 {
        let (with, without) = self.parted();
        auroc(&with, &without)
    }

    /// How many of what has no answer would be refused where that share of what has one is refused in vain.
    fn abstained_at(&self, falsely: f64) -> f64 {
        let (with, without) = self.parted();
        abstained_at(falsely, &with, &without)
    }

    /// The best scores of questions that have an answer, and of those that have none.
    fn parted(&self) -> (Vec<f64>, Vec<f64>) {
        let of = |wanted: bool| {
            let scores = self.scores.iter().filter(|(_, known)| *known == wanted);
            scores.map(|(score, _)| *score).collect()
        };
        (of(true), of(false))
    }

    pub(crate) fn reliability(&self) -> Reliability {
        Reliability::of(&self.returned)
    }

    fn quantile(&self, share: f64) -> u64 {
        let mut micros = self.micros.clone();
        micros.sort_unstable();
        let at = (micros.len() as f64 * share) as usize;
        micros
            .get(at.min(micros.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn table(&self) -> String {
        let mut table = String::from(
            "questions            count   recall@5  recall@10    MRR  nDCG@10  answered  rightly\n",
        );
        let all = ("answerable".to_owned(), &self.answerable());
        for (name, one) in self.lines().into_iter().chain([all]) {
            let share = |sum: f64| 100.0 * sum / one.questions.max(1) as f64;
            // A table in memory takes whatever is written to it.
            let _ = writeln!(
                table,
                "{name:<20} {:>5}   {:>7.1}%  {:>8.1}%  {:>5.3}  {:>6.3}  {:>8.1}%  {:>6.1}%",
                one.questions,
                share(one.found[0]),
                share(one.found[1]),
                one.reciprocal / one.questions.max(1) as f64,
                one.ndcg / one.questions.max(1) as f64,
                share(one.answered as f64),
                share(one.rightly as f64),
            );
        }
        let _ = writeln!(
            table,
            "\ntelling what has an answer from what has none, AUROC {:.3}, abstained at 10 % false abstention \
             {:.1} %\n{}\na recall takes {} µs in the middle and {} µs at the 99th percentile",
            self.auroc(),
            100.0 * self.abstained_at(0.1),
            self.reliability().line(),
            self.quantile(0.5),
            self.quantile(0.99),
        );
        table
    }

    pub(crate) fn json(&self) -> Value {
        let all = self.answerable();
        let share = |sum: f64| sum / all.questions.max(1) as f64;
        json!({
            "questions": all.questions,
            "recall_at_5": share(all.found[0]),
            "recall_at_10": share(all.found[1]),
            "mrr": share(all.reciprocal),
            "ndcg_at_10": share(all.ndcg),
            "abstained_at_10": self.abstained_at(0.1),
            "reliability": self.reliability().json(),
            "answered": share(all.answered as f64),
            "answered_rightly": share(all.rightly as f64),
            "auroc": self.auroc(),
            "p50_us": self.quantile(0.5),
            "p99_us": self.quantile(0.99),
        })
    }
}
