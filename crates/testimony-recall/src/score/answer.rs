//! The chance that a row answers, or helps: signs, each with its weights, in one table. `xtask/fit/answers.py` fits them;
//! those of the channels of things and relationships, which speak of too few rows to be fitted, are set by hand.

use super::evidence::{Evidence, SubjectMatch};
use crate::candidate::Channel;
use crate::query::QuestionKind;

/// What a row and a question say of each other, beside the evidence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged<'e> {
    pub(crate) evidence: &'e Evidence,
    /// How far the row says something of the kind that is asked for.
    pub(crate) says: f64,
    pub(crate) kind: QuestionKind,
    /// Whether it says how things are to be done, or what somebody wants.
    pub(crate) rule: bool,
}

/// One sign that a row answers, or that it does not.
struct Sign {
    name: &'static str,
    of: fn(&Judged<'_>) -> f64,
    /// How much it says that the row answers a question.
    answers: f64,
    /// How much it says that the row helps with a task.
    helps: f64,
}

const fn sign(name: &'static str, answers: f64, helps: f64, of: fn(&Judged<'_>) -> f64) -> Sign {
    Sign {
        name,
        of,
        answers,
        helps,
    }
}

fn yes(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

/// Where nothing speaks for a row: that it answers, and that it helps.
const BIAS: f64 = -3.86;
const BIAS_HELPS: f64 = -3.89;

/// The signs. No channel of the search may weigh less than nothing, so that more of any never means a worse answer.
#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    sign("keyword",    0.00,   4.98, |it| it.evidence.channel(Channel::Keyword)),
    sign("semantic",   0.80,   2.46, |it| it.evidence.channel(Channel::Semantic)),
    sign("lead",       4.64,   6.79, |it| it.evidence.lead),
    sign("entity",     0.30,   0.30, |it| it.evidence.channel(Channel::Entity)),
    sign("lexical",    0.08,   0.00, |it| it.evidence.channel(Channel::Lexical)),
    sign("context",    1.46,   1.90, |it| it.evidence.channel(Channel::Context)),
    sign("graph",      0.30,   0.30, |it| it.evidence.channel(Channel::Graph)),
    sign("asked",      1.54,   1.69, |it| it.evidence.wording.asked),
    sign("whole",      0.00,   1.73, |it| it.evidence.wording.whole),
    sign("untold",    -0.46,   0.00, |it| it.evidence.wording.untold),
    sign("missing",   -0.24,  -1.15, |it| it.evidence.wording.missing),
    sign("elsewhere", -1.56,  -0.65, |it| it.evidence.wording.elsewhere),
    sign("unseen",    -0.27,   0.42, |it| it.evidence.wording.unseen),
    sign("phrase",     0.22,   0.00, |it| it.evidence.phrase),
    sign("names",      0.00,   0.12, |it| it.evidence.names),
    sign("spoken",     0.60,   0.00, |it| yes(it.evidence.by_subject)),
    sign("other",      0.00,  -0.15, |it| yes(it.evidence.subject == SubjectMatch::Other)),
    sign("profile",    0.09,   0.34, |it| yes(it.evidence.profile_hits > 0)),
    sign("when",       1.44,   0.24, |it| it.evidence.when),
    sign("length",     0.16,   0.00, |it| it.evidence.length),
    sign("says",       0.46,   0.00, |it| it.says),
    sign("excluded",   0.00,  -0.67, |it| yes(it.evidence.excluded)),
    sign("rule",       0.04,   1.18, |it| yes(it.rule)),
    sign("yes_no",     0.36,   0.15, |it| yes(it.kind == QuestionKind::YesNo)),
    sign("both",       0.31,   0.00, |it| it.evidence.wording.asked * it.says),
];

/// The names of the signs, in their order.
pub fn sign_names() -> impl Iterator<Item = &'static str> {
    SIGNS.iter().map(|sign| sign.name)
}

/// What each sign says, in the order of their names.
pub(crate) fn signs(judged: &Judged<'_>) -> Vec<f64> {
    SIGNS.iter().map(|sign| (sign.of)(judged)).collect()
}

/// The chance that the row answers the question, or helps with the task.
pub(crate) fn chance(judged: &Judged<'_>) -> f64 {
    let asks = judged.kind.is_question();
    let weighed = SIGNS.iter().map(|sign| {
        let weight = if asks { sign.answers } else { sign.helps };
        weight * (sign.of)(judged)
    });
    let bias = if asks { BIAS } else { BIAS_HELPS };
    let sum = bias + weighed.sum::<f64>();
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_channel_speaks_against_a_row() {
        let channels: Vec<&str> = Channel::ALL
            .iter()
            .map(|channel| channel.as_str())
            .collect();
        let of_channels = SIGNS.iter().filter(|sign| channels.contains(&sign.name));
        for sign in of_channels {
            assert!(sign.answers >= 0.0 && sign.helps >= 0.0, "{}", sign.name);
        }
    }
}
