//! Which of two rows that state the same thing comes first: the present one, the one of the time asked about, or the
//! earlier one.
//!
//! It orders rows that answer, and takes in those that say later that something changed of which one of them speaks.

use std::rc::Rc;

use testimony_domain::{Memory, Score, Timestamp};

use super::judge::Judged;
use super::lanes::Ranked;
use super::renewal::{Newer, Renewal, is_read_to_renew, may_renew, place, renews};
use crate::query::{FocusTerm, QuestionKind, Reading, Role};
use crate::request::TimeIntent;
use crate::score::{MEANT, RowText, SubjectMatch};
use crate::text::{Shape, Word};
use crate::words::Cue;

/// Rows with this share of the shorter one's words in common state the same thing.
const SAME_THING: f64 = 0.5;
/// The same for a row that says that something changed.
const SAME_THING_CHANGED: f64 = 0.15;
/// The same for one that did not answer by itself.
const FOLLOWS: f64 = 0.3;
/// A row that says that something changed and speaks of so much of what is asked states the same thing, in any words.
const SPEAKS_OF_IT: f64 = 0.4;
/// A row takes the place of another only where it is not much less likely to answer, or says what became of a name in it.
const LEAST_SHARE: f64 = 0.15;
/// A row that has so many words in common with another speaks of the same, if it says all of it but values.
const SAID_OF: usize = 2;
/// What was said earlier has this share in common with what says it anew.
const SAID_EARLIER: f64 = 0.25;
/// A row that says that something changed and has this share in common says the rest anew.
const SAID_ANEW: f64 = 0.6;
/// So many rows that may help with a task are compared with each other.
const COMPARED: usize = 64;
/// So far down a lane it is looked for.
const LOOKED_AT: usize = 6;
/// This share of what another row says of it is as much.
const AS_MUCH: f64 = 0.8;
/// And it is as likely to answer from this share of the other's chance on.
const AS_LIKELY: f64 = 0.4;
/// Kinds of questions that somebody or something answers by its name.
const ASKING_BY_NAME: [QuestionKind; 6] = [
    QuestionKind::Who,
    QuestionKind::What,
    QuestionKind::Which,
    QuestionKind::Where,
    QuestionKind::How,
    QuestionKind::List,
];

/// What a row says, as far as it is compared with others.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Statement {
    words: Vec<u64>,
    /// Those among them that are names.
    names: Vec<u64>,
    /// The name with which it begins.
    leading: Option<u64>,
    /// Those that say of what it speaks: the first, and a name or a number right behind it.
    head: Vec<u64>,
    /// Those that are no value: no name, no number and no time.
    plain: Vec<u64>,
    pub(super) says_change: bool,
    /// Whether what it says to have changed is what is asked: "changed gyms", "the office has moved".
    pub(super) changes_the_asked: bool,
    /// Names of which it says that they are over.
    over: Vec<u64>,
    /// Whether whoever said it speaks of themselves.
    of_oneself: bool,
}

impl Statement {
    pub(crate) fn of(row: &RowText, reading: &Reading) -> Self {
        let (words, says_change) = (&*row.words, row.has(Cue::Change));
        let content = words.iter().filter(|word| !word.stop && !word.whole);
        let is_name = |word: &&Word| word.is_name() || word.shape == Shape::Identifier;
        let is_plain = |word: &&Word| !is_value(word) && !word.is(Cue::Light);
        let of_oneself = |word: &Word| word.is_first_person() && !word.is(Cue::Group);
        Self {
            names: marks(content.clone().filter(is_name).chain(row.leading_name())),
            leading: row.leading_name().map(|name| name.mark),
            plain: marks(content.clone().filter(is_plain)),
            words: marks(content),
            head: marks(head(words)),
            says_change,
            changes_the_asked: says_change && changes_the_asked(words, reading),
            over: row.over.to_vec(),
            of_oneself: words.iter().any(of_oneself),
        }
    }

    /// Whether this says another value of what the other says: all of it but values, or that it changed and most of it.
    fn says_anew(&self, other: &Self) -> bool {
        let says = |words: &[u64]| {
            let mut words = words.iter();
            words.all(|word| self.words.binary_search(word).is_ok())
        };
        let all_but_values = says(&other.head) && says(&other.plain);
        self.both(other) >= SAID_OF && all_but_values
            || self.says_change && self.in_common(other) >= SAID_ANEW
    }

    /// Whether both say what is a name in one of them, and the question does not. With the capital of a sentence a word is no
    /// name by itself: "Hallam closed down" is about the Hallam of another row.
    pub(super) fn shares_a_name(&self, other: &Self, reading: &Reading) -> bool {
        let new = |name: &&u64| !reading.asked.hold(**name);
        let said_by = |words: &[u64], name: &u64| words.binary_search(name).is_ok();
        let mut own = self.names.iter().filter(new);
        let mut others = other.names.iter().filter(new);
        own.any(|name| said_by(&other.words, name)) || others.any(|name| said_by(&self.words, name))
    }

    pub(super) fn says_what_is_over(&self) -> bool {
        !self.over.is_empty()
    }

    /// Whether it says that what the other names is over, where the question does not name it and asks for somebody or
    /// something: "Amara has stepped down" for who the treasurer is, and not for what Amara earned.
    fn ends(&self, other: &Self, reading: &Reading) -> bool {
        let mut over = self.over.iter();
        ASKING_BY_NAME.contains(&reading.kind)
            && over.any(|name| {
                let said = other.words.binary_search(name).is_ok() && !other.over.contains(name);
                said && !reading.asked.hold(*name)
            })
    }

    /// Whether it begins with a name of which the other speaks.
    fn begins_with_what(&self, other: &Self) -> bool {
        let said = |name| other.words.binary_search(&name).is_ok();
        self.leading.is_some_and(said)
    }

    /// The share of the shorter one's words that both have.
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    pub(super) fn in_common(&self, other: &Self) -> f64 {
        let shorter = self.words.len().min(other.words.len());
        if shorter == 0 {
            return 0.0;
        }
        self.both(other) as f64 / shorter as f64
    }

    /// How many words both have that the question lacks.
    pub(super) fn both_untold(&self, other: &Self, reading: &Reading) -> usize {
        let untold = self.words.iter().filter(|word| !reading.asked.hold(**word));
        untold
            .filter(|word| other.words.binary_search(word).is_ok())
            .count()
    }

    /// How long it is: from 15 words on it is as long as any.
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    pub(super) fn length(&self) -> f64 {
        const LONG: usize = 15;
        self.words.len().min(LONG) as f64 / LONG as f64
    }

    /// How many words both have.
    fn both(&self, other: &Self) -> usize {
        let words = self.words.iter();
        words
            .filter(|word| other.words.binary_search(word).is_ok())
            .count()
    }
}

/// Whether a word of change stands beside what is asked of somebody or something.
fn changes_the_asked(words: &[Word], reading: &Reading) -> bool {
    const BESIDE: usize = 1;
    let counts = |word: &&Word| !word.whole && (!word.stop || word.is(Cue::Change));
    let told: Vec<&Word> = words.iter().filter(counts).collect();
    let says = |term: &FocusTerm| term.role == Role::Attribute && !term.is_light;
    let is_asked = |word: &&Word| {
        let mut terms = reading.focus.iter().filter(|term| says(term));
        terms.any(|term| term.sought.is_held_by(word) >= MEANT)
    };
    let is_beside = |at: usize| {
        let around = told.get(at.saturating_sub(BESIDE)..told.len().min(at + BESIDE + 1));
        around.unwrap_or_default().iter().any(is_asked)
    };
    let mut told = told.iter().enumerate();
    told.any(|(at, word)| word.is(Cue::Change) && is_beside(at))
}

/// The first word that carries a topic, and a name or a number right behind it: "room 12", "customer Holt".
fn head(words: &[Word]) -> impl Iterator<Item = &Word> {
    let mut words = words
        .iter()
        .filter(|word| !word.whole)
        .skip_while(|word| word.stop);
    let first = words.next();
    let second = words.next().filter(|word| !word.stop && is_value(word));
    first.into_iter().chain(second)
}

/// Whether a word may stand for a value: another one in its place says another value.
fn is_value(word: &Word) -> bool {
    let calendar = [Cue::Month, Cue::Weekday, Cue::When];
    word.is_name()
        || word.is_number()
        || word.shape != Shape::Plain
        || calendar.iter().any(|cue| word.is(*cue))
}

fn marks<'w>(words: impl Iterator<Item = &'w Word>) -> Vec<u64> {
    let mut marks: Vec<u64> = words.map(|word| word.mark).collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// Which of several states a question wants.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    Newest,
    Earlier,
    NewestUntil(Timestamp),
}

impl Wanted {
    fn of(reading: &Reading) -> Option<Self> {
        if let Some(instant) = reading.past {
            return Some(Self::NewestUntil(instant));
        }
        match reading.time {
            // What is told of the past and names no time happened when it happened; a later row does not take its place.
            TimeIntent::Current if reading.tells_of_past && !reading.time_is_explicit => None,
            TimeIntent::Current => Some(Self::Newest),
            TimeIntent::AsOf(instant) => Some(Self::NewestUntil(instant)),
            TimeIntent::Historical => Some(Self::Earlier),
            TimeIntent::Any => None,
        }
    }

    /// Whether it would rather have `one` than `other`.
    fn prefers(self, one: &Memory, other: &Memory) -> bool {
        let (one, other) = (since(one), since(other));
        match self {
            Self::Newest => one > other,
            Self::Earlier => one < other,
            Self::NewestUntil(instant) => match (one <= instant, other <= instant) {
                (true, true) => one > other,
                (true, false) => true,
                (false, _) => false,
            },
        }
    }
}

fn since(memory: &Memory) -> Timestamp {
    memory.validity.from.unwrap_or(memory.observed_at)
}

/// Puts before each row those that state the same thing and are wanted rather.
pub(crate) fn order(lane: &mut [Ranked<'_>], reading: &Reading) {
    let Some(wanted) = Wanted::of(reading) else {
        return;
    };
    let looked_at = LOOKED_AT.min(lane.len());
    for at in 1..looked_at {
        let ahead = lane.get(..at).unwrap_or_default();
        let Some(row) = lane.get(at) else { break };
        let place = ahead
            .iter()
            .position(|before| goes_before(reading, wanted, row, before));
        if let Some(moved) = place.and_then(|place| lane.get_mut(place..=at)) {
            moved.rotate_right(1);
        }
    }
    tell_by_age(lane, wanted);
}

/// Puts the second row before the first where it says as much of what is asked and the question rather wants it: "Our best so
/// far is a 7a" and, later, "Climbed a 7b".
fn tell_by_age(lane: &mut [Ranked<'_>], wanted: Wanted) {
    if let [first, second, ..] = lane
        && says_as_much(second, first)
        && is_wanted_rather(wanted, second, first)
    {
        std::mem::swap(first, second);
    }
}

/// Whether a row says as much of what is asked as another, and of the same one.
fn says_as_much(row: &Ranked<'_>, first: &Ranked<'_>) -> bool {
    let (one, other) = (&row.judged, &first.judged);
    let (words, most) = (&one.evidence.wording, &other.evidence.wording);
    of_one(one, other)
        && words.asked >= AS_MUCH * most.asked
        && words.whole >= AS_MUCH * most.whole
        && one.fit.told.says >= other.fit.told.says
        && row.score.get() >= AS_LIKELY * first.score.get()
}

/// Whether rows speak of one: what two people say of themselves is about two.
fn of_one(one: &Judged<'_>, other: &Judged<'_>) -> bool {
    let of_oneself = |judged: &Judged<'_>| {
        let statement = judged.statement.as_ref();
        statement.is_some_and(|it| it.of_oneself)
    };
    let speaker = |judged: &Judged<'_>| judged.candidate.memory.speaker.clone();
    !(of_oneself(one) || of_oneself(other)) || speaker(one) == speaker(other)
}

/// Takes in what stands near and says later that something changed, where a row that answers speaks of the same.
pub(crate) fn take_in<'a>(
    direct: &mut Vec<Ranked<'a>>,
    related: &mut Vec<Ranked<'a>>,
    reading: &Reading,
) {
    if !wants_the_newest(reading) {
        return;
    }
    let mut taken = Vec::new();
    related.retain(|row| {
        let followed = direct
            .iter()
            .filter(|answer| takes_the_place(reading, row, answer));
        // It is no more relevant than what it follows, so that no threshold leaves it alone.
        let most = followed
            .map(|answer| answer.relevance.get())
            .reduce(f64::max);
        taken.extend(most.map(|most| answering(row, most)));
        most.is_none()
    });
    direct.append(&mut taken);
}

/// Takes in what is not relevant by itself and says what became of an answer: that what it names is over, or what was read to
/// make it out of date.
pub(crate) fn take_in_what_became<'a>(
    direct: &mut Vec<Ranked<'a>>,
    weak: &mut Vec<Ranked<'a>>,
    reading: &Reading,
) {
    if wants_the_newest(reading) {
        take_in_as(direct, weak, |row, answer| {
            ends(&row.judged, &answer.judged, reading) || is_read_to_renew(row, answer, reading)
        });
    }
}

/// Lets what was read to make an answer out of date stand as high as that.
pub(crate) fn raise(direct: &mut [Ranked<'_>], reading: &Reading) {
    let follows = |row: &Ranked<'_>| row.judged.candidate.follows.map(|it| it.earlier);
    let Some(earlier) = direct.iter().find_map(follows) else {
        return;
    };
    let Some(answer) = direct
        .iter()
        .find(|row| row.judged.id() == earlier)
        .cloned()
    else {
        return;
    };
    let fit = &answer.judged.fit;
    for row in direct {
        if is_read_to_renew(row, &answer, reading) {
            row.rise_to(answer.relevance, (fit.place, fit.degree));
        }
    }
}

/// Takes in what held earlier and answers less well, where a later row answers that says the same thing anew.
pub(crate) fn take_in_earlier<'a>(
    direct: &mut Vec<Ranked<'a>>,
    related: &mut Vec<Ranked<'a>>,
    reading: &Reading,
) {
    if let Some(wanted @ (Wanted::Earlier | Wanted::NewestUntil(_))) = Wanted::of(reading) {
        take_in_as(direct, related, |row, answer| {
            is_said_anew(wanted, &row.judged, &answer.judged, reading)
        });
    }
}

/// Takes in rows that come with an answer, as relevant as the most relevant one that they come with, so that no threshold
/// leaves them alone.
fn take_in_as<'a>(
    direct: &mut Vec<Ranked<'a>>,
    others: &mut Vec<Ranked<'a>>,
    comes_with: impl Fn(&Ranked<'a>, &Ranked<'a>) -> bool,
) {
    let mut taken = Vec::new();
    others.retain(|row| {
        let answers = direct.iter().filter(|answer| comes_with(row, answer));
        let most = answers
            .map(|answer| answer.relevance.get())
            .reduce(f64::max);
        taken.extend(most.map(|most| {
            let mut row = answering(row, most);
            row.relevance = Score::clamped(most);
            row
        }));
        most.is_none()
    });
    direct.append(&mut taken);
}

/// Whether what a row says is said anew by a later one that answers, and the question wants the earlier one.
fn is_said_anew(wanted: Wanted, row: &Judged<'_>, later: &Judged<'_>, reading: &Reading) -> bool {
    let (Some(said), Some(says)) = (&row.statement, &later.statement) else {
        return false;
    };
    wanted.prefers(row.candidate.memory, later.candidate.memory)
        && may_follow(later, row)
        && !row.speaks_against()
        && said.both(says) >= SAID_OF
        && said.in_common(says) >= SAID_EARLIER
        && (says.says_change || said.both_untold(says, reading) >= SAID_OF)
}

/// Marks rows of which a later one says another value: what whoever does a task need not know any more.
pub(crate) fn mark_outdated(lane: &mut [Ranked<'_>], reading: &Reading) {
    if reading.kind.is_question() || Wanted::of(reading) != Some(Wanted::Newest) {
        return;
    }
    let compared = lane.len().min(COMPARED);
    let rows = lane.get(..compared).unwrap_or_default();
    let is_outdated = |row: &Ranked<'_>| rows.iter().any(|later| replaces(later, row));
    let outdated: Vec<bool> = rows.iter().map(is_outdated).collect();
    for (row, outdated) in lane.iter_mut().zip(outdated) {
        row.outdated = outdated;
    }
}

/// Whether a row says anew what another says. A weaker word takes the place of none, nor does one that nobody approved of
/// one that somebody did.
fn replaces(later: &Ranked<'_>, row: &Ranked<'_>) -> bool {
    let (one, other) = (&later.judged, &row.judged);
    let (Some(says), Some(said)) = (&one.statement, &other.statement) else {
        return false;
    };
    let (newer, older) = (one.candidate.memory, other.candidate.memory);
    let may = newer.class >= older.class && newer.approved >= older.approved;
    may && since(newer) > since(older)
        && of_one(one, other)
        && one.marked().is_none()
        && says.says_anew(said)
}

/// The row as one that answers, no more relevant than `most`.
pub(super) fn answering<'a>(row: &Ranked<'a>, most: f64) -> Ranked<'a> {
    let mut row = row.clone();
    row.relevance = Score::clamped(row.relevance.get().min(most));
    let judged = Rc::make_mut(&mut row.judged);
    (judged.fit.direct, judged.fit.reason) = (true, None);
    if judged.evidence.subject == SubjectMatch::Other {
        judged.evidence.subject = SubjectMatch::Same;
    }
    row
}

/// What is weighed of newer rows beside the first one that answers, where the question wants what holds now.
pub(super) fn weighed(
    answer: &Ranked<'_>,
    beside: &[&Ranked<'_>],
    reading: &Reading,
) -> Vec<Renewal> {
    if !wants_the_newest(reading) {
        return Vec::new();
    }
    let newer = beside
        .iter()
        .filter(|row| may_follow(&row.judged, &answer.judged));
    let weighed = newer.filter_map(|row| Renewal::weighed(row, answer, reading));
    weighed.collect()
}

/// Whether a question wants what holds now.
pub(super) fn wants_the_newest(reading: &Reading) -> bool {
    Wanted::of(reading) == Some(Wanted::Newest)
}

/// The rows that are newer than one and may say anew what it says, where the question wants what holds now.
pub(super) fn newer<'r, 'a: 'r>(
    first: &Ranked<'_>,
    rows: impl Iterator<Item = &'r Ranked<'a>>,
    reading: &Reading,
) -> Option<Newer> {
    if !wants_the_newest(reading) {
        return None;
    }
    let rows = rows.map(|row| &*row.judged);
    let newer = rows.filter(|row| may_follow(row, &first.judged) && may_renew(row, reading));
    Some(newer.fold(Newer::default(), |newer, row| newer.with(place(row))))
}

/// Whether a later row says anew what another says, or that it changed.
fn takes_the_place(reading: &Reading, row: &Ranked<'_>, answer: &Ranked<'_>) -> bool {
    let (one, other) = (&row.judged, &answer.judged);
    may_follow(one, other) && renews(row, answer, reading)
        || may_end(one, reading) && ends(one, other, reading)
        || !one.was_read_beside() && follows(reading, row, answer)
}

/// Whether a row says later that what another names is over.
fn ends(row: &Judged<'_>, other: &Judged<'_>, reading: &Reading) -> bool {
    let (Some(says), Some(said)) = (&row.statement, &other.statement) else {
        return false;
    };
    may_follow(row, other) && says.ends(said, reading)
}

/// What is said of somebody else ends nothing, where the question names anybody or anything.
fn may_end(row: &Judged<'_>, reading: &Reading) -> bool {
    !row.is_of_other_subject() || reading.names_nothing()
}

/// Whether a row is later than another, and nothing in it speaks against what is asked.
pub(super) fn may_follow(one: &Judged<'_>, other: &Judged<'_>) -> bool {
    let of_it = !one.evidence.speaks_against() && !one.evidence.of_another;
    since(one.candidate.memory) > since(other.candidate.memory) && of_it
}

/// Whether a row says later that something changed of what another says: both say a name that the question does not and the
/// row much else of either, or it changed what is asked itself.
fn follows(reading: &Reading, row: &Ranked<'_>, answer: &Ranked<'_>) -> bool {
    let (one, other) = (&row.judged, &answer.judged);
    let (Some(says), Some(said)) = (&one.statement, &other.statement) else {
        return false;
    };
    let speaks = speaks_of_it(reading, row);
    let of_the_name =
        says.shares_a_name(said, reading) && (speaks || says.in_common(said) >= FOLLOWS);
    // Whatever begins with that name is about it, and where the question names nothing about nothing else.
    let of_another = one.is_of_other_subject()
        && !(of_the_name && reading.names_nothing() && says.begins_with_what(said));
    says.says_change
        && may_follow(one, other)
        && !of_another
        && (of_the_name || says.changes_the_asked && speaks)
}

/// Whether a row speaks of much of what is asked. Where one word says all of that, whoever repeats it need not answer:
/// "the thesis is due in May" says nothing new of what the thesis is about.
fn speaks_of_it(reading: &Reading, row: &Ranked<'_>) -> bool {
    let asked = row.judged.evidence.wording.asked;
    let own = |role: Role| role != Role::Goal;
    let words = reading.focus.iter().filter(|term| own(term.role)).count();
    asked >= SPEAKS_OF_IT && (words > 1 || asked < 1.0)
}

/// Whether the question wants a row rather than another by its time, and the caller wants the other no more.
fn is_wanted_rather(wanted: Wanted, row: &Ranked<'_>, before: &Ranked<'_>) -> bool {
    let (one, other) = (&row.judged, &before.judged);
    let stays_behind = row.priority != before.priority
        || row.context_tags < before.context_tags
        || before.context_type && !row.context_type
        || one.marked().is_some() && other.marked().is_none();
    !stays_behind && wanted.prefers(one.candidate.memory, other.candidate.memory)
}

fn goes_before(reading: &Reading, wanted: Wanted, row: &Ranked<'_>, before: &Ranked<'_>) -> bool {
    let (one, other) = (&row.judged, &before.judged);
    if !is_wanted_rather(wanted, row, before) {
        return false;
    }
    let newest = wanted == Wanted::Newest;
    if newest && takes_the_place(reading, row, before) {
        return true;
    }
    if newest && one.was_read_beside() {
        return false;
    }
    let is_later = since(one.candidate.memory) > since(other.candidate.memory);
    let (Some(says), Some(said)) = (&one.statement, &other.statement) else {
        return false;
    };
    if !follows(reading, row, before) && row.score.get() < LEAST_SHARE * before.score.get() {
        return false;
    }
    let (newer, stated) = if is_later {
        (row, says)
    } else {
        (before, said)
    };
    let in_common = says.in_common(said);
    if stated.says_change {
        in_common >= SAME_THING_CHANGED || speaks_of_it(reading, newer)
    } else {
        in_common >= SAME_THING
    }
}
