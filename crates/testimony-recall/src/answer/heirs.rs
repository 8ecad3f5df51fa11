//! What takes the place of a row answers what that row answered, or helps with the same tasks, in whatever words it says so:
//! "Ops moved to Buildkite" is what became of "Builds run on Jenkins", and answers where they run.
//!
//! That one took the other's place was decided when it came in and stands in the ledger, so nothing is guessed here. The
//! row that is over stays behind its gate: it lends what it would be worth, and nothing of what it says.

use std::rc::Rc;

use testimony_domain::{Memory, Reason, Score, State};

use super::judge::{Bench, Held, Judged};
use super::succession::wants_the_newest;
use crate::gates::{GateVerdict, Stage, ended_unsettled};
use crate::score::SubjectMatch;

/// A row that takes the place of one that answers does so too this often.
const PASSED_ON: f64 = 0.9;

/// Lets rows answer what those answered whose place they took, where the question wants what holds now.
pub(super) fn pass_on<'a>(bench: &Bench<'_>, passed: &mut [Rc<Judged<'a>>], held: &[Held<'a>]) {
    if !wants_the_newest(bench.reading) {
        return;
    }
    for over in held.iter().filter(|held| was_replaced(held)) {
        let heirs = passed.iter_mut();
        let heirs = heirs.filter(|row| took_the_place(row, over.candidate.memory));
        let latest = |row: &&mut Rc<Judged<'a>>| (row.candidate.memory.revision, row.id());
        let Some(heir) = heirs.max_by_key(latest) else {
            continue;
        };
        let known = bench.judge(over.candidate, over.outcome);
        let helps = !bench.reading.kind.is_question();
        if known.is_relevant() && (known.fit.direct || helps) {
            let statement = bench.statement(heir).into_owned();
            let heir = Rc::make_mut(heir);
            heir.inherit(&known);
            heir.statement = Some(statement);
        }
    }
}

/// Whether the row is known to the caller, and held for nothing but that another took its place. What nobody settled while it
/// stood lends nothing.
pub(super) fn was_replaced(held: &Held<'_>) -> bool {
    let memory = held.candidate.memory;
    held.outcome.verdict == GateVerdict::Deny(Reason::Superseded)
        && held.outcome.stage == Some(Stage::Lifecycle)
        && ended_unsettled(memory).is_none()
}

/// Whether a row is what now holds of the fact of which the other was an earlier revision.
fn took_the_place(row: &Judged<'_>, over: &Memory) -> bool {
    let memory = row.candidate.memory;
    memory.fact == over.fact && memory.state != State::Superseded && memory.revision > over.revision
}

impl Judged<'_> {
    /// Answers what `over` answered, or helps with what that helped with, and hardly less likely.
    fn inherit(&mut self, over: &Self) {
        let lent = |own: f64, of: f64| own.max(of * PASSED_ON);
        self.fit.degree = lent(self.fit.degree, over.fit.degree);
        self.fit.place = lent(self.fit.place, over.fit.place);
        self.relevance = Score::clamped(lent(self.relevance.get(), over.relevance.get()));
        self.weakness = None;
        if over.fit.direct {
            (self.fit.direct, self.fit.reason) = (true, None);
        }
        if self.evidence.subject == SubjectMatch::Other {
            self.evidence.subject = SubjectMatch::Same;
        }
        self.is_heir = true;
    }
}
