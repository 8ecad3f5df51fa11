//! Word lists: what names a credential, what links a value to it, what stands where no secret is.

/// What a name that ends in one of these holds. Names are compared in lower case without signs.
#[rustfmt::skip]
pub(super) const HEADS: &[(Head, &[&str])] = &[
    (Head::Password, &[
        "password", "passwd", "passwort", "kennwort", "passcode", "passphrase", "pwd", "passw", "dbpass", "userpass",
        "rootpass", "adminpass", "smtppass", "mysqlpass", "mailpass", "motdepasse", "mdp", "contraseña", "contrasena",
        "senha", "parola", "wachtwoord", "hasło", "haslo", "lösenord", "losenord", "adgangskode", "passord", "salasana",
        "heslo", "jelszó", "şifre", "sifre", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "كلمةالمرور",
        "סיסמה", "katasandi", "mậtkhẩu", "รหัสผ่าน", "पासवर्ड", "κωδικός",
    ]),
    (Head::Secret, &[
        "secret", "secretkey", "geheimnis", "segredo", "secreto", "segreto", "секрет", "秘密", "シークレット", "시크릿", "密钥", "密鑰",
        "秘钥", "credential", "credentials", "creds", "zugangsdaten",
    ]),
    (Head::Token, &[
        "token", "tokens", "bearer", "jwt", "pat", "jeton", "токен", "令牌", "トークン", "토큰", "authtoken", "webhooksecret", "dsn",
        "authorization", "sessioncookie",
    ]),
    (Head::Key, &[
        "apikey", "accesskey", "secretaccesskey", "privatekey", "authkey", "signingkey", "encryptionkey", "masterkey",
        "accountkey", "clientkey", "servicekey", "appkey", "applicationkey", "consumerkey", "storagekey", "sharedkey",
        "sharedaccesskey", "subscriptionkey", "licensekey", "licencekey", "deploykey", "deploymentkey", "apisecretkey",
        "serverkey", "adminkey", "userkey", "integrationkey", "writekey", "readkey", "routingkey", "devkey",
        "developerkey", "tokenkey", "sessionkey", "hmackey", "cryptkey", "aeskey", "rsakey", "sshkey", "provisiondevicekey",
        "apischlüssel", "apischluessel", "cléapi", "cleapi", "claveapi", "chaveapi", "chiaveapi", "ключapi", "apiключ",
        "apikeys", "api密钥", "apiキー", "api키", "restkey", "restapikey", "webkey", "botkey", "vaultkey", "unsealkey",
        "recoverykey", "backupkey", "secretkeybase", "prodkey", "livekey", "private", "access", "accesscode",
        "clave", "chave", "ключ", "apiaccess", "xapikey",
    ]),
];

/// What the value beside a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// Something that a person types; it may be weak.
    Password,
    /// A shared secret.
    Secret,
    /// A token.
    Token,
    /// A key.
    Key,
}

impl Head {
    /// The rule that speaks for such values.
    pub(super) const fn rule(self) -> &'static str {
        match self {
            Self::Password => "beside_password",
            Self::Secret => "beside_secret",
            Self::Token => "beside_token",
            Self::Key => "beside_key",
        }
    }
}

/// Endings of a name that say in which form or place the credential stands.
#[rustfmt::skip]
pub(super) const TAILS: &[&str] = &[
    "value", "base64", "b64", "prod", "production", "staging", "dev", "test", "local", "live", "sandbox", "env",
    "是", "为", "為", "は", "が", "은", "는", "plain", "plaintext", "cleartext", "text", "string", "raw", "new", "old", "current", "primary", "secondary", "here",
];

/// Names that end like a credential and are none.
#[rustfmt::skip]
pub(super) const NOT_HEADS: &[&str] = &[
    "publickey", "publictoken", "publicaccess", "nexttoken", "pagetoken", "nextpagetoken", "continuationtoken", "synctoken",
    "csrftoken", "xsrftoken", "authenticitytoken", "cancellationtoken", "canceltoken", "eostoken", "bostoken", "padtoken",
    "unktoken", "stoptoken", "masktoken", "septoken", "clstoken", "maxtoken", "mintoken", "totaltoken", "inputtoken",
    "outputtoken", "prompttoken", "publicsecret", "hascredential", "hascredentials", "nopassword", "withoutpassword",
    "forgotpassword", "resetpassword", "issuerkey", "lastlogin", "userlogin", "login", "private", "access", "readaccess",
    "writeaccess", "fullaccess", "rootaccess", "nonce",
];

/// What a declaration puts between a name and its value.
pub(super) const TYPES: &[&str] = &[
    "string",
    "str",
    "char",
    "text",
    "varchar",
    "any",
    "object",
    "bytes",
    "securestring",
    "const",
    "static",
    "final",
];

/// Words between a credential word and its value in a sentence, the last one before the value.
#[rustfmt::skip]
pub(super) const LINKERS: &[&str] = &[
    "is", "was", "are", "to", "as", "be", "equals", "using", "with", "use", "called", "ist", "lautet", "war", "auf", "es",
    "est", "era", "é", "è", "jest", "är", "er", "on", "olan", "это", "是", "为", "為", "は", "now", "still", "named", "enter",
    "type", "into", "via", "by", "btw", "fyi",
];

/// What heads a column of values, whatever they are.
#[rustfmt::skip]
pub(super) const VALUES: &[&str] = &["value", "values", "wert", "werte", "valeur", "valor", "valore", "waarde", "wartość", "значение", "值"];

/// What heads a column that says something about what the cell to the left of it names.
#[rustfmt::skip]
pub(super) const OTHER_COLUMNS: &[&str] = &[
    "id", "ids", "owner", "by", "for", "who", "date", "since", "until", "at", "on", "ticket", "issue", "reference", "ref", "order", "serial",
    "rotated", "changed", "created", "expires", "expired", "used", "rule", "status", "note", "notes", "description", "meaning", "comment", "default", "example",
    "build", "release", "tag", "branch", "revision", "uuid", "guid", "phone", "place", "room", "line", "col", "column", "country", "zip", "postcode",
];

/// What heads a column beside one of numbers that open nothing.
#[rustfmt::skip]
pub(super) const LEGENDS: &[&str] = &[
    "meaning", "description", "cause", "fault", "bedeutung", "beschreibung", "lat", "latitude", "lng", "lon", "longitude", "map", "marker", "place",
    "gpio", "board", "signal", "function", "country",
];

/// Words that announce a value which a later credential word explains.
pub(super) const USES: &[&str] = &[
    "use", "enter", "type", "try", "with", "using", "paste", "put", "send", "set", "has", "is",
    "to", "export", "provide", "nimm", "utilise", "usa",
];

/// What leads from "is" to the credential that a value is.
#[rustfmt::skip]
pub(super) const OWNERS: &[&str] = &[
    "the", "my", "our", "your", "his", "her", "its", "their", "a", "an", "das", "der", "die", "mein", "meine", "unser", "le", "la", "mon", "ma", "notre", "el",
    "mi", "nuestra", "il", "o", "het", "de", "now", "still", "currently", "also",
];

/// What is made for credentials and is none.
#[rustfmt::skip]
pub(super) const THINGS: &[&str] = &[
    "manager", "managers", "policy", "policies", "page", "pages", "form", "forms", "field", "fields", "reset", "rotation", "prompt", "hint", "generator", "store",
    "storage", "provider", "dialog", "screen", "button", "box", "rules", "format", "hash", "database", "vault", "endpoint", "service", "server", "module",
    "library", "script", "holder", "owner", "ring", "bearer", "check", "checker", "change", "expiry", "redesign", "flow", "review",
];

/// What has a number that is no credential.
#[rustfmt::skip]
pub(super) const NUMBERED: &[&str] = &[
    "ticket", "tickets", "order", "orders", "issue", "issues", "part", "parts", "serial", "case", "cases", "invoice", "bug", "task", "story", "request", "incident",
    "item", "article", "sku", "asset", "shipment", "parcel", "booking", "reservation", "contract", "claim", "policy", "patent", "model", "batch", "lot", "device",
    "auftrag", "bestellung", "rechnung", "vorgang", "artikel", "teil", "commande", "facture", "dossier", "article", "pedido", "factura", "caso", "ordine", "fattura",
    "encomenda", "fatura", "bestelling", "factuur", "zamówienie", "faktura", "number", "nr", "no",
];

/// What says of itself that it stands where a password would stand, and how such a one would be kept.
pub(super) const STAND_INS: &[&str] = &[
    "cleartextpassword",
    "plaintextpassword",
    "encryptedpassword",
    "hashedpassword",
];

/// Words that stand where a secret would stand, and whole values that are known defaults.
#[rustfmt::skip]
pub(super) const NO_SECRETS: &[&str] = &[
    "none", "null", "nil", "undefined", "true", "false", "yes", "no", "empty", "unset", "unknown", "n/a", "tbd", "todo", "default",
    "required", "optional", "hidden", "string", "text", "varchar", "boolean", "integer", "number", "object", "array", "bytes",
    "password", "passwort", "passwd", "pass", "pwd", "secret", "token", "apikey", "api_key", "key", "credential",
    "credentials", "username", "user", "login", "admin", "administrator", "root", "guest", "postgres", "mysql", "redis", "minio",
    "minioadmin", "test", "tests", "testing", "demo", "example", "sample", "foo", "bar", "baz", "foobar",
    "qux", "value", "changeme", "changeit", "change_me", "placeholder", "dummy", "fake", "mock", "insecure", "redacted",
    "masked", "encrypted", "hashed", "file", "env", "environment", "vault", "config", "basic", "bearer", "digest", "negotiate",
    "oauth", "oauth2", "jwt", "header", "cookie", "query", "bearer_token", "access_token", "refresh_token", "id_token",
    "client_secret", "authorization", "authentication", "disabled", "enabled", "invalid", "expired", "missing", "wrong",
    "correct", "incorrect", "generated", "random", "manual", "automatic", "permissions", "allowed", "denied",
    "foobarbaz", "hunter", "letmein", "secretvalue", "supersecret", "mysecret", "mypassword", "mytoken", "yourpassword",
];

/// Parts of a value that say it is to be replaced; they count only as whole parts between signs.
#[rustfmt::skip]
pub(super) const PLACEHOLDER_PARTS: &[&str] = &[
    "your", "yours", "youre", "placeholder", "changeme", "changeit", "redacted", "example", "examplekey", "insert", "replace",
    "replaceme", "dummy", "todo", "fixme", "xxx", "xxxx", "yourkey", "yourtoken", "yourapikey", "yoursecret", "yourpassword",
    "goes", "mein", "votre", "tu", "ihr", "dein", "foo", "foobar", "sample", "mock",
];

/// What stands before hashes, public keys and identifiers that are no secrets.
#[rustfmt::skip]
pub(super) const BENIGN_PREFIXES: &[&str] = &[
    "sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha384:", "sha512:", "md5:", "md5-", "blake3:", "blake2b:",
    "h1:", "ed25519:", "rsa:", "ecdsa:", "ssh-rsa", "ssh-ed25519", "ecdsa-sha2", "aaaab3nzac1", "aaaac3nzac1", "aaaae2vjzhnh", "age1", "did:",
    "urn:", "arn:", "data:", "file:", "redacted:", "[redacted:", "spiffe:", "npub1", "xpub", "bc1q", "pk_live_", "pk_test_",
    "vault:", "ref:", "secretsmanager:", "ssm:", "keyvault:", "env:", "op:", "aws:kms:", "projects/", "enc[",
];

/// Endings of names that say something about a thing rather than what opens it.
#[rustfmt::skip]
pub(super) const ABOUT: &[&str] = &[
    "name", "url", "uri", "path", "file", "filename", "hash", "version", "type", "region", "host", "hostname", "arn", "email",
    "username", "signature", "namespace", "bucket", "project", "domain", "length", "size", "limit", "count", "keyname",
    "secretname", "tokenname", "keyfile", "keypath", "tokenurl", "fingerprint", "thumbprint", "checksum", "digest", "commit", "sha",
    "image", "endpoint", "issuer", "audience", "scope", "algorithm", "field", "label", "policy", "expiry", "ttl", "lifetime",
];

/// Words for kinds of credentials inside a longer word.
pub(super) const KINDS: &[&str] = &[
    "secret", "private", "access", "key", "token", "api", "auth", "client", "live", "prod", "test",
];

/// Endings that name an identifier of a credential rather than the credential.
pub(super) const ABOUT_IDS: &[&str] = &[
    "keyid",
    "credentialid",
    "credentialsid",
    "tokenid",
    "secretid",
    "passwordid",
    "keyref",
    "secretref",
    "tokenref",
    "keyalias",
];
