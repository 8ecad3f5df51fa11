//! A search in one container: what each channel says, the best of each cut, and for each row found what all channels
//! say of it.

use std::collections::BTreeSet;

use tantivy::query::Bm25Weight;
use testimony_domain::{ContainerTag, Score};
use testimony_recall::{Channel, Channels, SourceState, Sources};
use testimony_service::ports::index::{Cut, Hit, IndexError, IndexQuery, Meaning};

use super::best::Best;
use super::eligible::{CUTS_AT_ONCE, Marks, Sight};
use super::room::Contents;
use super::scan::best_by_meaning;
use super::terms::Asked;
use super::vectors::{Quantised, Space};

/// What BM25 gives at most for a word, where a row of average length that says it once gets 1.
const MOST_FOR_A_WORD: f64 = 2.2;

/// What was found, and which channels answered.
pub(super) type Findings = (Vec<Hit>, Sources);

/// Searches a container.
pub(super) fn search(
    contents: &Contents,
    room: u32,
    container: &ContainerTag,
    query: &IndexQuery<'_>,
) -> Result<Findings, IndexError> {
    let sight = Sight::of(
        &contents.rows,
        container,
        query.identity,
        query.view,
        query.now,
    );
    let mut sources = Sources::default();
    let cuts: Vec<&[Cut<'_>]> = query.cuts.chunks(CUTS_AT_ONCE).collect();
    let marks = cuts
        .iter()
        .map(|cuts| Marks::of(&contents.rows, &sight, query.filters, query.now, cuts));
    let marks: Vec<Marks> = marks.collect();
    // Who may know of a row is the same in all of them.
    let Some(visible) = marks.first() else {
        return Ok((Vec::new(), sources));
    };
    let asked = Asked::of(query.words, query.entities);
    let words = WordScores::of(contents, room, &sight, visible, &asked);
    let words = words.unwrap_or_else(|error| {
        tracing::warn!(%error, "the index of words could not be asked");
        sources.keyword = SourceState::Down;
        WordScores::default()
    });
    let meaning = query
        .meaning
        .map(|meaning| AskedMeaning::of(contents, visible, meaning));
    let meaning = meaning.transpose()?.flatten();
    let mut found = BTreeSet::new();
    for (cuts, marks) in cuts.iter().zip(&marks) {
        let limits: Vec<usize> = cuts.iter().map(|cut| cut.limit).collect();
        for scores in [&words.keyword, &words.lexical, &words.names] {
            found.extend(best_of(scores, contents, marks, &limits));
        }
        if let Some(meaning) = &meaning {
            found.extend(best_by_meaning(
                meaning.space,
                &meaning.vector,
                &contents.rows,
                marks,
                &limits,
            ));
        }
    }
    let hit = |slot: u32| {
        let channels = words.channels(slot);
        let channels = meaning
            .as_ref()
            .map_or(channels, |meaning| meaning.speak(channels, slot));
        Some(Hit {
            memory: contents.rows.id(slot)?,
            channels,
        })
    };
    let hits = found
        .into_iter()
        .filter_map(hit)
        .filter(|hit| hit.channels != Channels::default());
    Ok((in_order(hits.collect()), sources))
}

/// Best first: by what all channels say together, equals by their ids.
fn in_order(mut hits: Vec<Hit>) -> Vec<Hit> {
    let together = |hit: &Hit| -> f64 {
        Channel::ALL
            .iter()
            .filter_map(|channel| hit.channels.get(*channel))
            .map(Score::get)
            .sum()
    };
    hits.sort_by(|one, other| {
        together(other)
            .total_cmp(&together(one))
            .then(one.memory.cmp(&other.memory))
    });
    hits
}

fn best_of(scores: &[f32], contents: &Contents, marks: &Marks, limits: &[usize]) -> Vec<u32> {
    let mut best: Vec<Best> = limits.iter().map(|limit| Best::new(*limit)).collect();
    let rows = (0_u32..).zip(scores.iter().zip(marks.all_cuts()));
    for (slot, (score, cuts)) in rows.filter(|(_, (score, cuts))| **score > 0.0 && *cuts != 0) {
        for (at, best) in best.iter_mut().enumerate() {
            if cuts & 1 << at != 0 {
                best.offer(*score, slot, || contents.rows.id(slot));
            }
        }
    }
    best.iter().flat_map(Best::slots).collect()
}

/// What the words of a question say of each slot.
#[derive(Debug, Default)]
struct WordScores {
    keyword: Vec<f32>,
    /// What a row of average length would get that says every word of the question once.
    keyword_scale: f32,
    lexical: Vec<f32>,
    lexical_scale: f32,
    names: Vec<f32>,
    names_scale: f32,
}

impl WordScores {
    fn of(
        contents: &Contents,
        room: u32,
        sight: &Sight,
        marks: &Marks,
        asked: &Asked,
    ) -> tantivy::Result<Self> {
        let mut scores = Self::default();
        let census = sight.census;
        if census.rows == 0 {
            return Ok(scores);
        }
        let slots = |terms: &[Box<str>]| {
            vec![
                0.0;
                if terms.is_empty() {
                    0
                } else {
                    contents.rows.slots()
                }
            ]
        };
        let average = census.tokens as f32 / census.rows as f32;
        let mut postings = Vec::new();
        scores.keyword = slots(&asked.stems);
        for term in &asked.stems {
            visible_postings(contents, room, marks, term, &mut postings)?;
            let standing_in = (postings.len() as u64).min(census.rows);
            let weight =
                Bm25Weight::for_one_term_without_explain(standing_in, census.rows, average);
            scores.keyword_scale += rarity(standing_in, census.rows);
            for (slot, count) in &postings {
                let norm = contents
                    .rows
                    .hot
                    .get(*slot as usize)
                    .map_or(0, |row| row.norm);
                add(&mut scores.keyword, *slot, weight.score(norm, *count));
            }
        }
        scores.lexical = slots(&asked.words);
        for term in &asked.words {
            visible_postings(contents, room, marks, term, &mut postings)?;
            let worth = rarity((postings.len() as u64).min(census.rows), census.rows);
            scores.lexical_scale += worth;
            for (slot, _) in &postings {
                add(&mut scores.lexical, *slot, worth);
            }
        }
        scores.names = slots(&asked.names);
        scores.names_scale = asked.names.len() as f32;
        for term in &asked.names {
            visible_postings(contents, room, marks, term, &mut postings)?;
            for (slot, _) in &postings {
                add(&mut scores.names, *slot, 1.0);
            }
        }
        Ok(scores)
    }

    /// What is said of one row.
    fn channels(&self, slot: u32) -> Channels {
        let share = |scores: &[f32], scale: f32| {
            let score = scores
                .get(slot as usize)
                .copied()
                .filter(|score| *score > 0.0)?;
            Some(f64::from(score) / f64::from(scale))
        };
        let spoken = [
            (
                Channel::Keyword,
                share(&self.keyword, self.keyword_scale).map(keyword_score),
            ),
            (Channel::Lexical, share(&self.lexical, self.lexical_scale)),
            (Channel::Entity, share(&self.names, self.names_scale)),
        ];
        let said = spoken
            .into_iter()
            .filter_map(|(channel, score)| Some((channel, score?)));
        said.fold(Channels::default(), |all, (channel, score)| {
            all.with(channel, Score::clamped(score))
        })
    }
}

/// From 0 to 1, and rising throughout: 0.73 for a row of average length that says every word of the question once, and
/// 1 for what BM25 could give at the very most.
fn keyword_score(share: f64) -> f64 {
    share * (MOST_FOR_A_WORD + 1.0) / (MOST_FOR_A_WORD * (share + 1.0))
}

/// The inverse document frequency, as BM25 has it.
fn rarity(standing_in: u64, rows: u64) -> f32 {
    let (standing_in, rows) = (standing_in as f32, rows as f32);
    (1.0 + (rows - standing_in + 0.5) / (standing_in + 0.5)).ln()
}

fn add(scores: &mut [f32], slot: u32, score: f32) {
    if let Some(sum) = scores.get_mut(slot as usize) {
        *sum += score;
    }
}

/// The postings of rows that are there and may be known: what is not counted here is as if it were not in the index.
fn visible_postings(
    contents: &Contents,
    room: u32,
    marks: &Marks,
    term: &str,
    into: &mut Vec<(u32, u32)>,
) -> tantivy::Result<()> {
    into.clear();
    contents.walk(room, term, &mut |slot, count| {
        if marks.is_visible(slot) {
            into.push((slot, count));
        }
    })
}

/// The meaning of a question, ready to be compared.
struct AskedMeaning<'a> {
    space: &'a Space,
    vector: Quantised,
    meaning: Meaning<'a>,
}

impl<'a> AskedMeaning<'a> {
    /// `None` when no row that the asker may know of has a vector at all.
    fn of(
        contents: &'a Contents,
        marks: &Marks,
        meaning: Meaning<'a>,
    ) -> Result<Option<Self>, IndexError> {
        let speaks = |space: &&Space| {
            let slots = 0..u32::try_from(contents.rows.slots()).unwrap_or(u32::MAX);
            slots
                .into_iter()
                .any(|slot| marks.is_visible(slot) && space.has(slot))
        };
        let same = |space: &&Space| {
            space.embedder == *meaning.embedder && space.dimensions() == meaning.vector.dimensions()
        };
        if let Some(space) = contents.spaces.iter().filter(same).find(speaks) {
            return Ok(Some(Self {
                space,
                vector: Quantised::of(meaning.vector),
                meaning,
            }));
        }
        match contents.spaces.iter().find(speaks) {
            None => Ok(None),
            Some(other) => Err(IndexError::OtherEmbedder {
                kept: other.embedder.name.clone(),
                kept_dimensions: other.dimensions(),
                asked: meaning.embedder.name.clone(),
                asked_dimensions: meaning.vector.dimensions(),
            }),
        }
    }

    fn speak(&self, channels: Channels, slot: u32) -> Channels {
        let Some(cosine) = self.space.cosine(&self.vector, slot) else {
            return channels;
        };
        let plain = cosine.clamp(0.0, 1.0);
        let likeness = self
            .meaning
            .calibration
            .map_or(plain, |calibration| calibration.likeness(cosine));
        if likeness > 0.0 {
            channels.with(Channel::Semantic, Score::clamped(f64::from(likeness)))
        } else {
            channels
        }
    }
}
