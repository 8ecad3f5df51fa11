//! What is counted while the server runs, and how it is told: the text that Prometheus reads.
//!
//! Every label comes from a closed set: names of routes, statuses, states, kinds, parts. No container, key, person or
//! content is ever one, so there are as many series on the last day as there can be on the first.

mod gathered;
mod text;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Frame};
use serde_json::{Value, json};
use testimony_service::Service;
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::routes::{Running, all};
use text::{Kind, Text};

/// The medium of the text.
pub const MEDIA: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The route of a request that none is for.
pub(crate) const NO_ROUTE: &str = "none";

/// The statuses that are told apart; any other is counted as `0`.
const STATUSES: [u16; 23] = [
    200, 201, 202, 204, 303, 304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 500,
    502, 503, 507, 0,
];

/// The upper bounds of the buckets of durations, in microseconds.
const BUCKETS_US: [u64; 13] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 10_000_000,
];

/// What is counted of one route.
#[derive(Default)]
struct OfRoute {
    statuses: [AtomicU64; STATUSES.len()],
    /// Durations up to each bound, and above all of them in the last.
    buckets: [AtomicU64; BUCKETS_US.len()],
    longer: AtomicU64,
    sum_us: AtomicU64,
    abstained: AtomicU64,
}

/// A value that whoever put the service together knows and the service does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The name of its family.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub help: &'static str,
    /// Whether it only ever grows.
    pub grows: bool,
    /// The value.
    pub value: u64,
}

/// Asks for such values.
#[derive(Clone)]
pub struct Gauge(Arc<dyn Fn() -> Vec<Measured> + Send + Sync>);

impl Gauge {
    /// Asks so.
    pub fn new(ask: impl Fn() -> Vec<Measured> + Send + Sync + 'static) -> Self {
        Self(Arc::new(ask))
    }
}

impl fmt::Debug for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gauge(…)")
    }
}

/// What a server has counted.
pub struct Metrics {
    routes: Vec<(&'static str, OfRoute)>,
    in_flight: AtomicU64,
    /// Streams of models that are passed on.
    streams: Arc<AtomicU64>,
    /// Tokens of memory that went to models.
    injected: AtomicU64,
    since: Instant,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics(…)")
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let names = all()
            .map(|route| route.name)
            .chain([NO_ROUTE, crate::console::ROUTE]);
        Self {
            routes: names.map(|name| (name, OfRoute::default())).collect(),
            in_flight: AtomicU64::new(0),
            streams: Arc::default(),
            injected: AtomicU64::new(0),
            since: Instant::now(),
        }
    }
}

/// A request that is worked on; it is counted as such until this goes.
pub(crate) struct InFlight<'m>(&'m AtomicU64);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream that is counted while it is there.
pub(crate) struct Streamed<B> {
    body: B,
    count: Arc<AtomicU64>,
}

impl<B> Drop for Streamed<B> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<B: Body + Unpin> Body for Streamed<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }
}

impl Metrics {
    /// Counts a request as worked on.
    pub(crate) fn enter(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(&self.in_flight)
    }

    /// Counts tokens of memory that go to a model.
    pub(crate) fn injected(&self, tokens: usize) {
        self.injected.fetch_add(tokens as u64, Ordering::Relaxed);
    }

    /// Counts a stream as passed on for as long as it is there.
    pub(crate) fn streaming<B>(&self, body: B) -> Streamed<B> {
        self.streams.fetch_add(1, Ordering::Relaxed);
        let count = Arc::clone(&self.streams);
        Streamed { body, count }
    }

    /// Counts a request that was answered.
    pub(crate) fn answered(&self, route: &str, status: u16, took: Duration, abstained: bool) {
        let counted = self.routes.iter().find(|(name, _)| *name == route);
        let Some((_, counted)) = counted else { return };
        let add = |counter: &AtomicU64, more| counter.fetch_add(more, Ordering::Relaxed);
        let mut statuses = STATUSES.iter().zip(&counted.statuses);
        if let Some((_, counter)) = statuses.find(|(known, _)| **known == status || **known == 0) {
            add(counter, 1);
        }
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let mut bounds = BUCKETS_US.iter().zip(&counted.buckets);
        let bucket = bounds.find(|(bound, _)| us <= **bound);
        add(bucket.map_or(&counted.longer, |(_, bucket)| bucket), 1);
        add(&counted.sum_us, us);
        if abstained {
            add(&counted.abstained, 1);
        }
    }

    /// How long requests took, by route: bounds below which half, 95 and 99 of a hundred were answered.
    pub(crate) fn percentiles(&self) -> Vec<Value> {
        let told = self.routes.iter().filter_map(|(route, counted)| {
            let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
            let buckets: Vec<u64> = counted.buckets.iter().map(read).collect();
            let all = buckets.iter().sum::<u64>() + read(&counted.longer);
            let below = |share: u64| {
                let mut seen = 0;
                let mut bounds = BUCKETS_US.iter().zip(&buckets);
                let found = bounds.find(|(_, count)| {
                    seen += *count;
                    seen * 100 >= all * share
                });
                found.map_or(u64::MAX, |(bound, _)| *bound)
            };
            (all > 0).then(|| {
                json!({
                    "route": route,
                    "requests": all,
                    "p50_us": below(50),
                    "p95_us": below(95),
                    "p99_us": below(99),
                })
            })
        });
        told.collect()
    }

    /// Everything as it is now, in the text that Prometheus reads.
    pub(crate) fn told(&self, service: &Service, running: &Running) -> String {
        let mut text = Text::default();
        self.of_requests(&mut text);
        of_runtime(&mut text);
        let asked = running.gauge.as_ref().map(|gauge| (gauge.0)());
        for measured in asked.into_iter().flatten() {
            let kind = if measured.grows {
                Kind::Counter
            } else {
                Kind::Gauge
            };
            text.family(measured.name, kind, measured.help);
            text.sample(measured.name, &[], measured.value);
        }
        gathered::add(&mut text, service, &running.health);
        text.finish()
    }

    fn of_requests(&self, text: &mut Text) {
        text.build(env!("CARGO_PKG_VERSION"), testimony_service::RULES_VERSION);
        const UP: &str = "testimony_uptime_seconds";
        text.family(UP, Kind::Gauge, "For how long the server has run.");
        text.seconds(UP, &[], self.since.elapsed());
        const NOW: &str = "testimony_requests_in_flight";
        text.family(NOW, Kind::Gauge, "Requests that are worked on.");
        text.sample(NOW, &[], self.in_flight.load(Ordering::Relaxed));
        const ALL: &str = "testimony_requests_total";
        text.family(
            ALL,
            Kind::Counter,
            "Requests that were answered, by route and status.",
        );
        for (route, counted) in &self.routes {
            for (status, counter) in STATUSES.iter().zip(&counted.statuses) {
                let count = counter.load(Ordering::Relaxed);
                if count > 0 {
                    let status = status.to_string();
                    text.sample(ALL, &[("route", route), ("status", &status)], count);
                }
            }
        }
        const NOTHING: &str = "testimony_abstentions_total";
        text.family(
            NOTHING,
            Kind::Counter,
            "Answers that said that nothing is known, by route.",
        );
        for (route, counted) in &self.routes {
            let count = counted.abstained.load(Ordering::Relaxed);
            if count > 0 {
                text.sample(NOTHING, &[("route", route)], count);
            }
        }
        self.of_gateway(text);
        self.durations(text);
    }

    fn of_gateway(&self, text: &mut Text) {
        const STREAMS: &str = "testimony_gateway_streams";
        text.family(
            STREAMS,
            Kind::Gauge,
            "Streams of models that are passed on.",
        );
        text.sample(STREAMS, &[], self.streams.load(Ordering::Relaxed));
        const INJECTED: &str = "testimony_gateway_injected_tokens_total";
        text.family(
            INJECTED,
            Kind::Counter,
            "Tokens of memory that went to models.",
        );
        text.sample(INJECTED, &[], self.injected.load(Ordering::Relaxed));
    }

    fn durations(&self, text: &mut Text) {
        const TOOK: &str = "testimony_request_duration_seconds";
        text.family(TOOK, Kind::Histogram, "How long requests took, by route.");
        for (route, counted) in &self.routes {
            let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
            let buckets: Vec<u64> = counted.buckets.iter().map(read).collect();
            let all = buckets.iter().sum::<u64>() + read(&counted.longer);
            if all > 0 {
                let sum = Duration::from_micros(read(&counted.sum_us));
                text.histogram(TOOK, route, BUCKETS_US.into_iter().zip(buckets), all, sum);
            }
        }
    }
}

/// Tasks, where there is a runtime; without one there is no server, and somebody else asks.
fn of_runtime(text: &mut Text) {
    const TASKS: &str = "testimony_tasks";
    let Ok(runtime) = Handle::try_current() else {
        return;
    };
    text.family(
        TASKS,
        Kind::Gauge,
        "Tasks of the server, of which each connection is one.",
    );
    text.sample(TASKS, &[], runtime.metrics().num_alive_tasks() as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_counted_once_whatever_its_status_and_however_long_it_took() {
        let metrics = Metrics::default();
        let inside = metrics.enter();
        for (status, us) in [(200, 1), (200, 700), (418, 3), (503, 60_000_000)] {
            metrics.answered("recall", status, Duration::from_micros(us), status == 200);
        }
        metrics.answered("nowhere", 200, Duration::ZERO, false);
        let mut text = Text::default();
        metrics.of_requests(&mut text);
        let text = text.finish();
        for line in [
            "testimony_requests_in_flight 1",
            "testimony_requests_total{route=\"recall\",status=\"200\"} 2",
            "testimony_requests_total{route=\"recall\",status=\"0\"} 1",
            "testimony_requests_total{route=\"recall\",status=\"503\"} 1",
            "testimony_abstentions_total{route=\"recall\"} 2",
            "testimony_request_duration_seconds_bucket{route=\"recall\",le=\"0.0005\"} 2",
            "testimony_request_duration_seconds_bucket{route=\"recall\",le=\"0.001\"} 3",
            "testimony_request_duration_seconds_bucket{route=\"recall\",le=\"10\"} 3",
            "testimony_request_duration_seconds_bucket{route=\"recall\",le=\"+Inf\"} 4",
            "testimony_request_duration_seconds_sum{route=\"recall\"} 60.000704",
            "testimony_request_duration_seconds_count{route=\"recall\"} 4",
        ] {
            assert!(text.lines().any(|held| held == line), "{line}\n{text}");
        }
        assert!(!text.contains("nowhere"));
        drop(inside);
        assert_eq!(metrics.in_flight.load(Ordering::Relaxed), 0);
    }
}
