//! A browser in front of the console: somebody signs in, and every page that links lead to is looked at.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};

use crate::asking::{House, percent, with_headers};
use crate::client::Answer;

/// The password of everybody here.
pub(crate) const PASSWORD: &str = "four lamps on the long pier";
const SESSION: &str = "/api/v1/session";

/// Where looking begins.
const FIRST: [&str; 8] = [
    "/memories",
    "/review",
    "/connections",
    "/operations",
    "/people",
    "/activity",
    "/activity/audit",
    "/account",
];

/// Somebody who has signed in.
pub(crate) struct Browser {
    pub(crate) cookie: String,
    /// What a page of the service shows to whoever changes something.
    pub(crate) token: String,
}

/// Names somebody; the answer is the record.
pub(crate) fn named(house: &mut House, name: &str, role: &str) -> String {
    let person = json!({ "name": name, "role": role, "password": PASSWORD });
    let made = house.order("/api/v1/admin/people", &person);
    made["id"].as_str().unwrap_or_default().to_owned()
}

impl Browser {
    /// Signs in, with a cookie that the browser has already where one is given.
    pub(crate) fn enter(house: &mut House, name: &str, cookie: Option<&str>) -> Option<Self> {
        let answer = try_to_enter(house, name, cookie);
        let set = answer.header("set-cookie")?;
        let cookie = set.split(';').next()?.to_owned();
        let token = answer.json()["csrf_token"].as_str()?.to_owned();
        Some(Self { cookie, token })
    }

    /// A request as this browser sends it, without the token of a page.
    pub(crate) fn bare(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Content-Type", "application/json"),
        ];
        with_headers(method, path, &headers, body)
    }

    /// A request with the token of a page.
    pub(crate) fn json(&self, method: &str, path: &str, body: &Value) -> Vec<u8> {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Content-Type", "application/json"),
            ("X-CSRF-Token", self.token.as_str()),
        ];
        with_headers(method, path, &headers, &body.to_string())
    }

    /// A form of a page, with the token of the page.
    pub(crate) fn form(&self, path: &str, fields: &Value) -> Vec<u8> {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Sec-Fetch-Site", "same-origin"),
        ];
        let fields = fields.as_object().into_iter().flatten();
        let body: String = fields
            .map(|(name, value)| format!("&{name}={}", percent(value.as_str().unwrap_or_default())))
            .collect();
        let body = format!("csrf={}{body}", self.token);
        with_headers("POST", path, &headers, &body)
    }

    /// Every page that can be reached by links from these, with its path; `most` at most.
    pub(crate) fn pages(&self, house: &mut House, most: usize) -> Vec<(String, Answer)> {
        let first = FIRST.map(str::to_owned);
        let mut seen: BTreeSet<String> = first.iter().cloned().collect();
        let mut coming: VecDeque<String> = first.into();
        let mut pages = Vec::new();
        while let Some(path) = coming.pop_front().filter(|_| pages.len() < most) {
            let answer = house.ask(&self.bare("GET", &path, ""));
            for link in links(&String::from_utf8_lossy(&answer.body), "href=\"") {
                if seen.insert(link.clone()) {
                    coming.push_back(link);
                }
            }
            pages.push((path, answer));
        }
        pages
    }
}

pub(crate) fn try_to_enter(house: &mut House, name: &str, cookie: Option<&str>) -> Answer {
    let body = json!({ "name": name, "password": PASSWORD }).to_string();
    let json = ("Content-Type", "application/json");
    let headers: Vec<_> = cookie
        .map(|it| ("Cookie", it))
        .into_iter()
        .chain([json])
        .collect();
    house.ask(&with_headers("POST", SESSION, &headers, &body))
}

/// The addresses of this service that a page names in attributes of this kind, as a browser reads them.
pub(crate) fn links(page: &str, attribute: &str) -> Vec<String> {
    let places = page.split(attribute).skip(1);
    let links = places.filter_map(|rest| rest.split('"').next());
    let own = links.filter(|link| link.starts_with('/') && !link.starts_with("//"));
    own.filter(|link| !link.starts_with("/assets"))
        .map(|link| link.split('#').next().unwrap_or(link).replace("&amp;", "&"))
        .collect()
}
