//! From signals to relevance: what speaks for a row, how much, and whether it is evidence at all.

mod answer;
mod evidence;
mod nearness;
mod otherwise;
mod over;
mod row;
mod stated;
mod weights;
mod wording;

use testimony_domain::{Reason, words};

pub use answer::sign_names;
pub(crate) use answer::{Judged, Weighed, signs, yes};
pub use evidence::{Evidence, SubjectMatch};
pub(crate) use nearness::Nearness;
pub use row::RowText;
pub(crate) use row::{MEANT, Sought};
pub(crate) use stated::{READ_FROM, STATED_FROM, as_read, odds, stated};
pub use weights::{ALGORITHM_VERSION, SYSTEM_FLOOR, WEIGHTS, Weight, Weights};
pub use wording::Wording;

use crate::candidate::Channel;

words! {
    /// Why a row's signals are no evidence, whatever they add up to.
    pub enum Weakness {
        /// Only the keyword channel speaks for it, and hardly a word of the question stands in it.
        SingleKeyword = "single_signal_keyword",
        /// Only the keyword channel speaks for it, and no word of the question stands in it.
        CommonKeyword = "weak_keyword",
        /// Only its own words speak for it, and they are too few or too common.
        FewWords = "weak_lexical",
    }
}

impl Weakness {
    /// The reason by which callers know it.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Self::SingleKeyword | Self::CommonKeyword => Reason::WeakKeyword,
            Self::FewWords => Reason::WeakLexical,
        }
    }
}

/// Channels that are evidence by themselves.
const STRONG: [Channel; 5] = [
    Channel::Semantic,
    Channel::Entity,
    Channel::Graph,
    Channel::Profile,
    Channel::Lexical,
];

impl Evidence {
    /// Whether the signals are no evidence at all. More of any channel never makes them weaker.
    #[must_use]
    pub fn weakness(&self) -> Option<Weakness> {
        let strong = STRONG.iter().any(|channel| self.speaks(*channel));
        if strong || self.is_focused() || self.profile_hits > 0 {
            return None;
        }
        let keyword = self.speaks(Channel::Keyword);
        match (keyword, self.matched_terms) {
            (true, 0) => Some(Weakness::CommonKeyword),
            (true, _) if self.overlap < WEIGHTS.single_keyword_overlap => {
                Some(Weakness::SingleKeyword)
            }
            // With nothing at all to speak for it, a row falls below the floor without a name of its own.
            (true, _) | (false, 0) => None,
            (false, _) => Some(Weakness::FewWords),
        }
    }

    /// Whether a channel is among the signals that make it relevant.
    #[must_use]
    pub fn is_signal(&self, channel: Channel) -> bool {
        let own = match channel {
            Channel::Lexical => self.is_focused() && self.matched_terms > 0,
            Channel::Entity => self.entity_hits > 0,
            Channel::Profile => self.profile_hits > 0,
            Channel::Keyword
            | Channel::Semantic
            | Channel::Graph
            | Channel::Before
            | Channel::After => false,
        };
        own || self.speaks(channel)
    }

    /// The signals that make it relevant, by name.
    pub fn relevance_signals(&self) -> impl Iterator<Item = Channel> {
        let all = Channel::ALL.iter().copied();
        all.filter(|channel| self.is_signal(*channel))
    }
}
