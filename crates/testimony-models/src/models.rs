//! The models that somebody configured, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use testimony_service::ports::health::Health;
use testimony_service::ports::models::{ChatModel, ModelError, ModelIdentity, Reranker};
use tokio::runtime::Handle;

use crate::chat::Chat;
use crate::counts::Counted;
use crate::driver::Driver;
use crate::line::Line;
use crate::relay::{Question, Relayed, Unanswered, relay};
use crate::rerank::Scores;
use crate::settings::{ANY_MODEL, ModelSettings, SettingsError, Speaks, check};
use crate::standing::Standing;

/// Models by name.
#[derive(Clone, Debug)]
pub struct Models {
    held: Arc<BTreeMap<String, Held>>,
    driver: Arc<Driver>,
}

/// A model: the line to it, and what it answers.
#[derive(Debug)]
struct Held {
    line: Arc<Line>,
    speaks: Speaks,
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
    held: &'m Held,
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
        let mut all_held: BTreeMap<String, Held> = BTreeMap::new();
        let mut standings: BTreeMap<String, Arc<Standing>> = BTreeMap::new();
        for settings in all {
            let name = settings.name.clone();
            let named = |wrong| (name.clone(), wrong);
            check(&settings).map_err(named)?;
            let standing = standings
                .entry(settings.provider.clone())
                .or_insert_with(|| Arc::new(Standing::new(settings.breaker)));
            let identity = ModelIdentity {
                provider: settings.provider.clone(),
                model: settings.model.clone(),
            };
            let line = Line::new(identity, settings.way(), Arc::clone(standing)).map_err(named)?;
            let known_by = |(known, held): (&String, &Held)| {
                *known == name || held.line.named == name || line.named == *known
            };
            if all_held.iter().any(known_by) {
                let twice = SettingsError::Twice { name: name.clone() };
                return Err((name, twice));
            }
            let held = Held {
                line: Arc::new(line),
                speaks: settings.speaks,
            };
            all_held.insert(name, held);
        }
        Ok(Self {
            held: Arc::new(all_held),
            driver: Arc::new(driver),
        })
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The models that answer questions, as callers may ask for them: each by its name and by `provider/model`, once.
    #[must_use]
    pub fn listed(&self) -> Vec<Listed> {
        let chats = self.held.iter().filter(|(_, held)| held.is_chat());
        let mut all: Vec<Listed> = Vec::new();
        for (name, Held { line, .. }) in chats {
            let is_one = line.identity.model != ANY_MODEL;
            let names = [is_one.then(|| name.clone()), Some(line.named.clone())];
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
        let of_name = self.held.get(name);
        let of_name = of_name.filter(|held| held.line.identity.model != ANY_MODEL);
        let of_route = || self.held.values().find(|held| held.line.named == name);
        if let Some(held) = of_name.or_else(of_route).filter(|held| held.is_chat()) {
            let there = held.line.identity.model.as_str();
            return Some(Found { held, there }).filter(|found| found.there != ANY_MODEL);
        }
        let (provider, there) = name.split_once('/')?;
        let any = |held: &&Held| {
            let identity = &held.line.identity;
            identity.provider == provider && identity.model == ANY_MODEL
        };
        let held = self.held.values().filter(|held| held.is_chat()).find(any)?;
        (!there.is_empty()).then_some(Found { held, there })
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
    pub async fn relay(&self, name: &str, question: Question) -> Result<Relayed, Unanswered> {
        let line = self.found(name).map(|found| Arc::clone(&found.held.line));
        let Some(line) = line else {
            return Err(Unanswered::from(ModelError::Refused {
                model: String::new(),
                status: 404,
                because: "no such model is configured".to_owned(),
            }));
        };
        relay(line, question).await
    }

    /// A model that answers questions, as the service asks it.
    #[must_use]
    pub fn chat(&self, name: &str) -> Option<Arc<dyn ChatModel>> {
        let Held { line, speaks } = self.found(name)?.held;
        let Speaks::Chat(style) = *speaks else {
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
        let Held { line, speaks } = self.held.get(name)?;
        let Speaks::Scores(dialect) = *speaks else {
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
        for Held { line, .. } in self.held.values() {
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
        let all = self.held.iter();
        all.map(|(name, held)| (name.clone(), held.line.counts.read()))
            .collect()
    }
}

impl Held {
    const fn is_chat(&self) -> bool {
        matches!(self.speaks, Speaks::Chat(_))
    }
}
