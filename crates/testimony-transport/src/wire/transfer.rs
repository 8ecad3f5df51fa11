//! Export and import: what their requests carry, and what they answer.

use serde_json::{Map, Value, json};
use testimony_domain::{ContainerTag, PageLimit, SourceClass, UserId};
use testimony_service::transfer::readers::Origin;
use testimony_service::transfer::{
    ExportPage, ExportRequest, ForeignAnswer, ForeignOutcome, ForeignRequest, ImportAnswer,
    ImportRequest, TakenIn,
};

use super::fault::{Fault, Pointer};
use super::field::{Field, Kind, Table, label};
use super::page;
use super::reader::{Log, Object};
use super::shape::{Member, Shape};

/// How many lines a batch has.
const MOST_LINES: usize = 1_000;
/// How many entries of another service's export come at once.
const MOST_ENTRIES: usize = 5_000;

const CONTAINER: Kind = label!(ContainerTag);
const USER: Kind = label!(UserId);

/// What a page of an export is asked with.
#[rustfmt::skip]
pub const EXPORT: Table = &[&[
    Field::new("container", CONTAINER, "Only this container."),
    Field::new("user_id", USER, "Only the rows of this person."),
], page::PAGE];

/// What an import carries.
#[rustfmt::skip]
pub const IMPORT: Table = &[&[
    Field::new("header", Kind::Object, "The first line of the export that the lines are of.").required(),
    Field::new("lines", Kind::List(&Kind::Object, MOST_LINES), "Lines of it, in their order.").required(),
    DRY_RUN,
]];

/// What an import from another service carries.
#[rustfmt::skip]
pub const FOREIGN: Table = &[&[
    Field::new("container", CONTAINER, "Where it goes.").required(),
    Field::new("entries", Kind::List(&Kind::Object, MOST_ENTRIES), "Entries of the export; either this or `document` is needed."),
    Field::new("document", Kind::Object, "The export as the other service writes it."),
    Field::new("class", Kind::Word(SourceClass::WORDS), "Whose word it is; an entry can only be weaker.").or(|| SourceClass::ExternalDocument.as_str().into()),
    Field::new("user_id", USER, "The person of entries that name none."),
    DRY_RUN,
]];

const DRY_RUN: Field = Field::new(
    "dry_run",
    Kind::Flag,
    "Whether to tell what would happen, and do nothing.",
);

/// A page of an export.
pub const PAGE_OF_LINES: &[Member] = &[
    Member::new(
        "items",
        Shape::List(&Shape::Anything),
        "Lines, each to be written as one line of JSON.",
    ),
    Member::new("next", Shape::Maybe(&Shape::Text), "Where to go on."),
];

const LINE: &[Member] = &[
    Member::new("line", Shape::Whole, "Its number in the batch, from 0."),
    Member::new(
        "id",
        Shape::Maybe(&Shape::Text),
        "The row that it speaks of.",
    ),
    Member::new("outcome", Shape::Word(TakenIn::WORDS), "What became of it."),
    Member::new("reason", Shape::Text, "Why."),
];

/// What became of lines.
pub const IMPORTED: &[Member] = &[
    Member::new(
        "counts",
        Shape::Map(&Shape::Whole),
        "How many lines each outcome had.",
    ),
    Member::new(
        "lines",
        Shape::List(&Shape::Object(LINE)),
        "The lines that did not simply come in.",
    ),
];

const FOREIGN_LINE: &[Member] = &[
    Member::new(
        "id",
        Shape::Maybe(&Shape::Text),
        "The id that it had where it comes from.",
    ),
    Member::new(
        "outcome",
        Shape::Word(ForeignOutcome::WORDS),
        "What became of it.",
    ),
    Member::new("reasons", Shape::List(&Shape::Text), "Why."),
];

/// What became of an export of another service.
pub const FOREIGN_IMPORTED: &[Member] = &[
    Member::new("read", Shape::Whole, "How many entries were read."),
    Member::new(
        "counts",
        Shape::Map(&Shape::Whole),
        "How many statements each outcome had.",
    ),
    Member::new(
        "reasons",
        Shape::Map(&Shape::Whole),
        "How often each reason was given.",
    ),
    Member::new(
        "lines",
        Shape::List(&Shape::Object(FOREIGN_LINE)),
        "What did not become known or wait, as far as there is room.",
    ),
];

/// Reads what a page of an export is asked with.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_export(query: &Map<String, Value>) -> Result<ExportRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, EXPORT, &mut log);
    let limit = object.whole("limit", &mut log, PageLimit::new);
    let request = ExportRequest {
        container: object.read("container", &mut log, ContainerTag::new),
        user: object.read("user_id", &mut log, UserId::new),
        after: object.owned("after"),
        limit: usize::try_from(limit.unwrap_or_default().get()).unwrap_or(usize::MAX),
    };
    log.end(request).map(|(request, _)| request)
}

/// A page of an export as it is sent.
#[must_use]
pub fn page(page: &ExportPage) -> Value {
    json!({ "items": page.lines, "next": page.next })
}

/// Reads lines that are to be taken in.
///
/// # Errors
/// Everything that is wrong with the request; what is wrong with a line is told of that line.
pub fn read_import(body: &Map<String, Value>) -> Result<ImportRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, IMPORT, &mut log);
    let request = ImportRequest {
        header: object.value("header").cloned().unwrap_or_default(),
        lines: object.elements("lines").cloned().collect(),
        dry_run: object.flag("dry_run").unwrap_or(false),
    };
    log.end(request).map(|(request, _)| request)
}

/// What became of lines, as it is sent.
#[must_use]
pub fn imported(answer: &ImportAnswer) -> Value {
    let lines = answer.lines.iter().map(|line| {
        json!({
            "line": line.line,
            "id": line.id,
            "outcome": line.outcome.as_str(),
            "reason": line.reason,
        })
    });
    json!({ "counts": answer.counts, "lines": lines.collect::<Vec<_>>() })
}

/// Reads what another service exported.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_foreign(origin: &str, body: &Map<String, Value>) -> Result<ForeignRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, FOREIGN, &mut log);
    let origin = Origin::parse("origin", origin);
    let origin = origin
        .map_err(|invalid| log.fault(Fault::of(&invalid)))
        .ok();
    let listed = object.value("entries").or_else(|| object.value("document"));
    if listed.is_none() {
        let detail = "It is required where `document` is absent; send one of the two.";
        log.fault(Fault::at(root.below("entries"), detail));
    }
    let container = object.read("container", &mut log, ContainerTag::new);
    let class = object.read("class", &mut log, SourceClass::parse);
    let user = object.read("user_id", &mut log, UserId::new);
    let request = origin
        .zip(container)
        .map(|(origin, container)| ForeignRequest {
            origin,
            container,
            document: listed.cloned().unwrap_or_default(),
            class: class.unwrap_or(SourceClass::ExternalDocument),
            user,
            dry_run: object.flag("dry_run").unwrap_or(false),
        });
    match log.end(request)? {
        (Some(request), _) => Ok(request),
        // Without either there was a fault.
        (None, _) => Err(Vec::new()),
    }
}

/// What became of another service's export, as it is sent.
#[must_use]
pub fn foreign_imported(answer: &ForeignAnswer) -> Value {
    let lines = answer.lines.iter().map(|line| {
        json!({
            "id": line.id,
            "outcome": line.outcome.as_str(),
            "reasons": line.reasons,
        })
    });
    json!({
        "read": answer.read,
        "counts": answer.counts,
        "reasons": answer.reasons,
        "lines": lines.collect::<Vec<_>>(),
    })
}
