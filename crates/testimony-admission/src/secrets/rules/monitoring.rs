//! Monitoring, logging, analytics and incident response.

use crate::secrets::rule::{Rule, shape};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    shape("grafana_cloud", "Grafana", &["glc_"], 3.0, r"(?-i:glc_)[A-Za-z0-9+/]{32,400}={0,3}"),
    shape("grafana_service", "Grafana", &["glsa_"], 2.8, r"glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    shape("grafana_legacy", "Grafana", &["eyjrijoi"], 3.0, r"eyJrIjoi[A-Za-z0-9+/]{56,400}={0,3}"),
    shape("new_relic_user", "New Relic", &["nrak-"], 2.8, r"NRAK-[A-Za-z0-9]{27}"),
    shape("new_relic_browser", "New Relic", &["nrjs-"], 2.5, r"NRJS-[0-9a-fA-F]{19,20}"),
    shape("new_relic_insert", "New Relic", &["nrii-", "nriq-", "nraa-", "nrsp-", "nrra-"], 2.8, r"NR(?:II|IQ|AA|SP|RA)-[A-Za-z0-9_-]{25,42}"),
    shape("new_relic_license", "New Relic", &["nral"], 2.8, r"[0-9a-f]{36}(?:FFFF)?NRAL"),
    shape("datadog_named", "Datadog", &["datadog", "dd_api_key", "dd_app_key", "dd_application_key", "dd-api-key", "dd-application-key"], 2.8, r#"(?i)(?:datadog[A-Z0-9_ -]{0,24}|dd[_-](?:api|app|application)[_-]key)["'\s]{0,3}[:=]{1,3}[\s"']{0,3}([0-9a-f]{32,40})"#),
    shape("sentry_user", "Sentry", &["sntryu_"], 2.8, r"sntryu_[0-9a-f]{64}"),
    shape("sentry_org", "Sentry", &["sntrys_"], 3.5, r"sntrys_eyJ[A-Za-z0-9+/=_-]{80,400}"),
    shape("sentry_dsn_secret", "Sentry", &["sentry"], 2.8, r"https?://([0-9a-f]{32}:[0-9a-f]{32})@[A-Za-z0-9.-]{0,60}sentry"),
    shape("dynatrace", "Dynatrace", &["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."], 3.0, r"dt0[a-z]\d{2}\.[A-Za-z0-9-]{8,24}\.[A-Za-z0-9]{64}"),
    shape("honeycomb_ingest", "Honeycomb", &["hcaik_", "hcalk_", "hcxik_", "hcamk_"], 3.0, r"hc[abx][ilm]k_[a-z0-9]{26,64}"),
    shape("posthog", "PostHog", &["phx_", "phs_", "phc_"], 3.0, r"ph[xs]_[A-Za-z0-9_-]{40,52}"),
    shape("sumologic_access_id", "Sumo Logic", &["sumo"], 2.5, r#"(?i:\bsumo(?:_?logic)?)(?i:[_. -]?(?:access|api|token|key|secret|id|client)){1,3}["'\s]{0,3}[:=>,]{1,3}[\s"'`]{0,3}(su[A-Z0-9a-z]{12})"#),
    shape("logzio", "Logz.io", &["logz"], 2.5, r"(?i)logz[A-Z0-9_. -]{0,24}[\x22'\s]{0,3}[:=]{1,3}[\s\x22']{0,3}([0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}|[A-Za-z]{32})"),
    shape("pagerduty_api", "PagerDuty", &["pagerduty", "pd_token", "u+"], 3.0, r"u\+[A-Za-z0-9_+-]{18}"),
    shape("beamer", "Beamer", &["b_"], 3.3, r"(?-i:b)_[A-Za-z0-9=_-]{44,46}"),
    shape("axiom", "Axiom", &["xaat-", "xapt-"], 2.5, r"xa[ap]t-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    shape("better_stack_uptime", "Better Stack", &["betterstack", "logtail"], 3.0, r#"(?i)(?:betterstack|logtail)[A-Za-z0-9_ -]{0,24}["'\s]{0,3}[:=][\s"']{0,3}([A-Za-z0-9]{24})"#),
    shape("maxmind", "MaxMind", &["_mmk"], 2.5, r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    shape("loggly_named", "Loggly", &["loggly.com/"], 2.5, r"loggly\.com/(?:inputs|bulk)/([0-9a-f-]{36})"),
    shape("mixpanel_secret", "Mixpanel", &["mixpanel"], 2.8, r#"(?i)mixpanel[A-Za-z0-9_ -]{0,24}(?:secret|token)["'\s:=]{1,4}([0-9a-f]{32})"#),
    shape("amplitude_named", "Amplitude", &["amplitude"], 2.8, r#"(?i)amplitude[A-Za-z0-9_ -]{0,24}(?:secret|key)["'\s:=]{1,4}([0-9a-f]{32})"#),
    shape("segment_public_api", "Segment", &["sgp_", "segment"], 3.5, r"(?:sgp_[A-Za-z0-9]{64}|[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43})"),
    shape("rollbar_named", "Rollbar", &["rollbar"], 2.8, r#"(?i)rollbar[A-Za-z0-9_ -]{0,24}token["'\s:=]{1,4}([0-9a-f]{32})"#),
    shape("opsgenie_named", "Opsgenie", &["opsgenie"], 2.5, r"(?i)opsgenie[A-Z0-9_ -]{0,24}[\x22'\s:=]{1,4}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    shape("nightfall", "Nightfall", &["nf-"], 3.0, r"NF-[A-Za-z0-9]{32}"),
    shape("stackhawk", "StackHawk", &["hawk."], 3.0, r"hawk\.[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}"),
];
