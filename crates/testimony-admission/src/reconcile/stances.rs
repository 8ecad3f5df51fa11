//! How a statement stands to what it speaks of: whether somebody does it, has to, may, wants to, or denies it.
//!
//! "Omar drives the van" is not said again by "Omar is not allowed to drive the van", though all its words are there.

use std::sync::LazyLock;

use super::worded::Worded;
use super::wording_tables::Says;
use crate::lexicon::WordMap;

/// A stance; a statement may have several.
type Stance = u32;

/// That it is so is denied.
const UNTRUE: Stance = 1;
/// Somebody has to, or ought to.
const DUTY: Stance = 1 << 1;
/// Somebody is free to.
const LEAVE: Stance = 1 << 2;
/// Somebody would like to, or has it in mind.
const WISH: Stance = 1 << 3;
/// Somebody does not do what was in question.
const REFUSAL: Stance = 1 << 4;
/// Somebody is brought to it, or only acts as if.
const ATTEMPT: Stance = 1 << 5;
/// It holds only where something else does.
const CONDITION: Stance = 1 << 6;
/// It is told as others tell it, or as somebody takes it to be.
const HEARSAY: Stance = 1 << 7;
/// It was nearly so, or was to be so.
const UNREAL: Stance = 1 << 8;

/// What is told as others tell it is still the same, and speaks for what is known.
const CHANGES_WHAT_IS_SAID: Stance = !HEARSAY;

/// By which words each is told. A new one is a word, or some in a row, in a line.
#[rustfmt::skip]
const STANCES: &[(Stance, &[&str])] = &[
    (UNTRUE, &["not true", "untrue", "false that", "wrong that", "denies", "deny", "denied", "claims not", "contrary to", "stimmt nicht", "falsch dass", "bestreitet", "leugnet", "no es verdad", "no es cierto", "falso que", "niega", "pas vrai", "faux que", "non è vero"]),
    (DUTY, &["should", "ought", "must", "has to", "have to", "had to", "need to", "needs to", "need not", "needn't", "supposed to", "required", "requires", "mandatory", "compulsory", "obliged", "told to", "soll", "sollte", "muss", "müssen", "debe", "deben", "tiene que", "doit", "doivent", "deve"]),
    (LEAVE, &["allowed", "permitted", "may", "free to", "darf", "dürfen"]),
    (WISH, &["wants to", "want to", "wanted to", "wishes to", "hopes to", "hope to", "would like", "plans to", "plan to", "intends to", "thinking about", "thinks about", "thinking of", "considering", "considers", "whether", "might", "could", "möchte", "quiere", "voudrait", "veut", "souhaite", "envisage de", "vorrebbe", "vuole"]),
    (REFUSAL, &["refuses", "refused", "promised not", "declines", "declined", "failed to", "fails to", "forgot to", "forgets to", "hates to", "too old to", "too young to", "too busy to", "weigert"]),
    (ATTEMPT, &["asked", "offered to", "offers to", "pretended", "pretends", "tried to", "tries to", "promised to", "promises to"]),
    (CONDITION, &["if", "unless", "in case", "wenn", "falls"]),
    (HEARSAY, &["heard", "i was told", "we were told", "i am told", "i'm told", "someone told me", "somebody told me", "they say", "people say", "some say", "it is said", "it's said", "is said to", "are said to", "rumour", "rumor", "rumours", "rumors", "word is", "word has it", "apparently", "supposedly", "allegedly", "reportedly", "presumably", "seemingly", "i gather", "if i remember", "if i recall", "as far as i know", "hearsay"]),
    (HEARSAY, &["thinks", "think", "believes", "believe", "reckons", "reckon", "guesses", "guess", "suspects", "suspect", "assumes", "assume", "imagines", "claims that", "claim that", "claimed that", "claims the", "claim the", "insists that", "perhaps", "maybe", "probably", "possibly", "might", "not sure", "unsure"]),
    (HEARSAY, &["angeblich", "vermutlich", "wahrscheinlich", "vielleicht", "anscheinend", "offenbar", "gerüchte", "gerüchten", "es heißt", "man sagt", "habe gehört", "ich glaube", "glaubt", "meint", "vermutet"]),
    (HEARSAY, &["il paraît", "paraît", "apparemment", "soi-disant", "on dit que", "ai entendu", "peut-être", "probablement", "je crois", "croit que", "pense que", "il semble"]),
    (HEARSAY, &["al parecer", "dicen que", "se dice", "supuestamente", "quizás", "quizá", "tal vez", "probablemente", "creo que", "cree que", "piensa que", "he oído", "parece que", "pare che", "dicono che", "si dice", "forse", "probabilmente", "presumibilmente", "credo che", "crede che", "pensa che", "ho sentito", "blijkbaar", "naar verluidt", "misschien", "waarschijnlijk", "denkt dat"]),
    (UNREAL, &["was almost", "was nearly", "were almost", "were nearly", "almost became", "nearly became", "was supposed to", "were supposed to", "was going to", "were going to", "was meant to", "was to be", "would have been", "should have been", "could have been", "wäre fast", "wäre beinahe", "hätte sein sollen", "a failli", "casi fue", "quasi diventato"]),
];

/// What both say differs by how one of them stands to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// One of them denies it.
    Denied,
    /// One of them says that it ought to be, may be, or would be.
    Otherwise,
}

/// Whether one of two stands to what both say in a way in which the other does not.
pub(super) fn apart((new, known): (&Worded, &Worded)) -> Option<Apart> {
    let differ = (stances(new) ^ stances(known)) & CHANGES_WHAT_IS_SAID;
    match (differ & UNTRUE, differ) {
        (_, 0) => None,
        (0, _) => Some(Apart::Otherwise),
        _ => Some(Apart::Denied),
    }
}

/// Whether it is only told or taken to be so, where what is known is simply stated: "they say that the bakery opens at seven now".
/// An opinion may take the place of the same one's opinion.
pub(super) fn is_hearsay_alone((new, known): (&Worded, &Worded)) -> bool {
    stances(new) & HEARSAY != 0 && stances(known) & HEARSAY == 0
}

/// Whether it only may come to be so, or was nearly so, where what is known is so; what may be so now is doubted.
pub(super) fn only_may_be((new, known): (&Worded, &Worded)) -> bool {
    let (one, other) = (stances(new), stances(known));
    let wished = one & WISH != 0 && other & WISH == 0 && !new.says(Says::Now);
    wished || one & UNREAL != 0 && other & UNREAL == 0
}

fn stances(said: &Worded) -> Stance {
    (0..said.raw.len()).fold(0, |found, at| found | stance_at(said, at))
}

/// The stances that are told from here on. A name is none: "May".
fn stance_at(said: &Worded, at: usize) -> Stance {
    let mut words = said.raw.iter().skip(at);
    let phrases = words.next().and_then(|first| BY_FIRST.get(first.as_str()));
    let is_name = at > 0 && said.capitals.contains(&at);
    let told = |rest: &[&str]| {
        let mut words = words.clone();
        rest.iter()
            .all(|word| words.next().is_some_and(|raw| raw == word))
    };
    let told = phrases
        .into_iter()
        .flatten()
        .filter(|(rest, _)| !is_name && told(rest));
    told.fold(0, |found, (_, stance)| found | stance)
}

/// What of a phrase follows its first word, and what the phrase tells.
type Rest = (Vec<&'static str>, Stance);

static BY_FIRST: LazyLock<WordMap<&'static str, Vec<Rest>>> = LazyLock::new(|| {
    let mut found: WordMap<&'static str, Vec<Rest>> = WordMap::default();
    for (stance, phrases) in STANCES {
        for phrase in *phrases {
            let mut words = phrase.split(' ');
            let first = words.next().unwrap_or_default();
            let entry = found.entry(first).or_default();
            entry.push((words.collect(), *stance));
        }
    }
    found
});
