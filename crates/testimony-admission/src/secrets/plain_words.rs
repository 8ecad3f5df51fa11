//! Word lists for plain words that a sentence states as a password: what the sentence may be made of, and what stands in
//! the place of the password and only speaks about it. All in lower case.

/// The words for passwords of the languages whose predicates are listed below.
#[rustfmt::skip]
pub(super) const PASSWORDS: &[&str] = &[
    "password", "passwd", "pwd", "pw", "passphrase", "pass phrase", "passcode", "passwort", "kennwort", "mot de passe", "motdepasse", "mdp",
    "contraseña", "contrasena", "wachtwoord",
];

/// Those of them in whose language nouns are written large and adjectives small.
pub(super) const OF_GERMAN: &[&str] = &["passwort", "kennwort"];

/// What says what the password is, or was, and how words end that tell a state or a kind behind it.
#[rustfmt::skip]
pub(super) const STATES_BY_ENDING: &[(&[&str], &[&str])] = &[
    (&["is", "was"], &[
        "ed", "ing", "able", "ible", "ful", "less", "ous", "tive", "sive", "ical", "ional", "tial", "cial", "inal", "ernal", "ual", "versal",
        "atic", "eric", "ptic", "ific", "bolic", "orary", "atory", "ulsory", "actory", "proof", "ward", "wards", "free",
    ]),
    (&["ist", "war", "lautet", "lautete"], &["isch", "lich", "bar", "haft"]),
    (&["est", "était"], &["able", "ible", "ique", "eux", "é", "ée", "el", "elle", "ent", "ant"]),
    (&["es", "era"], &["able", "ible", "ado", "ada", "ido", "ida", "ente", "ante", "ico", "ica", "ario", "aria", "orio", "oria", "al", "ísima"]),
    (&["è", "e'", "era"], &["abile", "ibile", "ato", "ata", "uto", "uta", "ito", "ita", "ente", "ante", "ico", "ica", "ario", "aria", "orio", "oria", "ale", "issima"]),
];

/// What may stand between that and the word.
#[rustfmt::skip]
pub(super) const STILL: &[&str] = &[
    "now", "still", "currently", "simply", "just", "always", "actually", "jetzt", "noch", "nun", "weiterhin", "einfach", "immer", "toujours",
    "maintenant", "encore", "simplement", "ahora", "todavía", "simplemente", "ora", "ancora", "adesso", "nu", "nog", "gewoon",
];

/// What a story is told in, whose passwords open nothing.
#[rustfmt::skip]
pub(super) const STORIES: &[&str] = &[
    "film", "movie", "book", "novel", "story", "game", "play", "song", "joke", "riddle", "puzzle", "tale", "legend", "scene", "chapter", "episode",
    "roman", "spiel", "märchen", "jeu", "libro", "juego", "romanzo", "gioco", "boek", "spel", "livre", "conte", "cuento",
];

/// What begins a clause of its own between the password and what says what it is, or makes it a rule.
#[rustfmt::skip]
pub(super) const BREAKS: &[&str] = &[
    "that", "which", "who", "if", "when", "not", "never", "no", "should", "must", "may", "can", "could", "would", "will", "needs", "that's", "wenn", "nicht", "soll",
    "muss", "darf", "qui", "que", "che", "dat", "niet", "moet",
];

/// What may stand behind the word where its clause goes on without it.
#[rustfmt::skip]
pub(super) const JOINTS: &[&str] = &[
    "and", "but", "now", "since", "because", "until", "last", "today", "yesterday", "und", "aber", "seit", "weil", "bis", "et", "mais", "depuis", "y", "pero", "desde",
    "e", "ma", "en", "maar", "sinds",
];

/// Words for passwords behind which a name stands that they belong to: "mon mot de passe Netflix".
pub(super) const BEFORE_NAMES: &[&str] = &[
    "mot de passe",
    "motdepasse",
    "mdp",
    "contraseña",
    "contrasena",
];

/// What a password beside which a name stands may be one of.
#[rustfmt::skip]
pub(super) const NETS: &[&str] = &[
    "wifi", "wi-fi", "wlan", "network", "ssid", "hotspot", "router", "netz", "netzwerk", "réseau", "red", "rete", "netwerk",
];

/// What a password is said to be without being told: states, judgements, kinds, places, times, owners and numbers that no
/// ending shows.
#[rustfmt::skip]
pub(super) const STATES: &[&str] = &[
    // How it is.
    "short", "shorter", "longer", "longish", "shortish", "simple", "simpler", "simplest", "easy", "easier", "hard", "harder", "tricky", "fine", "good", "better",
    "best", "okay", "great", "nice", "cool", "awesome", "awful", "terrible", "rubbish", "garbage", "trash", "nonsense", "gibberish", "crap", "lame",
    "silly", "stupid", "dumb", "crazy", "weird", "strange", "odd", "funny", "ugly", "cute", "clever", "smart", "decent", "solid", "robust", "stronger",
    "strongest", "weaker", "weakest", "fresh", "stale", "ancient", "brand-new", "newer", "older", "right", "correct", "exact", "precise", "perfect",
    "complex", "compliant", "consistent", "convenient", "sufficient", "insufficient", "adequate", "inadequate", "appropriate", "inappropriate", "legit", "legacy",
    "permanent", "persistent", "important", "irrelevant", "relevant", "redundant", "recent", "present", "absent", "apparent", "transparent", "evident",
    "urgent", "pending", "independent", "equivalent", "distinct", "common", "shared", "joint", "mutual", "unclear", "clear", "plain", "plaintext",
    "cleartext", "safe", "safer", "unsafe", "insecure", "private", "public", "secret", "hush-hush", "internal", "official", "static", "dynamic", "generic",
    "basic", "numeric", "alphanumeric", "uppercase", "lowercase", "caps", "mixed", "opaque", "obsolete", "moot", "void", "dead", "alive", "active", "inactive",
    "ready", "readily", "alright", "visible", "legible", "blurry", "faint", "smudgy", "sticky", "compulsory", "mandatory", "necessary", "unnecessary",
    "arbitrary", "primary", "secondary", "temporary", "customary", "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "likely", "unlikely",
    "friendly", "childish", "foolish", "outdated", "up-to-date", "overdue", "extra", "separate", "single", "double", "unique", "alone", "alike", "similar",
    "identical", "stand-alone", "universal", "local", "global", "manual", "legal", "normal", "usual", "formal", "final", "real", "fake", "bogus", "true",
    "tough", "rough", "loose", "tight", "strict", "lax", "large", "small", "tiny", "huge", "enormous", "mine", "yours", "ours", "hers", "theirs",
    "whatever", "something", "anything", "nothing", "everything", "whichever", "somewhere", "nowhere", "anywhere", "elsewhere", "everywhere", "everybody",
    "anybody", "english", "german", "french", "spanish", "italian", "dutch", "latin", "greek", "welsh", "irish", "polish", "danish", "swedish", "finnish",
    "brilliant", "excellent", "superb", "stellar", "pathetic", "fantastic", "mediocre", "average", "moderate", "elaborate", "desperate", "intricate", "immediate",
    "accurate", "inaccurate", "legitimate", "elegant", "arrogant", "ignorant", "dominant", "vacant", "resistant", "fragile", "hostile", "futile", "mobile", "naive",
    "bizarre", "obscure", "immature", "mature", "pure", "sure", "unsure", "rare", "bare", "wise", "unwise", "coarse", "sparse", "dense", "absurd", "bland", "blunt",
    "crude", "rude", "harsh", "neat", "sweet", "sorry", "happy", "lucky", "unlucky", "fussy", "messy", "sloppy", "lazy", "handy", "dodgy", "clunky", "wordy", "lengthy",
    "nasty", "risky", "shaky", "quirky", "cheesy", "corny", "geeky", "nerdy", "tacky", "catchy", "dirty", "filthy", "heavy", "pretty", "steady", "sturdy", "worse", "worst",
    "nicer", "bigger", "larger", "smaller", "higher", "lower", "tougher", "trickier", "smarter", "cleverer", "neater", "cooler", "plenty", "fantasy",
    "quick", "slow", "faulty", "guilty", "timid", "vivid", "valid", "rigid", "stupidly", "illegal", "intact", "extinct", "abstract", "compact", "direct", "indirect",
    // What was done to it.
    "stolen", "broken", "given", "chosen", "taken", "hidden", "spoken", "frozen", "gone", "known", "shown", "thrown", "grown", "withdrawn", "drawn", "undone", "done",
    "overwritten", "rewritten", "mistaken", "stuck", "spelt", "built", "bought", "brought", "caught", "taught", "thought",
    "dealt", "burnt", "learnt", "split", "spread", "leaked", "reset", "preset", "unset", "resent", "unsent", "withheld", "untold", "told", "sold", "meant",
    // Where and when.
    "online", "offline", "inside", "outside", "upstairs", "downstairs", "underneath", "nearby", "behind", "beneath", "overhead", "indoors", "today",
    "tomorrow", "tonight", "yesterday", "later", "soon", "sooner", "earlier", "already", "anyway", "again", "before", "after", "next", "often", "twice", "thrice",
    "first", "second", "third", "last", "due", "ahead", "away", "back", "instead", "though", "too", "together", "enough", "only", "either", "neither", "both",
    // How much of it.
    "three", "seven", "eight", "nine", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "eighteen", "twenty", "thirty", "sixty", "ninety",
    // What it belongs to, and what it is for a program.
    "recovery", "resets", "changes", "rotation", "history", "protection", "sharing", "generator", "managers", "policies", "rules", "rule", "hints", "fields",
    "prompts", "screen", "form", "dialog", "page", "box", "list", "file", "hash", "hashes", "database", "storage", "checker", "checks", "requirements",
    "complexity", "expiry", "age", "input", "output", "value", "variable", "parameter", "argument", "string", "text", "boolean", "integer", "object",
    "varchar", "buffer", "bytes", "option", "array", "undefined", "plural", "singular", "nullable", "masked", "biometric", "biometrics", "passkey", "passkeys",
    "google", "okta", "lastpass", "dashlane", "keepassxc", "openvpn", "proton", "sesame", "access", "help", "comply", "match", "sync", "proceed",
    "continue", "test", "stuff", "trouble", "mess", "problem", "issue",
    // German, where it is written large or stands behind "lautet".
    "anders", "folgt", "folgendermaßen", "richtig", "geheimnis", "privatsache", "pflicht", "pflichtfeld", "pflichtangabe", "pflichteingabe", "vorschrift", "geheimsache", "vertraulich", "mist", "quatsch", "unsinn",
    "standard", "chefsache", "ansichtssache", "geschichte", "schrott", "müll", "klartext", "deutsch", "englisch", "lang", "kurz", "neu", "alt",
    // French.
    "long", "court", "courte", "simple", "faux", "fausse", "bon", "bonne", "mauvais", "mauvaise", "perdu", "perdue", "connu", "connue", "inconnu", "inconnue", "écrit",
    "écrite", "inscrit", "inscrite", "secret", "nouveau", "ancien", "vieux", "périmé", "incorrect", "correct", "exact", "robuste", "vide", "identique", "unique",
    "différent", "sûr", "fort", "noté", "temporaire", "nécessaire", "ici", "dedans", "prêt", "compromis", "requis", "transmis", "partagé", "complexe", "facile", "difficile",
    // Spanish and Italian.
    "larga", "largo", "corta", "corto", "débil", "fuerte", "segura", "seguro", "secreta", "secreto", "nueva", "vieja", "antigua", "correcta", "incorrecta", "falsa",
    "errónea", "fácil", "difícil", "compleja", "única", "distinta", "diferente", "vacía", "aquí", "nuestra", "buena", "mala", "pública", "privada", "escrita", "rota",
    "lunga", "debole", "forte", "sicura", "segreta", "nuova", "vecchia", "corretta", "sbagliata", "errata", "giusta", "facile", "difficile", "unica", "diversa",
    "vuota", "nostra", "scritta", "persa", "robusta", "pronta", "semplice", "complessa", "uguale", "pubblica", "scaduta", "nota", "ignota", "troppo",
    // Dutch.
    "gewijzigd", "veranderd", "verlopen", "bekend", "onbekend", "geheim", "zwak", "sterk", "kort", "lang", "fout", "juist", "vergeten", "onjuist", "geldig",
    "ongeldig", "verplicht", "nieuw", "oud", "veilig", "onveilig", "goed", "slecht", "simpel", "moeilijk", "makkelijk", "weg", "kwijt", "nodig", "leeg", "anders",
    "opgeslagen", "opgeschreven", "geblokkeerd", "ingewikkeld", "hetzelfde", "gedeeld", "klaar", "gelekt", "gestolen", "uniek", "tijdelijk", "persoonlijk", "onleesbaar",
];
