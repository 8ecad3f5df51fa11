//! What speaks for and against a memory, counted in independent origins rather than in rows.

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
#[must_use]
pub fn independent_origins<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> usize {
    let mut groups: Vec<Vec<&Origin>> = Vec::new();
    for origin in origins.into_iter().filter(|origin| !origin.echo) {
        let (touched, mut apart): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|group| group.iter().any(|member| member.shares_cause_with(origin)));
        let mut merged: Vec<&Origin> = touched.into_iter().flatten().collect();
        merged.push(origin);
        apart.push(merged);
        groups = apart;
    }
    groups.len()
}
