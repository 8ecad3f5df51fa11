//! The context packet: what of an answer enters a prompt, under a budget of real tokens, with citations.
//!
//! For a question these are the rows that answer it.
//! For a task, and for a turn that only says something, these are the relevant preferences, decisions and facts, as
//! supporting context, without those of which a later one says another value.

mod block;
mod escape;
mod tokens;

use std::collections::HashSet;

use testimony_domain::{Lane, MemoryId, MemoryKind, Reason};

pub(crate) use block::day_of;
pub use block::{
    BlockError, BlockRow, CLOSING, NOTICE, OPENING, SPEAKER_PREFIX, TEXT_PREFIX, compose_block,
    parse_block,
};
pub use escape::escaped;
pub use tokens::{LONGEST_PIECE, O200k, TokenCounter};

use crate::answer::{Answer, Recalled};

/// Looks at the texts of a block together and names those that have to be left out, by index.
pub type SecretScan<'a> = &'a dyn Fn(&[&str]) -> Vec<usize>;

/// A memory of a packet, as the prompt's reader can quote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Citation<'a> {
    /// Its number within the block, from 1.
    pub number: usize,
    /// The row with all that was said of it.
    pub row: Recalled<'a>,
}

/// Why a row of the answer did not enter the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Which.
    pub id: MemoryId,
    /// Why: no room in the budget, no room in the limit, a secret that only shows in the whole, or a row that only a
    /// person's view shows.
    pub reason: Reason,
}

/// A packet.
#[derive(Clone, Debug, PartialEq)]
pub struct Packet<'a> {
    /// The block for the prompt; empty when no row entered.
    pub block: String,
    /// What entered it, in its order.
    pub citations: Vec<Citation<'a>>,
    /// What did not.
    pub left_out: Vec<LeftOut>,
    /// What the block costs.
    pub tokens: usize,
}

/// What a packet may hold.
#[derive(Clone, Copy)]
pub struct Budget<'b> {
    /// How many rows at most. Recall with the greatest limit before packing: this one cuts after kinds are chosen.
    pub rows: usize,
    /// How many tokens the whole block may cost.
    pub tokens: usize,
    /// What counts them.
    pub counter: &'b dyn TokenCounter,
}

/// Kinds of memory that help with a task.
const HELPS_A_TASK: [MemoryKind; 4] = [
    MemoryKind::Preference,
    MemoryKind::Decision,
    MemoryKind::Fact,
    MemoryKind::Artifact,
];

/// From this chance on a row is taken to help with a task.
const HELPS_FROM: f64 = 0.2;

/// Packs an answer.
#[must_use]
pub fn pack<'a>(answer: &Answer<'a>, budget: &Budget<'_>, scan: SecretScan<'_>) -> Packet<'a> {
    let mut left_out = Vec::new();
    let eligible = told_to_an_assistant(answer, eligible(answer), &mut left_out);
    let (within, beyond) = clean_within(eligible, budget.rows, scan, &mut left_out);
    left_out.extend(beyond.iter().map(|row| LeftOut {
        id: row.memory.id,
        reason: Reason::OverLimit,
    }));
    if within.is_empty() {
        return packet(String::new(), 0, within, left_out);
    }
    let whole = Block::of(&within, budget);
    let chosen = if whole.tokens <= budget.tokens {
        within
    } else {
        fitting(within, budget, &mut left_out)
    };
    finish(chosen, whole, budget, scan, left_out)
}

/// A block as it is written, and what it costs.
struct Block {
    text: String,
    tokens: usize,
    rows: usize,
}

impl Block {
    fn of(rows: &[Recalled<'_>], budget: &Budget<'_>) -> Self {
        let written: Vec<BlockRow> = rows.iter().map(block_row).collect();
        let text = compose_block(&written);
        Self {
            tokens: budget.counter.count(&text),
            rows: rows.len(),
            text,
        }
    }
}

/// So many rows that show no secret together, and the others. Where one is left out another takes its room, and rows
/// that were apart stand side by side, so they are looked at again.
fn clean_within<'a>(
    mut rows: Vec<Recalled<'a>>,
    most: usize,
    scan: SecretScan<'_>,
    left_out: &mut Vec<LeftOut>,
) -> (Vec<Recalled<'a>>, Vec<Recalled<'a>>) {
    loop {
        let (within, beyond) = split(rows, most);
        let before = within.len();
        rows = without_secrets(within, scan, left_out);
        if rows.len() == before {
            return (rows, beyond);
        }
        rows.extend(beyond);
    }
}

fn texts_of<'a>(rows: &[Recalled<'a>]) -> Vec<&'a str> {
    rows.iter().map(|row| row.memory.content.as_str()).collect()
}

fn split<T>(mut rows: Vec<T>, at: usize) -> (Vec<T>, Vec<T>) {
    let beyond = rows.split_off(at.min(rows.len()));
    (rows, beyond)
}

fn eligible<'a>(answer: &Answer<'a>) -> Vec<Recalled<'a>> {
    let helps = |row: &&Recalled<'a>| {
        HELPS_A_TASK.contains(&row.memory.kind)
            && !row.of_another
            && !row.outdated
            && row.answer_relevance_score.get() >= HELPS_FROM
    };
    let supporting = answer.related_context.iter().filter(helps);
    let asks = answer.diagnostics.question_kind.is_question();
    let supporting = supporting.take(if asks { 0 } else { usize::MAX });
    answer.results.iter().chain(supporting).cloned().collect()
}

/// A view opens rows to a person's eyes, never to a prompt: what the verdict table shows to no assistant stays out of
/// every block, whatever view the answer was made for.
fn told_to_an_assistant<'a>(
    answer: &Answer<'a>,
    rows: Vec<Recalled<'a>>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<Recalled<'a>> {
    let looks_back = answer.diagnostics.time_intent.looks_back();
    let (told, shut): (Vec<_>, Vec<_>) =
        rows.into_iter()
            .partition(|row| match row.memory.ruling().lane(answer.trust_policy) {
                Lane::Result | Lane::ResultMarked => true,
                Lane::HistoricalOnly => looks_back,
                Lane::NeedsConfirmation | Lane::Held | Lane::Never => false,
            });
    left_out.extend(shut.iter().map(|row| LeftOut {
        id: row.memory.id,
        reason: Reason::NotInView,
    }));
    told
}

fn without_secrets<'a>(
    rows: Vec<Recalled<'a>>,
    scan: SecretScan<'_>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<Recalled<'a>> {
    let found: HashSet<usize> = scan(&texts_of(&rows)).into_iter().collect();
    let mut kept = Vec::with_capacity(rows.len());
    for (at, row) in rows.into_iter().enumerate() {
        if found.contains(&at) {
            left_out.push(LeftOut {
                id: row.memory.id,
                reason: Reason::SecretFound,
            });
        } else {
            kept.push(row);
        }
    }
    kept
}

fn block_row(row: &Recalled<'_>) -> BlockRow {
    BlockRow {
        id: row.memory.id,
        trust: row.trust_bucket,
        kind: row.memory.kind,
        said: day_of(row.memory.observed_at),
        speaker: row.memory.speaker.as_ref().map(ToString::to_string),
        text: row.memory.content.as_str().to_owned(),
    }
}

/// The rows that fit, best first. A row that does not fit is passed over for the next, never cut.
fn fitting<'a>(
    rows: Vec<Recalled<'a>>,
    budget: &Budget<'_>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<Recalled<'a>> {
    let frame = budget.counter.count(&compose_block_of_none());
    let mut used = frame;
    let mut chosen = Vec::new();
    // A row's place among all of them is no shorter than its number in the block will be.
    for (number, row) in (1..).zip(rows) {
        let mut written = String::new();
        block::write_row(&mut written, number, &block_row(&row));
        let cost = budget.counter.count(&written);
        if used.saturating_add(cost) <= budget.tokens {
            used += cost;
            chosen.push(row);
        } else {
            left_out.push(LeftOut {
                id: row.memory.id,
                reason: Reason::OverBudget,
            });
        }
    }
    chosen
}

/// The lines of a block around its rows, for what they cost.
fn compose_block_of_none() -> String {
    format!("{OPENING}00\">\n{NOTICE}\n{CLOSING}\n")
}

/// Composes, scans what would leave, and counts the whole block; rows leave until both are content. `block` is that of
/// the rows that were looked through last.
fn finish<'a>(
    mut chosen: Vec<Recalled<'a>>,
    mut block: Block,
    budget: &Budget<'_>,
    scan: SecretScan<'_>,
    mut left_out: Vec<LeftOut>,
) -> Packet<'a> {
    while !chosen.is_empty() {
        // Rows only leave, so as many are the same, and were looked through as they stand.
        if block.rows != chosen.len() {
            let before = chosen.len();
            // Rows that were apart may stand side by side now that others are gone.
            chosen = without_secrets(chosen, scan, &mut left_out);
            if chosen.len() < before {
                continue;
            }
            block = Block::of(&chosen, budget);
        }
        let reason = if block.tokens > budget.tokens {
            Reason::OverBudget
        } else if scan(&[block.text.as_str()]).is_empty() {
            return packet(block.text, block.tokens, chosen, left_out);
        } else {
            Reason::SecretFound
        };
        left_out.extend(chosen.pop().map(|row| LeftOut {
            id: row.memory.id,
            reason,
        }));
    }
    packet(String::new(), 0, chosen, left_out)
}

fn packet(
    block: String,
    tokens: usize,
    chosen: Vec<Recalled<'_>>,
    left_out: Vec<LeftOut>,
) -> Packet<'_> {
    let citations = (1..)
        .zip(chosen)
        .map(|(number, row)| Citation { number, row })
        .collect();
    Packet {
        block,
        citations,
        left_out,
        tokens,
    }
}
