//! What a cosine of the table means: the cosine that the model would have given, where it is above zero.

use testimony_embedding::{Point, Vector};

use super::fit::dot;

/// How many texts are compared with each other.
const SAMPLE: usize = 2_400;
/// Pairs from this cosine on are rare and are all taken; of the others one in [`ONE_IN`], which speaks for all of them.
const CLOSE: f32 = 0.3;
const ONE_IN: usize = 16;
/// The cosines at which the table says what they mean.
const AT: &[f32] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// Pairs within this of a cosine speak for it.
const REACH: f32 = 0.05;

/// A text by the table and by the model.
pub(super) struct Seen<'a> {
    pub(super) by_table: Vector,
    pub(super) by_model: &'a [f32],
}

/// Every so many texts are taken that a sample comes from all of them.
pub(super) const fn stride(texts: usize) -> usize {
    let stride = texts / SAMPLE;
    if stride == 0 { 1 } else { stride }
}

/// The points of the calibration.
pub(super) fn points(sample: &[Seen<'_>]) -> Vec<Point> {
    let mut sums = vec![(0.0f64, 0.0f64); AT.len()];
    let mut turn = 0usize;
    for (at, one) in sample.iter().enumerate() {
        for other in sample.iter().skip(at + 1) {
            let Ok(cosine) = one.by_table.cosine(&other.by_table) else {
                continue;
            };
            turn += 1;
            let weight = match cosine < CLOSE {
                false => 1.0,
                true if turn.is_multiple_of(ONE_IN) => ONE_IN as f64,
                true => continue,
            };
            let wanted = f64::from(dot(one.by_model, other.by_model).max(0.0));
            for (sum, point) in sums.iter_mut().zip(AT) {
                if (cosine - point).abs() <= REACH {
                    *sum = (sum.0 + weight * wanted, sum.1 + weight);
                }
            }
        }
    }
    monotone(&sums)
}

/// Means that fall are levelled; where nothing was seen, it goes on straight to the same text with itself.
fn monotone(sums: &[(f64, f64)]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for ((sum, count), cosine) in sums.iter().zip(AT) {
        let least = points.last().map_or(0.0, |point| point.likeness);
        if *count >= 30.0 && *cosine < 1.0 {
            points.push(Point {
                cosine: *cosine,
                likeness: ((sum / count) as f32).clamp(least, 1.0),
            });
        }
    }
    points.push(Point {
        cosine: 1.0,
        likeness: 1.0,
    });
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_never_fall_and_end_at_one() {
        let mut sums = vec![(0.0, 0.0); AT.len()];
        sums[0] = (20.0, 100.0);
        sums[1] = (10.0, 100.0);
        sums[2] = (9.0, 10.0);
        let points = monotone(&sums);
        let likenesses: Vec<f32> = points.iter().map(|point| point.likeness).collect();
        assert_eq!(likenesses, [0.2, 0.2, 1.0]);
    }
}
