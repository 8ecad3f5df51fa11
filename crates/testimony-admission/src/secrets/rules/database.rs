//! Databases and everything that a password in a connection string opens.

use crate::secrets::rule::{Check, Rule, shape};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    shape("connection_string", "databases", &["://"], 0.0, r"(?i)(?P<cut>(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?|mssql|sqlserver|oracle|cockroachdb|clickhouse|couchbases?|couchdb|neo4j(?:\+s(?:sc)?)?|bolt(?:\+s(?:sc)?)?|influxdb|nats|kafka|memcached|vertica|snowflake|db2|firebird|cassandra|elasticsearch|opensearch|ldaps?|smtps?|imaps?|ftps?|sftp|ssh|mqtts?|valkey|libsql|jdbc:[a-z0-9]{2,16})(?:\+[a-z0-9]{2,16})?://[^\s:/@\x22'<>`]{0,100}:(?P<v>[^\s@/\x22'<>`][^\s/\x22'<>`]{2,150})@[^\s\x22'<>`,;)]{2,200})").with(Check::Chosen).needing(b'@'),
    shape("basic_auth_url", "HTTP", &["://"], 0.0, r"(?i)(?:https?|wss?|git(?:\+https?)?|svn)://[^\s:/@\x22'<>`?#]{0,100}:([^\s@/\x22'<>`?#]{3,250})@[A-Za-z0-9.\[-]{2,200}").with(Check::Chosen).needing(b'@'),
    shape("user_token_url", "HTTP", &["://"], 3.2, r"(?i)https?://([A-Za-z0-9_-]{20,120})@[A-Za-z0-9.-]{3,100}").with(Check::LettersAndDigits).needing(b'@'),
    shape("odbc_password", "databases", &["pwd", "password"], 0.0, r#"(?i)(?:data source|server|host|driver|initial catalog|database|user id|uid|dsn|provider)\s{0,3}=[^\n]{0,240}?(?:password|pwd)\s{0,3}=\s{0,3}["']?([^\s;"'{}<>$%#][^;"'\s{}<>]{2,100})"#).with(Check::Chosen),
    shape("odbc_password_first", "databases", &["pwd", "password"], 0.0, r#"(?i)(?:password|pwd)=([^\s;"'{}<>$%#][^;"'\s{}<>]{2,100});[^\n]{0,160}(?:server|host|data source|database|user id|uid)\s{0,3}="#).with(Check::Chosen),
    shape("jdbc_password", "databases", &["jdbc:"], 0.0, r"(?i)jdbc:[a-z0-9]+:[^\s\x22']{1,200}?[?;&:/]password=([^\s&;\x22'${<>]{3,100})").with(Check::Chosen),
    shape("jdbc_oracle_thin", "Oracle", &["jdbc:oracle:thin:"], 0.0, r"jdbc:oracle:thin:[A-Za-z0-9_]{1,40}/([^\s@\x22']{3,60})@").with(Check::Chosen),
    shape("mongo_service_account", "MongoDB", &["mdb_sa_sk_", "mdb_sa_id_"], 3.0, r"mdb_sa_(?:sk|id)_[A-Za-z0-9_-]{24,44}"),
    shape("databricks", "Databricks", &["dapi"], 2.8, r"dapi[0-9a-f]{32}(?:-\d)?"),
    shape("databricks_secret", "Databricks", &["dose"], 2.8, r"dose[0-9a-f]{32}"),
    shape("redis_cloud", "Redis", &["redis_password", "redis-cli"], 1.5, r"redis-cli\s[^\n]{0,80}?-a\s+([^\s'\x22$<{]{6,80})").with(Check::Chosen),
    shape("turso_key", "Turso", &["libsql://"], 3.0, r"authToken=([A-Za-z0-9._-]{40,})"),
    shape("clickhouse_cloud", "ClickHouse", &["4b1d"], 3.0, r"4b1d[A-Za-z0-9]{38}"),
    shape("confluent_named", "Confluent", &["cflt"], 3.0, r"cflt[A-Za-z0-9+/]{60}"),
    shape("cockroach_cloud", "CockroachDB", &["ccdb1_"], 3.0, r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}"),
    shape("airtable_personal", "Airtable", &["pat"], 3.2, r"(?-i:pat)[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    shape("airtable_key", "Airtable", &["airtable"], 3.0, r"(?i)airtable[A-Z0-9_ -]{0,24}[\x22'\s:=]{1,4}(key[A-Za-z0-9]{14})"),
    shape("airtable_oauth", "Airtable", &[".v1."], 2.5, r"[A-Za-z0-9]{3,20}\.v1\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9]{10,}").with(Check::Exact),
    shape("elastic_cloud", "Elastic", &["essu_"], 3.0, r"essu_[A-Za-z0-9+/]{40,}={0,2}"),
    shape("algolia_admin", "Algolia", &["algolia"], 2.8, r#"(?i)algolia[A-Za-z0-9_ -]{0,24}["'\s]{0,3}[:=]{1,3}[\s"']{0,3}([a-z0-9]{32})"#),
    shape("contentful_pat", "Contentful", &["cfpat-"], 2.8, r"CFPAT-[A-Za-z0-9_-]{40,64}"),
    shape("notion", "Notion", &["secret_"], 3.0, r"secret_[A-Za-z0-9]{43}"),
    shape("notion_integration", "Notion", &["ntn_"], 3.0, r"ntn_[0-9]{11}[A-Za-z0-9]{35}"),
    shape("sanity", "Sanity", &["sk"], 4.3, r"(?-i:sk)[A-Za-z0-9]{80,180}"),
];
