//! The result of a tool within the bytes that it may have: whole where it fits, else what matters most, and a word about
//! what was cut. What comes out is whole JSON always, and never longer than was asked for.

use std::ops::Range;

use serde_json::{Value, json};
use testimony_recall::pack::{O200k, TokenCounter as _};

use super::Members;
use super::compact::Style;
use super::stored;

/// A list of rows.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) name: &'static str,
    pub(super) rows: Vec<Value>,
}

/// A result before it is written: what is always said, long texts, and lists, the most important first.
#[derive(Clone, Debug)]
pub(super) struct Result {
    pub(super) head: Members,
    pub(super) texts: Vec<(&'static str, String)>,
    pub(super) lanes: Vec<Lane>,
    pub(super) style: Style,
}

/// A result as it is sent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written {
    pub(super) members: Value,
    pub(super) text: String,
}

/// What stands around the members and the text of a result.
const FRAME: &str = r#"{"content":[{"type":"text","text":}],"structuredContent":,"isError":false}"#;
/// The bytes around that: the message, its id, and what each revision says beside it.
const AROUND: usize = 128;
/// A text that is cut shorter than so many characters says nothing.
const SHORTEST: usize = 16;

impl Written {
    /// How many bytes the message has, with an id of so many.
    pub(super) fn bytes(&self, id: usize) -> usize {
        let text = serde_json::to_string(&self.text).unwrap_or_default();
        FRAME.len() + text.len() + self.members.to_string().len() + id + AROUND
    }
}

/// How much of a result is kept.
#[derive(Clone, Debug, Default, PartialEq)]
struct Kept {
    /// Of each text and then of each lane, how many pieces whole; of what is not named, none.
    whole: Vec<usize>,
    /// Of the piece behind the whole ones of one of them, so many characters.
    beginning: Option<(usize, usize)>,
}

impl Kept {
    fn of(&self, part: usize) -> usize {
        self.whole.get(part).copied().unwrap_or_default()
    }

    /// How many characters of the next piece of a part.
    fn beginning_of(&self, part: usize) -> Option<usize> {
        let (which, characters) = self.beginning?;
        (which == part).then_some(characters)
    }

    fn holds(&self) -> bool {
        self.beginning.is_some() || self.whole.iter().any(|whole| *whole > 0)
    }

    fn and(&self, whole: usize) -> Self {
        let mut more = self.clone();
        more.whole.push(whole);
        more
    }

    fn with_beginning(&self, part: usize, characters: usize) -> Self {
        Self {
            beginning: Some((part, characters)),
            ..self.clone()
        }
    }
}

/// The members of rows that are long.
const LONG: [&str; 2] = ["content", "redacted_excerpt"];

/// What of a row can be shortened.
fn long_text(row: &Value) -> Option<&str> {
    let long = || LONG.iter().find_map(|name| row.get(*name)?.as_str());
    row.as_str().or_else(long)
}

/// The most within a range that fits, where more never costs less.
fn most_of(range: Range<usize>, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let (from, mut low, mut high) = (range.start, range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.checked_sub(1).filter(|most| *most >= from)
}

impl Result {
    /// Writes it, within so many bytes where there is a limit, for a message whose id has so many.
    pub(super) fn written(&self, most: Option<usize>, id: usize) -> Written {
        let whole = self.render(&self.all(), None);
        let Some(most) = most else { return whole };
        if whole.bytes(id) <= most {
            return whole;
        }
        let lean = self.without_asides();
        // What is only said beside an answer gives way to the first piece of it.
        let best = match self.cut(most, id) {
            Some((kept, written)) if kept.holds() => return written,
            bare => match lean.cut(most, id) {
                Some((kept, written)) if kept.holds() => return written,
                leaner => bare.or(leaner),
            },
        };
        // A text can be shortened further than a row, so it is not given up for what stands beside it.
        let best = best.filter(|_| self.texts.is_empty());
        best.map_or_else(|| lean.least(most, id), |(_, written)| written)
    }

    /// How many pieces each part has: a text is one, a lane has its rows.
    fn parts(&self) -> Vec<usize> {
        let texts = self.texts.iter().map(|_| 1);
        texts
            .chain(self.lanes.iter().map(|lane| lane.rows.len()))
            .collect()
    }

    fn all(&self) -> Kept {
        Kept {
            whole: self.parts(),
            beginning: None,
        }
    }

    /// The text that can be shortened of a piece of a part.
    fn text_at(&self, part: usize, piece: usize) -> Option<&str> {
        match part.checked_sub(self.texts.len()) {
            None => self.texts.get(part).map(|(_, text)| text.as_str()),
            Some(lane) => long_text(self.lanes.get(lane)?.rows.get(piece)?),
        }
    }

    /// As much of it as fits, part by part, so that nothing of a later one is there at the cost of an earlier one; nothing
    /// where not even what is always said does. What it costs is told by writing it, so no price has to
    /// be guessed.
    fn cut(&self, most: usize, id: usize) -> Option<(Kept, Written)> {
        let fits = |kept: &Kept| self.render(kept, Some(most)).bytes(id) <= most;
        let mut kept = Kept::default();
        if !fits(&kept) {
            return None;
        }
        for (part, pieces) in self.parts().into_iter().enumerate() {
            // The last row of a list takes the word about what is missing of it away, so all may cost less than most.
            let all = Some(pieces).filter(|all| *all == 0 || fits(&kept.and(*all)));
            let some = || most_of(0..pieces, |whole| fits(&kept.and(whole)));
            let whole = all.or_else(some).unwrap_or_default();
            kept = kept.and(whole);
            if whole < pieces && kept.beginning.is_none() {
                let text = self.text_at(part, whole).unwrap_or_default();
                let counts = SHORTEST..text.chars().count();
                let of = |characters| kept.with_beginning(part, characters);
                let characters = most_of(counts, |characters| fits(&of(characters)));
                kept.beginning = characters.map(|characters| (part, characters));
            }
        }
        let mut members = self.members(&kept, Some(most));
        recount(&mut members);
        Some((kept, self.with(members)))
    }

    /// The same without what is only said beside it. Whether anything is known is no such thing.
    fn without_asides(&self) -> Self {
        let mut less = self.clone();
        for name in ["evidence_totals", "ai_judgment", "answer", "notice"] {
            less.head.remove(name);
        }
        if let Some(Value::Object(diagnostics)) = less.head.get_mut("diagnostics") {
            diagnostics.retain(|name, _| name == "abstained");
        }
        less.head.retain(|_, value| *value != json!({}));
        less
    }

    /// Where not even what is always said fits: of that, whatever is short, the most important first, with as many ids as
    /// there is room for, and of a long text its beginning.
    fn least(&self, most: usize, id: usize) -> Written {
        let cut =
            json!({ "max_response_bytes": most, "left_out": "everything else", "remedy": REMEDY });
        let mut least = Least {
            whole: self,
            members: Members::from_iter([("cut".to_owned(), cut)]),
            room: (most, id),
        };
        let others = self.head.keys().map(String::as_str);
        let others = others.filter(|name| !VITAL.contains(name));
        for name in VITAL.iter().copied().chain(others) {
            match self.head.get(name) {
                Some(Value::Array(ids)) => least.take_some(name, ids),
                Some(value) => least.take(name, value.clone()),
                None => {}
            }
        }
        for (name, text) in &self.texts {
            least.take_beginning(name, text);
        }
        least.written()
    }

    /// Writes as much of the texts as is kept.
    fn texts_of(&self, kept: &Kept, members: &mut Members, cut: &mut Cut) {
        for (part, (name, text)) in self.texts.iter().enumerate() {
            if kept.of(part) > 0 {
                members.insert((*name).to_owned(), json!(text));
            } else if let Some(characters) = kept.beginning_of(part) {
                members.insert((*name).to_owned(), json!(shortened(text, characters)));
                cut.shortened = Some((*name).to_owned());
            } else {
                cut.left_out.insert((*name).to_owned(), json!(1));
            }
        }
    }

    fn render(&self, kept: &Kept, most: Option<usize>) -> Written {
        self.with(self.members(kept, most))
    }

    fn with(&self, members: Members) -> Written {
        Written {
            text: self.text(&members),
            members: Value::Object(members),
        }
    }

    fn members(&self, kept: &Kept, most: Option<usize>) -> Members {
        let mut members = self.head.clone();
        let mut cut = Cut::default();
        self.texts_of(kept, &mut members, &mut cut);
        for (at, lane) in self.lanes.iter().enumerate() {
            let part = self.texts.len() + at;
            let whole = kept.of(part);
            let mut rows: Vec<Value> = lane.rows.iter().take(whole).cloned().collect();
            if let (Some(characters), Some(row)) = (kept.beginning_of(part), lane.rows.get(whole)) {
                rows.push(shortened_row(row, characters));
                cut.shortened
                    .get_or_insert(format!("{}/{whole}", lane.name));
            }
            cut.count(lane, rows.len());
            // An empty list says something only of what was asked for first.
            if at == 0 || !rows.is_empty() {
                members.insert(lane.name.to_owned(), Value::Array(rows));
            }
        }
        if let Some(most) = most {
            members.insert("cut".to_owned(), cut.told(most));
        }
        members
    }

    fn text(&self, members: &Members) -> String {
        let Style::Blocks(lists) = self.style else {
            return Value::Object(members.clone()).to_string();
        };
        let mut text = String::new();
        for (at, (name, words)) in lists.iter().enumerate() {
            let rows = members.get(*name).and_then(Value::as_array);
            let block = rows.map(|rows| stored::block(rows)).unwrap_or_default();
            if !block.is_empty() {
                text.push_str(words);
                text.push('\n');
                text.push_str(&block);
            } else if at == 0 {
                text.push_str(self.instead_of_answers(members));
                text.push('\n');
            }
        }
        if let Some(cut) = members.get("cut") {
            text.push_str(&format!("Cut: {cut}\n"));
        }
        text
    }
}

impl Result {
    /// What is said where no memory stands that answers. That nothing is known is said only where nothing was left out:
    /// whoever reads it gives up looking.
    fn instead_of_answers(&self, members: &Members) -> &'static str {
        let Style::Blocks(lists) = self.style else {
            return NOTHING_KNOWN;
        };
        let of_memories = |lane: &&Lane| lists.iter().any(|(name, _)| *name == lane.name);
        let is_short = |lane: &Lane| {
            let kept = members.get(lane.name).and_then(Value::as_array);
            kept.map_or(0, Vec::len) < lane.rows.len()
        };
        let mut lanes = self.lanes.iter().filter(of_memories);
        if lanes.any(is_short) {
            MORE_KNOWN
        } else {
            NOTHING_KNOWN
        }
    }
}

const NOTHING_KNOWN: &str = "Nothing is known that answers this.";
const MORE_KNOWN: &str = "More is known than fits into max_response_bytes; raise it.";

/// Tokens that are said to have been spent are those of the memories that are still there: fewer than were said, so what
/// fits fits on.
fn recount(members: &mut Members) {
    let rows = members.get("memories").and_then(Value::as_array);
    let block = rows.map(|rows| stored::block(rows)).unwrap_or_default();
    if let Some(told) = members.get_mut("tokens_injected") {
        let before = told.as_u64().unwrap_or_default();
        let now = u64::try_from(O200k.count(&block)).unwrap_or(before);
        *told = json!(now.min(before));
    }
}

/// What is kept where almost nothing fits, the most important first.
const VITAL: &[&str] = &[
    "container_tag",
    "memory_id",
    "status",
    "committed",
    "saved",
    "final_verdict",
    "diagnostics",
    "operation_trail_id",
    "idempotency_status",
    "client_retry_safe",
    "committed_memory_ids",
];

/// A result that grows as long as it fits.
struct Least<'r> {
    whole: &'r Result,
    members: Members,
    /// How many bytes there are, and how many of them the id of the message takes.
    room: (usize, usize),
}

impl Least<'_> {
    fn written(mut self) -> Written {
        recount(&mut self.members);
        self.whole.with(self.members)
    }

    fn fits_with(&self, name: &str, value: Value) -> bool {
        let mut members = self.members.clone();
        members.insert(name.to_owned(), value);
        let (most, id) = self.room;
        self.whole.with(members).bytes(id) <= most
    }

    fn take(&mut self, name: &str, value: Value) {
        if self.fits_with(name, value.clone()) {
            self.members.insert(name.to_owned(), value);
        }
    }

    /// As many of a list as fit.
    fn take_some(&mut self, name: &str, list: &[Value]) {
        let first = |count| json!(list.get(..count));
        if let Some(count) = most_of(0..list.len() + 1, |count| {
            self.fits_with(name, first(count))
        }) {
            self.take(name, first(count));
        }
    }

    /// As much of a text as fits, where that says something.
    fn take_beginning(&mut self, name: &str, text: &str) {
        let beginning = |count| json!(shortened(text, count));
        let counts = SHORTEST..text.chars().count();
        if let Some(count) = most_of(counts, |count| self.fits_with(name, beginning(count))) {
            self.take(name, beginning(count));
        }
    }
}

/// What was left out.
#[derive(Default)]
struct Cut {
    left_out: Members,
    shortened: Option<String>,
}

const REMEDY: &str = "Ask for less, or raise max_response_bytes.";

impl Cut {
    fn count(&mut self, lane: &Lane, kept: usize) {
        let missing = lane.rows.len().saturating_sub(kept);
        if missing > 0 {
            self.left_out.insert(lane.name.to_owned(), json!(missing));
        }
    }

    fn told(self, most: usize) -> Value {
        let mut told =
            json!({ "max_response_bytes": most, "left_out": self.left_out, "remedy": REMEDY });
        if let (Some(which), Some(members)) = (self.shortened, told.as_object_mut()) {
            members.insert("shortened".to_owned(), json!(which));
        }
        told
    }
}

fn shortened(text: &str, characters: usize) -> String {
    let mut kept: String = text.chars().take(characters).collect();
    kept.push('…');
    kept
}

fn shortened_row(row: &Value, characters: usize) -> Value {
    match row {
        Value::String(text) => json!(shortened(text, characters)),
        Value::Object(members) => {
            let mut members = members.clone();
            for name in LONG {
                if let Some(Value::String(text)) = members.get_mut(name) {
                    *text = shortened(text, characters);
                    break;
                }
            }
            Value::Object(members)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => row.clone(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::mcp::compact::{CASE, RECALL, View};

    fn row(content: &str) -> Value {
        json!({
            "id": "mem_01a1fa6ebc5b79989c7b1bb11a873c9c", "content": content, "trust_bucket": "trusted",
            "memory_type": "fact", "observed_at": "2026-03-31T12:00:00Z", "relevance_score": 0.5, "direct_answer": true,
        })
    }

    fn recalled(contents: &[String], related: &[String]) -> Value {
        let rows = |contents: &[String]| contents.iter().map(|it| row(it)).collect::<Vec<_>>();
        json!({
            "container_tag": "work", "results": rows(contents), "related_context": rows(related),
            "diagnostics": { "abstained": contents.is_empty(), "source_health_status": "healthy_multi_signal" },
        })
    }

    fn case(contents: &[String], statement: &str) -> Value {
        let exhibits = contents
            .iter()
            .map(|it| json!({ "evidence_id": "evd_1", "redacted_excerpt": it }));
        json!({
            "memory_id": "mem_1", "statement": statement, "final_verdict": "caution",
            "supporting_evidence": exhibits.collect::<Vec<_>>(), "risk_flags": [], "missing_evidence_sentences": contents,
        })
    }

    fn check(
        view: &View,
        answer: &Value,
        most: usize,
        id: usize,
    ) -> std::result::Result<Written, TestCaseError> {
        let written = view.of(answer).written(Some(most), id);
        prop_assert!(written.bytes(id) <= most, "{} > {most}", written.bytes(id));
        Ok(written)
    }

    fn cases() -> ProptestConfig {
        let usual = ProptestConfig::default();
        if std::env::var_os("PROPTEST_CASES").is_some() {
            usual
        } else {
            ProptestConfig::with_cases(1_024)
        }
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn no_result_is_longer_than_was_asked_for(
            contents in proptest::collection::vec(".{0,400}", 0..12),
            related in proptest::collection::vec("[\\n\"\\\\<a-c/\u{1}é]{0,80}", 0..6),
            most in 1_024_usize..12_000,
            id in 0_usize..140,
        ) {
            let answer = recalled(&contents, &related);
            let whole = RECALL.of(&answer).written(None, id);
            let written = check(&RECALL, &answer, most, id)?;
            prop_assert_eq!(written == whole, whole.bytes(id) <= most);
            let statement = related.concat();
            check(&CASE, &case(&contents, &statement), most, id)?;
        }

        #[test]
        fn what_is_cut_is_counted(
            contents in proptest::collection::vec("[a-z ]{1,300}", 1..20),
            most in 1_024_usize..6_000,
        ) {
            let written = check(&RECALL, &recalled(&contents, &[]), most, 1)?;
            let kept = written.members["results"].as_array().map_or(0, Vec::len);
            let cut = &written.members["cut"];
            let missing = cut["left_out"]["results"].as_u64().unwrap_or(0);
            prop_assert_eq!(kept as u64 + missing, contents.len() as u64);
            prop_assert_eq!(cut.is_null(), missing == 0 && cut["shortened"].is_null());
        }
    }

    /// A twin that forgets what the text beside the members costs.
    #[test]
    fn the_property_catches_whoever_counts_only_the_members() {
        let contents: Vec<String> = (0..12)
            .map(|n| format!("{n} {}", "\"\\".repeat(90)))
            .collect();
        let result = RECALL.of(&recalled(&contents, &[]));
        let careless = (0..=12).rev().map(|whole| {
            let kept = Kept::default().and(whole);
            result.render(&kept, Some(4_000))
        });
        let mut careless = careless.filter(|written| written.members.to_string().len() <= 4_000);
        assert!(careless.next().unwrap().bytes(1) > 4_000);
    }

    /// Everything that is a little more than what is kept: one row more of a list, or the shortest beginning of one.
    fn a_little_more(result: &Result, kept: &Kept) -> Vec<Kept> {
        let missing = |(part, _): &(usize, usize)| kept.beginning_of(*part).is_none();
        let short = result.parts().into_iter().enumerate().filter(missing);
        let short = short.filter(|(part, pieces)| kept.of(*part) < *pieces);
        let more = short.flat_map(|(part, _)| {
            let mut whole = kept.clone();
            whole.whole[part] += 1;
            let begun = kept.with_beginning(part, SHORTEST);
            [Some(whole), kept.beginning.is_none().then_some(begun)]
        });
        more.flatten().collect()
    }

    #[test]
    fn what_is_left_out_would_not_have_fit_and_results_come_first() {
        let texts = |count: usize, what: &str| {
            let text = |n| {
                format!(
                    "{what} {n} says \"so\" of the harbour, {}",
                    "x".repeat(n * 5 % 80)
                )
            };
            (0..count).map(text).collect::<Vec<String>>()
        };
        let mut answer = recalled(&texts(40, "Answer"), &texts(41, "Neighbour"));
        answer["warnings"] = json!(["short"]);
        let result = RECALL.of(&answer);
        for most in [
            1_024, 1_500, 2_000, 4_000, 8_000, 16_000, 24_000, 40_000, 48_000,
        ] {
            let Some((kept, written)) = result.cut(most, 1) else {
                panic!("{most}: not even the head fits");
            };
            assert!(kept.holds() && written.bytes(1) <= most, "{most}: {kept:?}");
            for more in a_little_more(&result, &kept) {
                let bytes = result.render(&more, Some(most)).bytes(1);
                assert!(bytes > most, "{most}: {kept:?}, and {more:?} has {bytes}");
            }
            let there = |name: &str| written.members[name].as_array().map_or(0, Vec::len);
            let is_first = there("results") == 40 || there("related_context") == 0;
            assert!(is_first, "{most}: {kept:?}");
        }
        let usual = result.written(Some(24_000), 1);
        assert!(usual.bytes(1) > 23_000, "{}", usual.bytes(1));
    }

    #[test]
    fn a_row_that_is_too_long_alone_is_shortened() {
        let written = RECALL
            .of(&recalled(&["word ".repeat(9_000)], &[]))
            .written(Some(4_096), 1);
        let content = written.members["results"][0]["content"].as_str().unwrap();
        assert!(
            content.ends_with('…') && content.len() > 1_000,
            "{}",
            content.len()
        );
        assert_eq!(written.members["cut"]["shortened"], "results/0");
        assert!(written.text.contains("Cut: "));
    }
}
