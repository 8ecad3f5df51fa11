//! What a judgement has to pass before it is told: nothing may be replaced by what speaks of something else, and
//! nothing may be lost in what it only resembles.

use super::compare::Pair;
use super::frames;
use super::marks::Marks;
use super::marks_tables::{CONDITION, FRAME, ONE_OF_A_KIND, PURPOSE};
use super::names;
use super::nature;
use super::open;
use super::past;
use super::remainder;
use super::stances::{self, Apart};
use super::worded::{TABLES, Word, Worded, raw, stem};
use super::wording;
use super::wording_tables::Says;
use super::{Cue, Relation, Stand};
use crate::claims::{is_time_word, is_verb};

/// The judgement as it is told; `None` where it holds.
pub(super) fn amend(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    match judged.relation {
        Relation::Supersedes | Relation::Contradicts => against(pair, judged),
        Relation::Supporting => said_otherwise(pair, judged).or_else(|| merged(pair, judged)),
        // What a rent was last year says nothing of what it is, though it be the same.
        Relation::Independent if judged.cue != Cue::History && pair.says_the_same_in_figures() => {
            Some(pair.supporting(Cue::SameValue))
        }
        Relation::Independent
            if matches!(judged.cue, Cue::Unrelated | Cue::OtherAttribute) && goes_on(pair) =>
        {
            Some(pair.supporting(Cue::SaysMore))
        }
        Relation::Duplicate | Relation::Independent => None,
    }
}

/// What counts for the same is none of somebody else, of another time, or where one of them stands to it otherwise.
fn said_otherwise(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    if is_said_of_another_name(pair, judged) {
        return Some(pair.independent(Cue::OtherSubject));
    }
    if names_another_time(pair) {
        return Some(pair.independent(Cue::OtherTime));
    }
    let (new, known) = pair.worded();
    if wording::move_oppositely(new, known) {
        return Some(pair.against(Cue::OtherValue));
    }
    if open::hold_within_others(pair) {
        return Some(pair.independent(Cue::OtherScope));
    }
    // "Drives the van" is no word for "is not allowed to", and against "it is not true that he drives the van".
    stances::apart(pair.worded()).map(|apart| match apart {
        Apart::Denied => pair.against(Cue::Negation),
        Apart::Otherwise => pair.independent(Cue::SaysMore),
    })
}

/// Whether each is of somebody else by name; that two names are of one thing is known where they are the same answer.
fn is_said_of_another_name(pair: &Pair<'_>, judged: &Stand) -> bool {
    if judged.cue == Cue::SameValue {
        return names::each_is_of_another_name(pair.worded());
    }
    names::each_names_another(pair.worded())
}

/// "The rent was 900 euros in 2020", "in 2021": the same of another time is another statement.
fn names_another_time(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.worded();
    let names_a_year = |said: &Worded, other: &Worded| {
        let mut years = said.raw.iter().filter(|raw| past::is_year(raw));
        years.any(|year| !other.raw.contains(year))
    };
    let over = new.has_any(&TABLES.was) && known.has_any(&TABLES.was);
    over && pair.names_other_days() || names_a_year(new, known) && names_a_year(known, new)
}

/// Whether it begins with all that is known and goes on: "is a nurse", "is a nurse at the Charité".
fn goes_on(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let end = known.raw.len();
    let goes_on = || {
        let next = raw(new, end);
        new.paused.contains(&end) || TABLES.placing.contains(next) || one.is(end, FRAME)
    };
    new.raw.len() > end
        && known.words.len() > 1
        && new.raw.starts_with(&known.raw)
        && goes_on()
        && !pair.mouths_differ()
        && !pair.is_unnamed()
        && !new.owners.contains(&(end - 1))
        && new.cues == known.cues
        && !one.limits(new)
        && !other.limits(known)
}

/// What stands against another or takes its place has to speak of the same, and what takes its place of all of it.
fn against(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    if leaves_a_part(pair, judged) {
        return Some(pair.independent(Cue::PartOnly));
    }
    if pair.names_what_it_replaces() {
        return None;
    }
    let of_values = matches!(
        judged.cue,
        Cue::OtherValue | Cue::Update | Cue::LaterDate | Cue::Wording | Cue::Reading
    );
    if of_values && pair.says_the_same_in_figures() {
        return Some(pair.supporting(Cue::SameValue));
    }
    if judged.relation == Relation::Contradicts && of_values && repeats_and_adds(pair) {
        return Some(pair.supporting(Cue::SaysMore));
    }
    let apart = both_end(pair, judged)
        .or_else(|| of_values.then(|| is_not_of_now(pair)).flatten())
        .or_else(|| speaks_of_another(pair, judged))
        .or_else(|| holds_elsewhere(pair))
        .or_else(|| of_values.then(|| holds_beside(pair)).flatten());
    apart.map(|cue| pair.independent(cue))
}

/// Whether it would take the place of what tells more than it: an end, a correction and what the caller names end all of it.
fn leaves_a_part(pair: &Pair<'_>, judged: &Stand) -> bool {
    let (new, known) = pair.worded();
    let by_value = matches!(
        judged.cue,
        Cue::Update | Cue::LaterDate | Cue::Wording | Cue::Reading
    );
    judged.relation == Relation::Supersedes
        && by_value
        && !new.too_long
        && !known.too_long
        && remainder::is_left(new, known)
}

/// "The code was 5520 last year", "the code may become 5520": what was or may be stands against nothing that is.
fn is_not_of_now(pair: &Pair<'_>) -> Option<Cue> {
    let (new, known) = pair.worded();
    if wording::only_one_is_history(new, known) {
        return Some(Cue::History);
    }
    if wording::move_oppositely(new, known) && pair.names_other_days() {
        return Some(Cue::OtherTime);
    }
    stances::only_may_be((new, known)).then_some(Cue::OtherScope)
}

/// "No longer eats sugar", "no longer eats meat": what has ended already is not ended by another end.
fn both_end(pair: &Pair<'_>, judged: &Stand) -> Option<Cue> {
    let (new, known) = pair.worded();
    let both = new.says(Says::Ended) && known.says(Says::Ended);
    (judged.cue == Cue::Ended && both).then_some(Cue::OtherAttribute)
}

/// Whether nothing says that both speak of the same one.
fn speaks_of_another(pair: &Pair<'_>, judged: &Stand) -> Option<Cue> {
    let (new, known) = pair.worded();
    let told_apart = judged.relation == Relation::Supersedes && open::are_told_apart(new, known);
    (told_apart || names_another(pair)).then_some(Cue::OtherSubject)
}

/// Whether one is of somebody or something else than the other, however it stands to it.
pub(super) fn names_another(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let identified = matches!((one.identifier, other.identifier), (Some((what, id)), Some((thing, known_id)))
        if raw(new, what) == raw(known, thing) && !known.raw.iter().any(|word| word == raw(new, id)) && raw(known, known_id) != raw(new, id));
    let roles = one.is_of_a_role && other.is_of_a_role;
    let of_a_kind = are_of_a_kind(pair) && nature::open_with_other_names(new, known);
    pair.is_unnamed() || identified || roles || of_a_kind || serve_other_purposes(pair)
}

/// "The supplier for flour is …", "the supplier for yeast is …": what is spoken of is told by what it is for.
fn serve_other_purposes(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let told = |said: &Worded, marks: &Marks| {
        let verb = said.raw.iter().skip(1).position(|word| is_verb(word))? + 1;
        marks.purpose.filter(|purpose| *purpose < verb)
    };
    let (Some(purpose), Some(known_purpose)) = (told(new, one), told(known, other)) else {
        return false;
    };
    let (what, known_what) = (stem(raw(new, purpose)), stem(raw(known, known_purpose)));
    what != known_what && !known.has(&what) && !new.has(&known_what)
}

/// "Lea is a friend of Ida", "Max is a friend of Ida".
fn are_of_a_kind(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let of_a_kind = |said: &Worded, marks: &Marks| {
        (1..5).any(|at| TABLES.placing.contains(raw(said, at)) && marks.is(at + 1, ONE_OF_A_KIND))
    };
    of_a_kind(new, one) && of_a_kind(known, other)
}

/// Whether one holds under a condition, at a place or on an occasion of its own.
fn holds_elsewhere(pair: &Pair<'_>) -> Option<Cue> {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    if one.is_once && !other.is_once && !pair.known_names_a_day() {
        return Some(Cue::Temporary);
    }
    let framed = |said: &Worded, marks: &Marks, other: &Worded| {
        let mut words = said
            .words
            .iter()
            .filter(|word| marks.frame.contains(&word.place));
        words.any(|word| !other.has(&word.stem))
    };
    let conditional = |marks: &Marks| marks.is(0, CONDITION);
    let narrower = framed(new, one, known) || framed(known, other, new);
    if narrower && (one.frame != other.frame || conditional(one) || conditional(other)) {
        return Some(Cue::OtherScope);
    }
    let measured = !one.figures.is_bare() && !other.figures.is_bare();
    let narrower = measured && one.scopes.are_narrower_than(&other.scopes, known);
    if have_other_purposes(pair) || open::hold_within_others(pair) || narrower {
        return Some(Cue::OtherScope);
    }
    let was = new.has_any(&TABLES.was) && known.has_any(&TABLES.was);
    (was && pair.names_other_days() && !frames::happen_once(new, known)).then_some(Cue::OtherTime)
}

/// "Meets on Tuesdays for planning", "meets on Fridays for the retrospective": more differs than what it is for.
fn have_other_purposes(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let (Some(purpose), Some(known_purpose)) = (one.purpose, other.purpose) else {
        return false;
    };
    let differs_before = |said: &Worded, place: usize, other: &Worded| {
        let before = said.words.iter().filter(|word| word.place < place);
        before.filter(|word| !other.has(&word.stem)).count() > 0
    };
    let (what, known_what) = (stem(raw(new, purpose)), stem(raw(known, known_purpose)));
    what != known_what
        && !known.has(&what)
        && !new.has(&known_what)
        && differs_before(new, purpose, known)
        && differs_before(known, known_purpose, new)
        && one.any(PURPOSE)
}

/// Whether both can hold at once.
fn holds_beside(pair: &Pair<'_>) -> Option<Cue> {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    if changed_likewise(new, known) {
        return Some(Cue::OtherSubject);
    }
    if count_other_things(pair) || say_two_things_of_people(pair) {
        return Some(Cue::OtherAttribute);
    }
    let same = |at: usize, place: usize| stem(raw(new, at)) == stem(raw(known, place));
    let of_many = matches!((one.open, other.open), (Some(at), Some(place)) if same(at, place))
        && one.figures.is_bare()
        && other.figures.is_bare();
    let deeds = matches!((one.deed, other.deed), (Some((deed, thing)), Some((known_deed, known_thing)))
        if same(deed, known_deed) && !same(thing, known_thing));
    (of_many && !pair.is_single_choice() || deeds).then_some(Cue::ManyValued)
}

/// "Moved the piano to the cellar", "moved the freezer to the cellar": two things that were changed in one way.
fn changed_likewise(new: &Worded, known: &Worded) -> bool {
    const TO: &[&str] = &["to", "into", "auf", "nach", "zu", "à", "a", "naar"];
    let split = |said: &Worded| {
        let to = said
            .raw
            .iter()
            .rposition(|word| TO.contains(&word.as_str()))?;
        let mut words = said.words.iter().map(|word| word.stem.clone());
        let before = said.words.iter().filter(|word| word.place < to).count();
        let what: Vec<String> = words.by_ref().take(before).collect();
        Some((what, words.collect::<Vec<_>>()))
    };
    let (Some((one, into)), Some((other, known_into))) = (split(new), split(known)) else {
        return false;
    };
    let both_change = new.change().is_some() && known.change().is_some();
    let lacks = |said: &[String], other: &[String]| said.iter().any(|word| !other.contains(word));
    both_change
        && !into.is_empty()
        && into == known_into
        && lacks(&one, &other)
        && lacks(&other, &one)
}

/// "We're vegetarians", "we're in Lisbon now": people are many things at once, and what they are is not where.
fn say_two_things_of_people(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.worded();
    let (Some(one), Some(other)) = (what_people_are(new), what_people_are(known)) else {
        return false;
    };
    let says_where = |word: &str| matches!(word, "in" | "at" | "on");
    match (says_where(one), says_where(other)) {
        (true, true) => false,
        (false, false) => open::words_of_both(pair) == 0,
        (true, false) | (false, true) => true,
    }
}

/// The first word of what somebody is said to be: "in", of "we're in Lisbon".
fn what_people_are(said: &Worded) -> Option<&str> {
    match [raw(said, 0), raw(said, 1)] {
        ["we" | "they" | "you", "are" | "'re"] => Some(raw(said, 2)),
        ["they're" | "you're", next] => Some(next),
        _ => None,
    }
}

/// "Two lanes", "one footpath": equal or not, the numbers count different things.
fn count_other_things(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let counts_beside = |said: &Worded, marks: &Marks, other: &Worded| {
        !marks.counted.is_empty()
            && marks
                .counted
                .iter()
                .all(|(_, what)| !other.has(&stem(raw(said, *what))))
    };
    counts_beside(new, one, known) && counts_beside(known, other, new)
}

/// Whether it says again all that is known and something beside it: "on Thursday", "on Thursday at 10".
fn repeats_and_adds(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.worded();
    !new.too_long
        && !known.too_long
        && new.denies() == known.denies()
        && known.words.len() > 1
        && known.raw.len() < new.raw.len()
        && new.change().is_none()
        && known.raw.iter().all(|word| new.raw.contains(word))
}

/// What counts for the same may say no more than that; else it is kept beside it, and what limits it is another statement.
fn merged(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    if new.too_long || known.too_long {
        return pair
            .says_other_words()
            .then(|| pair.supporting(Cue::SaysMore));
    }
    if one.limits(new) && !other.limits(known) {
        return Some(pair.independent(Cue::SaysMore));
    }
    if one.figures.say_the_same(&other.figures) {
        return None;
    }
    let agree = one.figures.agree(&other.figures);
    let explained = |word: &&Word, marks: &Marks| agree && marks.figures.hold(word.place);
    let added: Vec<&Word> = beside(new, known)
        .filter(|word| !explained(word, one))
        .collect();
    let lacking: Vec<&Word> = beside(known, new)
        .filter(|word| !explained(word, other))
        .collect();
    if added.is_empty() {
        return None;
    }
    added_words(pair, judged, &added, &lacking)
}

/// What the words are that only one of them says: another way to say it, something beside it, or something else.
fn added_words(
    pair: &Pair<'_>,
    judged: &Stand,
    added: &[&Word],
    lacking: &[&Word],
) -> Option<Stand> {
    let (new, known) = pair.worded();
    let same_answer = matches!(judged.cue, Cue::SameValue | Cue::SameWords);
    let (new_exact, known_exact) = (exact(new, added), exact(known, lacking));
    let exact_in_both = !new_exact.is_empty() && !known_exact.is_empty();
    let explained = exact_in_both
        && (pair.answers_in_figures()
            || pair.answer_is_told_by(&new_exact)
            || pair.answer_is_told_by(&known_exact));
    let reworded = new_exact.is_empty() && added.len() <= lacking.len();
    if same_answer && (explained || reworded) {
        // Another way to say it: a word for a word, a date for a date.
        return None;
    }
    Some(if exact_in_both {
        pair.independent(Cue::SaysMore)
    } else {
        pair.supporting(Cue::SaysMore)
    })
}

/// Names, numbers and times, which no other words say.
fn exact<'w>(said: &'w Worded, words: &[&Word]) -> Vec<&'w str> {
    let is_exact = |word: &&&Word| {
        word.number || word.capital && word.place > 0 || is_time_word(raw(said, word.place))
    };
    let words = words.iter().filter(is_exact);
    words.map(|word| raw(said, word.place)).collect()
}

/// The words that only one of two statements says, without those that repeat or confirm.
fn beside<'w>(said: &'w Worded, other: &'w Worded) -> impl Iterator<Item = &'w Word> {
    said.words.iter().filter(|word| {
        let raw = raw(said, word.place);
        !other.has(&word.stem) && !TABLES.links.contains(raw)
    })
}
