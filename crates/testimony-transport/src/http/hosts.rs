//! Which hosts are served: a page that was made to look local must not reach the service through a name of its own.

use std::net::{IpAddr, SocketAddr};

use hyper::Uri;

/// The hosts that are served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// Every host.
    Any,
    /// These, without ports and in lower case.
    Listed(Vec<String>),
}

/// An address that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`public_url` is no address of a service; write it like https://memory.example.com")]
pub struct NoUrl;

impl Hosts {
    /// The hosts of a server.
    ///
    /// # Errors
    /// [`NoUrl`] when `public_url` is none.
    pub fn of(
        listen: SocketAddr,
        public_url: Option<&str>,
        allowed: &[String],
    ) -> Result<Self, NoUrl> {
        let public = public_url.map(host_of_url).transpose()?;
        if public.is_none() && allowed.is_empty() && listen.ip().is_unspecified() {
            return Ok(Self::Any);
        }
        let always = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let here = Some(listen.ip()).filter(|ip| !ip.is_unspecified());
        let here = here.as_ref().map(IpAddr::to_string);
        let more = allowed.iter().map(|host| bare(host));
        Ok(Self::Listed(
            always
                .into_iter()
                .chain(here)
                .chain(public)
                .chain(more)
                .collect(),
        ))
    }

    /// Whether a page of this origin may ask, in a request to this host: a page of the service itself, by any name that
    /// it is known by. Where every host is served, only the one that was asked is.
    #[must_use]
    pub fn allow_origin(&self, origin: &str, host: Option<&str>) -> bool {
        let Ok(of_page) = host_of_url(origin) else {
            return false;
        };
        match self {
            Self::Any => host.is_some_and(|host| bare(host) == of_page),
            Self::Listed(hosts) => hosts.contains(&of_page),
        }
    }

    /// Whether a request to this host, as its header has it, is served.
    #[must_use]
    pub fn serve(&self, host: Option<&str>) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(hosts) => host.is_some_and(|host| hosts.contains(&bare(host))),
        }
    }
}

fn host_of_url(url: &str) -> Result<String, NoUrl> {
    let uri: Uri = url.parse().map_err(|_| NoUrl)?;
    let known = matches!(uri.scheme_str(), Some("http" | "https"));
    let host = uri.host().filter(|host| known && !host.is_empty());
    host.map(bare).ok_or(NoUrl)
}

/// A host without its port, in lower case; an address of IPv6 without its brackets.
fn bare(host: &str) -> String {
    let host = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, behind)) if behind.is_empty() || behind.starts_with(':') => address,
            // What else stands there is part of a name that is none.
            _ => host,
        },
        None if host.matches(':').count() == 1 => host.split(':').next().unwrap_or_default(),
        None => host,
    };
    host.trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(listen: &str, url: Option<&str>, allowed: &[&str]) -> Hosts {
        let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        Hosts::of(listen.parse().unwrap(), url, &allowed).unwrap()
    }

    #[test]
    fn only_names_of_the_service_are_served() {
        let public = Some("https://Memory.example.com:8443/base");
        let hosts = at("127.0.0.1:8420", public, &["other.test"]);
        for host in [
            "localhost:8420",
            "127.0.0.1",
            "[::1]:8420",
            "memory.example.com",
            "MEMORY.example.com.:443",
            "other.test",
        ] {
            assert!(hosts.serve(Some(host)), "{host}");
        }
        for host in [
            "evil.test",
            "",
            "localhost.evil.test",
            "[::1].evil.test",
            "xmemory.example.com",
        ] {
            assert!(!hosts.serve(Some(host)), "{host}");
        }
        assert!(!hosts.serve(None));
    }

    #[test]
    fn only_pages_of_the_service_may_ask() {
        let listed = at("127.0.0.1:8420", Some("https://memory.example.com"), &[]);
        for (origin, allowed) in [
            ("https://memory.example.com", true),
            ("http://localhost:5173", true),
            ("http://[::1]:8420", true),
            ("https://evil.test", false),
            ("https://memory.example.com.evil.test", false),
            ("null", false),
            ("", false),
            ("vscode-webview://memory.example.com", false),
        ] {
            assert_eq!(
                listed.allow_origin(origin, Some("localhost")),
                allowed,
                "{origin}"
            );
        }
        let any = at("0.0.0.0:1", None, &[]);
        assert!(any.allow_origin("http://box.lan:1", Some("box.lan:1")));
        assert!(!any.allow_origin("http://evil.test", Some("box.lan:1")));
        assert!(!any.allow_origin("http://evil.test", None));
    }

    #[test]
    fn a_server_that_listens_everywhere_and_was_told_no_name_serves_every_host() {
        assert_eq!(at("0.0.0.0:1", None, &[]), Hosts::Any);
        assert!(!at("0.0.0.0:1", Some("http://a.test"), &[]).serve(Some("b.test")));
        assert!(at("192.0.2.7:1", None, &[]).serve(Some("192.0.2.7:1")));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for url in ["", "memory.example.com", "ftp://a.test", "/x", "https://"] {
            let listen = "127.0.0.1:1".parse().unwrap();
            assert_eq!(Hosts::of(listen, Some(url), &[]), Err(NoUrl), "{url}");
        }
    }
}
