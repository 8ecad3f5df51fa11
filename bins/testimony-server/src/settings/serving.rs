//! The settings of a server, as the parts of it take them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use testimony::upkeep::Retention;
use testimony_transport::http::{Limits, Options, TlsFiles};

use tracing_subscriber::filter::{LevelFilter, Targets};

use super::{SettingError, Settings};
use crate::log::{Filter, Format};

/// How often it is looked whether the certificate changed.
const CERTIFICATE_LOOKED_AT: Duration = Duration::from_secs(30);
const DAY_SECONDS: u64 = 24 * 60 * 60;
const WHOLE: &str = "a whole number";

impl Settings {
    /// Where to listen.
    pub(crate) fn listen(&self) -> Result<SocketAddr, SettingError> {
        let wanted = "an address with a port, such as 127.0.0.1:8420 or [::1]:8420";
        let said = self.read("listen", wanted)?;
        Ok(said.unwrap_or_else(|| Options::default().listen))
    }

    /// Where what is counted is told to anybody.
    pub(crate) fn metrics_listen(&self) -> Result<Option<SocketAddr>, SettingError> {
        self.read(
            "metrics_listen",
            "an address with a port, such as 127.0.0.1:9420",
        )
    }

    /// What is logged.
    pub(crate) fn log(&self) -> Result<Targets, SettingError> {
        let wanted = "a level (error, warn, info, debug, trace, off), also by part, such as info,testimony_storage=debug";
        let said = self.read::<Filter>("log", wanted)?;
        let usual = || Targets::new().with_default(LevelFilter::INFO);
        Ok(said.map_or_else(usual, |said| said.0))
    }

    /// How it is logged.
    pub(crate) fn log_format(&self) -> Result<Format, SettingError> {
        Ok(self
            .read("log_format", "auto, text or json")?
            .unwrap_or(Format::Auto))
    }

    /// Other hosts that are served.
    pub(crate) fn allowed_hosts(&self) -> Result<Vec<String>, SettingError> {
        let hosts = self.find("allowed_hosts").unwrap_or_default().split(',');
        let hosts = hosts.map(str::trim).filter(|host| !host.is_empty());
        let hosts: Vec<String> = hosts.map(str::to_owned).collect();
        let is_host = |host: &String| !host.contains(|c: char| c.is_whitespace() || c == '/');
        if hosts.iter().all(is_host) {
            return Ok(hosts);
        }
        let (name, wanted) = (
            "allowed_hosts",
            "names of hosts with commas between, without blanks or slashes",
        );
        let from = self.held(name).map(|held| held.origin.told(held.setting));
        Err(SettingError::Wrong {
            name,
            from: from.unwrap_or_default(),
            wanted,
        })
    }

    /// Certificate and key, where both are named.
    pub(crate) fn tls(&self) -> Result<Option<TlsFiles>, SettingError> {
        let file = |name: &str| self.find(name).map(PathBuf::from);
        match (file("tls_certificate"), file("tls_key")) {
            (Some(certificates), Some(key)) => Ok(Some(TlsFiles {
                certificates,
                key,
                look_every: CERTIFICATE_LOOKED_AT,
            })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(self.one_without_the_other("tls_key")),
            (None, Some(_)) => Err(self.one_without_the_other("tls_certificate")),
        }
    }

    fn one_without_the_other(&self, name: &'static str) -> SettingError {
        let (certificate, key) = ("tls_certificate", "tls_key");
        let other = if name == key { certificate } else { key };
        let from = self.held(other).map(|held| held.origin.told(held.setting));
        SettingError::Alone {
            name: other,
            from: from.unwrap_or_default(),
            missing: name,
        }
    }

    /// What the server takes.
    pub(crate) fn limits(&self) -> Result<Limits, SettingError> {
        let usual = Limits::default();
        let body_bytes = self.at_least_one("body_bytes")?.unwrap_or(usual.body_bytes);
        Ok(Limits {
            connections: self
                .at_least_one("connections")?
                .unwrap_or(usual.connections),
            at_once: self.at_least_one("at_once")?.unwrap_or(usual.at_once),
            share: self.percent("share")?.unwrap_or(usual.share),
            body_bytes,
            relays: self.at_least_one("relays")?.unwrap_or(usual.relays),
            // One body always finds room.
            bodies_bytes: usual.bodies_bytes.max(body_bytes),
            request_time: self
                .seconds("request_seconds")?
                .unwrap_or(usual.request_time),
            drain_time: self.seconds("drain_seconds")?.unwrap_or(usual.drain_time),
            ..usual
        })
    }

    /// For how long what is kept.
    pub(crate) fn retention(&self) -> Result<Retention, SettingError> {
        let usual = Retention::default();
        Ok(Retention {
            receipts: self.days("keep_receipts_days")?.unwrap_or(usual.receipts),
            handed_out: self
                .days("keep_handed_out_days")?
                .unwrap_or(usual.handed_out),
            reads: self.days("keep_reads_days")?.unwrap_or(usual.reads),
            done_jobs: self.days("keep_jobs_days")?.unwrap_or(usual.done_jobs),
        })
    }

    /// A share of something.
    fn percent(&self, name: &'static str) -> Result<Option<u8>, SettingError> {
        let wanted = "a whole number from 1 to 100";
        let read = self.read::<u8>(name, wanted)?;
        if read.is_none_or(|percent| (1..=100).contains(&percent)) {
            return Ok(read);
        }
        let from = self.held(name).map(|held| held.origin.told(held.setting));
        Err(SettingError::Wrong {
            name,
            from: from.unwrap_or_default(),
            wanted,
        })
    }

    fn at_least_one<T>(&self, name: &'static str) -> Result<Option<T>, SettingError>
    where
        T: FromStr + Default + PartialEq,
    {
        let wanted = "a whole number that is not 0";
        let read = self.read::<T>(name, WHOLE)?;
        if read.as_ref() == Some(&T::default()) {
            let from = self.held(name).map(|held| held.origin.told(held.setting));
            return Err(SettingError::Wrong {
                name,
                from: from.unwrap_or_default(),
                wanted,
            });
        }
        Ok(read)
    }

    fn seconds(&self, name: &'static str) -> Result<Option<Duration>, SettingError> {
        Ok(self.at_least_one(name)?.map(Duration::from_secs))
    }

    fn days(&self, name: &'static str) -> Result<Option<Duration>, SettingError> {
        let days: Option<u32> = self.read(name, "a whole number of days, from 0 to 4294967295")?;
        Ok(days.map(|days| Duration::from_secs(u64::from(days) * DAY_SECONDS)))
    }
}
