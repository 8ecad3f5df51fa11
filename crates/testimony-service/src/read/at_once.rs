//! Which questions are answered without waiting: those where nothing is known, and everything about the asker is at hand.
//!
//! Whoever serves requests has work that may wait done by threads that may, and handing it to one of them and back costs
//! more than such an answer.

use testimony_domain::ContainerTag;

use crate::access::Credential;
use crate::service::Service;

impl Service {
    /// Whether a question of whoever shows this credential, asked of this container, waits for nothing: credential and
    /// container are at hand, no row is there to be read, no embedder is asked, and the journal has room. A question that
    /// a model has a part in, or that names rows, waits all the same.
    ///
    /// It is said of this moment. What changes before the question is asked makes it slower, and nothing else of it other.
    #[must_use]
    pub fn waits_for_nothing(&self, bearer: &str, container: &ContainerTag) -> bool {
        let Some(container) = self.at_hand.container_if_here(container) else {
            return false;
        };
        let knows_key =
            || Credential::read(bearer).is_some_and(|shown| self.at_hand.has_key(shown.key()));
        self.index.rows_in(&container.tag) == Some(0)
            && self.embedders.of(&container).is_quick()
            && self.journal.is_at_ease()
            && knows_key()
    }
}
