//! The tables of the domain as pages of the documents. `UPDATE_EXPECT=1 cargo test` writes them anew.

use std::fmt::Write;

use expect_test::expect_file;
use testimony_domain::bounds::NUMBERS;
use testimony_domain::class::CHANNEL_CEILINGS;
use testimony_domain::id::ID_KINDS;
use testimony_domain::label::LABELS;
use testimony_domain::lifecycle::{Cell, Event, LIFECYCLE};
use testimony_domain::verdict::VERDICTS;
use testimony_domain::{Bound, Reason, SourceClass};

const HEAD: &str =
    "<!-- Rendered from the code by a test of testimony-domain; change the table there. -->\n";

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let head_cells: Vec<String> = head.iter().map(ToString::to_string).collect();
    let rule: Vec<String> = head.iter().map(|_| "---".to_owned()).collect();
    let body: String = rows.into_iter().map(|cells| row(&cells)).collect();
    format!("{}{}{body}", row(&head_cells), row(&rule))
}

#[test]
fn lifecycle_page() {
    let head: Vec<&str> = std::iter::once("state")
        .chain(Event::WORDS.iter().copied())
        .collect();
    let rows = LIFECYCLE.iter().map(|(state, cells)| {
        let written = cells.iter().map(|cell| match cell {
            Cell::To(next) => format!("**{next}**"),
            Cell::Keep(effect) => format!("stays: {effect}"),
            Cell::Refuse(reason) => format!("refused: {reason}"),
        });
        std::iter::once(format!("**{state}**"))
            .chain(written)
            .collect()
    });
    let intro = "# Lifecycle\n\nWhat every event does to a row in every state.\n\
        Both quarantines are called `quarantined` outside; only the one for an injection can be approved.\n\n";
    expect_file!["../../../docs/lifecycle.md"]
        .assert_eq(&format!("{HEAD}{intro}{}", table(&head, rows)));
}

#[test]
fn verdict_page() {
    let head = [
        "row",
        "states",
        "verdict",
        "reasons",
        "bucket",
        "`off`",
        "`balanced`",
        "`strict`",
    ];
    let rows = VERDICTS.iter().map(|row| {
        let states: Vec<&str> = row.states.iter().map(|state| state.as_str()).collect();
        let reasons: Vec<&str> = row.reasons.iter().map(|reason| reason.as_str()).collect();
        let mut cells = vec![
            row.standing.to_string(),
            states.join(", "),
            row.verdict.to_string(),
            reasons.join(", "),
        ];
        cells.push(row.verdict.bucket().to_string());
        cells.extend(row.lanes.iter().map(ToString::to_string));
        cells
    });
    let intro = "# Verdicts\n\nWhat becomes of a row, and where it may be shown.\n\
        Final verdict = the stricter of this and any other opinion.\n\n";
    expect_file!["../../../docs/verdicts.md"]
        .assert_eq(&format!("{HEAD}{intro}{}", table(&head, rows)));
}

#[test]
fn reason_page() {
    let rows = Reason::ALL
        .iter()
        .map(|reason| vec![format!("`{reason}`"), reason.sentence().to_owned()]);
    let page = format!(
        "{HEAD}# Reasons\n\nEvery decision carries at least one.\n\n{}",
        table(&["code", "sentence"], rows)
    );
    expect_file!["../../../docs/reasons.md"].assert_eq(&page);
}

#[test]
fn bounds_page() {
    let write = |bound: &Bound| {
        let default = bound
            .default
            .map_or_else(|| "-".to_owned(), |value| value.to_string());
        vec![
            format!("`{}`", bound.name),
            format!("{} to {}", bound.min, bound.max),
            default,
            bound.unit.to_owned(),
            bound.meaning.to_owned(),
        ]
    };
    let head = ["type", "bounds", "default", "unit", "meaning"];
    let mut page = format!(
        "{HEAD}# Bounds\n\n## Numbers\n\n{}",
        table(&head, NUMBERS.iter().map(write))
    );
    write!(
        page,
        "\n## Labels\n\n{}",
        table(&head, LABELS.iter().map(write))
    )
    .unwrap();
    expect_file!["../../../docs/bounds.md"].assert_eq(&page);
}

#[test]
fn sources_page() {
    let classes = SourceClass::ALL.iter().rev().map(|class| {
        let known = if class.is_known_at_once() {
            "active at once"
        } else {
            "pending until supported or approved"
        };
        vec![class.to_string(), known.to_owned()]
    });
    let channels = CHANNEL_CEILINGS
        .iter()
        .map(|(channel, ceiling)| vec![format!("`{channel}`"), ceiling.to_string()]);
    let ids = ID_KINDS
        .iter()
        .map(|(name, prefix)| vec![format!("`{name}`"), format!("`{prefix}_`")]);
    let page = format!(
        "{HEAD}# Sources and ids\n\n## Classes, strongest first\n\n{}\n## Ways in, and the strongest class each can give\n\n{}\n## Ids\n\n{}",
        table(&["class", "a clean row is"], classes),
        table(&["way in", "at most"], channels),
        table(&["type", "prefix"], ids),
    );
    expect_file!["../../../docs/sources.md"].assert_eq(&page);
}
