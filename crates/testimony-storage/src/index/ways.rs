//! The ways in which vectors differ most: a few directions, each across all others, along which most of each vector lies.
//!
//! They are found by going from random directions, again and again, to where the vectors pull them. The directions are
//! mixed with each other at the end, so that a vector goes none of them much further than the others.
//! Everything is summed in one order on every machine.

use pulp::{Arch, Simd, WithSimd};

/// So many ways there are.
pub(super) const WAYS: usize = 128;

/// So many vectors tell the ways.
const TELL_THE_WAYS: usize = 2_048;
/// So often they pull.
const ROUNDS: usize = 2;
/// A direction of which less is left beside the others says nothing of its own.
const NOTHING_LEFT: f64 = 1e-3;

/// For each dimension how far each way goes it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways(Vec<[f32; WAYS]>);

impl Ways {
    /// The ways of some vectors of so many dimensions. Where there are no more dimensions than ways, they are those.
    pub(super) fn of(dimensions: usize, vectors: impl Iterator<Item = Vec<f32>>) -> Self {
        let mut ways = Self::unturned(dimensions);
        if dimensions <= WAYS {
            return ways;
        }
        let vectors: Vec<Vec<f32>> = some_of(vectors);
        let mut directions = random(dimensions);
        for _ in 0..ROUNDS {
            ways.lead(&directions);
            directions = across_each_other(ways.pulled_by(&vectors));
        }
        ways.lead(&mixed(directions));
        ways
    }

    /// Each dimension is a way.
    fn unturned(dimensions: usize) -> Self {
        let mut ways = vec![[0.0; WAYS]; dimensions];
        for (at, of_dimension) in ways.iter_mut().enumerate() {
            if let Some(way) = of_dimension.get_mut(at) {
                *way = 1.0;
            }
        }
        Self(ways)
    }

    /// How far a vector goes each way.
    pub(super) fn along(&self, vector: &[f32]) -> [f32; WAYS] {
        Arch::new().dispatch(Along { ways: self, vector })
    }

    /// Makes these directions the ways.
    fn lead(&mut self, directions: &[Vec<f64>]) {
        for (at, of_dimension) in self.0.iter_mut().enumerate() {
            for (way, direction) in of_dimension.iter_mut().zip(directions) {
                *way = direction.get(at).map_or(0.0, |number| *number as f32);
            }
        }
    }

    /// Where vectors that go these ways lead to.
    fn pulled_by(&self, vectors: &[Vec<f32>]) -> Vec<Vec<f64>> {
        let mut sums = vec![[0.0_f32; WAYS]; self.0.len()];
        for vector in vectors {
            let along = self.along(vector);
            for (number, sums) in vector.iter().zip(&mut sums) {
                for (sum, along) in sums.iter_mut().zip(&along) {
                    *sum += number * along;
                }
            }
        }
        let direction = |way: usize| {
            let numbers = sums.iter().filter_map(|of_dimension| of_dimension.get(way));
            numbers.map(|it| f64::from(*it)).collect()
        };
        (0..WAYS).map(direction).collect()
    }
}

/// How far a vector goes each way: some ways at a time, of which the machine keeps all sums at hand.
struct Along<'a> {
    ways: &'a Ways,
    vector: &'a [f32],
}

/// So many ways at a time.
const AT_ONCE: usize = 64;

// What is written as an operation of its own is compiled once for each kind of machine, with its widest registers; sums
// are made in the same order on each.
impl WithSimd for Along<'_> {
    type Output = [f32; WAYS];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> [f32; WAYS] {
        let mut along = [0.0; WAYS];
        let (some, _) = along.as_chunks_mut::<AT_ONCE>();
        for (at, sums) in some.iter_mut().enumerate() {
            for (number, ways) in self.vector.iter().zip(&self.ways.0) {
                let (ways, _) = ways.as_chunks::<AT_ONCE>();
                let Some(ways) = ways.get(at) else { break };
                for (sum, way) in sums.iter_mut().zip(ways) {
                    *sum += number * way;
                }
            }
        }
        along
    }
}

/// Some of many, from all of them alike.
fn some_of<T>(all: impl Iterator<Item = T>) -> Vec<T> {
    let all: Vec<T> = all.collect();
    let step = all.len().div_ceil(TELL_THE_WAYS).max(1);
    all.into_iter().step_by(step).collect()
}

/// Directions as good as any, the same each time.
fn random(dimensions: usize) -> Vec<Vec<f64>> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut sign = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        if state >> 63 == 0 { 1.0 } else { -1.0 }
    };
    let mut direction = |_| (0..dimensions).map(|_| sign()).collect();
    (0..WAYS).map(&mut direction).collect()
}

/// The same directions of length one, each without what those before it have; where nothing is left, a dimension of which
/// they leave something.
fn across_each_other(directions: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut done: Vec<Vec<f64>> = Vec::with_capacity(directions.len());
    let mut spare = 0;
    for mut direction in directions {
        while !stands_across(&mut direction, &done) {
            let dimensions = direction.len();
            direction = vec![0.0; dimensions];
            if let Some(number) = direction.get_mut(spare % dimensions.max(1)) {
                *number = 1.0;
            }
            spare += 1;
        }
        done.push(direction);
    }
    done
}

/// Turns a direction across those before it, and says whether enough was left of it.
fn stands_across(direction: &mut [f64], before: &[Vec<f64>]) -> bool {
    let length = |it: &[f64]| it.iter().map(|number| number * number).sum::<f64>().sqrt();
    let whole = length(direction);
    // What the first round leaves of the others by rounding, the second takes.
    for before in before.iter().chain(before) {
        let pairs = direction.iter().zip(before);
        let shared: f64 = pairs.map(|(one, other)| one * other).sum();
        for (number, other) in direction.iter_mut().zip(before) {
            *number -= shared * other;
        }
    }
    let left = length(direction);
    direction.iter_mut().for_each(|number| *number /= left);
    left > NOTHING_LEFT * whole
}

/// Each direction with a share of every other one, by sums and differences of halves (Hadamard).
fn mixed(mut directions: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut stride = 1;
    while stride < directions.len() {
        for block in directions.chunks_mut(2 * stride) {
            let (first, second) = block.split_at_mut(stride);
            for (one, other) in first.iter_mut().zip(second) {
                for (one, other) in one.iter_mut().zip(other) {
                    let (sum, difference) = (*one + *other, *one - *other);
                    (*one, *other) = (
                        sum * std::f64::consts::FRAC_1_SQRT_2,
                        difference * std::f64::consts::FRAC_1_SQRT_2,
                    );
                }
            }
        }
        stride *= 2;
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors most of which lies along a few directions.
    fn vectors(dimensions: usize, count: usize) -> Vec<Vec<f32>> {
        let wave = |at: usize, seed: usize| ((at * 37 + seed * 101) as f32).sin();
        let vector = |number: usize| {
            let sum = |at: usize| {
                let few = (0..20).map(|way| wave(at, way + 7) * wave(number, way));
                few.sum::<f32>() + 0.2 * wave(at * 5, number)
            };
            (0..dimensions).map(sum).collect()
        };
        (0..count).map(vector).collect()
    }

    #[test]
    fn ways_stand_across_each_other() {
        for (dimensions, count) in [(129, 0), (200, 3), (300, 600), (90, 10)] {
            let ways = Ways::of(dimensions, vectors(dimensions, count).into_iter());
            for one in 0..WAYS.min(dimensions) {
                for other in 0..=one {
                    let of_dimension =
                        |ways: &[f32; WAYS]| f64::from(ways[one]) * f64::from(ways[other]);
                    let product: f64 = ways.0.iter().map(of_dimension).sum();
                    let expected = f64::from(u8::from(one == other));
                    assert!(
                        (product - expected).abs() < 1e-5,
                        "{one}, {other}: {product}"
                    );
                }
            }
        }
    }

    #[test]
    fn most_of_a_vector_lies_along_them_and_not_much_along_any_one() {
        let all = vectors(256, 700);
        let ways = Ways::of(256, all.iter().cloned());
        let squares = |numbers: &[f32]| numbers.iter().map(|it| it * it).sum::<f32>();
        for vector in all.iter().step_by(50) {
            let along = ways.along(vector);
            assert!(squares(&along) > 0.97 * squares(vector));
            let largest = along.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
            assert!(largest * largest < 0.2 * squares(&along), "{largest}");
        }
    }
}
