//! Which lane each judged row takes, and in which order the rows of a lane stand.
//!
//! Lanes are taken at the system's floor; only then does the caller's threshold cut, so that raising it can take rows
//! away and never bring one in.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use testimony_domain::{MemoryId, Reason, Score, TrustPolicy, Verdict};

use super::judge::{Bench, Held, Judged};
use super::renewal::{Newer, Renewal};
use super::{companions, sort_out, succession};
use crate::candidate::Candidate;
use crate::gates::Stage;
use crate::request::Sort;

/// A judged row with what the request makes of it.
#[derive(Clone, Debug)]
pub(crate) struct Ranked<'a> {
    pub(crate) judged: Rc<Judged<'a>>,
    /// The relevance that counts: its own, or that of a row that says the same and was collapsed into it.
    pub(crate) relevance: Score,
    /// How well it answers, lifted by what the caller named as context.
    pub(crate) score: Score,
    /// What orders the rows: what puts it before others, lifted by the same.
    pub(crate) place: Score,
    pub(crate) context_tags: usize,
    pub(crate) context_type: bool,
    pub(crate) priority: bool,
    /// Whether a later row says another value of what it says.
    pub(crate) outdated: bool,
    /// The rows that are newer and may say anew what it says; of the first row that answers alone, under each trust policy under
    /// which it is the first.
    pub(super) newer: Vec<Newer>,
}

/// The lanes, each in its order and uncut by any limit.
#[derive(Debug, Default)]
pub(crate) struct Lanes<'a> {
    pub(crate) direct: Vec<Ranked<'a>>,
    pub(crate) related: Vec<Ranked<'a>>,
    pub(crate) confirm: Vec<Ranked<'a>>,
    /// Rows that are not relevant by themselves, and may say what became of an answer.
    pub(crate) weak: Vec<Ranked<'a>>,
    /// Rows that ended after the gates, with stage and reason.
    pub(crate) dropped: Vec<(Rc<Judged<'a>>, Stage, Reason)>,
    /// Rows that were collapsed, and into which.
    pub(crate) collapsed: Vec<(MemoryId, MemoryId)>,
}

/// Everything that became of the candidates.
#[derive(Debug)]
pub(crate) struct Outcome<'a> {
    /// Rows that passed the gates; whoever orders them moves where they are, and not what is known of them.
    pub(crate) passed: Vec<Rc<Judged<'a>>>,
    /// Rows that did not.
    pub(crate) held: Vec<Held<'a>>,
    /// Where the former went.
    pub(crate) lanes: Lanes<'a>,
}

impl<'a> Outcome<'a> {
    pub(crate) fn of(bench: &Bench<'_>, candidates: &[Candidate<'a>]) -> Self {
        let (passed, held) = sort_out(bench, &once_each(candidates));
        let lanes = Lanes::of(bench, &passed);
        Self {
            passed,
            held,
            lanes,
        }
    }
}

/// A search that hands in a row twice means it once, with all that its channels say of it, in whatever order it came, and
/// what was read of it first.
fn once_each<'a>(candidates: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let mut places: HashMap<MemoryId, usize> = HashMap::with_capacity(candidates.len());
    let mut kept: Vec<Candidate<'a>> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let place = *places.entry(candidate.memory.id).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(known) => {
                known.channels = known.channels.joined(candidate.channels);
                known.reads = known.reads.or(candidate.reads);
                known.follows = known.follows.or(candidate.follows);
            }
            None => kept.push(*candidate),
        }
    }
    kept
}

impl<'a> Lanes<'a> {
    /// Each row by itself, in the lane that it takes, and no more than one of those that say the same.
    fn apart(bench: &Bench<'_>, passed: &[Rc<Judged<'a>>]) -> Self {
        let mut lanes = Self::default();
        for judged in passed {
            lanes.admit(bench, Rc::clone(judged));
        }
        lanes.collapse();
        lanes.tell_the_newer(bench);
        lanes
    }

    /// Tells the first row that answers which others are newer and may say anew what it says. What follows a row further
    /// down says nothing anew: of a chain of rows each would speak of a little less.
    ///
    /// It is the first under this trust policy or a stricter one, among the rows that such a one shows, so that whatever a
    /// stricter one takes in a looser one takes in too.
    fn tell_the_newer(&mut self, bench: &Bench<'_>) {
        let ours = bench.request.options.trust_policy as usize;
        let as_strict = TrustPolicy::ALL.iter().filter(|it| **it as usize >= ours);
        for policy in as_strict {
            let is_shown = |row: &Ranked<'_>| row.judged.is_shown_under(*policy);
            let shown = self
                .direct
                .iter()
                .enumerate()
                .filter(|(_, row)| is_shown(row));
            let Some((at, first)) = shown.min_by(|(_, a), (_, b)| order(Sort::Score, a, b)) else {
                continue;
            };
            let rows = self.direct.iter().chain(&self.related);
            let newer = succession::newer(first, rows.filter(|row| is_shown(row)), bench.reading);
            if let (Some(first), Some(newer)) = (self.direct.get_mut(at), newer)
                && !first.newer.contains(&newer)
            {
                first.newer.push(newer);
            }
        }
    }

    fn of(bench: &Bench<'_>, passed: &[Rc<Judged<'a>>]) -> Self {
        let mut lanes = Self::apart(bench, passed);
        lanes.take_in(bench);
        for lane in [&mut lanes.direct, &mut lanes.related, &mut lanes.confirm] {
            lane.sort_by(|a, b| order(bench.request.options.sort, a, b));
        }
        succession::mark_outdated(&mut lanes.related, bench.reading);
        if bench.request.options.sort == Sort::Score {
            succession::order(&mut lanes.direct, bench.reading);
            for lane in [&mut lanes.direct, &mut lanes.related, &mut lanes.confirm] {
                // What the caller put first says nothing of the rest.
                lane.chunk_by_mut(|row, next| row.priority == next.priority)
                    .for_each(|lane| level(lane, |row| &mut row.score));
            }
        }
        // Order and scores are settled before, so that a threshold changes nothing of what it leaves.
        lanes.cut_below(bench.floor());
        lanes
    }

    /// Takes in what comes with the answers; what said no more than what is over, and ends none of them, is dropped.
    fn take_in(&mut self, bench: &Bench<'_>) {
        let reading = bench.reading;
        succession::take_in(&mut self.direct, &mut self.related, reading);
        succession::take_in_earlier(&mut self.direct, &mut self.related, reading);
        succession::take_in_what_became(&mut self.direct, &mut self.weak, reading);
        succession::raise(&mut self.direct, reading);
        companions::take_in(&mut self.direct, &mut self.related, reading);
        let weak = self.weak.drain(..).map(|row| dropped_as_weak(row.judged));
        self.dropped.extend(weak);
    }

    /// What is weighed of newer rows beside the first one that answers.
    pub(crate) fn renewals(bench: &Bench<'_>, candidates: &[Candidate<'a>]) -> Vec<Renewal> {
        let (passed, _) = sort_out(bench, &once_each(candidates));
        let mut lanes = Self::apart(bench, &passed);
        lanes.direct.sort_by(|a, b| order(Sort::Score, a, b));
        let Some((answer, others)) = lanes.direct.split_first() else {
            return Vec::new();
        };
        let read = |row: &&Ranked<'_>| row.judged.was_read_beside();
        let weak = lanes.weak.iter().filter(read);
        let beside = others.iter().chain(&lanes.related).chain(weak);
        let beside: Vec<&Ranked<'_>> = beside.collect();
        succession::weighed(answer, &beside, bench.reading)
    }

    fn admit(&mut self, bench: &Bench<'_>, judged: Rc<Judged<'a>>) {
        if may_tell_what_became(&judged) {
            self.weak.push(rank(bench, judged));
        } else if !judged.is_relevant() {
            self.dropped.push(dropped_as_weak(judged));
        } else if judged.is_of_other_subject() && judged.waits_for_confirmation() {
            self.dropped
                .push((judged, Stage::Answer, Reason::WrongSubject));
        } else {
            let ranked = rank(bench, judged);
            let lane = if ranked.judged.waits_for_confirmation() {
                &mut self.confirm
            } else if ranked.judged.fit.direct {
                &mut self.direct
            } else {
                &mut self.related
            };
            lane.push(ranked);
        }
    }

    /// Rows that say the same become one: the most trusted of them, and of these the most relevant.
    fn collapse(&mut self) {
        let rows = self.direct.len() + self.related.len() + self.weak.len();
        let mut kept: HashMap<u128, MemoryId> = HashMap::with_capacity(rows);
        for lane in [&mut self.direct, &mut self.related, &mut self.weak] {
            lane.sort_by(by_trust_then_relevance);
            let mut unique: Vec<Ranked<'a>> = Vec::with_capacity(lane.len());
            let mut place: HashMap<MemoryId, usize> = HashMap::with_capacity(lane.len());
            for row in lane.drain(..) {
                let same = row.judged.same;
                let Some(better) = same.and_then(|same| kept.get(&same).copied()) else {
                    kept.extend(same.map(|same| (same, row.judged.id())));
                    place.insert(row.judged.id(), unique.len());
                    unique.push(row);
                    continue;
                };
                if let Some(keeper) = place.get(&better).and_then(|at| unique.get_mut(*at)) {
                    keeper.take_over(&row);
                }
                self.collapsed.push((row.judged.id(), better));
                self.dropped
                    .push((row.judged, Stage::Duplicates, Reason::NearDuplicate));
            }
            *lane = unique;
        }
    }

    fn cut_below(&mut self, floor: Score) {
        for lane in [&mut self.direct, &mut self.related, &mut self.confirm] {
            let (kept, cut) = lane.drain(..).partition(|row| row.relevance >= floor);
            *lane = kept;
            self.dropped.extend(
                Vec::into_iter(cut)
                    .map(|row: Ranked<'a>| (row.judged, Stage::Relevance, Reason::BelowFloor)),
            );
        }
    }
}

impl Ranked<'_> {
    /// Says the same as `other`, so it is at least as relevant.
    fn take_over(&mut self, other: &Self) {
        self.relevance = more(self.relevance, other.relevance);
        self.score = more(self.score, other.score);
        self.place = more(self.place, other.place);
        self.priority |= other.priority;
    }

    /// Stands as high as an answer that it makes out of date, is as relevant, and as likely to answer: nothing else may speak
    /// for it. What the caller named as context lifts each by itself.
    pub(super) fn rise_to(&mut self, relevance: Score, (place, degree): (f64, f64)) {
        let lift = self.place.get() - self.judged.fit.place;
        let fit = &mut Rc::make_mut(&mut self.judged).fit;
        fit.place = fit.place.max(place);
        fit.degree = fit.degree.max(degree);
        self.relevance = more(self.relevance, relevance);
        self.place = Score::clamped(self.judged.fit.place + lift);
        self.score = Score::clamped(self.judged.fit.degree + lift);
    }

    /// How relevant it is as an answer.
    pub(crate) fn answer_relevance(&self) -> Score {
        Score::clamped(self.judged.fit.degree)
    }
}

fn more(a: Score, b: Score) -> Score {
    if a >= b { a } else { b }
}

fn dropped_as_weak(judged: Rc<Judged<'_>>) -> (Rc<Judged<'_>>, Stage, Reason) {
    let why = judged.weak_because();
    (judged, Stage::Relevance, why)
}

/// Whether a row is not relevant by itself and says what is over, which may be what another row answers, or was read beside
/// one that does.
fn may_tell_what_became(row: &Judged<'_>) -> bool {
    let ends = row.says_what_is_over() && !row.is_of_other_subject();
    let may = ends || row.was_read_beside();
    may && !row.is_relevant() && !row.waits_for_confirmation()
}

/// What a context tag, a context kind and a sought past lift the score by.
const LIFT_TAG: f64 = 0.05;
const MOST_TAGS_LIFTING: usize = 2;
const LIFT_TYPE: f64 = 0.05;
const LIFT_PAST: f64 = 0.15;

fn rank<'a>(bench: &Bench<'_>, judged: Rc<Judged<'a>>) -> Ranked<'a> {
    let options = bench.request.options;
    let memory = judged.candidate.memory;
    let context_tags = options
        .context_tags
        .iter()
        .filter(|tag| memory.tags.contains(tag))
        .count();
    let mut ranked = Ranked {
        relevance: judged.relevance,
        score: judged.relevance,
        place: judged.relevance,
        context_tags,
        context_type: options.context_types.contains(&memory.kind),
        priority: options.priority_ids.contains(&memory.id),
        outdated: false,
        newer: Vec::new(),
        judged,
    };
    let lift = lift(bench, &ranked);
    ranked.score = Score::clamped(ranked.answer_relevance().get() + lift);
    ranked.place = Score::clamped(ranked.judged.fit.place + lift);
    ranked
}

fn lift(bench: &Bench<'_>, row: &Ranked<'_>) -> f64 {
    let tags = match row.context_tags.min(MOST_TAGS_LIFTING) {
        0 => 0.0,
        1 => LIFT_TAG,
        _ => 2.0 * LIFT_TAG,
    };
    let kind = if row.context_type { LIFT_TYPE } else { 0.0 };
    let past = if row.judged.is_sought_past(bench.reading.time) {
        LIFT_PAST
    } else {
        0.0
    };
    tags + kind + past
}

/// The verdict of the table, so that the order does not depend on the policy.
fn strictness(row: &Ranked<'_>) -> Verdict {
    row.judged.candidate.memory.ruling().verdict
}

fn by_trust_then_relevance(a: &Ranked<'_>, b: &Ranked<'_>) -> Ordering {
    strictness(a)
        .cmp(&strictness(b))
        .then_with(|| b.relevance.get().total_cmp(&a.relevance.get()))
        .then_with(|| a.judged.id().cmp(&b.judged.id()))
}

/// Priority first; then what was asked for; at equal score marked rows after unmarked ones; then the latest.
fn order(sort: Sort, a: &Ranked<'_>, b: &Ranked<'_>) -> Ordering {
    let (left, right) = (a.judged.candidate.memory, b.judged.candidate.memory);
    let by_place = || {
        hundredths(b.place)
            .cmp(&hundredths(a.place))
            .then_with(|| {
                a.judged
                    .marked()
                    .is_some()
                    .cmp(&b.judged.marked().is_some())
            })
            .then_with(|| b.place.get().total_cmp(&a.place.get()))
            .then_with(|| right.observed_at.cmp(&left.observed_at))
    };
    let by_wish = match sort {
        Sort::Score => b.priority.cmp(&a.priority).then_with(by_place),
        Sort::Recent => right.observed_at.cmp(&left.observed_at).then_with(by_place),
        Sort::Oldest => left.observed_at.cmp(&right.observed_at).then_with(by_place),
    };
    by_wish.then_with(|| left.id.cmp(&right.id))
}

/// Of rows in their order, none says more than one before it: where one would, all in between say what they say on
/// average, which is as true of them together.
pub(super) fn level<R>(lane: &mut [R], score: impl Fn(&mut R) -> &mut Score) {
    let mut steps: Vec<(f64, usize)> = Vec::new();
    for row in &mut *lane {
        let mut step = (score(row).get(), 1);
        while let Some((sum, count)) = steps.pop_if(|last| mean(*last) < mean(step)) {
            step = (step.0 + sum, step.1 + count);
        }
        steps.push(step);
    }
    let said = steps
        .into_iter()
        .flat_map(|step| std::iter::repeat_n(mean(step), step.1));
    for (row, said) in lane.iter_mut().zip(said) {
        *score(row) = Score::clamped(said);
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows are small")]
fn mean((sum, count): (f64, usize)) -> f64 {
    sum / count as f64
}

/// Relevance is no finer than this: rows within the same hundredth are equally relevant.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a score lies between 0 and 1"
)]
fn hundredths(score: Score) -> u32 {
    (score.get() * 100.0).floor() as u32
}
