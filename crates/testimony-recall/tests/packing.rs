//! Properties 6 and 9: no memory text makes the block parse into other blocks than it was built from; the budget is
//! never exceeded, and never by cutting inside a memory.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that cannot build its value has to fail its test"
)]

mod support;

use proptest::prelude::*;
use support::strategies::{Sketch, breaks, candidates, holds, hostile, question, sketches};
use support::{instant, reader};
use testimony_domain::{
    Memory, MemoryId, MemoryKind, Reason, RecallLimit, SequentialIds, State, TrustBucket,
};
use testimony_recall::pack::{
    BlockError, BlockRow, Budget, O200k, TokenCounter, compose_block, pack, parse_block,
};
use testimony_recall::{Answer, Options, Packet, Request, recall};

fn block_rows(texts: &[String]) -> Vec<BlockRow> {
    let ids = SequentialIds::default();
    texts
        .iter()
        .map(|text| BlockRow {
            id: MemoryId::mint(&ids),
            trust: TrustBucket::NeedsReview,
            kind: MemoryKind::Fact,
            said: "2026-01-10".parse().unwrap(),
            speaker: None,
            text: text.clone(),
        })
        .collect()
}

/// Quotes nothing and escapes nothing.
fn naive_block(rows: &[BlockRow]) -> String {
    let mut block = format!(
        "<testimony-memory rows=\"{}\">\n{}\n",
        rows.len(),
        testimony_recall::pack::NOTICE
    );
    for (number, row) in (1..).zip(rows) {
        block.push_str(&format!(
            "[memory {number} id={} trust={} kind={} said={}]\n",
            row.id, row.trust, row.kind, row.said
        ));
        if let Some(name) = &row.speaker {
            block.push_str(&format!("|by {name}\n"));
        }
        for line in row.text.lines() {
            let quoted = if line.starts_with('[') {
                line.to_owned()
            } else {
                format!("| {line}")
            };
            block.push_str(&quoted);
            block.push('\n');
        }
        block.push_str(&format!("[end of memory {number}]\n"));
    }
    block + "</testimony-memory>\n"
}

type Composer = fn(&[BlockRow]) -> String;

fn parses_into_what_it_was_built_from(
    texts: &[String],
    compose: Composer,
) -> Result<(), TestCaseError> {
    let mut rows = block_rows(texts);
    // Whoever is said to have said it is as foreign as what was said.
    for row in rows.iter_mut().step_by(2) {
        row.speaker = row.text.split('\n').next().map(str::to_owned);
    }
    let block = compose(&rows);
    let parsed = parse_block(&block);
    prop_assert_eq!(parsed.as_ref(), Ok(&rows));
    let is_own = |line: &&str| !line.starts_with("| ") && !line.starts_with("|by ");
    let own = block.lines().filter(is_own).count();
    let expected = if rows.is_empty() {
        0
    } else {
        3 + 2 * rows.len()
    };
    prop_assert_eq!(own, expected);
    Ok(())
}

#[test]
fn no_text_leaves_its_memory() {
    let texts = prop::collection::vec(hostile(), 0..5);
    holds(&texts, |texts| {
        parses_into_what_it_was_built_from(&texts, compose_block)
    })
    .unwrap();
}

#[test]
fn canary_a_block_that_does_not_escape_is_caught() {
    let texts = prop::collection::vec(hostile(), 0..5);
    assert!(breaks(&texts, |texts| parses_into_what_it_was_built_from(
        &texts,
        naive_block
    )));
}

/// A block that somebody changed is no block, and the error says where.
#[test]
fn a_changed_block_is_refused_with_its_line() {
    let block = compose_block(&block_rows(&["one".to_owned(), "two\nlines".to_owned()]));
    let changed = |from: &str, to: &str| {
        let changed = block.replacen(from, to, 1);
        assert_ne!(changed, block, "{from}");
        parse_block(&changed).unwrap_err()
    };
    let line = |line| BlockError::Line { line };
    for (from, to, error) in [
        ("<testimony-memory rows", "<memory rows", BlockError::Frame),
        ("rows=\"2\"", "rows=\"two\"", BlockError::Frame),
        ("Recorded", "Noted", BlockError::Frame),
        (
            "</testimony-memory>\n",
            "</testimony-memory>",
            BlockError::Frame,
        ),
        ("</testimony-memory>\n", "", BlockError::Frame),
        (
            "</testimony-memory>\n",
            "</testimony-memory>\nmore\n",
            line(10),
        ),
        ("[memory 1 ", "[memory 2 ", line(3)),
        ("[memory 2 ", "[memory 3 ", line(6)),
        ("kind=fact", "kind=rumour", line(3)),
        ("kind=fact", "kind=fact ", line(3)),
        ("| one", "one", line(4)),
        ("| one", "| ␛", line(4)),
        ("| one\n", "", line(4)),
        ("[end of memory 1]", "[end of memory 2]", line(5)),
        (
            "rows=\"2\"",
            "rows=\"3\"",
            BlockError::Count { said: 3, held: 2 },
        ),
    ] {
        assert_eq!(changed(from, to), error, "{from} to {to}");
    }
    let unended: String = block
        .lines()
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(parse_block(&unended), Err(BlockError::Frame));
}

#[test]
fn reading_a_block_is_total() {
    holds(&hostile(), |text| {
        let _ = parse_block(&text);
        let _ = parse_block(&format!(
            "<testimony-memory rows=\"1\">\n{text}\n</testimony-memory>\n"
        ));
        Ok(())
    })
    .unwrap();
}

/// Takes four bytes for a token.
struct BytesByFour;

impl TokenCounter for BytesByFour {
    fn count(&self, text: &str) -> usize {
        text.len() / 4
    }

    fn vocabulary(&self) -> &'static str {
        "none"
    }
}

type Case = (String, Vec<Sketch>, Vec<String>, usize, usize);

fn case() -> impl Strategy<Value = Case> {
    let texts = prop::collection::vec(hostile(), 10);
    (question(), sketches(), texts, 1..12_usize, 60..400_usize)
}

type Packer = for<'a> fn(&Answer<'a>, &Budget<'_>) -> Packet<'a>;

fn honest<'a>(answer: &Answer<'a>, budget: &Budget<'_>) -> Packet<'a> {
    pack(answer, budget, &|_| Vec::new())
}

/// Takes one row more than there is room for, and cuts its text.
fn cutting<'a>(answer: &Answer<'a>, budget: &Budget<'_>) -> Packet<'a> {
    let mut packet = honest(answer, budget);
    let mut rows = parse_block(&packet.block).unwrap();
    if let Some(last) = rows.last_mut() {
        last.text = last.text.chars().take(10).collect();
        packet.block = compose_block(&rows);
    }
    packet
}

fn keeps_to_its_budget(
    case: &Case,
    counter: &dyn TokenCounter,
    packer: Packer,
) -> Result<(), TestCaseError> {
    let (query, sketches, texts, rows, tokens) = case;
    let ids = SequentialIds::default();
    let memories: Vec<Memory> = sketches
        .iter()
        .zip(texts)
        .map(|(sketch, noise)| {
            let mut sketch = sketch.clone();
            sketch.text = format!("{} {noise}", sketch.text);
            sketch.row(&ids)
        })
        .collect();
    let options = Options {
        limit: RecallLimit::MAX,
        ..Options::default()
    };
    let who = reader();
    let request = Request::new(query, &who, &options, instant("2026-06-01"));
    let answer = recall(&request, &candidates(sketches, &memories)).answer;
    let budget = Budget {
        rows: *rows,
        tokens: *tokens,
        counter,
    };
    let packet = packer(&answer, &budget);
    prop_assert!(O200k.count(&packet.block) <= *tokens, "{}", packet.block);
    prop_assert!(packet.citations.len() <= *rows);
    let parsed = parse_block(&packet.block).unwrap();
    let whole: Vec<&str> = packet
        .citations
        .iter()
        .map(|it| it.row.memory.content.as_str())
        .collect();
    let held: Vec<&str> = parsed.iter().map(|it| it.text.as_str()).collect();
    prop_assert_eq!(whole, held);
    Ok(())
}

#[test]
fn the_budget_is_never_exceeded_and_no_memory_is_cut() {
    holds(&case(), |case| keeps_to_its_budget(&case, &O200k, honest)).unwrap();
}

#[test]
fn canary_a_packer_that_takes_bytes_for_tokens_is_caught() {
    assert!(breaks(&case(), |case| keeps_to_its_budget(
        &case,
        &BytesByFour,
        honest
    )));
}

#[test]
fn canary_a_packer_that_cuts_a_memory_is_caught() {
    assert!(breaks(&case(), |case| keeps_to_its_budget(
        &case, &O200k, cutting
    )));
}

fn answered<'m>(query: &str, memories: &'m [Memory]) -> Answer<'m> {
    let who = reader();
    let options = Options::default();
    let request = Request::new(query, &who, &options, instant("2026-06-01"));
    let refs: Vec<&Memory> = memories.iter().collect();
    let found = support::searched(query, &refs);
    recall(&request, &found).answer
}

const ROOM: Budget<'static> = Budget {
    rows: 8,
    tokens: 1_200,
    counter: &O200k,
};

/// A task is no question: what is relevant enters as supporting context. A question takes answers alone.
#[test]
fn a_task_gets_supporting_context_and_a_question_answers_alone() {
    let ids = SequentialIds::default();
    let mut decision = support::memory(&ids, "Deploy scripts are written in bash.");
    decision.kind = MemoryKind::Decision;
    let mut seen = support::memory(&ids, "The deploy script failed on Monday.");
    seen.kind = MemoryKind::Observation;
    let rows = [decision, seen];
    let task = pack(&answered("Write the deploy script", &rows), &ROOM, &|_| {
        Vec::new()
    });
    let ids: Vec<MemoryId> = task.citations.iter().map(|it| it.row.memory.id).collect();
    assert_eq!(
        ids,
        [rows[0].id],
        "an observation does not help with a task"
    );
    assert!(!task.citations[0].row.direct_answer);
    let question = pack(
        &answered("Who reviews the deploy script?", &rows),
        &ROOM,
        &|_| Vec::new(),
    );
    assert_eq!((question.block.as_str(), question.tokens), ("", 0));
}

/// What a later row says of another value is known no more to whoever does a task; what is said of another thing is.
#[test]
fn a_task_is_told_the_present_alone() {
    let ids = SequentialIds::default();
    let said = |text: &str, day: &str| {
        let mut row = support::memory(&ids, text);
        row.observed_at = instant(day);
        row
    };
    let packed = |task: &str, texts: &[(&str, &str)]| -> Vec<usize> {
        let rows: Vec<Memory> = texts.iter().map(|(text, day)| said(text, day)).collect();
        let packet = pack(&answered(task, &rows), &ROOM, &|_| Vec::new());
        let place = |id: MemoryId| rows.iter().position(|row| row.id == id);
        let told = packet.citations.iter();
        let mut told: Vec<usize> = told.filter_map(|it| place(it.row.memory.id)).collect();
        told.sort_unstable();
        told
    };
    for (task, texts, told) in [
        (
            "Write the invitation to the harbour tour.",
            [
                ("The harbour tour starts at pier 4.", "2026-01-01"),
                ("The harbour tour starts at pier 9.", "2026-02-01"),
            ],
            &[1][..],
        ),
        (
            "Pay the budget of the harbour tour.",
            [
                ("Budget for the harbour tour is 200 euros.", "2026-01-01"),
                (
                    "We raised the harbour tour budget to 300 euros.",
                    "2026-02-01",
                ),
            ],
            &[1],
        ),
        (
            "Prepare room 12 and room 14 for the harbour tour.",
            [
                ("Room 12 has 20 seats for the harbour tour.", "2026-01-01"),
                ("Room 14 has 30 seats for the harbour tour.", "2026-02-01"),
            ],
            &[0, 1],
        ),
        (
            "Write the menu of the harbour tour.",
            [
                ("Mia wants soup at the harbour tour.", "2026-01-01"),
                ("Noor wants soup at the harbour tour.", "2026-02-01"),
            ],
            &[0, 1],
        ),
    ] {
        assert_eq!(packed(task, &texts), told, "{task}");
    }
}

/// The second scan sees the texts together, in their final order, and the composed block.
#[test]
fn what_the_second_scan_names_is_left_out() {
    let ids = SequentialIds::default();
    let rows = [
        support::memory(&ids, "Marta lives in Lisbon alpha"),
        support::memory(&ids, "omega Marta lives in Lisbon near the river"),
    ];
    let answer = answered("Where does Marta live?", &rows);
    assert_eq!(answer.results.len(), 2);
    let split = |texts: &[&str]| -> Vec<usize> {
        let whole = texts.concat();
        if whole.contains("alphaomega") {
            (0..texts.len()).collect()
        } else {
            Vec::new()
        }
    };
    let packet = pack(&answer, &ROOM, &split);
    let first_then_second = answer.results[0].memory.id == rows[0].id;
    assert_eq!(packet.citations.is_empty(), first_then_second);
    let in_block = |texts: &[&str]| usize::from(texts.len() == 1 && texts[0].contains("river"));
    let packet = pack(&answer, &ROOM, &|texts| (0..in_block(texts)).collect());
    assert!(!packet.block.contains("river"));
    assert!(
        packet
            .left_out
            .iter()
            .any(|it| it.reason == Reason::SecretFound)
    );
}

#[test]
fn rows_over_limit_and_budget_are_named() {
    let ids = SequentialIds::default();
    let long = format!("Marta lives in Lisbon, {}.", "by the river ".repeat(60));
    let rows = [
        support::memory(&ids, &long),
        support::memory(&ids, "Marta lives in Lisbon."),
        support::memory(&ids, "Marta lives in old Lisbon."),
    ];
    let answer = answered("Where does Marta live?", &rows);
    let tight = Budget {
        rows: 8,
        tokens: 150,
        counter: &O200k,
    };
    let packet = pack(&answer, &tight, &|_| Vec::new());
    assert_eq!(packet.citations.len(), 2, "{}", packet.block);
    assert_eq!(packet.left_out.len(), 1);
    assert_eq!(
        (packet.left_out[0].id, packet.left_out[0].reason),
        (rows[0].id, Reason::OverBudget)
    );
    let one = Budget { rows: 1, ..ROOM };
    let packet = pack(&answer, &one, &|_| Vec::new());
    assert!(
        packet
            .left_out
            .iter()
            .all(|it| it.reason == Reason::OverLimit)
    );
    assert_eq!((packet.citations.len(), packet.left_out.len()), (1, 2));
}

/// A line costs one token.
struct Lines;

impl TokenCounter for Lines {
    fn count(&self, text: &str) -> usize {
        text.lines().count()
    }

    fn vocabulary(&self) -> &'static str {
        "none"
    }
}

/// The latest three rows about where Marta lives, the middle one three lines long, packed within `tokens`.
fn packed_lines(tokens: usize, scan: testimony_recall::pack::SecretScan<'_>) -> Vec<usize> {
    let ids = SequentialIds::default();
    let texts = [
        "Marta lives in Lisbon.",
        "Marta lives in Lisbon,\nby the river,\nin a tower.",
        "Marta lives in old Lisbon.",
    ];
    let mut rows = texts.map(|text| support::memory(&ids, text));
    for (row, day) in rows
        .iter_mut()
        .zip(["2026-01-03", "2026-01-02", "2026-01-01"])
    {
        row.observed_at = instant(day);
    }
    let (who, options) = (
        reader(),
        Options {
            sort: testimony_recall::Sort::Recent,
            ..Options::default()
        },
    );
    let query = "Where does Marta live?";
    let request = Request::new(query, &who, &options, instant("2026-06-01"));
    let refs: Vec<&Memory> = rows.iter().collect();
    let answer = recall(&request, &support::searched(query, &refs)).answer;
    assert_eq!(answer.results.len(), rows.len());
    let budget = Budget {
        rows: 8,
        tokens,
        counter: &Lines,
    };
    let packet = pack(&answer, &budget, scan);
    let place = |id: MemoryId| rows.iter().position(|row| row.id == id).unwrap();
    packet
        .citations
        .iter()
        .map(|it| place(it.row.memory.id))
        .collect()
}

/// The frame of a block costs three lines, a row two and those of its text.
#[test]
fn a_budget_is_used_to_its_last_token_and_a_row_that_is_too_long_is_passed_over() {
    let within = |tokens| packed_lines(tokens, &|_| Vec::new());
    assert_eq!(within(3 + 3 + 5 + 3), [0, 1, 2]);
    assert_eq!(within(3 + 3 + 5 + 2), [0, 1]);
    assert_eq!(within(3 + 3 + 3), [0, 2], "the frame is counted in");
    assert_eq!(within(3 + 3), [0]);
    assert_eq!(within(3 + 2), [0_usize; 0]);
}

/// Rows that were apart stand side by side once another is gone, so they are looked at until nothing is named.
#[test]
fn the_second_scan_looks_again_after_every_row_that_leaves() {
    let second_of_several = |texts: &[&str]| -> Vec<usize> {
        let several = texts.len() > 1;
        several.then_some(1).into_iter().collect()
    };
    assert_eq!(packed_lines(100, &second_of_several), [0]);
}

/// A reviewer's view may show what is quarantined; a prompt never does.
#[test]
fn no_view_opens_a_prompt() {
    let ids = SequentialIds::default();
    let operator = support::identity(
        "builder",
        &[testimony_domain::Capability::Admin],
        testimony_domain::Labels::default(),
    );
    let options = Options {
        view: testimony_recall::View::Forensic,
        ..Options::default()
    };
    for state in [
        State::QuarantinedInjection,
        State::QuarantinedSecret,
        State::Forensic,
        State::Rejected,
        State::Superseded,
        State::Expired,
    ] {
        let mut row = support::memory(&ids, "Marta lives in Lisbon.");
        row.state = state;
        let request = Request::new(
            "Where does Marta live?",
            &operator,
            &options,
            instant("2026-06-01"),
        );
        let answer = recall(&request, &support::searched("Marta live", &[&row])).answer;
        assert_eq!(answer.results.len(), 1, "{state} is shown to a person");
        let packet = pack(&answer, &ROOM, &|_| Vec::new());
        assert_eq!(packet.block, "", "{state}");
        let why: Vec<Reason> = packet.left_out.iter().map(|it| it.reason).collect();
        assert_eq!(why, [Reason::NotInView], "{state}");
    }
}
