//! Evidence that says more than one thing: where it repeats what goes, and what is left of it for the memories that stay.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rusqlite::{Connection, params};
use testimony_domain::{ContainerTag, EvidenceId, MemoryId, UserId};
use testimony_service::ports::ledger::LedgerError;

use super::plan::Doomed;
use super::words::{Sayings, only};
use crate::ledger::evidence::RESTING_ON;
use crate::ledger::query;
use crate::ledger::rows::{Id, id_column};

/// Evidence that says again what goes, by the same person in the same container, whether or not it is linked to it: what
/// was only known already, and what this service had handed out itself, makes no row.
pub(super) fn repeating(
    conn: &Connection,
    memories: &[Doomed],
) -> Result<BTreeSet<EvidenceId>, LedgerError> {
    const SQL: &str =
        "SELECT id, label_user, origin_echo, text FROM evidence WHERE container = ? AND erased = 0";
    let mut found = BTreeSet::new();
    for (container, sayings) in by_place(memories) {
        let rows = query::all(conn, "evidence", SQL, [container.as_str()], |c| {
            let (id, user) = (c.id::<EvidenceId>()?, c.maybe_word(UserId::new)?);
            let (is_echo, text) = (c.flag()?, c.text()?);
            let repeats = sayings.get(&user.as_ref()).is_some_and(|sayings| {
                sayings.are_said_in(text) || is_echo && sayings.are_touched_in(text)
            });
            Ok(repeats.then_some(id))
        })?;
        found.extend(rows.into_iter().flatten());
    }
    Ok(found)
}

type ByUser<'m> = HashMap<Option<&'m UserId>, Sayings>;

fn by_place(memories: &[Doomed]) -> BTreeMap<&ContainerTag, ByUser<'_>> {
    let mut places: BTreeMap<&ContainerTag, ByUser<'_>> = BTreeMap::new();
    for doomed in memories {
        let by_user = places.entry(&doomed.container).or_default();
        let sayings = by_user.entry(doomed.user.as_ref()).or_default();
        sayings.add(&doomed.content);
    }
    places
}

/// What is left of evidence on which memories rest that stay: what they say themselves. Nothing where all of it is.
pub(super) fn left_of(
    conn: &Connection,
    evidence: EvidenceId,
    going: &HashSet<MemoryId>,
) -> Result<Option<String>, LedgerError> {
    const TEXT: &str = "SELECT text FROM evidence WHERE id = ? AND erased = 0";
    const CONTENT: &str = "SELECT content FROM memories WHERE id = ?";
    let owned = |c: &mut crate::ledger::rows::Cols<'_, '_>| c.text().map(str::to_owned);
    let text = query::one(conn, "evidence", TEXT, [evidence.bytes()], owned)?;
    let Some(text) = text else { return Ok(None) };
    let mut stays = Sayings::default();
    for memory in resting_on(conn, evidence)? {
        if !going.contains(&memory) {
            let content = query::one(conn, "memories", CONTENT, [memory.bytes()], owned)?;
            stays.add(content.as_deref().unwrap_or_default());
        }
    }
    let left = only(&text, &stays.places(&text));
    Ok(Some(left).filter(|left| left != text.trim()))
}

pub(super) fn resting_on(
    conn: &Connection,
    evidence: EvidenceId,
) -> Result<Vec<MemoryId>, LedgerError> {
    query::all(
        conn,
        "rests",
        RESTING_ON,
        params![Id::bytes(evidence)],
        id_column,
    )
}

/// Receipts that answered for one of these pieces of evidence: of what made no row, they name nothing else.
pub(super) fn receipts_naming(
    conn: &Connection,
    evidence: &BTreeSet<EvidenceId>,
    container: &ContainerTag,
) -> Result<Vec<i64>, LedgerError> {
    const SQL: &str = "SELECT ord, response FROM receipts WHERE container = ? AND response <> ''";
    let names: HashSet<String> = evidence.iter().map(ToString::to_string).collect();
    let rows = query::all(conn, "receipts", SQL, [container.as_str()], |c| {
        let (ord, response) = (c.int()?, c.text()?);
        let words = response.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words = words.filter(|word| word.starts_with("evd_"));
        Ok(words.any(|word| names.contains(word)).then_some(ord))
    })?;
    Ok(rows.into_iter().flatten().collect())
}
