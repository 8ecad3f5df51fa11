//! What a store of words is asked in, whichever store it is: places, documents, and how often a term stands somewhere.

/// Which row a document stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The number of the container.
    pub(super) room: u32,
    pub(super) slot: u32,
}

/// A document of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) slot: u32,
    /// Whether it only waits for a merge that leaves it out; its words are met until then.
    pub(super) removed: bool,
}

/// Whether it matters how often a term stands in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HowOften {
    Asked,
    NotAsked,
}
