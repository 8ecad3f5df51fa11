//! The flags of the settings, as the command line takes them.

use std::marker::PhantomData;

use clap::error::Error;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::table::{Group, SETTINGS, Setting, Takes};

/// A group as a type, so that a command names the group whose flags it takes.
pub(crate) trait Of {
    /// Which.
    const GROUP: Group;
}

/// How the memory is reached.
#[derive(Debug)]
pub(crate) struct Reach;
/// In which container.
#[derive(Debug)]
pub(crate) struct Room;
/// How it is served.
#[derive(Debug)]
pub(crate) struct Serving;

impl Of for Reach {
    const GROUP: Group = Group::Reach;
}

impl Of for Room {
    const GROUP: Group = Group::Room;
}

impl Of for Serving {
    const GROUP: Group = Group::Serving;
}

/// What was said with flags.
#[derive(Debug)]
pub(crate) struct Given<G> {
    said: Vec<(&'static str, String)>,
    group: PhantomData<G>,
}

impl<G> Default for Given<G> {
    fn default() -> Self {
        let said = Vec::new();
        Self {
            said,
            group: PhantomData,
        }
    }
}

impl<G> Given<G> {
    /// What was said, by the names of the settings.
    pub(crate) fn said(&self) -> &[(&'static str, String)] {
        &self.said
    }
}

fn of_group<G: Of>() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(|setting| setting.group == G::GROUP)
}

fn flag(setting: &'static Setting) -> Arg {
    let arg = Arg::new(setting.name)
        .long(setting.flag())
        .help(help(setting));
    let arg = match setting.takes {
        Takes::One(value) | Takes::Many(value) | Takes::Secret(value) => arg.value_name(value),
        Takes::Switch => arg
            .value_name("BOOL")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
    };
    match setting.group {
        Group::Reach => arg.global(true).help_heading("Where the memory is"),
        Group::Room => arg,
        Group::Serving => arg.help_heading("How it is served"),
    }
}

fn help(setting: &Setting) -> String {
    let usual = match setting.default {
        "" => String::new(),
        usual => format!("default: {usual}; "),
    };
    format!("{} [{usual}env: {}]", setting.help, setting.variable())
}

impl<G: Of> FromArgMatches for Given<G> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Self::default();
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let said = of_group::<G>().filter_map(|setting| {
            let said = matches.get_one::<String>(setting.name)?;
            Some((setting.name, said.clone()))
        });
        self.said.extend(said);
        Ok(())
    }
}

impl<G: Of> Args for Given<G> {
    fn augment_args(command: Command) -> Command {
        of_group::<G>().fold(command, |command, setting| command.arg(flag(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
