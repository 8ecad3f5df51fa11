//! A governed memory for AI agents, as a library: nothing counts as known until it has been examined.
//!
//! [`Testimony::open`] gives a memory in a folder, [`Testimony::open_in_memory`] one that is gone when it is dropped;
//! [`Builder`] takes an embedder, gates and a clock of one's own.
//! What can be done with it is [`Service`]: make keys, retain, recall, build context, write back, hear a case.
//!
//! It needs no server, model or network. With the feature `models`, `providers` holds language models and rerankers
//! behind the interface of OpenAI, for [`models::Models`], and memory banks elsewhere, for [`banks::Banks`].
//! With `transformer` and `remote-embedder`, [`embedding`] holds sentence models from a folder and embedders behind a
//! server, for [`Builder::embedder`].
//! It does **not** install a subscriber, a signal handler or a crypto provider, and prints nothing.

mod memory;
mod secret_file;
mod steady;
mod world;

pub use memory::{Builder, OpenError, Testimony};
pub use secret_file::SecretError;
pub use testimony_domain as domain;
pub use testimony_embedding as embedding;
#[cfg(feature = "models")]
pub use testimony_models as providers;
pub use testimony_recall as recall;
pub use testimony_service::work::{Dependency, Reembedding};
pub use testimony_service::{
    NotFound, Parts, Service, ServiceError, ServiceSecret, SharedGate, SharedPairReader,
    SharedReader, access, banks, models, ports, read, review, transfer, upkeep, write,
};
pub use testimony_storage::store;
pub use world::{SystemChance, SystemClock, SystemIds};
