//! The naive twin of the ledger: vectors that are looked through from the beginning, and nothing clever.

use std::collections::BTreeSet;

use testimony_domain::{
    AgentId, EvidenceId, Fact, FactId, Labels, Memory, MemoryId, Owner, Partition, Polarity,
    Reason, Redacted, RunId, SourceLabel, SourceRef, State, Support, Timestamp, Validity,
};
use testimony_service::ports::ledger::audit::Action;
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::memories::{
    Change, Condition, Link, RunOut, digest_of_words,
};

use crate::support::place;

/// An event as the twin knows it.
pub(crate) type Told = (Action, String, Option<String>);

#[derive(Clone, Debug, Default)]
pub(crate) struct Twin {
    pub(crate) evidence: Vec<(Kept, bool)>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) history: Vec<(MemoryId, u64, Condition)>,
    pub(crate) supports: Vec<Support>,
    pub(crate) links: Vec<Link>,
    pub(crate) events: Vec<Told>,
}

/// What an operation was answered.
pub(crate) type Outcome = Result<(), &'static str>;

impl Twin {
    pub(crate) fn tell(&mut self, action: Action, object: String, decision: Option<&str>) -> u64 {
        self.events
            .push((action, object, decision.map(str::to_owned)));
        self.events.len() as u64
    }

    pub(crate) fn keep_evidence(&mut self, kept: &Kept) -> Outcome {
        if self.evidence(kept.evidence.id).is_some() {
            return Err("exists");
        }
        self.tell(Action::EvidenceKept, kept.evidence.id.to_string(), None);
        self.evidence.push((kept.clone(), false));
        Ok(())
    }

    pub(crate) fn add_memory(&mut self, memory: &Memory) -> Outcome {
        let container = memory.partition.container();
        for id in &memory.evidence {
            let there = self.evidence(*id);
            if there.is_none_or(|kept| kept.evidence.partition.container() != container) {
                return Err("missing");
            }
            if self.is_erased(*id) {
                return Err("changed");
            }
        }
        let taken = |other: &Memory| {
            let revision = other.fact == memory.fact && other.revision == memory.revision;
            other.id == memory.id || revision
        };
        if self.memories.iter().any(taken) {
            return Err("exists");
        }
        let of_fact = |other: &&Memory| other.fact == memory.fact;
        let elsewhere = self.memories.iter().find(of_fact);
        if elsewhere.is_some_and(|other| other.partition.container() != container) {
            return Err("missing");
        }
        let own = memory.slot.as_ref().map(|slot| slot.key.clone());
        match self.facts.iter_mut().find(|fact| fact.id == memory.fact) {
            Some(fact) => {
                fact.current = memory.id;
                fact.slot = own.or(fact.slot.take());
            }
            None => self.facts.push(Fact {
                id: memory.fact,
                slot: own,
                current: memory.id,
            }),
        }
        let state = Some(memory.state.as_str());
        let seq = self.tell(Action::MemoryMade, memory.id.to_string(), state);
        self.memories.push(memory.clone());
        self.history.push((memory.id, seq, Condition::of(memory)));
        Ok(())
    }

    pub(crate) fn change(&mut self, change: &Change) {
        let decision = change.event().map(testimony_domain::Event::as_str);
        let seq = self.tell(Action::MemoryChanged, change.memory().to_string(), decision);
        let becomes = change.becomes().clone();
        let memory = self.memory_mut(change.memory());
        *memory = becomes.applied_to(memory);
        let (id, fact) = (memory.id, memory.fact);
        if decision == Some("reinstate") {
            self.fact_mut(fact).current = id;
        }
        self.history.push((id, seq, becomes));
    }

    pub(crate) fn add_support(&mut self, support: &Support) -> Outcome {
        let memory = self.memory(support.memory).ok_or("missing")?;
        if memory.state == State::Erased {
            return Err("changed");
        }
        let container = memory.partition.container().clone();
        let kept = self.evidence(support.evidence).ok_or("missing")?;
        if *kept.evidence.partition.container() != container {
            return Err("missing");
        }
        if self.is_erased(support.evidence) {
            return Err("changed");
        }
        let same = |other: &Support| {
            (other.memory, other.evidence, other.polarity)
                == (support.memory, support.evidence, support.polarity)
        };
        if !self.supports.iter().any(same) {
            let decision = Some(support.polarity.as_str());
            self.tell(Action::SupportAdded, support.memory.to_string(), decision);
            self.supports.push(support.clone());
        }
        Ok(())
    }

    pub(crate) fn link(&mut self, link: Link) -> Outcome {
        let container = |id| {
            self.memory(id)
                .map(|memory| memory.partition.container().clone())
        };
        let from = container(link.from).ok_or("missing")?;
        if container(link.to) != Some(from) {
            return Err("missing");
        }
        if !self.links.contains(&link) {
            let decision = Some(link.relation.as_str());
            self.tell(Action::MemoriesLinked, link.from.to_string(), decision);
            self.links.push(link);
        }
        Ok(())
    }

    pub(crate) fn let_go(&mut self, id: EvidenceId) -> Outcome {
        let index = self
            .evidence
            .iter()
            .position(|(kept, _)| kept.evidence.id == id);
        let index = index.ok_or("missing")?;
        if !self.resting_on(id).is_empty() {
            return Err("changed");
        }
        self.evidence.remove(index);
        self.tell(Action::EvidenceRemoved, id.to_string(), Some("retention"));
        Ok(())
    }

    pub(crate) fn resting_on(&self, id: EvidenceId) -> BTreeSet<MemoryId> {
        let drawn = self.memories.iter().filter(|m| m.evidence.contains(&id));
        let supported = self.supports.iter().filter(|s| s.evidence == id);
        let drawn = drawn.map(|memory| memory.id);
        drawn
            .chain(supported.map(|support| support.memory))
            .collect()
    }

    /// Takes the content out of these memories, and of the evidence that is named or that no other rests on.
    pub(crate) fn erase(&mut self, going: &[MemoryId], named: &[EvidenceId]) {
        let going: Vec<MemoryId> = self
            .memories
            .iter()
            .filter(|memory| going.contains(&memory.id) && memory.state != State::Erased)
            .map(|memory| memory.id)
            .collect();
        let mut evidence: BTreeSet<EvidenceId> = named.iter().copied().collect();
        for (kept, _) in &self.evidence {
            let resting = self.resting_on(kept.evidence.id);
            if !resting.is_empty() && resting.iter().all(|memory| going.contains(memory)) {
                evidence.insert(kept.evidence.id);
            }
        }
        let repeating = self.repeating(&going);
        evidence.extend(
            repeating
                .iter()
                .filter(|id| self.resting_on(**id).is_empty()),
        );
        let evidence: Vec<EvidenceId> = evidence
            .into_iter()
            .filter(|id| !self.is_erased(*id))
            .collect();
        let cut = self.cut(&going, &evidence, &repeating);
        if going.is_empty() && evidence.is_empty() {
            return;
        }
        for id in &going {
            self.erase_memory(*id);
        }
        for id in &evidence {
            self.tell(Action::EvidenceRemoved, id.to_string(), Some("erasure"));
            self.erase_evidence(*id);
        }
        for id in cut {
            self.tell(
                Action::EvidenceRemoved,
                id.to_string(),
                Some("erasure_in_part"),
            );
            self.cut_evidence(id);
        }
        let seq = self.events.len() + 1;
        self.tell(
            Action::Erased,
            format!("erasure:{seq}"),
            Some("carried_out"),
        );
        for fact in going
            .iter()
            .map(|id| self.memory(*id).unwrap().fact)
            .collect::<Vec<_>>()
        {
            self.settle_fact(fact);
        }
    }

    /// Evidence of the same person in the same container that says what goes, in the words of these tests: a text says
    /// one thing.
    fn repeating(&self, going: &[MemoryId]) -> BTreeSet<EvidenceId> {
        let says_it = |kept: &Kept| {
            let place = &kept.evidence.partition;
            going.iter().map(|id| self.memory(*id).unwrap()).any(|it| {
                it.partition.container() == place.container()
                    && it.partition.labels().user == place.labels().user
                    && same_words(&it.content, &kept.evidence.text)
            })
        };
        let living = self.evidence.iter().filter(|(_, erased)| !erased);
        let repeating = living.filter(|(kept, _)| says_it(kept));
        repeating.map(|(kept, _)| kept.evidence.id).collect()
    }

    /// Evidence that says what goes and on which others rest, none of whom says it.
    fn cut(
        &self,
        going: &[MemoryId],
        gone: &[EvidenceId],
        repeating: &BTreeSet<EvidenceId>,
    ) -> BTreeSet<EvidenceId> {
        let speaks_for = |id: EvidenceId, memory: &MemoryId| {
            let drawn = self.memory(*memory).unwrap().evidence.contains(&id);
            let supports = |support: &Support| {
                support.memory == *memory
                    && support.evidence == id
                    && support.polarity == Polarity::Supports
            };
            drawn || self.supports.iter().any(supports)
        };
        let is_cut = |kept: &Kept| {
            let (id, text) = (kept.evidence.id, &kept.evidence.text);
            let says_it = repeating.contains(&id) || going.iter().any(|it| speaks_for(id, it));
            let mut stays = self.resting_on(id);
            stays.retain(|memory| !going.contains(memory));
            let mut stays = stays.iter().map(|memory| self.memory(*memory).unwrap());
            says_it
                && text.as_str() != "[erased]"
                && !stays.any(|memory| same_words(&memory.content, text))
        };
        let left = self
            .evidence
            .iter()
            .filter(|(kept, erased)| !erased && !gone.contains(&kept.evidence.id) && is_cut(kept));
        left.map(|(kept, _)| kept.evidence.id).collect()
    }

    fn cut_evidence(&mut self, id: EvidenceId) {
        let found = self.evidence.iter_mut().find(|(k, _)| k.evidence.id == id);
        let (kept, _) = found.unwrap();
        kept.evidence.text = Redacted::attest("[erased]");
        kept.metadata = None;
        kept.reasons.push(Reason::ContentErased);
    }

    fn erase_memory(&mut self, id: MemoryId) {
        let seq = self.tell(Action::Erased, id.to_string(), Some("erase"));
        self.supports.retain(|support| support.memory != id);
        let memory = self.memory_mut(id);
        memory.content = Redacted::attest("");
        memory.slot = None;
        memory.entities.clear();
        memory.speaker = None;
        memory.partition = without_labels(&memory.partition);
        memory.source = SourceLabel::new("source", "erased").unwrap();
        memory.tags.clear();
        memory.custom_id = None;
        memory.state = State::Erased;
        memory.approved = false;
        memory.review = None;
        memory.contested = false;
        memory.origins = 0;
        memory.reasons = vec![Reason::ContentErased];
        memory.evidence.clear();
        memory.observed_at = memory.created_at;
        memory.validity = Validity::default();
        memory.expires_at = None;
        let condition = Condition::of(memory);
        self.history.push((id, seq, condition));
    }

    fn erase_evidence(&mut self, id: EvidenceId) {
        let run = RunId::new("run", "erased").unwrap();
        let source = SourceRef::new("source", "erased").unwrap();
        for support in self.supports.iter_mut().filter(|s| s.evidence == id) {
            support.origin.agent = support.origin.agent.take().map(|_| erased_agent());
            support.origin.run = support.origin.run.take().map(|_| run.clone());
            support.origin.source = support.origin.source.take().map(|_| source.clone());
        }
        let found = self.evidence.iter_mut().find(|(k, _)| k.evidence.id == id);
        let (kept, erased) = found.unwrap();
        *erased = true;
        kept.metadata = None;
        let evidence = &mut kept.evidence;
        evidence.text = Redacted::attest("");
        evidence.label = SourceLabel::new("source", "erased").unwrap();
        evidence.partition = without_labels(&evidence.partition);
        evidence.observed_at = evidence.recorded_at;
        evidence.origin.agent = evidence.origin.agent.take().map(|_| erased_agent());
        evidence.origin.run = evidence.origin.run.take().map(|_| run);
        evidence.origin.source = evidence.origin.source.take().map(|_| source);
    }

    fn settle_fact(&mut self, fact: FactId) {
        let standing = self.revisions(fact);
        let newest = standing
            .iter()
            .rev()
            .find(|memory| memory.state != State::Erased)
            .map(|memory| memory.id);
        let current = self.facts.iter().find(|f| f.id == fact).unwrap().current;
        let stands = self.memory(current).unwrap().state != State::Erased;
        let row = self.fact_mut(fact);
        match newest {
            None => row.slot = None,
            Some(newest) if !stands => row.current = newest,
            Some(_) => {}
        }
    }

    pub(crate) fn revisions(&self, fact: FactId) -> Vec<Memory> {
        let mut found: Vec<Memory> = self
            .memories
            .iter()
            .filter(|memory| memory.fact == fact)
            .cloned()
            .collect();
        found.sort_by_key(|memory| memory.revision);
        found
    }

    /// The rows whose time ran out, with when. Nothing here waits for long enough to run out by its container's policy.
    pub(crate) fn run_out(&self, now: Timestamp) -> Vec<RunOut> {
        let counting = |memory: &&Memory| matches!(memory.state, State::Active | State::Pending);
        let over = |memory: &Memory| {
            let ends = memory.expires_at.into_iter().chain(memory.validity.until);
            let at = ends.min().filter(|end| *end <= now)?;
            let memory = memory.clone();
            Some(RunOut { memory, at })
        };
        let counting = self.memories.iter().filter(counting);
        let mut found: Vec<RunOut> = counting.filter_map(over).collect();
        found.sort_by_key(|over| over.at);
        found
    }

    pub(crate) fn in_the_same_words(&self, place_number: usize, text: &str) -> Vec<Memory> {
        let digest = digest_of_words(text);
        let counting = |memory: &&Memory| matches!(memory.state, State::Active | State::Pending);
        self.memories
            .iter()
            .filter(counting)
            .filter(|memory| *memory.partition.container() == place(place_number))
            .filter(|memory| digest_of_words(memory.content.as_str()) == digest)
            .cloned()
            .collect()
    }

    /// The memories that changed behind a sequence, in the order of their last change.
    pub(crate) fn changed_since(&self, after: u64) -> Vec<Memory> {
        let last = |memory: &Memory| {
            let of_memory = self.history.iter().filter(|(id, _, _)| *id == memory.id);
            of_memory.map(|(_, seq, _)| *seq).max().unwrap()
        };
        let mut found: Vec<Memory> = self
            .memories
            .iter()
            .filter(|memory| last(memory) > after)
            .cloned()
            .collect();
        found.sort_by_key(last);
        found
    }

    pub(crate) fn memory(&self, id: MemoryId) -> Option<&Memory> {
        self.memories.iter().find(|memory| memory.id == id)
    }

    pub(crate) fn evidence(&self, id: EvidenceId) -> Option<&Kept> {
        let found = self.evidence.iter().find(|(k, _)| k.evidence.id == id);
        found.map(|(kept, _)| kept)
    }

    fn is_erased(&self, id: EvidenceId) -> bool {
        let mut evidence = self.evidence.iter();
        evidence.any(|(kept, erased)| kept.evidence.id == id && *erased)
    }

    pub(crate) fn of_owner(&self, owner: &Owner) -> Vec<MemoryId> {
        let of_owner = self
            .memories
            .iter()
            .filter(|m| m.partition.owner() == owner);
        of_owner.map(|memory| memory.id).collect()
    }

    fn memory_mut(&mut self, id: MemoryId) -> &mut Memory {
        self.memories.iter_mut().find(|m| m.id == id).unwrap()
    }

    fn fact_mut(&mut self, id: FactId) -> &mut Fact {
        self.facts.iter_mut().find(|fact| fact.id == id).unwrap()
    }
}

fn without_labels(partition: &Partition) -> Partition {
    Partition::stored(
        partition.container().clone(),
        partition.plane(),
        partition.scope(),
        match partition.owner() {
            Owner::Agent(_) => Owner::Agent(erased_agent()),
            Owner::Key(key) => Owner::Key(*key),
        },
        Labels::default(),
    )
}

fn erased_agent() -> AgentId {
    AgentId::new("agent", "erased").unwrap()
}

fn same_words(one: &Redacted, other: &Redacted) -> bool {
    let words = |text: &Redacted| text.as_str().trim_end_matches('.').to_lowercase();
    words(one) == words(other)
}
