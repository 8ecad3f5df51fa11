//! States as data: groups of states of which a thing is in one at a time, so that two of a group conflict.

use std::sync::LazyLock;

use crate::lexicon::WordMap;

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
