//! Comparisons as the ledger keeps them: beside the judgments of their row, which go with it when it is erased.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use testimony_courtroom::{BankOutcome, BankStatement, Comparison};
use testimony_domain::MemoryId;

use crate::ports::ledger::audit::Digest;
use crate::ports::ledger::receipts::Judgment;
use crate::ports::ledger::{LedgerError, Reader, Writer};

/// Under which name all comparisons of a row are kept, whichever bank they are with.
fn about() -> Digest {
    Digest(Sha256::digest(b"what memory banks elsewhere say, 1").into())
}

/// The comparisons of a row. What cannot be read is as good as none.
pub(crate) fn comparisons(
    reader: &(impl Reader + ?Sized),
    memory: MemoryId,
) -> Result<Vec<Comparison>, LedgerError> {
    let found = reader.judgment(memory, about())?;
    Ok(found.map(|kept| read(&kept.said)).unwrap_or_default())
}

/// Keeps a comparison, in place of an earlier one with the same bank.
pub(super) fn keep(
    writer: &mut dyn Writer,
    memory: MemoryId,
    comparison: Comparison,
) -> Result<(), LedgerError> {
    let mut all = comparisons(writer, memory)?;
    all.retain(|known| known.bank != comparison.bank);
    let at = comparison.compared_at;
    all.push(comparison);
    writer.keep_judgment(&Judgment {
        memory,
        about: about(),
        said: written(&all),
        at,
    })
}

fn written(all: &[Comparison]) -> String {
    let statement = |said: &BankStatement| {
        json!({
            "id": said.id,
            "text": said.text,
            "outcome": said.outcome.as_str(),
            "observed_at": said.observed_at.map(|at| at.to_string()),
        })
    };
    let banks = all.iter().map(|one| {
        json!({
            "bank": one.bank,
            "outcome": one.outcome.as_str(),
            "statements": one.statements.iter().map(statement).collect::<Vec<_>>(),
            "left_out": one.left_out,
            "compared_at": one.compared_at.to_string(),
        })
    });
    json!({ "banks": banks.collect::<Vec<_>>() }).to_string()
}

fn read(said: &str) -> Vec<Comparison> {
    let body: Value = serde_json::from_str(said).unwrap_or_default();
    let banks = body.get("banks").and_then(Value::as_array);
    banks.into_iter().flatten().filter_map(comparison).collect()
}

fn comparison(value: &Value) -> Option<Comparison> {
    let left_out = value.get("left_out")?.as_u64()?;
    let statements = value.get("statements")?.as_array()?.iter();
    Some(Comparison {
        bank: text(value, "bank")?.to_owned(),
        outcome: outcome(value)?,
        statements: statements.filter_map(statement).collect(),
        left_out: usize::try_from(left_out).ok()?,
        compared_at: text(value, "compared_at")?.parse().ok()?,
    })
}

fn statement(value: &Value) -> Option<BankStatement> {
    Some(BankStatement {
        id: text(value, "id")?.to_owned(),
        text: text(value, "text")?.to_owned(),
        outcome: outcome(value)?,
        observed_at: text(value, "observed_at").and_then(|at| at.parse().ok()),
    })
}

fn outcome(value: &Value) -> Option<BankOutcome> {
    BankOutcome::parse("outcome", text(value, "outcome")?).ok()
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_read_back_as_they_were_kept() {
        let at = "2026-03-10T09:00:00Z".parse().unwrap();
        let said = |outcome, observed_at| BankStatement {
            id: "m-1".to_owned(),
            text: "Mara \"works\" there.".to_owned(),
            outcome,
            observed_at,
        };
        let all: Vec<Comparison> = BankOutcome::ALL
            .iter()
            .map(|outcome| Comparison {
                bank: format!("bank-{outcome}"),
                outcome: *outcome,
                statements: vec![said(*outcome, None), said(BankOutcome::Agrees, Some(at))],
                left_out: 3,
                compared_at: at,
            })
            .collect();
        assert_eq!(read(&written(&all)), all);
        for other in ["", "no", "[]", "{\"banks\": 3}", "{\"banks\": [{}, 1]}"] {
            assert_eq!(read(other), [], "{other}");
        }
    }
}
