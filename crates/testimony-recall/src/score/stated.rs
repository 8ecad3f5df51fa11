//! Whether a row states what a question asks, or only speaks of whom or what it asks about: signs with their weights,
//! fitted as `xtask/fit/stated.py` does it, on the likeliest rows of questions, those without an answer among them, before
//! another number was another thing; `docs/quality.md` says what a fit of today gives.
//!
//! The chance that a row answers tells rows of one question apart; where few rows stand beside it, it says little of
//! whether any of them answers: that Marta lives in Lisbon is the likeliest answer to when she was born, and none.

use super::answer::{Judged, logistic, yes};
use crate::candidate::Channel;
use crate::query::QuestionKind;

/// A sign that a row states what is asked, and how much it says.
struct Sign {
    weight: f64,
    of: fn(&Judged<'_>) -> f64,
}

/// Where nothing speaks for a row.
const BIAS: f64 = -2.28;

/// From this chance on a row states what is asked.
pub(crate) const STATED_FROM: f64 = 0.44;

#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    // What stands nowhere in it nor anything like it, and how much of the rest does.
    Sign { weight: -3.01, of: |it| it.evidence.wording.missing },
    Sign { weight:  1.14, of: |it| it.evidence.wording.asked },
    Sign { weight: -1.64, of: |it| it.evidence.wording.untold },
    Sign { weight:  1.92, of: |it| it.evidence.channel(Channel::Semantic) },
    // Whether it says something of the kind that is asked for. Numbers and things are what most rows hold one of.
    Sign { weight:  2.67, of: |it| it.says },
    Sign { weight: -0.85, of: |it| yes(it.kind == QuestionKind::HowMany) },
    Sign { weight: -0.65, of: |it| yes(matches!(it.kind, QuestionKind::What | QuestionKind::Which)) },
    Sign { weight:  2.31, of: |it| it.evidence.when },
    Sign { weight: -1.51, of: |it| yes(it.evidence.excluded) },
    Sign { weight:  0.21, of: |it| yes(it.evidence.by_subject) },
    Sign { weight:  1.00, of: |it| it.evidence.length },
];

/// How much the chance that it answers counts beside them.
const BY_CHANCE: f64 = 0.20;

/// Where nothing speaks for a row that was read.
const READ_BIAS: f64 = -3.10;

/// From this chance on a row that was read answers.
pub(crate) const READ_FROM: f64 = 0.28;

/// How much what it was read to say counts, and the chance that it answers.
const BY_READING: f64 = 0.45;
const READ_BY_CHANCE: f64 = 0.23;

/// What speaks beside that for a row that was read: who reads sees most of what the other table has to guess.
#[rustfmt::skip]
const SIGNS_OF_READ: &[Sign] = &[
    Sign { weight: -0.84, of: |it| it.evidence.wording.missing },
    Sign { weight:  1.67, of: |it| it.evidence.wording.asked },
    Sign { weight:  2.26, of: |it| it.says },
    Sign { weight:  2.23, of: |it| it.evidence.when },
    Sign { weight:  1.49, of: |it| yes(it.evidence.by_subject) },
];

/// What the same is worth beside a task: of rows that were read, how likely they help.
const HELPS_BIAS: f64 = -1.05;
const HELPS_BY_CHANCE: f64 = 0.66;
const HELPS_BY_READING: f64 = 0.44;

/// The chance that a row states what is asked, by its words and its meaning; `chance` is that it answers.
pub(crate) fn stated(judged: &Judged<'_>, chance: f64) -> f64 {
    logistic(BIAS + BY_CHANCE * odds(chance) + summed(SIGNS, judged))
}

/// The chance that a row answers, or helps with a task, that was read; `chance` is what words and meaning say, `reads` what it
/// was read to say.
pub(crate) fn as_read(judged: &Judged<'_>, chance: f64, reads: f64) -> f64 {
    if !judged.kind.is_question() {
        return logistic(HELPS_BIAS + HELPS_BY_CHANCE * odds(chance) + HELPS_BY_READING * reads);
    }
    let beside = READ_BIAS + READ_BY_CHANCE * odds(chance) + summed(SIGNS_OF_READ, judged);
    logistic(beside + BY_READING * reads)
}

fn summed(signs: &[Sign], judged: &Judged<'_>) -> f64 {
    let signs = signs.iter().map(|sign| sign.weight * (sign.of)(judged));
    signs.sum()
}

/// A chance as the logarithm of its odds, within bounds.
pub(crate) fn odds(chance: f64) -> f64 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    (chance / (1.0 - chance)).ln()
}
