//! What somebody asks of the console.

/// How it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// To see.
    Get,
    /// To do.
    Post,
}

/// Whence a browser says that a request comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From a page of this service, or from nowhere.
    Here,
    /// From elsewhere.
    Elsewhere,
    /// It says nothing about it.
    Unsaid,
}

/// What somebody asks.
#[derive(Clone, Debug)]
pub struct Visit {
    /// How.
    pub method: Method,
    /// The path.
    pub path: String,
    /// What stands behind the question mark.
    pub query: Vec<(String, String)>,
    /// The fields of the form.
    pub form: Vec<(String, String)>,
    /// Whence.
    pub origin: Origin,
    /// Whether a cookie came.
    pub has_cookie: bool,
}

impl Visit {
    /// Reads what stands behind a question mark, or the body of a form.
    #[must_use]
    pub fn fields(text: &[u8]) -> Vec<(String, String)> {
        let pairs = form_urlencoded::parse(text);
        pairs
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect()
    }

    fn fields_of(&self) -> &[(String, String)] {
        match self.method {
            Method::Get => &self.query,
            Method::Post => &self.form,
        }
    }

    /// A field: of the form where something is to be done, else of the query. What is empty was not said.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut named = self.fields_of().iter().filter(|(known, _)| known == name);
        let (_, value) = named.find(|(_, value)| !value.trim().is_empty())?;
        Some(value)
    }

    /// All values of a field.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self
            .fields_of()
            .iter()
            .filter(move |(known, _)| known == name);
        named
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.trim().is_empty())
    }

    pub(crate) fn or_empty(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The address that was asked.
    pub(crate) fn address(&self) -> String {
        let fields: Vec<(&str, &str)> = self
            .query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        crate::text::link(&self.path, &fields)
    }
}
