//! The doctor: what is wrong with a ledger, where, and what to do about it.

use testimony_domain::words;
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::ChainHead;
use testimony_service::ports::ledger::memories::digest_of_words;

use super::connection::integrity;
use super::open::SqliteLedger;
use super::query::{self, failed};
use super::rows::evidence::{evidence_columns, kept};
use super::rows::memory::{memory, memory_columns};
use super::trail::{follow_all, hash_at};
use super::tx::{Source, Tx};

words! {
    /// What can be wrong with a ledger.
    pub enum FindingKind {
        /// Pages or indexes of the database are damaged.
        Integrity = "integrity",
        /// A row refers to one that is not there.
        Reference = "reference",
        /// The chain of events is broken.
        Chain = "chain",
        /// The chain is not the one that an outside head was taken from.
        OutsideHead = "outside_head",
        /// A row cannot be read.
        Unreadable = "unreadable",
        /// A row stands alone that should have another beside it.
        Orphan = "orphan",
        /// What was erased is not gone.
        NotErased = "not_erased",
        /// Words are not those that were written.
        Altered = "altered",
    }
}

impl FindingKind {
    /// What to do about it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Integrity | Self::Reference | Self::Unreadable | Self::Altered => {
                "restore the last sound backup with the erasure list of this folder"
            }
            Self::Chain => {
                "find out who wrote to the file; restore the last backup whose chain is whole"
            }
            Self::OutsideHead => {
                "the trail was cut off or replaced since the head was kept; restore a backup that holds the head"
            }
            Self::Orphan => {
                "report it with this finding; the row is harmless and is shown to nobody"
            }
            Self::NotErased => "erase it again",
        }
    }
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Where: a table, a row, an event.
    pub place: String,
    /// In detail; no content.
    pub detail: String,
}

/// What must find nothing: each is a question whose every answer is a finding, named by its first column.
#[rustfmt::skip]
const MUST_FIND_NOTHING: &[(FindingKind, &str, &str, &str)] = &[
    (FindingKind::Orphan, "memories", "it has no history",
        "SELECT lower(hex(id)) FROM memories m WHERE NOT EXISTS (SELECT 1 FROM history h WHERE h.memory = m.id)"),
    (FindingKind::Orphan, "memories", "its history ends in another state",
        "SELECT lower(hex(m.id)) FROM memories m WHERE m.state <> (SELECT h.state FROM history h WHERE h.memory = m.id \
         ORDER BY h.seq DESC LIMIT 1)"),
    (FindingKind::Orphan, "memories", "it rests on other evidence than it lists",
        "SELECT lower(hex(m.id)) FROM memories m WHERE m.state <> 'erased' AND EXISTS (SELECT 1 FROM rests r \
         WHERE r.memory = m.id AND instr(m.evidence, r.evidence) = 0)"),
    (FindingKind::Orphan, "facts", "it stands for no revision of its own",
        "SELECT lower(hex(f.id)) FROM facts f WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = f.current \
         AND m.fact = f.id)"),
    (FindingKind::Orphan, "memory_tags", "it stands in another container than its memory",
        "SELECT lower(hex(m.id)) FROM memory_tags t JOIN memories m ON m.ord = t.memory WHERE m.container <> t.container"),
    (FindingKind::Orphan, "mentions", "it crosses the border of a container",
        "SELECT lower(hex(m.id)) FROM mentions s JOIN memories m ON m.ord = s.memory JOIN entities e ON e.id = s.entity \
         WHERE e.container <> m.container"),
    (FindingKind::Orphan, "rests", "it crosses the border of a container",
        "SELECT lower(hex(m.id)) FROM rests r JOIN memories m ON m.id = r.memory JOIN evidence e ON e.id = r.evidence \
         WHERE e.container <> m.container"),
    (FindingKind::Orphan, "receipt_memories", "it speaks of a memory that is not there",
        "SELECT lower(hex(memory)) FROM receipt_memories r WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = r.memory)"),
    (FindingKind::NotErased, "memories", "it is erased and says something",
        "SELECT lower(hex(id)) FROM memories WHERE state = 'erased' AND (content <> '' OR words IS NOT NULL \
         OR slot_subject IS NOT NULL OR entities <> '[]' OR tags <> '[]' OR custom_id IS NOT NULL)"),
    (FindingKind::NotErased, "embeddings", "its memory is erased",
        "SELECT lower(hex(m.id)) FROM embeddings v JOIN memories m ON m.ord = v.memory WHERE m.state = 'erased'"),
    (FindingKind::NotErased, "evidence", "it is erased and says something",
        "SELECT lower(hex(id)) FROM evidence WHERE erased = 1 AND (text <> '' OR metadata IS NOT NULL)"),
];

impl SqliteLedger {
    /// Looks for everything that can be wrong; an empty list says that nothing was found.
    ///
    /// `against` is a head of the chain that was kept elsewhere: with it, a trail that was cut off is found too.
    ///
    /// # Errors
    /// [`LedgerError`] when the ledger cannot be looked at at all.
    pub fn doctor(&self, against: Option<ChainHead>) -> Result<Vec<Finding>, LedgerError> {
        let tx = self.pool().reader()?;
        let mut findings = Vec::new();
        findings.extend(damaged_pages(&tx)?);
        // Pages that cannot be read make every later question fail; what was found says enough then.
        let deeper = look_deeper(&tx, against);
        match deeper {
            Ok(more) => findings.extend(more),
            Err(error) if findings.is_empty() => return Err(error),
            Err(error) => findings.push(Finding {
                kind: FindingKind::Unreadable,
                place: super::FILE.to_owned(),
                detail: error.to_string(),
            }),
        }
        Ok(findings)
    }
}

fn look_deeper<S: Source>(
    tx: &Tx<S>,
    against: Option<ChainHead>,
) -> Result<Vec<Finding>, LedgerError> {
    let mut findings = lost_references(tx)?;
    findings.extend(chain(tx)?);
    findings.extend(outside_head(tx, against)?);
    for (kind, table, detail, sql) in MUST_FIND_NOTHING {
        let rows = query::all(tx.conn(), table, sql, [], |c| c.text().map(str::to_owned))?;
        findings.extend(rows.into_iter().map(|row| Finding {
            kind: *kind,
            place: format!("{table} {row}"),
            detail: (*detail).to_owned(),
        }));
    }
    findings.extend(unreadable_rows(tx)?);
    Ok(findings)
}

fn damaged_pages<S: Source>(tx: &Tx<S>) -> Result<Vec<Finding>, LedgerError> {
    let lines = match integrity(tx.conn()) {
        Ok(lines) => lines,
        Err(LedgerError::Damaged { what, .. }) => vec![what],
        Err(error) => return Err(error),
    };
    let findings = lines.into_iter().map(|detail| Finding {
        kind: FindingKind::Integrity,
        place: super::FILE.to_owned(),
        detail,
    });
    Ok(findings.collect())
}

fn lost_references<S: Source>(tx: &Tx<S>) -> Result<Vec<Finding>, LedgerError> {
    let mut statement = tx
        .conn()
        .prepare("PRAGMA foreign_key_check")
        .map_err(failed("checked"))?;
    let rows = statement.query_map([], |row| {
        let (table, target): (String, String) = (row.get(0)?, row.get(2)?);
        Ok(Finding {
            kind: FindingKind::Reference,
            place: table,
            detail: format!("a row refers to one of {target} that is not there"),
        })
    });
    rows.and_then(Iterator::collect).map_err(failed("checked"))
}

fn chain<S: Source>(tx: &Tx<S>) -> Result<Option<Finding>, LedgerError> {
    let finding = |detail: String| Finding {
        kind: FindingKind::Chain,
        place: "events".to_owned(),
        detail,
    };
    match follow_all(tx) {
        Ok(followed) => Ok(followed.err().map(|broken| finding(broken.to_string()))),
        Err(LedgerError::Damaged { place, what }) => Ok(Some(finding(format!("{place}: {what}")))),
        Err(error) => Err(error),
    }
}

fn outside_head<S: Source>(
    tx: &Tx<S>,
    against: Option<ChainHead>,
) -> Result<Option<Finding>, LedgerError> {
    let Some(head) = against.filter(|head| *head != ChainHead::default()) else {
        return Ok(None);
    };
    let found = hash_at(tx, head.seq)?;
    let detail = match found {
        Some(hash) if hash == head.hash => return Ok(None),
        Some(_) => "the event has another hash than the head that was kept",
        None => "the trail ends before the head that was kept",
    };
    Ok(Some(Finding {
        kind: FindingKind::OutsideHead,
        place: format!("event {}", head.seq),
        detail: detail.to_owned(),
    }))
}

/// Reads every memory and every piece of evidence, and compares words with the digest that was taken of them.
fn unreadable_rows<S: Source>(tx: &Tx<S>) -> Result<Vec<Finding>, LedgerError> {
    const MEMORIES: &str = concat!("SELECT ", memory_columns!(), ", words FROM memories");
    const EVIDENCE: &str = concat!("SELECT ", evidence_columns!(), " FROM evidence");
    let mut findings = Vec::new();
    query::all(tx.conn(), "memories", MEMORIES, [], |c| {
        let read = memory(c);
        let readable = note_unreadable(&mut findings, read)?;
        if let Some(memory) = readable
            && let Some(words) = c.maybe_blob()?
            && words != digest_of_words(memory.content.as_str()).0
        {
            findings.push(Finding {
                kind: FindingKind::Altered,
                place: memory.id.to_string(),
                detail: "its words have another digest than was taken of them".to_owned(),
            });
        }
        Ok(())
    })?;
    query::all(tx.conn(), "evidence", EVIDENCE, [], |c| {
        let read = kept(c);
        note_unreadable(&mut findings, read).map(drop)
    })?;
    Ok(findings)
}

fn note_unreadable<T>(
    findings: &mut Vec<Finding>,
    read: Result<T, LedgerError>,
) -> Result<Option<T>, LedgerError> {
    match read {
        Ok(row) => Ok(Some(row)),
        Err(LedgerError::Damaged { place, what }) => {
            findings.push(Finding {
                kind: FindingKind::Unreadable,
                place,
                detail: what,
            });
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
