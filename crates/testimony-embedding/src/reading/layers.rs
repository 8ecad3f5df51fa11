//! The parts of which the net is made: a linear map, a normalised row, attention, and a layer of all of them.
//!
//! Every step gives the same bits on every machine: maps multiply whole numbers, everything else is computed in the order
//! in which it is written.

use std::ops::Range;

use super::file::{Matrix, NetError, Parts};
use super::products::{AT_ONCE, Kernel};
use crate::bend::{exp, gelu};

/// States of tokens, one after the other.
pub(super) struct States {
    pub(super) numbers: Vec<f32>,
    pub(super) width: usize,
}

impl States {
    pub(super) fn zeros(count: usize, width: usize) -> Self {
        Self {
            numbers: vec![0.0; count * width],
            width,
        }
    }

    pub(super) fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.numbers.chunks_exact(self.width)
    }

    pub(super) fn rows_mut(&mut self) -> std::slice::ChunksExactMut<'_, f32> {
        self.numbers.chunks_exact_mut(self.width)
    }

    pub(super) fn count(&self) -> usize {
        self.numbers.len() / self.width.max(1)
    }

    pub(super) fn row(&self, at: usize) -> &[f32] {
        let row = self.numbers.get(at * self.width..(at + 1) * self.width);
        row.unwrap_or_default()
    }

    /// Some of the rows.
    fn picked(&self, which: &[usize]) -> Self {
        Self {
            numbers: which.iter().flat_map(|at| self.row(*at)).copied().collect(),
            width: self.width,
        }
    }
}

/// The largest number of a state becomes this whole number: as many steps as sums of products with bytes have room for.
const STEPS: f32 = 8_191.0;

/// `x · weightᵀ + bias`, with the weights as bytes and each state as whole numbers.
pub(super) struct Linear {
    weight: Matrix<'static>,
    bias: Box<[f32]>,
}

impl Linear {
    pub(super) fn read(
        parts: &mut Parts<'static>,
        from: usize,
        to: usize,
    ) -> Result<Self, NetError> {
        Ok(Self {
            weight: parts.matrix(to, from, "layers")?,
            bias: parts.vector(to, "layers")?,
        })
    }

    #[inline(always)]
    pub(super) fn apply<K: Kernel>(&self, kernel: K, states: &States) -> States {
        mapped(kernel, &self.weight, Some(&self.bias), states)
    }
}

/// What a matrix makes of states.
#[inline(always)]
pub(super) fn mapped<K: Kernel>(
    kernel: K,
    weight: &Matrix<'_>,
    bias: Option<&[f32]>,
    states: &States,
) -> States {
    let (from, to) = (weight.columns(), weight.rows());
    let whole = Whole::of(states, from);
    let mut out = States::zeros(whole.steps.len(), to);
    let mut pair = vec![0i16; 2 * from];
    let (first, second) = pair.split_at_mut(from);
    for row in (0..to).step_by(2) {
        let bias = |row: usize| bias.and_then(|bias| bias.get(row)).copied();
        let one = Worth {
            scale: widened(weight, row, first),
            bias: bias(row).unwrap_or_default(),
        };
        let other = Worth {
            scale: widened(weight, row + 1, second),
            bias: bias(row + 1).unwrap_or_default(),
        };
        whole.times(
            kernel,
            [first, second],
            |state, step, [by_one, by_other]| {
                let numbers = out.numbers.get_mut(state * to + row..);
                match numbers.unwrap_or_default() {
                    [to_one, to_other, ..] if row + 1 < to => {
                        *to_one = one.of(by_one, step);
                        *to_other = other.of(by_other, step);
                    }
                    [to_one, ..] => *to_one = one.of(by_one, step),
                    [] => {}
                }
            },
        );
    }
    out.numbers.truncate(states.count() * to);
    out
}

/// States as whole numbers, and what one of them is worth in each. Rows of zeros behind fill the last few.
struct Whole {
    numbers: Vec<i16>,
    steps: Vec<f32>,
}

impl Whole {
    #[inline(always)]
    fn of(states: &States, width: usize) -> Self {
        let filled = states.count().next_multiple_of(AT_ONCE);
        let mut numbers = vec![0i16; filled * width];
        let mut steps = vec![0.0f32; filled];
        let each = states.rows().zip(numbers.chunks_exact_mut(width));
        for ((state, numbers), step) in each.zip(&mut steps) {
            *step = in_steps(state, numbers);
        }
        Self { numbers, steps }
    }

    /// Hands over the products of each state with two rows of a matrix, and what the state is worth.
    #[inline(always)]
    fn times<K: Kernel>(
        &self,
        kernel: K,
        rows: [&[i16]; 2],
        mut take: impl FnMut(usize, f32, [i32; 2]),
    ) {
        let width = rows[0].len();
        let blocks = self.numbers.chunks_exact(AT_ONCE * width);
        let steps = self.steps.as_chunks::<AT_ONCE>().0.iter();
        for ((block, steps), at) in blocks.zip(steps).zip((0..).step_by(AT_ONCE)) {
            let (front, back) = block.split_at(2 * width);
            let (a, b) = front.split_at(width);
            let (c, d) = back.split_at(width);
            let products = kernel.products(rows, [a, b, c, d]);
            let (of_first, of_second) = products.split_at(AT_ONCE);
            let each = of_first.iter().zip(of_second).zip(steps);
            for (((one, other), step), state) in each.zip(at..) {
                take(state, *step, [*one, *other]);
            }
        }
    }
}

/// What a product with a row of a matrix is worth.
#[derive(Clone, Copy)]
struct Worth {
    scale: f32,
    bias: f32,
}

impl Worth {
    #[inline(always)]
    fn of(self, product: i32, step: f32) -> f32 {
        product as f32 * (step * self.scale) + self.bias
    }
}

/// A row of bytes as whole numbers of sixteen bits, and what one of them is worth.
#[inline(always)]
fn widened(weight: &Matrix<'_>, row: usize, to: &mut [i16]) -> f32 {
    let (bytes, scale) = weight.row(row);
    for (number, byte) in to.iter_mut().zip(bytes) {
        *number = i16::from(byte.cast_signed());
    }
    scale
}

/// A state as whole numbers, and what one of them is worth.
#[inline(always)]
fn in_steps(state: &[f32], whole: &mut [i16]) -> f32 {
    let most = largest(state);
    if most <= 0.0 {
        whole.fill(0);
        return 0.0;
    }
    let steps = STEPS / most;
    for (whole, number) in whole.iter_mut().zip(state) {
        *whole = rounded(number * steps);
    }
    most / STEPS
}

/// The nearest whole number, without a call or a branch, of a number that is no greater than the steps.
#[inline(always)]
fn rounded(number: f32) -> i16 {
    /// Added, it leaves a whole number in the last bits.
    const ROUNDS: f32 = 12_582_912.0;
    let whole = (number + ROUNDS).to_bits().wrapping_sub(ROUNDS.to_bits());
    #[expect(clippy::cast_possible_truncation, reason = "a few thousand at most")]
    {
        whole.cast_signed() as i16
    }
}

/// As the net was taught.
const EPSILON: f32 = 1e-6;

/// Rows brought to mean 0 and variance 1, then stretched and moved.
pub(super) struct Norm {
    weight: Box<[f32]>,
    bias: Box<[f32]>,
}

impl Norm {
    pub(super) fn read(parts: &mut Parts<'_>) -> Result<Self, NetError> {
        let width = parts.sizes.width;
        Ok(Self {
            weight: parts.vector(width, "norms")?,
            bias: parts.vector(width, "norms")?,
        })
    }

    #[inline(always)]
    pub(super) fn apply(&self, states: &mut States) {
        for row in states.rows_mut() {
            let count = row.len() as f32;
            let mean = sum(row, |number| number) / count;
            let variance = sum(row, |number| (number - mean) * (number - mean)) / count;
            let scale = 1.0 / (variance + EPSILON).sqrt();
            for ((number, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
                *number = (*number - mean) * scale * weight + bias;
            }
        }
    }
}

/// The sum of what is made of numbers, in eight sums side by side, always in the same order.
#[inline(always)]
fn sum(numbers: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0f32; 8];
    let (eights, rest) = numbers.as_chunks::<8>();
    for eight in eights {
        for (sum, number) in sums.iter_mut().zip(eight) {
            *sum += of(*number);
        }
    }
    let rest: f32 = rest.iter().map(|number| of(*number)).sum();
    sums.iter().sum::<f32>() + rest
}

/// The largest of the sizes of numbers.
#[inline(always)]
fn largest(numbers: &[f32]) -> f32 {
    let mut most = [0.0f32; 8];
    let (eights, rest) = numbers.as_chunks::<8>();
    for eight in eights {
        for (most, number) in most.iter_mut().zip(eight) {
            let size = number.abs();
            *most = if size > *most { size } else { *most };
        }
    }
    let all = most.iter().chain(rest);
    all.fold(0.0, |most, number| most.max(number.abs()))
}

/// What each token takes over from those that it sees, head by head.
struct Attention {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    heads: usize,
}

/// Attention, and two maps with a bend between them.
pub(super) struct Layer {
    attention: Attention,
    attention_norm: Norm,
    widen: Linear,
    narrow: Linear,
    norm: Norm,
}

/// A token that is carried on, and the stretches of tokens that it sees.
pub(super) struct Seen {
    pub(super) token: usize,
    pub(super) stretches: [Range<usize>; 2],
}

impl Layer {
    pub(super) fn read(parts: &mut Parts<'static>) -> Result<Self, NetError> {
        let sizes = parts.sizes;
        let width = sizes.width;
        let attention = Attention {
            query: Linear::read(parts, width, width)?,
            key: Linear::read(parts, width, width)?,
            value: Linear::read(parts, width, width)?,
            output: Linear::read(parts, width, width)?,
            heads: sizes.heads,
        };
        Ok(Self {
            attention,
            attention_norm: Norm::read(parts)?,
            widen: Linear::read(parts, width, sizes.between)?,
            narrow: Linear::read(parts, sizes.between, width)?,
            norm: Norm::read(parts)?,
        })
    }

    /// The states of the tokens that are carried on, in their order.
    #[inline(always)]
    pub(super) fn apply<K: Kernel>(&self, kernel: K, states: &States, on: &[Seen]) -> States {
        let tokens: Vec<usize> = on.iter().map(|seen| seen.token).collect();
        let own = states.picked(&tokens);
        let mut attended = self.attention.apply(kernel, states, &own, on);
        add(&mut attended, &own);
        self.attention_norm.apply(&mut attended);
        let mut wide = self.widen.apply(kernel, &attended);
        for number in &mut wide.numbers {
            *number = gelu(*number);
        }
        let mut narrow = self.narrow.apply(kernel, &wide);
        add(&mut narrow, &attended);
        self.norm.apply(&mut narrow);
        narrow
    }
}

#[inline(always)]
fn add(to: &mut States, other: &States) {
    for (number, other) in to.numbers.iter_mut().zip(&other.numbers) {
        *number += other;
    }
}

impl Attention {
    #[inline(always)]
    fn apply<K: Kernel>(&self, kernel: K, all: &States, own: &States, on: &[Seen]) -> States {
        let query = self.query.apply(kernel, own);
        let key = self.key.apply(kernel, all);
        let value = self.value.apply(kernel, all);
        let mut taken = States::zeros(on.len(), query.width);
        let width = query.width / self.heads;
        let scale = 1.0 / (width as f32).sqrt();
        let mut shares = Vec::with_capacity(key.count());
        for ((seen, asks), taken) in on.iter().zip(query.rows()).zip(taken.rows_mut()) {
            let tokens = || seen.stretches.iter().flat_map(Range::clone);
            let heads = asks.chunks_exact(width).zip(taken.chunks_exact_mut(width));
            for ((asks, taken), head) in heads.zip((0..).step_by(width)) {
                shares.clear();
                shares.extend(tokens().map(|token| product(asks, part(&key, token, head, width))));
                soft_max(&mut shares, scale);
                for (share, token) in shares.iter().zip(tokens()) {
                    for (taken, value) in taken.iter_mut().zip(part(&value, token, head, width)) {
                        *taken += share * value;
                    }
                }
            }
        }
        self.output.apply(kernel, &taken)
    }
}

/// What of the state of a token belongs to a head.
#[inline(always)]
fn part(states: &States, token: usize, head: usize, width: usize) -> &[f32] {
    let from = token * states.width + head;
    states.numbers.get(from..from + width).unwrap_or_default()
}

/// The product of two vectors, in eight sums side by side.
#[inline(always)]
fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (one, other) in one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}

/// Numbers become shares of one.
#[inline(always)]
fn soft_max(numbers: &mut [f32], scale: f32) {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for number in &mut *numbers {
        *number = exp((*number - most) * scale);
    }
    let all = sum(numbers, |number| number);
    for number in numbers {
        *number /= all;
    }
}
