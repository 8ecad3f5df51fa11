//! From a text to its claims: what is left out is named, and nothing else is lost.

mod collected;

use std::ops::Range;

use testimony_domain::{MemoryKind, Reason, SourceClass};

use super::asking;
use super::blocks::BlockKind;
use super::called::called;
use super::class::*;
use super::clauses::{Clause, clauses, ends, within};
use super::command_words::Command;
use super::correcting::corrects;
use super::dates::{Found, find, validity};
use super::direct_speech::{is_spoken_to_the_end, quotes_another};
use super::doubt::{Doubt, behind_semicolon};
use super::drawn::{Context, Drawn, Extraction};
use super::entities::{entities, is_redacted};
use super::instead::widened;
use super::kinds::{has_verb, kind};
use super::labels::{labels_a_sentence, lists_pairs};
use super::leads::{
    behind_spoken_lead, only_says_who_speaks, openers, statement_behind, told_in_question,
};
use super::leave_out::{Sight, ends_as_question, politeness};
use super::lexicon::Language;
use super::noun::Scene;
use super::phrases::Sense;
use super::piece::{Outcome, Piece};
use super::reading::{Read, read, remember};
use super::referents;
use super::sentences::{Sentence, sentences};
use super::titles;
use super::token::{Shape, Token, tokens};
use super::unowned;
use super::value::View;
use crate::work::steps;

/// A speaker of a longer name, in bytes, is taken for unknown, or each claim would repeat it; no label of one is as long.
const LONGEST_NAME: usize = 1_024;

/// Draws the claims from `text`, which is already redacted.
#[must_use]
pub fn extract<'t>(text: &'t str, context: &Context<'_>) -> Extraction<'t> {
    let speaker = context.speaker.filter(|name| name.len() <= LONGEST_NAME);
    let mut scene = Scene {
        speaker: speaker.map(str::to_lowercase),
        ..Scene::default()
    };
    let mut drawer = Drawer {
        text,
        context,
        speaker,
        pieces: Vec::new(),
        last: None,
    };
    let sentences = sentences(text);
    scene.referents.listens = sentences.len() > 1;
    for sentence in sentences {
        drawer.sentence(&sentence, &mut scene);
    }
    drawer.finish()
}

struct Drawer<'t, 'c> {
    text: &'t str,
    context: &'c Context<'c>,
    speaker: Option<&'c str>,
    pieces: Vec<Piece<'t>>,
    /// The words of the last sentence that was read, and where it stands: what is kept as it stands asks for them again.
    last: Option<(Range<usize>, Vec<Token>, Language)>,
}

impl<'t> Drawer<'t, '_> {
    fn push(&mut self, span: Range<usize>, item: bool, outcome: Outcome<'t>) {
        self.push_about(span, item, outcome, None);
    }

    fn push_about(
        &mut self,
        span: Range<usize>,
        item: bool,
        outcome: Outcome<'t>,
        speaks_of: Option<String>,
    ) {
        self.pieces.push(Piece {
            span,
            item,
            outcome,
            speaks_of,
        });
    }

    fn sentence(&mut self, sentence: &Sentence, scene: &mut Scene) {
        let span = sentence.span.clone();
        let item = matches!(sentence.kind, BlockKind::Item | BlockKind::KeyValue);
        let named = sentence
            .speaker
            .clone()
            .and_then(|name| self.text.get(name));
        let speaker = named.or(self.speaker);
        let said_by = speaker.map(str::to_lowercase);
        if scene.speaker != said_by {
            *scene = Scene {
                speaker: said_by,
                referents: std::mem::take(&mut scene.referents),
                subject: None,
            };
        }
        if self.took_as_a_block(sentence, speaker) {
            return;
        }
        let said = self.text.get(span.clone()).unwrap_or_default();
        if let Some(reason) = self.context.residue.and_then(|residue| residue(said)) {
            return self.push(span, item, Outcome::Left(reason));
        }
        let (tokens, language) = self.tokens(&span);
        if titles::heads(self.text, sentence.kind, &tokens) {
            return self.push(span, false, Outcome::Heading);
        }
        if self.signs(&span, &tokens) {
            return self.push(span, item, Outcome::Left(Reason::ResidueThanks));
        }
        self.worded(&tokens, language, &span, (item, speaker), scene);
        self.last = Some((span, tokens, language));
    }

    /// Takes code, tables and headings, which are no sentences.
    fn took_as_a_block(&mut self, sentence: &Sentence, speaker: Option<&str>) -> bool {
        let span = sentence.span.clone();
        let kind = match sentence.kind {
            BlockKind::Code => MemoryKind::Artifact,
            BlockKind::Table => MemoryKind::Fact,
            BlockKind::Heading => {
                self.push(span, false, Outcome::Heading);
                return true;
            }
            BlockKind::Prose
            | BlockKind::Item
            | BlockKind::KeyValue
            | BlockKind::Title
            | BlockKind::TitleOfProse => return false,
        };
        if let Some(drawn) = self.verbatim(span.clone(), kind, speaker) {
            self.push(span, false, Outcome::Claim(Box::new(drawn)));
        }
        true
    }

    /// "Yours sincerely, / C. Abbey": the name at the end of a letter, behind its last polite words.
    fn signs(&self, span: &Range<usize>, tokens: &[Token]) -> bool {
        let closes =
            |piece: &Piece<'_>| matches!(piece.outcome, Outcome::Left(Reason::ResidueThanks));
        let words = || tokens.iter().filter(|token| !token.is_any_mark());
        let of_name =
            |token: &Token| token.shape == Shape::Word && token.capital && !token.is(VERB);
        let is_name = || (1..=3).contains(&words().take(4).count()) && words().all(of_name);
        // Looked at last, and only up to the next word: every sentence asks.
        let is_last = || {
            let rest = self.text.get(span.end..).unwrap_or_default();
            let behind = rest.trim_start();
            steps(rest.len() - behind.len());
            behind.is_empty()
        };
        self.pieces.last().is_some_and(closes) && is_name() && is_last()
    }

    /// What a sentence of these words is.
    fn worded(
        &mut self,
        tokens: &[Token],
        language: Language,
        span: &Range<usize>,
        (item, speaker): (bool, Option<&str>),
        scene: &mut Scene,
    ) {
        let span = span.clone();
        if let Some(reason) = politeness(self.text, tokens) {
            let asks = ends_as_question(tokens) && reason == Reason::ResidueAcknowledgement;
            return self.push(
                span,
                item,
                Outcome::Left(if asks {
                    Reason::ResidueQuestion
                } else {
                    reason
                }),
            );
        }
        let lead = self.polite_lead(tokens, &span, item);
        let rest = tokens.get(lead..).unwrap_or_default();
        if lead > 0
            && let (Some(reason), Some(first)) = (politeness(self.text, rest), rest.first())
        {
            return self.push(first.start..span.end, item, Outcome::Left(reason));
        }
        let sight = self.sight(rest, language);
        if let Some((told, end)) = sight
            .told_from()
            .and_then(|from| told_in_question(rest, from))
        {
            let sight = self.sight(told, language);
            return self.statements(sight, span.start..end, item, speaker, scene);
        }
        let sight = self.behind_reason(sight, &span, item);
        self.statements(sight, span, item, speaker, scene);
    }

    /// "Since I work nights, when …?": leaves out the word in front of a fact that is the reason of a question.
    fn behind_reason<'s>(&mut self, sight: Sight<'s>, span: &Range<usize>, item: bool) -> Sight<'s>
    where
        't: 's,
    {
        let Some((lead, rest)) =
            asking::behind_reason(&sight).and_then(|from| sight.tokens.split_at_checked(from))
        else {
            return sight;
        };
        let end = lead.last().map_or(span.start, |last| last.end);
        let start = lead.first().map_or(span.start, |first| first.start);
        self.push(start..end, item, Outcome::Left(Reason::ResidueQuestion));
        self.sight(rest, sight.language)
    }

    /// "Thanks, …", "Hi Ana! …": leaves out a polite beginning and says how many tokens it took.
    fn polite_lead(&mut self, tokens: &[Token], span: &Range<usize>, item: bool) -> usize {
        let comma = tokens
            .iter()
            .take(7)
            .position(|t| t.is_mark(',') || t.is_mark('!') || t.is_mark('—'));
        let Some(comma) = comma.filter(|at| *at > 0 && at + 2 < tokens.len()) else {
            return 0;
        };
        let front = tokens.get(..comma).unwrap_or_default();
        let Some(reason) = politeness(self.text, front).filter(|_| !corrects(self.text, front))
        else {
            return 0;
        };
        let end = tokens.get(comma).map_or(span.start, |t| t.end);
        self.push(span.start..end, item, Outcome::Left(reason));
        comma + 1
    }

    fn statements(
        &mut self,
        sight: Sight<'_>,
        span: Range<usize>,
        item: bool,
        speaker: Option<&str>,
        scene: &mut Scene,
    ) {
        let tokens = sight.tokens;
        let Some(first) = tokens.first() else {
            return;
        };
        let span = first.start..span.end;
        if sight.is_wordless() {
            return self.push(span, item, Outcome::Left(Reason::ResidueEmoji));
        }
        if self.pieces.is_empty() && span.end < self.text.len() && sight.is_title_of_notes() {
            return self.push(span, item, Outcome::Heading);
        }
        let asks = ends_as_question(tokens);
        let (parts, asked) = asking::parts(&sight, asks);
        if (asks || sight.is_worded_as_question())
            && !(asks && asking::states_before_asking(&sight, &parts))
        {
            referents::hear(self.text, tokens, scene);
            return self.push(span, item, Outcome::Left(Reason::ResidueQuestion));
        }
        let command = sight.command().filter(|_| !sight.is_labelled());
        if let Some(reason) = self.refused_command(command) {
            let holds = command.is_some_and(|command| sight.may_hold(command));
            let outcome = if holds {
                Outcome::Order
            } else {
                Outcome::Left(reason)
            };
            referents::hear(self.text, tokens, scene);
            if command == Some(Command::Once) {
                return self.refused(outcome, &sight, span, (item, speaker), scene);
            }
            return self.push(span, item, outcome);
        }
        // What somebody says behind a colon is theirs up to the end: a clause of it alone would be the speaker's.
        let parts = if command.is_some() || is_spoken_to_the_end(self.text, tokens) {
            vec![Clause {
                from: 0,
                to: tokens.len(),
                elided: false,
            }]
        } else {
            parts
        };
        self.draw_parts(
            &Sentenced {
                sight,
                span,
                item,
                speaker,
                command,
                asks: asked,
            },
            parts,
            scene,
        );
    }

    /// "Forget the blue paint, we chose green": the order makes no claim, what is stated behind it does.
    fn refused(
        &mut self,
        order: Outcome<'t>,
        sight: &Sight<'_>,
        span: Range<usize>,
        (item, speaker): (bool, Option<&str>),
        scene: &mut Scene,
    ) {
        let behind = statement_behind(self.text, sight.tokens);
        let told = behind.and_then(|(end, told)| {
            let states = !ends_as_question(told) && has_verb(self.text, told);
            Some((end, told.first()?.start, told)).filter(|_| states)
        });
        let Some((end, start, told)) = told else {
            return self.push(span, item, order);
        };
        self.push(span.start..end, item, order);
        let whole = Sentenced {
            sight: self.sight(told, sight.language),
            span: start..span.end,
            item,
            speaker,
            command: None,
            asks: false,
        };
        self.draw_parts(&whole, clauses(self.text, told), scene);
    }

    /// Why an instruction makes no claim, if it makes none: only a person's lasting wishes do, and what its writer calls one.
    fn refused_command(&self, command: Option<Command>) -> Option<Reason> {
        let person = self.is_a_person();
        let called = matches!(
            self.context.kind,
            Some(MemoryKind::Preference | MemoryKind::Decision)
        );
        match command {
            Some(Command::Once) if !called => Some(Reason::ResidueQuestion),
            Some(Command::Changes | Command::Addressed | Command::Styled) if !called && !person => {
                Some(Reason::ResidueQuestion)
            }
            Some(Command::Reasoned)
                if !called && self.context.class == SourceClass::ExternalDocument =>
            {
                Some(Reason::ResidueQuestion)
            }
            Some(
                Command::Once
                | Command::Detailed
                | Command::Addressed
                | Command::Lasting
                | Command::Styled
                | Command::Changes
                | Command::Reasoned,
            )
            | None => None,
        }
    }

    fn is_a_person(&self) -> bool {
        matches!(
            self.context.class,
            SourceClass::UserStatement | SourceClass::Operator
        )
    }

    fn is_order_of_another(&self, command: Option<Command>) -> bool {
        // What somebody was heard to want waits until a person has looked; it may be an order to the machine.
        matches!(command, Some(Command::Lasting | Command::Detailed)) && !self.is_a_person()
    }

    fn draw_parts(&mut self, whole: &Sentenced<'_>, parts: Vec<Clause>, scene: &mut Scene) {
        let dates = self.dates(&whole.sight);
        scene.referents.listens |= parts.len() > 1;
        let parts = self.merged(whole, parts, &dates, scene);
        let count = parts.len();
        // "We expect a child in July, and I think it is a girl, but who knows": the doubt is about what is supposed.
        let supposed_from = self.supposed_last(whole, &parts).unwrap_or(0);
        let from = supposed_from.max(behind_semicolon(whole.sight.tokens, &parts));
        let mut doubt = Doubt::new(whole.sight.ends_in_doubt(), from);
        let mut before: &[Token] = &[];
        for (number, clause) in parts.into_iter().enumerate() {
            let tokens = whole
                .sight
                .tokens
                .get(clause.from..clause.to)
                .unwrap_or_default();
            let Some((from, to)) = ends(tokens) else {
                continue;
            };
            let to = if number + 1 == count {
                whole.span.end
            } else {
                to
            };
            let part;
            let sight = if count == 1 {
                &whole.sight
            } else {
                part = self.sight(tokens, whole.sight.language);
                &part
            };
            let from = if number == 0 && whole.command.is_none() {
                behind_spoken_lead(self.text, tokens).unwrap_or(from)
            } else {
                from
            };
            let supposed = doubt.falls_on(whole.command, number, clause.elided, sight);
            let hinted = self.context.kind.is_some() && count == 1 && !sight.has(Sense::Hedge);
            let asks = whole.asks && number + 1 == count;
            let leaning = referents::begin(self.text, sight.tokens, scene);
            let speaks_of = leaning.speaks_of(scene, clause.elided);
            let leaves_out = clause.elided.then_some(before);
            let instead = leaning.told_with(self.text, sight.tokens, leaves_out, scene);
            let instead = instead.map(|it| widened(it, self.text, before));
            if !clause.elided {
                before = tokens;
            }
            let outcome = if asks {
                Outcome::Left(Reason::ResidueQuestion)
            } else if supposed && !hinted {
                Outcome::Left(Reason::Hedged)
            } else {
                // Each clause has a tense of its own, which places its dates.
                let held = if count == 1 {
                    within(&dates, clause)
                } else {
                    self.dates(sight)
                };
                let drawn = self.draw(sight, &held, from..to, whole, scene);
                drawn.told_with(instead)
            };
            referents::end(self.text, sight.tokens, &leaning, scene);
            self.push_about(from..to, whole.item, outcome, speaks_of);
        }
    }

    fn dates(&self, sight: &Sight<'_>) -> Vec<Found> {
        let observed_at = self.context.observed_at;
        find(self.text, sight.tokens, sight.language, observed_at)
    }

    /// The clause before the last, where there are others before it and it is only supposed.
    fn supposed_last(&self, whole: &Sentenced<'_>, parts: &[Clause]) -> Option<usize> {
        let at = parts.len().checked_sub(2).filter(|at| *at > 0)?;
        let clause = parts.get(at)?;
        let tokens = whole.sight.tokens.get(clause.from..clause.to)?;
        self.sight(tokens, whole.sight.language)
            .is_supposed()
            .then_some(at)
    }

    /// Clauses that lean on the one before are put back to it, for alone they would say nothing: those that leave their
    /// subject out and make no slot, and those of whose subject only the clause before tells whose it is.
    fn merged(
        &self,
        whole: &Sentenced<'_>,
        mut parts: Vec<Clause>,
        dates: &[Found],
        scene: &Scene,
    ) -> Vec<Clause> {
        // Only what stands up to the last clause that leans on another has to be read to tell what it leans on.
        let sentence = whole.sight.tokens;
        let of_it = |it: &Clause| unowned::ends_with_it(self.text, sentence, *it);
        let may_lean =
            |it: &Clause| it.elided || unowned::may_lean(self.text, sentence, *it) || of_it(it);
        let Some(last_leaning) = parts.iter().rposition(may_lean) else {
            return parts;
        };
        let mut scene = scene.clone();
        let mut out: Vec<Clause> = Vec::new();
        let rest = parts.split_off(last_leaning + 1);
        for clause in parts {
            let tokens = sentence.get(clause.from..clause.to).unwrap_or_default();
            let held = within(dates, clause);
            let leaning = referents::begin(self.text, tokens, &mut scene);
            let read = self.read(tokens, &held, &scene);
            referents::end(self.text, tokens, &leaning, &mut scene);
            let slot = read.slot.as_ref();
            let unowned = || leaning.is_open || unowned::leans(self.text, tokens, slot);
            let left_out = slot.is_none() && (clause.elided || of_it(&clause));
            let leans = left_out || !clause.elided && may_lean(&clause) && unowned();
            match out.last_mut() {
                Some(last) if leans => last.to = clause.to,
                _ => out.push(clause),
            }
            remember(&mut scene, &read);
            if read.subject.is_none() && scene.subject.is_none() && !clause.elided {
                scene.subject = self.bare_subject(tokens, &scene);
            }
        }
        out.extend(rest);
        out
    }

    /// The subject of a clause that fills no slot: what stands before its first verb.
    fn bare_subject(&self, tokens: &[Token], scene: &Scene) -> Option<String> {
        let verb = tokens.iter().take(8).position(|token| token.is(VERB))?;
        let from = openers(self.text, tokens, 0);
        let subject = super::noun::noun(self.text, tokens.get(from..verb)?, scene).subject();
        (!subject.is_empty()).then_some(subject)
    }

    fn tokens(&self, span: &Range<usize>) -> (Vec<Token>, Language) {
        steps(span.len());
        tokens(self.text, span.start, span.end)
    }

    /// Looks at the words of a stretch, which may be the last sentence that was read.
    fn with_tokens<R>(&self, span: &Range<usize>, look: impl FnOnce(&[Token], Language) -> R) -> R {
        match &self.last {
            Some((known, tokens, language)) if known == span => look(tokens, *language),
            Some(_) | None => {
                let (tokens, language) = self.tokens(span);
                look(&tokens, language)
            }
        }
    }

    fn sight<'s>(&self, tokens: &'s [Token], language: Language) -> Sight<'s>
    where
        't: 's,
    {
        steps(tokens.len());
        Sight::new(self.text, tokens, language)
    }

    fn read(&self, tokens: &[Token], dates: &[Found], scene: &Scene) -> Read {
        read(&View {
            text: self.text,
            tokens,
            dates,
            scene,
        })
    }

    fn draw(
        &self,
        sight: &Sight<'_>,
        dates: &[Found],
        span: Range<usize>,
        whole: &Sentenced<'_>,
        scene: &mut Scene,
    ) -> Outcome<'t> {
        let ordered = whole.command.is_some_and(|it| it != Command::Changes);
        let mut read = if ordered {
            Read::default()
        } else {
            self.read(sight.tokens, dates, scene)
        };
        if ordered {
            read.slot = called(sight, scene);
        }
        if read.slot.is_none() && read.attributed_to.is_none() && sight.names_the_speaker() {
            read.slot = called(sight, scene);
        }
        let alone = span.len() >= self.text.trim().len();
        // A label stands where a secret stood: it answers nothing.
        read.slot = read
            .slot
            .filter(|slot| !is_redacted(&slot.value) && !sight.holds_in_a_case_only())
            .filter(|slot| !Sight::reads_over_a_limit(slot))
            .filter(|slot| !unowned::is_nobodys(slot, self.text, sight.tokens))
            .filter(|slot| {
                let said = self.text.get(span.clone()).unwrap_or_default();
                !lists_pairs(said) && !labels_a_sentence(slot, said)
            })
            .filter(|_| !quotes_another(self.text, sight.tokens, alone));
        if read.subject.is_none() {
            read.subject = self.bare_subject(sight.tokens, scene);
        }
        let slotted = read.slot.is_some();
        if !slotted && whole.command.is_none() && !has_verb(self.text, sight.tokens) {
            return Outcome::Fragment;
        }
        if whole.command.is_none() && only_says_who_speaks(self.text, sight.tokens) {
            return Outcome::Left(Reason::ResidueAcknowledgement);
        }
        remember(scene, &read);
        let Some(text) = self.text.get(span.clone()) else {
            return Outcome::Fragment;
        };
        let kind = self
            .context
            .kind
            .unwrap_or_else(|| kind(sight, &read, whole.command, self.context.channel));
        if let Some(slot) = &read.slot {
            steps(slot.key.subject.len() + slot.value.len());
        }
        Outcome::Claim(Box::new(Drawn {
            text,
            span,
            kind,
            entities: entities(self.text, sight.tokens),
            speaker: whole.speaker.map(str::to_owned),
            attributed_to: read.attributed_to,
            validity: validity(dates.iter().map(|found| &found.mention)),
            slot: read.slot,
            reason: Reason::ClaimsExtracted,
            orders: self.is_order_of_another(whole.command),
            instead: None,
        }))
    }
}

/// A sentence while its clauses are drawn.
struct Sentenced<'a> {
    sight: Sight<'a>,
    span: Range<usize>,
    item: bool,
    speaker: Option<&'a str>,
    command: Option<Command>,
    asks: bool,
}
