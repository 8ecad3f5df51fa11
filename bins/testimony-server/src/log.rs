//! The log of a server: lines on stderr, for a person on a terminal and as JSON elsewhere.
//!
//! No event of Testimony holds content or a credential. Of the libraries below nobody can promise that, so of them only
//! warnings are heard, whatever the filter says.

use std::io::{IsTerminal as _, stderr};

use testimony_domain::words;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::{Layer, Registry, fmt};

words! {
    /// How lines are written.
    pub(crate) enum Format {
        /// As text on a terminal, as JSON elsewhere.
        Auto = "auto",
        /// As text.
        Text = "text",
        /// As JSON, an object a line.
        Json = "json",
    }
}

impl std::str::FromStr for Format {
    type Err = testimony_domain::Invalid;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse("log_format", text)
    }
}

/// What is logged, as somebody wrote it.
#[derive(Debug)]
pub(crate) struct Filter(pub(crate) Targets);

impl std::str::FromStr for Filter {
    type Err = ();

    /// A word alone is a level. As the name of a part, for which the library would take it, a misspelt level would switch
    /// everything else off.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut alone = text.split(',').filter(|word| !word.contains('='));
        // The library takes nothing at all for a level too.
        let is_level = |word: &str| !word.is_empty() && word.parse::<LevelFilter>().is_ok();
        if alone.any(|word| !is_level(word.trim())) {
            return Err(());
        }
        text.parse().map(Self).map_err(drop)
    }
}

/// What is heard at most, whatever the filter says.
fn at_most() -> Targets {
    Targets::new()
        .with_default(LevelFilter::WARN)
        .with_target("testimony", LevelFilter::TRACE)
        // Its warnings repeat what a caller sent.
        .with_target("rmcp", LevelFilter::ERROR)
}

/// Begins the log of this process. Where somebody else listens already, it stays with that.
pub(crate) fn begin(filter: Targets, format: Format) {
    let on_terminal = stderr().is_terminal();
    let as_json = match format {
        Format::Auto => !on_terminal,
        Format::Text => false,
        Format::Json => true,
    };
    let lines = fmt::layer().with_writer(stderr);
    let lines: Box<dyn Layer<Registry> + Send + Sync> = if as_json {
        let json = lines.json().flatten_event(true).with_span_list(false);
        json.with_filter(filter).with_filter(at_most()).boxed()
    } else {
        let text = lines.compact().with_target(false).with_ansi(on_terminal);
        text.with_filter(filter).with_filter(at_most()).boxed()
    };
    let subscriber = tracing_subscriber::registry().with(lines);
    drop(tracing::subscriber::set_global_default(subscriber));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_alone_is_a_level_or_a_mistake() {
        for good in [
            "warn",
            "OFF",
            "info,testimony_storage=debug",
            "testimony_storage=debug",
        ] {
            assert!(good.parse::<Filter>().is_ok(), "{good}");
        }
        for wrong in [
            "wran",
            "info,testimony_storage",
            "info,",
            "testimony_storage=dbug",
        ] {
            assert!(wrong.parse::<Filter>().is_err(), "{wrong}");
        }
    }
}
