//! A graph of near neighbours over vectors of one place: it finds most of the nearest at a fraction of a scan's price.
//!
//! It is made in one go and never changed: rows that come later are scanned, and when one of its rows goes, so does it.
//! The order in which it is made is given from outside and its chance has a fixed seed, so equal vectors in equal order
//! make equal graphs.

use hnsw_rs::prelude::{Distance, Hnsw};
use pulp::Arch;

use super::vectors::{Quantised, Size};

/// Whether this build of the program has graphs.
pub(super) const AVAILABLE: bool = true;

/// How many neighbours a vector has on each layer, how many layers there are at most, and how many candidates are
/// weighed for each vector.
const NEIGHBOURS: usize = 16;
const LAYERS: usize = 16;
const WEIGHED: usize = 200;

/// Upper halves of a vector, and behind them in four bytes what one step stands for.
struct Point(Vec<i8>);

impl Point {
    fn of(high: &[i8], size: Size) -> Self {
        let step = size.step.to_le_bytes().map(u8::cast_signed);
        Self([high, &step].concat())
    }
}

/// One less the cosine; never below 0, which the graph would not survive.
struct Angle(Arch);

impl Distance<i8> for Angle {
    fn eval(&self, left: &[i8], right: &[i8]) -> f32 {
        let parts = left.split_last_chunk::<4>().zip(right.split_last_chunk());
        let Some(((left, left_step), (right, right_step))) = parts else {
            return 1.0;
        };
        let step = |bytes: &[i8; 4]| f32::from_le_bytes(bytes.map(i8::cast_unsigned));
        let product = self.0.dispatch(
            #[inline(always)]
            || product(left, right),
        );
        let cosine = product as f32 * 65_536.0 * step(left_step) * step(right_step);
        (1.0 - cosine).max(0.0)
    }
}

/// The sum of the products of two rows of numbers, in lanes that a machine adds side by side.
#[inline(always)]
fn product(left: &[i8], right: &[i8]) -> i32 {
    let (left, left_rest) = left.as_chunks::<32>();
    let (right, right_rest) = right.as_chunks::<32>();
    let mut lanes = [0_i32; 32];
    for (left, right) in left.iter().zip(right) {
        for ((lane, left), right) in lanes.iter_mut().zip(left).zip(right) {
            *lane += i32::from(i16::from(*left) * i16::from(*right));
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    let rest: i32 = rest
        .map(|(left, right)| i32::from(*left) * i32::from(*right))
        .sum();
    lanes.iter().sum::<i32>() + rest
}

/// The graph.
pub(super) struct Graph(Hnsw<'static, i8, Angle>);

impl Graph {
    /// Makes a graph of these vectors in their order; `None` when it is told to stop.
    pub(super) fn of(
        vectors: impl ExactSizeIterator<Item = (u32, Quantised)>,
        stop: impl Fn() -> bool,
    ) -> Option<Self> {
        let angle = Angle(Arch::new());
        let mut graph = Hnsw::new(NEIGHBOURS, vectors.len(), LAYERS, WEIGHED, angle);
        for (slot, vector) in vectors {
            if stop() {
                return None;
            }
            let point = Point::of(&vector.high, vector.size);
            graph.insert((&point.0, slot as usize));
        }
        graph.set_searching_mode(true);
        Some(Self(graph))
    }

    /// So many slots near a vector: most of the nearest.
    pub(super) fn near(&self, asked: &Quantised, count: usize) -> Vec<u32> {
        let point = Point::of(&asked.high, asked.size);
        let found = self.0.search(&point.0, count, count);
        let slots = found.iter().map(|it| u32::try_from(it.d_id));
        slots.filter_map(Result::ok).collect()
    }
}
