//! Credentials that a command line or a call takes in the place of an argument.

use crate::secrets::rule::{Check, Rule, shape};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    shape("sshpass_flag", "sshpass", &["sshpass "], 0.0, r#"sshpass\s[^\n|]{0,60}?-p\s?["']?([^\s"'$<{%][^\s"']{4,80})"#).with(Check::Chosen),
    shape("htpasswd_batch", "Apache", &["htpasswd "], 0.0, r#"htpasswd\s+(?:-[A-Za-z]{1,6}\s+){0,4}?(?:-(?:[A-Za-z]{0,4}n[A-Za-z]{0,4}b|[A-Za-z]{0,4}b[A-Za-z]{0,4}n)[A-Za-z]{0,4}\s+[^\s]{1,80}\s+|-[A-Za-z]{0,6}b[A-Za-z]{0,6}\s+[^\s]{1,120}\s+[^\s]{1,80}\s+)["']?([^\s"'$<{%-][^\s"']{4,80})"#).with(Check::Chosen),
    shape("openssl_flag", "OpenSSL", &["openssl "], 0.0, r#"openssl\s[^\n|]{0,200}?-(?:k\s+|pass(?:in|out|word)?\s+["']?pass:)["']?([^\s"'$<{%-][^\s"']{4,80})"#).with(Check::Chosen),
    shape("ldap_flag", "LDAP", &["ldapsearch ", "ldapadd ", "ldapmodify ", "ldapdelete ", "ldapwhoami ", "ldappasswd "], 0.0, r#"ldap(?:search|add|modify|delete|whoami|passwd)\s[^\n|]{0,200}?-w\s?["']?([^\s"'$<{%-][^\s"']{4,80})"#).with(Check::Chosen),
    shape("samba_flag", "Samba", &["smbclient ", "rpcclient ", "smbget ", "smbmap ", "winexe "], 0.0, r#"(?:smbclient|rpcclient|smbget|smbmap|winexe)\s[^\n|]{0,160}?(?:-U\s?|--user[= ])["']?[^\s%"']{1,80}%([^\s"'$<{][^\s"']{3,80})"#).with(Check::Chosen),
    shape("net_use", "Windows", &["net use "], 0.0, r#"(?i)net\s+use\s+(?:[a-z*]:?\s+)?\\{2,8}[^\s]{2,120}\s+(?:/user:[^\s]{1,80}\s+)?["']?([^\s"'$<{%/*][^\s"']{4,80})"#).with(Check::Chosen),
    shape("small_p_flag", "database shells", &["mongo ", "mongosh ", "mongodump ", "mongorestore ", "mongoexport ", "mongoimport ", "rdesktop ", "clickhouse-client "], 0.0, r#"(?:mongo(?:sh|dump|restore|export|import)?|rdesktop|clickhouse-client)\s[^\n|]{0,200}?\s-p\s+["']?([^\s"'$<{%-][^\s"']{4,80})"#).with(Check::Chosen),
    shape("large_p_flag", "archives and brokers", &["sqlcmd ", "unzip ", "zip ", "mosquitto_pub ", "mosquitto_sub "], 0.0, r#"(?:sqlcmd|unzip|zip|mosquitto_(?:pub|sub))\s[^\n|]{0,200}?-P\s?["']?([^\s"'$<{%-][^\s"']{4,80})"#).with(Check::Chosen),
    shape("keytool_flag", "Java", &["-storepass ", "-keypass "], 0.0, r#"-(?:storepass|keypass)\s+["']?([^\s"'$<{%-][^\s"']{4,80})"#).with(Check::Chosen),
    shape("freerdp_flag", "FreeRDP", &["xfreerdp "], 0.0, r#"xfreerdp\s[^\n|]{0,160}?/p:["']?([^\s"'$<{%][^\s"']{4,80})"#).with(Check::Chosen),
    shape("auth_pair", "HTTP", &["auth=(", "auth = (", "basicauth(", "digestauth("], 0.0, r#"(?i)(?:\bauth\s?=\s?\(|\b[A-Za-z]{0,16}(?:basic|digest)auth\()\s{0,2}["'][^"'\n]{1,80}["']\s{0,2},\s{0,2}["']([^"'\n\s$<{%][^"'\n]{4,80})["']"#).with(Check::Chosen),
    shape("discord_login", "Discord", &[".login(", ".run("], 3.5, r#"\.(?:login|run)\(\s{0,2}["'`]([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{4,8}\.[A-Za-z0-9_-]{20,40})["'`]"#),
    shape("set_named_key", "anybody", &["key to ", "token to "], 2.4, r"(?:[Ss]et|[Cc]hanged?|[Uu]pdated?|[Rr]otated?|[Ss]witched|[Pp]ut)\s(?:the\s|our\s|my\s)?[A-Z][A-Z_]{3,24}\s(?:API\s|api\s)?(?:[Kk]ey|KEY|[Tt]oken|TOKEN)\sto\s([0-9a-f]{32,64})"),
];
