//! The rule table, one file a family. A new format is one new line, with one new line in `fixtures/secrets`.

mod ai;
mod business;
mod chat;
mod ci;
mod cloud;
mod commands;
mod context;
mod database;
mod keys;
mod monitoring;
mod named;
mod payment;
mod source_control;

use super::rule::Rule;

/// Every family of the table.
pub(super) const FAMILIES: &[&[Rule]] = &[
    keys::RULES,
    cloud::RULES,
    source_control::RULES,
    ci::RULES,
    commands::RULES,
    ai::RULES,
    chat::RULES,
    payment::RULES,
    database::RULES,
    monitoring::RULES,
    business::RULES,
    named::RULES,
    context::RULES,
];
