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

impl Row {
    pub(crate) fn holds(&self) -> bool {
        self.found.holds() != self.canary && self.found.rounds > 0
    }

    fn verdict(&self) -> &'static str {
        match (self.canary, self.holds()) {
            (false, true) => "holds",
            (false, false) => "BROKEN",
            (true, true) => "was seen",
            (true, false) => "NOT SEEN",
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
            row.verdict(),
            row.took.as_secs_f64(),
        );
    }
    println!();
    for row in rows {
        for remark in &row.found.remarks {
            println!("{} · {}: {remark}", row.family, row.scenario);
        }
        for said in row.found.said.iter().filter(|_| !row.holds()) {
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
                "verdict": row.verdict(),
                "holds": row.holds(),
                "said": row.found.said,
                "remarks": row.found.remarks,
                "seconds": row.took.as_secs_f64(),
            })
        })
        .collect();
    let all = json!({ "seed": seed, "rows": rows });
    serde_json::to_string_pretty(&all).unwrap_or_default()
}
