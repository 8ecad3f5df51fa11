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
        let both_unnamed = self.hides_its_source() && other.hides_its_source();
        self.key == other.key || same_agent || same_run || same_source || both_unnamed
    }

    /// Whether it speaks for a document or a model that it does not name: two of them may be the same one.
    const fn hides_its_source(&self) -> bool {
        let named = self.source.is_some();
        match self.class {
            SourceClass::ExternalDocument | SourceClass::ModelInference => !named,
            SourceClass::UserStatement
            | SourceClass::Operator
            | SourceClass::ToolResult
            | SourceClass::AgentObservation => false,
        }
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

/// Which group of shared causes each origin falls into, numbered from 0 in the order of first appearance.
///
/// Two origins are in one group when they share a cause, be it through a chain of others; an echo is in none.
/// Groups rather than the largest independent set are the cautious reading: a chain of shared causes is one cause.
/// The work is linear in the number of origins, however they are connected.
#[must_use]
pub fn origin_groups(origins: &[&Origin]) -> Vec<Option<usize>> {
    let mut bonds: HashMap<Cause<'_>, Bond> = HashMap::new();
    let mut links = Vec::new();
    for (index, origin) in origins.iter().enumerate().filter(|(_, o)| !o.echo) {
        for cause in causes(origin).into_iter().flatten() {
            let bond = bonds.entry(cause).or_default();
            let binds = !origin.speaks_for_a_person() || matches!(cause, Cause::Source(_));
            links.extend(bond.join(index, binds));
        }
    }
    let neighbours = both_ways(origins.len(), &links);
    number_groups(origins, &neighbours)
}

/// How many origins are independent of each other: the number of their [groups](origin_groups).
#[must_use]
pub fn independent_origins<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> usize {
    let origins: Vec<&Origin> = origins.into_iter().collect();
    let highest = origin_groups(&origins).into_iter().flatten().max();
    highest.map_or(0, |highest| highest + 1)
}

/// Something that two origins can have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cause<'a> {
    Key(KeyId),
    Agent(&'a AgentId),
    Run(&'a RunId),
    Source(&'a SourceRef),
    /// A document or a model that is not named.
    Unnamed,
}

fn causes(origin: &Origin) -> [Option<Cause<'_>>; 5] {
    [
        Some(Cause::Key(origin.key)),
        origin.agent.as_ref().map(Cause::Agent),
        origin.run.as_ref().map(Cause::Run),
        origin.source.as_ref().map(Cause::Source),
        origin.hides_its_source().then_some(Cause::Unnamed),
    ]
}

/// Those who have a cause in common. Two people are not bound by a key, agent or run; a third who is no person binds
/// them all.
#[derive(Default)]
struct Bond {
    unbound: Vec<usize>,
    bound: Option<usize>,
}

impl Bond {
    /// Takes `index` in and returns the pairs that are now connected.
    fn join(&mut self, index: usize, binds: bool) -> Vec<(usize, usize)> {
        if !binds && self.bound.is_none() {
            self.unbound.push(index);
            return Vec::new();
        }
        let hub = *self.bound.get_or_insert(index);
        let waiting = self.unbound.drain(..).map(|other| (other, hub));
        waiting
            .chain((index != hub).then_some((index, hub)))
            .collect()
    }
}

fn both_ways(count: usize, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for (one, other) in links {
        for (from, to) in [(one, other), (other, one)] {
            if let Some(list) = neighbours.get_mut(*from) {
                list.push(*to);
            }
        }
    }
    neighbours
}

fn number_groups(origins: &[&Origin], neighbours: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut groups = vec![None; origins.len()];
    let mut next_group = 0;
    for (start, _) in origins.iter().enumerate().filter(|(_, o)| !o.echo) {
        let mut reached = vec![start];
        let mut is_new = false;
        while let Some(index) = reached.pop() {
            let Some(group) = groups.get_mut(index).filter(|group| group.is_none()) else {
                continue;
            };
            *group = Some(next_group);
            is_new = true;
            reached.extend(neighbours.get(index).into_iter().flatten());
        }
        next_group += usize::from(is_new);
    }
    groups
}
