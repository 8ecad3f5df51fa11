//! What claims are drawn from, and what is drawn.

use std::borrow::Cow;
use std::ops::Range;

use testimony_domain::{
    EvidenceChannel, MemoryKind, Reason, Slot, SourceClass, Timestamp, Validity,
};

/// Tells whether a sentence is residue, and of which kind.
pub type ResidueRule<'a> = &'a dyn Fn(&str) -> Option<Reason>;

/// What is known of a text when claims are drawn from it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Who speaks, where the text itself does not say it.
    pub speaker: Option<&'a str>,
    /// When it was said.
    pub observed_at: Timestamp,
    /// What its writer says it is.
    pub kind: Option<MemoryKind>,
    /// The way it came in.
    pub channel: EvidenceChannel,
    /// Its class: how a person wants things done is kept, what others order is not.
    pub class: SourceClass,
    /// Tells sentences that are residue by other rules than those of this stage.
    pub residue: Option<ResidueRule<'a>>,
}

/// A claim: a statement, where it stands, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn<'t> {
    /// What it says, as it was said.
    pub text: &'t str,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// What it is.
    pub kind: MemoryKind,
    /// The question that it answers, with the answer.
    pub slot: Option<Slot>,
    /// The names in it.
    pub entities: Vec<String>,
    /// Who said it.
    pub speaker: Option<String>,
    /// Who is said to have said it: "Ana says …".
    pub attributed_to: Option<String>,
    /// When it holds, as far as it says.
    pub validity: Validity,
    /// `claims_extracted` for a statement, `kept_verbatim` for text that is kept as it is.
    pub reason: Reason,
    /// Whether it orders, and was said by no person: somebody has to look at it first.
    pub orders: bool,
    /// Who is meant, where its own words leave that to the words before it.
    pub instead: Option<Instead>,
}

impl<'t> Drawn<'t> {
    /// What it says, for whoever reads it alone: "\[Clara\] lives in Munich." In brackets stands what was not said here.
    #[must_use]
    pub fn told(&self) -> Cow<'t, str> {
        self.instead
            .as_ref()
            .and_then(|instead| instead.within(self.text, self.span.start))
            .map_or(Cow::Borrowed(self.text), Cow::Owned)
    }
}

/// Words that stand for a pronoun, or for a subject that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    /// Where the pronoun stands, in bytes; empty where nothing does.
    pub at: Range<usize>,
    /// Who or what is meant, as the text names it.
    pub words: String,
}

impl Instead {
    fn within(&self, text: &str, start: usize) -> Option<String> {
        let from = self.at.start.checked_sub(start)?;
        let before = text.get(..from)?;
        let behind = text.get(self.at.end.checked_sub(start)?..)?;
        let gap = if self.at.is_empty() { " " } else { "" };
        Some(format!("{before}[{}]{gap}{behind}", self.words))
    }
}

/// A part of the text that makes no claim, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// Why it makes no claim.
    pub reason: Reason,
    /// Whether it is an order that may be meant to hold.
    pub may_hold: bool,
}

/// What was drawn from a text, and what was left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extraction<'t> {
    /// The claims, in the order of the text.
    pub claims: Vec<Drawn<'t>>,
    /// The rest, in the order of the text.
    pub left_out: Vec<LeftOut>,
}

impl Extraction<'_> {
    /// Leaves a part out.
    pub(super) fn leave(&mut self, span: Range<usize>, reason: Reason, may_hold: bool) {
        self.left_out.push(LeftOut {
            span,
            reason,
            may_hold,
        });
    }
}
