//! Pages of the console, asked as a browser asks them and without any script.

mod changes;
mod coming_in;
mod pages;
mod stored;
mod telling;
mod waiting;

use testimony_console::POLICY;

use crate::accounts::people::named;
use crate::support::{Harness, Sent};

pub(super) const PASSWORD: &str = "four lamps on the pier";

/// A page as it came.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) status: u16,
    head: String,
    pub(super) text: String,
}

impl Page {
    fn read(bytes: &[u8]) -> Self {
        let whole = String::from_utf8_lossy(bytes);
        let (head, text) = whole.split_once("\r\n\r\n").unwrap_or((&whole, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Self {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            text: text.to_owned(),
        }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut named = lines.filter(|(known, _)| known.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value)
    }

    /// The status, with what holds of every page.
    #[track_caller]
    pub(super) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.text);
        assert_eq!(self.header("content-security-policy"), Some(POLICY));
        assert_eq!(self.header("x-content-type-options"), Some("nosniff"));
        assert!(
            !self.text.contains("style=\""),
            "a style stands in the page"
        );
        assert!(
            !self.text.contains("<script>"),
            "a script stands in the page"
        );
        self
    }

    #[track_caller]
    pub(super) fn says(&self, words: &str) -> &Self {
        assert!(self.text.contains(words), "no {words:?} in\n{}", self.text);
        self
    }

    /// What stands in the first field of this name.
    pub(super) fn field(&self, name: &str) -> String {
        let mark = format!("name=\"{name}\" value=\"");
        let (_, rest) = self.text.split_once(&mark).unwrap();
        rest.split('"').next().unwrap().to_owned()
    }
}

/// A browser that keeps its cookie.
pub(super) struct Browser<'h> {
    pub(super) harness: &'h Harness,
    pub(super) cookie: String,
    pub(super) token: String,
}

pub(super) fn visit(harness: &Harness, sent: &Sent) -> Page {
    Page::read(&harness.raw(&sent.bytes()))
}

/// A form as a browser sends it.
pub(super) fn form(path: &str, fields: &[(&str, &str)]) -> Sent {
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    let body = body.finish();
    Sent::post(path)
        .header("Origin", "http://localhost")
        .body("application/x-www-form-urlencoded", body.as_bytes())
}

impl<'h> Browser<'h> {
    /// Somebody of this role signs in.
    pub(super) fn of(harness: &'h Harness, name: &str, role: &str) -> Self {
        named(harness, name, role);
        let fields = [("name", name), ("password", PASSWORD)];
        let came = visit(harness, &form("/login", &fields)).expect(303);
        let cookie = came.header("set-cookie").unwrap();
        let mut browser = Self {
            harness,
            cookie: cookie.split(';').next().unwrap().to_owned(),
            token: String::new(),
        };
        browser.token = browser.get("/account").expect(200).field("csrf");
        browser
    }

    pub(super) fn get(&self, path: &str) -> Page {
        visit(
            self.harness,
            &Sent::new("GET", path).header("Cookie", &self.cookie),
        )
    }

    /// Sends a form with the token of the session.
    pub(super) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let mut fields = fields.to_vec();
        fields.push(("csrf", &self.token));
        self.bare_post(path, &fields)
    }

    /// Sends a form as it is.
    pub(super) fn bare_post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let sent = form(path, fields).header("Cookie", &self.cookie);
        visit(self.harness, &sent)
    }

    /// Sends a form and follows where it leads.
    pub(super) fn does(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let done = self.post(path, fields).expect(303);
        self.get(done.header("location").unwrap())
    }
}
