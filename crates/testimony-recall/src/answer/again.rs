//! An answer whose results somebody else puts in order, and which is cut behind that: its places change, and what it says of
//! itself goes with them.

use testimony_domain::{MemoryId, Reason, RecallLimit, Score};

use super::lanes::level;
use super::{Answer, Recalled, Suppressed};
use crate::gates::Stage;

impl<'a> Answer<'a> {
    /// Puts results in the order of these scores, one for each. Those of `first` stay in front, and of rows that answer
    /// equally well marked ones stay behind. With another number of scores than of results nothing is moved.
    pub fn order_results(&mut self, scores: &[Score], first: &[MemoryId]) {
        if scores.len() != self.results.len() {
            return;
        }
        let asked_for = |row: &Recalled<'_>| first.contains(&row.memory.id);
        let rows = std::mem::take(&mut self.results);
        let mut placed: Vec<_> = rows.into_iter().zip(scores).collect();
        let key = |(row, score): &(Recalled<'_>, &Score)| {
            // As fine as relevance is; what stands first of equals stays there.
            let hundredths = (score.get() * 100.0).round();
            let marked = row.why_recalled.marked.is_some();
            (!asked_for(row), hundredths, marked)
        };
        placed.sort_by(|a, b| {
            let (one, other) = (key(a), key(b));
            let by_score = other.1.total_cmp(&one.1);
            one.0.cmp(&other.0).then(by_score).then(one.2.cmp(&other.2))
        });
        self.results = placed.into_iter().map(|(row, _)| row).collect();
        for lane in self
            .results
            .chunk_by_mut(|row, next| asked_for(row) == asked_for(next))
        {
            level(lane, |row| &mut row.score);
        }
    }

    /// Cuts every lane to a limit; what is cut comes back by its id.
    pub fn cut_to(&mut self, limit: RecallLimit) {
        let limit = usize::try_from(limit.get()).unwrap_or(usize::MAX);
        let results = beyond(&mut self.results, limit);
        let related = beyond(&mut self.related_context, limit);
        let waiting = beyond(&mut self.needs_confirmation, limit);
        self.count_cut(&results, &related, waiting.len());
        let rows = results.iter().chain(&related);
        let rows = rows.chain(waiting.iter().map(|waiting| &waiting.row));
        self.suppressed.extend(rows.map(|row| Suppressed {
            id: row.memory.id,
            reason: Reason::OverLimit,
            stage: Stage::Limit,
            added_gate: None,
        }));
        self.suppressed.sort_by_key(|row| (row.stage, row.id));
    }

    fn count_cut(&mut self, results: &[Recalled<'a>], related: &[Recalled<'a>], waiting: usize) {
        let told = &mut self.diagnostics;
        let shown = results.iter().chain(related);
        let marked = shown.filter(|row| row.why_recalled.marked.is_some());
        told.balanced_caution_count = told.balanced_caution_count.saturating_sub(marked.count());
        let supporting = related.iter().filter(|row| row.supporting).count();
        told.supporting_context_count = told.supporting_context_count.saturating_sub(supporting);
        told.tangential_context_count = told
            .tangential_context_count
            .saturating_sub(related.len() - supporting);
        told.tangential_suppressed_count += related.len();
        let removed = results.len() + related.len() + waiting;
        let stages = told.scope_filter_stage_counts.iter_mut();
        for count in stages.filter(|count| count.stage == Stage::Limit) {
            count.removed += removed;
            count.passed = count.passed.saturating_sub(removed);
        }
    }
}

fn beyond<T>(lane: &mut Vec<T>, limit: usize) -> Vec<T> {
    lane.split_off(limit.min(lane.len()))
}
