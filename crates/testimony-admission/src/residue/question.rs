//! Questions that state nothing: they open as questions do, and no clause in them tells a fact.

use std::sync::LazyLock;

use regex::Regex;

use super::small_talk::small_talk;
use crate::lexicon::pattern;

/// How a question opens, by language; over folded text.
#[rustfmt::skip]
const OPENINGS: &[(&str, &str)] = &[
    ("en", r"what|what's|whats|which|who|who's|whom|whose|where|where's|when|when's|why|how|how's|is|are|am|was|were|do|does|did|can|could|would|will|won't|should|shall|may|might|have|has|had|isn't|aren't|don't|doesn't|didn't|can't|couldn't|wouldn't|shouldn't|any|anyone|anybody|would you|in which|at what|for how|to whom|on which|by when|since when|what about|how about"),
    ("de", r"was|wer|wen|wem|wessen|wie|wo|woher|wohin|wann|warum|wieso|weshalb|welche|welcher|welches|welchen|wieviel|wozu|womit|kann|kannst|können|könnt|könnten|könntest|ist|sind|bist|hast|haben|habt|gibt|darf|soll|sollte|sollen|muss|wird|werden|würdest|würden|weißt|wissen|magst|möchtest|willst|war|hat|machst|kennst|kennen"),
    ("fr", r"que|quoi|qui|quel|quelle|quels|quelles|où|quand|pourquoi|comment|combien|est-ce|qu'est-ce|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|as-tu|avez-vous|es-tu|êtes-vous|y a-t-il|sais-tu|savez-vous|faut-il|puis-je|peut-on|connais-tu|connaissez-vous|à quelle|de quel|de quelle"),
    ("es", r"¿.*|qué|quién|quiénes|cuál|cuáles|dónde|cuándo|por qué|cómo|cuánto|cuánta|cuántos|cuántas|puedes|puede|podrías|podría|tienes|hay|sabes"),
    ("it", r"che|cosa|chi|quale|quali|dove|dov'è|quando|perché|come|com'è|quanto|quanta|quanti|quante|puoi|può|potresti|potrebbe|hai|c'è|sai|è|ci sono|mi puoi|a che|di che|conosci"),
    ("pt", r"o que|que|quem|qual|quais|onde|quando|por que|porque|como|quanto|quanta|quantos|quantas|pode|podes|poderia|você pode|você sabe|tem|há|sabe|a que"),
    ("nl", r"wat|wie|waar|wanneer|waarom|hoe|hoeveel|welke|welk|kun|kan|kunt|kunnen|zou|is|zijn|heb|heeft|hebben|ben|mag|moet|weet|wil|waarheen|waarmee|hoelang|ken"),
    ("pl", r"co|kto|gdzie|kiedy|dlaczego|jak|ile|który|która|które|czy|skąd|dokąd|po co|czemu|jaki|jaka|jakie|czyj|o której|możesz|mógłbyś"),
    ("ru", r"что|кто|где|когда|почему|как|сколько|какой|какая|какое|какие|куда|откуда|зачем|чей|можешь|можете|ли|есть ли|можно|во сколько|знаешь|знаете|не могли|могли"),
    ("tr", r"ne|kim|nerede|nasıl|neden|kaç|hangi|niçin"),
];

/// How a question opens that reminds its reader of a fact.
const REMINDS: &str = r"^(?:\W*(?:hey|oh|so|by the way|btw)?,? *)(?:(?:did i (?:ever )?(?:mention|tell|say|write|note)|have i (?:ever )?(?:mentioned|told|said)|(?:isn't|is) it (?:odd|strange|funny|great|sad|weird|nice|crazy|lovely|awful) (?:that|how)|guess (?:what|who)|who would have thought|who knew) (?:\S+ ){2,}|(?:did you (?:know|hear|see|notice|realise|realize)|do you (?:remember|recall|know|realise|realize)|have you heard|(?:are|were) you aware|(?:can|could) you (?:please )?(?:note|remember|save|store|write down|record))(?: down)? (?:that|my|our|i|we|i'm|i've|we're|we've) (?:\S+ ){2,})";

/// Signs that a clause in the question tells a fact.
const TELLS: &str = r"\b(?:since|because|given that|now that|considering|as|after|although|though) (?:i|i'm|i've|we|we're|we've|my|our|he|she|they)\b|\b(?:remember|know|aware|knew|heard|told you|mentioned|recall|forgotten|forget|notice|noticed|hear) (?:that|about how|i|we|my)\b|\bdid (?:you (?:know|hear)|i (?:mention|tell|say))\b|\b(?:note|save|store|write down|keep in mind|remind \w+|tell \w+|let \w+ know) (?:that|it that)\b|\byou (?:please )?(?:remember|note|save|store) (?:my|our|i)\b|, (?:right|correct|isn't it|aren't you|don't you|doesn't it|haven't you|ok|okay)\s*\?|\b(?:da|weil|nachdem|obwohl) (?:ich|wir|mein)|\bwusstest du|\bwissen sie,? dass|\bweißt du,? dass|, oder\s*\?|\b(?:parce que|puisque|depuis que) (?:je|j'|nous)|savais-tu|\b(?:porque|ya que|desde que) (?:yo|me|mi|nos)|sabías que|lo sapevi|sapevi che|sabia que|wist je dat|czy wiesz, że|ты знал|знаешь ли ты, что|你知道.{0,20}(?:了|是|在)|因为我|我.{1,30}[，,]";

/// Clauses that tell of people while something else is asked: "my in-laws come and he's diabetic", "my son (9)", "my
/// grandmother who turns 90".
const TELLS_OF_SOMEBODY: &str = r"(?:, (?:and |but )?|\band )(?:he|she|they|we|i|my \S+|our \S+)(?:'s|'re|'m| (?:is|are|am|was|were|only|has|have|had|come|comes|can't|cannot|don't|doesn't|hates?|loves?|lives?|works?|needs?|turns?|just|never|always|got|gets))\b|\b(?:my|our|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?|mon|ma|mes|notre|mis?|nuestr[oa]|mi[oae]|miei|meu|minha|mijn|onze|mój|moj[aąe]j?|мо[йяеию]) \S+(?: \S+)?(?: \((?:\d|\w+,)| who(?:'s| (?:is|has|can|only|just|turns|lives|works|loves|hates|\w+ed))\b| (?:che|que|qui) (?:è|ha|compie|vive|lavora|non|es|tiene|cumple|vive|trabaja|no|est|a|aime|habite|ne|é|tem|faz|mora|não)\b|, (?:der|die|das|die|który|która|który|которы\w+) )";

/// A question without a mark: its verb stands before its subject.
const UNMARKED: &str = r"^(?:what(?:'s| is| are| was| were| does| do| did| time| kind)|whats|how (?:do|does|did|can|could|should|would|to|many|much|long|far|old|often|come)|where(?:'s| is| are| can| do| does| did| was)|when(?:'s| is| are| does| do| did| will| can)|who(?:'s| is| are| was| won| wrote| can)|why (?:is|are|do|does|did|was|can't|won't|isn't|doesn't)|which \w+ (?:\w+ )?(?:is|are|goes|go|should|do|does|has|have|can|works|was|will|would)|can (?:you|i|we)|could (?:you|i|we)|would you|should (?:i|we)|shall (?:i|we)|do (?:you|i|we)|does (?:it|anyone|this|that)|did (?:you|it)|is (?:it|there|this|that)|are (?:you|there|these)|wie (?:komme|kann|geht|viel|viele|lange|spät|macht)|wo (?:ist|sind|finde|kann)|wann (?:ist|kommt|fährt|beginnt|öffnet)|was (?:ist|sind|kostet|bedeutet|heißt)|warum (?:ist|sind|geht)|wer (?:ist|hat|kann)|kannst du|können sie|comment (?:faire|puis-je|on)|où (?:est|sont|se)|pourquoi (?:est|le|la)|est-ce que|qu'est-ce|dónde (?:está|están)|cómo (?:se|puedo|hago)|qué (?:es|hora|significa)|cuál es|cuánto (?:cuesta|es)|come (?:si|posso|faccio)|dove (?:si|è|sono)|onde (?:fica|está)|como (?:faço|posso)|hoe (?:kan|kom|werkt|laat|maak)|waar (?:is|zijn|kan)|jak (?:mogę|to|się)|gdzie (?:jest|są)|как (?:мне|это|можно)|где (?:находится|можно))\b";

/// How many words a question without a mark has at most; a longer one explains something.
const UNMARKED_WORDS: usize = 12;
/// A short remark with a question mark and without an opening is a question as well.
const SHORT_WORDS: usize = 4;

static OPENS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let openings: Vec<&str> = OPENINGS.iter().map(|(_, openings)| *openings).collect();
    pattern(&format!(
        r"^(?:[^\p{{L}}\p{{N}}¿]*)(?:(?:so|and|but|ok|okay|hey|hi|hello|also|well|then|now|please|sorry|excuse me|quick question|question|und|aber|also|et|mais|y|pero|e|ma|mas|en|maar|a|и|а|но)[,:]?\s+){{0,3}}(?:{})(?:[\s,?'-]|$)",
        openings.join("|")
    ))
});
static TELLS_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(TELLS));
static TELLS_OF_SOMEBODY_PATTERN: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(TELLS_OF_SOMEBODY));
static REMINDS_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(REMINDS));
static UNMARKED_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(UNMARKED));

/// Whether a folded sentence asks and states nothing.
pub(super) fn is_bare_question(folded: &str) -> bool {
    let sentence = folded.trim_end_matches(|c: char| c.is_whitespace() || "\"'”)".contains(c));
    let without_space = sentence.trim_end_matches(['?', '？', '!', ' ', '\u{a0}']);
    let marked = sentence.ends_with(['?', '？']) || sentence.ends_with("?!");
    let asks = if marked {
        opens(without_space, folded)
    } else {
        is_unspaced_question(sentence) || is_unmarked(sentence)
    };
    asks && !tells(folded) && !reminds(folded)
}

fn tells(folded: &str) -> bool {
    matches(&TELLS_PATTERN, folded) || matches(&TELLS_OF_SOMEBODY_PATTERN, folded)
}

/// Whether a folded question reminds its reader of a fact.
pub(super) fn reminds(folded: &str) -> bool {
    matches(&REMINDS_PATTERN, folded)
}

fn opens(body: &str, folded: &str) -> bool {
    let words = body.split_whitespace().count();
    // A script without spaces puts the question word anywhere.
    let unspaced = body.chars().any(crate::lexicon::is_unspaced);
    matches(&OPENS, folded)
        || unspaced
        || (words <= SHORT_WORDS && !body.chars().any(|c| c.is_ascii_digit()))
        || small_talk(body).is_some()
}

/// A question particle at the end does what a mark does elsewhere.
fn is_unspaced_question(sentence: &str) -> bool {
    let body = sentence.trim_end_matches(['。', '.']);
    if !body.ends_with(crate::lexicon::is_unspaced) {
        return false;
    }
    [
        "ですか",
        "ますか",
        "でしょうか",
        "吗",
        "呢",
        "ましたか",
        "ませんか",
    ]
    .iter()
    .any(|end| body.ends_with(end))
}

fn is_unmarked(sentence: &str) -> bool {
    !sentence.ends_with(['.', '!', ':'])
        && matches(&UNMARKED_PATTERN, sentence)
        && sentence.split_whitespace().count() <= UNMARKED_WORDS
}

fn matches(pattern: &Option<Regex>, text: &str) -> bool {
    pattern
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(OPENS.is_some() && TELLS_PATTERN.is_some() && UNMARKED_PATTERN.is_some());
        assert!(TELLS_OF_SOMEBODY_PATTERN.is_some());
    }
}
