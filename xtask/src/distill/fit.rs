//! The rows of the table, fitted so that the sum of a text's rows points where the model's vector of the text points.
//!
//! With one row of `A` for every text, which holds `1/√n` for each of its `n` tokens, and the model's centred vectors in
//! `E`, the rows `X` minimise `|A·X − E|² + λ·|X − s·X₀|²`: near the texts where a token is common, near its own
//! meaning `X₀` where it is rare. It is solved by conjugate gradients, every column for itself.

use testimony_embedding::wordpiece::TokenId;

use super::teacher::Lessons;

/// How many columns are solved together: as many as leave the rows in the processor's cache.
const COLUMNS_AT_ONCE: usize = 96;
const THREADS: usize = 2;
/// So often must a token be seen before what its texts say outweighs what it says alone.
const SEEN_OFTEN: f32 = 3.0;
/// A token of this share of all tokens is weighted by half: `a / (a + p)`.
const HALF_WEIGHT_SHARE: f32 = 3e-4;

/// What can be turned about the fit.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// How much the rows hold on to the meaning of their token alone.
    pub lambda: f32,
    /// How many steps the solver takes.
    pub steps: usize,
    /// How many dimensions the table has.
    pub dimensions: usize,
}

/// Rows of numbers, one after the other.
pub(super) struct Rows {
    pub(super) width: usize,
    pub(super) numbers: Vec<f32>,
}

impl Rows {
    pub(super) fn zeros(count: usize, width: usize) -> Self {
        Self {
            width,
            numbers: vec![0.0; count * width],
        }
    }

    pub(super) fn row(&self, at: usize) -> &[f32] {
        let row = self.numbers.get(at * self.width..(at + 1) * self.width);
        row.unwrap_or_default()
    }

    pub(super) fn row_mut(&mut self, at: usize) -> &mut [f32] {
        let row = self.numbers.get_mut(at * self.width..(at + 1) * self.width);
        row.unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks_exact(self.width)
    }

    pub(super) fn count(&self) -> usize {
        self.numbers.len() / self.width
    }

    /// Some of the columns.
    fn columns(&self, from: usize, width: usize) -> Self {
        let part = self
            .iter()
            .flat_map(|row| row.iter().skip(from).take(width).copied());
        Self {
            width,
            numbers: part.collect(),
        }
    }

    /// Moves all rows so that their mean, each counted by its weight, is zero.
    fn centre(&mut self, weight: impl Fn(usize) -> f32) {
        let mut mean = vec![0.0f64; self.width];
        let mut total = 0.0;
        for (at, row) in self.iter().enumerate() {
            let weight = weight(at);
            total += f64::from(weight);
            for (mean, number) in mean.iter_mut().zip(row) {
                *mean += f64::from(weight * number);
            }
        }
        mean.iter_mut().for_each(|mean| *mean /= total.max(1e-9));
        for row in self.numbers.chunks_exact_mut(self.width) {
            for (number, mean) in row.iter_mut().zip(&mean) {
                *number -= *mean as f32;
            }
        }
    }
}

pub(super) fn add_scaled(sum: &mut [f32], row: &[f32], scale: f32) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += scale * number;
    }
}

pub(super) fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The tokens of the texts, as a matrix.
struct Texts<'a>(&'a [Vec<TokenId>]);

impl Texts<'_> {
    /// `A · x`, one text after the other.
    fn each_sum(&self, x: &Rows, mut take: impl FnMut(usize, &[TokenId], f32, &[f32])) {
        let mut sum = vec![0.0; x.width];
        for (at, tokens) in self.0.iter().enumerate() {
            let weight = 1.0 / (tokens.len().max(1) as f32).sqrt();
            sum.fill(0.0);
            for token in tokens {
                add_scaled(&mut sum, x.row(*token as usize), weight);
            }
            take(at, tokens, weight, &sum);
        }
    }

    /// `Aᵀ · (target − A · x)`, or `Aᵀ · A · x` with no target and the sign turned.
    fn back(&self, x: &Rows, target: Option<&Rows>) -> Rows {
        let mut back = Rows::zeros(x.count(), x.width);
        let mut rest = vec![0.0; x.width];
        self.each_sum(x, |at, tokens, weight, sum| {
            match target {
                None => rest.copy_from_slice(sum),
                Some(target) => {
                    for ((rest, wanted), sum) in rest.iter_mut().zip(target.row(at)).zip(sum) {
                        *rest = wanted - sum;
                    }
                }
            }
            for token in tokens {
                add_scaled(back.row_mut(*token as usize), &rest, weight);
            }
        });
        back
    }

    /// What stands on the diagonal of `Aᵀ · A`, nearly: repeated tokens count as if they were apart.
    fn diagonal(&self, tokens: usize) -> Vec<f32> {
        let mut diagonal = vec![0.0; tokens];
        for text in self.0 {
            let weight = 1.0 / text.len().max(1) as f32;
            for token in text {
                if let Some(sum) = diagonal.get_mut(*token as usize) {
                    *sum += weight;
                }
            }
        }
        diagonal
    }
}

/// The fitted rows, as wide as the model's vectors.
pub(super) fn rows(lessons: &Lessons, alone: &Lessons, recipe: Recipe) -> Rows {
    let texts = Texts(&lessons.sequences);
    let mut wanted = Rows {
        width: lessons.dimensions,
        numbers: lessons.vectors.clone(),
    };
    wanted.centre(|_| 1.0);
    let mut start = own_meaning(lessons, alone);
    let scale = best_scale(&texts, &start, &wanted);
    start.numbers.iter_mut().for_each(|number| *number *= scale);
    solve_all(&texts, &start, &wanted, recipe)
}

/// What a token says by itself: in the texts where it stands, and alone.
fn own_meaning(lessons: &Lessons, alone: &Lessons) -> Rows {
    let width = lessons.dimensions;
    let counts = || lessons.counts.iter().map(|count| *count as f32);
    let count = |at| {
        lessons
            .counts
            .get(at)
            .map_or(0.0, |count: &u32| *count as f32)
    };
    let mut among = Rows {
        width,
        numbers: lessons.states.clone(),
    };
    for (row, count) in among.numbers.chunks_exact_mut(width).zip(counts()) {
        row.iter_mut().for_each(|number| *number /= count.max(1.0));
    }
    among.centre(count);
    let mut meaning = Rows {
        width,
        numbers: alone.vectors.clone(),
    };
    meaning.centre(|_| 1.0);
    let total = counts().map(f64::from).sum::<f64>().max(1.0) as f32;
    let rows = meaning.numbers.chunks_exact_mut(width).zip(among.iter());
    for ((row, among), count) in rows.zip(counts()) {
        let trust = count / (count + SEEN_OFTEN);
        let weight = HALF_WEIGHT_SHARE / (HALF_WEIGHT_SHARE + count / total);
        for (number, among) in row.iter_mut().zip(among) {
            *number = weight * (trust * among + (1.0 - trust) * *number);
        }
    }
    meaning
}

/// The factor with which the sums of `start` come nearest to what is wanted.
fn best_scale(texts: &Texts<'_>, start: &Rows, wanted: &Rows) -> f32 {
    let (mut along, mut own) = (0.0f64, 0.0f64);
    texts.each_sum(start, |at, _, _, sum| {
        along += f64::from(dot(sum, wanted.row(at)));
        own += f64::from(dot(sum, sum));
    });
    (along / own.max(1e-9)) as f32
}

/// Solves all columns, some at once; the parts do not touch each other, so that threads change nothing about the result.
fn solve_all(texts: &Texts<'_>, start: &Rows, wanted: &Rows, recipe: Recipe) -> Rows {
    let parts: Vec<usize> = (0..start.width).step_by(COLUMNS_AT_ONCE).collect();
    let mut solved: Vec<Option<Rows>> = parts.iter().map(|_| None).collect();
    let share = parts.len().div_ceil(THREADS);
    std::thread::scope(|scope| {
        for (parts, places) in parts.chunks(share).zip(solved.chunks_mut(share)) {
            scope.spawn(move || {
                for (from, place) in parts.iter().zip(places) {
                    let width = COLUMNS_AT_ONCE.min(start.width - from);
                    let (start, wanted) =
                        (start.columns(*from, width), wanted.columns(*from, width));
                    *place = Some(solve(texts, start, &wanted, recipe));
                }
            });
        }
    });
    let mut rows = Rows::zeros(start.count(), start.width);
    for (from, part) in parts.iter().zip(solved.iter().flatten()) {
        for (row, part) in rows.numbers.chunks_exact_mut(start.width).zip(part.iter()) {
            for (number, solved) in row.iter_mut().skip(*from).zip(part) {
                *number = *solved;
            }
        }
    }
    rows
}

/// Conjugate gradients from `start`, each row divided by its own weight in the problem.
fn solve(texts: &Texts<'_>, mut x: Rows, wanted: &Rows, recipe: Recipe) -> Rows {
    let diagonal = texts.diagonal(x.count());
    let mut rest = texts.back(&x, Some(wanted));
    let eased = |rest: &Rows| {
        let rows = rest.iter().zip(&diagonal);
        let numbers = rows
            .flat_map(|(row, weight)| row.iter().map(move |one| one / (weight + recipe.lambda)));
        Rows {
            width: rest.width,
            numbers: numbers.collect(),
        }
    };
    let mut easy = eased(&rest);
    let mut way = Rows {
        width: easy.width,
        numbers: easy.numbers.clone(),
    };
    let mut size = column_dots(&rest, &easy);
    for _ in 0..recipe.steps {
        let mut pull = texts.back(&way, None);
        add_scaled(&mut pull.numbers, &way.numbers, recipe.lambda);
        let step = quotients(&size, &column_dots(&way, &pull));
        add_columns(&mut x, &way, &step, 1.0);
        add_columns(&mut rest, &pull, &step, -1.0);
        easy = eased(&rest);
        let next = column_dots(&rest, &easy);
        let turn = quotients(&next, &size);
        for (way, easy) in way.numbers.chunks_exact_mut(x.width).zip(easy.iter()) {
            for ((way, easy), turn) in way.iter_mut().zip(easy).zip(&turn) {
                *way = easy + (*turn as f32) * *way;
            }
        }
        size = next;
    }
    x
}

fn column_dots(one: &Rows, other: &Rows) -> Vec<f64> {
    let mut dots = vec![0.0; one.width];
    for (one, other) in one.iter().zip(other.iter()) {
        for ((dot, one), other) in dots.iter_mut().zip(one).zip(other) {
            *dot += f64::from(one * other);
        }
    }
    dots
}

/// A column that is solved has nothing left to divide by; it stays as it is.
fn quotients(above: &[f64], below: &[f64]) -> Vec<f64> {
    let pairs = above.iter().zip(below);
    pairs
        .map(|(above, below)| if *below > 0.0 { above / below } else { 0.0 })
        .collect()
}

fn add_columns(sum: &mut Rows, add: &Rows, scales: &[f64], sign: f32) {
    for (sum, add) in sum.numbers.chunks_exact_mut(add.width).zip(add.iter()) {
        for ((sum, add), scale) in sum.iter_mut().zip(add).zip(scales) {
            *sum += sign * (*scale as f32) * add;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_without_ties_to_the_start_reproduces_the_texts() {
        let sequences = vec![vec![0], vec![1], vec![0, 1], vec![2, 1]];
        let truth = Rows {
            width: 2,
            numbers: vec![1.0, 0.0, 0.0, 2.0, -1.0, 1.0],
        };
        let texts = Texts(&sequences);
        let mut wanted = Rows::zeros(4, 2);
        texts.each_sum(&truth, |at, _, _, sum| {
            wanted.row_mut(at).copy_from_slice(sum);
        });
        let recipe = Recipe {
            lambda: 0.0,
            steps: 20,
            dimensions: 2,
        };
        let found = solve_all(&texts, &Rows::zeros(3, 2), &wanted, recipe);
        for (found, truth) in found.numbers.iter().zip(&truth.numbers) {
            assert!((found - truth).abs() < 1e-4, "{found} {truth}");
        }
    }

    #[test]
    fn a_token_that_no_text_holds_keeps_its_start() {
        let sequences = vec![vec![0]];
        let start = Rows {
            width: 1,
            numbers: vec![0.0, 7.0],
        };
        let wanted = Rows {
            width: 1,
            numbers: vec![1.0],
        };
        let recipe = Recipe {
            lambda: 1.0,
            steps: 5,
            dimensions: 1,
        };
        let found = solve_all(&Texts(&sequences), &start, &wanted, recipe);
        assert!((found.numbers[1] - 7.0).abs() < 1e-6);
    }
}
