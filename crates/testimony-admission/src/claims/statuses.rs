//! States as data: groups of states of which a thing is in one at a time, so that two of a group conflict.

use std::sync::LazyLock;

use super::class::OCCUPATION;
use super::lexicon::lexicon;
use crate::lexicon::{WordMap, WordSet};

/// A group and its states.
#[rustfmt::skip]
pub(crate) const STATUS_GROUPS: &[(&str, &[&str])] = &[
    ("status", &["up", "down", "online", "offline", "running", "stopped", "healthy", "unhealthy", "broken", "operational", "degraded", "live", "available", "unavailable", "stable", "unstable", "green", "red", "working", "fixed"]),
    ("access", &["open", "closed", "locked", "unlocked", "frozen", "abierto", "cerrado", "ouvert", "fermé", "offen", "geschlossen"]),
    ("switch", &["enabled", "disabled", "active", "inactive", "on", "off", "activated", "deactivated", "turned on", "turned off", "switched on", "switched off"]),
    ("visibility", &["public", "private", "internal"]),
    ("progress", &["done", "complete", "completed", "finished", "pending", "paused", "blocked", "unblocked", "in progress", "cancelled", "canceled", "delayed", "on hold", "approved", "rejected", "merged", "draft", "released", "unreleased", "ready", "resolved", "unresolved", "overdue", "archived", "fertig", "on track"]),
    ("requirement", &["mandatory", "optional", "required"]),
    ("payment", &["paid", "unpaid"]),
    ("marital status", &["married", "single", "divorced", "engaged", "widowed"]),
    ("diet", &["vegetarian", "vegan", "veggie", "pescatarian", "végétarien", "végétarienne", "vegetariano", "vegetariana", "vegetarier", "vegetarierin"]),
    ("validity", &["valid", "invalid"]),
    ("occupancy", &["vacant", "occupied", "empty", "full"]),
    ("truth", &["true", "false"]),
    ("handedness", &["left-handed", "right-handed"]),
    ("color", &["blue", "red", "yellow", "black", "white", "orange", "purple", "pink", "brown", "grey", "gray"]),
];

/// The group of a state.
pub(crate) fn status_group(value: &str) -> Option<&'static str> {
    static BY_STATE: LazyLock<WordMap<&'static str, &'static str>> = LazyLock::new(|| {
        let mut by_state = WordMap::default();
        for (group, states) in STATUS_GROUPS {
            for state in *states {
                by_state.entry(*state).or_insert(*group);
            }
        }
        by_state
    });
    BY_STATE.get(value).copied()
}

/// What takes its name from the person or animal that fills it: "my dog is Rex".
pub(crate) const PERSONAL: &[&str] = &[
    "dog",
    "cat",
    "pet",
    "wife",
    "husband",
    "spouse",
    "partner",
    "boyfriend",
    "girlfriend",
    "sister",
    "brother",
    "son",
    "daughter",
    "mother",
    "father",
    "mom",
    "dad",
    "boss",
    "manager",
    "lead",
    "child",
    "hund",
    "katze",
    "frau",
    "mann",
    "chien",
    "chat",
    "perro",
    "gato",
    "doctor",
    "dentist",
    "teacher",
    "coach",
    "nephew",
    "niece",
    "uncle",
    "aunt",
    "cousin",
    "roommate",
    "neighbor",
    "neighbour",
    "puppy",
    "kitten",
    "horse",
    "parrot",
    "rabbit",
    "hamster",
    "fiancé",
    "fiancée",
    "colleague",
    "friend",
    "best friend",
];

/// More of them, in the languages of the tables.
#[rustfmt::skip]
const PERSONAL_ELSEWHERE: &[&str] = &[
    "mum", "stepson", "stepdaughter", "stepmother", "stepfather", "grandmother", "grandfather", "grandma", "grandpa", "grandson", "granddaughter", "godmother", "godfather", "goddaughter", "godson", "twin",
    "ehefrau", "ehemann", "tochter", "sohn", "schwester", "bruder", "mutter", "vater", "oma", "opa", "onkel", "tante", "nichte", "neffe", "freund", "freundin", "nachbar", "nachbarin", "kollege", "kollegin",
    "femme", "mari", "épouse", "époux", "fille", "fils", "sœur", "frère", "mère", "père", "oncle", "nièce", "neveu", "voisin", "voisine", "copain", "copine", "collègue",
    "mujer", "marido", "esposa", "esposo", "hija", "hijo", "hermana", "hermano", "madre", "padre", "tía", "tío", "sobrina", "sobrino", "vecino", "vecina", "novio", "novia", "abuela", "abuelo", "jefe", "jefa",
];

/// What somebody is to a group, a house or a person; the last word of "deputy head teacher".
#[rustfmt::skip]
const ROLES: &[&str] = &[
    "treasurer", "secretary", "chair", "chairperson", "chairman", "chairwoman", "president", "principal", "headmaster", "headmistress", "landlord", "landlady", "physio", "physiotherapist", "conductor", "choirmaster",
    "caretaker", "janitor", "foreman", "supervisor", "deputy", "mayor", "bishop", "referee", "umpire", "chaplain", "curator", "steward", "receptionist", "apprentice", "assistant", "tutor", "mentor", "paediatrician",
    "pediatrician", "gp", "babysitter", "childminder", "nanny", "cleaner", "trainer", "instructor", "tenant", "lodger", "flatmate", "housemate", "rep", "representative", "successor", "predecessor", "organiser", "organizer",
    "coordinator", "boss", "coach", "captain", "director", "founder", "manager", "lead", "leader", "maintainer", "owner", "ceo", "cto", "cfo",
    "hausarzt", "hausärztin", "zahnarzt", "zahnärztin", "tierarzt", "tierärztin", "kinderarzt", "kinderärztin", "vermieter", "vermieterin", "trainerin", "klempner", "hausmeister", "vorsitzende", "kassenwart", "betreuer", "betreuerin",
    "plombier", "dentiste", "propriétaire", "responsable", "trésorier", "trésorière", "présidente", "kiné", "vétérinaire", "entraîneur", "gardien", "gardienne",
    "dentista", "casero", "casera", "entrenador", "entrenadora", "contable", "fontanero", "tesorero", "tesorera", "presidenta", "veterinario", "veterinaria",
];

/// Words in front of a role that say which rank of it, not whose: "deputy head teacher".
#[rustfmt::skip]
const ROLE_RANKS: &[&str] = &[
    "deputy", "head", "vice", "assistant", "chief", "senior", "junior", "interim", "acting", "general", "managing", "executive", "honorary", "associate", "co",
];

/// Whether a noun stands for somebody whom it is natural to say something else of than who that is.
pub(crate) fn is_personal(head: &str) -> bool {
    static PERSONS: LazyLock<WordSet<&str>> = LazyLock::new(|| {
        let all = PERSONAL.iter().chain(PERSONAL_ELSEWHERE);
        all.copied().collect()
    });
    PERSONS.contains(head)
}

/// Whether a noun stands for somebody whom a name can fill.
pub(crate) fn names_somebody(head: &str) -> bool {
    static HOLDERS: LazyLock<WordSet<&str>> = LazyLock::new(|| ROLES.iter().copied().collect());
    let last = head.rsplit(' ').next().unwrap_or_default();
    is_personal(head)
        || HOLDERS.contains(last)
        || lexicon()
            .find(last)
            .is_some_and(|word| word.classes_in_any() & OCCUPATION != 0)
}

/// Whether what stands in front of a role only says its rank.
pub(crate) fn are_ranks(words: &str) -> bool {
    words.split(' ').all(|word| ROLE_RANKS.contains(&word))
}
