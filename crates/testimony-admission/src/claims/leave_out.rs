//! What states nothing: questions, requests, suppositions, wishes, greetings, thanks, acknowledgements.

use std::cell::OnceCell;
use std::sync::LazyLock;

use testimony_domain::Reason;

use super::class::*;
use super::lexicon::{Folded, Language};
use super::pattern::{Sighting, phrases_in};
use super::phrases::Sense;
use super::rules::Frame;
use super::token::{Shape, Token};
use super::words::{Words, any_of};
use crate::lexicon::WordMap;

/// How sentences begin that are only polite: the words, and what they are.
#[rustfmt::skip]
const POLITE_OPENINGS: &[PoliteOpening] = &[
    (&["how", "are"], Reason::ResidueGreeting), (&["how", "'s"], Reason::ResidueGreeting), (&["good", "to", "see"], Reason::ResidueGreeting), (&["great", "to", "see"], Reason::ResidueGreeting), (&["nice", "to", "see"], Reason::ResidueGreeting),
    (&["good", "to", "hear"], Reason::ResidueGreeting), (&["great", "to", "hear"], Reason::ResidueGreeting), (&["nice", "to", "hear"], Reason::ResidueGreeting), (&["nice", "to", "meet"], Reason::ResidueGreeting), (&["pleased", "to", "meet"], Reason::ResidueGreeting), (&["long", "time", "no"], Reason::ResidueGreeting), (&["hope", "you"], Reason::ResidueGreeting), (&["i", "hope", "you"], Reason::ResidueGreeting),
    (&["wie", "geht"], Reason::ResidueGreeting), (&["take", "care"], Reason::ResidueThanks), (&["see", "you"], Reason::ResidueThanks), (&["see", "ya"], Reason::ResidueThanks), (&["talk", "soon"], Reason::ResidueThanks), (&["talk", "to", "you"], Reason::ResidueThanks), (&["catch", "you"], Reason::ResidueThanks), (&["have", "a"], Reason::ResidueThanks), (&["have", "fun"], Reason::ResidueThanks), (&["bis", "bald"], Reason::ResidueThanks), (&["bis", "morgen"], Reason::ResidueThanks), (&["bis", "später"], Reason::ResidueThanks), (&["à", "bientôt"], Reason::ResidueThanks), (&["hasta", "luego"], Reason::ResidueThanks),
    (&["many", "thanks"], Reason::ResidueThanks), (&["i", "appreciate"], Reason::ResidueThanks), (&["much", "appreciated"], Reason::ResidueThanks), (&["vielen", "dank"], Reason::ResidueThanks), (&["best", "regards"], Reason::ResidueThanks), (&["kind", "regards"], Reason::ResidueThanks), (&["all", "the", "best"], Reason::ResidueThanks), (&["au", "revoir"], Reason::ResidueThanks),
    (&["you", "'re", "welcome"], Reason::ResidueAcknowledgement), (&["you", "are", "welcome"], Reason::ResidueAcknowledgement), (&["no", "problem"], Reason::ResidueAcknowledgement), (&["no", "worries"], Reason::ResidueAcknowledgement), (&["sounds", "good"], Reason::ResidueAcknowledgement), (&["sounds", "great"], Reason::ResidueAcknowledgement), (&["sounds", "like"], Reason::ResidueAcknowledgement), (&["that", "sounds"], Reason::ResidueAcknowledgement), (&["makes", "sense"], Reason::ResidueAcknowledgement), (&["sounds", "awesome"], Reason::ResidueAcknowledgement), (&["sounds", "amazing"], Reason::ResidueAcknowledgement), (&["sounds", "fun"], Reason::ResidueAcknowledgement), (&["sounds", "special"], Reason::ResidueAcknowledgement), (&["good", "to", "know"], Reason::ResidueAcknowledgement), (&["nice", "one"], Reason::ResidueAcknowledgement), (&["that", "looks"], Reason::ResidueAcknowledgement), (&["looks", "great"], Reason::ResidueAcknowledgement), (&["looks", "good"], Reason::ResidueAcknowledgement), (&["that", "makes", "sense"], Reason::ResidueAcknowledgement),
    (&["sorry", "for"], Reason::ResidueAcknowledgement), (&["sorry", "about"], Reason::ResidueAcknowledgement), (&["apologies", "for"], Reason::ResidueAcknowledgement), (&["my", "apologies"], Reason::ResidueAcknowledgement), (&["i", "apologize"], Reason::ResidueAcknowledgement), (&["i", "apologise"], Reason::ResidueAcknowledgement), (&["excuse", "the"], Reason::ResidueAcknowledgement), (&["forgive", "the"], Reason::ResidueAcknowledgement), (&["pardon", "the"], Reason::ResidueAcknowledgement), (&["entschuldigung", "für"], Reason::ResidueAcknowledgement), (&["entschuldige", "die"], Reason::ResidueAcknowledgement), (&["entschuldigt", "die"], Reason::ResidueAcknowledgement), (&["sorry", "für"], Reason::ResidueAcknowledgement), (&["tut", "mir", "leid"], Reason::ResidueAcknowledgement), (&["désolé", "pour"], Reason::ResidueAcknowledgement), (&["désolée", "pour"], Reason::ResidueAcknowledgement), (&["pardon", "pour"], Reason::ResidueAcknowledgement), (&["perdón", "por"], Reason::ResidueAcknowledgement), (&["perdona", "por"], Reason::ResidueAcknowledgement), (&["disculpa", "por"], Reason::ResidueAcknowledgement), (&["scusa", "per"], Reason::ResidueAcknowledgement), (&["scusate", "per"], Reason::ResidueAcknowledgement), (&["desculpa", "pela"], Reason::ResidueAcknowledgement), (&["desculpe", "pela"], Reason::ResidueAcknowledgement), (&["sorry", "voor"], Reason::ResidueAcknowledgement), (&["przepraszam", "za"], Reason::ResidueAcknowledgement), (&["извини", "за"], Reason::ResidueAcknowledgement), (&["извините", "за"], Reason::ResidueAcknowledgement),
    (&["same", "here"], Reason::ResidueAcknowledgement), (&["me", "too"], Reason::ResidueAcknowledgement), (&["good", "luck"], Reason::ResidueAcknowledgement), (&["well", "done"], Reason::ResidueAcknowledgement), (&["good", "job"], Reason::ResidueAcknowledgement), (&["good", "idea"], Reason::ResidueAcknowledgement), (&["good", "point"], Reason::ResidueAcknowledgement), (&["great", "idea"], Reason::ResidueAcknowledgement), (&["happy", "birthday"], Reason::ResidueAcknowledgement), (&["happy", "new"], Reason::ResidueAcknowledgement), (&["of", "course"], Reason::ResidueAcknowledgement),
    (&["i", "see"], Reason::ResidueAcknowledgement), (&["i", "understand"], Reason::ResidueAcknowledgement), (&["got", "it"], Reason::ResidueAcknowledgement), (&["will", "do"], Reason::ResidueAcknowledgement), (&["what", "a"], Reason::ResidueAcknowledgement), (&["so", "cool"], Reason::ResidueAcknowledgement), (&["that", "'s", "great"], Reason::ResidueAcknowledgement), (&["that", "'s", "awesome"], Reason::ResidueAcknowledgement), (&["that", "'s", "amazing"], Reason::ResidueAcknowledgement), (&["that", "'s", "wonderful"], Reason::ResidueAcknowledgement), (&["that", "'s", "good"], Reason::ResidueAcknowledgement), (&["that", "'s", "nice"], Reason::ResidueAcknowledgement), (&["that", "'s", "so"], Reason::ResidueAcknowledgement), (&["that", "'s", "really"], Reason::ResidueAcknowledgement), (&["that", "'s", "fantastic"], Reason::ResidueAcknowledgement), (&["that", "'s", "cool"], Reason::ResidueAcknowledgement), (&["that", "is", "great"], Reason::ResidueAcknowledgement), (&["glad", "to", "hear"], Reason::ResidueAcknowledgement), (&["i", "'m", "glad"], Reason::ResidueAcknowledgement), (&["sorry", "to", "hear"], Reason::ResidueAcknowledgement), (&["i", "'m", "sorry"], Reason::ResidueAcknowledgement), (&["i", "agree"], Reason::ResidueAcknowledgement), (&["way", "to", "go"], Reason::ResidueAcknowledgement), (&["keep", "it", "up"], Reason::ResidueAcknowledgement), (&["thumbs", "up"], Reason::ResidueAcknowledgement), (&["alles", "klar"], Reason::ResidueAcknowledgement), (&["kein", "problem"], Reason::ResidueAcknowledgement), (&["de", "rien"], Reason::ResidueAcknowledgement), (&["de", "nada"], Reason::ResidueAcknowledgement), (&["let", "me", "know"], Reason::ResidueQuestion),
    (&["good", "one"], Reason::ResidueAcknowledgement), (&["fair", "enough"], Reason::ResidueAcknowledgement), (&["short", "update"], Reason::ResidueAcknowledgement), (&["quick", "update"], Reason::ResidueAcknowledgement), (&["small", "update"], Reason::ResidueAcknowledgement), (&["little", "update"], Reason::ResidueAcknowledgement), (&["quick", "note"], Reason::ResidueAcknowledgement), (&["quick", "heads-up"], Reason::ResidueAcknowledgement), (&["no", "idea"], Reason::Hedged), (&["no", "clue"], Reason::Hedged), (&["honestly", "no", "idea"], Reason::Hedged), (&["honestly", "no", "clue"], Reason::Hedged), (&["sorry", "no", "idea"], Reason::Hedged), (&["keine", "ahnung"], Reason::Hedged), (&["aucune", "idée"], Reason::Hedged), (&["ni", "idea"], Reason::Hedged), (&["same", "to", "you"], Reason::ResidueAcknowledgement), (&["you", "too"], Reason::ResidueAcknowledgement), (&["fingers", "crossed"], Reason::ResidueAcknowledgement), (&["all", "good"], Reason::ResidueAcknowledgement), (&["not", "yet"], Reason::ResidueAcknowledgement), (&["never", "mind"], Reason::ResidueAcknowledgement), (&["nevermind"], Reason::ResidueAcknowledgement), (&["my", "bad"], Reason::ResidueAcknowledgement), (&["my", "fault"], Reason::ResidueAcknowledgement), (&["my", "mistake"], Reason::ResidueAcknowledgement), (&["oh", "well"], Reason::ResidueAcknowledgement), (&["no", "rush"], Reason::ResidueAcknowledgement), (&["no", "hurry"], Reason::ResidueAcknowledgement), (&["take", "your", "time"], Reason::ResidueAcknowledgement), (&["all", "right"], Reason::ResidueAcknowledgement), (&["not", "bad"], Reason::ResidueAcknowledgement), (&["good", "call"], Reason::ResidueAcknowledgement), (&["nice", "work"], Reason::ResidueAcknowledgement), (&["great", "work"], Reason::ResidueAcknowledgement), (&["great", "job"], Reason::ResidueAcknowledgement), (&["nice", "job"], Reason::ResidueAcknowledgement), (&["good", "work"], Reason::ResidueAcknowledgement), (&["good", "stuff"], Reason::ResidueAcknowledgement), (&["good", "catch"], Reason::ResidueAcknowledgement), (&["nice", "catch"], Reason::ResidueAcknowledgement), (&["muy", "bien"], Reason::ResidueAcknowledgement), (&["très", "bien"], Reason::ResidueAcknowledgement), (&["sehr", "gut"], Reason::ResidueAcknowledgement), (&["va", "bene"], Reason::ResidueAcknowledgement), (&["tudo", "bem"], Reason::ResidueAcknowledgement), (&["geen", "probleem"], Reason::ResidueAcknowledgement), (&["geen", "idee"], Reason::Hedged), (&["nessun", "problema"], Reason::ResidueAcknowledgement), (&["pas", "de", "souci"], Reason::ResidueAcknowledgement), (&["sin", "problema"], Reason::ResidueAcknowledgement), (&["sem", "problema"], Reason::ResidueAcknowledgement),
    (&["viele", "grüße"], Reason::ResidueThanks), (&["liebe", "grüße"], Reason::ResidueThanks), (&["beste", "grüße"], Reason::ResidueThanks), (&["schöne", "grüße"], Reason::ResidueThanks), (&["mit", "freundlichen"], Reason::ResidueThanks), (&["mit", "besten"], Reason::ResidueThanks), (&["freundliche", "grüße"], Reason::ResidueThanks), (&["schönen", "tag"], Reason::ResidueThanks), (&["schönes", "wochenende"], Reason::ResidueThanks), (&["schönen", "abend"], Reason::ResidueThanks), (&["un", "saludo"], Reason::ResidueThanks), (&["un", "abrazo"], Reason::ResidueThanks), (&["un", "abbraccio"], Reason::ResidueThanks), (&["um", "abraço"], Reason::ResidueThanks), (&["cordiali", "saluti"], Reason::ResidueThanks), (&["distinti", "saluti"], Reason::ResidueThanks), (&["a", "presto"], Reason::ResidueThanks), (&["bien", "cordialement"], Reason::ResidueThanks), (&["bien", "à", "toi"], Reason::ResidueThanks), (&["bien", "à", "vous"], Reason::ResidueThanks), (&["bonne", "journée"], Reason::ResidueThanks), (&["bonne", "soirée"], Reason::ResidueThanks), (&["bon", "week-end"], Reason::ResidueThanks), (&["bon", "weekend"], Reason::ResidueThanks), (&["buen", "día"], Reason::ResidueThanks), (&["buon", "weekend"], Reason::ResidueThanks), (&["buona", "giornata"], Reason::ResidueThanks), (&["bom", "fim"], Reason::ResidueThanks), (&["best", "wishes"], Reason::ResidueThanks), (&["warm", "regards"], Reason::ResidueThanks), (&["warmest", "regards"], Reason::ResidueThanks), (&["with", "best"], Reason::ResidueThanks), (&["with", "kind"], Reason::ResidueThanks), (&["yours", "sincerely"], Reason::ResidueThanks), (&["yours", "truly"], Reason::ResidueThanks), (&["yours", "faithfully"], Reason::ResidueThanks), (&["lots", "of", "love"], Reason::ResidueThanks), (&["met", "vriendelijke"], Reason::ResidueThanks), (&["vriendelijke", "groeten"], Reason::ResidueThanks), (&["fijne", "dag"], Reason::ResidueThanks), (&["fijn", "weekend"], Reason::ResidueThanks), (&["tot", "ziens"], Reason::ResidueThanks), (&["tot", "straks"], Reason::ResidueThanks), (&["tot", "morgen"], Reason::ResidueThanks), (&["tot", "snel"], Reason::ResidueThanks), (&["até", "logo"], Reason::ResidueThanks), (&["até", "breve"], Reason::ResidueThanks), (&["até", "amanhã"], Reason::ResidueThanks), (&["muito", "obrigado"], Reason::ResidueThanks), (&["muito", "obrigada"], Reason::ResidueThanks), (&["dank", "je"], Reason::ResidueThanks), (&["dank", "u"], Reason::ResidueThanks), (&["dank", "jullie"], Reason::ResidueThanks), (&["dankjewel"], Reason::ResidueThanks), (&["hartelijk", "dank"], Reason::ResidueThanks), (&["herzlichen", "dank"], Reason::ResidueThanks), (&["besten", "dank"], Reason::ResidueThanks), (&["talk", "later"], Reason::ResidueThanks), (&["until", "next"], Reason::ResidueThanks), (&["nos", "vemos"], Reason::ResidueThanks), (&["à", "plus"], Reason::ResidueThanks), (&["à", "demain"], Reason::ResidueThanks), (&["à", "tout"], Reason::ResidueThanks),
    (&["bom", "dia"], Reason::ResidueGreeting), (&["boa", "tarde"], Reason::ResidueGreeting), (&["boa", "noite"], Reason::ResidueGreeting), (&["i", "hope", "this"], Reason::ResidueGreeting), (&["hope", "this"], Reason::ResidueGreeting), (&["hope", "all"], Reason::ResidueGreeting), (&["hope", "everyone"], Reason::ResidueGreeting), (&["hope", "everything"], Reason::ResidueGreeting), (&["god", "morgen"], Reason::ResidueGreeting), (&["god", "morgon"], Reason::ResidueGreeting), (&["god", "dag"], Reason::ResidueGreeting), (&["come", "stai"], Reason::ResidueGreeting), (&["comment", "ça"], Reason::ResidueGreeting), (&["cómo", "estás"], Reason::ResidueGreeting), (&["qué", "tal"], Reason::ResidueGreeting), (&["hoe", "gaat"], Reason::ResidueGreeting),
    (&["if", "you", "have", "any", "questions"], Reason::ResidueAcknowledgement), (&["if", "you", "have", "questions"], Reason::ResidueAcknowledgement), (&["if", "you", "need", "anything"], Reason::ResidueAcknowledgement), (&["if", "anything", "is", "unclear"], Reason::ResidueAcknowledgement),
    (&["no", "need", "to", "reply"], Reason::ResidueAcknowledgement), (&["no", "need", "to", "answer"], Reason::ResidueAcknowledgement), (&["no", "need", "to", "respond"], Reason::ResidueAcknowledgement), (&["no", "need", "to", "thank"], Reason::ResidueAcknowledgement), (&["no", "need", "to", "apologise"], Reason::ResidueAcknowledgement), (&["no", "need", "to", "apologize"], Reason::ResidueAcknowledgement), (&["no", "need", "to", "worry"], Reason::ResidueAcknowledgement), (&["no", "need", "to", "rush"], Reason::ResidueAcknowledgement), (&["no", "reply", "needed"], Reason::ResidueAcknowledgement), (&["no", "reply", "necessary"], Reason::ResidueAcknowledgement), (&["otherwise", "lgtm"], Reason::ResidueAcknowledgement), (&["lgtm"], Reason::ResidueAcknowledgement), (&["otherwise", "looks"], Reason::ResidueAcknowledgement), (&["rest", "lgtm"], Reason::ResidueAcknowledgement), (&["the", "rest", "lgtm"], Reason::ResidueAcknowledgement), (&["the", "rest", "looks", "good"], Reason::ResidueAcknowledgement), (&["otherwise", "all", "good"], Reason::ResidueAcknowledgement),
    (&["i", "will", "keep", "that", "in", "mind"], Reason::ResidueAcknowledgement), (&["i", "'ll", "keep", "that", "in", "mind"], Reason::ResidueAcknowledgement), (&["i", "will", "keep", "this", "in", "mind"], Reason::ResidueAcknowledgement), (&["i", "'ll", "keep", "this", "in", "mind"], Reason::ResidueAcknowledgement), (&["i", "will", "bear", "that"], Reason::ResidueAcknowledgement), (&["i", "'ll", "bear", "that"], Reason::ResidueAcknowledgement), (&["duly", "noted"], Reason::ResidueAcknowledgement), (&["that", "helps"], Reason::ResidueAcknowledgement), (&["this", "helps"], Reason::ResidueAcknowledgement), (&["very", "helpful"], Reason::ResidueAcknowledgement), (&["passt"], Reason::ResidueAcknowledgement), (&["mach", "ich"], Reason::ResidueAcknowledgement), (&["mache", "ich"], Reason::ResidueAcknowledgement), (&["geht", "klar"], Reason::ResidueAcknowledgement), (&["ça", "marche"], Reason::ResidueAcknowledgement), (&["bien", "reçu"], Reason::ResidueAcknowledgement), (&["d'accordo"], Reason::ResidueAcknowledgement), (&["ok", "noted"], Reason::ResidueAcknowledgement), (&["okay", "noted"], Reason::ResidueAcknowledgement), (&["noted", "re"], Reason::ResidueAcknowledgement), (&["komt", "goed"], Reason::ResidueAcknowledgement), (&["doe", "ik"], Reason::ResidueAcknowledgement), (&["happy", "to", "help"], Reason::ResidueAcknowledgement), (&["glad", "to", "help"], Reason::ResidueAcknowledgement), (&["glad", "i", "could", "help"], Reason::ResidueAcknowledgement),
];

/// Words that go with polite ones.
const SMALL_TALK: &[&str] = &[
    "you", "so", "much", "again", "very", "it", "the", "to", "a", "lot", "and", "that", "for",
];

/// What joins thanks to what they are for.
#[rustfmt::skip]
const THANKED_FOR: &Words = &Words::of(&[
    "for", "you", "so", "a", "für", "fürs", "pour", "por", "pela", "pelas", "pelo", "pelos", "per", "voor", "dir", "euch", "ihnen", "je", "u", "jullie",
]);
/// Thanks once more.
const AGAIN: &Words = &Words::of(&[
    "again", "nochmal", "nochmals", "encore", "otra", "ancora", "nogmaals",
]);
/// To whom a greeting goes.
#[rustfmt::skip]
const GREETED: &Words = &Words::of(&[
    "all", "everyone", "everybody", "team", "folks", "guys", "there", "à", "a", "tous", "toutes", "alle", "allen", "zusammen", "todos", "todas", "tutti", "tutte", "allemaal", "iedereen", "equipo", "equipe", "ihr", "lieben",
]);

/// How a letter begins.
#[rustfmt::skip]
const ADDRESSING: &Words = &Words::of(&[
    "dear", "lieber", "liebe", "liebes", "sehr", "cher", "chère", "chers", "chères", "estimado", "estimada", "estimados", "querido", "querida", "caro", "cara", "cari", "gentile", "egregio", "prezado", "prezada", "beste", "geachte",
]);

/// Thanks may say what they are for, and are no longer than this, in words.
const LONGEST_THANKS: usize = 16;

/// A polite sentence is no longer than this, in words.
const LONGEST_POLITE: usize = 9;

/// A polite beginning: its words, and what it is.
type PoliteOpening = (&'static [&'static str], Reason);

/// The polite beginnings that `word` may open, found by one look, since every sentence is asked for them.
fn polite_openings(word: &str) -> &'static [PoliteOpening] {
    static BY_FIRST_WORD: LazyLock<WordMap<Folded, Vec<PoliteOpening>>> = LazyLock::new(|| {
        let mut by_word: WordMap<Folded, Vec<PoliteOpening>> = WordMap::default();
        for (opening, reason) in POLITE_OPENINGS {
            if let Some(first) = opening.first().and_then(|word| Folded::of(word)) {
                let openings = by_word.entry(first).or_default();
                openings.push((opening, *reason));
            }
        }
        by_word
    });
    Folded::of(word)
        .and_then(|word| BY_FIRST_WORD.get(&word))
        .map_or(&[], Vec::as_slice)
}

/// Whether a sentence is a greeting, thanks or an acknowledgement and nothing else.
pub(crate) fn politeness(text: &str, tokens: &[Token]) -> Option<Reason> {
    let is_worded = |token: &&Token| !token.is_any_mark() && token.shape != Shape::Symbol;
    let polite = GREETING | THANKS | ACKNOWLEDGEMENT;
    let first = tokens.iter().find(is_worded)?;
    let openings = polite_openings(first.of(text));
    // Few sentences begin politely, so this is asked before anything else.
    if !first.is(polite) && openings.is_empty() && !ADDRESSING.hold(first, text) {
        return None;
    }
    let worded = tokens.iter().filter(is_worded);
    let words: Vec<&Token> = worded.take(LONGEST_THANKS + 1).collect();
    if opens_a_letter(text, tokens, &words) {
        return Some(Reason::ResidueGreeting);
    }
    let longest = if first.is(THANKS) && !tells_what(text, &words) {
        LONGEST_THANKS
    } else {
        LONGEST_POLITE
    };
    if words.len() > longest {
        return None;
    }
    let begins = |opening: &&[&str]| {
        words.len() >= opening.len()
            && opening
                .iter()
                .zip(&words)
                .all(|(word, token)| same_word(word, token.of(text)))
    };
    let states_more = || {
        words.iter().skip(2).any(|t| t.shape == Shape::Number)
            || states_behind_a_mark(tokens)
            || names_place_and_day(&words)
    };
    if let Some((_, reason)) = openings
        .iter()
        .find(|(opening, _)| begins(opening))
        .filter(|(opening, _)| !states_more() && !has_an_object(text, opening, &words))
    {
        return Some(*reason);
    }
    if !first.is(polite) {
        return None;
    }
    let for_what = |at: usize| words.get(at).is_some_and(|t| THANKED_FOR.hold(t, text));
    let again = words.get(1).is_some_and(|t| AGAIN.hold(t, text));
    // "Thank You is the name of the racehorse."
    let is = any_of!["is", "are", "was", "were"];
    let named = words.iter().any(|t| is.hold(t, text));
    let thanks_for = first.is(THANKS) && !named && (for_what(1) || again && for_what(2));
    let rest = words.iter().skip(1).all(|t| {
        t.is(polite)
            || (t.capital && t.lexeme.is_none())
            || SMALL_TALK.contains(&t.of(text))
            || first.is(GREETING) && (t.is(TITLE) || GREETED.hold(t, text))
    });
    (rest || thanks_for && !states_more()).then(|| kind_of_politeness(first, &words))
}

/// "Dear Ms Okonjo,", "Sehr geehrter Herr Doktor,": a line that only says to whom a letter goes.
fn opens_a_letter(text: &str, tokens: &[Token], words: &[&Token]) -> bool {
    let closes = tokens
        .last()
        .is_some_and(|t| t.is_mark(',') || t.is_mark(':') || t.is_mark('!'));
    closes
        && (2..=6).contains(&words.len())
        && words
            .first()
            .is_some_and(|t| t.capital && ADDRESSING.hold(t, text))
        && !words.iter().any(|t| t.is(COPULA | AUXILIARY))
}

/// Thanks for a message tell what stood in it: "thanks for telling me that the office moved".
fn tells_what(text: &str, words: &[&Token]) -> bool {
    let joins = any_of![
        "that", "dass", "que", "che", "dat", "because", "and", "but", "und", "aber"
    ];
    words
        .iter()
        .any(|t| joins.hold(t, text) || t.shape == Shape::Number)
}

/// Beginnings that are polite where nothing or little follows, and else tell what somebody sees or knows.
const WITH_AN_OBJECT: &[&[&str]] = &[&["i", "see"], &["i", "understand"]];
/// What follows them in an acknowledgement.
#[rustfmt::skip]
const NO_OBJECT: &[&str] = &[
    "what", "why", "how", "where", "that", "this", "it", "you", "your", "now", "and", "but", "so", "well", "too", "completely", "totally", "fully",
    "perfectly", "if", "both", "the",
];

/// "I see the dentist on Tuesday", "I understand Dutch": what somebody does, which is more than an acknowledgement.
fn has_an_object(text: &str, opening: &[&str], words: &[&Token]) -> bool {
    let object = words
        .get(opening.len())
        .filter(|_| WITH_AN_OBJECT.contains(&opening));
    let Some(object) = object else { return false };
    let article = object.of(text).eq_ignore_ascii_case("the");
    // "I see the point", "I understand the problem": nothing is told where the sentence ends with it.
    let ends = words.len() <= opening.len() + 2;
    let follows = NO_OBJECT
        .iter()
        .any(|known| same_word(known, object.of(text)));
    !follows || article && !ends
}

/// "See you at the Astoria on Friday": where and when, which is more than a goodbye.
fn names_place_and_day(words: &[&Token]) -> bool {
    let rest = || words.iter().skip(2);
    rest().any(|token| token.is(WEEKDAY | MONTH))
        && rest().any(|token| {
            token.capital && token.shape == Shape::Word && token.lexeme.is_none()
                || token.is(NUMBER)
        })
}

fn kind_of_politeness(first: &Token, words: &[&Token]) -> Reason {
    let greeting = first.is(GREETING) && !first.is(ACKNOWLEDGEMENT)
        || words.len() > 1
            && words
                .iter()
                .all(|t| t.is(GREETING) || t.capital && t.lexeme.is_none());
    if words.iter().any(|t| t.is(THANKS)) {
        Reason::ResidueThanks
    } else if greeting {
        Reason::ResidueGreeting
    } else {
        Reason::ResidueAcknowledgement
    }
}

/// "Sorry for the delay, the pump was broken": a statement follows what is polite.
fn states_behind_a_mark(tokens: &[Token]) -> bool {
    let mark = |t: &Token| t.is_mark(',') || t.is_mark(';') || t.is_mark('—');
    let mut rest = tokens.iter().skip_while(|t| !mark(t)).skip(1);
    let subject = rest
        .next()
        .is_some_and(|t| t.is(ARTICLE | POSSESSIVE | PRONOUN) && !t.is(COORDINATOR) || t.capital);
    subject && rest.any(|t| t.is(VERB))
}

/// Whether a sentence ends with a question mark, short of closing marks.
pub(crate) fn ends_as_question(tokens: &[Token]) -> bool {
    let mut marks = tokens
        .iter()
        .rev()
        .take_while(|t| t.is_any_mark() || t.shape == Shape::Symbol);
    let asks = |t: &Token| t.is_mark('?') || t.is_mark('？') || t.is_mark('؟');
    // "… under "Do you smoke?".": what asks is quoted in a statement.
    let stated = tokens.last().is_some_and(|t| t.is_mark('.'));
    !stated && marks.any(asks) && !ends_with_an_asking_name(tokens)
}

/// "Our quiz is called "Who goes there?"": what stands between quotation marks asks, and the sentence around it states.
fn ends_with_an_asking_name(tokens: &[Token]) -> bool {
    let quote = |t: &Token| matches!(t.shape, Shape::Mark('"' | '“' | '”' | '„'));
    let Some((_, rest)) = tokens.split_last().filter(|(last, _)| quote(last)) else {
        return false;
    };
    let opens = rest.iter().rposition(quote);
    let before = opens.and_then(|at| rest.get(at.checked_sub(1)?));
    before.is_some_and(|t| t.shape == Shape::Word && !t.is(QUESTION | AUXILIARY))
}

/// A clause or sentence with what the tables see in it.
pub(crate) struct Sight<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
    pub(crate) language: Language,
    pub(crate) phrases: Vec<Sighting>,
    /// Every class that any of its tokens is of.
    pub(crate) classes: Class,
    /// The sketches of its tokens.
    pub(super) sketches: u64,
    /// Which tokens stand between quotation marks; empty where there are no such marks.
    quoted: Vec<bool>,
    /// What stands around its modal verbs.
    pub(super) frame: OnceCell<Frame>,
}

/// Hedges of scripts that are written without spaces, where no word stands alone.
const UNSPACED_HEDGES: &[&str] = &[
    "也许",
    "或许",
    "可能",
    "大概",
    "恐怕",
    "说不定",
    "我觉得",
    "我想",
    "应该是",
    "也許",
    "或許",
    "たぶん",
    "多分",
    "おそらく",
    "かもしれ",
    "でしょう",
    "と思います",
    "บางที",
    "อาจจะ",
];

/// Whom a question asks that names nobody.
const ANYBODY: &Words = &Words::of(&[
    "anybody",
    "anyone",
    "somebody",
    "someone",
    "everybody",
    "everyone",
]);

/// What is said of a name: that it is a title, a surname, a word.
#[rustfmt::skip]
const NAMING_NOUNS: &Words = &Words::of(&[
    "title", "name", "surname", "nickname", "codename", "word", "album", "song", "novel", "film", "movie", "book", "band", "poem", "play", "brand", "motto", "slogan", "label", "track", "single", "boat", "horse",
    "titel", "nachname", "spitzname", "wort", "lied", "roman", "titre", "nom", "surnom", "mot", "chanson", "título", "nombre", "apellido", "apodo", "palabra", "canción",
]);

/// A title of more words is read as any sentence.
const LONGEST_TITLE: usize = 4;

/// What notes of a meeting are called.
#[rustfmt::skip]
const TITLES_OF_NOTES: &Words = &Words::of(&[
    "notes", "minutes", "call", "meeting", "review", "retro", "retrospective", "sync", "standup", "stand-up", "agenda", "recap", "debrief",
    "protokoll", "notizen", "besprechung", "acta", "notas", "reunión", "compte-rendu", "réunion", "verbale", "riunione", "ata", "notulen",
]);

/// How many sightings away a plain reading of a phrase may stand.
const NEAR: usize = 8;

impl<'a> Sight<'a> {
    pub(crate) fn new(text: &'a str, tokens: &'a [Token], language: Language) -> Self {
        let (classes, sketches) = tokens.iter().fold((0, 0), |(classes, sketches), token| {
            (classes | token.classes, sketches | 1 << token.sketch)
        });
        let quoted = if any_of!["\"", "“", "”", "«", "»", "„"].may_be_among(sketches) {
            between_quotes(tokens)
        } else {
            Vec::new()
        };
        Self {
            text,
            tokens,
            language,
            phrases: phrases_in(tokens),
            classes,
            sketches,
            quoted,
            frame: OnceCell::new(),
        }
    }

    pub(crate) fn has(&self, sense: Sense) -> bool {
        self.phrases.iter().any(|found| found.sense == sense)
    }

    pub(super) fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.of(self.text))
    }

    pub(super) fn word_is(&self, at: usize, words: &Words) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| words.hold(token, self.text))
    }

    pub(super) fn is(&self, at: usize, classes: Class) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(classes))
    }

    pub(super) fn first_word(&self) -> usize {
        self.tokens
            .iter()
            .position(|token| !token.is_any_mark() && token.shape != Shape::Symbol)
            .unwrap_or(self.tokens.len())
    }

    /// Whether it has no word or number.
    pub(crate) fn is_wordless(&self) -> bool {
        self.first_word() == self.tokens.len()
    }

    /// "Restore: run `make restore`", "Call sign: LK7Q": a label with how it is done or what it is behind it, which orders
    /// nothing.
    pub(crate) fn is_labelled(&self) -> bool {
        let at = self.first_word();
        let colon = |at: usize| self.tokens.get(at).is_some_and(|mark| mark.is_mark(':'));
        let value = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|it| it.of(self.text).contains(|c: char| c.is_ascii_digit()))
        };
        colon(at + 1) || colon(at + 2) && value(at + 3)
    }

    /// "Sync notes.", "Minutes, 2 March.": what follows is what was noted.
    pub(crate) fn is_title_of_notes(&self) -> bool {
        let worded = self.tokens.iter().filter(|token| !token.is_any_mark());
        let words: Vec<&Token> = worded.take(LONGEST_POLITE + 1).collect();
        let is_title = |at: &usize| {
            let word = words.get(*at);
            word.is_some_and(|word| TITLES_OF_NOTES.hold(word, self.text))
        };
        let noun = (0..3).rev().find(is_title);
        let Some((front, [_, behind @ ..])) = noun.and_then(|noun| words.split_at_checked(noun))
        else {
            return false;
        };
        let says_more = PRONOUN | POSSESSIVE | ARTICLE | RELATIVE | PREPOSITION | NEGATION | COPULA;
        let joins = any_of!["of", "from", "vom", "del", "de", "du", "van", "der", "den"];
        let of_a_date = |word: &&&Token| {
            word.shape == Shape::Number || word.is(MONTH | WEEKDAY) || joins.hold(word, self.text)
        };
        let dated = behind
            .iter()
            .any(|word| word.is(MONTH) || word.end - word.start >= 8);
        !front
            .iter()
            .any(|word| word.is(says_more) || word.shape != Shape::Word)
            && behind.iter().filter(|word| !of_a_date(word)).count() == 0
            && (behind.is_empty() || dated)
    }

    /// "Can You Hear Me is our patient hotline": three words with capitals, and others without, begin with a name.
    pub(super) fn opens_with_a_title(&self) -> bool {
        let at = self.first_word();
        let words = self
            .tokens
            .iter()
            .skip(at)
            .filter(|t| t.shape == Shape::Word);
        let mut rest = words.clone().skip(3);
        words.clone().nth(2).is_some()
            && words.take(3).all(|t| t.capital)
            && rest.any(|t| !t.capital && t.is(COPULA | PAST_COPULA))
    }

    /// Whether its words ask, whatever mark it ends with.
    pub(crate) fn is_worded_as_question(&self) -> bool {
        let at = self.first_word();
        if self.opens_with_a_title() {
            return false;
        }
        if self
            .tokens
            .get(at)
            .is_some_and(|t| t.capital && t.is(MONTH))
            && self.language == Language::English
            && !self.is(at + 1, PRONOUN)
        {
            return false;
        }
        let inverted = |at: usize| {
            self.is(at, AUXILIARY | COPULA | PAST_COPULA)
                && (self.is(at + 1, PRONOUN | POSSESSIVE) || self.word_is(at + 1, ANYBODY))
                && !self.is(at + 1, ARTICLE)
        };
        let contracted = self.word_is(
            at,
            any_of![
                "do", "does", "did", "is", "are", "ca", "wo", "would", "could", "should", "have",
            ],
        ) && self.word_is(at + 1, any_of!["n't", "n’t"])
            && self.is(at + 2, PRONOUN);
        let wondering = self.word_is(at, any_of!["i"]) && self.word_is(at + 1, any_of!["wonder"])
            || self.word_is(at, any_of!["any"])
                && self.word_is(at + 1, any_of!["idea", "news", "update"])
                && ends_as_question(self.tokens);
        let asks = self.is(at, QUESTION)
            && self.is(at + 1, AUXILIARY | COPULA | PAST_COPULA)
            && !self.word_is(at, any_of!["which", "whose", "welche", "qui", "who"])
            && !self.is(at + 2, COPULA);
        let asks = asks
            && !(self.word_is(
                at,
                any_of!["what", "where", "when", "how", "why", "was", "wie"],
            ) && self.tokens.iter().skip(at + 2).any(|t| t.is_mark(','))
                && self.tokens.last().is_some_and(|t| t.is_mark('.')));
        let spanish =
            any_of!["¿"].may_be_among(self.sketches) && self.tokens.iter().any(|t| t.is_mark('¿'));
        // "is the café open on mondays": a verb in front of its subject, and no mark that says otherwise.
        let unmarked = self.language == Language::English
            && self.word_is(at, any_of!["is", "are", "does", "do", "did", "was", "were"])
            && self.word_is(at + 1, any_of!["the", "there"])
            && !self.tokens.iter().any(|t| t.is_mark('.') || t.is_mark('!'));
        let statement_end = self.tokens.last().is_some_and(|t| t.is_mark('.'))
            && self.language == Language::English;
        spanish
            || unmarked
            || wondering
            || contracted
            || (self.language == Language::English
                && inverted(at)
                && !self.word_is(at, any_of!["had", "'s"]))
            || (asks && !statement_end)
    }

    /// "Did I tell you that we moved?" states that we moved: where the statement begins.
    pub(crate) fn told_from(&self) -> Option<usize> {
        let at = self.first_word();
        let found = self
            .phrases
            .iter()
            .filter(|found| found.sense == Sense::Told && found.from == at)
            .max_by_key(|found| found.to)?;
        let joined = found.to.checked_sub(1).is_some_and(|last| {
            self.word_is(last, any_of!["that", "dass", "que", "qu'", "che", "dat"])
        });
        let opens = joined || self.is(found.to, PRONOUN | ARTICLE | POSSESSIVE);
        let asks = !joined && self.is(found.to, QUESTION | SUBORDINATOR);
        let rest = self.tokens.get(found.to..).unwrap_or_default();
        let states = joined && rest.len() > 3 || rest.iter().skip(1).any(|token| token.is(VERB));
        (opens && !asks && states).then_some(found.to)
    }

    /// Whether a sentence ends by taking back how sure all of it is: "…, but I could be wrong".
    pub(crate) fn ends_in_doubt(&self) -> bool {
        let after = |to: usize| self.tokens.get(to..).unwrap_or_default();
        let closing = |token: &Token| {
            token.is_any_mark()
                || token.shape == Shape::Symbol
                || matches!(
                    token.of(self.text),
                    "though" | "yet" | "tbh" | "here" | "of"
                )
        };
        self.phrases
            .iter()
            .any(|found| found.sense == Sense::Doubt && after(found.to).iter().all(closing))
    }

    /// Phrases of `sense` that no plain reading covers.
    fn counts(&self, sense: Sense) -> bool {
        // Sightings stand in the order of their first tokens, so a plain reading that covers one stands near it.
        let near = |at: usize| {
            self.phrases
                .get(at.saturating_sub(NEAR)..(at + NEAR).min(self.phrases.len()))
                .unwrap_or_default()
        };
        self.phrases
            .iter()
            .enumerate()
            .filter(|(_, found)| found.sense == sense)
            .any(|(at, found)| {
                let permits = sense == Sense::Hedge
                    && (self.permits_somebody(found.from)
                        || self.was_unable(found.from)
                        || self.is_found_possible(found.from));
                let reported = sense == Sense::Unreal
                    && self.word_is(found.from, any_of!["would", "'d", "’d"])
                    && self.is_reported(found.from);
                let plain = near(at)
                    .iter()
                    .any(|p| p.sense == Sense::Plain && p.from <= found.to && found.from <= p.to);
                !plain && !permits && !reported && !self.is_quoted(found.from)
            })
    }

    /// "The mill could not take us": what somebody was unable to do is no guess.
    fn was_unable(&self, at: usize) -> bool {
        self.word_is(at, any_of!["could"]) && self.is(at + 1, NEGATION)
    }

    pub(super) fn is_quoted(&self, at: usize) -> bool {
        self.quoted.get(at).copied().unwrap_or(false)
    }

    /// Whether it is only supposed: a hedge, a wish, a case that is not real.
    pub(crate) fn is_supposed(&self) -> bool {
        let hedge_word = self.classes & HEDGE != 0
            && self.tokens.iter().enumerate().any(|(at, token)| {
                token.is(HEDGE)
                    && !self.is_quoted(at)
                    && !self.is_a_noun(at)
                    && !self.is_a_title(at)
                    && !self.is_a_name(at)
            });
        let may = any_of!["may"].may_be_among(self.sketches) && self.supposes_by_may();
        hedge_word
            || may
            || self.is_supposed_without_spaces()
            || self.counts(Sense::Hedge)
            || self.counts(Sense::Unreal)
            || self.is_supposed_case()
    }

    fn is_supposed_without_spaces(&self) -> bool {
        let unspaced = |word: &str| word.starts_with(|c: char| c >= '\u{0e00}');
        self.tokens.iter().any(|token| {
            let word = token.of(self.text);
            token.beyond_ascii
                && token.lexeme.is_none()
                && unspaced(word)
                && UNSPACED_HEDGES.iter().any(|hedge| word.contains(hedge))
        })
    }

    /// "A maybe", "the might of".
    fn is_a_noun(&self, at: usize) -> bool {
        at > 0 && self.is(at - 1, ARTICLE | POSSESSIVE) && !self.word_is(at, any_of!["wohl"])
    }

    /// "Our cat is called Perhaps": no word has a capital in the middle of a sentence unless it names something.
    fn is_a_name(&self, at: usize) -> bool {
        let capital = self.tokens.get(at).is_some_and(|token| token.capital);
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        capital && at > self.first_word() && before.is_some_and(|token| token.shape == Shape::Word)
    }

    /// "Maybe Tomorrow is the title of her album": words that a capital makes a name, and of which it is said that they
    /// are one.
    fn is_a_title(&self, at: usize) -> bool {
        if at != self.first_word() {
            return false;
        }
        let ordinary = |token: &&Token| {
            token.capital
                && token.lexeme.is_some()
                && !token.is(MONTH | WEEKDAY | FIRST | TITLE | PRONOUN)
        };
        let rest = self.tokens.iter().skip(at + 1);
        let name = rest.take(LONGEST_TITLE).take_while(ordinary).count();
        let joined = at + 1 + name;
        let mut behind = joined + 1..joined + 6;
        self.is(joined, COPULA | PAST_COPULA)
            && behind.any(|place| self.word_is(place, NAMING_NOUNS))
    }
}

/// Which tokens stand between quotation marks.
fn between_quotes(tokens: &[Token]) -> Vec<bool> {
    let mut inside = false;
    let quoted = tokens.iter().map(|token| {
        inside ^= matches!(token.shape, Shape::Mark('"' | '“' | '”' | '«' | '»' | '„'));
        inside
    });
    quoted.collect()
}

/// Whether a word of the tables is the word of a text, whatever its case and apostrophe.
fn same_word(known: &str, word: &str) -> bool {
    word.eq_ignore_ascii_case(known)
        || (word.starts_with('’')
            && known.strip_prefix('\'').is_some_and(|rest| {
                word.ends_with(rest) && word.len() == rest.len() + '’'.len_utf8()
            }))
}
