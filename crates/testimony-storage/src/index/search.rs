//! A search in one container: what each channel says, the best of each cut, and for each row found what all channels
//! say of it.

use std::collections::BTreeSet;

use pulp::{Arch, Simd, WithSimd};
use testimony_domain::{MemoryId, Score};
use testimony_recall::{Channel, Channels, SourceState, Sources};
use testimony_service::ports::index::{Cut, Hit, IndexError, IndexQuery};

use super::best::Best;
use super::eligible::{CUTS_AT_ONCE, Marks, Sight, cuts_of};
use super::floors::Floors;
use super::meaning::AskedMeaning;
use super::room::Contents;
use super::scan::best_by_meaning;
use super::talk::Talk;
use super::terms::Asked;
use super::words::WordScores;

/// What was found, which channels answered, and how rare the words of the question are.
pub(super) struct Findings {
    pub(super) hits: Vec<Hit>,
    pub(super) sources: Sources,
    pub(super) rarity: Vec<(Box<str>, f64)>,
}

impl Findings {
    /// Where there is nothing to be found.
    pub(super) fn none() -> Self {
        Self {
            hits: Vec::new(),
            sources: Sources::default(),
            rarity: Vec::new(),
        }
    }
}

/// Searches a container.
pub(super) fn search(
    contents: &Contents,
    room: u32,
    query: &IndexQuery<'_>,
) -> Result<Findings, IndexError> {
    let mut sources = Sources::default();
    let sight = Sight::of(&contents.rows, query.identity, query.view, query.now);
    let cuts: Vec<&[Cut<'_>]> = query.cuts.chunks(CUTS_AT_ONCE).collect();
    let of_cuts =
        |cuts: &&[Cut<'_>]| Marks::of(&contents.rows, &sight, query.filters, query.now, cuts);
    let marks: Vec<Marks> = cuts.iter().map(of_cuts).collect();
    // Who may know of a row is the same in all of them.
    let Some(visible) = marks.first() else {
        return Ok(Findings::none());
    };
    let asked = Asked::of(query.words, query.entities);
    let words = WordScores::of(contents, room, &sight, visible, &asked).unwrap_or_else(|error| {
        tracing::warn!(%error, "the index of words could not be asked");
        sources.keyword = SourceState::Down;
        WordScores::default()
    });
    let compared = |meaning| AskedMeaning::of(contents, visible, meaning);
    let meaning = query.meaning.map(compared).transpose()?.flatten();
    let talk = Talk {
        contents,
        visible,
        words: &words,
        meaning: meaning.as_ref(),
    };
    let found = best_of_each(&talk, &cuts, &marks);
    let found = talk.with_what_stands_beside(found, query.beside, &marks);
    let hits = hits(&talk, &found);
    Ok(Findings {
        hits: in_order(&hits),
        sources,
        rarity: words.rarity,
    })
}

/// What all channels say of the rows that were found, without those of which none says anything.
fn hits(talk: &Talk<'_>, found: &[u32]) -> Vec<Hit> {
    let cosines = talk.meaning.map(|meaning| meaning.cosines(found));
    let cosines = cosines.unwrap_or_default().into_iter();
    let near = talk.near(found);
    let hit = |((slot, [before, after]), cosine): ((&u32, [f64; 2]), Option<f32>)| {
        let channels = talk.words.channels(*slot);
        let channels = match talk.meaning.zip(cosine) {
            Some((meaning, cosine)) => meaning.speak(channels, cosine),
            None => channels,
        };
        if channels == Channels::default() {
            return None;
        }
        let said = |channels: Channels, channel, says: f64| {
            let says = (says > 0.0).then(|| Score::clamped(says));
            says.map_or(channels, |says| channels.with(channel, says))
        };
        let channels = said(channels, Channel::Before, before);
        Some(Hit {
            memory: talk.contents.rows.id(*slot)?,
            channels: said(channels, Channel::After, after),
        })
    };
    let each = found.iter().zip(near);
    each.zip(cosines.chain(std::iter::repeat(None)))
        .filter_map(hit)
        .collect()
}

/// The best of each cut by each channel, cuts that were marked together at a time.
fn best_of_each(talk: &Talk<'_>, cuts: &[&[Cut<'_>]], marks: &[Marks]) -> BTreeSet<u32> {
    let together = cuts.iter().zip(marks);
    let found = together.flat_map(|(cuts, marks)| {
        let limits: Vec<usize> = cuts.iter().map(|cut| cut.limit).collect();
        best_of_all(talk.contents, talk.words, talk.meaning, marks, &limits)
    });
    found.collect()
}

/// The best of each cut by each channel.
fn best_of_all(
    contents: &Contents,
    words: &WordScores,
    meaning: Option<&AskedMeaning<'_>>,
    marks: &Marks,
    limits: &[usize],
) -> Vec<u32> {
    let by_words = words
        .by_channel()
        .into_iter()
        .flat_map(|scores| best_of(scores, contents, marks, limits));
    let mut slots: Vec<u32> = by_words.collect();
    if let Some(meaning) = meaning {
        // What shares the words of a question is often near it in meaning as well.
        let near = best_by_meaning(contents, meaning, marks, limits, &slots);
        slots.extend(near);
    }
    slots
}

/// Best first: by what all channels say together, equals by their ids.
fn in_order(hits: &[Hit]) -> Vec<Hit> {
    let together = |hit: &Hit| -> f64 {
        let said = Channel::ALL.iter();
        let said = said.filter_map(|channel| hit.channels.get(*channel));
        said.map(Score::get).sum()
    };
    // What they say is added up once, and what is sorted is small.
    let placed = (0_usize..).zip(hits);
    let placed = placed.map(|(at, hit)| (together(hit), hit.memory, at));
    let mut placed: Vec<(f64, MemoryId, usize)> = placed.collect();
    placed.sort_unstable_by(|(one, id, _), (other, other_id, _)| {
        other.total_cmp(one).then(id.cmp(other_id))
    });
    let in_order = placed.iter().filter_map(|(_, _, at)| hits.get(*at));
    in_order.copied().collect()
}

/// So many scores are looked at together.
const TOGETHER: usize = 16;

fn best_of(scores: &[f32], contents: &Contents, marks: &Marks, limits: &[usize]) -> Vec<u32> {
    let mut offered = Offered {
        best: limits.iter().map(|limit| Best::new(*limit)).collect(),
        floors: Floors::of(marks, f32::MIN_POSITIVE),
    };
    Arch::new().dispatch(LookAt {
        offered: &mut offered,
        scores,
        marks: marks.of_all(),
    });
    let best = offered.best.into_iter();
    best.flat_map(|best| best.slots(|slot| contents.rows.id(slot)))
        .collect()
}

/// The best of each cut so far, and what rows have to reach.
struct Offered {
    best: Vec<Best>,
    floors: Floors,
}

/// Looks at how good every row is, and closer at those that may be good enough.
struct LookAt<'a> {
    offered: &'a mut Offered,
    scores: &'a [f32],
    marks: &'a [u8],
}

// What is written as an operation of its own is compiled once for each kind of machine, with its widest registers.
impl WithSimd for LookAt<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let together = self
            .scores
            .chunks(TOGETHER)
            .zip(self.marks.chunks(TOGETHER));
        for (first, (scores, marks)) in (0_u32..).step_by(TOGETHER).zip(together) {
            if self.offered.floors.let_any_by(scores) {
                self.offered.look_closer(first, scores, marks);
            }
        }
    }
}

impl Offered {
    fn look_closer(&mut self, first: u32, scores: &[f32], marks: &[u8]) {
        for (slot, (score, mark)) in (first..).zip(scores.iter().zip(marks)) {
            let cuts = cuts_of(*mark);
            if !self.floors.let_by(cuts, *score) {
                continue;
            }
            let mut rose = false;
            for (at, best) in self.best.iter_mut().enumerate() {
                rose |= cuts & 1 << at != 0 && best.offer(*score, slot);
            }
            if rose {
                let bar = |at: usize| self.best.get(at).map_or(0.0, Best::bar);
                self.floors.rise_to(|at| bar(at).max(f32::MIN_POSITIVE));
            }
        }
    }
}
