//! The models that somebody configured, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use testimony_service::ports::health::Health;
use testimony_service::ports::models::{ChatModel, ModelError, Reranker};
use tokio::runtime::Handle;

use crate::chat::Chat;
use crate::counts::Counted;
use crate::driver::Driver;
use crate::line::Line;
use crate::relay::{Question, Relayed, relay};
use crate::rerank::Scores;
use crate::settings::{ANY_MODEL, ModelSettings, SettingsError, Speaks, check};
use crate::standing::Standing;

/// Models by name.
#[derive(Clone, Debug)]
pub struct Models {
    lines: Arc<BTreeMap<String, Arc<Line>>>,
    driver: Arc<Driver>,
}

/// A model as callers may ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// By which name.
    pub name: String,
    /// Who runs it.
    pub provider: String,
}

/// A model that was asked for: the line to it, and what it is called there.
struct Found<'m> {
    line: &'m Arc<Line>,
    there: &'m str,
}

impl Models {
    /// Models that are asked on somebody's runtime, which has to run while they are used.
    ///
    /// # Errors
    /// [`SettingsError`] with the name of the model whose settings cannot be used.
    pub fn on(
        handle: Handle,
        all: impl IntoIterator<Item = ModelSettings>,
    ) -> Result<Self, (String, SettingsError)> {
        Self::driven(Driver::on(handle), all)
    }

    /// Models that are asked on a thread of their own, for a program without a runtime.
    ///
    /// # Errors
    /// As of [`Models::on`]; also where the system gives no thread.
    pub fn on_own_thread(
        all: impl IntoIterator<Item = ModelSettings>,
    ) -> Result<Self, (String, SettingsError)> {
        let driver = Driver::own().map_err(|error| {
            let because = error.to_string();
            (String::new(), SettingsError::Client { because })
        })?;
        Self::driven(driver, all)
    }

    fn driven(
        driver: Driver,
        all: impl IntoIterator<Item = ModelSettings>,
    ) -> Result<Self, (String, SettingsError)> {
        let mut lines = BTreeMap::new();
        let mut standings: BTreeMap<String, Arc<Standing>> = BTreeMap::new();
        for settings in all {
            let name = settings.name.clone();
            let named = |wrong| (name.clone(), wrong);
            check(&settings).map_err(named)?;
            let standing = standings
                .entry(settings.provider.clone())
                .or_insert_with(|| Arc::new(Standing::new(settings.breaker)));
            let line = Line::new(settings, Arc::clone(standing)).map_err(named)?;
            let known_by =
                |held: &Arc<Line>| held.named == name || line.named == held.settings.name;
            if lines.contains_key(&name) || lines.values().any(known_by) {
                let twice = SettingsError::Twice { name: name.clone() };
                return Err((name, twice));
            }
            lines.insert(name, Arc::new(line));
        }
        Ok(Self {
            lines: Arc::new(lines),
            driver: Arc::new(driver),
        })
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The models that answer questions, as callers may ask for them: each by its name and by `provider/model`, once.
    #[must_use]
    pub fn listed(&self) -> Vec<Listed> {
        let chats = self
            .lines
            .values()
            .filter(|line| matches!(line.settings.speaks, Speaks::Chat(_)));
        let mut all: Vec<Listed> = Vec::new();
        for line in chats {
            let is_one = line.identity.model != ANY_MODEL;
            let names = [
                is_one.then(|| line.settings.name.clone()),
                Some(line.named.clone()),
            ];
            for name in names.into_iter().flatten() {
                let provider = line.identity.provider.clone();
                if all.iter().all(|listed| listed.name != name) {
                    all.push(Listed { name, provider });
                }
            }
        }
        all
    }

    /// A model by its name, by `provider/model`, or by a provider all of whose models may be asked.
    fn found<'m>(&'m self, name: &'m str) -> Option<Found<'m>> {
        let of_name = self.lines.get(name);
        let of_name = of_name.filter(|line| line.identity.model != ANY_MODEL);
        let of_route = || self.lines.values().find(|line| line.named == name);
        if let Some(line) = of_name.or_else(of_route).filter(|line| is_chat(line)) {
            let there = line.identity.model.as_str();
            return Some(Found { line, there }).filter(|found| found.there != ANY_MODEL);
        }
        let (provider, there) = name.split_once('/')?;
        let any = |line: &&Arc<Line>| {
            line.identity.provider == provider && line.identity.model == ANY_MODEL
        };
        let line = self.lines.values().filter(|line| is_chat(line)).find(any)?;
        (!there.is_empty()).then_some(Found { line, there })
    }

    /// What the provider of a model that was asked for calls it; `None` where there is no such model.
    #[must_use]
    pub fn name_there(&self, name: &str) -> Option<String> {
        self.found(name).map(|found| found.there.to_owned())
    }

    /// Sends a question on to a model, and hands its answer on while it comes. Dropping the answer, or the future of it,
    /// closes the connection to the model.
    ///
    /// # Errors
    /// [`ModelError`] where there is no answer of any status.
    pub async fn relay(&self, name: &str, question: Question) -> Result<Relayed, ModelError> {
        let line = self.found(name).map(|found| Arc::clone(found.line));
        let Some(line) = line else {
            return Err(ModelError::Refused {
                model: String::new(),
                status: 404,
                because: "no such model is configured".to_owned(),
            });
        };
        relay(line, question).await
    }

    /// A model that answers questions, as the service asks it.
    #[must_use]
    pub fn chat(&self, name: &str) -> Option<Arc<dyn ChatModel>> {
        let line = self.found(name)?.line;
        let Speaks::Chat(style) = line.settings.speaks else {
            return None;
        };
        // One that stands for all of them is none that could be asked by itself.
        (line.identity.model != ANY_MODEL).then(|| {
            let (line, driver) = (Arc::clone(line), Arc::clone(&self.driver));
            Arc::new(Chat {
                line,
                style,
                driver,
            }) as Arc<dyn ChatModel>
        })
    }

    /// A model that orders passages, as the service asks it.
    #[must_use]
    pub fn reranker(&self, name: &str) -> Option<Arc<dyn Reranker>> {
        let line = self.lines.get(name)?;
        let Speaks::Scores(dialect) = line.settings.speaks else {
            return None;
        };
        let (line, driver) = (Arc::clone(line), Arc::clone(&self.driver));
        Some(Arc::new(Scores {
            line,
            dialect,
            driver,
        }))
    }

    /// How all of them stand together, each trouble told once; nobody is asked for that.
    #[must_use]
    pub fn health(&self) -> Health {
        let mut told: Vec<String> = Vec::new();
        for line in self.lines.values() {
            let said = line.standing.health();
            let said = said
                .because()
                .map(|because| format!("{}: {because}", line.identity.provider));
            told.extend(said.filter(|said| !told.contains(said)));
        }
        if told.is_empty() {
            Health::Healthy
        } else {
            Health::degraded(told.join("; "))
        }
    }

    /// What was counted of each, by name.
    #[must_use]
    pub fn counted(&self) -> Vec<(String, Counted)> {
        let all = self.lines.iter();
        all.map(|(name, line)| (name.clone(), line.counts.read()))
            .collect()
    }
}

fn is_chat(line: &Arc<Line>) -> bool {
    matches!(line.settings.speaks, Speaks::Chat(_))
}
