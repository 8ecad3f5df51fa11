//! The meaning of a question, and what it says of a row.

use testimony_domain::Score;
use testimony_recall::{Channel, Channels};
use testimony_service::ports::embedder::EmbedderIdentity;
use testimony_service::ports::index::{IndexError, Meaning};

use super::eligible::Marks;
use super::room::Contents;
use super::vectors::{Quantised, Space};

/// The meaning of a question, ready to be compared.
pub(super) struct AskedMeaning<'a> {
    pub(super) space: &'a Space,
    pub(super) vector: Quantised,
    meaning: Meaning<'a>,
}

impl<'a> AskedMeaning<'a> {
    /// `None` when no row that the asker may know of has a vector at all.
    pub(super) fn of(
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
                kept: other.embedder.clone(),
                asked: EmbedderIdentity {
                    dimensions: meaning.vector.dimensions(),
                    ..meaning.embedder.clone()
                },
            }),
        }
    }

    /// The cosines of these slots.
    pub(super) fn cosines(&self, slots: &[u32]) -> Vec<Option<f32>> {
        self.space.cosines(&self.vector, slots)
    }

    /// How like the question these slots are; 0 for one without a vector.
    pub(super) fn likenesses(&self, slots: &[u32]) -> Vec<f64> {
        let cosines = self.cosines(slots).into_iter();
        cosines
            .map(|cosine| cosine.map_or(0.0, |cosine| f64::from(self.likeness(cosine).max(0.0))))
            .collect()
    }

    fn likeness(&self, cosine: f32) -> f32 {
        let plain = cosine.clamp(0.0, 1.0);
        self.meaning
            .calibration
            .map_or(plain, |calibration| calibration.likeness(cosine))
    }

    /// What a cosine says of a row.
    pub(super) fn speak(&self, channels: Channels, cosine: f32) -> Channels {
        let likeness = self.likeness(cosine);
        if likeness > 0.0 {
            channels.with(Channel::Semantic, Score::clamped(f64::from(likeness)))
        } else {
            channels
        }
    }
}
