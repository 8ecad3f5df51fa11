//! Lines that head others: "Kitchen rules" over a list, "Incident 5521" over what happened. They state nothing of their own.

use super::blocks::{Block, BlockKind};
use super::class::*;
use super::kinds::has_verb;
use super::token::{Shape, Token};
use super::words::Words;
use super::wraps::SENTENCE_ENDS;

/// "Minutes, 22 Jan.", "Protokoll, 12.02.": a point that ends no sentence.
fn ends_with_a_date(line: &str) -> bool {
    let last = line
        .strip_suffix('.')
        .and_then(|line| line.rsplit(' ').next());
    last.is_some_and(|last| {
        let numbers = last.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let month = last.starts_with(char::is_uppercase) && last.chars().count() <= 4;
        !last.is_empty() && (numbers || month)
    })
}

/// A title has no more bytes.
const LONGEST_TITLE: usize = 60;

/// Marks the short lines without an end that stand on top of a paragraph and right over a list, a speaker or a sentence.
pub(super) fn mark(text: &str, blocks: &mut [Block]) {
    let mut end = None;
    for at in 0..blocks.len() {
        let Some([block, next]) = blocks.get_mut(at..at + 2) else {
            return;
        };
        let between = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let on_top = end.is_none_or(|end| between(end, block.span.start).matches('\n').count() > 1);
        end = Some(block.span.end);
        let line = between(block.span.start, block.span.end);
        let short = line.len() <= LONGEST_TITLE && !line.contains('\n');
        let open = !line.ends_with([',', ';'])
            && (!line.ends_with(SENTENCE_ENDS) || ends_with_a_date(line));
        let close = between(block.span.end, next.span.start)
            .matches('\n')
            .count()
            == 1;
        let listed =
            matches!(next.kind, BlockKind::Item | BlockKind::KeyValue) || next.speaker.is_some();
        let over = listed
            || next.kind == BlockKind::Prose
                && between(next.span.start, next.span.end).ends_with(SENTENCE_ENDS);
        if block.kind == BlockKind::Prose
            && block.speaker.is_none()
            && on_top
            && short
            && open
            && close
            && over
        {
            block.kind = if listed {
                BlockKind::Title
            } else {
                BlockKind::TitleOfProse
            };
        }
    }
}

/// A heading that is told by its words has no more of them.
const LONGEST_HEADING: usize = 8;

/// What texts are called that somebody heads with a line.
#[rustfmt::skip]
const TITLE_NOUNS: &Words = &Words::of(&[
    "notes", "minutes", "log", "logbook", "diary", "journal", "report", "post-mortem", "postmortem", "incident", "ticket", "handover", "rules", "checklist", "list", "agenda", "summary", "faq", "draft", "sheet", "board", "protocol", "memo", "notice",
    "bulletin", "newsletter", "recap", "retro", "standup", "decisions", "protokoll", "notizen", "bericht", "logbuch", "tagebuch", "hausregeln", "regeln", "aushang", "übergabe", "merkblatt", "beschlüsse", "acta", "notas", "informe", "diario", "lista", "normas", "parte",
    "compte-rendu", "rapport", "liste", "carnet", "relevé", "verbale", "appunti", "regole", "ata", "diário", "relatório", "regras", "verslag", "notulen", "logboek", "huisregels", "aantekeningen",
]);

/// "Kitchen rules" over a list, "Incident 5521" over what happened: a line that states nothing of its own.
pub(super) fn heads(text: &str, kind: BlockKind, tokens: &[Token]) -> bool {
    let named = || tokens.iter().any(|token| TITLE_NOUNS.hold(token, text));
    let addressed = |token: &Token| token.is(GREETING | THANKS | ACKNOWLEDGEMENT | FIRST);
    let titled = match kind {
        BlockKind::Title => !tokens.iter().any(|token| token.shape == Shape::Thing) || named(),
        BlockKind::TitleOfProse => named(),
        BlockKind::Prose
        | BlockKind::Item
        | BlockKind::KeyValue
        | BlockKind::Code
        | BlockKind::Table
        | BlockKind::Heading => false,
    };
    let words = tokens.iter().filter(|token| !token.is_any_mark()).count();
    titled
        && words <= LONGEST_HEADING
        && tokens.first().is_some_and(|first| first.capital || named())
        && !states_beside_its_title(text, tokens)
        && !tokens.iter().any(addressed)
}

/// "Kitchen rules" and "Notes" are no verbs on top of what they head.
fn states_beside_its_title(text: &str, tokens: &[Token]) -> bool {
    let titles = |token: &Token| TITLE_NOUNS.hold(token, text);
    tokens.split(titles).any(|part| has_verb(text, part))
}
