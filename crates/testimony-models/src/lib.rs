//! Language models and rerankers behind the interface of OpenAI: OpenAI itself, Ollama, vLLM, llama.cpp, `LiteLLM` and
//! whoever else speaks it.
//!
//! [`Models`] holds those that somebody configured, by name. Each is asked in one of two ways: as a [`ChatModel`] or a
//! [`Reranker`] of the service, with an answer that was read and checked; or as a [`Relayed`] answer, whose bytes go on
//! untouched while they come. Either way it is asked with patience and an end to it, again only where that is safe, and
//! not at all for a while where it failed repeatedly.
//!
//! Beside them stand memory banks: a [`RemoteBank`] asks another Testimony, Hindsight or mem0 what it knows about a text,
//! over the same kind of line.
//!
//! This crate does **not** decide anything about trust, choose what a model is told, keep anything, or show a credential
//! to anybody but the server that it is for.
#![warn(clippy::wildcard_enum_match_arm)]

mod bank;
mod chat;
mod counts;
mod driver;
mod fault;
mod key;
mod line;
mod models;
mod relay;
mod rerank;
mod retry;
mod settings;
mod standing;
mod usage;

pub use bank::{BankProtocol, BankSettings, RemoteBank};
pub use chat::ChatStyle;
pub use counts::Counted;
pub use key::ApiKey;
pub use models::{Listed, Models};
pub use relay::{Endpoint, Question, Relayed, RelayedBody, Unanswered};
pub use rerank::RerankDialect;
pub use retry::RetryRules;
pub use settings::{ANY_MODEL, ModelSettings, Patience, SettingsError, Speaks};
pub use testimony_service::ports::banks::MemoryBank;
pub use testimony_service::ports::breaker::BreakerRules;
pub use testimony_service::ports::models::{ChatModel, ModelError, Reranker};
