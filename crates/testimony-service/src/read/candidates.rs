//! Candidates for a question: what the index finds, in cuts that do not crowd each other out, with the rows as the
//! ledger has them.

use std::collections::HashMap;
use std::sync::Arc;

use testimony_domain::{
    EffectiveIdentity, FactId, GraphHops, Memory, MemoryId, Score, Standing, State, Timestamp,
};
use testimony_recall::query::Role;
use testimony_recall::{
    Candidate, Channel, Channels, Mode, Options, Reading, SourceState, Sources, TimeIntent,
};

use crate::error::{NotFound, ServiceError};
use crate::ports::embedder::{Embedder, Vector};
use crate::ports::index::{Cut, Found, Hit, IndexQuery, Meaning};
use crate::ports::ledger::LedgerError;
use crate::ports::ledger::audit::Seq;
use crate::read::shelf::Known;
use crate::service::Service;

/// Rows each in the place of its id; `None` where there is none.
type InPlace = Vec<Option<Arc<Known>>>;

/// Rows that can be results.
const RESULTS: &[Standing] = &[
    Standing::CleanPerson,
    Standing::CleanTool,
    Standing::SingleOrigin,
    Standing::Established,
];
/// Rows that can only be confirmed.
const CONFIRM: &[Standing] = &[Standing::AwaitsReview, Standing::Contested];
/// Rows that are over.
const OVER: &[Standing] = &[Standing::Superseded, Standing::Expired];
/// Rows that are never shown, and whose absence is explained.
const NEVER: &[Standing] = &[
    Standing::Quarantined,
    Standing::Forensic,
    Standing::Rejected,
];

/// So many candidates of each channel are read word by word, however few rows are wanted; of those behind them hardly one
/// in a hundred answers.
const ROOM: usize = 48;
/// So many are read beyond the rows that are wanted, since some say the same or fall below the floor.
const BEYOND: usize = 16;
/// So many rows wait for a person, are over, or are never shown, and are named beside the others.
const BESIDE: usize = 16;

/// How many candidates each lane has room for, by channel.
fn room(question: &Question<'_>) -> [(&'static [Standing], usize); 4] {
    let wanted = usize::try_from(question.options.limit.get()).unwrap_or(usize::MAX);
    let results = wanted.saturating_add(BEYOND).max(ROOM);
    let over = if question.reading.time.looks_back() {
        results
    } else {
        BESIDE
    };
    let confirm = wanted.max(BESIDE);
    [
        (RESULTS, results),
        (CONFIRM, confirm),
        (OVER, over),
        (NEVER, BESIDE),
    ]
}

/// So many rows may answer a question; whoever is behind them only happens to be near.
const BEHIND_THE_BEST: usize = 5;
/// Rows that have nothing to do with a question are so like it.
const LEAST_USUAL: f64 = 0.15;

/// How rare a word counts that the index takes for one without a topic.
const UNCOUNTED: f64 = 0.2;

/// So many rows are judged that only stand beside those that speak most of what is asked: an answer often stands beside
/// the words that it shares with nobody.
const TALKED_ABOUT: usize = 40;

/// So many of the best rows have their relationships followed.
const SEEDS: usize = 12;
/// So many names are followed at a time.
const NAMES: usize = 24;
/// What a relationship passes on of the relevance behind it.
const PASSED_ON: f64 = 0.5;

/// A row with what the search says of it.
type Row = (Arc<Known>, Channels);

/// Candidates as the recall core takes them, with the rows that they borrow.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    rows: Vec<Row>,
    pub(super) sources: Sources,
    /// How rare the words of the question are among the rows that the asker may see.
    pub(super) rarity: HashMap<Box<str>, f64>,
}

impl Candidates {
    /// How like the question the rows are that only happen to be near: those behind the best.
    pub(super) fn usual(&self) -> f64 {
        let likeness = self
            .rows
            .iter()
            .filter_map(|(_, channels)| channels.get(Channel::Semantic));
        let mut likeness: Vec<f64> = likeness.map(Score::get).collect();
        likeness.sort_by(|one, other| other.total_cmp(one));
        likeness
            .get(BEHIND_THE_BEST)
            .map_or(LEAST_USUAL, |usual| usual.max(LEAST_USUAL))
    }

    /// How rare a word of the question is; one that nobody counted carries no topic.
    pub(super) fn rarity_of(&self, word: &str) -> f64 {
        self.rarity.get(word).copied().unwrap_or(UNCOUNTED)
    }

    pub(super) fn all(&self) -> Vec<Candidate<'_>> {
        self.rows
            .iter()
            .map(|(row, channels)| Candidate {
                memory: &row.memory,
                channels: *channels,
                text: Some(&row.text),
                reads: None,
                follows: None,
            })
            .collect()
    }
}

/// What a vector means in a search.
pub(crate) fn meaning<'a>(embedder: &'a dyn Embedder, vector: &'a Vector) -> Meaning<'a> {
    Meaning {
        vector,
        embedder: embedder.identity(),
        calibration: embedder.calibration(),
    }
}

/// What is looked for, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) who: &'a EffectiveIdentity,
    pub(super) text: &'a str,
    /// The embedder of the container.
    pub(super) embedder: &'a dyn Embedder,
    pub(super) reading: &'a Reading,
    pub(super) options: &'a Options,
    pub(super) hops: GraphHops,
    pub(super) now: Timestamp,
}

impl Service {
    /// Finds candidates, and says which sources could be asked.
    pub(super) fn candidates(&self, question: &Question<'_>) -> Result<Candidates, ServiceError> {
        let (vector, semantic) = self.meaning_of(question);
        let names = names_in(question);
        let words = match question.options.mode {
            Mode::Semantic => "",
            Mode::Hybrid | Mode::Keyword => question.text,
        };
        let found = self.look(question, words, &names, vector.as_ref(), TALKED_ABOUT);
        let mut sources = Sources {
            keyword: SourceState::Down,
            semantic: SourceState::Down,
        };
        let mut hits: Vec<(MemoryId, Channels)> = Vec::new();
        let mut rarity = HashMap::new();
        if let Some(found) = found {
            rarity = found.rarity.into_iter().collect();
            sources = Sources {
                semantic: worse(found.sources.semantic, semantic),
                ..found.sources
            };
            hits.extend(found.hits.iter().map(|hit| (hit.memory, hit.channels)));
            hits.sort_unstable_by_key(|(id, _)| *id);
        }
        let priority = self.priority_rows(question)?;
        let mut rows = self.rows_of(&hits)?;
        if question.options.graph_traversal {
            self.follow_relationships(question, &names, &mut rows)?;
        }
        if question.reading.time == TimeIntent::Current {
            self.join_successors(&mut rows)?;
        }
        join_new(&mut rows, priority);
        Ok(Candidates {
            rows,
            sources,
            rarity,
        })
    }

    /// The meaning of the question; an embedder that is down leaves the channel out. Where there is no row to compare it
    /// with, only whoever could be down is asked for it.
    fn meaning_of(&self, question: &Question<'_>) -> (Option<Vector>, SourceState) {
        let container = question.who.container();
        let is_idle = || question.embedder.is_quick() && self.index.rows_in(container) == Some(0);
        if question.options.mode == Mode::Keyword || is_idle() {
            return (None, SourceState::Up);
        }
        match question.embedder.embed_at_once(&[question.text]) {
            Ok(vectors) => (vectors.into_iter().next().flatten(), SourceState::Up),
            Err(_) => (None, SourceState::Down),
        }
    }

    fn look(
        &self,
        question: &Question<'_>,
        words: &str,
        entities: &[String],
        vector: Option<&Vector>,
        beside: usize,
    ) -> Option<Found> {
        let time = question.reading.time;
        let cuts = room(question).map(|(standings, limit)| Cut {
            standings,
            time,
            limit,
        });
        let query = IndexQuery {
            identity: question.who,
            view: question.options.view,
            words,
            entities,
            meaning: vector.map(|vector| meaning(question.embedder, vector)),
            filters: &question.options.filters,
            now: question.now,
            cuts: &cuts,
            beside,
        };
        self.find(&query)
    }

    /// The rows that were found, in the order of their ids.
    fn rows_of(&self, hits: &[(MemoryId, Channels)]) -> Result<Vec<Row>, ServiceError> {
        let ids: Vec<MemoryId> = hits.iter().map(|(id, _)| *id).collect();
        let rows = self.known(&ids)?.into_iter().zip(hits);
        let with_channels = rows.filter_map(|(row, (_, channels))| Some((row?, *channels)));
        Ok(with_channels.collect())
    }

    /// What now holds of the facts of which rows that were replaced speak: it may say so in no word of the question.
    fn join_successors(&self, rows: &mut Vec<Row>) -> Result<(), ServiceError> {
        let is_over = |row: &&Row| row.0.memory.state == State::Superseded;
        let (over, open): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(is_over);
        let found = |fact: FactId| open.iter().any(|(row, _)| row.memory.fact == fact);
        let mut facts: Vec<FactId> = over.iter().map(|(row, _)| row.memory.fact).collect();
        facts.sort_unstable();
        facts.dedup();
        facts.retain(|fact| !found(*fact));
        if facts.is_empty() {
            return Ok(());
        }
        let reader = self.ledger.reader()?;
        let current = facts
            .into_iter()
            .filter_map(|fact| reader.fact(fact).transpose());
        let current = current.map(|fact| Ok(fact?.current));
        let current: Vec<MemoryId> = current.collect::<Result<_, LedgerError>>()?;
        join_new(rows, self.known(&current)?.into_iter().flatten());
        Ok(())
    }

    /// Rows with their texts read, each in the place of its id: those at hand, and the others from the ledger.
    pub(crate) fn known(&self, ids: &[MemoryId]) -> Result<InPlace, ServiceError> {
        self.known_since(ids).map(|(rows, _)| rows)
    }

    /// The same, with a sequence of the ledger: a row that did not change behind it is as it is here.
    pub(crate) fn known_since(&self, ids: &[MemoryId]) -> Result<(InPlace, Seq), ServiceError> {
        let (mut rows, moment) = self.shelf.look(ids);
        let missing = ids.iter().zip(&rows).filter(|(_, row)| row.is_none());
        let missing: Vec<MemoryId> = missing.map(|(id, _)| *id).collect();
        if !missing.is_empty() {
            let read = self.ledger.reader()?.memories(&missing)?;
            let mut read = self.shelf.keep(&moment, read);
            read.sort_unstable_by_key(|row| row.memory.id);
            let places = ids.iter().zip(&mut rows);
            for (id, place) in places.filter(|(_, row)| row.is_none()) {
                let at = read.binary_search_by_key(id, |row| row.memory.id).ok();
                *place = at.and_then(|at| read.get(at)).cloned();
            }
        }
        Ok((rows, moment.reached))
    }

    /// Rows that the caller asked for by id. One that does not exist for it is not found.
    fn priority_rows(&self, question: &Question<'_>) -> Result<Vec<Arc<Known>>, ServiceError> {
        let wanted = &question.options.priority_ids;
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.known(wanted)?.into_iter();
        let visible = rows.map(|row| {
            let row = row?;
            super::is_visible(&row.memory, question.who).then_some(row)
        });
        let visible: Option<Vec<Arc<Known>>> = visible.collect();
        visible.ok_or_else(|| NotFound::Priority.into())
    }

    /// From what the best rows speak of to other rows that speak of it, hop by hop.
    ///
    /// The index answers each hop for the asker alone, so no row that it may not see leads anywhere or takes room.
    fn follow_relationships(
        &self,
        question: &Question<'_>,
        asked: &[String],
        rows: &mut Vec<Row>,
    ) -> Result<(), ServiceError> {
        let mut followed: Vec<String> = asked.to_vec();
        let mut passes = PASSED_ON;
        for _ in 0..question.hops.get() {
            let names = names_of_the_best(rows, &followed);
            if names.is_empty() {
                break;
            }
            let Some(found) = self.look(question, "", &names, None, 0) else {
                break;
            };
            followed.extend(names);
            self.join(&found.hits, passes, rows)?;
            passes *= PASSED_ON;
        }
        Ok(())
    }

    fn join(&self, hits: &[Hit], passes: f64, rows: &mut Vec<Row>) -> Result<(), ServiceError> {
        let mut new = Vec::new();
        for hit in hits {
            let spoken_of = hit.channels.get(Channel::Entity).map_or(0.0, Score::get);
            let graph =
                Channels::default().with(Channel::Graph, Score::clamped(spoken_of * passes));
            match rows.iter_mut().find(|(row, _)| row.memory.id == hit.memory) {
                Some((_, channels)) => *channels = channels.joined(graph),
                None => new.push((hit.memory, graph)),
            }
        }
        new.sort_unstable_by_key(|(id, _)| *id);
        rows.extend(self.rows_of(&new)?);
        Ok(())
    }
}

/// Puts rows for which no channel speaks behind those that were found, each once.
fn join_new(rows: &mut Vec<Row>, new: impl IntoIterator<Item = Arc<Known>>) {
    for row in new {
        if !rows.iter().any(|(it, _)| it.memory.id == row.memory.id) {
            rows.push((row, Channels::default()));
        }
    }
}

/// Names that the question may mean: words that name something, and capitalised words that stand side by side, since a
/// thing is found by its whole name.
fn names_in(question: &Question<'_>) -> Vec<String> {
    let words = question.reading.focus.iter();
    let naming = words.filter(|term| matches!(term.role, Role::Subject | Role::Name));
    let mut names: Vec<String> = naming.map(|term| term.raw.clone()).collect();
    let mut run: Vec<&str> = Vec::new();
    for word in question.text.split_whitespace().chain([""]) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.chars().next().is_some_and(char::is_uppercase) {
            run.push(bare);
            continue;
        }
        // The first word of a sentence is capitalised whether or not it is part of a name.
        let tails = (0..run.len().min(2)).filter_map(|from| run.get(from..));
        names.extend(
            tails
                .filter(|tail| tail.len() > 1)
                .map(|tail| tail.join(" ")),
        );
        run.clear();
    }
    names
}

/// From so much on, of all channels together, a row may lead to others: what only happens to be near leads nowhere.
const LEADS_FROM: f64 = 0.3;

/// Names in the rows that most speaks for, beside those that were followed already.
fn names_of_the_best(rows: &[Row], followed: &[String]) -> Vec<String> {
    let strength = |channels: &Channels| {
        let said = Channel::ALL
            .iter()
            .filter_map(|channel| channels.get(*channel));
        said.map(Score::get).sum::<f64>()
    };
    let mut best: Vec<(f64, &Memory)> = rows
        .iter()
        .map(|(row, channels)| (strength(channels), &row.memory))
        .filter(|(strength, _)| *strength >= LEADS_FROM)
        .collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    let mut names: Vec<String> = Vec::new();
    for name in best
        .iter()
        .take(SEEDS)
        .flat_map(|(_, row)| row.entities.iter())
    {
        let known = followed
            .iter()
            .chain(&names)
            .any(|known| known.eq_ignore_ascii_case(name));
        if !known && names.len() < NAMES {
            names.push(name.clone());
        }
    }
    names
}

fn worse(one: SourceState, other: SourceState) -> SourceState {
    match (one, other) {
        (SourceState::Up, SourceState::Up) => SourceState::Up,
        (SourceState::Down, _) | (_, SourceState::Down) => SourceState::Down,
    }
}
