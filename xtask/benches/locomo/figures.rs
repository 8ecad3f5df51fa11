//! What the answers come to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::set::{Category, Question};
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
struct Sums {
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
    categories: BTreeMap<Category, Sums>,
    /// How well each question was answered, and whether something answers it.
    scores: Vec<(f64, bool)>,
    /// How well each question of other conversations was answered.
    foreign: Vec<f64>,
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
        let category = self
            .categories
            .entry(question.category.clone())
            .or_default();
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

    fn lines(&self) -> Vec<(String, &Sums)> {
        let lines = self.categories.iter();
        lines.map(|(name, sums)| (name.0.clone(), sums)).collect()
    }

    /// A question of another conversation: how well something here seems to answer it.
    pub(crate) fn add_foreign(&mut self, best: f64) {
        self.foreign.push(best);
    }

    fn answerable(&self) -> Sums {
        let mut all = Sums::default();
        let answered = |(name, _): &(&Category, &Sums)| **name != Category::NO_ANSWER;
        for (_, one) in self.categories.iter().filter(answered) {
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

    /// Of what was abstained from, how much has no answer; and of what has none, how much was abstained from.
    fn abstention(&self, without: &[f64]) -> (f64, f64) {
        let (with, _) = self.parted();
        let none = |scores: &[f64]| scores.iter().filter(|score| **score <= 0.0).count() as f64;
        let (rightly, falsely) = (none(without), none(&with));
        (
            rightly / (rightly + falsely).max(1.0),
            rightly / without.len().max(1) as f64,
        )
    }

    /// What is said about questions without an answer, and about those of other conversations.
    fn abstentions(&self) -> String {
        let (with, without) = self.parted();
        let sets = [
            ("without an answer", &without),
            ("of other conversations", &self.foreign),
        ];
        let mut lines = String::new();
        for (name, scores) in sets.into_iter().filter(|(_, scores)| !scores.is_empty()) {
            let (precision, recall) = self.abstention(scores);
            // A text in memory takes whatever is written to it.
            let _ = writeln!(
                lines,
                "{:>5} questions {name}: AUROC {:.3}, abstained at 5 % / 10 % false abstention {:.1} % / {:.1} %, \
                 precision {:.1} % and recall {:.1} % of abstaining",
                scores.len(),
                auroc(&with, scores),
                100.0 * abstained_at(0.05, &with, scores),
                100.0 * abstained_at(0.1, &with, scores),
                100.0 * precision,
                100.0 * recall,
            );
        }
        lines
    }

    fn abstentions_json(&self, without: &[f64]) -> Value {
        let (with, _) = self.parted();
        let (precision, recall) = self.abstention(without);
        json!({
            "questions": without.len(),
            "auroc": auroc(&with, without),
            "abstained_at_5": abstained_at(0.05, &with, without),
            "abstained_at_10": abstained_at(0.1, &with, without),
            "precision": precision,
            "recall": recall,
        })
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
            "\n{}{}\na recall takes {} µs in the middle and {} µs at the 99th percentile",
            self.abstentions(),
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
            "no_answer": self.abstentions_json(&self.parted().1),
            "foreign": self.abstentions_json(&self.foreign),
            "reliability": self.reliability().json(),
            "answered": share(all.answered as f64),
            "answered_rightly": share(all.rightly as f64),
            "auroc": self.auroc(),
            "p50_us": self.quantile(0.5),
            "p99_us": self.quantile(0.99),
        })
    }
}
