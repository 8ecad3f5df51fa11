//! The pieces of a text, each with what was found in it, and the route that follows.

use std::ops::Range;

use testimony_domain::{MemoryKind, Reason, Redacted, ReviewNeed, Speaker, Validity};

use super::attack::Attack;
use super::{Case, Finding};
use crate::claims::{Drawn, Extraction, LeftOut};
use crate::echo::Echo;
use crate::injection::{self, Grade};
use crate::ruling::{Claim, LEFT_OUT, Route};
use crate::secrets::Label;

/// Why something waits in which nothing was found.
const BESIDE_AN_ATTACK: &str = "injection.beside_an_attack";

/// A piece of the redacted text: a claim, or a part that makes none.
struct Piece<'t> {
    span: Range<usize>,
    content: Content<'t>,
    secret: bool,
    attacked: bool,
    found: Vec<Finding>,
}

enum Content<'t> {
    Claim(Box<Drawn<'t>>),
    LeftOut(Reason),
}

/// Everything on which the routes depend.
pub(super) struct Docket<'c, 'a> {
    case: &'c Case<'a>,
    attack: Attack,
    pieces: Vec<Piece<'c>>,
    /// Whether an order was left out that may be meant to hold.
    may_hold: bool,
}

impl<'c, 'a> Docket<'c, 'a> {
    pub(super) fn new(case: &'c Case<'a>, drawn: Extraction<'c>, attack: Attack) -> Self {
        let may_hold = drawn.left_out.iter().any(|left| left.may_hold);
        let claims = drawn
            .claims
            .into_iter()
            .map(|claim| (claim.span.clone(), Content::Claim(Box::new(claim))));
        let rest = drawn
            .left_out
            .into_iter()
            .map(|left| (left.span.clone(), left_out(case, left)));
        let mut pieces: Vec<Piece<'_>> = claims
            .chain(rest)
            .map(|(span, content)| Piece {
                span,
                content,
                secret: false,
                attacked: false,
                found: Vec::new(),
            })
            .collect();
        if pieces.is_empty() {
            pieces.push(Piece::verbatim(case));
        }
        pieces.sort_by_key(|piece| piece.span.start);
        let mut docket = Self {
            case,
            attack,
            pieces,
            may_hold,
        };
        docket.lay_out();
        docket
    }

    /// Puts every secret and every signal to the pieces in which it stands.
    fn lay_out(&mut self) {
        let labels: Vec<Label> = self.case.map.labels().collect();
        for label in &labels {
            self.pieces_at(&label.redacted)
                .for_each(|piece| piece.secret = true);
        }
        let in_content = self
            .case
            .secrets
            .iter()
            .filter(|found| found.field.is_none());
        for found in in_content {
            let at = labels.partition_point(|label| label.original.end <= found.span.start);
            let label = labels
                .get(at)
                .filter(|label| label.original.start < found.span.end);
            if let Some(piece) = label.and_then(|label| self.pieces_at(&label.redacted).next()) {
                piece.found.push(found.clone());
            }
        }
        let reason = self.attack.reason();
        for (span, rule) in std::mem::take(&mut self.attack.marks) {
            let finding = self.case.finding(reason, rule, span.clone());
            // A signal belongs to the piece in which it begins; its neighbours are reviewed all the same.
            if let Some(piece) = self.pieces_at(&span).next() {
                piece.attacked = true;
                piece.found.push(finding);
            }
        }
        if self.attack.grade() > Grade::None {
            self.share_among_commands();
        }
    }

    /// Commands that stand right beside an attack share its fate: whoever wrote the one wrote the other.
    fn share_among_commands(&mut self) {
        let reason = self.attack.reason();
        for backwards in [false, true] {
            let mut beside = false;
            let count = self.pieces.len();
            for at in 0..count {
                let at = if backwards { count - 1 - at } else { at };
                let Some(piece) = self.pieces.get_mut(at) else {
                    continue;
                };
                let text = self.case.text.as_str();
                let said = text.get(piece.span.clone()).unwrap_or_default();
                if piece.attacked {
                    beside = true;
                } else if beside && !piece.is_left_out() {
                    beside = injection::opens_with_command(said);
                    piece.attacked = beside;
                    let why = || super::whole_text(reason, BESIDE_AN_ATTACK);
                    piece.found.extend(beside.then(why));
                }
            }
        }
    }

    /// The pieces that `span` touches; a span between pieces belongs to the one before it.
    fn pieces_at(&mut self, span: &Range<usize>) -> impl Iterator<Item = &mut Piece<'c>> {
        let first = self
            .pieces
            .partition_point(|piece| piece.span.start <= span.start)
            .saturating_sub(1);
        let behind = self
            .pieces
            .partition_point(|piece| piece.span.start < span.end)
            .max(first + 1);
        self.pieces.get_mut(first..behind).into_iter().flatten()
    }

    /// One claim for the whole text, of `route` unless something in it is worse.
    pub(super) fn settle_whole(mut self, route: Route, why: Finding) -> (Vec<Finding>, Vec<Claim>) {
        let is_all_read = self.attack.is_all_read;
        let claim = self.pieces.pop().map(|mut piece| {
            piece.found.push(why);
            let route = if piece.secret {
                Route::QuarantineSecret
            } else {
                route
            };
            piece.found.extend(unread(is_all_read));
            piece.into_claim(self.case, route)
        });
        (
            self.attack
                .field_findings()
                .chain(unread(is_all_read))
                .collect(),
            claim.into_iter().collect(),
        )
    }

    /// A route for every piece; what is left out stays among the findings unless it has to be held.
    pub(super) fn settle(mut self, echoes: &[Echo]) -> (Vec<Finding>, Vec<Claim>) {
        let is_all_read = self.attack.is_all_read;
        let about_all: Vec<Finding> = self
            .attack
            .field_findings()
            .chain(unread(is_all_read))
            .collect();
        let mut findings = about_all.clone();
        let mut claims = Vec::with_capacity(self.pieces.len());
        self.drop_echoes(echoes);
        let only_residue = self.pieces.iter().all(Piece::is_residue);
        for mut piece in std::mem::take(&mut self.pieces) {
            let route = self.route(&piece);
            match piece.content {
                Content::LeftOut(reason)
                    if route == Route::Admit
                        || !piece.is_marked()
                        || is_sealed(reason) && matches!(route, Route::Review(_)) =>
                {
                    findings.append(&mut piece.found);
                    findings.push(self.case.finding(reason, LEFT_OUT, piece.span));
                }
                Content::LeftOut(_) | Content::Claim(_) => {
                    piece.found.extend(about_all.first().cloned());
                    piece.found.extend(self.beside_an_attack(&piece));
                    claims.push(piece.into_claim(self.case, route));
                }
            }
        }
        if claims.is_empty() && only_residue {
            claims.push(if self.may_hold && self.attack.grade() == Grade::None {
                self.standing_order(&mut findings)
            } else {
                self.forensic(&mut findings)
            });
        }
        (findings, claims)
    }

    /// Claims that mostly repeat what was handed out make no memory.
    fn drop_echoes(&mut self, echoes: &[Echo]) {
        for echo in echoes {
            for piece in self.pieces_at(&echo.span) {
                let start = piece.span.start.max(echo.span.start);
                let shared = piece.span.end.min(echo.span.end).saturating_sub(start);
                if shared * 2 > piece.span.len() {
                    piece.content = Content::LeftOut(Reason::Echo);
                }
            }
        }
    }

    fn route(&self, piece: &Piece<'_>) -> Route {
        let grade = self.attack.grade();
        let in_fields = self.attack.field_findings().next().is_some();
        if piece.secret {
            Route::QuarantineSecret
        } else if grade == Grade::Strong && (in_fields || piece.attacked) {
            Route::QuarantineInjection
        } else if grade == Grade::Strong
            || grade == Grade::Weak && (in_fields || piece.attacked)
            || !self.attack.is_all_read
            || piece.orders() && !self.is_for_people(piece)
        {
            Route::Review(ReviewNeed::WeakInjection)
        } else if self.case.submission.review_requested {
            Route::Review(ReviewNeed::Requested)
        } else {
            Route::Admit
        }
    }

    /// Whether what a piece orders is worded as orders to people are.
    fn is_for_people(&self, piece: &Piece<'_>) -> bool {
        let said = self.case.text.as_str().get(piece.span.clone());
        said.is_some_and(injection::reads_as_ordinary)
    }

    /// Why a piece waits that nothing was found in: whoever wrote the attack wrote its neighbours too.
    fn beside_an_attack(&self, piece: &Piece<'_>) -> Option<Finding> {
        let clean = piece.found.is_empty() && self.attack.grade() == Grade::Strong;
        clean.then(|| super::whole_text(Reason::InjectionWeak, BESIDE_AN_ATTACK))
    }

    /// A text that says nothing but an order which may be meant to hold is kept as it stands: it waits until somebody says
    /// so, unless it is worded as orders to people are.
    fn standing_order(&self, findings: &mut Vec<Finding>) -> Claim {
        findings.retain(|finding| finding.rule != LEFT_OUT);
        let mut piece = Piece::verbatim(self.case);
        if let Content::Claim(drawn) = &mut piece.content {
            drawn.orders = true;
        }
        let route = self.route(&piece);
        piece.into_claim(self.case, route)
    }

    /// A text of which every part is residue is one record of what happened.
    fn forensic(&self, findings: &mut Vec<Finding>) -> Claim {
        let mut piece = Piece::verbatim(self.case);
        piece.found.append(findings);
        piece.into_claim(self.case, Route::Forensic)
    }
}

/// A question that reminds its reader of a fact is kept as it stands; other parts are left out.
fn left_out<'c>(case: &'c Case<'_>, left: LeftOut) -> Content<'c> {
    let said = case
        .text
        .as_str()
        .get(left.span.clone())
        .unwrap_or_default();
    if left.reason == Reason::ResidueQuestion && crate::residue::question_tells(said) {
        return Content::Claim(Box::new(as_it_stands(
            case,
            left.span,
            Reason::KeptVerbatim,
        )));
    }
    Content::LeftOut(left.reason)
}

impl<'t> Piece<'t> {
    /// The whole text as it stands.
    fn verbatim(case: &'t Case<'_>) -> Self {
        let text = case.text.as_str();
        let start = text.len() - text.trim_start().len();
        let span = start..start.max(text.trim_end().len());
        let drawn = as_it_stands(case, span.clone(), Reason::KeptVerbatim);
        Self {
            span,
            content: Content::Claim(Box::new(drawn)),
            secret: false,
            attacked: false,
            found: Vec::new(),
        }
    }

    const fn is_left_out(&self) -> bool {
        matches!(&self.content, Content::LeftOut(_))
    }

    const fn is_residue(&self) -> bool {
        matches!(&self.content, Content::LeftOut(reason) if !matches!(reason, Reason::Hedged | Reason::Echo))
    }

    /// Whether it is an order, said by no person.
    fn orders(&self) -> bool {
        matches!(&self.content, Content::Claim(drawn) if drawn.orders)
    }

    fn is_marked(&self) -> bool {
        self.secret || self.attacked
    }

    fn into_claim(self, case: &Case<'_>, route: Route) -> Claim {
        let drawn = match self.content {
            Content::Claim(drawn) => *drawn,
            Content::LeftOut(reason) => as_it_stands(case, self.span.clone(), reason),
        };
        let requested = (route == Route::Review(ReviewNeed::Requested))
            .then(|| super::whole_text(Reason::ReviewRequested, "submission.review_requested"));
        let ordered = (drawn.orders && matches!(route, Route::Review(_)))
            .then(|| case.finding(Reason::InjectionWeak, "claims.order", self.span.clone()));
        let own = case.finding(drawn.reason, "claims.drawn", self.span.clone());
        Claim {
            text: Redacted::attest(drawn.told()),
            span: case.map.original(self.span),
            route,
            findings: self
                .found
                .into_iter()
                .chain(requested)
                .chain(ordered)
                .chain([own])
                .collect(),
            kind: drawn.kind,
            slot: drawn.slot,
            entities: drawn.entities,
            speaker: drawn
                .speaker
                .and_then(|name| Speaker::new("speaker", &name).ok()),
            observed_at: case.submission.observed_at,
            validity: drawn.validity,
        }
    }
}

/// Whether what is left out can never be trusted: no person has to look at weak signs of an attack in it.
pub(super) const fn is_sealed(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::TestRow | Reason::LifecycleLog | Reason::SystemGenerated
    )
}

/// Why a person has to look at a text that nobody could read to its end.
fn unread(is_all_read: bool) -> Option<Finding> {
    (!is_all_read).then(|| super::whole_text(Reason::ReadingIncomplete, "normalise.budget"))
}

/// A span of the text of which nothing is known but its words.
fn as_it_stands<'t>(case: &'t Case<'_>, span: Range<usize>, reason: Reason) -> Drawn<'t> {
    Drawn {
        text: case.text.as_str().get(span.clone()).unwrap_or_default(),
        span,
        kind: case.submission.kind.unwrap_or(MemoryKind::Fact),
        slot: None,
        entities: Vec::new(),
        speaker: case.speaker().map(str::to_owned),
        attributed_to: None,
        validity: Validity::default(),
        reason,
        orders: false,
        instead: None,
    }
}
