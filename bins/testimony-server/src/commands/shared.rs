//! What several commands take alike.

use clap::Args;

use crate::door::Ask;

/// The labels of rows.
#[derive(Args, Debug, Default)]
pub(crate) struct LabelArguments {
    /// The person that it is about or for; rows of a person are found only with the same name.
    #[arg(long, value_name = "USER", help_heading = "Labels")]
    user: Option<String>,

    /// The application label.
    #[arg(long, value_name = "APP", help_heading = "Labels")]
    app: Option<String>,

    /// The organisation.
    #[arg(long, value_name = "ORG", help_heading = "Labels")]
    org: Option<String>,

    /// The run or session.
    #[arg(long, value_name = "RUN", help_heading = "Labels")]
    run: Option<String>,
}

impl LabelArguments {
    pub(crate) fn on(&self, ask: Ask) -> Ask {
        ask.with("user_id", self.user.clone())
            .with("app_id", self.app.clone())
            .with("org_id", self.org.clone())
            .with("run_id", self.run.clone())
    }
}
