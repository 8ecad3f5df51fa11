//! The help of every command as it stands in `tests/help/`, one file a command, so that a change of it is read.

use std::path::Path;

use clap::{Command, CommandFactory as _};
use expect_test::expect_file;

use crate::command_line::CommandLine;

/// Every command with its own name, and the names of those that it belongs to.
fn all(command: &mut Command, path: &str, take: &mut dyn FnMut(&str, &mut Command)) {
    take(path, command);
    for below in command.get_subcommands_mut() {
        let path = format!("{path}-{}", below.get_name());
        all(below, &path, take);
    }
}

fn built() -> Command {
    let mut command = CommandLine::command().term_width(100);
    command.build();
    command
}

/// What is said of the settings that every command takes; it stands in the help of `testimony` and nowhere else here.
fn own(help: &str) -> String {
    let (before, reach) = help
        .split_once("Where the memory is:")
        .unwrap_or((help, ""));
    let rest = reach
        .lines()
        .skip_while(|line| line.starts_with(' ') || line.is_empty());
    let rest: Vec<&str> = rest.collect();
    format!("{before}{}\n", rest.join("\n"))
}

#[test]
fn every_command_is_explained_as_it_was_agreed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    all(&mut built(), "testimony", &mut |path, command| {
        let help = command.render_long_help().to_string();
        let shown = if path == "testimony" {
            help
        } else {
            own(&help)
        };
        expect_file![folder.join(format!("{path}.txt"))].assert_eq(&shown);
    });
}

#[test]
fn every_command_says_what_it_does_and_gives_an_example() {
    all(&mut built(), "testimony", &mut |path, command| {
        assert!(command.get_about().is_some(), "{path}");
        let after = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(path == "testimony" || after.contains("Example"), "{path}");
    });
}

/// How wide a terminal is at least. What is longer is wrapped, which breaks an example so that it cannot be copied.
const COLUMNS: usize = 80;

#[test]
fn examples_fit_and_paragraphs_are_left_to_the_width_of_the_terminal() {
    all(&mut built(), "testimony", &mut |path, command| {
        let after = command.get_after_help().map(ToString::to_string);
        let after = after.unwrap_or_default();
        let lines: Vec<&str> = after.lines().collect();
        for line in lines.iter().filter(|line| line.starts_with(' ')) {
            assert!(line.chars().count() <= COLUMNS, "{path}: {line}");
        }
        for pair in lines.windows(2).filter(|pair| is_prose(pair[0])) {
            assert!(!is_prose(pair[1]), "{path}: broken before {}", pair[1]);
        }
    });
}

/// Whether a line is one of a paragraph, and not of examples.
fn is_prose(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(' ')
}
