//! What a row has to reach before anything is done about it: a cut that is full takes only better rows, and most rows
//! are better than none of those that a full cut has.

use super::eligible::{CUTS_AT_ONCE, Marks};

/// The least that rows have to reach, by the cuts that want them. A cut that no row is wanted by holds nothing down.
pub(super) struct Floors {
    /// The sets of cuts that rows can be wanted by, as bits.
    kinds: Vec<u8>,
    /// By such a set. Rows that only some of a set want are always let by: their cuts decide.
    by_cuts: [f32; 1 << CUTS_AT_ONCE],
    /// What every row has to reach.
    lowest: f32,
}

impl Floors {
    /// While nothing is known, every row has to reach so much.
    pub(super) fn of(marks: &Marks, least: f32) -> Self {
        let mut by_cuts = [least; 1 << CUTS_AT_ONCE];
        if let Some(of_nobody) = by_cuts.first_mut() {
            *of_nobody = f32::INFINITY;
        }
        let kinds = marks.kinds().to_vec();
        let lowest = if kinds.is_empty() {
            f32::INFINITY
        } else {
            least
        };
        Self {
            kinds,
            by_cuts,
            lowest,
        }
    }

    /// Whether a row that these cuts want may be good enough for one of them.
    #[inline(always)]
    pub(super) fn let_by(&self, cuts: u8, score: f32) -> bool {
        let floor = self.by_cuts.get(usize::from(cuts));
        score >= floor.copied().unwrap_or(f32::INFINITY)
    }

    /// Whether any of these may be good enough; not cut short, so that machines compare them side by side.
    #[inline(always)]
    pub(super) fn let_any_by(&self, scores: &[f32]) -> bool {
        let reaches = |any: bool, score: &f32| any | (*score >= self.lowest);
        scores.iter().fold(false, reaches)
    }

    /// Raises the floors to what the cuts ask by now; `bar` says it of each.
    pub(super) fn rise_to(&mut self, bar: impl Fn(usize) -> f32) {
        self.lowest = f32::INFINITY;
        for cuts in &self.kinds {
            let of_them = (0..CUTS_AT_ONCE).filter(|at| cuts & 1 << at != 0);
            let floor = of_them.map(&bar).fold(f32::INFINITY, f32::min);
            self.lowest = self.lowest.min(floor);
            if let Some(known) = self.by_cuts.get_mut(usize::from(*cuts)) {
                *known = floor;
            }
        }
    }
}
