//! From the parts of a text to its claims: what was stated is claimed, and what states nothing by itself is kept as it
//! stands where it says enough.

use std::ops::Range;

use testimony_domain::{MemoryKind, Reason};

use super::Drawer;
use crate::claims::class::*;
use crate::claims::dates::{find, validity};
use crate::claims::drawn::{Drawn, Extraction};
use crate::claims::entities::entities;
use crate::claims::foreign;
use crate::claims::kinds::kind_by_words;
use crate::claims::lexicon::Language;
use crate::claims::piece::{Outcome, Piece, name_them};
use crate::claims::token::{Shape, Token};

impl<'t> Drawer<'t, '_> {
    pub(super) fn verbatim(
        &self,
        span: Range<usize>,
        kind: MemoryKind,
        speaker: Option<&str>,
    ) -> Option<Drawn<'t>> {
        self.with_tokens(&span, |tokens, language| {
            let names = entities(self.text, tokens);
            self.as_it_stands(span.clone(), kind, speaker, (tokens, language), names)
        })
    }

    /// A claim that says of its text only which names and dates stand in it.
    fn as_it_stands(
        &self,
        span: Range<usize>,
        kind: MemoryKind,
        speaker: Option<&str>,
        (tokens, language): (&[Token], Language),
        names: Vec<String>,
    ) -> Option<Drawn<'t>> {
        let text = self.text.get(span.clone())?;
        let dates = find(self.text, tokens, language, self.context.observed_at);
        let by_words = (kind == MemoryKind::Fact)
            .then(|| kind_by_words(&self.sight(tokens, language)))
            .flatten();
        Some(Drawn {
            text,
            span,
            kind: self.context.kind.or(by_words).unwrap_or(kind),
            slot: None,
            entities: names,
            speaker: speaker.map(str::to_owned),
            attributed_to: None,
            validity: validity(dates.iter().map(|found| &found.mention)),
            reason: Reason::KeptVerbatim,
            orders: false,
            instead: None,
        })
    }

    pub(super) fn finish(mut self) -> Extraction<'t> {
        let pieces = std::mem::take(&mut self.pieces);
        let stated = pieces
            .iter()
            .any(|piece| matches!(piece.outcome, Outcome::Claim(_)));
        let open =
            |piece: &Piece<'_>| matches!(piece.outcome, Outcome::Fragment | Outcome::Heading);
        if !stated
            && !pieces.is_empty()
            && pieces.iter().all(open)
            && !self.are_foreign_sentences(&pieces)
        {
            return self.one_claim(&pieces);
        }
        let mut out = Extraction {
            claims: Vec::with_capacity(pieces.len()),
            left_out: Vec::new(),
        };
        let mut rest = pieces.into_iter().peekable();
        while let Some(piece) = rest.next() {
            let before = out.claims.len();
            match piece.outcome {
                Outcome::Claim(drawn) => out.claims.push(*drawn),
                Outcome::Left(reason) => out.leave(piece.span, reason, false),
                Outcome::Order => out.leave(piece.span, Reason::ResidueQuestion, true),
                Outcome::Heading => {
                    // A heading over fragments is kept with them: "The team consists of: Mara, Ben".
                    let mut end = piece.span.end;
                    let mut fragments = 0;
                    while let Some(next) = rest.next_if(|next| {
                        next.item
                            && matches!(next.outcome, Outcome::Fragment)
                            && !self.is_worded_item(&next.span)
                    }) {
                        end = next.span.end;
                        fragments += 1;
                    }
                    match self
                        .verbatim(piece.span.start..end, MemoryKind::Fact, self.speaker)
                        .filter(|_| fragments > 0)
                    {
                        Some(drawn) => out.claims.push(drawn),
                        None => out.leave(piece.span, Reason::ClaimsExtracted, false),
                    }
                }
                Outcome::Fragment => self.fragment(piece.span, stated, &mut out),
            }
            name_them(out.claims.get_mut(before..), piece.speaks_of.as_deref());
        }
        out
    }

    /// Whether these are sentences of a language that the tables do not know: each ends as one does, and few of its words
    /// are known.
    fn are_foreign_sentences(&self, pieces: &[Piece<'_>]) -> bool {
        pieces.len() > 1
            && pieces.iter().all(|piece| {
                !piece.item
                    && matches!(piece.outcome, Outcome::Fragment)
                    && self.is_foreign_sentence(&piece.span)
            })
    }

    fn is_foreign_sentence(&self, span: &Range<usize>) -> bool {
        self.with_tokens(span, |tokens, language| {
            self.is_foreign(span, tokens, language)
        })
    }

    fn is_foreign(&self, span: &Range<usize>, tokens: &[Token], language: Language) -> bool {
        let said = self.text.get(span.clone()).unwrap_or_default();
        foreign::is_foreign(said, tokens, language)
    }

    /// A text of fragments alone is one claim as it stands.
    fn one_claim(&self, pieces: &[Piece<'_>]) -> Extraction<'t> {
        let start = pieces.first().map_or(0, |piece| piece.span.start);
        let end = pieces.last().map_or(0, |piece| piece.span.end);
        let claims = self.verbatim(start..end, MemoryKind::Fact, self.speaker);
        Extraction {
            claims: claims.into_iter().collect(),
            left_out: Vec::new(),
        }
    }

    /// Whether an item is worded as a sentence of its own, though its verb is not known: "Pump 2 leaks."
    fn is_worded_item(&self, span: &Range<usize>) -> bool {
        let said = self.text.get(span.clone()).unwrap_or_default();
        let foreign = || said.split(' ').nth(3).is_some() && self.is_foreign_sentence(span);
        said.ends_with('.') && said.split(' ').nth(2).is_some() || foreign()
    }

    /// A fragment among statements is a claim of its own where it says enough, else it only acknowledges.
    fn fragment(&self, span: Range<usize>, stated: bool, out: &mut Extraction<'t>) {
        let drawn = self.with_tokens(&span, |tokens, language| {
            self.telling_fragment(span.clone(), stated, (tokens, language))
        });
        match drawn {
            Some(drawn) => out.claims.push(drawn),
            None => out.leave(span, Reason::ResidueAcknowledgement, false),
        }
    }

    fn telling_fragment(
        &self,
        span: Range<usize>,
        stated: bool,
        (tokens, language): (&[Token], Language),
    ) -> Option<Drawn<'t>> {
        let names = entities(self.text, tokens);
        let content = tokens
            .iter()
            .filter(|t| {
                !matches!(t.shape, Shape::Mark(_) | Shape::Symbol)
                    && !t.is(FUNCTION | ACKNOWLEDGEMENT | ADVERB)
            })
            .count();
        let telling = tokens
            .iter()
            .any(|t| matches!(t.shape, Shape::Number | Shape::Thing))
            || !names.is_empty();
        let exclaimed = tokens.last().is_some_and(|t| t.is_mark('!'));
        let enough = content >= 3 && !exclaimed
            || telling && content >= 2
            || !stated
            || self.is_foreign(&span, tokens, language);
        let read = (tokens, language);
        let drawn = || self.as_it_stands(span, MemoryKind::Fact, self.speaker, read, names);
        enough.then(drawn).flatten()
    }
}
