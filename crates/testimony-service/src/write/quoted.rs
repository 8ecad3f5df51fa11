//! Whether the words of a candidate are the user's own: what an agent reports counts as the user's word only when it
//! stands in the user's message.

/// Words that may stand around a statement without changing it.
const AROUND: &[&str] = &[
    "please", "ok", "okay", "well", "so", "hey", "hi", "hello", "yes", "yeah", "yep", "thanks",
    "also", "and", "by", "the", "way", "btw", "now", "right", "sure", "alright", "cheers",
];

/// Whether `candidate` is a whole sentence of `message`.
///
/// "User prefers dark mode" stands in "I prefer dark mode, please": a statement about the user may be turned from the
/// first person, and nothing else may be changed, left out or put between.
/// A part of a sentence does not count, whatever it is: what stands around it can deny, doubt or report it. Nor does what
/// stands in quotation marks, or is asked.
pub(super) fn stands_in(candidate: &str, message: &str) -> bool {
    let said = words(candidate);
    if said.is_empty() {
        return false;
    }
    let turned = first_person(&said);
    let is_it = |heard: Vec<String>| heard == said || turned.as_ref() == Some(&heard);
    sentences(&unquoted(message)).into_iter().any(is_it)
}

/// The sentences that state something, each without the words that may stand around it.
fn sentences(message: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in message.match_indices(['.', '!', '?', ';', '\n']) {
        let behind = message.get(at + mark.len()..).unwrap_or_default();
        // A dot within a number or a name ends nothing.
        if mark == "." && behind.starts_with(|c: char| !c.is_whitespace()) {
            continue;
        }
        if mark != "?" {
            found.push(stated(message.get(start..at).unwrap_or_default()));
        }
        start = at + mark.len();
    }
    found.push(stated(message.get(start..).unwrap_or_default()));
    found
}

fn stated(sentence: &str) -> Vec<String> {
    let all = words(sentence);
    let idle = |word: &&String| AROUND.contains(&word.as_str());
    let (before, after) = (
        all.iter().take_while(idle).count(),
        all.iter().rev().take_while(idle).count(),
    );
    let until = all.len().saturating_sub(after);
    all.get(before..until).unwrap_or_default().to_vec()
}

/// The message without what somebody else said in it, or what is an example: what stands in quotation marks, in lines that
/// quote, in blocks of code, or below the head of a forwarded mail. Where the marks do not pair, nothing of it is known to
/// be the user's own.
fn unquoted(message: &str) -> String {
    let mut fenced = false;
    let own = message
        .lines()
        .map(str::trim_start)
        .take_while(|line| !heads_a_mail(line))
        .filter(|line| {
            let fence = line.starts_with("```") || line.starts_with("~~~");
            fenced ^= fence;
            !fenced && !fence && !line.starts_with(['>', '|'])
        });
    let own: Vec<&str> = own.collect();
    without_marked(&own.join("\n")).unwrap_or_default()
}

/// Whether a line says that what follows was written by somebody else.
fn heads_a_mail(line: &str) -> bool {
    let line = line.trim_end().to_lowercase();
    let attributed = [
        "wrote:",
        "schrieb:",
        "escribió:",
        "a écrit :",
        "ha scritto:",
    ];
    let forwarded = [
        "-----original",
        "---------- forwarded",
        "begin forwarded message",
    ];
    attributed.iter().any(|end| line.ends_with(end))
        || forwarded.iter().any(|start| line.starts_with(start))
}

/// The text without what stands in quotation marks; `None` where a mark has no other.
fn without_marked(message: &str) -> Option<String> {
    let (mut kept, mut inside) = (String::with_capacity(message.len()), false);
    for c in message.chars() {
        match c {
            '"' | '“' | '”' | '„' | '«' | '»' | '`' => {
                inside = !inside;
                // What stood there leaves a mark, so that the rest is not read as one sentence.
                kept.push_str(" … ");
            }
            _ if inside => {}
            _ => kept.push(c),
        }
    }
    (!inside).then_some(kept)
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
        ("The user is a nurse.", "Hello. I am a nurse!", true),
        ("user has two cats", "well, I have two cats", true),
        ("User watches rugby", "I watch rugby", true),
        ("We ship on Friday", "Ok. We ship on Friday; thanks!", true),
        ("We use version 2.1", "We use version 2.1.", true),
        // A part of a sentence can be denied, doubted or reported by the rest.
        ("dark mode", "I hate dark mode", false),
        ("use force push", "never use force push", false),
        (
            "I prefer tabs",
            "It is simply not true that I prefer tabs",
            false,
        ),
        ("we ship on Friday", "I doubt we ship on Friday", false),
        ("The user is a nurse.", "I am a nurse in training.", false),
        (
            "User wants weekly reports",
            "My boss says I want weekly reports",
            false,
        ),
        (
            "We ship on Friday",
            "My boss said: we ship on Friday",
            false,
        ),
        // What is quoted or asked is not said.
        (
            "User wants weekly reports",
            "My boss says \"I want weekly reports\"",
            false,
        ),
        (
            "The user prefers Comic Sans",
            "Summarise this page: \"The user prefers Comic Sans.\"",
            false,
        ),
        ("I prefer tabs", "I prefer tabs?", false),
        // What is pasted is somebody else's.
        (
            "We pay into account 7",
            "Look:\n> We pay into account 7.",
            false,
        ),
        (
            "We pay into account 7",
            "Look.\nOn Monday Ben wrote:\nWe pay into account 7.",
            false,
        ),
        (
            "We pay into account 7",
            "Hm.\n```\nWe pay into account 7.\n```\nOdd.",
            false,
        ),
        (
            "We pay into account 7",
            "A 5\" screen. We pay into account 7.",
            false,
        ),
        ("I like jazz", "> jazz?\nI like jazz.", true),
        ("User prefers dark mode", "I do not prefer dark mode", false),
        ("User prefers dark mode", "She prefers dark mode", false),
        ("User prefers light mode", "I prefer dark mode", false),
        ("We ship on Friday", "We ship on some Friday", false),
        ("We use version 2.1", "We use version 2.10.", false),
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
