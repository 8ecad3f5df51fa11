//! The commands, each in a file of its own name, and the table of them.

mod admit;
mod apply;
mod audit;
mod backup;
mod bench;
mod case;
mod completions;
mod connector;
mod container;
mod context;
mod doctor;
mod embedder;
mod erase;
mod export;
mod grant;
#[cfg(test)]
mod help_tests;
mod import;
mod init;
mod job;
mod key;
mod list;
mod mcp;
mod memory;
mod openapi;
mod person;
mod quarantine;
mod recall;
mod reflect;
mod retain;
mod review;
mod rows;
mod serve;
mod shared;
mod stats;
mod why;

use clap::Subcommand;
use testimony::domain::{Capability, SourceClass, Timestamp};

use crate::failure::{Done, Failure};
use crate::shell::Shell;

/// What can be done.
#[derive(Subcommand)]
pub(crate) enum Command {
    Serve(serve::ServeArguments),
    Init(init::InitArguments),
    Retain(Box<retain::RetainArguments>),
    Recall(Box<recall::RecallArguments>),
    Context(Box<context::ContextArguments>),
    Reflect(Box<reflect::ReflectArguments>),
    Case(case::CaseArguments),
    Admit(Box<admit::AdmitArguments>),
    Key(key::KeyArguments),
    Connector(connector::ConnectorArguments),
    Container(container::ContainerArguments),
    Person(person::PersonArguments),
    Review(review::ReviewArguments),
    Quarantine(quarantine::QuarantineArguments),
    List(Box<list::ListArguments>),
    Memory(memory::MemoryArguments),
    Why(Box<why::WhyArguments>),
    Audit(audit::AuditArguments),
    Erase(Box<erase::EraseArguments>),
    Job(job::JobArguments),
    Stats(stats::StatsArguments),
    Apply(apply::ApplyArguments),
    Doctor(doctor::DoctorArguments),
    Embedder(embedder::EmbedderArguments),
    Backup(backup::BackupArguments),
    Restore(backup::RestoreArguments),
    Export(export::ExportArguments),
    Import(Box<import::ImportArguments>),
    Bench(bench::BenchArguments),
    Openapi(openapi::OpenapiArguments),
    Mcp(mcp::McpArguments),
    Completions(completions::CompletionsArguments),
}

impl Default for Command {
    fn default() -> Self {
        Self::Serve(serve::ServeArguments::default())
    }
}

/// Carries a command out.
pub(crate) fn run(command: &Command, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    match command {
        Command::Serve(arguments) => serve::run(arguments, shell),
        Command::Init(arguments) => init::run(arguments, shell),
        Command::Retain(arguments) => retain::run(arguments, shell),
        Command::Recall(arguments) => recall::run(arguments, shell),
        Command::Context(arguments) => context::run(arguments, shell),
        Command::Reflect(arguments) => reflect::run(arguments, shell),
        Command::Case(arguments) => case::run(arguments, shell),
        Command::Admit(arguments) => admit::run(arguments, shell),
        Command::Key(arguments) => key::run(arguments, shell),
        Command::Connector(arguments) => connector::run(arguments, shell),
        Command::Container(arguments) => container::run(arguments, shell),
        Command::Review(arguments) => review::run(arguments, shell),
        Command::Person(arguments) => person::run(arguments, shell),
        Command::Quarantine(arguments) => quarantine::run(arguments, shell),
        Command::List(arguments) => list::run(arguments, shell),
        Command::Memory(arguments) => memory::run(arguments, shell),
        Command::Why(arguments) => why::run(arguments, shell),
        Command::Audit(arguments) => audit::run(arguments, shell),
        Command::Erase(arguments) => erase::run(arguments, shell),
        Command::Job(arguments) => job::run(arguments, shell),
        Command::Stats(arguments) => stats::run(arguments, shell),
        Command::Apply(arguments) => apply::run(arguments, shell),
        Command::Doctor(arguments) => doctor::run(arguments, shell),
        Command::Embedder(arguments) => embedder::run(arguments, shell),
        Command::Backup(arguments) => backup::back_up(arguments, shell),
        Command::Restore(arguments) => backup::restore(arguments, shell),
        Command::Export(arguments) => export::run(arguments, shell),
        Command::Import(arguments) => import::run(arguments, shell),
        Command::Bench(arguments) => bench::run(arguments, shell),
        Command::Openapi(arguments) => openapi::run(arguments, shell),
        Command::Mcp(arguments) => mcp::run(arguments, shell),
        Command::Completions(arguments) => completions::run(arguments, shell),
    }
}

impl Command {
    /// What a command's own flags say about settings.
    pub(crate) fn said(&self) -> &[(&'static str, String)] {
        match self {
            Self::Serve(arguments) => arguments.serving.said(),
            Self::Retain(arguments) => arguments.room.said(),
            Self::Recall(arguments) => arguments.room.said(),
            Self::Context(arguments) => arguments.room.said(),
            Self::Reflect(arguments) => arguments.room.said(),
            Self::Review(arguments) => arguments.room.said(),
            Self::Quarantine(arguments) => arguments.room.said(),
            Self::List(arguments) => arguments.room.said(),
            Self::Erase(arguments) => arguments.room.said(),
            Self::Stats(arguments) => arguments.room.said(),
            Self::Import(arguments) => arguments.room.said(),
            Self::Init(_)
            | Self::Case(_)
            | Self::Admit(_)
            | Self::Key(_)
            | Self::Why(_)
            | Self::Memory(_)
            | Self::Person(_)
            | Self::Connector(_)
            | Self::Container(_)
            | Self::Audit(_)
            | Self::Job(_)
            | Self::Apply(_)
            | Self::Doctor(_)
            | Self::Embedder(_)
            | Self::Backup(_)
            | Self::Restore(_)
            | Self::Export(_)
            | Self::Bench(_)
            | Self::Openapi(_)
            | Self::Mcp(_)
            | Self::Completions(_) => &[],
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the command reads the clock; everything below takes the time as an argument"
)]
fn now() -> Timestamp {
    Timestamp::now()
}

fn whose_word() -> String {
    let words = SourceClass::WORDS.join(", ");
    format!("Whose word it is, from the weakest to the strongest: {words}")
}

fn may_do() -> String {
    let words = Capability::WORDS.iter().copied();
    // That one comes with --operator alone.
    let words = words.filter(|word| *word != Capability::Admin.as_str());
    let words = words.collect::<Vec<_>>().join(", ");
    format!(
        "What it may do, with commas between; everything that an agent does where nothing is said: {words}"
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use testimony::domain::EvidenceChannel;
    use testimony::transfer::readers::Origin;

    use super::*;
    use crate::command_line::CommandLine;

    #[test]
    fn help_names_every_word_of_the_closed_sets() {
        let help = |names: &[&str]| {
            let mut command = CommandLine::command();
            command.build();
            let mut found = &mut command;
            for name in names {
                found = found.find_subcommand_mut(name).unwrap();
            }
            found.render_long_help().to_string()
        };
        for word in SourceClass::WORDS.iter().chain(EvidenceChannel::WORDS) {
            assert!(help(&["admit"]).contains(word), "{word}");
        }
        for word in Origin::WORDS {
            assert!(help(&["import"]).contains(word), "{word}");
        }
        let admin = Capability::Admin.as_str();
        for word in Capability::WORDS.iter().filter(|word| **word != admin) {
            assert!(help(&["key", "create"]).contains(word), "{word}");
        }
    }
}
