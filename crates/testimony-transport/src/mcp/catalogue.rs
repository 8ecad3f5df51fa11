//! The tools, as data: what each is for, what it needs, what it takes from the tables of the routes, and what it gives.

use serde_json::{Value, json};
use testimony_domain::{Capability, Principal, TrustPolicy};

use super::controls::CONTROLS;
use crate::wire::field::{Field, Kind, Table, label};
use crate::wire::item::{ITEM_CONTENT, MEMORY_ID};
use crate::wire::{context, courtroom, recall, reflect, retain, writeback};

/// A tool.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// When a model uses it, and what it has to know then.
    pub description: &'static str,
    /// The capability without which it is neither listed nor carried out; without one, every caller has it.
    pub needs: Option<Capability>,
    /// What stands behind it.
    pub(super) way: Way,
    /// What it takes, from the table of its route.
    pub(super) takes: Takes,
    /// What it takes beside that.
    pub(super) own: Table,
    /// What holds where its caller says nothing, in place of what the route then takes.
    pub(super) unsaid: &'static [(&'static str, &'static str)],
    /// How its result can be trimmed.
    pub(super) controls: &'static [Field],
    /// What its result always holds, and what else it can.
    pub(super) gives: &'static [Given],
    /// What a client may know before it calls.
    pub(super) hints: Hints,
}

/// What stands behind a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The route of a container with this end.
    Container(&'static str),
    /// A retain that names what it replaces.
    Correction,
    /// The case report of a memory.
    Case,
    /// A look at how everything stands.
    Status,
}

/// Fields of a table, by name: those that a model needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Takes {
    pub(super) table: Table,
    pub(super) names: &'static [&'static str],
}

/// A member of a result, in the fewest words that say what it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) name: &'static str,
    pub(super) kind: GivenKind,
    pub(super) always: bool,
}

/// What a member of a result is.
#[derive(Clone, Copy, Debug)]
pub(super) enum GivenKind {
    Text,
    Flag,
    Whole,
    List,
    Object,
}

/// What a client may know before it calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hints {
    pub(super) reads_only: bool,
    pub(super) destroys: bool,
    pub(super) repeats: bool,
}

const READS: Hints = Hints {
    reads_only: true,
    destroys: false,
    repeats: true,
};
const ADDS: Hints = Hints {
    reads_only: false,
    destroys: false,
    repeats: false,
};
const REPLACES: Hints = Hints {
    destroys: true,
    ..ADDS
};

const fn always(name: &'static str, kind: GivenKind) -> Given {
    Given {
        name,
        kind,
        always: true,
    }
}

const fn at_times(name: &'static str, kind: GivenKind) -> Given {
    Given {
        name,
        kind,
        always: false,
    }
}

use GivenKind::{Flag, List, Object, Text, Whole};

/// Where a tool works, where the key leaves that open.
pub(super) const CONTAINER: Field =
    Field::new("container_tag", label!(ContainerTag), "The container.");

const NOTHING: Takes = Takes {
    table: &[],
    names: &[],
};

/// What a model reads enters a prompt.
const FOR_A_PROMPT: &[(&str, &str)] = &[("trust_policy", TrustPolicy::Balanced.as_str())];
/// By which way it came.
const THIS_WAY: &[(&str, &str)] = &[("source", "mcp")];

const CORRECTION: Table = &[&[
    Field::new("memory_id", MEMORY_ID, "The memory that is wrong.").required(),
    Field {
        note: "What holds instead, in words that stand alone.",
        ..ITEM_CONTENT
    }
    .required(),
    Field::new("retract", Kind::Flag, "Whether it never held.").or(|| json!(false)),
]];

const CASE: Table = &[&[
    Field::new("memory_id", label!(SourceRef), "A memory or a fact.").required(),
    Field::new(
        "include_ai",
        Kind::Flag,
        "Whether a model's judgment is wanted.",
    )
    .or(|| json!(false)),
]];

const CUT: Given = at_times("cut", Object);
const WARNINGS: Given = at_times("warnings", List);
const DIAGNOSTICS: Given = at_times("diagnostics", Object);
const TAG: Given = always("container_tag", Text);

const WRITTEN: &[Given] = &[
    TAG,
    at_times("saved", Whole),
    at_times("committed", Flag),
    at_times("committed_memory_ids", List),
    at_times("memories", List),
    at_times("skipped", List),
    at_times("decisions", List),
    at_times("errors", List),
    WARNINGS,
    CUT,
];

/// The tools.
#[rustfmt::skip]
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "memory_context",
        title: "Memory for this turn",
        description: "Get the memories that matter for this turn. Call it once at its start with the user's message as it came. An empty packet means that nothing is known.",
        needs: Some(Capability::AgentContext),
        way: Way::Container("agent/context"),
        takes: Takes { table: context::FIELDS, names: &["user_message", "task_goal", "limit", "max_context_tokens", "trust_policy"] },
        own: &[],
        unsaid: &[],
        controls: CONTROLS,
        gives: &[TAG, at_times("memories", List), at_times("needs_confirmation", List), at_times("tokens_injected", Whole), DIAGNOSTICS, WARNINGS, CUT],
        hints: READS,
    },
    Tool {
        name: "memory_recall",
        title: "Search memory",
        description: "Search memory for facts, preferences and decisions that answer a question. Use it before answering what earlier conversations may have settled. No results means that nothing is known: say so, do not guess. related_context does not answer; needs_confirmation must be confirmed by the user first.",
        needs: Some(Capability::Recall),
        way: Way::Container("recall"),
        takes: Takes { table: recall::FIELDS, names: &["query", "limit", "trust_policy", "memory_type", "tags", "created_after", "created_before", "time_query"] },
        own: &[],
        unsaid: FOR_A_PROMPT,
        controls: CONTROLS,
        gives: &[TAG, at_times("results", List), at_times("related_context", List), at_times("needs_confirmation", List), DIAGNOSTICS, WARNINGS, CUT],
        hints: READS,
    },
    Tool {
        name: "memory_retain",
        title: "Remember",
        description: "Remember something beyond this conversation, when the user asks for it or it will clearly matter later: one statement a text, in words that stand alone. Never secrets or transcripts. Read what became of each: it may wait for review.",
        needs: Some(Capability::Write),
        way: Way::Container("retain"),
        takes: Takes { table: retain::FIELDS, names: &["content", "contents", "memory_type", "tags", "observed_at", "expires_in_hours", "review_required", "request_id"] },
        own: &[],
        unsaid: THIS_WAY,
        controls: &[],
        gives: WRITTEN,
        hints: ADDS,
    },
    Tool {
        name: "memory_writeback",
        title: "Hand in a turn",
        description: "Hand in what a finished turn brought. Call it once at its end, with the user's message beside it: what stands in it counts as the user's own word. Leave out greetings, secrets and transcripts.",
        needs: Some(Capability::AgentWriteback),
        way: Way::Container("agent/writeback"),
        takes: Takes { table: writeback::FIELDS, names: &["user_message", "observed_facts", "decisions", "preferences", "artifacts", "request_id"] },
        own: &[],
        unsaid: THIS_WAY,
        controls: &[],
        gives: &[TAG, at_times("operation_trail_id", Text), at_times("committed", Flag), at_times("committed_memory_ids", List), at_times("retained_memories", List), at_times("skipped_candidates", List), at_times("dedupe_supersession_decisions", List), at_times("errors", List), WARNINGS, CUT],
        hints: ADDS,
    },
    Tool {
        name: "memory_reflect",
        title: "Answer from memory",
        description: "Have a question answered in sentences that cite memories. Use it for summaries over several memories; memory_recall is quicker for one fact.",
        needs: Some(Capability::Reflect),
        way: Way::Container("reflect"),
        takes: Takes { table: reflect::FIELDS, names: &["query", "context", "recall_limit", "save_memory"] },
        own: &[],
        unsaid: &[],
        controls: CONTROLS,
        gives: &[TAG, at_times("reply", Text), at_times("citations", List), at_times("memories", List), DIAGNOSTICS, WARNINGS, CUT],
        hints: ADDS,
    },
    Tool {
        name: "memory_correct",
        title: "Correct a memory",
        description: "Replace one memory that is wrong or out of date, by the id that a result gave. The old one stays on record. A stronger source than yours is not overridden: then a review case is opened.",
        needs: Some(Capability::Write),
        way: Way::Correction,
        takes: Takes { table: retain::FIELDS, names: &["request_id"] },
        own: CORRECTION,
        unsaid: THIS_WAY,
        controls: &[],
        gives: WRITTEN,
        hints: REPLACES,
    },
    Tool {
        name: "memory_case",
        title: "Examine a memory",
        description: "Report what speaks for and against a memory: verdict, evidence, contradictions, what is missing. Use it when a memory is marked needs_review or somebody doubts it.",
        needs: Some(Capability::CourtroomRead),
        way: Way::Case,
        takes: Takes { table: courtroom::FIELDS, names: &["query"] },
        own: CASE,
        unsaid: &[],
        controls: CONTROLS,
        gives: &[always("memory_id", Text), at_times("statement", Text), at_times("final_verdict", Text), at_times("supporting_evidence", List), at_times("contradicting_evidence", List), DIAGNOSTICS, WARNINGS, CUT],
        hints: READS,
    },
    Tool {
        name: "memory_status",
        title: "Check the memory",
        description: "Check that memory works: key, container, capabilities and one real read. Use it after set-up, or when another tool fails.",
        needs: None,
        way: Way::Status,
        takes: NOTHING,
        own: &[],
        unsaid: &[],
        controls: &[],
        gives: &[always("status", Text), at_times("key", Object), at_times("containers", List), at_times("capabilities", List), at_times("tools", List), at_times("service", Object), at_times("read", Object), CUT],
        hints: READS,
    },
];

/// A tool by its name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// The tools that somebody may call.
pub fn of(principal: &Principal) -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().filter(|tool| tool.is_for(principal))
}

impl Tool {
    /// Whether somebody may call it.
    #[must_use]
    pub fn is_for(&self, principal: &Principal) -> bool {
        self.needs
            .is_none_or(|needed| principal.capabilities.allow(needed))
    }

    /// What holds for a member where its caller says nothing.
    pub(super) fn default_of(&self, field: &Field) -> Option<Value> {
        let mut own = self.unsaid.iter();
        let own = own.find(|(name, _)| *name == field.name);
        own.map(|(_, value)| json!(value))
            .or_else(|| field.default.map(|default| default()))
    }

    /// Whether it works in a container.
    pub(super) fn is_of_a_container(&self) -> bool {
        match self.way {
            Way::Container(_) | Way::Correction | Way::Status => true,
            Way::Case => false,
        }
    }
}
