//! Word lists for plain words that a sentence states as a password: what the sentence may be made of, and what stands in
//! the place of the password and only speaks about it. All in lower case.

/// The words for passwords of the languages whose predicates are listed below.
#[rustfmt::skip]
pub(super) const PASSWORDS: &[&str] = &[
    "password", "passwd", "pwd", "pw", "passphrase", "pass phrase", "passcode", "passwort", "kennwort", "mot de passe", "motdepasse", "mdp",
    "contraseña", "contrasena", "wachtwoord", "senha", "palavra-passe", "palavra passe", "clave", "chave do wifi", "chave wifi", "clé wifi", "clé wi-fi",
    "clé du wifi", "chiave wifi", "chiave del wifi", "wlan-schlüssel", "wlan schlüssel", "wifi-schlüssel", "wifi key", "wi-fi key", "wlan key", "wlan-key",
];

/// Those of them that are words for any key or clue, so that the sentence has to name what they open.
pub(super) const OF_ANYTHING: &[&str] = &["clave"];

/// What a word of [`OF_ANYTHING`] opens when it is a password.
#[rustfmt::skip]
pub(super) const OPENED: &[&str] = &[
    "wifi", "wi-fi", "wlan", "red", "internet", "router", "rúter", "módem", "acceso", "cuenta", "correo", "email", "mail", "gmail", "ordenador", "computadora",
    "computador", "portátil", "laptop", "pc", "móvil", "celular", "teléfono", "tablet", "tele", "televisor", "impresora", "servidor", "cajero", "alarma", "puerta",
    "portón", "portal", "garaje", "cochera", "candado", "netflix", "spotify", "facebook", "instagram", "app", "aplicación", "administrador", "invitados",
];

/// Words that everybody knows as passwords: stated as one they are taken, although in other places they stand for one.
#[rustfmt::skip]
pub(super) const KNOWN: &[&str] = &[
    "admin", "administrator", "root", "toor", "guest", "test", "demo", "changeme", "changeit", "letmein", "welcome", "password", "passwort", "hunter",
    "foobar", "foo", "bar", "baz", "postgres", "mysql", "redis", "minio", "minioadmin", "supersecret", "mysecret", "mypassword", "master", "monitor",
    "abcd", "qwer", "asdf", "qwerty", "qwertz", "azerty", "sesame", "gast", "hallo", "invitado", "motdepasse", "senha", "contraseña", "clave",
];

/// Others of them, which tell a state too or name what passwords belong to: they are taken where quotes set them apart.
pub(super) const KNOWN_IN_QUOTES: &[&str] = &[
    "public", "geheim", "secret", "default", "private", "user", "login", "access", "secreto",
    "segreto", "secreta", "pass",
];

/// Those of them in whose language nouns are written large and adjectives small.
#[rustfmt::skip]
pub(super) const OF_GERMAN: &[&str] = &["passwort", "kennwort", "wlan-schlüssel", "wlan schlüssel", "wifi-schlüssel"];

/// What says what the password is, or was, and how words end that tell a state or a kind behind it.
#[rustfmt::skip]
pub(super) const STATES_BY_ENDING: &[(&[&str], &[&str])] = &[
    (&["is", "was", "remains"], &[
        "ed", "ing", "able", "ible", "ful", "less", "ous", "tive", "sive", "ical", "ional", "tial", "vial", "cial", "inal", "ernal", "ual", "versal",
        "atic", "eric", "ptic", "ific", "bolic", "orary", "atory", "ulsory", "actory", "proof", "ward", "wards", "free",
    ]),
    (&["ist", "war", "lautet", "lautete", "bleibt"], &["isch", "lich", "bar", "haft"]),
    (&["est", "était", "reste"], &["able", "ible", "ique", "eux", "é", "ée", "el", "elle", "ent", "ant"]),
    (&["es", "era", "sigue", "continúa"], &["able", "ible", "ado", "ada", "ido", "ida", "ando", "endo", "ente", "ante", "ico", "ica", "ario", "aria", "orio", "oria", "al", "ísima", "ísimo", "iva", "ivo"]),
    (&["é", "era", "continua"], &[
        "ável", "ível", "ado", "ada", "ido", "ida", "ando", "endo", "ente", "ante", "ico", "ica", "ário", "ária", "ório", "ória", "al", "íssima", "osa", "iva",
    ]),
    (&["è", "e'", "era", "resta", "rimane"], &["abile", "ibile", "ato", "ata", "uto", "uta", "ito", "ita", "ente", "ante", "ico", "ica", "ario", "aria", "orio", "oria", "ale", "issima", "iva", "osa", "evole"]),
];

/// What may stand between that and the word.
#[rustfmt::skip]
pub(super) const STILL: &[&str] = &[
    "now", "still", "currently", "simply", "just", "always", "actually", "also", "literally", "jetzt", "noch", "nun", "weiterhin", "einfach", "immer", "auch", "toujours",
    "maintenant", "encore", "simplement", "aussi", "ahora", "todavía", "simplemente", "también", "siendo", "ora", "ancora", "adesso", "sempre", "semplicemente", "anche",
    "agora", "ainda", "também", "sendo", "simplesmente", "nu", "nog", "gewoon", "ook",
];

/// What sets a password, but may be the name of the deed where it stands right behind the noun: "password reset to follow".
pub(super) const DEEDS: &[&str] = &["reset", "change", "update", "rotate"];

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
    "muss", "darf", "qui", "que", "che", "dat", "niet", "moet", "não", "nunca", "si", "se", "cuando", "quando", "debe", "deve",
];

/// What may stand behind the word where its clause goes on without it.
#[rustfmt::skip]
pub(super) const JOINTS: &[&str] = &[
    "and", "but", "now", "since", "because", "until", "last", "today", "yesterday", "und", "aber", "seit", "weil", "bis", "et", "mais", "depuis", "y", "pero", "desde",
    "e", "ma", "en", "maar", "sinds", "mas", "porque", "perché", "denn", "desde", "hasta", "até", "fino", "after", "before", "nach", "après", "después", "dopo", "depois",
];

/// Words for passwords behind which a name stands that they belong to: "mon mot de passe Netflix".
pub(super) const BEFORE_NAMES: &[&str] = &[
    "mot de passe",
    "motdepasse",
    "mdp",
    "contraseña",
    "contrasena",
    "senha",
    "clave",
];

/// What a password beside which a name stands may be one of.
#[rustfmt::skip]
pub(super) const NETS: &[&str] = &[
    "wifi", "wi-fi", "wlan", "network", "ssid", "hotspot", "router", "netz", "netzwerk", "réseau", "red", "rete", "rede", "netwerk",
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
    "overwritten", "rewritten", "mistaken", "stuck", "spelt", "misspelt", "built", "bought", "brought", "caught", "taught", "thought",
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
    "continue", "test", "stuff", "trouble", "mess", "problem", "guesswork", "issue",
    // German, where it is written large or stands behind "lautet".
    "anders", "folgt", "folgendermaßen", "richtig", "geheimnis", "privatsache", "pflicht", "pflichtfeld", "pflichtangabe", "pflichteingabe", "vorschrift", "geheimsache", "vertraulich", "mist", "quatsch", "unsinn",
    "standard", "chefsache", "ansichtssache", "geschichte", "schrott", "müll", "klartext", "deutsch", "englisch", "lang", "kurz", "neu", "alt",
    // French.
    "long", "court", "courte", "faux", "fausse", "bon", "bonne", "mauvais", "mauvaise", "perdu", "perdue", "connu", "connue", "inconnu", "inconnue", "écrit",
    "écrite", "inscrit", "inscrite", "nouveau", "ancien", "vieux", "périmé", "incorrect", "robuste", "vide", "identique",
    "différent", "sûr", "fort", "noté", "temporaire", "nécessaire", "ici", "dedans", "prêt", "compromis", "requis", "transmis", "partagé", "complexe", "facile", "difficile",
    // Spanish and Italian.
    "larga", "largo", "corta", "corto", "débil", "fuerte", "segura", "seguro", "secreta", "secreto", "nueva", "vieja", "antigua", "correcta", "incorrecta", "falsa",
    "errónea", "fácil", "difícil", "compleja", "única", "distinta", "diferente", "vacía", "aquí", "nuestra", "buena", "mala", "pública", "privada", "escrita", "rota",
    "lunga", "debole", "forte", "sicura", "segreta", "nuova", "vecchia", "corretta", "sbagliata", "errata", "giusta", "unica", "diversa",
    "vuota", "nostra", "scritta", "persa", "robusta", "pronta", "semplice", "complessa", "uguale", "pubblica", "scaduta", "nota", "ignota", "troppo",
    // Portuguese.
    "longa", "longo", "curta", "curto", "comprida", "fraca", "fraco", "nova", "velha", "velho", "antiga", "certa", "errada", "correta", "incorreta", "igual",
    "nossa", "minha", "dela", "dele", "deles", "simples", "complicada", "boa", "ótima", "péssima", "ruim", "vazia", "mesma", "outra", "essa", "esta",
    "aquela", "grande", "pequena", "padrão", "segredo", "minúscula", "maiúscula", "caseira", "válida", "inválida",
    // Four letters.
    "weak",
    "lost", "kept", "sent", "same", "very", "just", "even", "here", "there", "null", "none", "open", "free", "live", "late",
    "past", "near", "over", "once", "then", "when", "what", "that", "this", "your", "wide", "high", "loud",
    "mild", "bold", "bald", "cold", "warm", "poor", "rich", "deep", "dull", "dark", "full", "half", "zero", "four", "five",
    "each", "most", "much", "many", "more", "less", "some", "such", "case", "code", "made", "used", "seen",
    "read", "held", "data", "json", "yaml", "user", "team", "like", "evil", "epic", "base", "left", "down", "gibt", "junk",
    "iffy", "meh", "ldap", "saml", "salt", "char", "bool", "type", "bust", "kaum", "dein", "into", "upon", "also", "well",
    "tied", "plus", "vile", "sick", "odds", "hint", "leer", "kein", "mein", "sein", "doof", "dumm", "fest", "frei", "klar", "toll",
    "else", "ever", "able", "bien", "sûre", "sien", "mien", "tien", "nada", "otra", "mía", "suya", "dura", "rara",
    "otro", "mismo", "solo", "sola", "loca", "todo", "poco", "mucho", "così", "lei", "mia", "sua", "tua", "loro", "poca", "alta", "vaga", "dado", "niets",
    "vaag", "raar", "saai", "stom", "hier", "daar", "ook",
    // More judgements of the south.
    "buona", "buono", "brutta", "bella", "bello", "cattiva", "ottima", "pessima", "migliore", "peggiore", "banale", "ovvia", "strana", "stupida", "lunghissima", "vera",
    "pulita", "sporca", "comoda", "scomoda", "chiara", "scura", "brava", "libera", "piena", "povera", "ricca", "seria", "comune", "generica", "stessa",
    "altra", "alcuna", "nessuna", "quella", "questa", "bonita", "fea", "mejor", "peor", "tonta", "absurda", "obvia", "extraña", "libre", "clara", "limpia",
    "sucia", "llena", "pobre", "rica", "ajena", "propia", "nula", "joven", "gran", "pequeña", "enorme", "horrible", "pésima", "buenísima",
    "feia", "chata", "bacana", "curtinha", "melhor", "pior", "boba", "óbvia", "estranha", "livre", "limpa", "suja", "cheia", "própria", "alheia", "idêntica", "clássica",
    "besta", "comum", "nosso", "vossa", "nenhuma", "alguma", "beau", "belle", "joli", "jolie", "moche", "nul", "nulle", "meilleur", "pire", "bête", "idiot", "banal",
    "clair", "propre", "sale", "plein", "pauvre", "riche", "sérieux", "petit", "petite", "grand", "autre", "aucun", "privé",
    "étrange", "interne", "externe", "classique", "commun", "correcte", "exacte", "valide", "invalide", "mixte", "brut", "haché", "crypté",
    // Kinds and judgements once more.
    "personal", "vital", "cumbersome", "fast", "thin", "thick", "flat", "busy", "idle", "worn", "torn", "shut", "fair", "foul", "main", "sole", "dual", "triple", "nuts",
    "gross", "insane", "lousy", "flimsy", "feeble", "witty", "shoddy", "soft", "bright", "vague", "outworn", "cheap", "costly", "neutral", "central", "ideal", "mental",
    "total", "handwritten", "handmade", "homemade", "alphabetic", "hexadecimal", "binary", "ascii", "unicode", "forever", "interim", "complete", "incomplete", "whole",
    "entire", "significant", "insignificant", "peculiar", "ordinary", "extraordinary", "nonstandard", "particular", "certain", "uncertain", "hush", "somebody", "nobody",
    "anyone", "someone", "noone", "everyone", "another", "others", "rotten", "crappy", "horrid", "sound", "overkill", "minimal", "maximal", "optimal", "bcrypt", "argon",
    "deterministic", "taboo", "chaos", "boring", "fancy", "cryptic", "familiar", "unfamiliar", "regular", "irregular", "popular", "plausible", "superior",
    "inferior", "exterior", "interior", "mundane", "humane", "genuine", "routine", "supreme", "extreme", "concise", "verbose", "profane", "obscene", "lucid",
    "putrid", "rapid", "flawed", "terse", "crisp", "slick", "brief", "stiff", "gruff", "daft", "swift", "morbid", "inane", "benign",
    "malign", "foreign", "sacred", "sacrosanct", "honest", "modest", "earnest", "unjust", "moist", "latest", "oldest", "newest", "longest", "shortest",
    "easiest", "hardest", "worthy", "unworthy", "healthy", "trusty", "rusty", "dusty", "crusty", "hefty", "lofty", "crafty", "shifty", "nifty", "thrifty",
    "vitale", "peligrosa", "perigosa", "pericolosa", "ridícula", "ridicola", "infantil", "infantile", "doble", "doppia", "dupla", "sencilla", "horrorosa", "perfecta",
    "perfeita", "perfetta", "interna", "externa", "esterna", "caduca", "ninguna", "cualquiera", "qualquer", "qualsiasi", "tuya", "fija", "fixa", "fissa", "inútil",
    "ideale", "asurda", "assurda", "scorretta", "adatta", "temporanea", "condivisa", "valida", "solida", "vecina", "conjunta", "muerta", "viva", "morta", "activa",
    "inactiva", "ativa", "inativa", "attiva", "eterna", "moderna", "ligera", "leve", "crucial", "cruciale", "neuf", "neuve", "parfait", "parfaite", "ridicule", "absurde",
    "original", "originale", "quelconque", "solide", "fixe", "provisoire", "éphémère", "personnel", "imparfait", "laid", "laide", "lent", "lente", "lourd", "lourde", "léger",
    "légère", "mort", "morte", "vivant", "actif", "inactif", "sensible", "aléatoire", "dérisoire", "illusoire", "accessoire", "secondaire", "primaire", "temporel",
    "blödsinn", "käse", "thema", "teil", "teilgeheimnis", "chef", "glückssache", "nebensache", "hauptsache", "formsache", "vergangenheit", "zufall", "allgemeingut",
    "gesetz", "bestandteil", "witz", "kinderkram", "murks", "pfusch", "top",
    // Dutch.
    "gewijzigd", "veranderd", "verlopen", "bekend", "onbekend", "geheim", "zwak", "sterk", "kort", "fout", "juist", "vergeten", "onjuist", "geldig",
    "ongeldig", "verplicht", "nieuw", "oud", "veilig", "onveilig", "goed", "slecht", "simpel", "moeilijk", "makkelijk", "weg", "kwijt", "nodig", "leeg",
    "opgeslagen", "opgeschreven", "geblokkeerd", "ingewikkeld", "hetzelfde", "gedeeld", "klaar", "gelekt", "gestolen", "uniek", "tijdelijk", "persoonlijk", "onleesbaar",
];
