//! Words that readers of slots ask for.

use super::words::Words;

/// Nouns for those who employ.
#[rustfmt::skip]
pub(super) const EMPLOYERS: &Words = &Words::of(&[
    "company", "firm", "bank", "school", "university", "hospital", "agency", "startup", "studio", "bakery", "library", "council", "government", "ministry", "army", "navy", "police", "clinic", "factory", "institute", "charity", "museum",
    "hotel", "restaurant", "theatre", "newspaper", "publisher", "lab", "laboratory", "consultancy", "practice", "harbor", "harbour", "airline", "brewery", "farm", "workshop", "foundation",
]);

/// Pronouns that nothing before explains: two statements of "it" are hardly ever of the same.
pub(super) const UNRESOLVED: &[&str] = &[
    "it",
    "that",
    "this",
    "these",
    "those",
    "they",
    "everything",
    "something",
    "es",
    "das",
    "ça",
    "eso",
    "esto",
];

/// Pronouns that answer nothing: who "she" is stands elsewhere.
pub(super) const NO_ANSWERS: &[&str] = &["he", "she", "it", "they", "him", "her", "them"];
