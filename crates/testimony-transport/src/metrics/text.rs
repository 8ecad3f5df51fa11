//! The text that Prometheus reads, version 0.0.4.

use std::fmt::Write as _;
use std::time::Duration;

/// What a family is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// It only ever grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// It counts into buckets.
    Histogram,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// The text as it is written. Names and labels are of closed sets, so none of them needs to be escaped.
#[derive(Debug, Default)]
pub(super) struct Text(String);

impl Text {
    /// Begins a family.
    pub(super) fn family(&mut self, name: &str, kind: Kind, help: &str) {
        let kind = kind.as_str();
        // Writing into a text cannot fail.
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    /// A value of a family.
    pub(super) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: u64) {
        self.line(name, labels, &value.to_string());
    }

    /// A time of a family.
    pub(super) fn seconds(&mut self, name: &str, labels: &[(&str, &str)], value: Duration) {
        self.line(name, labels, &value.as_secs_f64().to_string());
    }

    fn line(&mut self, name: &str, labels: &[(&str, &str)], value: &str) {
        let labels: Vec<String> = labels
            .iter()
            .map(|(name, value)| format!("{name}=\"{value}\""))
            .collect();
        let labels = match labels.as_slice() {
            [] => String::new(),
            labels => format!("{{{}}}", labels.join(",")),
        };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    /// Which program it is.
    pub(super) fn build(&mut self, version: &str, rules: &str) {
        const BUILD: &str = "testimony_build_info";
        self.family(
            BUILD,
            Kind::Gauge,
            "Which program it is, and by which rules it decides.",
        );
        self.sample(BUILD, &[("version", version), ("rules", rules)], 1);
    }

    /// The buckets of a route, each with all below it.
    pub(super) fn histogram(
        &mut self,
        name: &str,
        route: &str,
        buckets: impl Iterator<Item = (u64, u64)>,
        all: u64,
        sum: Duration,
    ) {
        let bucket = format!("{name}_bucket");
        let mut below = 0;
        for (bound_us, count) in buckets {
            below += count;
            let bound = Duration::from_micros(bound_us).as_secs_f64().to_string();
            self.sample(&bucket, &[("route", route), ("le", &bound)], below);
        }
        self.sample(&bucket, &[("route", route), ("le", "+Inf")], all);
        self.seconds(&format!("{name}_sum"), &[("route", route)], sum);
        self.sample(&format!("{name}_count"), &[("route", route)], all);
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}
