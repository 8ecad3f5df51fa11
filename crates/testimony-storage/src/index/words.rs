//! What the words of a question say of each row: BM25 over its stems, and the shares of its exact words and names.
//!
//! Nothing is looked up that was counted before: a term's rows are walked, those that the asker may know of are counted,
//! and then they are scored, in the order of the question.

use std::collections::HashMap;

use testimony_domain::Score;
use testimony_recall::{Channel, Channels};

use super::bm25::{Weight, rarity};
use super::eligible::{Marks, Sight};
use super::postings::HowOften;
use super::room::Contents;
use super::rows::Census;
use super::store::StoreError;
use super::terms::Asked;

/// What BM25 gives at most for a word, where a row of average length that says it once gets 1.
const MOST_FOR_A_WORD: f64 = 2.2;

/// What the words of a question say of each slot.
#[derive(Debug, Default)]
pub(super) struct WordScores {
    keyword: Vec<f32>,
    /// What a row of average length would get that says every word of the question once.
    keyword_scale: f32,
    lexical: Vec<f32>,
    lexical_scale: f32,
    names: Vec<f32>,
    names_scale: f32,
    /// How rare each word of the question that carries a topic is among the visible rows, from 0 to 1.
    pub(super) rarity: Vec<(Box<str>, f64)>,
}

impl WordScores {
    pub(super) fn of(
        contents: &Contents,
        room: u32,
        sight: &Sight,
        marks: &Marks,
        asked: &Asked,
    ) -> Result<Self, StoreError> {
        if sight.census.rows == 0 {
            return Ok(Self::default());
        }
        let walk = Walk {
            contents,
            room,
            marks,
            census: sight.census,
        };
        let (keyword, keyword_scale, rarities) = walk.keyword(&asked.stems)?;
        let (lexical, lexical_scale) = walk.lexical(&asked.words)?;
        let names = walk.names(&asked.names)?;
        let names_scale = asked.names.len() as f32;
        Ok(Self {
            keyword,
            keyword_scale,
            lexical,
            lexical_scale,
            names,
            names_scale,
            rarity: walk.rarity_of_topics(asked, &rarities),
        })
    }

    /// What each channel says of each slot.
    pub(super) fn by_channel(&self) -> [&[f32]; 3] {
        [&self.keyword, &self.lexical, &self.names]
    }

    /// How far the words of the question speak for a row.
    pub(super) fn keyword_of(&self, slot: u32) -> f64 {
        let score = self.keyword.get(slot as usize).copied().unwrap_or(0.0);
        if score > 0.0 {
            keyword_score(f64::from(score) / f64::from(self.keyword_scale))
        } else {
            0.0
        }
    }

    /// What is said of one row.
    pub(super) fn channels(&self, slot: u32) -> Channels {
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

fn add(scores: &mut [f32], slot: u32, score: f32) {
    if let Some(sum) = scores.get_mut(slot as usize) {
        *sum += score;
    }
}

/// The postings of a container as somebody may see them.
struct Walk<'a> {
    contents: &'a Contents,
    room: u32,
    marks: &'a Marks,
    census: Census,
}

impl Walk<'_> {
    /// The scores, what they are measured by, and how rare each stem is.
    fn keyword(&self, stems: &[Box<str>]) -> Result<(Vec<f32>, f32, Vec<f32>), StoreError> {
        let (mut scores, mut scale) = (self.no_scores(stems), 0.0);
        let mut rarities = Vec::with_capacity(stems.len());
        let average = self.census.tokens as f32 / self.census.rows as f32;
        let mut postings = self.room_for_rows(stems);
        for term in stems {
            let rows = self.visible_rows(term, HowOften::Asked, &mut postings)?;
            let rare = rarity(rows, self.census.rows);
            let weight = Weight::of(rare, average);
            rarities.push(rare);
            scale += rare;
            for (slot, count) in &postings {
                let norm = self.contents.rows.norm.get(*slot as usize);
                let norm = norm.copied().unwrap_or(0);
                add(&mut scores, *slot, weight.score(norm, *count));
            }
        }
        Ok((scores, scale, rarities))
    }

    /// How rare words are, measured by a word that stands nowhere.
    fn rarity_of_topics(&self, asked: &Asked, rarities: &[f32]) -> Vec<(Box<str>, f64)> {
        let rarest = rarity(0, self.census.rows);
        let known: HashMap<&str, f32> = asked
            .stems
            .iter()
            .map(AsRef::as_ref)
            .zip(rarities.iter().copied())
            .collect();
        let topics = asked.topics.iter().filter_map(|(word, stem)| {
            let rarity = known.get(stem.as_ref())?;
            Some((word.clone(), f64::from(rarity / rarest)))
        });
        topics.collect()
    }

    fn lexical(&self, words: &[Box<str>]) -> Result<(Vec<f32>, f32), StoreError> {
        let (mut scores, mut scale) = (self.no_scores(words), 0.0);
        let mut postings = self.room_for_rows(words);
        for term in words {
            let rows = self.visible_rows(term, HowOften::NotAsked, &mut postings)?;
            let worth = rarity(rows, self.census.rows);
            scale += worth;
            for (slot, _) in &postings {
                add(&mut scores, *slot, worth);
            }
        }
        Ok((scores, scale))
    }

    fn names(&self, names: &[Box<str>]) -> Result<Vec<f32>, StoreError> {
        let mut scores = self.no_scores(names);
        let mut postings = self.room_for_rows(names);
        for term in names {
            self.visible_rows(term, HowOften::NotAsked, &mut postings)?;
            for (slot, _) in &postings {
                add(&mut scores, *slot, 1.0);
            }
        }
        Ok(scores)
    }

    fn no_scores(&self, terms: &[Box<str>]) -> Vec<f32> {
        vec![
            0.0;
            if terms.is_empty() {
                0
            } else {
                self.contents.rows.slots()
            }
        ]
    }

    /// Room for the rows of any of these, which are as good as never more than there are slots: growing row by row would
    /// copy those of a frequent word again and again.
    fn room_for_rows(&self, terms: &[Box<str>]) -> Vec<(u32, u32)> {
        Vec::with_capacity(if terms.is_empty() {
            0
        } else {
            self.contents.rows.slots()
        })
    }

    /// The postings of rows that are there and may be known, and how many they are: what is not counted here is as if it
    /// were not in the index.
    fn visible_rows(
        &self,
        term: &str,
        how_often: HowOften,
        into: &mut Vec<(u32, u32)>,
    ) -> Result<u64, StoreError> {
        into.clear();
        let contents = self.contents;
        contents.walk(self.room, term, how_often, &mut |slot, count| {
            if self.marks.is_visible(slot) {
                into.push((slot, count));
            }
        })?;
        Ok((into.len() as u64).min(self.census.rows))
    }
}
