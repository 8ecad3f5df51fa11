//! Every field, status and rule of the public interface stands in a page with the test that proves it.
//!
//! What has to stand there comes from the committed description: each field of a request, each part of an answer, each
//! status of each operation. Rules are written by hand. What has no test yet stands under a heading of its own with the
//! reason, and is counted: the count may only fall.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Complaint;
use crate::tree::Tree;

const PAGE: &str = "docs/interface-coverage.md";
const DESCRIPTION: &str = "docs/openapi.public.json";
/// Where it is recorded how much has no test.
const RECORD: &str = "xtask/coverage.json";
const RECORDED: &str = "rows_without_a_test";
/// The heading over what has no test.
const NOT_YET: &str = "## Not yet";
/// Operations that say whether the service is there, or describe it, and a second path of another.
const APART: &[&str] = &[
    "healthz",
    "readyz",
    "openapi_public",
    "courtroom_v1",
    "protected_resource",
    "protected_resource_mcp",
];

/// A row of the page.
struct Row<'t> {
    line: usize,
    cells: Vec<&'t str>,
    is_not_yet: bool,
}

impl<'t> Row<'t> {
    fn cell(&self, at: usize) -> &'t str {
        self.cells.get(at).copied().unwrap_or_default()
    }

    /// Operation, kind and name, as they are wanted.
    fn subject(&self) -> [&'t str; 3] {
        [0, 1, 2].map(|at| self.cell(at).trim_matches('`'))
    }
}

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let Some(page) = tree.file(PAGE) else {
        return vec![Complaint::about(PAGE, "is not there")];
    };
    let rows = rows(&page.text);
    let mut complaints = missing(tree, &rows);
    for row in &rows {
        let wrong = if row.is_not_yet {
            row.cell(3).is_empty().then(|| "gives no reason".to_owned())
        } else {
            unproven(tree, row.cell(3))
        };
        complaints.extend(wrong.map(|what| Complaint::at(PAGE, row.line, what)));
    }
    let not_yet = rows.iter().filter(|row| row.is_not_yet).count();
    complaints.extend(off_the_record(tree, not_yet));
    complaints
}

/// The rows of all tables, without their heads.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mut is_not_yet = false;
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.starts_with("## ") {
            is_not_yet = text == NOT_YET;
        }
        let Some(inside) = text.strip_prefix("| ").and_then(|it| it.strip_suffix(" |")) else {
            continue;
        };
        let cells: Vec<&str> = inside.split(" | ").map(str::trim).collect();
        let is_head = cells
            .first()
            .is_some_and(|cell| *cell == "operation" || cell.starts_with("---"));
        if !is_head {
            found.push(Row {
                line,
                cells,
                is_not_yet,
            });
        }
    }
    found
}

/// What the description has and the page has not.
fn missing(tree: &Tree, rows: &[Row<'_>]) -> Vec<Complaint> {
    let description = tree.file(DESCRIPTION).map_or("", |file| &file.text);
    let Ok(description) = serde_json::from_str::<Value>(description) else {
        return vec![Complaint::about(DESCRIPTION, "is no JSON")];
    };
    let there: BTreeSet<[&str; 3]> = rows.iter().map(Row::subject).collect();
    let wanted = wanted(&description);
    let absent = wanted.iter().filter(|[operation, kind, name]| {
        !there.contains(&[operation.as_str(), kind.as_str(), name.as_str()])
    });
    absent
        .map(|[operation, kind, name]| {
            let what = format!("has no row for the {kind} `{name}` of `{operation}`; write one with the test that proves it");
            Complaint::about(PAGE, what)
        })
        .collect()
}

/// Every field of a request, part of an answer and status of the description.
fn wanted(description: &Value) -> Vec<[String; 3]> {
    let paths = description.get("paths").and_then(Value::as_object);
    let paths = paths.into_iter().flat_map(|paths| paths.values());
    let operations = paths
        .filter_map(Value::as_object)
        .flat_map(|path| path.values());
    let named = operations.filter_map(|operation| {
        let name = operation.get("operationId")?.as_str()?;
        (!APART.contains(&name)).then_some((name, operation))
    });
    named
        .flat_map(|(name, operation)| {
            let of_operation = parts(description, operation);
            of_operation.map(|(kind, part)| [name.to_owned(), kind.to_owned(), part])
        })
        .collect()
}

/// The parts of an operation, each with its kind.
fn parts<'d>(
    description: &'d Value,
    operation: &'d Value,
) -> impl Iterator<Item = (&'static str, String)> + use<'d> {
    let body = operation.pointer("/requestBody/content/application~1json/schema/$ref");
    let answer = operation.pointer("/responses/200/content/application~1json/schema/$ref");
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let of_query = parameters.into_iter().flatten().filter_map(|parameter| {
        let is_of_query = parameter.get("in")? == "query";
        let name = parameter.get("name")?.as_str()?;
        is_of_query.then(|| ("query", name.to_owned()))
    });
    let statuses = operation.get("responses").and_then(Value::as_object);
    let statuses = statuses.into_iter().flat_map(|statuses| statuses.keys());
    let fields = properties(description, body).map(|name| ("field", name));
    let answered = properties(description, answer).map(|name| ("answer", name));
    let statuses = statuses.map(|status| ("status", status.clone()));
    fields.chain(answered).chain(of_query).chain(statuses)
}

/// The names of the properties of a schema that is referred to.
fn properties<'d>(
    description: &'d Value,
    reference: Option<&'d Value>,
) -> impl Iterator<Item = String> + use<'d> {
    let pointer = reference.and_then(|it| it.as_str()?.strip_prefix('#'));
    let schema = pointer.and_then(|pointer| description.pointer(pointer));
    let held = schema.and_then(|schema| schema.get("properties")?.as_object());
    held.into_iter().flat_map(|held| held.keys().cloned())
}

/// Why a cell proves nothing: it names no test, or one that is not there.
fn unproven(tree: &Tree, cell: &str) -> Option<String> {
    let mut named = cell.split('`').skip(1).step_by(2).peekable();
    if named.peek().is_none() {
        return Some("names no test".to_owned());
    }
    let gone = named.find(|test| !is_there(tree, test))?;
    Some(format!("names the test `{gone}`, which is not there"))
}

/// Whether a test is there: `crate::path::name`, the path below `tests` or `src` of the crate.
fn is_there(tree: &Tree, test: &str) -> bool {
    let mut parts = test.split("::");
    let (Some(package), Some(path), Some(name), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let folders = ["crates", "bins"]
        .into_iter()
        .flat_map(|top| ["tests", "src"].map(|below| format!("{top}/{package}/{below}/{path}.rs")));
    let head = format!("fn {name}(");
    folders.into_iter().any(|path| {
        let file = tree.file(&path);
        file.is_some_and(|file| file.text.contains("#[test]") && file.text.contains(&head))
    })
}

fn off_the_record(tree: &Tree, count: usize) -> Option<Complaint> {
    let record = tree.file(RECORD).map_or("", |file| &file.text);
    let record: Option<Value> = serde_json::from_str(record).ok();
    let recorded = record.and_then(|record| record.get(RECORDED)?.as_u64());
    let count = count as u64;
    let what = match recorded {
        None => format!("says no `{RECORDED}`; write {{\"{RECORDED}\": {count}}}"),
        Some(most) if count > most => format!(
            "{count} rows of {PAGE} have no test where {most} had none; write the test of the new one"
        ),
        Some(most) if count < most => {
            format!("only {count} rows have no test; keep what was won: write {count}")
        }
        Some(_) => return None,
    };
    Some(Complaint::about(RECORD, what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    const HEAD: &str = "| operation | kind | what | proven by |\n| --- | --- | --- | --- |\n";
    const TEST: (&str, &str) = ("crates/a/tests/b/c.rs", "#[test]\nfn it_holds() {}\n");

    /// What is said of these rows, where the description has one field, one part of an answer and one status.
    fn complaints(proven: &str, not_yet: &str, recorded: u64) -> Vec<String> {
        let schema = |name: &str| serde_json::json!({ "application/json": { "schema": { "$ref": format!("#/{name}") } } });
        let description = serde_json::json!({
            "paths": { "/ask": { "post": {
                "operationId": "ask",
                "requestBody": { "content": schema("in") },
                "responses": { "200": { "content": schema("out") } },
            } } },
            "in": { "properties": { "query": {} } },
            "out": { "properties": { "reply": {} } },
        });
        let page = format!("{HEAD}{proven}\n{NOT_YET}\n\n{HEAD}{not_yet}");
        let record = format!("{{\"{RECORDED}\": {recorded}}}");
        let tree = sample::files(&[
            (PAGE, &page),
            (DESCRIPTION, &description.to_string()),
            (RECORD, &record),
            TEST,
        ]);
        let found = check(&tree);
        found.iter().map(ToString::to_string).collect()
    }

    const FIELD: &str = "| ask | field | `query` | `a::b/c::it_holds` |\n";
    const ANSWER: &str = "| ask | answer | `reply` | `a::b/c::it_holds` |\n";
    const STATUS: &str = "| ask | status | 200 | no judge yet |\n";

    #[test]
    fn is_quiet_where_every_row_has_its_test_or_its_reason() {
        let proven = format!("{FIELD}{ANSWER}");
        assert_eq!(complaints(&proven, STATUS, 1), Vec::<String>::new());
    }

    #[test]
    fn catches_a_row_that_is_missing_unproven_or_without_a_reason() {
        assert_eq!(complaints(FIELD, STATUS, 1).len(), 1);
        for test in ["", "`a::b/c::it_is_gone`", "`a::b::it_holds`", "it holds"] {
            let row = format!("| ask | answer | `reply` | {test} |\n");
            assert_eq!(
                complaints(&format!("{FIELD}{row}"), STATUS, 1).len(),
                1,
                "{test}"
            );
        }
        let proven = format!("{FIELD}{ANSWER}");
        assert_eq!(
            complaints(&proven, "| ask | status | 200 |  |\n", 1).len(),
            1
        );
    }

    #[test]
    fn catches_a_count_that_rose_or_that_fell_unrecorded() {
        let proven = format!("{FIELD}{ANSWER}");
        assert_eq!(complaints(&proven, STATUS, 0).len(), 1);
        assert_eq!(complaints(&proven, STATUS, 2).len(), 1);
    }
}
