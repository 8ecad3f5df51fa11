//! Credentials that a table names: in every layout only the value goes, and tables of other things stay as they are.

use testimony_admission::secrets::scan;

use super::{OPEN, none};

/// Where the name and the value of a credential stand in a table.
const LAYOUTS: &[(&str, &str, &str)] = &[
    ("| ", " | ", " |"),
    ("| quay | ", " | `", "` |"),
    ("| **", "** | ", " | since May |"),
    ("| Name | Value |\n|---|---|\n| ", " | ", " |"),
    (
        "| Setting | Staging |\n| --- | --- |\n| port | 8080 |\n| ",
        " | ",
        " |",
    ),
    (
        "| Service | User | ",
        " |\n|:--|---|--:|\n| quay | hana | ",
        " |\n",
    ),
    (
        "Service | User | ",
        "\n--- | --- | ---\nquay | hana | `",
        "`",
    ),
    ("service,username,", "\nquay,hana,", ""),
    ("service;user;", "\r\nquay;hana;", "\r\n"),
    ("service,username,\"", "\"\n\"quay, old\",\"hana\",\"", "\""),
    ("user\t", "\nhana\t", ""),
    ("name,value\nport,8080\n", ",", "\nhost,db-03"),
    ("env:\n  - name: ", "\n    value: \"", "\""),
];

/// Names of credentials, and values such as stand beside them, in parts.
const NAMED: &[(&[&str], &[&[&str]])] = &[
    (
        &["Password", "DB_PASSWORD", "Passwort", "contraseña", "pw"],
        &[
            &["Sommer", "2019!"],
            &["violet-crane-", "hammer31"],
            &["deNm*O28", "Lv!cw9"],
        ],
    ),
    (
        &["Datadog API key", "api_key", "secret key", "Access token"],
        &[
            &["a155504f89e3", "4bd07c61", "e0d2f9b83c17"],
            &["zDUQpkgEARyMBwWz", "xiPKU9o1V7AZZLdZ", "WFtncqMH"],
        ],
    ),
    (
        &["PIN", "Door code", "pin"],
        &[&["44", "71"], &["8374", "9201"]],
    ),
];

/// Stands for a digest in [`OTHERS`], so that no file shows one whole.
const DIGEST: [&str; 3] = ["a155504f89e3", "4bd07c61", "e0d2f9b83c17"];

/// Tables that hold nothing of the kind, whatever their words.
const OTHERS: &[&str] = &[
    "| Password policy | strict-2026! |",
    "| Password | Last changed |\n|---|---|\n| see the vault | 2026-05-03 |",
    "| Field | Changed by |\n|---|---|\n| Password | Hana_77 |",
    "| Item | Commit |\n|---|---|\n| API key | {digest} |",
    "| Secret | Key |\n|---|---|\n| quay-tls-2 | tls.crt |\n| db-prod-01 | ca.crt |",
    "| Token count | 409612 |\n| Max tokens | 128000 |",
    "| Token | Meaning |\n|---|---|\n| IDENT | a name |\n| NUM | 4096 |",
    "| Keyboard | K780-7f3k9Qz2 |",
    "| Key | Order |\n|---|---|\n| ORD-48213-77 | 40 chairs |",
    "| Key | Value |\n|---|---|\n| order | ORD-48213-77 |",
    "| Pin | Place |\n|---|---|\n| 48.2082 | Graben |\n| B12 | Naschmarkt |",
    "| Pin | City |\n|---|---|\n| 560001 | Bengaluru |",
    "| Code | Country |\n|---|---|\n| AT | Austria |\n| 0043 | Austria |",
    "| Test | Pass |\n|---|---|\n| login-4471 | build-4471 |",
    "| API key | rotated every month |\n| Password | required |",
    "| Password hash | $2b$12$abc |",
    "| Public key | {digest} |",
    "| Pin | Lat | Lng |\n|---|---|---|\n| 1024 | 48.2082 | 16.3738 |",
    "| Alarm code | Meaning |\n|---|---|\n| 4471 | pump fault |",
    "| Secret | Owner |\n|---|---|\n| db_prod_2026 | Ivo |",
    "| Token | 2026-05-03T10:00:00Z |",
    "| Key | Action |\n|---|---|\n| Ctrl+Shift+P | Palette |",
    "| Env var | Default |\n|---|---|\n| DB_PASSWORD | postgres-15 |",
    "| Password | min. 12 characters |\n| PIN | GPIO17 |",
    "token\tcount\nhunter2abc\t14",
    "user,last_password_change\nhana,2026-05-03",
    "key,de,en\nlogin.password,Passwort,Password\nlogin.pin,PIN,PIN",
    "    KEY_READ | KEY_WOW64_32KEY)",
    "    KEY_ALL_ACCESS,\n    KEY_WOW64_32KEY, 0)",
    "    let (a, b) = pair(token),\n    count2.fetch_add(1, Ordering::SeqCst);",
    "    black_box(token),\n    black_box(&Validation::new(Algorithm::HS256)),",
    "    self.secret | [secret.first.0, secret.second.0]",
    "username,password,2fa-code",
    "key,value\ncolour,{digest}",
    "id,token_count\n17,409612",
    "user;password_policy\nhana;strict-2026!",
    "Bring the token, the password\nand then, room-12b",
    "echo $PASSWORD | sha256sum-4.1",
    "name: DB_PASSWORD\nvalueFrom: quay-secrets-2026!",
    "name: REGION\nvalue: eu-central-1",
];

#[test]
fn what_a_table_names_goes_and_what_stands_around_it_stays() {
    let mut wrong = Vec::new();
    for (before, between, after) in LAYOUTS {
        for (names, values) in NAMED {
            let cases = names
                .iter()
                .flat_map(|name| values.iter().map(move |value| (name, value.concat())));
            for (name, value) in cases {
                let frame = format!("{before}{name}{between}");
                let text = format!("{frame}{value}{after}");
                let left = scan(&text, &OPEN).redacted.to_string();
                let framed = left.starts_with(&frame) && left.ends_with(after);
                if left.contains(&value) || !left.contains("[REDACTED:") || !framed {
                    wrong.push(format!("{text:?}\n    {left:?}"));
                }
            }
        }
    }
    none("wrong", &wrong);
}

#[test]
fn every_row_of_a_column_of_credentials_goes() {
    let values = [["Winter", "2010!"], ["Toby", "1995!"], ["Lisboa", "2004!"]].map(|v| v.concat());
    let rows: String = values
        .iter()
        .map(|value| format!("| db-03 | {value} |\n"))
        .collect();
    let text = format!("| Host | Password |\n|---|---|\n{rows}\n| Host | Street |\n");
    let left = scan(&text, &OPEN).redacted.to_string();
    assert_eq!(left.matches("[REDACTED:beside_password]").count(), 3);
    assert!(left.ends_with("\n| Host | Street |\n"));
}

#[test]
fn tables_of_other_things_are_left_alone() {
    let touched: Vec<String> = OTHERS
        .iter()
        .map(|text| text.replace("{digest}", &DIGEST.concat()))
        .map(|text| (scan(&text, &OPEN).redacted.to_string(), text))
        .filter(|(left, text)| left != text)
        .map(|(left, text)| format!("{text:?}\n    {left:?}"))
        .collect();
    none("touched", &touched);
}
