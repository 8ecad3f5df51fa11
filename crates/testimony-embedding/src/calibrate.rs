//! What the cosines of an embedder mean, measured beside an embedder whose cosines are known.
//!
//! The same pairs of texts are compared by both. How a pair stands is left aside: one embedder may well think more of a
//! pair than the other. Only how often a height is reached is carried over, so a cosine means the likeness above which as
//! large a share of the pairs lies.

use std::collections::HashSet;

use crate::{Calibration, CalibrationError, EmbedError, Embedder, Point, Vector};

/// With fewer texts than these there are too few pairs that are alike.
pub const FEWEST_TEXTS: usize = 30;
/// Of more texts these are taken, evenly spread: pairs grow with the square of the texts.
pub const MOST_TEXTS: usize = 1_000;

/// Three hundred short sentences of everyday life in several languages, a line each, for whoever has none of their own.
/// Some say much the same, most have nothing to do with each other, as in a memory.
pub const EVERYDAY: &str = include_str!("../texts/everyday.txt");

/// The shares of the pairs that lie above the points, from all of them to the best one. The points stand close together
/// where texts begin to be alike, because that is where a memory decides.
const ABOVE: &[f64] = &[
    1.0, 0.75, 0.5, 0.25, 0.1, 0.03, 0.01, 0.003, 0.001, 0.000_3, 0.0,
];

/// A pair of texts: how near they are by the embedder that is measured, and how alike by the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// The cosine, from -1 to 1.
    pub cosine: f32,
    /// What the other one's cosine means, from 0 to 1.
    pub likeness: f32,
}

/// Why an embedder could not be measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotCalibrated {
    /// There is nothing to measure by.
    #[error("`{reference}` is not calibrated itself; measure beside an embedder that is")]
    NoReference {
        /// The embedder that was to be measured by.
        reference: String,
    },
    /// There are too few texts.
    #[error(
        "{found} different texts are too few; take {FEWEST_TEXTS} or more of which some say much the same"
    )]
    TooFewTexts {
        /// How many there are.
        found: usize,
    },
    /// An embedder gave no vectors.
    #[error(transparent)]
    Embedder(#[from] EmbedError),
    /// The cosines make no line.
    #[error(
        "its cosines make no line ({0}): it finds all of these texts equally near; take texts that differ more, or another embedder"
    )]
    NoLine(#[from] CalibrationError),
}

/// What the cosines of an embedder mean: the same texts are compared in pairs by it and by `reference`, whose cosines are
/// known. The same texts and embedders give the same calibration.
///
/// # Errors
/// [`NotCalibrated`] when an embedder does not answer, the texts are too few, or nothing can be told apart by it.
pub fn calibrated_against(
    reference: &dyn Embedder,
    embedder: &dyn Embedder,
    texts: &[&str],
) -> Result<Calibration, NotCalibrated> {
    let Some(known) = reference.calibration() else {
        let reference = reference.identity().name.clone();
        return Err(NotCalibrated::NoReference { reference });
    };
    let texts = chosen(texts);
    let vectors = embedder.embed(&texts)?;
    let others = reference.embed(&texts)?;
    // A text that one of them hears nothing in is compared with none.
    let both: Vec<(Vector, Vector)> = vectors
        .into_iter()
        .zip(others)
        .filter_map(|(one, other)| one.zip(other))
        .collect();
    if both.len() < FEWEST_TEXTS {
        return Err(NotCalibrated::TooFewTexts { found: both.len() });
    }
    let version = format!("by-shares-1-of-{}", known.version());
    Ok(by_equal_shares(version, &pairs(&both, known))?)
}

/// Texts that differ, as many as are compared.
fn chosen<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    let different: Vec<&str> = texts
        .iter()
        .map(|text| text.trim())
        .filter(|text| !text.is_empty() && seen.insert(*text))
        .collect();
    let stride = different.len().div_ceil(MOST_TEXTS).max(1);
    different.into_iter().step_by(stride).collect()
}

/// Every text beside every other.
fn pairs(both: &[(Vector, Vector)], known: &Calibration) -> Vec<Compared> {
    let mut pairs = Vec::with_capacity(both.len() * both.len() / 2);
    for (place, (vector, other)) in both.iter().enumerate() {
        let rest = both.iter().skip(place + 1);
        pairs.extend(rest.filter_map(|(second, other_second)| {
            // An embedder that gives vectors of different dimensions gives none that can be compared.
            let cosine = vector.cosine(second).ok()?;
            let likeness = known.likeness(other.cosine(other_second).ok()?);
            Some(Compared { cosine, likeness })
        }));
    }
    pairs
}

/// The line from cosine to likeness on which the same share of the pairs lies above a cosine as above its likeness. It
/// ends where two texts are the same to both: at a cosine of 1 with a likeness of 1.
///
/// # Errors
/// [`CalibrationError::TooFewPoints`] when no cosine is below 1, or there are no pairs.
pub fn by_equal_shares(
    version: impl Into<String>,
    pairs: &[Compared],
) -> Result<Calibration, CalibrationError> {
    let cosines = ascending(pairs.iter().map(|pair| pair.cosine), -1.0);
    let likenesses = ascending(pairs.iter().map(|pair| pair.likeness), 0.0);
    let mut points: Vec<Point> = Vec::with_capacity(ABOVE.len() + 1);
    for above in ABOVE {
        let Some((cosine, likeness)) = at(&cosines, *above).zip(at(&likenesses, *above)) else {
            continue;
        };
        let rises = points.last().is_none_or(|last| last.cosine < cosine);
        // Two texts that are the same stand at the end, whatever the reference thinks of them.
        if rises && cosine < 1.0 {
            points.push(Point { cosine, likeness });
        }
    }
    points.push(Point {
        cosine: 1.0,
        likeness: 1.0,
    });
    Calibration::new(version, points)
}

/// The numbers from the least to the greatest, none of them outside; what is no number is left out.
fn ascending(numbers: impl Iterator<Item = f32>, least: f32) -> Vec<f32> {
    let real = numbers.filter(|number| !number.is_nan());
    let mut numbers: Vec<f32> = real.map(|number| number.clamp(least, 1.0)).collect();
    numbers.sort_unstable_by(f32::total_cmp);
    numbers
}

/// The number above which so large a share lies.
fn at(ascending: &[f32], above: f64) -> Option<f32> {
    let last = ascending.len().checked_sub(1)?;
    let place = ((1.0 - above) * last as f64).round() as usize;
    ascending.get(place.min(last)).copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pair() -> impl Strategy<Value = Compared> {
        let any = prop_oneof![
            4 => -1.0_f32..=1.0,
            1 => Just(f32::NAN),
            1 => Just(f32::INFINITY),
            1 => Just(1.0),
        ];
        (any.clone(), any).prop_map(|(cosine, likeness)| Compared { cosine, likeness })
    }

    /// What a way of measuring must give; what is wrong with it otherwise.
    fn fault(made: &Result<Calibration, CalibrationError>) -> Option<&'static str> {
        let calibration = match made {
            Ok(calibration) => calibration,
            Err(CalibrationError::TooFewPoints) => return None,
            Err(CalibrationError::OutOfRange { .. } | CalibrationError::NotMonotone { .. }) => {
                return Some("points that make no line");
            }
        };
        let likeness = |step: i16| calibration.likeness(f32::from(step) / 100.0);
        if (-100..100).any(|step| likeness(step) > likeness(step + 1)) {
            return Some("a higher cosine that means less");
        }
        (likeness(100) < 1.0).then_some("the same text that is not the same")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn whatever_the_pairs_are_a_higher_cosine_never_means_less(
            pairs in prop::collection::vec(pair(), 0..200)
        ) {
            prop_assert_eq!(fault(&by_equal_shares("v", &pairs)), None);
        }
    }

    #[test]
    fn the_canary_is_caught() {
        let point = |cosine, likeness| Point { cosine, likeness };
        let unfinished = Calibration::new("v", vec![point(0.0, 0.0), point(0.9, 0.9)]);
        assert!(fault(&unfinished).is_some());
        let crossed = Calibration::new("v", vec![point(0.0, 0.9), point(0.9, 0.1)]);
        assert!(fault(&crossed).is_some());
    }

    #[test]
    fn a_cosine_means_the_likeness_above_which_as_large_a_share_lies() {
        // A model that finds everything near: cosines from 0.7 on, in another order than the likenesses.
        let pairs: Vec<Compared> = (0..=1_000_u16)
            .map(|step| Compared {
                cosine: 0.7 + 0.2 * f32::from(step) / 1_000.0,
                likeness: f32::from(1_000 - step) / 1_250.0,
            })
            .collect();
        let calibration = by_equal_shares("v", &pairs).unwrap();
        for (cosine, likeness) in [(0.7, 0.0), (0.8, 0.4), (0.9, 0.8), (1.0, 1.0), (-1.0, 0.0)] {
            let found = calibration.likeness(cosine);
            assert!((found - likeness).abs() < 1e-3, "{cosine}: {found}");
        }
        assert!(calibration.points().len() <= ABOVE.len() + 1);
    }

    #[test]
    fn pairs_that_cannot_be_told_apart_are_refused() {
        let same = Compared {
            cosine: 1.0,
            likeness: 0.3,
        };
        for pairs in [&[][..], &[same; 9]] {
            let refused = by_equal_shares("v", pairs);
            assert_eq!(refused, Err(CalibrationError::TooFewPoints));
        }
    }

    #[test]
    fn texts_are_taken_once_and_evenly_where_they_are_many() {
        assert_eq!(chosen(&["a", " a ", "", "b"]), ["a", "b"]);
        let many: Vec<String> = (0..2_500).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let taken = chosen(&many);
        assert_eq!((taken.len(), taken[1]), (834, "3"));
    }
}
