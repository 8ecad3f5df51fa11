//! What was found, as a table for people and as JSON for programs.

use std::time::Duration;

use serde_json::json;

use crate::trial::{Family, Found};

pub(crate) struct Row {
    pub(crate) family: &'static str,
    pub(crate) scenario: &'static str,
    /// Whether something was broken on purpose, so that it holds when that was seen.
    pub(crate) canary: bool,
    pub(crate) found: Found,
    pub(crate) took: Duration,
}

/// What is said of a scenario in the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Holds,
    Broken,
    /// The machine lacks what it takes: nothing is known of it.
    Skipped,
    /// A fault that was made on purpose was found.
    WasSeen,
    NotSeen,
}

impl Verdict {
    /// Whether the whole proof can hold with it.
    pub(crate) const fn holds(self) -> bool {
        matches!(self, Self::Holds | Self::WasSeen | Self::Skipped)
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Broken => "BROKEN",
            Self::Skipped => "skipped",
            Self::WasSeen => "was seen",
            Self::NotSeen => "NOT SEEN",
        }
    }
}

impl Row {
    pub(crate) fn verdict(&self) -> Verdict {
        let found = &self.found;
        match (self.canary, found.holds()) {
            (false, false) => Verdict::Broken,
            (_, true) if found.skipped => Verdict::Skipped,
            (false, true) if found.rounds > 0 => Verdict::Holds,
            (false, true) => Verdict::Broken,
            (true, false) => Verdict::WasSeen,
            (true, true) => Verdict::NotSeen,
        }
    }
}

pub(crate) fn list(families: &[&Family]) {
    for family in families {
        println!("{}: {}", family.name, family.passes_when);
        for scenario in family.scenarios {
            println!(
                "  {}, {} rounds, {} in the short form",
                scenario.name, scenario.long, scenario.short
            );
        }
        println!("  canary: {}", family.canary.name);
    }
}

/// A table as documents show it.
pub(crate) fn print(rows: &[Row], seed: u64) {
    println!("| family | scenario | rounds | faults | lost | leaked | broken | verdict | time |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |");
    for row in rows {
        let found = &row.found;
        println!(
            "| {} | {}{} | {} | {} | {} | {} | {} | {} | {:.1} s |",
            row.family,
            if row.canary { "*canary:* " } else { "" },
            row.scenario,
            found.rounds,
            found.faults,
            found.lost,
            found.leaked,
            found.broken,
            row.verdict().word(),
            row.took.as_secs_f64(),
        );
    }
    println!();
    for row in rows {
        for remark in &row.found.remarks {
            println!("{} · {}: {remark}", row.family, row.scenario);
        }
        for said in row.found.said.iter().filter(|_| !row.verdict().holds()) {
            println!("{} · {}: {said}", row.family, row.scenario);
        }
    }
    println!("seed {seed}");
}

pub(crate) fn json(rows: &[Row], seed: u64) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "family": row.family,
                "scenario": row.scenario,
                "canary": row.canary,
                "rounds": row.found.rounds,
                "faults": row.found.faults,
                "lost": row.found.lost,
                "leaked": row.found.leaked,
                "broken": row.found.broken,
                "verdict": row.verdict().word(),
                "holds": row.verdict().holds(),
                "said": row.found.said,
                "remarks": row.found.remarks,
                "seconds": row.took.as_secs_f64(),
            })
        })
        .collect();
    let all = json!({ "seed": seed, "rows": rows });
    serde_json::to_string_pretty(&all).unwrap_or_default()
}
