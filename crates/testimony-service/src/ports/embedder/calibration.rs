//! What a cosine of one embedder means on a scale that all embedders share.

/// A monotone map from a cosine to a likeness from 0 to 1, straight between a few points.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    version: String,
    points: Vec<Point>,
}

/// A point of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The cosine, from -1 to 1.
    pub cosine: f32,
    /// What it means, from 0 to 1.
    pub likeness: f32,
}

/// Why points make no [`Calibration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalibrationError {
    /// A line needs two points.
    #[error("a calibration needs at least two points")]
    TooFewPoints,
    /// A cosine is not from -1 to 1, or a likeness not from 0 to 1.
    #[error("point {index} lies outside: a cosine is from -1 to 1, a likeness from 0 to 1")]
    OutOfRange {
        /// Which point, from 0.
        index: usize,
    },
    /// A higher cosine would mean less, or one cosine two things.
    #[error("point {index} does not follow the one before it: cosines rise, likenesses never fall")]
    NotMonotone {
        /// Which point, from 0.
        index: usize,
    },
}

impl Calibration {
    /// A map through `points`; before the first and after the last it stays level.
    ///
    /// # Errors
    /// [`CalibrationError`] when they are fewer than two, out of range or not in order.
    pub fn new(version: impl Into<String>, points: Vec<Point>) -> Result<Self, CalibrationError> {
        if points.len() < 2 {
            return Err(CalibrationError::TooFewPoints);
        }
        let inside = |point: &Point| {
            (-1.0..=1.0).contains(&point.cosine) && (0.0..=1.0).contains(&point.likeness)
        };
        if let Some(index) = points.iter().position(|point| !inside(point)) {
            return Err(CalibrationError::OutOfRange { index });
        }
        let follows = points
            .iter()
            .zip(points.iter().skip(1))
            .position(|(one, next)| next.cosine <= one.cosine || next.likeness < one.likeness);
        if let Some(before) = follows {
            return Err(CalibrationError::NotMonotone { index: before + 1 });
        }
        Ok(Self {
            version: version.into(),
            points,
        })
    }

    /// Which table this is; a likeness is only comparable with one of the same version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The points, in the order of their cosines.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// What a cosine means. What is no number means nothing: 0.
    #[must_use]
    pub fn likeness(&self, cosine: f32) -> f32 {
        if cosine.is_nan() {
            return 0.0;
        }
        let above = self.points.iter().position(|point| point.cosine >= cosine);
        let last = self.points.last().map_or(0.0, |point| point.likeness);
        let Some(above) = above else { return last };
        let Some(next) = self.points.get(above) else {
            return last;
        };
        let before = above.checked_sub(1).and_then(|at| self.points.get(at));
        before.map_or(next.likeness, |before| between(*before, *next, cosine))
    }
}

fn between(before: Point, next: Point, cosine: f32) -> f32 {
    let share = (cosine - before.cosine) / (next.cosine - before.cosine);
    let likeness = before.likeness + share * (next.likeness - before.likeness);
    likeness.clamp(before.likeness, next.likeness)
}
