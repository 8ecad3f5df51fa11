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
    /// Whether it ends by asking something itself.
    pub(crate) asks: bool,
}

/// One sign that a row answers, or that it does not.
struct Sign {
    name: &'static str,
    of: fn(&Judged<'_>) -> f64,
    /// How much it puts the row before others that a question finds.
    places: f64,
    /// How much it says that the row answers a question.
    answers: f64,
    /// How much it says that the row helps with a task.
    helps: f64,
}

const fn sign(
    name: &'static str,
    [places, answers, helps]: [f64; 3],
    of: fn(&Judged<'_>) -> f64,
) -> Sign {
    Sign {
        name,
        of,
        places,
        answers,
        helps,
    }
}

fn yes(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

/// Where nothing speaks for a row: its place, that it answers, and that it helps.
const BIAS_PLACES: f64 = -3.89;
const BIAS_ANSWERS: f64 = -3.84;
const BIAS_HELPS: f64 = -3.89;

/// The signs. No channel of the search may weigh less than nothing, so that more of any never means a worse answer.
#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    sign("keyword",   [ 0.06,  0.00,  4.96], |it| it.evidence.channel(Channel::Keyword)),
    sign("semantic",  [ 0.00,  0.52,  2.47], |it| it.evidence.channel(Channel::Semantic)),
    sign("lead",      [ 4.20,  4.79,  6.76], |it| it.evidence.lead),
    sign("entity",    [ 0.30,  0.30,  0.30], |it| it.evidence.channel(Channel::Entity)),
    sign("lexical",   [ 0.03,  0.08,  0.00], |it| it.evidence.channel(Channel::Lexical)),
    sign("before",    [ 2.39,  1.53,  0.00], |it| it.evidence.channel(Channel::Before)),
    sign("after",     [ 0.89,  0.88,  0.00], |it| it.evidence.channel(Channel::After)),
    sign("graph",     [ 0.30,  0.30,  0.30], |it| it.evidence.channel(Channel::Graph)),
    sign("asked",     [ 1.29,  1.59,  1.72], |it| it.evidence.wording.asked),
    sign("whole",     [ 0.00,  0.00,  1.74], |it| it.evidence.wording.whole),
    sign("untold",    [-0.27, -0.42,  0.00], |it| it.evidence.wording.untold),
    sign("missing",   [ 0.00, -0.26, -1.13], |it| it.evidence.wording.missing),
    sign("elsewhere", [-1.43, -1.43, -0.65], |it| it.evidence.wording.elsewhere),
    sign("unseen",    [-0.54, -0.20,  0.42], |it| it.evidence.wording.unseen),
    sign("phrase",    [ 0.24,  0.24,  0.00], |it| it.evidence.phrase),
    sign("names",     [ 0.00,  0.00,  0.12], |it| it.evidence.names),
    sign("spoken",    [ 0.82,  0.58,  0.00], |it| yes(it.evidence.by_subject)),
    sign("other",     [ 0.00,  0.00, -0.16], |it| yes(it.evidence.subject == SubjectMatch::Other)),
    sign("profile",   [ 0.00,  0.09,  0.34], |it| yes(it.evidence.profile_hits > 0)),
    sign("when",      [ 1.63,  1.43,  0.22], |it| it.evidence.when),
    sign("length",    [ 0.19,  0.14,  0.00], |it| it.evidence.length),
    sign("says",      [ 0.75,  0.46,  0.00], |it| it.says),
    sign("excluded",  [ 0.00,  0.00, -0.68], |it| yes(it.evidence.excluded)),
    sign("asks",      [-0.38, -0.32,  0.00], |it| yes(it.asks)),
    sign("rule",      [ 0.04,  0.03,  1.18], |it| yes(it.rule)),
    sign("yes_no",    [ 0.31,  0.36,  0.00], |it| yes(it.kind == QuestionKind::YesNo)),
    sign("both",      [ 0.00,  0.29,  0.00], |it| it.evidence.wording.asked * it.says),
];

/// The names of the signs, in their order.
pub fn sign_names() -> impl Iterator<Item = &'static str> {
    SIGNS.iter().map(|sign| sign.name)
}

/// What each sign says, in the order of their names.
pub(crate) fn signs(judged: &Judged<'_>) -> Vec<f64> {
    SIGNS.iter().map(|sign| (sign.of)(judged)).collect()
}

/// What the signs make of a row, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weighed {
    /// What puts it before other rows: who knows which row of several is right need not know whether any is.
    pub(crate) place: f64,
    /// The chance that it answers the question, or helps with the task.
    pub(crate) chance: f64,
}

impl Weighed {
    pub(crate) fn of(judged: &Judged<'_>) -> Self {
        let (mut places, mut answers, mut helps) = (BIAS_PLACES, BIAS_ANSWERS, BIAS_HELPS);
        for sign in SIGNS {
            let says = (sign.of)(judged);
            places += sign.places * says;
            answers += sign.answers * says;
            helps += sign.helps * says;
        }
        let (place, chance) = if judged.kind.is_question() {
            (places, answers)
        } else {
            (helps, helps)
        };
        Self {
            place: logistic(place),
            chance: logistic(chance),
        }
    }
}

fn logistic(sum: f64) -> f64 {
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
            let weights = [sign.places, sign.answers, sign.helps];
            assert!(weights.iter().all(|weight| *weight >= 0.0), "{}", sign.name);
        }
    }
}
