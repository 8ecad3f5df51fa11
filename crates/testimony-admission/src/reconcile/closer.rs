//! A second look at what was judged: whether what looks the same is the same, and whether two answers meet at all.

use super::compare::Pair;
use super::endings;
use super::frames;
use super::same::{self, Unlike};
use super::wording;
use super::{Cue, Relation, Stand};
use testimony_domain::Reason;

/// What the second look finds; `None` where the judgement holds.
pub(super) fn look_closer(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    let by_class = matches!(
        judged.reason,
        Reason::WeakerChallenger | Reason::IncumbentApproved
    );
    if pair.mouths_differ() {
        return None;
    }
    if !by_class && judged.relation != Relation::Supersedes {
        let (new, known) = pair.worded();
        if endings::ends(new, known) {
            return Some(pair.against_by(Cue::OtherValue, Some(Cue::Ended)));
        }
        if judged.relation != Relation::Contradicts && same::all_and_none(new, known) {
            return Some(pair.against(Cue::Negation));
        }
        if wording::says_not_but(new, known) {
            return Some(pair.against_by(Cue::OtherValue, Some(Cue::Correction)));
        }
        if wording::sets_the_amount(new, known) {
            return Some(pair.against_by(Cue::OtherValue, Some(Cue::Update)));
        }
    }
    match judged.relation {
        Relation::Supporting => unlike(pair, judged),
        Relation::Contradicts | Relation::Supersedes => apart(pair, judged),
        Relation::Independent if is_compared(pair) => Some(pair.against(Cue::OtherValue)),
        Relation::Duplicate | Relation::Independent => None,
    }
}

/// "Marie est plus âgée que Luc", "Luc est plus âgé que Marie": the endings differ with who is spoken of.
fn is_compared(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.worded();
    same::both_compare(new, known)
        && same::turned(new, known, true) == Some(Unlike::Compared)
        && same::are_alike_but_for_endings(new, known)
}

/// Support is for what is said again; here it is not.
fn unlike(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    let found = how_unlike(pair, judged)?;
    Some(match found {
        Unlike::Turned => pair.independent(Cue::OtherSubject),
        Unlike::Compared | Unlike::Value => pair.against(Cue::OtherValue),
        Unlike::Past => pair.independent(Cue::History),
        Unlike::Beside => pair.independent(Cue::SaysMore),
    })
}

fn how_unlike(pair: &Pair<'_>, judged: &Stand) -> Option<Unlike> {
    let (new, known) = pair.worded();
    let same_answer = matches!(judged.cue, Cue::SameValue | Cue::FinerValue);
    let asked = judged
        .slot
        .as_ref()
        .filter(|slot| !matches!(slot.attribute.as_str(), "is" | "location"));
    let explained = same_answer && asked.is_some();
    if let Some(turned) = same::turned(new, known, explained) {
        return Some(turned);
    }
    let (one, other) = pair.marks();
    if one.scopes.count_otherwise(&other.scopes) {
        return Some(Unlike::Value);
    }
    if same::other_tense(new, known) {
        return Some(Unlike::Past);
    }
    let left = pair.known_value().filter(|_| same_answer);
    left.and_then(|value| same::left_over(new, known, value))
        .or_else(|| same::beside(new, known).then_some(Unlike::Beside))
}

/// Whether two answers are to two questions after all: of exchanged parties, of two things of one name, of other times.
fn apart(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    let (new, known) = pair.worded();
    if judged.cue == Cue::Ended && endings::leaves_a_thing(new, known) {
        return Some(pair.independent(Cue::Unrelated));
    }
    if !matches!(
        judged.cue,
        Cue::OtherValue | Cue::Update | Cue::Negation | Cue::LaterDate
    ) {
        return None;
    }
    if same::are_siblings(new, known) || same::exchanges_parties(new, known) {
        return Some(pair.independent(Cue::OtherSubject));
    }
    if judged.relation == Relation::Supersedes {
        return None;
    }
    if frames::are_apart(pair.frames().0, pair.frames().1) {
        return Some(pair.independent(Cue::OtherTime));
    }
    let many = judged.cue == Cue::OtherValue
        && (frames::are_repeated(new, known)
            || frames::are_of_several(new, known)
            || same::measure_other_sides(new, known)
            || same::compares_with_another(new, known));
    many.then(|| pair.independent(Cue::ManyValued))
}
