//! Fewer dimensions: the directions in which the vectors of texts differ most are kept.

use testimony_embedding::wordpiece::TokenId;

use super::fit::{Rows, add_scaled, dot};

/// Enough sweeps for every matrix of this size; the last ones change nothing.
const SWEEPS: usize = 14;

/// The rows in the `dimensions` directions that matter most to the sums of the texts.
pub(super) fn rows(rows: &Rows, texts: &[Vec<TokenId>], dimensions: usize) -> Rows {
    let directions = directions(spread(rows, texts), rows.width);
    let kept: Vec<&Vec<f32>> = directions.iter().take(dimensions).collect();
    let numbers = rows
        .iter()
        .flat_map(|row| kept.iter().map(|direction| dot(row, direction)));
    Rows {
        width: kept.len(),
        numbers: numbers.collect(),
    }
}

/// The second moments of the texts' unit vectors.
fn spread(rows: &Rows, texts: &[Vec<TokenId>]) -> Vec<Vec<f64>> {
    let width = rows.width;
    let mut spread = vec![vec![0.0; width]; width];
    for text in texts {
        let vector = unit_sum(rows, text);
        for (line, one) in spread.iter_mut().zip(&vector) {
            for (sum, other) in line.iter_mut().zip(&vector) {
                *sum += f64::from(one * other);
            }
        }
    }
    spread
}

pub(super) fn unit_sum(rows: &Rows, text: &[TokenId]) -> Vec<f32> {
    let mut sum = vec![0.0; rows.width];
    for token in text {
        add_scaled(&mut sum, rows.row(*token as usize), 1.0);
    }
    let length = dot(&sum, &sum).sqrt().max(1e-12);
    sum.iter_mut().for_each(|number| *number /= length);
    sum
}

/// The axes of a symmetric matrix from the longest to the shortest, by Jacobi's rotations.
fn directions(mut matrix: Vec<Vec<f64>>, width: usize) -> Vec<Vec<f32>> {
    let mut axes: Vec<Vec<f64>> = (0..width)
        .map(|at| {
            (0..width)
                .map(|other| f64::from(u8::from(at == other)))
                .collect()
        })
        .collect();
    for _ in 0..SWEEPS {
        for one in 0..width {
            for other in one + 1..width {
                rotate(&mut matrix, &mut axes, one, other);
            }
        }
    }
    let mut order: Vec<(f64, Vec<f64>)> = axes
        .into_iter()
        .enumerate()
        .map(|(at, axis)| (entry(&matrix, at, at), axis))
        .collect();
    order.sort_by(|one, other| other.0.total_cmp(&one.0));
    let narrow = |axis: Vec<f64>| axis.into_iter().map(|number| number as f32).collect();
    order.into_iter().map(|(_, axis)| narrow(axis)).collect()
}

fn entry(matrix: &[Vec<f64>], row: usize, column: usize) -> f64 {
    let line = matrix.get(row).and_then(|line| line.get(column));
    line.copied().unwrap_or_default()
}

/// Turns the plane of two axes so that the matrix no longer mixes them.
fn rotate(matrix: &mut [Vec<f64>], axes: &mut [Vec<f64>], one: usize, other: usize) {
    let mixed = entry(matrix, one, other);
    let (first, second) = (entry(matrix, one, one), entry(matrix, other, other));
    if mixed.abs() <= 1e-14 * (first * second).abs().sqrt() {
        return;
    }
    let ratio = (second - first) / (2.0 * mixed);
    let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for line in matrix.iter_mut() {
        let (Some(left), Some(right)) = (line.get(one).copied(), line.get(other).copied()) else {
            continue;
        };
        if let Some(place) = line.get_mut(one) {
            *place = cosine * left - sine * right;
        }
        if let Some(place) = line.get_mut(other) {
            *place = sine * left + cosine * right;
        }
    }
    turn(matrix, one, other, cosine, sine);
    turn(axes, one, other, cosine, sine);
}

fn turn(lines: &mut [Vec<f64>], one: usize, other: usize, cosine: f64, sine: f64) {
    let Ok([first, second]) = lines.get_disjoint_mut([one, other]) else {
        return;
    };
    for (left, right) in first.iter_mut().zip(second) {
        (*left, *right) = (
            cosine * *left - sine * *right,
            sine * *left + cosine * *right,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_axis_comes_first() {
        let found = directions(
            vec![
                vec![2.0, 1.0, 0.0],
                vec![1.0, 2.0, 0.0],
                vec![0.0, 0.0, 2.5],
            ],
            3,
        );
        let even = std::f32::consts::FRAC_1_SQRT_2;
        assert!(
            (found[0][0].abs() - even).abs() < 1e-6 && (found[0][0] - found[0][1]).abs() < 1e-6
        );
        assert!((found[1][2].abs() - 1.0).abs() < 1e-6);
    }
}
