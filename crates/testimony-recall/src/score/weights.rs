//! The weights by which signals become relevance: one table, one version. Whoever changes a number changes the version.

use crate::candidate::Channel;

/// The version of the weights and of the rules around them, as diagnostics name it.
pub const ALGORITHM_VERSION: &str = "recall-2026.23";

/// The least relevance that any row needs, whatever the caller's threshold.
pub const SYSTEM_FLOOR: f64 = 0.10;

/// How one signal counts: nothing up to its onset, then linearly up to its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// The share of relevance that the signal can bring by itself.
    pub weight: f64,
    /// Below this it is noise.
    pub onset: f64,
}

impl Weight {
    /// What a signal of this strength brings. Never falls when the signal rises.
    #[must_use]
    pub fn share(&self, signal: f64) -> f64 {
        let above = (signal.clamp(0.0, 1.0) - self.onset).max(0.0);
        self.weight * above / (1.0 - self.onset)
    }
}

/// The whole table.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// How each channel of the search counts.
    pub channels: &'static [(Channel, Weight)],
    /// The share of the question's weighted words that the row holds.
    pub overlap: Weight,
    /// Words of the question that stand side by side in the row too, as a share of such pairs.
    pub phrase: Weight,
    /// Names and identifiers of the question that the row is about, as a share of them.
    pub names: Weight,
    /// A row about the person who asks, when the question is about them.
    pub profile: Weight,
    /// A row that only the keyword channel speaks for needs this overlap.
    pub single_keyword_overlap: f64,
    /// A row that only its own words speak for needs this overlap.
    pub focused_overlap: f64,
}

const fn of(weight: f64, onset: f64) -> Weight {
    Weight { weight, onset }
}

/// The weights in force.
#[rustfmt::skip]
pub const WEIGHTS: Weights = Weights {
    channels: &[
        (Channel::Keyword,  of(0.45, 0.05)),
        (Channel::Semantic, of(0.75, 0.25)),
        (Channel::Entity,   of(0.35, 0.10)),
        (Channel::Graph,    of(0.30, 0.10)),
        (Channel::Profile,  of(0.45, 0.10)),
        (Channel::Lexical,  of(0.60, 0.10)),
        (Channel::Before,   of(0.10, 0.30)),
        (Channel::After,    of(0.10, 0.30)),
    ],
    overlap: of(0.75, 0.05),
    phrase:  of(0.25, 0.00),
    names:   of(0.25, 0.00),
    profile: of(0.20, 0.00),
    single_keyword_overlap: 0.15,
    focused_overlap: 0.25,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_has_exactly_one_weight_inside_its_bounds() {
        for channel in Channel::ALL {
            let rows = WEIGHTS.channels.iter().filter(|(of, _)| of == channel);
            assert_eq!(rows.count(), 1, "{channel}");
        }
        let own = [
            WEIGHTS.overlap,
            WEIGHTS.phrase,
            WEIGHTS.names,
            WEIGHTS.profile,
        ];
        let all = WEIGHTS.channels.iter().map(|(_, it)| *it).chain(own);
        for weight in all {
            assert!((0.0..1.0).contains(&weight.weight), "{weight:?}");
            assert!((0.0..1.0).contains(&weight.onset), "{weight:?}");
        }
    }

    #[test]
    fn whoever_clears_the_rule_for_own_words_clears_the_one_for_keywords() {
        // Otherwise a keyword hit could push out a row that would stand without it.
        const { assert!(WEIGHTS.single_keyword_overlap <= WEIGHTS.focused_overlap) }
    }
}
