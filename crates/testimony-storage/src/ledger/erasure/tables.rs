//! Which tables an erasure reaches, and how: a line a table.

/// A table whose rows belong to one memory each and go with it.
pub(super) struct WithMemory {
    pub(super) table: &'static str,
    pub(super) by: By,
    pub(super) count: &'static str,
    pub(super) erase: &'static str,
}

/// By what a memory is named in a table.
#[derive(Clone, Copy)]
pub(super) enum By {
    Order,
    Id,
}

#[rustfmt::skip]
pub(super) const WITH_MEMORY: &[WithMemory] = &[
    WithMemory { table: "memory_tags", by: By::Order, count: "SELECT count(*) FROM memory_tags WHERE memory = ?",
        erase: "DELETE FROM memory_tags WHERE memory = ?" },
    WithMemory { table: "mentions", by: By::Order, count: "SELECT count(*) FROM mentions WHERE memory = ?",
        erase: "DELETE FROM mentions WHERE memory = ?" },
    WithMemory { table: "embeddings", by: By::Order, count: "SELECT count(*) FROM embeddings WHERE memory = ?",
        erase: "DELETE FROM embeddings WHERE memory = ?" },
    WithMemory { table: "rests", by: By::Id, count: "SELECT count(*) FROM rests WHERE memory = ?",
        erase: "DELETE FROM rests WHERE memory = ?" },
    WithMemory { table: "supports", by: By::Id, count: "SELECT count(*) FROM supports WHERE memory = ?",
        erase: "DELETE FROM supports WHERE memory = ?" },
    WithMemory { table: "handed_out", by: By::Id, count: "SELECT count(*) FROM handed_out WHERE memory = ?",
        erase: "DELETE FROM handed_out WHERE memory = ?" },
    WithMemory { table: "jobs", by: By::Id,
        count: "SELECT count(*) FROM jobs WHERE memory = ? AND state IN ('queued', 'leased')",
        erase: "UPDATE jobs SET state = 'done', failure = 'erased: its memory is gone' \
                WHERE memory = ? AND state IN ('queued', 'leased')" },
];

/// Tables whose rows speak of several memories: how those that speak of one are found, and what is done to each.
#[rustfmt::skip]
pub(super) const SPEAKING_OF: &[(&str, &str)] = &[
    ("receipts", "SELECT r.ord FROM receipt_memories m JOIN receipts r ON r.ord = m.receipt \
                  WHERE m.memory = ?1 AND r.response <> ''"),
    // A model that judged a neighbour may have quoted this one.
    ("judgments", "SELECT rowid FROM judgments WHERE memory = ?1 \
                   UNION SELECT j.rowid FROM links l JOIN judgments j ON j.memory = l.target WHERE l.source = ?1 \
                   UNION SELECT j.rowid FROM links l JOIN judgments j ON j.memory = l.source WHERE l.target = ?1 \
                   UNION SELECT j.rowid FROM rests a JOIN rests b ON b.evidence = a.evidence \
                   JOIN judgments j ON j.memory = b.memory WHERE a.memory = ?1"),
    ("review_cases", "SELECT ord FROM review_cases WHERE memory = ?1"),
];
