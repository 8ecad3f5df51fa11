//! What is answered in so short a time that handing it to somebody else would take longer.

use testimony_domain::ContainerTag;

use crate::service::Service;

/// Of so many rows all can be read and judged in a moment, whether or not they are at hand.
const FEW: usize = 64;

impl Service {
    /// Whether a short question about a container is answered in a moment, by whoever has it, without keeping others
    /// waiting: the container holds few rows, and nothing that takes part asks over a network or was put in by somebody
    /// else.
    #[must_use]
    pub fn answers_in_a_moment(&self, container: &ContainerTag) -> bool {
        self.gates.is_empty()
            && self.embedders.are_quick()
            && self.journal.has_room()
            && self
                .index
                .rows_in(container)
                .is_some_and(|rows| rows <= FEW)
    }
}
