//! The parts of a text while its claims are drawn.

use std::ops::Range;

use testimony_domain::Reason;

use super::drawn::{Drawn, Instead};

/// What becomes of a part.
pub(super) enum Outcome<'t> {
    Claim(Box<Drawn<'t>>),
    Left(Reason),
    /// An order that makes no claim here and may be meant to hold.
    Order,
    /// Words that say something but state nothing by themselves.
    Fragment,
    /// Introduces what follows.
    Heading,
}

impl Outcome<'_> {
    /// The same, with who or what is meant.
    pub(super) fn told_with(mut self, instead: Option<Instead>) -> Self {
        if let Self::Claim(drawn) = &mut self {
            drawn.instead = instead;
        }
        self
    }
}

/// A part of the text, in the order of the text.
pub(super) struct Piece<'t> {
    pub(super) span: Range<usize>,
    pub(super) item: bool,
    pub(super) outcome: Outcome<'t>,
    /// Whom it names by a pronoun or by no word, so that it is found by the name.
    pub(super) speaks_of: Option<String>,
}

/// Claims that name somebody by a pronoun alone are found by the name.
pub(super) fn name_them(drawn: Option<&mut [Drawn<'_>]>, name: Option<&str>) {
    for drawn in drawn.into_iter().flatten() {
        let unnamed = name.filter(|name| !drawn.entities.iter().any(|known| known == name));
        drawn.entities.extend(unnamed.map(str::to_owned));
    }
}
