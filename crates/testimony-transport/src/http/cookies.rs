//! The cookie in which a browser keeps the token of its session.

use hyper::header::{COOKIE, HeaderMap};

use crate::routes::Kept;

/// How the cookie is called and bound. No script reads it, and no other site has it sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cookies {
    /// The service is known by https: the name binds the cookie to this host, its root and TLS.
    Secure,
    /// It is not, as on a machine of one's own.
    Plain,
}

impl Cookies {
    /// The cookies of a service with this address; one behind a proxy is known by https, whatever it says of itself.
    pub(super) fn of(base: &str, behind_proxy: bool) -> Self {
        let scheme = base.split(':').next().unwrap_or_default();
        if behind_proxy || scheme.eq_ignore_ascii_case("https") {
            Self::Secure
        } else {
            Self::Plain
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-testimony_session",
            Self::Plain => "testimony_session",
        }
    }

    /// The token that a browser sends. Where two differ somebody else set one of them, so neither counts.
    pub(super) fn read(self, headers: &HeaderMap) -> Option<String> {
        let lines = headers.get_all(COOKIE).iter();
        let lines = lines.filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';'));
        let pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
        let mut tokens = pairs.filter(|(name, _)| *name == self.name());
        let (_, token) = tokens.next()?;
        tokens
            .all(|(_, other)| other == token)
            .then(|| token.to_owned())
    }

    /// What a browser is told.
    pub(super) fn write(self, session: &Kept) -> String {
        let (token, seconds) = match session {
            Kept::Token(token, life) => (token.as_str(), life.as_secs()),
            Kept::Nothing => ("", 0),
        };
        let secure = match self {
            Self::Secure => "; Secure",
            Self::Plain => "",
        };
        let name = self.name();
        format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cookies: Cookies, lines: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, line.parse().unwrap());
        }
        cookies.read(&headers)
    }

    #[test]
    fn the_cookie_of_the_service_is_found_among_others() {
        let some = Some("abc".to_owned());
        for (lines, expected) in [
            (&["testimony_session=abc"][..], &some),
            (&["a=b; testimony_session=abc ; c=d"], &some),
            (&["a=b", "testimony_session=abc"], &some),
            (&["testimony_session=abc; testimony_session=abc"], &some),
            (&["testimony_session=abc; testimony_session=evil"], &None),
            (&["__Host-testimony_session=abc"], &None),
            (&["xtestimony_session=abc"], &None),
            (&["testimony_session"], &None),
            (&[], &None),
        ] {
            assert_eq!(&read(Cookies::Plain, lines), expected, "{lines:?}");
        }
        let plain = &["testimony_session=abc"];
        assert_eq!(
            read(Cookies::of("HTTPS://memory.example", false), plain),
            None
        );
    }
}
