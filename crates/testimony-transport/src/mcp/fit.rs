//! The result of a tool within the bytes that it may have: whole where it fits, else what matters most, and a word about
//! what was cut. What comes out is whole JSON always, and never longer than was asked for.

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

/// The bytes around a result: the message, its id, and what each revision says beside it.
const AROUND: usize = 128;
/// What the word about what was cut costs beside its numbers.
const SLACK: usize = 200;
/// A text that is cut shorter than so many characters says nothing.
const SHORTEST: usize = 16;

impl Written {
    /// How many bytes the message has, with an id of so many.
    pub(super) fn bytes(&self, id: usize) -> usize {
        let result = json!({
            "content": [{ "type": "text", "text": self.text }],
            "structuredContent": self.members,
            "isError": false,
        });
        result.to_string().len() + id + AROUND
    }
}

/// So much of a result is kept: so many pieces whole, and of the next one so many characters.
#[derive(Clone, Copy, Debug)]
struct Kept {
    whole: usize,
    characters: Option<usize>,
}

/// A piece of a result: a long text, or a row.
enum Piece<'r> {
    Text(&'r str),
    Row(&'r Value),
}

/// The members of rows that are long.
const LONG: [&str; 2] = ["content", "redacted_excerpt"];

impl Piece<'_> {
    /// What of it can be shortened.
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Row(row) => {
                let long = || LONG.iter().find_map(|name| row.get(*name)?.as_str());
                row.as_str().or_else(long)
            }
        }
    }

    /// How many bytes it costs at most.
    fn cost(&self, style: Style) -> usize {
        let members = match self {
            Self::Text(text) => quoted(text),
            Self::Row(row) => row.to_string(),
        };
        let again = match (style, self) {
            (Style::Blocks(_), Self::Row(row)) => {
                quoted(&stored::block(std::slice::from_ref(row))).len()
            }
            (Style::Blocks(_) | Style::Json, _) => quoted(&members).len(),
        };
        members.len() + again + NAME
    }
}

/// What the name of a text, or the comma behind a row, costs at most.
const NAME: usize = 64;

/// What a character costs in a block that may be written out there.
const ESCAPED: usize = 16;

fn stays_as_it_is(c: char) -> bool {
    c == ' ' || c.is_alphanumeric() || matches!(c, '.' | ',' | ';' | ':' | '\'' | '-' | '!' | '?')
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl Result {
    /// Writes it, within so many bytes where there is a limit, for a message whose id has so many.
    pub(super) fn written(&self, most: Option<usize>, id: usize) -> Written {
        let whole = self.render(self.all(), None);
        let Some(most) = most else { return whole };
        if whole.bytes(id) <= most {
            return whole;
        }
        let lean = self.without_asides();
        let tries = [self.cut(most, id), lean.cut(most, id)];
        // What is only said beside an answer gives way to the first piece of it.
        let holds = |(kept, _): &&(Kept, Written)| kept.whole > 0 || kept.characters.is_some();
        let best = tries.iter().flatten().find(holds);
        // A text can be shortened further than a row, so it is not given up for what stands beside it.
        let any = || tries.iter().flatten().find(|_| self.texts.is_empty());
        let best = best.or_else(any).map(|(_, written)| written.clone());
        best.unwrap_or_else(|| lean.least(most, id))
    }

    fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let texts = self.texts.iter().map(|(_, text)| Piece::Text(text));
        let rows = self.lanes.iter().flat_map(|lane| &lane.rows);
        texts.chain(rows.map(Piece::Row))
    }

    fn all(&self) -> Kept {
        Kept {
            whole: self.pieces().count(),
            characters: None,
        }
    }

    /// As much of it as fits; nothing where not even what is always said does.
    fn cut(&self, most: usize, id: usize) -> Option<(Kept, Written)> {
        let none = Kept {
            whole: 0,
            characters: None,
        };
        let bare = self.render(none, Some(most)).bytes(id) + SLACK;
        let mut kept = self.fitting(most.checked_sub(bare)?);
        loop {
            let written = self.render(kept, Some(most));
            if written.bytes(id) <= most {
                return Some((kept, written));
            }
            kept = smaller(kept)?;
        }
    }

    /// How much fits into so many bytes.
    fn fitting(&self, mut room: usize) -> Kept {
        let mut whole = 0;
        for piece in self.pieces() {
            let cost = piece.cost(self.style);
            if cost > room {
                let frame = cost.saturating_sub(self.cost_of_text(&piece));
                let characters = room
                    .checked_sub(frame)
                    .map(|room| self.characters(&piece, room));
                return Kept {
                    whole,
                    characters: characters.filter(|characters| *characters >= SHORTEST),
                };
            }
            room -= cost;
            whole += 1;
        }
        Kept {
            whole,
            characters: None,
        }
    }

    fn cost_of_text(&self, piece: &Piece<'_>) -> usize {
        let text = piece.text().unwrap_or_default();
        text.chars().map(|c| self.cost_of(c)).sum()
    }

    /// How many characters of a piece's text fit into so many bytes.
    fn characters(&self, piece: &Piece<'_>, room: usize) -> usize {
        let text = piece.text().unwrap_or_default();
        let spent = text.chars().scan(0, |spent, c| {
            *spent += self.cost_of(c);
            Some(*spent)
        });
        spent.take_while(|spent| *spent <= room).count()
    }

    /// What a character costs among the members and in the text.
    fn cost_of(&self, c: char) -> usize {
        let once = quoted(c.encode_utf8(&mut [0; 4]));
        let again = match self.style {
            Style::Json => quoted(&once).len().saturating_sub(4),
            Style::Blocks(_) if stays_as_it_is(c) => once.len().saturating_sub(2),
            Style::Blocks(_) => ESCAPED,
        };
        once.len().saturating_sub(2) + again
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

    /// Writes as much of the texts as is kept, and says how many there are.
    fn texts_of(&self, kept: Kept, members: &mut Members, cut: &mut Cut) -> usize {
        for (at, (name, text)) in self.texts.iter().enumerate() {
            let partly = kept.characters.filter(|_| kept.whole == at);
            if kept.whole > at {
                members.insert((*name).to_owned(), json!(text));
            } else if let Some(characters) = partly {
                members.insert((*name).to_owned(), json!(shortened(text, characters)));
                cut.shortened = Some((*name).to_owned());
            } else {
                cut.left_out.insert((*name).to_owned(), json!(1));
            }
        }
        self.texts.len()
    }

    fn render(&self, kept: Kept, most: Option<usize>) -> Written {
        let mut members = self.head.clone();
        let mut cut = Cut::default();
        let mut before = self.texts_of(kept, &mut members, &mut cut);
        for (at, lane) in self.lanes.iter().enumerate() {
            let here = kept.whole.saturating_sub(before).min(lane.rows.len());
            let mut rows: Vec<Value> = lane.rows.iter().take(here).cloned().collect();
            let next = before + here == kept.whole;
            let partly = kept.characters.filter(|_| next && kept.whole >= before);
            if let (Some(characters), Some(row)) = (partly, lane.rows.get(here)) {
                rows.push(shortened_row(row, characters));
                cut.shortened.get_or_insert(format!("{}/{here}", lane.name));
            }
            before += lane.rows.len();
            cut.count(lane, rows.len());
            // An empty list says something only of what was asked for first.
            if at == 0 || !rows.is_empty() {
                members.insert(lane.name.to_owned(), Value::Array(rows));
            }
        }
        if let Some(most) = most {
            members.insert("cut".to_owned(), cut.told(most));
            recount(&mut members);
        }
        let text = self.text(&members);
        Written {
            members: Value::Object(members),
            text,
        }
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

/// Tokens that are said to have been spent are those of the memories that are still there.
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
        let text = self.whole.text(&self.members);
        Written {
            members: Value::Object(self.members),
            text,
        }
    }

    fn fits_with(&self, name: &str, value: Value) -> bool {
        let mut members = self.members.clone();
        members.insert(name.to_owned(), value);
        let text = self.whole.text(&members);
        let members = Value::Object(members);
        let (most, id) = self.room;
        Written { members, text }.bytes(id) <= most
    }

    fn take(&mut self, name: &str, value: Value) {
        if self.fits_with(name, value.clone()) {
            self.members.insert(name.to_owned(), value);
        }
    }

    /// As many of a list as fit.
    fn take_some(&mut self, name: &str, list: &[Value]) {
        let first = |count: &usize| json!(list.get(..*count));
        let counts: Vec<usize> = (0..=list.len()).collect();
        let fit = counts.partition_point(|count| self.fits_with(name, first(count)));
        if let Some(count) = fit.checked_sub(1) {
            self.take(name, first(&count));
        }
    }

    /// As much of a text as fits, where that says something.
    fn take_beginning(&mut self, name: &str, text: &str) {
        let counts: Vec<usize> = (SHORTEST..text.chars().count()).collect();
        let beginning = |count: &usize| json!(shortened(text, *count));
        let fit = counts.partition_point(|count| self.fits_with(name, beginning(count)));
        if let Some(count) = fit.checked_sub(1).and_then(|at| counts.get(at)) {
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

/// Less than what did not fit; nothing where there is no less.
fn smaller(kept: Kept) -> Option<Kept> {
    match (kept.characters, kept.whole) {
        (Some(characters), whole) => {
            let half = Some(characters / 2).filter(|half| *half >= SHORTEST);
            Some(Kept {
                whole,
                characters: half,
            })
        }
        (None, 0) => None,
        (None, whole) => Some(Kept {
            whole: whole * 3 / 4,
            characters: None,
        }),
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
            result.render(
                Kept {
                    whole,
                    characters: None,
                },
                Some(4_000),
            )
        });
        let mut careless = careless.filter(|written| written.members.to_string().len() <= 4_000);
        assert!(careless.next().unwrap().bytes(1) > 4_000);
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
