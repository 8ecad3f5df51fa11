//! `cargo xtask tidy`: what holds in this repository and no compiler checks.
//!
//! A rule is a function from the tree to its complaints, in a file of its own, with a test that shows it a bad example.

use std::fmt;
use std::io::Write;

use crate::tree::Tree;
use crate::{Outcome, Task};

mod attest;
mod coverage;
mod documents;
mod file_length;
mod fixtures;
mod function_length;
mod headers;
mod hosts;
mod layers;
mod lints;
mod machine_paths;
mod mentioned_paths;
mod purity;
mod rust_source;
mod seeds;
mod supply;
mod unused;

/// A rule.
struct Rule {
    name: &'static str,
    holds: &'static str,
    check: fn(&Tree) -> Vec<Complaint>,
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule { name: "layers", holds: "dependencies point down, in the one order that is written here",
        check: layers::check },
    Rule { name: "purity", holds: "governed crates have nothing that waits, stores, serialises, or reads clock or chance",
        check: purity::check },
    Rule { name: "lints", holds: "every crate takes the lints of the workspace",
        check: lints::check },
    Rule { name: "headers", holds: "every Rust file opens by saying what it holds",
        check: headers::check },
    Rule { name: "function-length", holds: "no function is over 70 lines, and those over 40 become fewer",
        check: function_length::check },
    Rule { name: "file-length", holds: "no Rust file is over 800 lines, tables of data apart",
        check: file_length::check },
    Rule { name: "mentioned-paths", holds: "every path that a document or a comment of a module mentions is there",
        check: mentioned_paths::check },
    Rule { name: "documents", holds: "every page of the documents can be reached from the README",
        check: documents::check },
    Rule { name: "machine-paths", holds: "no path of somebody's machine stands in the tree",
        check: machine_paths::check },
    Rule { name: "hosts", holds: "packages come from the public registry, and no file names another",
        check: hosts::check },
    Rule { name: "attest", holds: "text is called redacted only where redaction happens",
        check: attest::check },
    Rule { name: "fixtures", holds: "every line of a fixture is one JSON object, and no line stands twice",
        check: fixtures::check },
    Rule { name: "coverage", holds: "every field, status and rule of the public interface stands beside the test that proves it",
        check: coverage::check },
    Rule { name: "seeds", holds: "a seed of a failed property is a number, without the value that it shrank to",
        check: seeds::check },
    Rule { name: "supply", holds: "what comes from elsewhere is under a permissive licence and from the public registry",
        check: supply::check },
    Rule { name: "unused", holds: "no crate names a dependency that its code does not call",
        check: unused::check },
];

/// What a rule has to say about a place.
#[derive(Debug, PartialEq, Eq)]
struct Complaint {
    path: String,
    line: Option<usize>,
    what: String,
}

impl Complaint {
    fn about(path: &str, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line: None,
            what: what.into(),
        }
    }

    fn at(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::about(path, what)
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.what),
            None => write!(f, "{}: {}", self.path, self.what),
        }
    }
}

/// Names the rules.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when the list cannot be written.
pub fn list(out: &mut dyn Write) -> Task {
    for rule in RULES {
        writeln!(out, "{:<16}  {}", rule.name, rule.holds)?;
    }
    Ok(Outcome::Held)
}

/// Checks every rule; with `tighten`, first writes down the recorded counts where the tree has become better.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when the repository cannot be read.
pub fn run(tighten: bool, out: &mut dyn Write) -> Task {
    if tighten {
        function_length::tighten(&Tree::open()?)?;
    }
    let tree = Tree::open()?;
    let mut complaints = 0;
    for rule in RULES {
        for complaint in (rule.check)(&tree) {
            writeln!(out, "{complaint} [{}]", rule.name)?;
            complaints += 1;
        }
    }
    match complaints {
        0 => writeln!(
            out,
            "tidy: {} rules, {} files, no complaint",
            RULES.len(),
            tree.files.len()
        )?,
        count => writeln!(
            out,
            "tidy: {count} complaints; `cargo xtask tidy --list` says what the rules are for"
        )?,
    }
    Ok(Outcome::held_if(complaints == 0))
}
