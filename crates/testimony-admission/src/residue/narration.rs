//! What an agent says of its own next step while it works: "Let me look at the tests first."
//!
//! Such a sentence tells of the moment, and the work itself is told by what comes of it. A step that names its day or
//! its hour is an appointment, and stays.

use std::sync::LazyLock;

use regex::Regex;
use testimony_domain::Reason;

use super::prose::Finding;
use crate::lexicon::pattern;

/// Longer sentences tell more than a step.
const LONGEST: usize = 200;

/// Whether such a sentence opens so; asked before the pattern, since nearly none does.
fn may_open(first_word: &str) -> bool {
    matches!(
        first_word,
        "i'll"
            | "i"
            | "i'm"
            | "now"
            | "now,"
            | "next,"
            | "first,"
            | "let"
            | "perfect!"
            | "great!"
            | "good!"
            | "excellent!"
            | "okay,"
            | "ok,"
            | "alright,"
    )
}

/// The step: who takes it, what is done, and the thing of a programmer's desk that it is done to; or that all is understood.
const STEP: &str = r"^(?:(?:perfect|great|good|excellent|okay|ok|alright)[!.,] *)?(?:(?:now|next|first)[, ] *)?(?:(?:i'll|i will|i'm going to|i am going to|let me|let us|i need to|i should)(?: now| first| next| also| quickly| just)?(?: (?:start|begin|continue)(?: off)? (?:by|with))? (?:look(?:ing)? (?:at|into|through|for)|check(?:ing)?|read(?:ing)?|examin(?:e|ing)|explor(?:e|ing)|inspect(?:ing)?|search(?:ing)?|review(?:ing)?|analy[sz](?:e|ing)|understand(?:ing)?|tak(?:e|ing) a look|see(?:ing)?|find(?:ing)?|run(?:ning)?|updat(?:e|ing)|fix(?:ing)?|creat(?:e|ing)|add(?:ing)?|implement(?:ing)?|writ(?:e|ing)|verify(?:ing)?|test(?:ing)?|open(?:ing)?|view(?:ing)?|list(?:ing)?)\b[^.!?:;]{0,80}\b(?:files?|code|codebase|repo|repository|project structure|directory structure|folder structure|modules?|functions?|imports?|tests?|test suite|implementation|class(?:es)?|components?|type definitions|call sites|build|compile errors?)\b|(?:i have|i've got|i got|i now have) (?:a|the) (?:clear|good|better|full|complete|clearer)(?:er)? (?:picture|understanding|view|overview|idea)\b)";

/// When it is to be, or how often: an appointment, or a habit.
const DATED: &str = r"\d|\b(?:every|always|never|until|unless|when|whenever|because|since|tomorrow|tonight|next (?:week|month|year)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b";

static STEP_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(STEP));
static DATED_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(DATED));

/// Whether a folded sentence narrates a step of work.
pub(super) fn narrates(folded: &str) -> Option<Finding> {
    let said = folded.trim();
    let first = said.split(' ').next().unwrap_or_default();
    if said.len() > LONGEST || !may_open(first) {
        return None;
    }
    let is = |pattern: &LazyLock<Option<Regex>>| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(said))
    };
    // What somebody needs to do is a step only where it comes next.
    let own = first == "i" && !said.starts_with("i will");
    let steps = !own && is(&STEP_PATTERN) && !is(&DATED_PATTERN);
    steps.then_some((Reason::ResidueAnswerDump, "dump.narration"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(STEP_PATTERN.is_some() && DATED_PATTERN.is_some());
    }

    #[test]
    fn a_step_is_told_from_an_appointment() {
        assert!(narrates("let me check the tests first.").is_some());
        assert!(narrates("now i need to fix the imports.").is_some());
        assert!(narrates("i'll review the code on monday.").is_none());
        assert!(narrates("i need to fix the tests.").is_none());
        assert!(narrates("let me tell you about the new function room.").is_none());
    }
}
