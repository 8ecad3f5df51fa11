//! Rows that consist of the vocabulary of programs: "Worker 3 started", "placeholder entry for the load test".
//!
//! A text is read as a row of word classes. It counts as a line of a log only when every word of it belongs to the
//! vocabulary, so a name, a weekday or anything else of somebody's life keeps it a fact. Rows of tests may carry any
//! content, so they have to name themselves first.

use testimony_domain::Reason;

use super::Part;
use super::prose::Finding;
use super::row_words::Class::*;
use super::row_words::{
    Class, Classes, Gap, LOG_WORDS, LONGEST, TEST_WORDS, VOCABULARY, Word, any, pieces, words,
};
use crate::folded;
use crate::lexicon::is_unspaced;

/// Whether the text is a line of a log, or what a program says about itself.
pub(super) fn log_line(part: &Part<'_>) -> Option<Finding> {
    let folded = part.folded;
    // A line that opens with a quoted key is a piece of somebody's document.
    if folded.len() > LONGEST || folded.trim_start().starts_with('"') {
        return None;
    }
    if !may_open(part) {
        return None;
    }
    // A name that belongs to a machine may be any word: it follows one, or a colon, or is part of a joined name.
    let names = std::cell::Cell::new(0_usize);
    let allowed = std::cell::Cell::new(false);
    let words = words(part.around.1, part.words, |word| {
        let is_joined = word.gap == Gap::Joint;
        let is_name = word.classes & LOG_WORDS == 0 && !word.is_identifier;
        let fits = !is_name || ((allowed.get() || is_joined) && !word.is(any(&[Own, Verb])));
        names.set(names.get() + usize::from(is_name));
        allowed.set(word.is(any(&[Machine, Work, State])));
        fits
    })?;
    let all = words.iter().fold(0, |all, word| all | word.classes);
    let has = |class: Class| all & any(&[class]) != 0;
    if opens_about_somebody(&words) || names.get() > usize::from(words.len() > 2) * 4 {
        return None;
    }
    let kept = has(Kept) || has(State);
    if (has(Auto) && (has(Store) || has(Reply)) && (names.get() == 0))
        || (has(Auto) && kept && names.get() == 0)
        || (has(Store) && kept && names.get() == 0 && is_counted(&words, all))
        || (has(Reply) && words.len() == 1)
        || (has(Govern) && kept && names.get() == 0 && is_ruling(&words, has(Store) || has(Work)))
    {
        return Some((Reason::SystemGenerated, "system.vocabulary"));
    }
    // "The backup is running at two" says how things are; "The session has ended" says what happened.
    let is_sentence = words.first().is_some_and(|word| word.is(any(&[Company])));
    if is_sentence && has(Is) && !folded.contains(" now ") {
        return None;
    }
    let runs = has(Machine) || has(Work);
    let goes_on = has(Doing) && (runs || has(State) || folded.contains(['…']));
    let names_fit = names.get() == 0 || is_named_by_a_machine(&words);
    ((has(State) && runs || goes_on) && words.len() > 1 && names_fit)
        .then_some((Reason::LifecycleLog, "log.vocabulary"))
}

/// Whether the first word is of the vocabulary; most prose is told apart by it, before the rest is read.
fn may_open(part: &Part<'_>) -> bool {
    let Some(first) = pieces(part.words).next() else {
        return false;
    };
    let is_known =
        VOCABULARY.heads.may_hold(first.key.whole) || VOCABULARY.stem_heads.may_begin(first.key);
    first.made_of.has_digit()
        || (is_known || !first.made_of.is_ascii()) && opens_a_line(part, first)
}

/// The same, once it cannot be told by the key of the word.
fn opens_a_line(part: &Part<'_>, first: &folded::Word) -> bool {
    let (_, folded) = part.around;
    let letters = folded.get(first.start..first.end).unwrap_or_default();
    letters.starts_with(is_unspaced)
        || VOCABULARY.phrases.contains_key(letters)
        || VOCABULARY.stem(letters, first.key) != 0
}

/// What is said about stored things counts as a program's only with a number, a "no", or a word that people do not use.
fn is_counted(words: &[Word], all: Classes) -> bool {
    words.iter().any(|word| word.is_identifier)
        || all & any(&[Auto]) != 0
        || words
            .iter()
            .find(|word| !word.is(any(&[Company])) || word.is(any(&[Store])))
            .is_some_and(|word| word.is(any(&[Store])))
}

/// Whether every unknown word stands where the name of a machine or of its job does.
fn is_named_by_a_machine(words: &[Word]) -> bool {
    words.iter().enumerate().skip(1).all(|(at, word)| {
        let is_name = word.classes & LOG_WORDS == 0 && !word.is_identifier;
        let Some(before) = words.get(at - 1) else {
            return !is_name;
        };
        let joined = words.get(at + 1).is_some_and(|next| next.gap == Gap::Joint);
        !is_name
            || word.gap == Gap::Joint
            || (before.is(any(&[Machine, Work])) && joined)
            || (word.gap == Gap::Colon && before.is(any(&[State, Machine])))
    })
}

/// What is said about trust or a case counts as a program's only with a number, and without a verb of a sentence.
fn is_ruling(words: &[Word], of_the_service: bool) -> bool {
    let numbers = words.iter().filter(|word| word.is_identifier).count();
    let is_sentence = words.iter().any(|word| word.is(any(&[Verb, Is])));
    numbers > 1 || numbers == 1 && (of_the_service || !is_sentence)
}

fn opens_about_somebody(words: &[Word]) -> bool {
    words.iter().any(|word| word.is(any(&[Own])))
}

/// Whether the text is a row of a test or an evaluation.
pub(super) fn test_row(part: &Part<'_>) -> Option<Finding> {
    if part.folded.len() > LONGEST || !names_a_test(part) {
        return None;
    }
    let words = words(part.around.1, part.words, |_| true)?;
    let row = Row { words };
    TEST_RULES
        .iter()
        .find(|(_, holds)| holds(&row))
        .map(|(id, _)| (Reason::TestRow, *id))
}

/// Whether a word may stand for a test; a row of which none does is no row of one, whatever the rule.
fn names_a_test(part: &Part<'_>) -> bool {
    let (_, folded) = part.around;
    let mut words = pieces(part.words);
    words.any(|word| VOCABULARY.may_name_a_test(folded, word))
}

struct Row {
    words: Vec<Word>,
}

type TestRule = (&'static str, fn(&Row) -> bool);

/// How a row gives itself away. The first that holds decides.
const TEST_RULES: &[TestRule] = &[
    ("test.marker", Row::opens_with_marker),
    ("test.declares", Row::declares_itself),
    ("test.only_tries", Row::only_tries),
    ("test.probes", Row::probes),
    ("test.names_itself", Row::names_itself),
    ("test.to_be_ignored", Row::asks_to_be_ignored),
    ("test.wrote_it", Row::says_who_wrote_it),
    ("test.expects", Row::expects),
    ("test.vocabulary", Row::is_all_vocabulary),
];

impl Row {
    fn has(&self, class: Class) -> bool {
        self.words.iter().any(|word| word.is(any(&[class])))
    }

    fn from(&self, at: usize) -> &[Word] {
        self.words.get(at..).unwrap_or_default()
    }

    /// A joined name of nothing but test words and numbers: `SMOKE_TEST_MARKER_91c2`, `canary-7f3a`.
    fn opens_with_marker(&self) -> bool {
        let joined = self
            .from(1)
            .iter()
            .take_while(|word| word.gap == Gap::Joint)
            .count();
        let (name, after) = self
            .words
            .split_at_checked(joined + 1)
            .unwrap_or((&self.words, &[]));
        let fits = |word: &Word| word.is(TEST_WORDS) || word.is_identifier;
        let names = name
            .iter()
            .any(|word| word.is(any(&[Kind, Named, Probing])));
        let marks = name
            .iter()
            .any(|word| word.is_identifier || word.is(any(&[Thing, Named])));
        let is_single = joined == 0 && !name.iter().any(|word| word.is(any(&[Named])));
        let states = after.first().is_some_and(|word| word.is(any(&[Verb])));
        let about = after.first().is_some_and(|word| {
            word.gap == Gap::Space && word.is(any(&[Company])) && !word.is(any(&[Filler]))
        });
        names && marks && !is_single && name.iter().all(fits) && !states && !about
    }

    /// Where a kind of test and a thing of one stand together, as the places of the first and the last of them.
    fn pair(&self, from: usize) -> Option<(usize, usize)> {
        let mut kind = None;
        let mut thing = None;
        for (at, word) in self.words.iter().enumerate().skip(from) {
            if word.is(any(&[Named])) {
                return Some((at, at));
            }
            if word.is(any(&[Kind])) && !(kind.is_some() && word.is(any(&[Thing]))) {
                kind = Some(at);
            } else if word.is(any(&[Thing])) {
                thing = Some(at);
            } else if !word.is(any(&[Filler, Company, Kind])) || word.gap == Gap::Colon {
                (kind, thing) = (None, None);
            }
            if let (Some(one), Some(other)) = (kind, thing)
                && one.abs_diff(other) <= 3
            {
                return Some((one.min(other), one.max(other)));
            }
        }
        None
    }

    /// "This is a test record": words for oneself, and near them a test row.
    fn declares_itself(&self) -> bool {
        let Some(at) = self
            .words
            .iter()
            .take(5)
            .position(|word| word.is(any(&[Declares])))
        else {
            return false;
        };
        let near = |place: usize| place <= at + 5;
        let pair = self
            .pair(at)
            .or_else(|| self.pair(at + 1))
            .is_some_and(|(first, _)| near(first));
        let kind = self
            .from(at + 1)
            .iter()
            .take(5)
            .any(|word| word.is(any(&[Kind])));
        let purpose = self.has(Ignore) || self.has(Api);
        pair || (kind && purpose && !self.has(Own))
    }

    fn only_tries(&self) -> bool {
        let opens = self.words.iter().take(2).any(|word| word.is(any(&[Just])));
        opens && (self.has(Recalls) || self.has(Api) || self.words.len() <= 3)
    }

    /// "Recall test: …", "Sanity check of writeback: …".
    fn probes(&self) -> bool {
        let Some(first) = self.words.first() else {
            return false;
        };
        let content_follows = self
            .from(1)
            .iter()
            .take(6)
            .any(|word| word.gap == Gap::Colon);
        let number_follows = self.words.get(1).is_some_and(|word| word.is_identifier);
        // A test runner that speaks: "pytest: memory created by …".
        if first.is(any(&[Harness]))
            && self
                .from(1)
                .first()
                .is_some_and(|word| word.gap == Gap::Colon)
        {
            return self.has(Thing) || self.has(Kind) || self.has(Api);
        }
        if first.is(any(&[Probing])) {
            let marked = self.words.get(1).is_none_or(|word| word.gap != Gap::Space);
            let soon = self
                .from(1)
                .iter()
                .take(3)
                .any(|word| word.gap == Gap::Colon);
            if marked || number_follows || soon {
                return true;
            }
        }
        let of_the_service = self
            .from(1)
            .iter()
            .take(4)
            .take_while(|word| word.is(any(&[Company, Filler, Api, Kind, Thing])))
            .any(|word| word.is(any(&[Api])));
        let closed = self.words.iter().all(|word| !word.is(any(&[Verb, Own])));
        first.is(any(&[Kind])) && of_the_service && (content_follows || closed)
    }

    /// "placeholder entry for the load test", "benchmark row 12: …".
    fn names_itself(&self) -> bool {
        let Some((first, last)) = self.pair(0) else {
            return false;
        };
        if first > 3 || self.has(Own) {
            return false;
        }
        let opening = self.words.iter().take(first);
        if !opening
            .clone()
            .all(|word| word.is(TEST_WORDS) || word.is_identifier)
            || opening.clone().any(|word| word.is(any(&[Verb])))
        {
            return false;
        }
        let Some(next) = self.words.get(last + 1) else {
            return true;
        };
        let stateless = !self.words.iter().any(|word| word.is(any(&[Verb])));
        next.is_identifier
            || self.serves_a_test_up_to_a_colon(last + 1)
            || next.gap == Gap::Colon
            || (next.gap == Gap::Mark && stateless)
            || (stateless
                && self
                    .words
                    .get(last + 2)
                    .is_some_and(|word| word.gap == Gap::Joint))
            || (next.is(any(&[Company, Filler, Kind, Kept]))
                && stateless
                && self.serves_a_test(last + 1))
    }

    /// "Distractor sentence for the recall benchmark: …": what serves a test up to the colon, whatever follows it.
    fn serves_a_test_up_to_a_colon(&self, from: usize) -> bool {
        let rest = self.from(from);
        let lead = rest.iter().take_while(|word| word.gap != Gap::Colon);
        let lead: Vec<&Word> = lead.take(8).collect();
        let fits = any(&[Kind, Api, Machine, Company, Filler, Thing, Probing]);
        rest.get(lead.len())
            .is_some_and(|word| word.gap == Gap::Colon)
            && lead.iter().all(|word| word.is(fits) || word.is_identifier)
            && lead.iter().any(|word| word.is(any(&[Kind, Api, Probing])))
    }

    /// Whether what follows speaks of tests or programs again.
    fn serves_a_test(&self, from: usize) -> bool {
        let purpose = any(&[Kind, Api, Machine, Harness, Ignore, Probing, Filler]);
        self.from(from)
            .iter()
            .any(|word| word.is(purpose) || word.is_identifier)
    }

    /// A test that ends with the wish to be ignored.
    fn asks_to_be_ignored(&self) -> bool {
        let Some(ignored) = self.words.iter().rposition(|word| word.is(any(&[Ignore]))) else {
            return false;
        };
        let ends = self
            .from(ignored + 1)
            .iter()
            .all(|word| word.is(any(&[Company, Ignore, Filler, Thing])));
        let kind = self
            .words
            .iter()
            .take(ignored + 1)
            .any(|word| word.is(any(&[Kind, Named, Probing])));
        ends && kind && !self.has(Own)
    }

    fn says_who_wrote_it(&self) -> bool {
        let Some(wrote) = self.words.iter().position(|word| word.is(any(&[Wrote]))) else {
            return false;
        };
        let tests = |word: &Word| word.is(any(&[Kind, Harness, Probing, Named]));
        let after = self.from(wrote + 1);
        let by_test = wrote <= 3 && after.iter().take(6).any(tests);
        let before = self.words.iter().take(wrote);
        let opens = before.clone().next().is_some_and(tests);
        let is_about_a_row = before
            .clone()
            .all(|word| word.is(any(&[Thing, Declares, Company, Kind])));
        let this_row = after
            .first()
            .is_none_or(|word| word.is(any(&[Thing, Named, Store])));
        (by_test && is_about_a_row) || (opens && this_row)
    }

    /// A line of an evaluation: what was asked and what is expected.
    fn expects(&self) -> bool {
        let opens = self
            .words
            .iter()
            .take(3)
            .any(|word| word.is(any(&[Kind, Named])));
        opens
            && self.has(Expected)
            && self.words.iter().any(|word| word.is_identifier)
            && !self.has(Own)
    }

    fn is_all_vocabulary(&self) -> bool {
        let kinds = self
            .words
            .iter()
            .filter(|word| word.is(any(&[Kind, Named, Probing])))
            .count();
        let fits = |word: &Word| {
            (word.is(TEST_WORDS | any(&[Machine])) || word.is_identifier) && !word.is(any(&[Own]))
        };
        let articles = self
            .words
            .first()
            .is_some_and(|word| word.is(any(&[Company])));
        kinds > 0
            && self.words.len() > 1
            && !articles
            && !self.has(Verb)
            && self.words.iter().all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::row_words::LONGEST_STEM;
    use super::super::telegram_words::WORDS;
    use super::*;
    use crate::folded::Folded;
    use crate::listed::Listed;
    use crate::work::growth;

    /// Texts whose every word begins phrases, letters that stand alone, and one long word.
    fn costly_texts() -> [String; 4] {
        ["please do not ", "测试", "a", "exists to "].map(|part| part.repeat(4096))
    }

    fn read(text: &str) -> Vec<Word> {
        let folded = Folded::of(text);
        words(&folded.text, &folded.words, |_| true).unwrap_or_default()
    }

    fn judge(text: &str, rule: impl Fn(&Part<'_>) -> Option<Finding>) -> Option<Finding> {
        let listed = Listed::of(text);
        Part::of(text, &listed, &(0..text.len())).and_then(|part| rule(&part))
    }

    /// Lookups a byte: a piece is looked up once for every phrase that may hold it, and no more.
    const LOOKUPS_PER_BYTE: usize = 6;

    #[test]
    fn reading_stays_linear() {
        for text in costly_texts() {
            let work = growth::of(|| drop(read(&text)));
            assert!(work <= LOOKUPS_PER_BYTE * text.len(), "{work}");
        }
    }

    #[test]
    fn a_reader_that_begins_anew_at_every_word_is_caught() {
        let text = "please do not ".repeat(64);
        let starts = text.match_indices(' ').map(|(at, _)| at);
        let work = growth::of(|| {
            starts.for_each(|at| drop(read(text.get(at..).unwrap_or_default())));
        });
        assert!(work > LOOKUPS_PER_BYTE * text.len());
    }

    fn test(text: &str) -> Option<Finding> {
        judge(text, test_row)
    }

    fn log(text: &str) -> Option<Finding> {
        judge(text, log_line)
    }

    #[test]
    fn a_name_of_somebodys_life_keeps_a_line_a_fact() {
        assert!(log("worker 3 started at 10:00").is_some());
        assert!(log("the yoga session started at 10:00").is_none());
        assert!(log("her job ended in june").is_none());
        assert!(log("the backup is running at 2").is_none());
    }

    #[test]
    fn a_row_of_a_test_names_itself() {
        assert!(test("canary-7f3a: the sky is green").is_some());
        assert!(test("placeholder entry for the load test").is_some());
        assert!(test("test data must never hold real names").is_none());
    }

    #[test]
    fn no_stem_is_too_long_to_be_found() {
        assert!(
            VOCABULARY
                .stems
                .keys()
                .all(|stem| stem.len() <= LONGEST_STEM)
        );
    }

    #[test]
    fn every_phrase_of_the_vocabulary_can_be_found() {
        for (class, language, list) in WORDS {
            for word in list.split('|').filter(|word| !word.ends_with('*')) {
                let found = read(word);
                let whole = found.len() == 1 && found.iter().all(|found| found.is(any(&[*class])));
                assert!(whole, "{language} {word}: {found:?}");
            }
        }
    }
}
