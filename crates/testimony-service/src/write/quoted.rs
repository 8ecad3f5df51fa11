//! Whether the words of a candidate are the user's own: what an agent reports counts as the user's word only when it
//! stands in the user's message.

/// Whether `candidate` says in its own order what stands in `message`.
///
/// "User prefers dark mode" stands in "I prefer dark mode, please": a statement about the user may be turned from the
/// first person, and nothing else may be changed, left out or put between.
pub(super) fn stands_in(candidate: &str, message: &str) -> bool {
    let (said, heard) = (words(candidate), words(message));
    if said.is_empty() {
        return false;
    }
    let holds = |wanted: &[String]| heard.windows(wanted.len()).any(|window| window == wanted);
    holds(&said) || first_person(&said).is_some_and(|turned| holds(&turned))
}

/// A statement about the user as the user makes it.
fn first_person(said: &[String]) -> Option<Vec<String>> {
    let rest = match said {
        [the, user, rest @ ..] if the == "the" && user == "user" => rest,
        [user, rest @ ..] if user == "user" => rest,
        _ => return None,
    };
    let (verb, rest) = rest.split_first()?;
    let verb = match verb.as_str() {
        "is" => "am",
        "has" => "have",
        "does" => "do",
        other => base_form(other),
    };
    let turned = ["i", verb].into_iter().map(str::to_owned);
    Some(turned.chain(rest.iter().cloned()).collect())
}

/// A verb without the ending of the third person.
fn base_form(verb: &str) -> &str {
    let ends_in_es = ["shes", "ches", "sses", "xes", "zes", "oes"]
        .iter()
        .any(|end| verb.ends_with(end));
    let ending = if ends_in_es { "es" } else { "s" };
    verb.strip_suffix(ending).unwrap_or(verb)
}

fn words(text: &str) -> Vec<String> {
    let apart = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '.' | '-')));
    let bare = apart.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let bare = bare.filter(|word| !word.is_empty());
    bare.map(|word| word.to_lowercase().replace('’', "'"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidate, message, and whether the one stands in the other.
    const CASES: &[(&str, &str, bool)] = &[
        ("dark mode", "I prefer dark mode, please.", true),
        (
            "I prefer dark mode.",
            "Hi! I prefer dark mode, please.",
            true,
        ),
        (
            "User prefers dark mode",
            "I prefer dark mode, please.",
            true,
        ),
        ("The user is a nurse.", "I am a nurse in Bergen.", true),
        ("user has two cats", "well, I have two cats", true),
        ("User watches rugby", "I watch rugby", true),
        (
            "We ship on Friday",
            "Let's decide: we ship on Friday.",
            true,
        ),
        ("User prefers dark mode", "I do not prefer dark mode", false),
        ("User prefers dark mode", "She prefers dark mode", false),
        ("User prefers light mode", "I prefer dark mode", false),
        ("We ship on Friday", "We ship on some Friday", false),
        ("version 2.1", "version 2.10", false),
        ("", "anything", false),
        ("!", "anything!", false),
    ];

    #[test]
    fn words_are_the_users_own_only_when_they_stand_there() {
        for (candidate, message, stands) in CASES {
            assert_eq!(
                stands_in(candidate, message),
                *stands,
                "{candidate:?} in {message:?}"
            );
        }
    }
}
