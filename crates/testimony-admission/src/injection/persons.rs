//! What no person says to a memory of their own.
//!
//! People may give standing orders, so the score of a text means less where a user is its source.
//! But nobody forges the frame of a prompt, hides things from "the user", speaks to machines as a kind or has keys sent
//! away in their own name: whoever writes so wants a text to be taken for a user's.
//! Such signals bring what a user said before a person, however little they weigh there.

use super::concepts::Concept::*;
use super::concepts::mask_of;
use super::signals::WORDED;
use crate::lexicon::Mask;

/// What makes a signal foreign to a person's own words.
struct Foreign {
    /// The ids of the signals.
    ids: &'static [&'static str],
    /// Concepts of which one must stand in the same sentence; none means that nothing more is needed.
    any: Mask,
    /// What makes it a person's own words after all.
    unless: Unless,
}

/// When a signal is a person's own words after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unless {
    Never,
    /// The person speaks of what they or somebody else said: "my earlier instructions", "the instructions from Ana".
    Owned,
    /// Users are many: those of a product.
    Users,
    /// The sentence tells of it, and does not begin with it.
    Told,
    /// The person wants it for themselves: "tell me when the user …".
    ForMe,
    /// The person speaks of themselves.
    Mine,
}

/// What nobody says of themselves.
const OTHERS: Mask = mask_of(&[TheUser]);
/// Whom nobody addresses who speaks to one assistant.
const KINDS: Mask = mask_of(&[Machines, ReadsThis, TheUser]);

/// What no assistant gives away for its own user.
const KEPT: Mask = mask_of(&[Vault, SystemPrompt, KeyFile]);

/// The table.
#[rustfmt::skip]
const FOREIGN: &[Foreign] = &[
    Foreign { any: 0, unless: Unless::Never, ids: &[
        WORDED,
        "frame.special_token", "frame.role_token", "frame.instruction_tag", "frame.tag_then_system", "frame.own_delimiter",
        "frame.role_json_first", "frame.new_orders", "tools.fake_call_tag", "tools.fake_call_json", "tools.console",
        "hidden.addressed", "override.authority_acts", "override.granted_acts", "override.treat_as",
        "persona.freed", "persona.mode", "persona.act_freed", "persona.freed_mode", "persona.mode_without_rules",
        "reveal.system_prompt", "reveal.users_private", "exfiltrate.users_secret", "exfiltrate.silently",
        "exfiltrate.act_on_secret", "exfiltrate.encoded", "exfiltrate.users_asset", "exfiltrate.users_secret_told",
        "exfiltrate.key_file", "exfiltrate.key_file_shown", "exfiltrate.link_beacon", "memory.trusted",
        "tools.user_silently", "frame.heading_turns", "tools.fake_call_text", "obedience.decoded", "exfiltrate.wished_copy", "exfiltrate.password_asked",
        "tools.command_denied",
    ] },
    Foreign { any: 0, unless: Unless::Mine, ids: &[
        "guard.lowered", "guard.wished", "guard.by_notice", "override.notice_lowers",
    ] },
    Foreign { any: 0, unless: Unless::Owned, ids: &[
        "override.prior_rules", "override.everything", "override.your_rules", "override.circumvent", "override.void_rules",
    ] },
    Foreign { any: 0, unless: Unless::Users, ids: &["conceal.from_user"] },
    Foreign { any: 0, unless: Unless::Told, ids: &["answer.tell_user"] },
    Foreign { any: mask_of(&[TheUser, Whenever, Later]), unless: Unless::Never, ids: &["conceal.this_text"] },
    Foreign { any: ThisPage.bit(), unless: Unless::Never, ids: &["tools.command_on_user", "answer.top_mark_ordered"] },
    Foreign { any: mask_of(&[TheUser, TopMark, ThisPage]), unless: Unless::Never, ids: &["override.new_task_done"] },
    Foreign { any: mask_of(&[AiName, Assistant, Machines]), unless: Unless::Never, ids: &["override.consent"] },
    Foreign { any: mask_of(&[TheUser, Asset, ThisPage]), unless: Unless::Mine, ids: &["future.whenever_asked"] },
    Foreign { any: OTHERS, unless: Unless::Never, ids: &[
        "exfiltrate.vault", "future.tell_users", "future.always_tell_users",
        "memory.plant", "override.consent_acts", "override.new_task_now",
    ] },
    Foreign { any: OTHERS, unless: Unless::ForMe, ids: &["future.whenever_say", "future.whenever_acts", "future.whenever_tool", "exfiltrate.users_things_later", "tools.later_on_user"] },
    Foreign { any: KINDS | KEPT, unless: Unless::Never, ids: &["order.modal"] },
    Foreign { any: KINDS, unless: Unless::Never, ids: &[
        "address.directive", "address.ai", "address.called", "address.turns_to_ai", "address.reads_directive",
        "address.handles_directive", "address.turned_to_handler", "address.turned_ordered", "address.labelled_sends",
        "order.after_call", "order.call", "tools.called_for_asset",
    ] },
];

/// Words of somebody who speaks of their own, and words that say whose or about what something is.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "my", "mine", "our", "we", "i've", "meine", "meinen", "meiner", "unsere", "ich", "wir", "mes", "nos", "j'ai", "je", "mis", "nuestras", "mie", "le mie",
    "nostre", "minhas", "nossas", "mijn", "onze", "moje", "moich", "nasze", "мои", "моих", "наши", "我的", "我们的", "私の",
];
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "from", "by", "of", "about", "on", "regarding", "concerning", "for", "we", "he", "she", "von", "vom", "zu", "zum", "zur", "über", "des", "der",
    "de", "du", "del", "sur", "sobre", "para", "pour", "di", "da", "della", "per", "over", "van", "voor", "dotyczące", "od", "o", "от", "о", "про",
];

/// What only stands where an assistant works: rules of it are nobody else's.
#[rustfmt::skip]
const HERE: &[&str] = &[
    "your", "yours", "system", "operator", "developer", "developers", "conversation", "chat", "session", "prompt", "assistant", "model", "above", "context",
];

/// Who wants something for themselves.
#[rustfmt::skip]
const ME: &[&str] = &["me", "us", "mir", "uns", "moi", "nous", "dime", "avísame", "dimmi", "mij", "mi", "mnie", "мне", "我", "私"];

/// What people say of their own wishes.
#[rustfmt::skip]
const I_WANT: &[&str] = &["prefer", "want", "like", "need", "hate", "dislike", "don't", "do", "would", "never", "always", "am", "run", "use", "have", "trust", "find"];

/// What somebody did who speaks of their own words.
const SAID: &[&str] = &[
    "gave",
    "told",
    "said",
    "sent",
    "wrote",
    "left",
    "mentioned",
    "set",
    "made",
];

/// A signal in its sentence.
pub(super) struct Sign<'t> {
    /// Its id.
    pub(super) id: &'static str,
    /// The concepts of its sentence.
    pub(super) mask: Mask,
    /// Its words.
    pub(super) words: &'t str,
    /// What follows them.
    pub(super) behind: &'t str,
    /// Whether the sentence begins with it.
    pub(super) opens: bool,
}

impl Sign<'_> {
    /// Whether no person says this to a memory of their own.
    pub(super) fn is_foreign(&self) -> bool {
        let row = FOREIGN.iter().find(|row| row.ids.contains(&self.id));
        row.is_some_and(|row| {
            (row.any == 0 || row.any & self.mask != 0) && !self.is_excused(row.unless)
        })
    }

    fn is_excused(&self, unless: Unless) -> bool {
        match unless {
            Unless::Never => false,
            Unless::Owned => self.mask & OTHERS == 0 && (self.is_owned() || self.is_about()),
            Unless::Users => words_of(self.words).any(|word| word == "users"),
            Unless::Told => !self.opens,
            Unless::Mine => self.is_owned() || self.is_for_me() || self.is_what_i_want(),
            Unless::ForMe => self.is_for_me(),
        }
    }

    fn is_owned(&self) -> bool {
        words_of(self.words).any(|word| OWN.contains(&word))
    }

    fn is_for_me(&self) -> bool {
        words_of(self.words).any(|word| ME.contains(&word))
    }

    /// "I prefer that"; in other languages the one letter is an article.
    fn is_what_i_want(&self) -> bool {
        let mut after_i = words_of(self.words).skip_while(|word| *word != "i").skip(1);
        after_i.next().is_some_and(|word| I_WANT.contains(&word))
    }

    /// "The instructions from the plumber", "the rules that I gave you".
    fn is_about(&self) -> bool {
        let mut next = words_of(self.behind).filter(|word| !matches!(*word, "that" | "which"));
        let first = next.next().unwrap_or_default();
        let i_said = first == "i" && next.next().is_some_and(|word| SAID.contains(&word));
        (i_said || ABOUT.contains(&first))
            && !words_of(self.behind).any(|word| HERE.contains(&word))
            && !self
                .behind
                .trim_start()
                .starts_with(['.', ',', ';', ':', '!', '\n'])
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::injection::{frames, guards, orders, signals};

    #[test]
    fn every_foreign_signal_exists_and_stands_once() {
        let known = signals::SIGNALS.iter().map(|signal| signal.id);
        let known = known.chain(frames::FRAMES.iter().map(|frame| frame.id));
        let known: Vec<&str> = known
            .chain(orders::IDS.iter().chain(guards::IDS).copied())
            .chain([WORDED])
            .collect();
        let mut seen = std::collections::HashSet::new();
        for id in FOREIGN.iter().flat_map(|row| row.ids) {
            assert!(known.contains(id), "{id}");
            assert!(seen.insert(id), "{id}");
        }
    }

    /// A weaker class must never get a milder grade than a person.
    #[test]
    fn what_is_foreign_is_at_least_weak_from_everybody_else() {
        let weights = signals::SIGNALS.iter().map(|one| (one.id, one.weight));
        let frames = frames::FRAMES.iter().map(|one| (one.id, one.weight));
        let light = |weight: f64| weight < signals::WEAK_FROM_STRANGERS;
        for (id, _) in weights.chain(frames).filter(|(_, weight)| light(*weight)) {
            assert!(FOREIGN.iter().all(|row| !row.ids.contains(&id)), "{id}");
        }
    }
}
