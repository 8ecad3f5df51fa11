//! Where a row stands, and the chance that it answers, or helps: signs, each with its curve and its weights, in one table.
//! `xtask/fit/answers.py` fits them; those of the channels of things and relationships, which speak of too few rows to be
//! fitted, are set by hand.

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

/// What a sign is worth, the more of it there is: straight from nothing to each bend, and from the last to all of it.
#[derive(Clone, Copy, Debug)]
struct Curve {
    bends: [f64; 2],
    /// What it is worth at each bend, and where there can be no more of it.
    worth: [f64; 3],
}

/// A curve that bends once is worth no more behind its end than there.
const ALL: f64 = 1.0;

const fn curve(bends: [f64; 2], worth: [f64; 3]) -> Curve {
    Curve { bends, worth }
}

const fn line(worth: f64) -> Curve {
    curve([ALL, ALL], [worth, worth, worth])
}

impl Curve {
    fn at(&self, sign: f64) -> f64 {
        let [near, far] = self.bends;
        let [first, second, last] = self.worth;
        let stretches = [
            (0.0, near, first),
            (near, far, second - first),
            (far, ALL, last - second),
        ];
        let part = |(start, end, worth): (f64, f64, f64)| {
            let passed = sign.clamp(start, end) - start;
            if passed > 0.0 {
                worth * passed / (end - start)
            } else {
                0.0
            }
        };
        stretches.into_iter().map(part).sum()
    }
}

/// One sign that a row answers, or that it does not.
struct Sign {
    name: &'static str,
    of: fn(&Judged<'_>) -> f64,
    /// How much it puts the row before others that a question finds.
    places: Curve,
    /// How much it says that the row answers a question.
    answers: f64,
    /// How much it says that the row helps with a task.
    helps: f64,
}

const fn sign(
    name: &'static str,
    places: Curve,
    [answers, helps]: [f64; 2],
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

pub(crate) fn yes(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

/// Where nothing speaks for a row: its place, that it answers, and that it helps.
const BIAS_PLACES: f64 = -4.35;
const BIAS_ANSWERS: f64 = -3.83;
const BIAS_HELPS: f64 = -3.89;

/// The signs. No channel of the search may weigh less than nothing, so that more of any never means a worse answer.
#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    sign("keyword",     curve([0.09, 0.26], [0.00, 0.06, 0.16]),      [ 0.03,  4.96], |it| it.evidence.channel(Channel::Keyword)),
    sign("semantic",    curve([0.20, 0.32], [0.60, 0.91, 1.11]),      [ 0.67,  2.47], |it| it.evidence.channel(Channel::Semantic)),
    sign("lead",        curve([0.03, 0.11], [0.22, 0.58, 0.58]),      [ 4.69,  6.76], |it| it.evidence.lead),
    sign("entity",      line(0.30),                                   [ 0.30,  0.30], |it| it.evidence.channel(Channel::Entity)),
    sign("lexical",     curve([0.05, 0.19], [0.00, 0.09, 0.28]),      [ 0.04,  0.00], |it| it.evidence.channel(Channel::Lexical)),
    sign("said_before", curve([0.11, 0.21], [0.00, 0.03, 2.05]),      [ 0.20,  0.00], |it| it.evidence.channel(Channel::Before)),
    sign("said_after",  curve([0.11, 0.20], [0.10, 0.22, 0.86]),      [ 0.82,  0.00], |it| it.evidence.channel(Channel::After)),
    sign("alone",       curve([0.09, 0.16], [0.00, 0.12, 4.46]),      [ 2.95,  0.00], |it| it.evidence.channel(Channel::Before) * (1.0 - it.evidence.wording.whole)),
    sign("graph",       line(0.30),                                   [ 0.30,  0.30], |it| it.evidence.channel(Channel::Graph)),
    sign("asked",       curve([0.11, 0.38], [0.00, 0.32, 0.46]),      [ 1.71,  1.72], |it| it.evidence.wording.asked),
    sign("whole",       line(0.00),                                   [ 0.00,  1.74], |it| it.evidence.wording.whole),
    sign("untold",      line(-0.26),                                  [-0.45,  0.00], |it| it.evidence.wording.untold),
    sign("missing",     line(0.00),                                   [-0.24, -1.13], |it| it.evidence.wording.missing),
    sign("elsewhere",   curve([0.53, 0.87], [-0.97, -1.33, -1.33]),   [-1.67, -0.65], |it| it.evidence.wording.elsewhere),
    sign("unseen",      curve([0.48, 0.79], [-0.53, -0.70, -0.93]),   [-0.34,  0.42], |it| it.evidence.wording.unseen),
    sign("phrase",      curve([0.33, ALL], [0.15, 0.35, 0.35]),       [ 0.21,  0.00], |it| it.evidence.phrase),
    sign("names",       line(0.00),                                   [ 0.00,  0.12], |it| it.evidence.names),
    sign("spoken",      line(0.86),                                   [ 0.54,  0.00], |it| yes(it.evidence.by_subject)),
    sign("other",       line(0.00),                                   [ 0.00, -0.16], |it| yes(it.evidence.subject == SubjectMatch::Other)),
    sign("profile",     line(0.00),                                   [ 0.09,  0.34], |it| yes(it.evidence.profile_hits > 0)),
    sign("when",        line(1.54),                                   [ 1.38,  0.22], |it| it.evidence.when),
    sign("length",      curve([0.33, 0.67], [0.00, 0.05, 0.08]),      [ 0.15,  0.00], |it| it.evidence.length),
    sign("says",        line(0.58),                                   [ 0.49,  0.00], |it| it.says),
    sign("excluded",    line(0.00),                                   [ 0.00, -0.68], |it| yes(it.evidence.excluded)),
    sign("asks",        line(-0.27),                                  [-0.29,  0.00], |it| yes(it.asks)),
    sign("rule",        line(0.03),                                   [ 0.03,  1.18], |it| yes(it.rule)),
    sign("yes_no",      line(0.31),                                   [ 0.37,  0.00], |it| yes(it.kind == QuestionKind::YesNo)),
    sign("both",        curve([0.07, 0.34], [0.36, 0.38, 0.38]),      [ 0.26,  0.00], |it| it.evidence.wording.asked * it.says),
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
            places += sign.places.at(says);
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

pub(super) fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_straight_from_bend_to_bend() {
        let bent = curve([0.2, 0.6], [1.0, 2.0, 6.0]);
        for (sign, worth) in [
            (0.0, 0.0),
            (0.1, 0.5),
            (0.2, 1.0),
            (0.4, 1.5),
            (0.6, 2.0),
            (0.8, 4.0),
            (1.0, 6.0),
        ] {
            assert!((bent.at(sign) - worth).abs() < 1e-9, "{sign}");
        }
        assert_eq!((bent.at(-1.0), bent.at(2.0)), (0.0, 6.0));
        assert_eq!((line(3.0).at(0.5), line(-3.0).at(1.0)), (1.5, -3.0));
    }

    #[test]
    fn no_channel_speaks_against_a_row() {
        let channels: Vec<&str> = Channel::ALL
            .iter()
            .map(|channel| channel.as_str())
            .collect();
        let of_channels = SIGNS.iter().filter(|sign| channels.contains(&sign.name));
        assert_eq!(of_channels.clone().count(), channels.len());
        for sign in of_channels {
            let [first, second, last] = sign.places.worth;
            let rising = 0.0 <= first && first <= second && second <= last;
            let weights = [sign.answers, sign.helps];
            assert!(
                rising && weights.iter().all(|weight| *weight >= 0.0),
                "{}",
                sign.name
            );
        }
    }
}
