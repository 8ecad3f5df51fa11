//! Word lists for credentials that a sentence states: what names one, what says that it is this, what says something
//! about it instead. All in lower case.

/// What a noun promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noun {
    /// Something that a person types and remembers.
    Password,
    /// Something that opens one thing, of any kind of characters.
    Passcode,
    /// A number that opens one thing.
    Pin,
    /// A number, but only where a lock is named beside it.
    Code,
    /// A name and a password.
    Login,
    /// A short word for a password, which is a word for other things too.
    Short,
    /// What lets somebody in once, often one of a list.
    Once,
}

/// What names something that lets somebody in once.
#[rustfmt::skip]
pub(super) const ONCE: &[&str] = &[
    "recovery code", "recovery codes", "backup code", "backup codes", "one-time code", "one-time codes", "one time code", "one time codes",
    "rescue code", "rescue codes", "scratch codes", "2fa codes", "mfa codes", "reset code", "wiederherstellungscode", "wiederherstellungscodes",
    "backup-code", "backup-codes", "einmalcode", "einmalcodes", "notfallcode", "notfallcodes", "code de récupération", "codes de récupération", "code de secours",
    "codes de secours", "código de recuperación", "códigos de recuperación", "código de respaldo", "códigos de respaldo", "codice di recupero",
    "codici di recupero", "codici di backup", "código de recuperação", "códigos de recuperação", "códigos de backup", "herstelcode", "herstelcodes",
    "kod odzyskiwania", "kody odzyskiwania", "kody zapasowe", "код восстановления", "коды восстановления", "резервные коды", "恢复代码", "恢复码",
    "备用代码", "リカバリーコード", "バックアップコード",
];

/// What names a credential in a sentence or before a colon.
#[rustfmt::skip]
pub(super) const NOUNS: &[(Noun, &[&str])] = &[
    (Noun::Password, &[
        "password", "passwd", "pwd", "passphrase", "pass phrase", "passwort", "kennwort", "mot de passe", "motdepasse",
        "contraseña", "contrasena", "clave", "senha", "palavra-passe", "palavra passe", "chave", "wachtwoord",
        "wlan-schlüssel", "wlan schlüssel", "wifi-schlüssel", "netzwerkschlüssel", "wlan-key", "wifi key", "wi-fi key", "wlan key", "network key",
        "clé wifi", "clé wi-fi", "clé du wifi", "chiave wifi", "chiave del wifi", "chave do wifi", "chave wifi", "klucz wifi", "wifi-sleutel",
        "wpa key", "wpa2 key", "wpa-key", "wpa-schlüssel", "wpa2-schlüssel", "wireless key", "pre-shared key", "preshared key", "network security key",
        "psk", "wifi-nyckel", "wifi-nyckeln", "wlan-nyckel", "wifi-nøgle", "wifi-nøglen", "wifi-nøkkel", "wifi-nøkkelen",
        "hasło", "haslo", "lösenord", "lösenordet", "losenord", "losenordet", "adgangskode", "adgangskoden", "passord", "passordet", "kodeord", "kodeordet", "salasana", "heslo", "jelszó", "şifre", "şifresi", "şifrem", "sifre", "sifresi",
        "parolası", "parolam", "пароль", "كلمة المرور", "كلمة السر", "كلمة مرور", "密码", "密碼", "口令", "パスワード", "비밀번호",
    ]),
    (Noun::Short, &["pw", "pass", "mdp", "psw"]),
    (Noun::Passcode, &["passcode", "digicode", "パスコード", "暗証番号", "الرقم السري"]),
    (Noun::Pin, &["pin", "puk", "cvv", "cvc", "cvc2", "cvv2"]),
    (Noun::Once, ONCE),
    (Noun::Code, &[
        "code", "combination", "kombination", "combinaison", "combinación", "combinazione", "combinação", "código", "codigo", "codice", "kod", "kode", "koden",
        "opens with", "unlocks with", "öffnet mit", "s'ouvre avec", "se abre con", "si apre con", "abre com", "opent met",
    ]),
    (Noun::Login, &[
        "login", "credential", "creds", "zugangsdaten", "anmeldedaten", "identifiant", "credenciales", "credenziali", "credenciais",
        "inloggegevens",
    ]),
];

/// What a number opens; beside one of these a mere code is a credential.
#[rustfmt::skip]
pub(super) const LOCKS: &[&str] = &[
    "door", "gate", "alarm", "garage", "safe", "vault", "lockbox", "keybox", "box", "locker", "lock", "padlock", "shed", "entry",
    "entrance", "building", "elevator", "keypad", "access", "unlock", "security", "disarm", "storage", "lobby", "suitcase", "recovery",
    "backup", "tür", "haustür", "tor", "tresor", "schloss", "zugang", "zugangs", "sperr", "alarmanlage", "tiefgarage", "schließfach",
    "porte", "portail", "coffre", "immeuble", "cadenas", "accès", "puerta", "portal", "alarma", "garaje", "caja", "candado",
    "acceso", "verja", "porta", "cancello", "allarme", "cassaforte", "portone", "accesso", "lucchetto", "portão", "cofre", "alarme",
    "garagem", "cadeado", "acesso", "deur", "poort", "kluis", "slot", "toegang", "toegangs", "hek", "pin", "sim", "puk", "card", "karte", "tarjeta", "carte", "carta", "cartão", "kaart", "bankkarte", "girokarte",
    "bike", "bicycle", "boiler", "heating", "thermostat", "intercom", "barrier", "cabinet", "mailbox", "letterbox", "cellar", "luggage", "fahrrad", "heizung", "heizungs",
    "gegensprechanlage", "zutritt", "zutritts", "öffnungs", "zahlen", "vélo", "chaudière", "interphone", "bicicleta", "bici", "caldera", "interfono", "caldaia",
    "citofono", "fiets", "ketel", "cv-ketel",
    "seguridad", "sécurité", "sicurezza", "segurança", "sicherheits", "porten", "grinden", "dörren", "døren", "alarmen", "larmet", "brama", "bramy", "drzwi", "sejf", "sejfu", "alarmu",
];

/// Those of them that also show numbers for what is wrong with them.
#[rustfmt::skip]
pub(super) const DEVICES: &[&str] = &[
    "boiler", "heating", "thermostat", "heizung", "heizungs", "chaudière", "caldera", "caldaia", "ketel", "cv-ketel",
];

/// Where a few digits stand that pay.
#[rustfmt::skip]
pub(super) const CARDS: &[&str] = &[
    "card", "visa", "mastercard", "amex", "maestro", "karte", "kreditkarte", "tarjeta", "carte", "carta", "cartão", "kaart", "creditcard", "kort", "kortet", "karta", "karty",
];

/// What makes a code one of such a card.
#[rustfmt::skip]
pub(super) const OF_CARDS: &[&str] = &[
    "security", "verification", "seguridad", "sécurité", "sicurezza", "segurança", "sicherheits",
];

/// What stands before the name that somebody logs in with.
#[rustfmt::skip]
pub(super) const USERS: &[&str] = &[
    "user", "username", "login", "usr", "benutzer", "benutzername", "utilisateur", "identifiant", "usuario", "utente", "utilizador", "usuário", "gebruiker", "użytkownik", "användare", "bruger", "bruker", "пользователь", "логин",
];

/// Nouns in which words of other meanings end.
pub(super) const SHORT_PARTS: &[&str] = &["psk"];

/// Nouns of a language in which "to" says what something is.
pub(super) const BY_TO: &[&str] = &["hasło", "haslo", "klucz wifi", "kod"];

/// How somebody says how letters are typed.
#[rustfmt::skip]
pub(super) const SPELLINGS: &[&str] = &[
    "all lower", "all small", "all upper", "all caps", "all in lower", "all in caps", "in lower case", "in lowercase", "in capitals", "lower case", "lowercase", "no spaces", "no caps", "without spaces", "one word",
    "alles klein", "klein geschrieben", "kleingeschrieben", "zusammengeschrieben", "tout en minuscules", "en minuscules", "todo en minúsculas", "en minúsculas", "tutto minuscolo", "tudo em minúsculas", "allemaal kleine",
];

/// What a pass is that opens no account.
#[rustfmt::skip]
pub(super) const OTHER_PASSES: &[&str] = &[
    "boarding", "ski", "lift", "day", "week", "weekend", "month", "monthly", "season", "annual", "bus", "rail", "train", "metro", "tram", "ferry", "visitor", "visitors", "press",
    "parking", "travel", "hall", "mountain", "museum", "festival", "city", "event", "conference", "backstage", "free", "second", "first", "third", "next", "last",
    "forward", "render", "compiler", "the", "a", "single", "each", "every", "one", "low", "high", "band", "gotthard", "brenner", "cross", "to", "will", "must",
    "tests", "test", "should", "may", "can", "not", "all",
];

/// What stands between a noun and its value without saying anything of it: "mdp wifi …".
pub(super) const NETWORKS: &[&str] = &["wifi", "wi-fi", "wlan"];

/// What somebody says in passing there: "my password btw …".
pub(super) const ASIDES: &[&str] = &["btw", "fyi"];

/// Verbs behind "… als Passwort".
#[rustfmt::skip]
pub(super) const ENTERS: &[&str] = &[
    "eintragen", "ein", "verwenden", "nutzen", "nehmen", "benutzen", "eingeben", "setzen", "gebruiken", "invoeren", "invullen", "in", "and", "und", "when", "if",
];

/// What the value follows at once that is written without blanks.
pub(super) const PARTICLES: &[&str] = &["は", "が", "是", "为", "為", "은", "는"];

/// What makes a value of what stands before it: "use … as the password".
pub(super) const AS: &[&str] = &["as", "als", "como", "comme", "come", "som", "jako", "как"];

/// What makes a code one of another kind, whatever it stands beside.
#[rustfmt::skip]
pub(super) const OTHER_CODES: &[&str] = &[
    "error", "status", "exit", "return", "zip", "post", "postal", "country", "area", "promo", "discount", "voucher", "product", "item",
    "color", "colour", "source", "http", "response", "fault", "trouble", "tax", "sort", "dress", "booking", "reference", "tracking",
    "invoice", "machine", "binary", "morse", "fehler", "artikel", "postleit", "erreur", "client", "errore", "erro", "cliente",
];

/// What speaks of places that letters go to.
#[rustfmt::skip]
pub(super) const POSTAL: &[&str] = &[
    "post", "postal", "postcode", "address", "area", "city", "town", "village", "district", "state", "street", "road", "nagar", "delivery",
    "deliver", "delivers", "ship", "shipping", "courier", "parcel", "parcels", "letter", "letters", "mail", "mailed",
];

/// What may follow a noun before the sentence comes to its value.
#[rustfmt::skip]
pub(super) const OPENS: &[&str] = &[
    "for", "to", "of", "on", "at", "in", "from", "now", "für", "fürs", "zum", "zur", "vom", "von", "am", "im", "des", "der", "pour", "de", "du",
    "d'accès", "d'entrée", "del", "della", "dell'ingresso", "dello", "per", "para", "di", "da", "do", "dos", "das", "van", "voor", "op", "het",
    "till", "til", "för", "på", "od", "dla", "na", "от", "для", "к", "на",
    "my", "her", "his", "our", "their", "meiner", "deiner", "seiner", "ihrer", "unserer", "meines", "unseres", "der", "mon", "ma",
    "mi", "mio", "mia", "meu", "minha", "mijn", "onze", "has", "have", "had", "got", "wurde", "auf", "a", "à", "été", "fue", "foi", "werd", "naar", "code", "number", "pin", "again", "btw", "fyi", "wifi", "wi-fi", "wlan", "github", "gmail", "google",
];

/// What says that the one is the other.
#[rustfmt::skip]
pub(super) const IS: &[&str] = &[
    "is", "was", "are", "be", "equals", "ist", "lautet", "war", "sind", "heißt", "est", "était", "sont", "c'est", "es", "era", "son",
    "è", "e'", "sono", "é", "são", "eram", "luidt", "zijn", "هي", "هو", "jest", "är", "er",
];

/// What leads to a value that anybody may know.
pub(super) const INSTANCES: &[&str] = &[
    "default",
    "defaults",
    "e.g",
    "eg",
    "example",
    "beispiel",
    "standard",
    "défaut",
    "ejemplo",
    "esempio",
    "exemplo",
    "bijvoorbeeld",
];

/// What may stand between that and the value.
#[rustfmt::skip]
pub(super) const STILL: &[&str] = &[
    "now", "still", "currently", "spelled", "spelt", "simply", "just", "again", "as", "follows", "jetzt", "noch", "nun", "weiterhin", "aktuell", "wieder",
    "toujours", "maintenant", "encore", "désormais", "le", "la", "el", "il", "lo", "o", "the", "die", "der", "das", "het", "de", "ahora", "todavía", "sigue", "ora", "ancora", "adesso", "agora", "ainda", "nu", "nog", "weer", "again:",
];

/// What sets a password; only then does `to` lead to its value.
#[rustfmt::skip]
pub(super) const SETS: &[&str] = &[
    "set", "reset", "change", "changed", "update", "updated", "rotate", "rotated", "switched", "setze", "gesetzt", "geändert", "ändere",
    "haben", "habe", "wurde", "changé", "changer", "mis", "cambié", "cambiado", "cambiamos", "cambiaron", "cambió", "cambiato", "cambiata", "impostato", "mudei", "mudou",
    "mudaram", "trocaram", "trocou", "alterada", "alterei", "gewijzigd", "veranderd", "ingesteld", "werd",
];

/// What a clause may end with behind a value.
pub(super) const AT_LAST: &[&str] = &[
    "now",
    "again",
    "jetzt",
    "nun",
    "maintenant",
    "désormais",
    "ahora",
    "agora",
    "adesso",
    "ora",
    "nu",
];

/// What leads to the value once something was set.
pub(super) const TO: &[&str] = &["to", "auf", "à", "a", "naar"];

/// What leads to the value that something had before it was set.
pub(super) const FROM: &[&str] = &["from", "von", "de", "da", "van"];

/// What an answer begins with.
#[rustfmt::skip]
pub(super) const ANSWERS: &[&str] = &[
    "a:", "answer:", "antwort:", "r:", "it is", "it's", "that's", "es ist", "es lautet", "c'est", "es:", "è", "het is",
];

/// Words without a meaning of their own: a sentence is made of them, a passphrase hardly.
#[rustfmt::skip]
pub(super) const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "the", "and", "or", "but", "if", "as", "at", "by", "for", "from", "in", "into", "of", "on", "onto", "to", "with", "than",
    "then", "that", "this", "these", "those", "it", "its", "he", "she", "we", "they", "you", "i", "my", "our", "your", "his", "her",
    "their", "is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "do", "does", "did", "will", "would", "so", "too",
    "very", "who", "which", "what", "when", "where", "while", "until", "because", "after", "before", "once", "since", "about", "under",
    "over", "again", "please", "thanks", "und", "oder", "aber", "der", "die", "das", "dem", "den", "des", "ein", "eine", "einem",
    "einen", "im", "am", "zu", "zum", "zur", "von", "vom", "bei", "beim", "mit", "für", "auf", "aus", "nach", "bis", "ist", "sind", "war",
    "wird", "wurde", "werden", "hat", "haben", "kann", "auch", "sehr", "es", "er", "sie", "wir", "ich", "wie", "wenn", "le", "la", "les",
    "un", "une", "du", "de", "et", "ou", "mais", "dans", "sur", "pour", "par", "avec", "est", "sont", "sera", "ce", "cette", "qui", "que",
    "il", "elle", "on", "nous", "vous", "ils", "trop", "très", "el", "los", "las", "una", "y", "o", "pero", "en", "con", "por", "para",
    "del", "al", "ser", "son", "su", "lo", "muy", "se", "hasta", "gli", "i", "e", "ed", "ma", "di", "da", "nel", "nella", "sul", "sulla",
    "per", "è", "sono", "al", "fino", "os", "as", "um", "uma", "mas", "do", "no", "na", "em", "com", "é", "são", "ao", "até", "het", "een",
    "en", "of", "maar", "van", "op", "aan", "met", "voor", "naar", "bij", "zijn", "wordt", "worden", "te", "tot", "dat", "dit", "als", "hetzelfde", "di", "quella", "quello", "wie",
];

/// Words that speak about a credential or tell somebody what to do about it; a phrase with one of them is no credential.
#[rustfmt::skip]
pub(super) const DESCRIBES: &[&str] = &[
    "required", "require", "requires", "optional", "needed", "needs", "need", "must", "should", "may", "can", "can't", "cannot", "could",
    "never", "always", "only", "not", "no", "none", "don't", "enter", "type", "choose", "pick", "select", "provide", "provided", "use", "uses",
    "used", "using", "see", "ask", "contact", "call", "check", "read", "look", "get", "find", "found", "reset", "rotate", "rotated", "rotates",
    "change", "changed", "changes", "expire", "expires", "expired", "stored", "kept", "keep", "saved", "sent", "send", "shared", "share",
    "written", "hidden", "encrypted", "hashed", "generated", "managed", "unknown", "forgotten", "forgot", "lost", "same", "different",
    "least", "most", "minimum", "maximum", "min", "max", "strong", "weak", "strength", "character", "characters", "chars", "char",
    "letters", "letter", "digit", "digits", "number", "numbers", "symbol", "symbols", "word", "words", "days", "day", "weeks", "week",
    "hours", "hour", "minutes", "month", "months", "year", "years", "policy", "manager", "hint", "prompt", "field", "login", "account",
    "user", "username", "users", "email", "mail", "admin", "empty", "blank", "null", "set", "unset", "missing", "invalid", "valid",
    "wrong", "incorrect", "correct:", "failed", "attempts", "attempt", "tries", "error", "confirm", "repeat", "current", "update", "updated",
    "create", "created", "here", "there", "below", "above", "every", "each", "per", "until", "unless", "random", "secure", "security",
    "default", "placeholder", "example", "sample", "todo", "works", "work", "working", "broken", "long", "case", "sensitive", "based",
    "encoded", "only:", "length", "protected", "less", "free", "changeme", "redacted", "dummy", "insert", "replace", "goes", "xxx", "vault", "entry", "keychain", "bitwarden", "1password", "keepass", "sso",
    "known", "guess", "date", "team", "operations",
    "muss", "müssen", "soll", "darf", "bitte", "siehe", "steht", "liegt", "eingeben", "ändern", "geändert", "abgelaufen", "vergessen",
    "mindestens", "höchstens", "zeichen", "ziffern", "stellen", "tage", "tagen", "erforderlich", "nicht", "kein", "keine", "nie", "immer",
    "falsch", "gleich", "gleiche", "bekannt", "unbekannt", "gespeichert", "benutzer", "konto", "stark", "schwach", "länge", "zurücksetzen",
    "obligatoire", "requis", "requise", "doit", "voir", "demander", "saisir", "saisissez", "entrez", "caractères", "chiffres", "jours",
    "oublié", "incorrect", "stocké", "même", "pas", "jamais", "toujours", "expiré", "changé", "faible", "compte", "utilisateur",
    "obligatorio", "obligatoria", "requerido", "requerida", "debe", "ver", "pedir", "introduzca", "ingrese", "introduce", "caracteres", "dígitos", "días",
    "olvidada", "olvidado", "misma", "mismo", "nunca", "siempre", "caducada", "cuenta", "usuario", "obbligatorio", "obbligatoria", "deve",
    "vedi", "chiedere", "inserire", "inserisci", "caratteri", "cifre", "giorni", "dimenticata", "scaduta", "stessa", "mai", "sempre", "utente",
    "obrigatória", "obrigatório", "digite", "insira", "dígitos", "dias", "esquecida", "expirada", "mesma", "não", "sempre", "conta", "trocada",
    "verplicht", "moet", "zie", "vraag", "invoeren", "vul", "tekens", "cijfers", "dagen", "vergeten", "verlopen", "zelfde", "nooit", "altijd", "niet",
];

/// Names of methods and products that hold digits and are nobody's password.
#[rustfmt::skip]
pub(super) const TECHNICAL: &[&str] = &[
    "sha", "aes", "md", "base", "argon", "bcrypt", "scrypt", "pbkdf", "oauth", "fido", "rsa", "hmac", "rfc", "iso", "utf", "password",
    "ntlm", "tls", "ssl", "pkcs", "x", "ed", "webauthn", "iec", "din", "nist", "soc", "ldap", "kerberos", "saml", "totp", "wpa", "ipv", "http", "ascii", "unicode",
    "v", "version", "release", "q", "room", "page", "chapter", "line", "step", "level", "figure", "table", "ticket", "issue", "fa",
];
