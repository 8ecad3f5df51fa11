//! Recall: governed results, or the answer that there are none.

use testimony_domain::{
    Capability, Claim, ContainerTag, ContextTokens, GraphHops, Invalid, Memory, MemoryId,
    Principal, Problem, RequestId, Timestamp,
};
use testimony_recall::pack::{O200k, Packet};
use testimony_recall::query::RowReader;
use testimony_recall::{
    Budget, Candidate, Channels, Mode, Options, Reading, Recall, Request, SourceState, TrustGate,
    View, pack, recall_as_read,
};

use super::aids::{Aided, Aids, Help, HelpStatus, with_a_pool};
use super::candidates::{Candidates, Question};
use super::journal::{Note, Slip};
use super::likeness::WordLikeness;
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::ports::embedder::Embedder;
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::reads::{HandedOut, ReadRow, Route};
use crate::service::Service;
use crate::upkeep::Retention;

/// A recall.
#[derive(Clone, Debug, Default)]
pub struct RecallRequest {
    /// Whom it claims to come from.
    pub claim: Claim,
    /// What is asked.
    pub query: String,
    /// What is wanted beside.
    pub options: Options,
    /// How far relationships are followed.
    pub hops: GraphHops,
    /// Whether a model puts the question into other words, which are looked for beside its own.
    pub rewrite: bool,
    /// Whether the results are ordered anew.
    pub rerank: bool,
    /// By what they are, by name; the usual one where none is named.
    pub reranking_backend: Option<String>,
    /// The caller's own id of the request.
    pub request: Option<RequestId>,
    /// Where it is noted what was handed out, once whoever passes the rows on knows; without one, all of them count.
    pub slip: Option<Slip>,
}

impl RecallRequest {
    /// A question, and nothing else.
    #[must_use]
    pub fn of(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            ..Self::default()
        }
    }
}

/// What a recall answers. It lends its rows: whoever needs them longer copies what is needed.
#[derive(Clone, Copy, Debug)]
pub struct RecallAnswer<'a> {
    /// Who asked.
    pub visitor: &'a Visitor,
    /// The lanes and how they came to be.
    pub recall: &'a Recall<'a>,
    /// What of it can stand in a prompt.
    pub packet: &'a Packet<'a>,
    /// What helped to find it, and what could not.
    pub aided: &'a Aided,
}

/// A question on its way to an answer.
pub(super) struct Asked<'a> {
    pub(super) visitor: &'a Visitor,
    pub(super) query: &'a str,
    pub(super) goal: Option<&'a str>,
    pub(super) options: &'a Options,
    pub(super) hops: GraphHops,
    pub(super) budget: (usize, usize),
    pub(super) route: Route,
    pub(super) request: Option<&'a RequestId>,
    pub(super) aids: Aids<'a>,
    /// Where it is noted what was handed out, where that is known later.
    pub(super) slip: Option<&'a Slip>,
}

impl<'a> Asked<'a> {
    /// The question as candidates are looked for.
    fn question(
        &self,
        embedder: &'a dyn Embedder,
        reading: &'a Reading,
        now: Timestamp,
    ) -> Question<'a> {
        Question {
            who: &self.visitor.identity,
            text: self.query,
            embedder,
            reading,
            options: self.options,
            hops: self.hops,
            now,
        }
    }

    pub(super) fn of(visitor: &'a Visitor, request: &'a RecallRequest) -> Self {
        Self {
            visitor,
            query: &request.query,
            goal: None,
            options: &request.options,
            hops: request.hops,
            budget: (
                request.options.limit.get() as usize,
                ContextTokens::default().get() as usize,
            ),
            route: Route::Recall,
            request: request.request.as_ref(),
            aids: Aids::default(),
            slip: request.slip.as_ref(),
        }
    }
}

impl Service {
    /// Answers a question from memory, and hands the answer to `with`.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be asked. That nothing is known is an answer.
    pub fn recall<T>(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &RecallRequest,
        with: impl FnOnce(RecallAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        let visitor = self.admitted(principal, container, request)?;
        let mut aided = self.aided(&visitor, request)?;
        let pooled = with_a_pool(&request.options);
        let expanded = aided.expanded.clone();
        let mut asked = Asked::of(&visitor, request);
        asked.aids.expanded = expanded.as_deref();
        let backend = aided.backend.clone().filter(|_| request.rerank);
        if let Some(backend) = &backend {
            asked.aids.order = Some((backend, request.options.limit));
            asked.options = &pooled;
        }
        self.answer_aided(&asked, &mut aided, with)
    }

    /// Finds candidates for a question and hands them over unjudged, with the question as the recall core takes it: for
    /// whoever judges by other means, or measures how they are judged. Nothing is handed out, so nothing is noted.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be asked.
    pub fn weigh<T>(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &RecallRequest,
        with: impl FnOnce(&Request<'_>, &[Candidate<'_>]) -> T,
    ) -> Result<T, ServiceError> {
        let visitor = self.admitted(principal, container, request)?;
        let asked = Asked::of(&visitor, request);
        self.judge(&asked, None, self.clock.now(), |request, _, rows| {
            with(request, rows)
        })
    }

    /// What is to help with a recall: other words for its question, where a model gives some, and what orders its results.
    fn aided(&self, visitor: &Visitor, request: &RecallRequest) -> Result<Aided, ServiceError> {
        let named = request.reranking_backend.as_deref();
        let mut aided = Aided::default();
        if request.rerank || named.is_some() {
            aided.backend = Some(self.backend(named)?);
        }
        if request.rewrite {
            let policy = &visitor.container.policy;
            match self.reworded(policy, &request.query) {
                Ok((words, _)) => {
                    aided.expanded = Some(words);
                    aided.rewriting = Help::told(HelpStatus::Applied);
                }
                Err(failure) => aided.rewriting = Help::failed(failure),
            }
        }
        Ok(aided)
    }

    fn admitted(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &RecallRequest,
    ) -> Result<Visitor, ServiceError> {
        let visitor = self.enter(principal, container, Capability::Recall, &request.claim)?;
        if request.query.trim().is_empty() {
            return Err(Invalid::new("query", Problem::Empty).into());
        }
        check_view(&visitor, request.options.view)?;
        Ok(visitor)
    }

    /// Finds candidates, judges them, packs what may stand in a prompt, and notes what was handed out.
    pub(super) fn answer<T>(
        &self,
        asked: &Asked<'_>,
        with: impl FnOnce(RecallAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        self.answer_aided(asked, &mut Aided::default(), with)
    }

    /// The same, with what helped to find it.
    fn answer_aided<T>(
        &self,
        asked: &Asked<'_>,
        aided: &mut Aided,
        with: impl FnOnce(RecallAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        let now = self.clock.now();
        self.judge(asked, None, now, |request, reading, rows| {
            let mut recalled = recall_as_read(request, reading, rows);
            aided.reranking = self.reranked(asked, &mut recalled);
            let packet = self.pack(asked, &recalled);
            // Of a container that is not kept yet nothing was read: whoever makes names up fills no disk with them.
            if asked.visitor.is_made {
                self.note(asked, &recalled, &packet, now);
            }
            with(RecallAnswer {
                visitor: asked.visitor,
                recall: &recalled,
                packet: &packet,
                aided,
            })
        })
    }

    /// Finds candidates for a question, and hands both, with the reading of the question, to whoever judges them;
    /// `besides` is judged with them whether or not any source found it.
    pub(super) fn judge<T>(
        &self,
        asked: &Asked<'_>,
        besides: Option<&Memory>,
        now: Timestamp,
        with: impl FnOnce(&Request<'_>, &Reading, &[Candidate<'_>]) -> T,
    ) -> Result<T, ServiceError> {
        let gates = self.gates_of_others();
        let mut request = request_of(asked, &gates, now);
        let reading = request.reading();
        let embedder = self.embedders.of(&asked.visitor.container);
        let question = asked.question(embedder.as_ref(), &reading, now);
        let of_words = self.embedders.of_words(embedder);
        let likeness = of_words.map(|embedder| WordLikeness::of(embedder.as_ref(), &self.lexicon));
        let candidates = self.candidates(&question)?;
        request.sources = candidates.sources;
        let rarity = |word: &str| candidates.rarity_of(word);
        if !candidates.rarity.is_empty() {
            request.rarity = Some(&rarity);
        }
        if candidates.sources.semantic == SourceState::Up && asked.options.mode != Mode::Keyword {
            request.usual = Some(candidates.usual());
        }
        request.reader = self
            .reader
            .get()
            .map(|reader| -> &dyn RowReader { reader.as_ref() });
        if asked.options.mode != Mode::Keyword
            && let Some(likeness) = &likeness
        {
            request.likeness = Some(likeness);
        }
        let more = self.by_other_words(asked, question)?;
        let rows = together(&candidates, more.as_ref(), besides);
        if request.rarity.is_none() {
            return Ok(with(&request, &reading, &rows));
        }
        // Read again, now that it is known how rare its words are.
        Ok(with(&request, &request.reading(), &rows))
    }

    /// The gates that the embedding program added.
    fn gates_of_others(&self) -> Vec<&dyn TrustGate> {
        let gates = self.gates.iter();
        gates
            .map(|gate| -> &dyn TrustGate { gate.as_ref() })
            .collect()
    }

    /// What other words find. It is judged by the question's own, and a row that both find counts once.
    fn by_other_words(
        &self,
        asked: &Asked<'_>,
        question: Question<'_>,
    ) -> Result<Option<Candidates>, ServiceError> {
        let other = asked.aids.expanded;
        let found = other.map(|text| self.candidates(&Question { text, ..question }));
        found.transpose()
    }

    /// What of an answer can stand in a prompt; everything that leaves is looked through for secrets once more.
    pub(super) fn pack<'a>(&self, asked: &Asked<'_>, recalled: &Recall<'a>) -> Packet<'a> {
        let policy = &asked.visitor.container.policy;
        let budget = Budget {
            rows: asked.budget.0,
            tokens: asked.budget.1,
            counter: &O200k,
        };
        pack(&recalled.answer, &budget, &|texts: &[&str]| {
            self.show_secrets(policy, texts)
        })
    }

    /// Notes what was read and handed out, by ids alone. Of rows that nobody is told, only that somebody asked is noted.
    fn note(
        &self,
        asked: &Asked<'_>,
        recalled: &Recall<'_>,
        packet: &Packet<'_>,
        began: Timestamp,
    ) {
        let now = self.clock.now();
        let answer = &recalled.answer;
        let returned = told(recalled, packet);
        let who = &asked.visitor.identity;
        let handed = returned.iter().map(|id| HandedOut {
            key: who.key(),
            run: who.labels().run.clone(),
            memory: *id,
            at: now,
            until: Retention::default().handed_out_until(now),
        });
        let note = Note {
            handed: handed.collect(),
            row: ReadRow {
                at: now,
                by: Actor::of(who),
                container: who.container().clone(),
                route: asked.route,
                request: asked.request.cloned(),
                suppressed: u32::try_from(answer.suppressed.len()).unwrap_or(u32::MAX),
                abstained: answer.diagnostics.abstained,
                latency_us: u32::try_from(now.duration_since(began).as_micros())
                    .unwrap_or(u32::MAX),
                returned,
            },
        };
        match asked.slip {
            Some(slip) => slip.hold(&self.journal, note),
            None => self.journal.note(note),
        }
    }
}

/// The rows that an answer tells, each once.
fn told(recalled: &Recall<'_>, packet: &Packet<'_>) -> Vec<MemoryId> {
    let answer = &recalled.answer;
    let shown = answer.results.iter().chain(&answer.related_context);
    let mut told: Vec<MemoryId> = shown.map(|row| row.memory.id).collect();
    let cited = packet.citations.iter().map(|cited| cited.row.memory.id);
    let more: Vec<MemoryId> = cited.filter(|id| !told.contains(id)).collect();
    told.extend(more);
    told
}

/// A view beside the assistant's is for people who review or operate.
fn check_view(visitor: &Visitor, view: View) -> Result<(), ServiceError> {
    let needed = match view {
        View::Assistant => return Ok(()),
        View::Review => Capability::Review,
        View::Forensic => Capability::Admin,
    };
    if visitor.identity.allows(needed) {
        Ok(())
    } else {
        Err(testimony_domain::Refusal::Capability { needed }.into())
    }
}

/// A question as whoever judges it has it.
fn request_of<'a>(
    asked: &Asked<'a>,
    gates: &'a [&'a dyn TrustGate],
    now: Timestamp,
) -> Request<'a> {
    Request {
        goal: asked.goal,
        dropped: &asked.visitor.dropped,
        gates,
        ..Request::new(asked.query, &asked.visitor.identity, asked.options, now)
    }
}

/// What the question's own words and other words find, and a row that is judged whether or not anything found it.
fn together<'a>(
    candidates: &'a Candidates,
    more: Option<&'a Candidates>,
    besides: Option<&'a Memory>,
) -> Vec<Candidate<'a>> {
    let mut rows = candidates.all();
    rows.extend(more.into_iter().flat_map(Candidates::all));
    let unfound = besides.filter(|row| rows.iter().all(|known| known.memory.id != row.id));
    rows.extend(unfound.map(|memory| Candidate {
        memory,
        channels: Channels::default(),
        text: None,
        reads: None,
        follows: None,
    }));
    rows
}
