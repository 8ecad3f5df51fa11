//! Holding what a bank says against a row: its answer goes through admission as a document that somebody found, and what
//! is left of it is compared with the words of the row. No clock, no ledger, no network.

use std::cmp::Reverse;

use testimony_admission::admit;
use testimony_admission::reconcile::{Challenger, Neighbour, Relation, reconcile};
use testimony_admission::ruling::{Claim, Route};
use testimony_admission::submission::{Policy, Submission};
use testimony_courtroom::{BankOutcome, BankStatement, Comparison};
use testimony_domain::{EvidenceChannel, Memory, Slot, SourceClass, Speaker, Timestamp, Validity};

use crate::models::reads_like_an_instruction;
use crate::ports::banks::BankMemory;

/// So many memories of an answer are looked at.
pub(super) const MOST_ANSWERS: usize = 8;
/// So long one of them can be, in characters; to cut it could take the "not" from it.
const LONGEST_ANSWER: usize = 2_000;
/// So many statements are kept of an answer, the telling ones first.
const MOST_KEPT: usize = 3;
/// So long an id can be.
const LONGEST_ID: usize = 128;
/// So much of each.
const KEPT: usize = 600;

/// Compares a row with what a bank answered.
pub(super) fn hold_against(
    row: &Memory,
    bank: &str,
    answer: &[BankMemory],
    policy: &Policy<'_>,
    now: Timestamp,
) -> Comparison {
    let mut statements = Vec::new();
    let mut left_out = answer.len().saturating_sub(MOST_ANSWERS);
    for said in answer.iter().take(MOST_ANSWERS) {
        match claims_of(said, row.observed_at, policy) {
            Some(claims) => {
                statements.extend(claims.iter().filter_map(|it| statement(row, said, it)));
            }
            None => left_out += 1,
        }
    }
    statements.sort_by_key(|said| Reverse(said.outcome));
    let outcome = statements.first().map(|said| said.outcome);
    statements.truncate(MOST_KEPT);
    Comparison {
        bank: bank.to_owned(),
        outcome: outcome.unwrap_or(BankOutcome::Unknown),
        statements,
        left_out,
        compared_at: now,
    }
}

/// A statement of a bank that has to do with the row.
fn statement(row: &Memory, said: &BankMemory, claim: &Claim) -> Option<BankStatement> {
    let outcome = stands(row, claim);
    (outcome != BankOutcome::Unknown).then(|| BankStatement {
        id: shown_id(&said.id),
        text: claim.text.head(KEPT).to_string(),
        outcome,
        observed_at: said.observed_at.map(|_| claim.observed_at),
    })
}

/// An id that is one word without disguises, for whoever looks it up there; any other is none.
fn shown_id(id: &str) -> String {
    let is_word = id.len() <= LONGEST_ID && id.bytes().all(|byte| byte.is_ascii_graphic());
    if is_word {
        id.to_owned()
    } else {
        String::new()
    }
}

/// The statements of a memory of a bank; `None` where it is too long, states nothing, or anything in it would have been
/// held had it come in. What comes from a stranger is clean as a whole or not used.
fn claims_of(said: &BankMemory, row_said: Timestamp, policy: &Policy<'_>) -> Option<Vec<Claim>> {
    if said.text.chars().nth(LONGEST_ANSWER).is_some() {
        return None;
    }
    let submission = Submission {
        text: &said.text,
        channel: EvidenceChannel::Retain,
        class: SourceClass::ExternalDocument,
        kind: None,
        speaker: None,
        observed_at: said.observed_at.unwrap_or(row_said),
        fields: &[],
        extract: true,
        review_requested: false,
        user_message: None,
        handed_out: &[],
    };
    let ruling = admit(&submission, policy);
    let held = ruling.claims.iter().any(|claim| match claim.route {
        Route::Admit | Route::EvidenceOnly | Route::Forensic => false,
        Route::Review(_) | Route::QuarantineInjection | Route::QuarantineSecret => true,
    });
    if held || reads_like_an_instruction(ruling.text.as_str()) {
        return None;
    }
    let admitted = ruling.claims.into_iter();
    let admitted: Vec<Claim> = admitted
        .filter(|claim| claim.route == Route::Admit)
        .collect();
    (!admitted.is_empty()).then_some(admitted)
}

/// How a statement of a bank stands to a row, by what the two say alone: they are compared as if both had one class and
/// one voice, since neither takes the place of the other here.
fn stands(row: &Memory, said: &Claim) -> BankOutcome {
    let (of_row, of_bank) = (Side::of_row(row), Side::of_bank(said));
    let to_row = of_bank.to(&of_row, row);
    let to_bank = of_row.to(&of_bank, row);
    match (to_row, to_bank) {
        (Relation::Contradicts, Relation::Supersedes) => BankOutcome::Outdated,
        (
            Relation::Contradicts | Relation::Supersedes,
            Relation::Contradicts | Relation::Supersedes,
        ) => BankOutcome::Contradicts,
        (Relation::Duplicate | Relation::Supporting, _)
        | (_, Relation::Duplicate | Relation::Supporting) => BankOutcome::Agrees,
        (Relation::Independent, _) | (_, Relation::Independent) => BankOutcome::Unknown,
    }
}

/// One of the two that are compared.
struct Side<'a> {
    text: &'a str,
    speaker: Option<&'a str>,
    slot: Option<&'a Slot>,
    observed_at: Timestamp,
    validity: Validity,
}

impl<'a> Side<'a> {
    fn of_row(row: &'a Memory) -> Self {
        Self {
            text: row.content.as_str(),
            speaker: row.speaker.as_ref().map(Speaker::as_str),
            slot: row.slot.as_ref(),
            observed_at: row.observed_at,
            validity: row.validity,
        }
    }

    fn of_bank(said: &'a Claim) -> Self {
        Self {
            text: said.text.as_str(),
            speaker: said.speaker.as_ref().map(Speaker::as_str),
            slot: said.slot.as_ref(),
            observed_at: said.observed_at,
            validity: said.validity,
        }
    }

    /// How this one stands to the other; no id of a bank is one of ours, so the row lends its own.
    fn to(&self, known: &Self, row: &Memory) -> Relation {
        let challenger = Challenger {
            text: self.text,
            speaker: self.speaker,
            slot: self.slot,
            class: SourceClass::ExternalDocument,
            observed_at: self.observed_at,
            validity: self.validity,
            supersedes: &[],
            retracts: &[],
            reader: None,
        };
        let neighbour = Neighbour {
            id: row.id,
            text: known.text,
            speaker: known.speaker,
            slot: known.slot,
            class: SourceClass::ExternalDocument,
            approved: false,
            established: false,
            observed_at: known.observed_at,
            validity: known.validity,
        };
        reconcile(&challenger, &[neighbour]).relation
    }
}
