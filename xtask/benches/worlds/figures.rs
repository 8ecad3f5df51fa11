//! What the answers come to, kind by kind.

use std::collections::BTreeMap;
use std::time::Duration;

use xtask::bench::{Bar, Report};
use xtask::eval::worlds::{Kind, Question};

use crate::shared::machine::Times;
use crate::shared::measures::{Reliability, abstained_at, auroc};

/// What a question got: memories by their names in the world.
pub(crate) struct Seen {
    pub(crate) results: Vec<String>,
    /// The scores of the results.
    pub(crate) scores: Vec<f64>,
    /// The best score of the results; 0 where there are none.
    pub(crate) best: f64,
    pub(crate) related: Vec<String>,
    pub(crate) packet: Vec<String>,
    pub(crate) took: Duration,
}

impl Seen {
    fn has_gold(&self, question: &Question, first: usize) -> bool {
        let mut first = self.results.iter().take(first);
        first.any(|name| question.gold.contains(name))
    }

    /// Whether it is what its kind asks for.
    pub(crate) fn is_right(&self, question: &Question) -> bool {
        let gold = &question.gold;
        match question.kind {
            Kind::Direct | Kind::Historical => self.has_gold(question, 3),
            Kind::Paraphrase => self.has_gold(question, 5),
            Kind::TemporalCurrent => self.has_gold(question, 1),
            Kind::Multi => {
                let first: Vec<&String> = self.results.iter().take(5).collect();
                gold.iter().all(|name| first.contains(&name))
            }
            Kind::RelatedOnly => {
                let told = self.related.iter().any(|name| gold.contains(name));
                self.results.is_empty() && (told || gold.is_empty())
            }
            Kind::Unknown | Kind::WrongSubject | Kind::FalsePremise => self.results.is_empty(),
            Kind::Task => {
                gold.iter().all(|name| self.packet.contains(name))
                    && self.packet.iter().all(|name| gold.contains(name))
            }
        }
    }
}

#[derive(Default)]
struct OfKind {
    questions: usize,
    right: usize,
    abstained: usize,
    /// Shares of the gold among the first five and ten rows, results before what is related.
    at_5: f64,
    at_10: f64,
    reciprocal: f64,
    useful: f64,
    packed: usize,
    useless: usize,
}

/// Sums over questions.
#[derive(Default)]
pub(crate) struct Figures {
    kinds: BTreeMap<Kind, OfKind>,
    took: Vec<Duration>,
    /// What each result says of itself, and whether it answers.
    returned: Vec<(f64, bool)>,
    /// The best scores of questions with an answer, and of those without.
    best: [Vec<f64>; 2],
    /// Of the questions that got no answer how many have none; and how many have none at all.
    abstained: usize,
    rightly: usize,
    without: usize,
}

impl Figures {
    pub(crate) fn add(&mut self, question: &Question, seen: &Seen) {
        self.took.push(seen.took);
        self.add_scores(question, seen);
        let kind = self.kinds.entry(question.kind).or_default();
        kind.questions += 1;
        kind.right += usize::from(seen.is_right(question));
        kind.abstained += usize::from(seen.results.is_empty());
        let mut rows: Vec<&String> = seen.results.iter().chain(&seen.related).collect();
        rows.dedup();
        let gold = question.gold.len().max(1) as f64;
        let among = |first: usize| {
            let first: Vec<&&String> = rows.iter().take(first).collect();
            let found = question.gold.iter().filter(|name| first.contains(&name));
            found.count() as f64 / gold
        };
        kind.at_5 += among(5);
        kind.at_10 += among(10);
        let place = rows.iter().position(|name| question.gold.contains(*name));
        kind.reciprocal += place.map_or(0.0, |at| 1.0 / (at + 1) as f64);
        let in_packet = |name: &&String| seen.packet.contains(name);
        let in_packet = question.gold.iter().filter(in_packet).count();
        kind.useful += if question.gold.is_empty() {
            1.0
        } else {
            in_packet as f64 / gold
        };
        let of_no_use = seen
            .packet
            .iter()
            .filter(|name| !question.gold.contains(*name));
        kind.packed += seen.packet.len();
        kind.useless += of_no_use.count();
    }

    fn add_scores(&mut self, question: &Question, seen: &Seen) {
        if question.kind == Kind::Task {
            return;
        }
        let answerable = question.kind.is_answerable();
        let right = |name: &String| answerable && question.gold.contains(name);
        let scores = seen.scores.iter().copied();
        self.returned
            .extend(scores.zip(seen.results.iter().map(right)));
        let [with, without] = &mut self.best;
        if answerable { with } else { without }.push(seen.best);
        let abstains = seen.results.is_empty();
        self.abstained += usize::from(abstains);
        self.rightly += usize::from(abstains && !answerable);
        self.without += usize::from(!answerable);
    }

    pub(crate) fn reliability(&self) -> Reliability {
        Reliability::of(&self.returned)
    }

    fn tell_abstention(&self, report: &mut Report) {
        let [with, without] = &self.best;
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let mut add = |what: &str, value, unit| {
            report.add("abstention", what, value, unit, Bar::None);
        };
        add("precision", share(self.rightly, self.abstained), "%");
        add("recall", share(self.rightly, self.without), "%");
        add("AUROC", auroc(with, without), "");
        let at_5 = 100.0 * abstained_at(0.05, with, without);
        add("abstained at 5 % false abstention", at_5, "%");
        let reliability = self.reliability();
        report.add(
            "calibration",
            "expected error",
            reliability.error,
            "",
            Bar::None,
        );
        report.add(
            "calibration",
            "its 5th percentile",
            reliability.interval.0,
            "",
            Bar::None,
        );
        report.add(
            "calibration",
            "its 95th percentile",
            reliability.interval.1,
            "",
            Bar::None,
        );
        report.add(
            "calibration",
            "returned rows",
            reliability.pairs as f64,
            "",
            Bar::None,
        );
    }

    pub(crate) fn report(&self) -> Report {
        let mut report = Report::default();
        for (kind, sums) in &self.kinds {
            sums.tell(*kind, &mut report);
        }
        let answerable = self.kinds.iter().filter(|(kind, _)| kind.is_answerable());
        let answerable: Vec<&OfKind> = answerable.map(|(_, sums)| sums).collect();
        let sum = |of: fn(&OfKind) -> f64| answerable.iter().map(|it| of(it)).sum::<f64>();
        let count = sum(|it| it.questions as f64).max(1.0);
        let mut add = |what: &str, value, unit| {
            report.add("all that can be answered", what, value, unit, Bar::None);
        };
        add("recall@5", 100.0 * sum(|it| it.at_5) / count, "%");
        add("recall@10", 100.0 * sum(|it| it.at_10) / count, "%");
        add("MRR", sum(|it| it.reciprocal) / count, "");
        let abstained = 100.0 * sum(|it| it.abstained as f64) / count;
        add("abstained in vain", abstained, "%");
        self.tell_abstention(&mut report);
        let times = Times::from(self.took.clone());
        for (what, share) in [
            ("an answer takes, p50", 0.5),
            ("an answer takes, p99", 0.99),
        ] {
            report.add("time", what, times.at(share), "ms", Bar::None);
        }
        report
    }
}

impl OfKind {
    fn tell(&self, kind: Kind, report: &mut Report) {
        let percent = |share: f64| 100.0 * share / self.questions.max(1) as f64;
        let mut add = |what: &str, value, unit, bar| {
            report.add(kind.as_str(), what, value, unit, bar);
        };
        add("questions", self.questions as f64, "", Bar::None);
        if kind == Kind::Task {
            let useful = percent(self.useful);
            add("useful rows in the packet", useful, "%", Bar::AtLeast(85.0));
            let useless = 100.0 * self.useless as f64 / self.packed.max(1) as f64;
            add("of the packet useless", useless, "%", Bar::AtMost(10.0));
            return;
        }
        let right = percent(self.right as f64);
        add(what_is_right(kind), right, "%", bar(kind));
        if kind.is_answerable() {
            add(
                "MRR",
                self.reciprocal / self.questions.max(1) as f64,
                "",
                Bar::None,
            );
            add(
                "abstained in vain",
                percent(self.abstained as f64),
                "%",
                Bar::None,
            );
        }
    }
}

const fn bar(kind: Kind) -> Bar {
    match kind {
        Kind::Direct => Bar::AtLeast(96.0),
        Kind::Paraphrase => Bar::AtLeast(80.0),
        Kind::TemporalCurrent => Bar::AtLeast(93.0),
        Kind::Unknown | Kind::WrongSubject => Bar::AtLeast(88.0),
        Kind::Historical | Kind::Multi | Kind::RelatedOnly | Kind::FalsePremise | Kind::Task => {
            Bar::None
        }
    }
}

const fn what_is_right(kind: Kind) -> &'static str {
    match kind {
        Kind::Direct | Kind::Historical => "among the first 3",
        Kind::Paraphrase => "among the first 5",
        Kind::TemporalCurrent => "first",
        Kind::Multi => "all among the first 5",
        Kind::RelatedOnly => "only in what is related",
        Kind::Unknown | Kind::WrongSubject | Kind::FalsePremise => "abstained",
        Kind::Task => "exactly what helps",
    }
}
