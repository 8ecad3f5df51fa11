//! The gateway: what goes to a model, what comes back, and what memory has to do with it.

mod memory;
mod scripted;
mod statuses;
mod streams;
mod through;
