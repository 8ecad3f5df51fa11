//! One claim beside one neighbour.

use std::ops::Deref;

use testimony_domain::{Reason, Slot, SlotKey, SourceClass, Timestamp, Validity};

use super::closer::look_closer;
use super::difference::Difference;
use super::frames::{self, Frame};
use super::guard;
use super::marks::{Marks, stands_for_another};
use super::marks_tables::{INSTEAD, ONLY};
use super::nature;
use super::open;
use super::reading;
use super::same;
use super::slots::{Answers, answers, one_of_several, other_question, put_plainly};
use super::split::split;
use super::stances;
use super::together;
use super::told;
use super::worded::{TABLES, Worded};
use super::wording::{self, Wording};
use super::{Challenger, Cue, Neighbour, Relation, Stand};
use crate::claims::{
    Compared, DateMention, Statement, UNNAMED_SPEAKER, WordRole, is_many_valued, is_time_word,
    is_verb,
};

/// What a claim says, read for comparing: the same however often it is compared, and whatever becomes of it meanwhile.
#[derive(Clone, Debug)]
pub struct Reading {
    said: Statement,
    plain_text: String,
    worded: Worded,
    marks: Marks,
    frame: Frame,
    /// Its words, as those of a pair are told.
    paired: Vec<together::Word>,
}

impl Reading {
    /// Reads what `speaker` said at `observed_at`.
    #[must_use]
    pub fn of(text: &str, speaker: Option<&str>, observed_at: Timestamp) -> Self {
        let mut said = Statement::read(text, speaker, observed_at);
        said.mentions.retain(|mention| !is_no_day(text, mention));
        said.days = said.mentions.iter().map(|mention| mention.from).collect();
        let worded = Worded::read(text);
        if worded.tells_a_side_alone() {
            take_for_a_side(&mut said);
        }
        Self {
            frame: Frame::read(text, &said.mentions),
            said,
            plain_text: plain_text(text),
            marks: Marks::read(text, &worded),
            paired: together::words_of(&worded),
            worded,
        }
    }

    /// What a claim says that comes in.
    #[must_use]
    pub fn of_challenger(new: &Challenger<'_>) -> Self {
        Self::of(new.text, new.speaker, new.observed_at)
    }

    /// What a known claim says.
    #[must_use]
    pub fn of_neighbour(known: &Neighbour<'_>) -> Self {
        Self::of(known.text, known.speaker, known.observed_at)
    }
}

/// A claim as it is compared.
pub(super) struct Side<'a> {
    reading: &'a Reading,
    slot: Option<Slot>,
    validity: Validity,
}

impl<'a> Side<'a> {
    pub(super) fn new(reading: &'a Reading, slot: Option<&Slot>, validity: Validity) -> Self {
        let said = &reading.said;
        let slot = slot.or(said.slot.as_ref()).map(put_plainly);
        let validity = Validity {
            from: validity.from.or(said.validity.from),
            until: validity.until.or(said.validity.until),
        };
        Self {
            reading,
            slot,
            validity,
        }
    }
}

impl Deref for Side<'_> {
    type Target = Reading;

    fn deref(&self) -> &Reading {
        self.reading
    }
}

/// The text without what typing changes: case, spaces, marks at the ends.
fn plain_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(
            &word
                .to_lowercase()
                .replace(['’', '‘'], "'")
                .replace(['“', '”', '„'], "\""),
        );
    }
    out.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '%' | '$' | '€' | '£' | '+'))
        .to_owned()
}

/// "The left hand" is no end: what was taken for one is a word that tells which hand.
fn take_for_a_side(said: &mut Statement) {
    said.cues.ended = false;
    let ends = said
        .words
        .iter_mut()
        .filter(|word| word.role == WordRole::Negation);
    for word in ends {
        word.role = WordRole::Naming;
        "left".clone_into(&mut word.stem);
    }
}

/// "Mon frère": a short name of a day in one language is a common word in another, where a plain word goes on behind it.
fn is_no_day(text: &str, mention: &DateMention) -> bool {
    let span = text.get(mention.span.clone()).unwrap_or_default();
    let behind = text.get(mention.span.end..).unwrap_or_default();
    let next = split(behind).into_iter().next().unwrap_or_default();
    let goes_on = behind
        .strip_prefix(' ')
        .is_some_and(|rest| rest.starts_with(char::is_lowercase));
    span.eq_ignore_ascii_case("mon") && goes_on && !follows_a_day(&next)
}

/// Whether a word stands behind a day in English: "Mon at nine", "Mon and Tue", "Mon is fine", "Mon morning".
fn follows_a_day(word: &str) -> bool {
    const JOINING: &[&str] = &[
        "and",
        "or",
        "through",
        "thru",
        "till",
        "until",
        "only",
        "morning",
        "afternoon",
        "evening",
        "night",
        "noon",
    ];
    JOINING.contains(&word) || is_time_word(word) || is_verb(word) || TABLES.placing.contains(word)
}

/// So many words that the known one lacks are more than another way to say it.
const MUCH: usize = 4;

/// A claim and a neighbour.
pub(super) struct Pair<'a> {
    pub(super) challenger: &'a Challenger<'a>,
    new: &'a Side<'a>,
    pub(super) neighbour: &'a Neighbour<'a>,
    known: Side<'a>,
}

impl<'a> Pair<'a> {
    pub(super) fn new(
        challenger: &'a Challenger<'a>,
        new: &'a Side<'a>,
        neighbour: &'a Neighbour<'a>,
        reading: &'a Reading,
    ) -> Self {
        Self {
            challenger,
            new,
            neighbour,
            known: Side::new(reading, neighbour.slot, neighbour.validity),
        }
    }

    fn stand(&self, relation: Relation, cue: Cue, reason: Reason) -> Stand {
        Stand {
            neighbour: self.neighbour.id,
            relation,
            slot: self.shared_slot(),
            cue,
            reason,
        }
    }

    fn shared_slot(&self) -> Option<SlotKey> {
        let (new, known) = (self.new.slot.as_ref()?, self.known.slot.as_ref()?);
        other_question(new, known)
            .is_none()
            .then(|| known.key.clone())
    }

    pub(super) fn worded(&self) -> (&Worded, &Worded) {
        (&self.new.worded, &self.known.worded)
    }

    pub(super) fn paired(&self) -> (&[together::Word], &[together::Word]) {
        (&self.new.paired, &self.known.paired)
    }

    pub(super) fn marks(&self) -> (&Marks, &Marks) {
        (&self.new.marks, &self.known.marks)
    }

    pub(super) fn frames(&self) -> (&Frame, &Frame) {
        (&self.new.frame, &self.known.frame)
    }

    /// The known answer, where both answer one question.
    pub(super) fn known_value(&self) -> Option<&str> {
        let known = self.known.slot.as_ref()?;
        self.shared_slot().map(|_| known.value.as_str())
    }

    /// Whether the answer to the question of both is a number or a date.
    pub(super) fn answers_in_figures(&self) -> bool {
        self.known_value()
            .is_some_and(|value| value.contains(|c: char| c.is_ascii_digit()))
    }

    /// Whether the answer to the question of both is told by one of these words.
    pub(super) fn answer_is_told_by(&self, words: &[&str]) -> bool {
        self.known_value().is_some_and(|value| {
            let told = |word: &&str| value.split(' ').any(|part| part == *word);
            words.iter().any(told)
        })
    }

    /// Whether one of them does not say of whom it speaks, and nobody else said so when it was drawn.
    pub(super) fn is_unnamed(&self) -> bool {
        let unnamed = |marks: &Marks, slot: Option<&Slot>| {
            marks.is_unnamed
                && slot.is_none_or(|slot| {
                    let first = slot.key.subject.split(' ').next().unwrap_or_default();
                    first == UNNAMED_SPEAKER || stands_for_another(first)
                })
        };
        unnamed(&self.new.marks, self.challenger.slot)
            || unnamed(&self.known.marks, self.neighbour.slot)
    }

    /// Whether both say the same, but for how an hour, an amount or a rate is written.
    pub(super) fn says_the_same_in_figures(&self) -> bool {
        let (new, known) = (&self.new.worded, &self.known.worded);
        let same = self
            .new
            .marks
            .figures
            .say_the_same(&self.known.marks.figures);
        same && new.denies() == known.denies()
            && new.change().is_none()
            && !self.mouths_differ()
            && !wording::opposite_events(new, known)
            && same::turned(new, known, false).is_none()
            && !same::other_tense(new, known)
            && !same::beside(new, known)
    }

    pub(super) fn names_what_it_replaces(&self) -> bool {
        told::names_what_it_replaces(&self.new.worded, &self.new.marks, &self.known.worded)
    }

    /// Whether it takes back, or holds alone: of many one counts then.
    pub(super) fn is_single_choice(&self) -> bool {
        self.new.said.cues.correction || self.new.marks.any(INSTEAD | ONLY)
    }

    pub(super) fn known_names_a_day(&self) -> bool {
        !self.known.said.days.is_empty()
    }

    pub(super) fn names_other_days(&self) -> bool {
        let (new, known) = (&self.new.said.days, &self.known.said.days);
        new != known && !new.is_empty() && !known.is_empty()
    }

    /// Whether it has words that the known one lacks.
    pub(super) fn says_other_words(&self) -> bool {
        !Difference::of(&self.new.said.words, &self.known.said.words)
            .only_new
            .is_empty()
    }

    /// Whether "I" stands in one of them and another said the other.
    pub(super) fn mouths_differ(&self) -> bool {
        (self.new.said.first_person || self.known.said.first_person)
            && self.challenger.speaker != self.neighbour.speaker
    }

    pub(super) fn independent(&self, cue: Cue) -> Stand {
        Stand {
            slot: None,
            ..self.stand(Relation::Independent, cue, Reason::Novel)
        }
    }

    pub(super) fn supporting(&self, cue: Cue) -> Stand {
        self.stand(Relation::Supporting, cue, Reason::Supporting)
    }

    /// Says otherwise than what is known: whether it takes its place is a matter of class, approval and cue, in this order.
    pub(super) fn against(&self, cue: Cue) -> Stand {
        self.against_by(cue, None)
    }

    /// The same, where the wording names the change.
    pub(super) fn against_by(&self, cue: Cue, told: Option<Cue>) -> Stand {
        if self.is_weaker() {
            return self.stand(Relation::Contradicts, cue, Reason::WeakerChallenger);
        }
        if self.neighbour.approved {
            return self.stand(Relation::Contradicts, cue, Reason::IncumbentApproved);
        }
        match self.change(told) {
            Some(change) => self.stand(Relation::Supersedes, change, Reason::Supersedes),
            None => self.stand(Relation::Contradicts, cue, Reason::Conflict),
        }
    }

    /// Whether less speaks for the claim than for what is known: a weaker class, or one origin of a weak class against
    /// several.
    fn is_weaker(&self) -> bool {
        is_weaker(self.challenger.class, self.neighbour)
    }

    /// What says that the claim is newer; hearsay and what was said earlier never do.
    fn change(&self, told: Option<Cue>) -> Option<Cue> {
        let cues = &self.new.said.cues;
        let earlier = self.challenger.observed_at < self.neighbour.observed_at;
        let is_hearsay = || stances::is_hearsay_alone(self.worded());
        // That something rose is no newer value of that it fell, where no value is told.
        let turns = || {
            let (new, known) = self.worded();
            self.new.marks.figures.is_bare() && wording::move_oppositely(new, known)
        };
        if earlier || self.new.said.attributed_to.is_some() || is_hearsay() || turns() {
            return None;
        }
        let later = self.new.validity.from.is_some_and(|from| {
            from > self
                .known
                .validity
                .from
                .unwrap_or(self.neighbour.observed_at)
        });
        let known_from = self.known.validity.from;
        let dated_later = later
            || known_from
                .is_some_and(|known| self.new.validity.from.is_some_and(|from| from > known));
        [
            (
                cues.correction || self.new.worded.puts_right,
                Cue::Correction,
            ),
            (cues.ended, Cue::Ended),
            (cues.update, Cue::Update),
            (dated_later, Cue::LaterDate),
        ]
        .into_iter()
        .find_map(|(holds, cue)| holds.then_some(cue))
        .or(told)
        .or_else(|| {
            let set_against = wording::takes_back(&self.new.worded, &self.known.worded);
            set_against.then_some(Cue::Correction)
        })
    }

    /// Whether the times for which the two hold do not meet.
    fn times_apart(&self) -> bool {
        let ends_before = |first: &Validity, second: &Validity| matches!((first.until, second.from), (Some(until), Some(from)) if until <= from);
        let over = self
            .new
            .validity
            .until
            .is_some_and(|until| until <= self.challenger.observed_at);
        ends_before(&self.new.validity, &self.known.validity)
            || ends_before(&self.known.validity, &self.new.validity)
            || over
    }

    /// Whether one is about what belongs to the one whom the other is about: "Joris's parents" are not Joris.
    fn is_of_a_belonging(&self) -> bool {
        let (new, known) = (&self.new.worded, &self.known.worded);
        nature::is_of_a_belonging(new, known) || nature::is_of_a_belonging(known, new)
    }

    /// "Uses pnpm instead of npm": whether it names the known value as the one that it replaces.
    fn tells_what_it_replaces(&self, known: &Slot) -> bool {
        let raw = &self.new.worded.raw;
        let value = known.value.split(' ').next().unwrap_or_default();
        let plain = |word: &&String| !matches!(word.as_str(), "the" | "my" | "our" | "a" | "an");
        let raw: Vec<&String> = raw.iter().filter(plain).collect();
        let replaced = |pair: &[&String]| {
            let [before, word] = pair else {
                return false;
            };
            word.as_str() == value
                && matches!(
                    before.as_str(),
                    "of" | "from" | "than" | "replaced" | "replacing"
                )
        };
        let names = raw.iter().any(|word| {
            matches!(
                word.as_str(),
                "instead" | "from" | "rather" | "replaced" | "replacing"
            )
        });
        names && !value.is_empty() && raw.windows(2).any(replaced)
    }

    /// "I now drive a Volvo": whether it says that another one is in use now, where one is in use at a time.
    fn tells_what_takes_its_place(&self) -> bool {
        let (new, known) = self.worded();
        wording::takes_the_place(new, known)
    }

    /// Whether it says the same and much beside it, which would be lost if it were taken for the same.
    fn says_more(&self) -> bool {
        let difference = Difference::of(&self.new.said.words, &self.known.said.words);
        let telling = |word: &&&Compared| matches!(word.role, WordRole::Content | WordRole::Naming);
        difference.only_new.iter().filter(telling).count() >= MUCH
    }

    /// The same words, of the same days, in the same mouth.
    fn is_same(&self) -> bool {
        let (new, known) = (&self.new.said, &self.known.said);
        let same_mouth = !new.first_person || self.challenger.speaker == self.neighbour.speaker;
        self.new.plain_text == self.known.plain_text
            && new.days == known.days
            && same_mouth
            && self.new.slot == self.known.slot
    }
}

/// How the claim stands to the neighbour.
pub(super) fn stand(pair: &Pair<'_>) -> Stand {
    let judged = by_rules(pair);
    let told = together::told_by_wording(pair, &judged);
    let told = told.or_else(|| reading::told_by_reading(pair, &judged));
    // What table and reader say has to speak of the same, as what the rules say has.
    let told = told
        .filter(|told| told.relation == Relation::Supporting || guard::amend(pair, told).is_none());
    told.unwrap_or(judged)
}

/// The signs by which the pair is told, as they are written.
pub(super) fn signs(pair: &Pair<'_>) -> Vec<String> {
    together::written(pair, &by_rules(pair))
}

/// Whether the table is asked how the pair is worded.
pub(super) fn is_left_open(pair: &Pair<'_>) -> bool {
    open::is_left_open(pair, &by_rules(pair))
}

/// How it stands by the rules alone.
fn by_rules(pair: &Pair<'_>) -> Stand {
    if let Some(by_caller) = by_caller(pair) {
        return by_caller;
    }
    if pair.is_same() {
        return pair.stand(Relation::Duplicate, Cue::SameWords, Reason::Duplicate);
    }
    let judged = by_slot_or_words(pair);
    let judged = by_wording(pair, &judged).unwrap_or(judged);
    let judged = look_closer(pair, &judged).unwrap_or(judged);
    if judged.reason == Reason::Conflict && pair.new.worded.adds() {
        return pair.independent(Cue::ManyValued);
    }
    if judged.relation == Relation::Supporting && pair.says_more() {
        return pair.independent(Cue::SaysMore);
    }
    let told = (judged.relation == Relation::Independent).then(|| told::tells(pair));
    let judged = told.flatten().unwrap_or(judged);
    guard::amend(pair, &judged).unwrap_or(judged)
}

fn by_slot_or_words(pair: &Pair<'_>) -> Stand {
    match (&pair.new.slot, &pair.known.slot) {
        (Some(new), Some(known)) => match other_question(new, known) {
            None if new.key.subject != known.key.subject && pair.is_of_a_belonging() => {
                pair.independent(Cue::OtherSubject)
            }
            None => by_slot(pair, new, known),
            Some(cue) => by_words(pair)
                .filter(|stand| {
                    stand.relation == Relation::Supporting && cue == Cue::OtherAttribute
                })
                .unwrap_or_else(|| pair.independent(cue)),
        },
        _ => by_words(pair).unwrap_or_else(|| pair.independent(Cue::Unrelated)),
    }
}

/// What the wording says where slots and words found too little in common, or took one event for another.
fn by_wording(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    let (new, known) = (&pair.new.worded, &pair.known.worded);
    if wording::opposite_events(new, known) {
        return Some(pair.independent(Cue::OtherAttribute));
    }
    if wording::only_one_is_history(new, known) && judged.relation != Relation::Supporting {
        return Some(pair.independent(Cue::History));
    }
    let days = (&pair.new.said.days, &pair.known.said.days);
    let other_days = days.0 != days.1 && !days.0.is_empty() && !days.1.is_empty();
    let says_what_is = judged
        .slot
        .as_ref()
        .is_some_and(|slot| slot.attribute == "is");
    if other_days && judged.cue == Cue::SameValue && says_what_is {
        return Some(if frames::happen_once(new, known) {
            pair.against(Cue::OtherValue)
        } else {
            pair.independent(Cue::OtherTime)
        });
    }
    if judged.relation == Relation::Contradicts && judged.reason == Reason::Conflict {
        if wording::is_restated(new, known) {
            return Some(pair.supporting(Cue::SameWords));
        }
        if judged.slot.is_none()
            && judged.cue == Cue::OtherValue
            && wording::subjects_differ(new, known)
        {
            return Some(pair.independent(Cue::OtherSubject));
        }
    }
    let mouths_differ = pair.mouths_differ();
    let past = pair.new.said.cues.past != pair.known.said.cues.past;
    if mouths_differ || past {
        return None;
    }
    if matches!(
        judged.cue,
        Cue::OtherSubject | Cue::OtherAttribute | Cue::Unrelated
    ) && wording::same_role(new, known)
    {
        return Some(pair.against(Cue::OtherValue));
    }
    by_comparison(pair, judged, other_days)
}

/// What the two wordings are to each other, as far as the wording may change what was judged.
fn by_comparison(pair: &Pair<'_>, judged: &Stand, other_days: bool) -> Option<Stand> {
    let (new, known) = (&pair.new.worded, &pair.known.worded);
    let openness = openness(pair, judged);
    match wording::compare(new, known)? {
        Wording::Same if openness >= Openness::Change && !other_days => {
            Some(pair.supporting(Cue::SameWords))
        }
        Wording::Denied if openness >= Openness::Change => Some(pair.against(Cue::Negation)),
        Wording::Otherwise(Some(change)) if openness >= Openness::Cue => {
            Some(pair.against_by(Cue::OtherValue, Some(change)))
        }
        Wording::Otherwise(None) if openness == Openness::Any => {
            Some(pair.against(Cue::OtherValue))
        }
        Wording::Exclusive if openness >= Openness::Change => Some(pair.against(Cue::OtherValue)),
        Wording::Another if openness == Openness::Any && !both_are(pair) => {
            Some(pair.against(Cue::OtherValue))
        }
        Wording::Both(cue) if openness == Openness::Any => Some(pair.independent(cue)),
        Wording::Same
        | Wording::Denied
        | Wording::Otherwise(_)
        | Wording::Another
        | Wording::Exclusive
        | Wording::Both(_) => None,
    }
}

/// How far the wording may change what was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Openness {
    Closed,
    /// Only a cue that it lacked.
    Cue,
    /// A change, a denial or the same in other words.
    Change,
    /// Another answer too.
    Any,
}

fn openness(pair: &Pair<'_>, judged: &Stand) -> Openness {
    if judged.relation == Relation::Contradicts && judged.reason == Reason::Conflict {
        return Openness::Cue;
    }
    if judged.relation != Relation::Independent {
        return Openness::Closed;
    }
    let slots = (pair.new.slot.as_ref(), pair.known.slot.as_ref());
    match (judged.cue, slots) {
        (Cue::Unrelated, _) => Openness::Any,
        (Cue::ManyValued, _) if both_are(pair) => Openness::Any,
        (Cue::OtherScope, (Some(new), Some(known)))
            if !new.key.scope.is_empty()
                && !known.key.scope.is_empty()
                && new.value == known.value =>
        {
            Openness::Any
        }
        (Cue::OtherAttribute | Cue::OtherSubject, _) => Openness::Change,
        _ => Openness::Closed,
    }
}

/// Whether both slots say no more than what something is.
fn both_are(pair: &Pair<'_>) -> bool {
    let is = |slot: &Option<Slot>| slot.as_ref().is_some_and(|slot| slot.key.attribute == "is");
    is(&pair.new.slot) && is(&pair.known.slot)
}

/// What the caller names is replaced or taken back at once by a class at least as strong; what a person approved only
/// by an operator.
fn by_caller(pair: &Pair<'_>) -> Option<Stand> {
    let id = pair.neighbour.id;
    let cue = if pair.challenger.retracts.contains(&id) {
        Cue::CallerRetracts
    } else if pair.challenger.supersedes.contains(&id) {
        Cue::CallerSupersedes
    } else {
        return None;
    };
    Some(match heard(pair.challenger.class, pair.neighbour) {
        Ok(()) => pair.stand(Relation::Supersedes, cue, Reason::Supersedes),
        Err(reason) => pair.stand(Relation::Contradicts, cue, reason),
    })
}

/// Whether a caller of this class may replace or take back what it names, at once.
///
/// # Errors
/// Why a person has to decide it.
pub fn heard(class: SourceClass, known: &Neighbour<'_>) -> Result<(), Reason> {
    if is_weaker(class, known) {
        Err(Reason::WeakerChallenger)
    } else if known.approved && class < SourceClass::Operator {
        Err(Reason::IncumbentApproved)
    } else {
        Ok(())
    }
}

/// A weaker class; or one voice against several.
fn is_weaker(class: SourceClass, known: &Neighbour<'_>) -> bool {
    let one_voice = class == known.class && !class.is_known_at_once() && known.established;
    class < known.class || one_voice
}

/// Two answers to one question.
fn by_slot(pair: &Pair<'_>, new: &Slot, known: &Slot) -> Stand {
    let (new_cues, known_cues) = (&pair.new.said.cues, &pair.known.said.cues);
    if new_cues.past != known_cues.past && !new_cues.update {
        return pair.independent(Cue::History);
    }
    let answers = answers(new, known);
    let same = answers != Answers::Different;
    if new_cues.temporary != known_cues.temporary && !same {
        return pair.independent(Cue::Temporary);
    }
    if pair.times_apart() && !same {
        return pair.independent(Cue::OtherTime);
    }
    if new.negated != known.negated {
        return if same {
            pair.against(Cue::Negation)
        } else {
            pair.independent(Cue::Negation)
        };
    }
    match answers {
        Answers::Same => pair.supporting(Cue::SameValue),
        Answers::Finer => pair.supporting(Cue::FinerValue),
        Answers::Different if new.negated => pair.independent(Cue::Negation),
        Answers::Different if one_of_several(new, known) => pair.supporting(Cue::FinerValue),
        Answers::Different if pair.tells_what_it_replaces(known) => {
            pair.against_by(Cue::OtherValue, Some(Cue::Update))
        }
        Answers::Different
            if is_many_valued(&known.key.attribute)
                && !both_are_places(new, known)
                && !versions_of_one(new, known)
                && !pair.tells_what_takes_its_place() =>
        {
            pair.independent(Cue::ManyValued)
        }
        Answers::Different => pair.against(Cue::OtherValue),
    }
}

/// Attributes whose values come in versions, of which one is in use at a time.
const IN_VERSIONS: &[&str] = &["uses", "dependency", "component", "tool"];

/// "It uses TLS 1.2" and "TLS 1.3": one name with two versions.
///
/// Accounts 10301 and 10302 are two accounts, and who has one phone may have another.
fn versions_of_one(new: &Slot, known: &Slot) -> bool {
    let attribute = known.key.attribute.as_str();
    IN_VERSIONS.contains(&attribute)
        && matches!((named_version(&new.value), named_version(&known.value)), (Some(new), Some(known)) if new == known)
}

/// The name before a version: "2024.1" is one, while a plain number of more than three digits counts things.
fn named_version(value: &str) -> Option<&str> {
    let (name, number) = value.rsplit_once(' ')?;
    let is_version = number.contains('.') || number.len() <= 3;
    (is_version && number.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

/// "The final is played in Turin": of the places of one thing only one holds.
fn both_are_places(new: &Slot, known: &Slot) -> bool {
    let placed = |slot: &Slot| {
        ["in ", "at ", "on "]
            .iter()
            .any(|word| slot.value.starts_with(word))
    };
    placed(new) && placed(known)
}

/// Two statements without a common slot, by their words: `None` where they have too little in common.
fn by_words(pair: &Pair<'_>) -> Option<Stand> {
    let (new, known) = (&pair.new.said, &pair.known.said);
    if pair.mouths_differ()
        || new.days != known.days
            && !new.days.is_empty()
            && !known.days.is_empty()
            && !pair_has_values(new, known)
    {
        return None;
    }
    let difference = Difference::of(&new.words, &known.words);
    let other_values = difference.only(WordRole::Value) && difference.both_sides();
    if difference.shared < if other_values { 1 } else { 2 } {
        return None;
    }
    if new.cues.past != known.cues.past {
        return None;
    }
    let denial = |said: &Statement| {
        said.words
            .iter()
            .any(|word| word.role == WordRole::Negation)
    };
    let denies = denial(new) != denial(known);
    if difference.is_empty() && new.days != known.days {
        // "Yesterday" was another day.
        return None;
    }
    if difference.is_empty() {
        return Some(if denies {
            pair.against(Cue::Negation)
        } else {
            pair.supporting(Cue::SameWords)
        });
    }
    if difference.only(WordRole::Value) && difference.both_sides() && !denies {
        if new.cues.temporary != known.cues.temporary {
            return Some(pair.independent(Cue::Temporary));
        }
        return Some(pair.against(Cue::OtherValue));
    }
    let small = difference.words() * 4 <= difference.shared
        && difference.one_sided()
        && difference.only(WordRole::Content);
    small.then(|| {
        if denies {
            pair.against(Cue::Negation)
        } else {
            pair.supporting(Cue::FinerValue)
        }
    })
}

fn pair_has_values(new: &Statement, known: &Statement) -> bool {
    let has = |said: &Statement| said.words.iter().any(|word| word.role == WordRole::Value);
    has(new) && has(known)
}
