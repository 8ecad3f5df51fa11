//! Every setting there is, once: flags, variables, the file and `serve --print-config` are all read off this table.

/// To which commands a setting belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Every command: how the memory is reached.
    Reach,
    /// Commands in one container.
    Room,
    /// `testimony serve`.
    Serving,
}

/// What a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A text, called so in the help.
    One(&'static str),
    /// Texts with commas between them, or a list in the file.
    Many(&'static str),
    /// `true` or `false`; its name alone is `true`.
    Switch,
    /// A text that is never shown.
    Secret(&'static str),
}

/// A setting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Its name in the file; the flag has hyphens, and the variable is in capitals behind `TESTIMONY_`.
    pub(crate) name: &'static str,
    /// What it takes.
    pub(crate) takes: Takes,
    /// What holds where nobody says anything; empty for nothing.
    pub(crate) default: &'static str,
    /// To which commands it belongs.
    pub(crate) group: Group,
    /// What it does, in one sentence.
    pub(crate) help: &'static str,
}

impl Setting {
    const fn new(
        group: Group,
        name: &'static str,
        takes: Takes,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self {
            name,
            takes,
            default,
            group,
            help,
        }
    }

    /// Its flag, without the hyphens before it.
    pub(crate) fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Its environment variable.
    pub(crate) fn variable(&self) -> String {
        format!("TESTIMONY_{}", self.name.to_ascii_uppercase())
    }
}

use Group::{Reach, Room, Serving};
use Takes::{Many, One, Secret, Switch};

/// The settings.
#[rustfmt::skip]
pub(crate) const SETTINGS: &[Setting] = &[
    Setting::new(Reach, "data", One("DIR"), "testimony-data", "The folder of the memory"),
    Setting::new(Reach, "config", One("FILE"), "", "A file of settings in TOML; without it `testimony.toml` in the folder of the memory is read, if it is there"),
    Setting::new(Reach, "url", One("URL"), "", "Ask the service at this address, with a key, instead of the folder"),
    Setting::new(Reach, "key", Secret("KEY"), "", "The key for --url, of an operator or an agent; in the variable nobody else on the machine sees it"),
    Setting::new(Room, "container", One("TAG"), "workspace", "The container"),
    Setting::new(Serving, "listen", One("ADDRESS"), "127.0.0.1:8420", "Where to listen"),
    Setting::new(Serving, "public_url", One("URL"), "", "The address under which callers know the service; its host is served"),
    Setting::new(Serving, "allowed_hosts", Many("HOSTS"), "", "Other hosts that are served, with commas between"),
    Setting::new(Serving, "tls_certificate", One("FILE"), "", "A certificate in PEM; it is read again when it changes"),
    Setting::new(Serving, "tls_key", One("FILE"), "", "Its private key in PEM"),
    Setting::new(Serving, "issuers", One("FILE"), "", "Issuers whose tokens (JWT) are believed, in JSON; keys lie in files beside it"),
    Setting::new(Serving, "behind_proxy", Switch, "false", "Listen in the open without TLS, because a proxy before this server does it"),
    Setting::new(Serving, "admin_socket", Switch, "true", "Listen at `admin.sock` in the folder of the memory too, for commands of whoever owns it"),
    Setting::new(Serving, "metrics_listen", One("ADDRESS"), "", "Tell what is counted to anybody at this address; without it only operators are told, at /metrics"),
    Setting::new(Serving, "log", One("FILTER"), "info", "What is logged: error, warn, info, debug or trace, also by part, such as info,testimony_storage=debug"),
    Setting::new(Serving, "log_format", One("FORMAT"), "auto", "How it is logged: text, json, or auto for text on a terminal and JSON elsewhere"),
    Setting::new(Serving, "connections", One("COUNT"), "1024", "How many connections at a time; one more waits"),
    Setting::new(Serving, "at_once", One("COUNT"), "256", "How many requests are worked on at a time; one more is asked to come again"),
    Setting::new(Serving, "share", One("PERCENT"), "50", "How much of the room for requests, and of that for answers of models, one credential has at most"),
    Setting::new(Serving, "body_bytes", One("BYTES"), "25165824", "How many bytes the body of a request may have"),
    Setting::new(Serving, "relays", One("COUNT"), "512", "How many answers of models the gateway passes on at a time; one more is asked to come again"),
    Setting::new(Serving, "synthesis", One("MODEL"), "", "The model that phrases replies, by its name under [models.NAME] in the file of settings"),
    Setting::new(Serving, "judge", One("MODEL"), "", "The model whose opinion of a case is joined to the verdict"),
    Setting::new(Serving, "extraction", One("MODEL"), "", "The model that draws statements out of texts"),
    Setting::new(Serving, "rewriting", One("MODEL"), "", "The model that puts questions into other words"),
    Setting::new(Serving, "reranking", One("MODEL"), "", "The model that orders results anew"),
    Setting::new(Serving, "embedder", One("EMBEDDER"), "", "The embedder that is wanted, by its name under [embedders.NAME] in the file of settings; without it the table in the program"),
    Setting::new(Serving, "request_seconds", One("SECONDS"), "120", "How long a request may take"),
    Setting::new(Serving, "drain_seconds", One("SECONDS"), "8", "How long requests that run are waited for when the server stops"),
    Setting::new(Serving, "keep_receipts_days", One("DAYS"), "7", "For how long the same write sent again is carried out once"),
    Setting::new(Serving, "keep_handed_out_days", One("DAYS"), "7", "For how long an echo of what was handed out is known"),
    Setting::new(Serving, "keep_reads_days", One("DAYS"), "90", "For how long the trail has a row for every request that read; statistics by the hour stay"),
    Setting::new(Serving, "keep_jobs_days", One("DAYS"), "7", "For how long jobs that are done are listed"),
];

#[cfg(test)]
mod tests {
    use testimony::upkeep::Retention;
    use testimony_transport::http::{Limits, Options};

    use super::*;

    fn default(name: &str) -> &'static str {
        SETTINGS.iter().find(|it| it.name == name).unwrap().default
    }

    #[test]
    fn names_are_plain_and_no_two_are_alike() {
        for (at, setting) in SETTINGS.iter().enumerate() {
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
            assert!(setting.name.bytes().all(plain), "{}", setting.name);
            assert!(SETTINGS[..at].iter().all(|it| it.name != setting.name));
        }
    }

    #[test]
    fn what_holds_where_nobody_says_anything_is_what_the_parts_themselves_hold() {
        let (limits, options) = (Limits::default(), Options::default());
        let retention = Retention::default();
        let days = |of: std::time::Duration| of.as_secs() / (24 * 60 * 60);
        for (name, usual) in [
            ("listen", options.listen.to_string()),
            ("connections", limits.connections.to_string()),
            ("at_once", limits.at_once.to_string()),
            ("share", limits.share.to_string()),
            ("body_bytes", limits.body_bytes.to_string()),
            ("relays", limits.relays.to_string()),
            ("request_seconds", limits.request_time.as_secs().to_string()),
            ("drain_seconds", limits.drain_time.as_secs().to_string()),
            ("keep_receipts_days", days(retention.receipts).to_string()),
            (
                "keep_handed_out_days",
                days(retention.handed_out).to_string(),
            ),
            ("keep_reads_days", days(retention.reads).to_string()),
            ("keep_jobs_days", days(retention.done_jobs).to_string()),
        ] {
            assert_eq!(default(name), usual, "{name}");
        }
    }
}
