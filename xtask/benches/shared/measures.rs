//! Measures over scores: how well they part what is right from what is not, and whether they mean what they say.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// How often a score of `right` is above one of `wrong`; ties count half.
pub(crate) fn auroc(right: &[f64], wrong: &[f64]) -> f64 {
    let wins: f64 = right
        .iter()
        .flat_map(|one| wrong.iter().map(move |other| one.total_cmp(other)))
        .map(|order| match order {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .sum();
    wins / (right.len() * wrong.len()).max(1) as f64
}

/// The share of `wrong` below the score under which a share `falsely` of `right` lies.
pub(crate) fn abstained_at(falsely: f64, right: &[f64], wrong: &[f64]) -> f64 {
    let mut right = right.to_vec();
    right.sort_by(f64::total_cmp);
    let at = (right.len() as f64 * falsely) as usize;
    let bar = right.get(at).copied().unwrap_or(0.0);
    let below = wrong.iter().filter(|score| **score < bar).count();
    below as f64 / wrong.len().max(1) as f64
}

/// How far a list of gains is from the best order, by logarithmic discounts over the first `depth`.
pub(crate) fn ndcg(hits: &[bool], gold: usize, depth: usize) -> f64 {
    let discount = |at: usize| 1.0 / ((at + 2) as f64).log2();
    let first = hits.iter().take(depth).enumerate();
    let gained: f64 = first
        .filter(|(_, hit)| **hit)
        .map(|(at, _)| discount(at))
        .sum();
    let best: f64 = (0..gold.min(depth)).map(discount).sum();
    if best > 0.0 {
        (gained / best).min(1.0)
    } else {
        0.0
    }
}

/// A bin of equal mass: what the scores say, what holds, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bin {
    pub(crate) said: f64,
    pub(crate) held: f64,
    pub(crate) count: usize,
}

/// Scores against what holds.
#[derive(Clone, Debug)]
pub(crate) struct Reliability {
    pub(crate) bins: Vec<Bin>,
    pub(crate) error: f64,
    /// Between which errors nine in ten resamplings lie.
    pub(crate) interval: (f64, f64),
    pub(crate) pairs: usize,
}

const BINS: usize = 15;
const RESAMPLED: usize = 200;

impl Reliability {
    pub(crate) fn of(pairs: &[(f64, bool)]) -> Self {
        let bins = bins(pairs);
        let mut errors: Vec<f64> = (0..RESAMPLED as u64)
            .map(|seed| error(&bins_of_resampled(pairs, seed)))
            .collect();
        errors.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let at = (errors.len() as f64 * share) as usize;
            errors.get(at).copied().unwrap_or(0.0)
        };
        Self {
            error: error(&bins),
            interval: (at(0.05), at(0.95)),
            pairs: pairs.len(),
            bins,
        }
    }

    pub(crate) fn line(&self) -> String {
        format!(
            "expected calibration error {:.3} (90 % of resamplings between {:.3} and {:.3}) over {} returned rows",
            self.error, self.interval.0, self.interval.1, self.pairs
        )
    }

    pub(crate) fn json(&self) -> Value {
        let bins = self
            .bins
            .iter()
            .map(|bin| json!([bin.said, bin.held, bin.count]));
        json!({
            "error": self.error,
            "interval": [self.interval.0, self.interval.1],
            "pairs": self.pairs,
            "bins": bins.collect::<Vec<_>>(),
        })
    }

    /// A drawing of the curve: what is said from left to right, what holds from bottom to top.
    pub(crate) fn svg(&self, title: &str) -> String {
        const SIDE: f64 = 320.0;
        let place = |value: f64| 40.0 + SIDE * value;
        let up = |value: f64| 40.0 + SIDE * (1.0 - value);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 410\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<title>{title}</title>\n<rect x=\"40\" y=\"40\" width=\"{SIDE}\" \
             height=\"{SIDE}\" fill=\"none\" stroke=\"#888\"/>\n<line x1=\"40\" y1=\"360\" x2=\"360\" y2=\"40\" \
             stroke=\"#bbb\"/>\n<text x=\"40\" y=\"26\">{title}</text>\n<text x=\"130\" y=\"392\">score of a \
             returned row</text>\n"
        );
        let points = self.bins.iter().map(|bin| (place(bin.said), up(bin.held)));
        let line: Vec<String> = points
            .clone()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        // A drawing in memory takes whatever is written to it.
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#06c\"/>",
            line.join(" ")
        );
        for (x, y) in points {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#06c\"/>"
            );
        }
        svg + "</svg>\n"
    }
}

fn bins(pairs: &[(f64, bool)]) -> Vec<Bin> {
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let size = pairs.len().div_ceil(BINS).max(1);
    let bin = |part: &[(f64, bool)]| Bin {
        said: part.iter().map(|(said, _)| said).sum::<f64>() / part.len() as f64,
        held: part.iter().filter(|(_, held)| *held).count() as f64 / part.len() as f64,
        count: part.len(),
    };
    pairs.chunks(size).map(bin).collect()
}

fn error(bins: &[Bin]) -> f64 {
    let all: usize = bins.iter().map(|bin| bin.count).sum();
    let off = bins
        .iter()
        .map(|bin| bin.count as f64 * (bin.said - bin.held).abs());
    off.sum::<f64>() / all.max(1) as f64
}

/// The same pairs drawn again with replacement, by a counter that is stirred.
fn bins_of_resampled(pairs: &[(f64, bool)], seed: u64) -> Vec<Bin> {
    let drawn = (0..pairs.len() as u64).filter_map(|at| {
        let mut number = (seed << 32 | at).wrapping_add(0x9e37_79b9_7f4a_7c15);
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        pairs
            .get(((number ^ number >> 31) % pairs.len() as u64) as usize)
            .copied()
    });
    bins(&drawn.collect::<Vec<_>>())
}
