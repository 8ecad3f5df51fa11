//! Recall: what its request carries, and what it answers.

use serde::Serialize;
use serde_json::{Map, Value};
use testimony_domain::{
    Bound, GraphHops, RecallLimit, SourceApp, SourceLabel, Tag, Threshold, TrustBucket, TrustPolicy,
};
use testimony_recall::{
    Answer, Filters, Mode, Options, Recalled, Sort, TagMatch, TagMode, TimeIntent, View,
    parse_bound,
};
use testimony_service::read::{RecallAnswer, RecallRequest};

use super::Noted;
use super::common::{
    IDENTITY, IDS, Notes, READ_ID, SESSION, TAGS, WORDS, claim, context_types, filters,
    priority_ids, request_id, tag_rules, trust_policy,
};
use super::fault::{Fault, Pointer};
use super::field::{Field, Form, Kind, Table, label};
use super::parts;
use super::reader::{Log, Object};
use super::rows::{self, Dress, More};
use super::shape::{Member, Shape};
use super::told::{Each, told};

/// What is asked: as long as a content may be.
pub const QUERY: Bound = Bound {
    name: "query",
    min: 1.0,
    max: testimony_service::write::CONTENT.max,
    default: None,
    unit: "characters",
    meaning: "What is asked.",
};

/// An instant or a date.
pub(crate) const WHEN: Kind = Kind::Form(Form {
    like: "2026-03-31 or 2026-03-31T12:00:00Z",
    check: |_, text| parse_bound("", text).map(drop),
});
/// The time that a question is about.
pub(crate) const TIME: Kind = Kind::Form(Form {
    like: "current, historical, any, or as_of:2026-03-31",
    check: |_, text| TimeIntent::parse("", text).map(drop),
});

/// The fields of a recall that say what is wanted.
#[rustfmt::skip]
pub const FIELDS: Table = &[
    &[
        Field::new("query", Kind::Text(&QUERY), "What is asked.").required(),
        Field::new("limit", Kind::Whole("RecallLimit"), "How many rows at most.").or(|| RecallLimit::default().get().into()),
        Field::new("mode", Kind::Word(Mode::WORDS), "Which channels count.").or(|| Options::default().mode.as_str().into()),
        Field::new("threshold", Kind::Number("Threshold"), "The caller's own floor; the system's holds below it.").or(|| Threshold::default().get().into()),
        Field::new("trust_policy", Kind::Word(TrustPolicy::WORDS), "How strict; `balanced` or `strict` for prompts.").or(|| Options::default().trust_policy.as_str().into()),
        Field::new("include_trust_report", Kind::Flag, "Whether rows come with verdict, action and reasons.").or(|| false.into()),
        Field::new("view", Kind::Word(View::WORDS), "Which side of memory; all but `assistant` need a capability.").or(|| Options::default().view.as_str().into()),
        Field::new("sort", Kind::Word(Sort::WORDS), "The order of the results.").or(|| Options::default().sort.as_str().into()),
        Field::new("memory_plane", Kind::Word(testimony_domain::Plane::WORDS), "Only rows of this plane."),
        Field::new("memory_scope", Kind::Word(testimony_domain::MemoryScope::WORDS), "Only rows of this scope."),
        Field::new("memory_type", Kind::Word(testimony_domain::MemoryKind::WORDS), "Only rows of this kind."),
        Field::new("tags", TAGS, "Only rows with these tags."),
        Field::new("exclude_tags", TAGS, "Only rows without these tags."),
        Field::new("context_tags", TAGS, "Tags that lift a row in the order, and never over the floor."),
        Field::new("context_types", WORDS, "Kinds that lift a row in the order, and never over the floor."),
        Field::new("tag_mode", Kind::Word(TagMode::WORDS), "Whether all of `tags` or one of them.").or(|| Filters::default().tag_mode.as_str().into()),
        Field::new("tag_match", Kind::Word(TagMatch::WORDS), "How a tag is compared.").or(|| Filters::default().tag_match.as_str().into()),
        Field::new("created_after", WHEN, "Only rows kept at or after this instant."),
        Field::new("created_before", WHEN, "Only rows kept before this instant."),
        Field::new("source", label!(SourceLabel), "Only rows from here."),
        Field::new("graph_traversal", Kind::Flag, "Whether relationships are followed from eligible rows.").or(|| Options::default().graph_traversal.into()),
        Field::new("graph_max_hops", Kind::Whole("GraphHops"), "How far they are followed.").or(|| GraphHops::default().get().into()),
        Field::new("rewrite_query", Kind::Flag, "Whether a model words the query anew, to be looked for beside the query itself.").or(|| false.into()),
        Field::new("rewrite_context", Kind::Flag, "Whether a model words the context anew.").or(|| false.into()).ignored("A recall carries no context that could be worded anew."),
        Field::new("rerank", Kind::Flag, "Whether the results are ordered anew; none comes and none goes by that.").or(|| false.into()),
        Field::new("reranking_backend", label!(SourceLabel), "By what they are ordered: `local`, or a name of the configuration; without one, by the configuration's first, else `local`."),
        Field::new("priority_ids", IDS, "Rows that go first when they are eligible."),
        Field::new("time_query", TIME, "The time that is asked about; absent, it is read from the query."),
        READ_ID,
        SESSION,
    ],
    IDENTITY,
];

/// A recall that was read.
#[derive(Clone, Debug)]
pub struct Recall {
    /// The request.
    pub request: RecallRequest,
    /// Whether rows come with a trust report.
    pub trust_report: bool,
    /// Whether one of `priority_ids` is no id, and so is not there.
    pub names_nothing: bool,
}

/// Reads a recall.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(body: &Map<String, Value>) -> Result<(Recall, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, FIELDS, &mut log);
    let (priority_ids, names_nothing) = priority_ids(&object);
    let recall = Recall {
        names_nothing,
        trust_report: object.flag("include_trust_report").unwrap_or(false),
        request: RecallRequest {
            claim: claim(&object, &mut log),
            query: object.owned("query").unwrap_or_default(),
            options: Options {
                priority_ids,
                ..options(&object, &mut log)
            },
            hops: object
                .whole("graph_max_hops", &mut log, GraphHops::new)
                .unwrap_or_default(),
            rewrite: object.flag("rewrite_query").unwrap_or(false),
            rerank: object.flag("rerank").unwrap_or(false),
            reranking_backend: object.owned("reranking_backend"),
            request: request_id(&object, &mut log),
            slip: None,
        },
    };
    log.end(recall)
}

fn options(object: &Object<'_>, log: &mut Log) -> Options {
    let usual = Options::default();
    Options {
        limit: object
            .whole("limit", log, RecallLimit::new)
            .unwrap_or_default(),
        threshold: object
            .number("threshold", log, Threshold::new)
            .unwrap_or_default(),
        mode: object.read("mode", log, Mode::parse).unwrap_or(usual.mode),
        trust_policy: trust_policy(object, log).unwrap_or(usual.trust_policy),
        view: object.read("view", log, View::parse).unwrap_or(usual.view),
        sort: object.read("sort", log, Sort::parse).unwrap_or(usual.sort),
        filters: all_filters(object, log),
        time_query: object.read("time_query", log, TimeIntent::parse),
        context_tags: object.list("context_tags", log, Tag::new),
        context_types: context_types(object, log),
        graph_traversal: object
            .flag("graph_traversal")
            .unwrap_or(usual.graph_traversal),
        priority_ids: Vec::new(),
    }
}

fn all_filters(object: &Object<'_>, log: &mut Log) -> Filters {
    let mut filters = filters(object, log);
    tag_rules(object, &mut filters, log);
    Filters {
        exclude_tags: object.list("exclude_tags", log, Tag::new),
        source: object.read("source", log, SourceLabel::new),
        source_app: object.read("source_app", log, SourceApp::new),
        created_after: object.read("created_after", log, parse_bound),
        created_before: object.read("created_before", log, parse_bound),
        ..filters
    }
}

/// What a recall answers, as a shape.
#[rustfmt::skip]
pub const ANSWER: Shape = Shape::Named("RecallResponse", &Shape::Object(&[
    Member::new("container_tag", Shape::Text, "The container."),
    Member::new("query", Shape::Text, "What was asked; secrets are redacted."),
    Member::new("mode", Shape::Word(Mode::WORDS), "Which channels counted."),
    Member::new("results", Shape::List(&parts::RECALLED), "Rows that answer."),
    Member::new("total", Shape::Whole, "How many rows answer."),
    Member::new("original_query", Shape::Maybe(&Shape::Text), "What was asked, before a model worded it anew."),
    Member::new("expanded_query", Shape::Maybe(&Shape::Text), "What a model made of it, which was looked for as well; `null` where none did."),
    Member::new("recall_context", Shape::Text, "The results as a block for a prompt; empty where there are none."),
    Member::new("related_context", Shape::List(&parts::RECALLED), "Safe rows that stand near and do not answer."),
    Member::new("suppressed", Shape::List(&parts::SUPPRESSED), "Rows that were held back, without what they say."),
    Member::new("needs_confirmation", Shape::List(&parts::UNCONFIRMED), "Rows that somebody has to confirm first."),
    Member::new("trust_policy", Shape::Word(TrustPolicy::WORDS), "The policy that held."),
    Member::new("trust_diagnostics", TRUST, "How far the rows can be relied on."),
    Member::new("diagnostics", parts::RECALL_DIAGNOSTICS, "How the answer came to be."),
    parts::WARNINGS,
]));

#[rustfmt::skip]
const TRUST: Shape = Shape::Named("TrustDiagnostics", &Shape::Object(&[
    Member::new("trust_policy_applied", Shape::Word(TrustPolicy::WORDS), "The policy that held."),
    Member::new("trusted_count", Shape::Whole, "Results that are trusted."),
    Member::new("needs_review_count", Shape::Whole, "Results that somebody should look at."),
    Member::new("needs_confirmation_count", Shape::Whole, "Rows that somebody has to confirm first."),
    Member::new("strict_suppressed_count", Shape::Whole, "Rows that the strict policy held back."),
    Member::new("balanced_caution_count", Shape::Whole, "Rows that were let through with a mark."),
]));

/// What a recall answers; `query` is what was asked, without secrets.
#[must_use]
pub fn answer<'a>(
    recall: &'a Recall,
    answer: &'a RecallAnswer<'a>,
    query: &'a str,
    noted: &'a Noted,
) -> impl Serialize {
    let found = &answer.recall.answer;
    let dress = Dress {
        links: true,
        trust_report: recall.trust_report,
    };
    let rows = move |rows: &'a [Recalled<'a>]| {
        Each(rows.iter().map(move |row| rows::recalled(row, dress)))
    };
    let waiting = found.needs_confirmation.iter();
    let more = More::Recall(answer.aided, noted);
    told!({
        "container_tag": answer.visitor.identity.container().as_str(),
        "diagnostics": rows::diagnostics(&found.diagnostics, more),
        "expanded_query": answer.aided.expanded.as_deref(),
        "mode": recall.request.options.mode.as_str(),
        "needs_confirmation": Each(waiting.map(move |row| rows::unconfirmed(row, dress))),
        "original_query": query,
        "query": query,
        "recall_context": answer.packet.block.as_str(),
        "related_context": rows(&found.related_context),
        "results": rows(&found.results),
        "suppressed": Each(found.suppressed.iter().map(rows::suppressed)),
        "total": found.results.len(),
        "trust_diagnostics": trust(found),
        "trust_policy": found.trust_policy.as_str(),
        "warnings": &noted.warnings,
    })
}

fn trust(found: &Answer<'_>) -> impl Serialize + use<> {
    told!({
        "balanced_caution_count": found.diagnostics.balanced_caution_count,
        "needs_confirmation_count": found.needs_confirmation.len(),
        "needs_review_count": rows::of_bucket(&found.results, TrustBucket::NeedsReview),
        "strict_suppressed_count": found.diagnostics.strict_suppressed_count,
        "trust_policy_applied": found.diagnostics.trust_policy_applied.as_str(),
        "trusted_count": rows::of_bucket(&found.results, TrustBucket::Trusted),
    })
}
