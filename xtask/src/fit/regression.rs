//! Weights of signs for kinds of text, by multinomial logistic regression: ordinary text is the kind that weighs nothing.

use testimony_admission::wording::{FEWEST_SIGNS, SPREAD};

use super::descent::least;

/// A piece of a labelled text.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Its kind, counted from 1; 0 is ordinary text.
    pub(super) kind: usize,
    /// The signs in it, by number, each once.
    pub(super) signs: Vec<usize>,
}

/// How strongly weights are drawn to nothing.
const RIDGE: f64 = 0.33;

/// What was learnt.
pub(super) struct Fitted {
    kinds: usize,
    /// For each sign the weights of all kinds, and behind them what speaks for each kind beforehand.
    weights: Vec<f64>,
}

impl Fitted {
    /// The weights of a sign, for each kind.
    pub(super) fn weights_of(&self, sign: usize) -> &[f64] {
        let from = sign * self.kinds;
        self.weights
            .get(from..from + self.kinds)
            .unwrap_or_default()
    }

    /// What speaks for each kind before a word is read.
    pub(super) fn base(&self) -> &[f64] {
        let from = self.weights.len() - self.kinds;
        self.weights.get(from..).unwrap_or_default()
    }

    /// The largest weight of a sign, for or against anything.
    pub(super) fn heaviest(&self, sign: usize) -> f64 {
        let weights = self.weights_of(sign).iter();
        weights.fold(0.0, |heaviest, weight| heaviest.max(weight.abs()))
    }

    /// The logarithm of the odds of each kind against ordinary text.
    pub(super) fn odds(&self, signs: &[usize]) -> Vec<f64> {
        let mut odds = self.base().to_vec();
        let share = share(signs.len());
        for sign in signs {
            for (odds, weight) in odds.iter_mut().zip(self.weights_of(*sign)) {
                *odds += weight * share;
            }
        }
        odds
    }
}

/// How much of each weight counts.
#[expect(clippy::cast_precision_loss, reason = "a piece has hundreds of signs")]
fn share(signs: usize) -> f64 {
    SPREAD / (signs.max(FEWEST_SIGNS) as f64).sqrt()
}

/// Learns the weights that make the labels of the samples likeliest.
pub(super) fn fit(samples: &[Sample], kinds: usize, signs: usize) -> Fitted {
    let start = vec![0.0; (signs + 1) * kinds];
    let weights = least(start, |weights| unlikeliness(samples, kinds, weights));
    Fitted { kinds, weights }
}

/// How unlikely the weights make the labels, and how that changes with each weight.
fn unlikeliness(samples: &[Sample], kinds: usize, weights: &[f64]) -> (f64, Vec<f64>) {
    let fitted = Fitted {
        kinds,
        weights: weights.to_vec(),
    };
    let base = weights.len() - kinds;
    let mut slopes: Vec<f64> = weights.iter().map(|weight| RIDGE * weight).collect();
    slopes.iter_mut().skip(base).for_each(|slope| *slope = 0.0);
    let drawn = weights.iter().take(base).map(|weight| weight * weight);
    let mut sum = RIDGE * drawn.sum::<f64>() / 2.0;
    for sample in samples {
        let odds = fitted.odds(&sample.signs);
        let highest = odds
            .iter()
            .fold(0.0, |highest: f64, odds| highest.max(*odds));
        let parts: Vec<f64> = odds.iter().map(|odds| (odds - highest).exp()).collect();
        let all = parts.iter().sum::<f64>() + (-highest).exp();
        let own = sample
            .kind
            .checked_sub(1)
            .and_then(|at| odds.get(at))
            .copied();
        sum += highest + all.ln() - own.unwrap_or(0.0);
        let share = share(sample.signs.len());
        for (kind, part) in parts.iter().enumerate() {
            let slope = part / all - f64::from(u8::from(sample.kind == kind + 1));
            let places = sample
                .signs
                .iter()
                .map(|sign| (sign * kinds + kind, slope * share));
            for (place, slope) in places.chain([(base + kind, slope)]) {
                if let Some(all) = slopes.get_mut(place) {
                    *all += slope;
                }
            }
        }
    }
    (sum, slopes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(kind: usize, signs: &[usize]) -> Sample {
        Sample {
            kind,
            signs: signs.to_vec(),
        }
    }

    #[test]
    fn what_stands_in_one_kind_alone_speaks_for_it() {
        let samples: Vec<Sample> = (0..20)
            .flat_map(|_| [sample(0, &[0, 3]), sample(1, &[1, 3]), sample(2, &[2, 3])])
            .collect();
        let fitted = fit(&samples, 2, 4);
        let [first, second] = [fitted.odds(&[1, 3]), fitted.odds(&[2, 3])];
        assert!(first[0] > 2.0 && first[1] < 0.0);
        assert!(second[1] > 2.0 && second[0] < 0.0);
        assert!(fitted.odds(&[0, 3]).iter().all(|odds| *odds < -1.0));
        // What stands everywhere says little.
        assert!(fitted.heaviest(3) < fitted.heaviest(1));
    }

    #[test]
    fn slopes_are_those_of_the_sum() {
        let samples = [sample(0, &[0, 1]), sample(1, &[1]), sample(2, &[0, 2])];
        let weights: Vec<f64> = (0..8).map(|at| f64::from(at) / 10.0 - 0.3).collect();
        let (_, slopes) = unlikeliness(&samples, 2, &weights);
        for (at, slope) in slopes.iter().enumerate() {
            let moved = |by: f64| {
                let mut weights = weights.clone();
                weights[at] += by;
                unlikeliness(&samples, 2, &weights).0
            };
            let measured = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((measured - slope).abs() < 1e-6, "{at}: {measured} {slope}");
        }
    }
}
