//! The way in over HTTP.
//!
//! [`wire`] says what requests carry and what answers hold, as pure functions over JSON; [`routes`] is the table of what
//! can be asked; [`problem`] is what is told when something goes wrong; [`http`] is the shell around them: it listens,
//! limits, checks in one order and drains; `tokens` examines what other issuers sign, [`openapi`] describes the table,
//! [`metrics`] counts what comes of it; `console` serves pages for people over it; [`local`] asks the same routes without
//! any of that; [`mcp`] speaks with agents about them.
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use testimony_transport::http::{BindError, Options, Server};
//! # async fn serve(service: Arc<testimony_service::Service>) -> Result<(), BindError> {
//! let server = Server::bind(Options::default(), service).await?;
//! let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
//! # drop(stop);
//! server.serve_until(async { drop(stopped.await) }).await;
//! # Ok(())
//! # }
//! ```
//!
//! This crate does **not** decide anything about trust, keep anything, read configuration or install a subscriber, a
//! signal handler or a process-wide crypto provider.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod caretaker;
mod console;
pub mod http;
pub mod local;
pub mod mcp;
pub mod metrics;
pub mod openapi;
pub mod problem;
pub mod routes;
mod share;
#[cfg(feature = "jwt")]
pub mod tokens;
pub mod wire;
