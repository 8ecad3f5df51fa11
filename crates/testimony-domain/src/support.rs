//! What speaks for and against a memory, counted in independent origins rather than in rows.

use std::collections::HashMap;

use crate::{AgentId, EvidenceId, KeyId, MemoryId, RunId, SourceClass, SourceRef};

/// Where a piece of evidence comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The credential it came through.
    pub key: KeyId,
    /// The agent.
    pub agent: Option<AgentId>,
    /// The run or session.
    pub run: Option<RunId>,
    /// The document or message it was taken from.
    pub source: Option<SourceRef>,
    /// The class of the evidence.
    pub class: SourceClass,
    /// Whether it repeats what the service itself had handed out.
    pub echo: bool,
}

impl Origin {
    /// Whether two origins may have seen the same thing for the same reason.
    ///
    /// Two turns of a user are two statements; what agents report counts once per key, agent, run and document.
    #[must_use]
    pub fn shares_cause_with(&self, other: &Self) -> bool {
        let both_users = self.speaks_for_a_person() && other.speaks_for_a_person();
        let same_source = self.source.is_some() && self.source == other.source;
        if both_users {
            return same_source;
        }
        let same_agent = self.agent.is_some() && self.agent == other.agent;
        let same_run = self.run.is_some() && self.run == other.run;
        self.key == other.key || same_agent || same_run || same_source
    }

    /// Everything by which another origin can turn out to have the same cause.
    fn traces(&self) -> impl Iterator<Item = Trace<'_>> {
        let Self {
            key,
            agent,
            run,
            source,
            ..
        } = self;
        [
            Some(Trace::Key(*key)),
            agent.as_ref().map(Trace::Agent),
            run.as_ref().map(Trace::Run),
            source.as_ref().map(Trace::Source),
        ]
        .into_iter()
        .flatten()
    }

    const fn speaks_for_a_person(&self) -> bool {
        match self.class {
            SourceClass::UserStatement | SourceClass::Operator => true,
            SourceClass::ToolResult
            | SourceClass::AgentObservation
            | SourceClass::ModelInference
            | SourceClass::ExternalDocument => false,
        }
    }
}

words! {
    /// What a piece of evidence does for a memory.
    pub enum Polarity {
        /// It speaks for it.
        Supports = "supports",
        /// It speaks against it.
        Contradicts = "contradicts",
    }
}

/// A link from a memory to a piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The memory.
    pub memory: MemoryId,
    /// The evidence.
    pub evidence: EvidenceId,
    /// What it does for the memory.
    pub polarity: Polarity,
    /// Where it comes from.
    pub origin: Origin,
}

/// How many origins are independent of each other: groups that share no cause, not even through a third.
///
/// Echoes count for nothing.
/// Counting groups rather than the largest independent set is the cautious reading: a chain of shared causes is one
/// cause.
/// The work is linear in the number of origins: they are joined by what they share, never compared in pairs.
#[must_use]
pub fn independent_origins<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> usize {
    let counted: Vec<&Origin> = origins.into_iter().filter(|origin| !origin.echo).collect();
    let mut sharers: HashMap<Trace<'a>, Sharers> = HashMap::new();
    for (index, origin) in counted.iter().enumerate() {
        for trace in origin.traces() {
            sharers
                .entry(trace)
                .or_default()
                .add(index, origin.speaks_for_a_person());
        }
    }
    let mut groups = Groups::of(counted.len());
    for (trace, sharers) in &sharers {
        if sharers.share_a_cause(trace) {
            groups.join_all(&sharers.members);
        }
    }
    groups.count()
}

/// Something that two origins can have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Trace<'a> {
    Key(KeyId),
    Agent(&'a AgentId),
    Run(&'a RunId),
    Source(&'a SourceRef),
}

/// The origins that have a trace in common.
#[derive(Default)]
struct Sharers {
    members: Vec<usize>,
    has_agent: bool,
}

impl Sharers {
    fn add(&mut self, index: usize, is_person: bool) {
        self.members.push(index);
        self.has_agent |= !is_person;
    }

    /// People share a cause only through a document; an agent shares it with everybody on its trace.
    const fn share_a_cause(&self, trace: &Trace<'_>) -> bool {
        self.has_agent || matches!(trace, Trace::Source(_))
    }
}

/// Disjoint groups of indices, joined as causes are found.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn of(size: usize) -> Self {
        Self {
            parent: (0..size).collect(),
        }
    }

    fn root(&mut self, mut index: usize) -> usize {
        while let Some(parent) = self
            .parent
            .get(index)
            .copied()
            .filter(|parent| *parent != index)
        {
            let grandparent = self.parent.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.parent.get_mut(index) {
                *slot = grandparent;
            }
            index = parent;
        }
        index
    }

    fn join_all(&mut self, members: &[usize]) {
        let Some(first) = members.first() else { return };
        let kept = self.root(*first);
        for member in members {
            let joined = self.root(*member);
            if let Some(slot) = self.parent.get_mut(joined) {
                *slot = kept;
            }
        }
    }

    fn count(&self) -> usize {
        self.parent
            .iter()
            .enumerate()
            .filter(|(index, parent)| index == *parent)
            .count()
    }
}
