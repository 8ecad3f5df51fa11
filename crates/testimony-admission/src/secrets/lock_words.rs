//! Word lists for numbers that a sentence gives to a lock or a door without a word for codes: what is a lock, what is a
//! door, what somebody does with a number there, and what shows that the number is another one. All in lower case.

/// Things that are locks.
#[rustfmt::skip]
pub(super) const LOCKS: &[&str] = &[
    "lock", "padlock", "lockbox", "lock box", "key safe", "keysafe", "key box", "keybox", "alarm", "keypad", "vorhängeschloss", "zahlenschloss",
    "fahrradschloss", "schlüsselbox", "schlüsselsafe", "schlüsseltresor", "alarmanlage", "cadenas", "boîte à clés", "candado", "lucchetto",
    "hangslot", "fietsslot", "cijferslot", "sleutelkluis", "safe", "tresor", "coffre-fort", "caja fuerte", "cassaforte", "kluis",
];

/// Those of them that have other numbers too, which stand right behind them: canals, patents, programs, rows of a table.
#[rustfmt::skip]
pub(super) const NUMBERED: &[&str] = &[
    "lock", "alarm", "keypad", "alarmanlage", "safe", "tresor", "coffre-fort", "caja fuerte", "cassaforte", "kluis",
];

/// Things that have a lock, and numbers of many other kinds: they are followed only to what says that they want one.
#[rustfmt::skip]
pub(super) const ASKED: &[&str] = &[
    "gate", "door", "garage", "locker", "shed", "lobby", "entrance", "barrier", "intercom", "tor", "haustür", "tür", "hoftor", "gartentor", "garagentor", "kellertür",
    "hintertür", "seitentür", "schranke", "schuppen", "spind", "schließfach", "portail", "porte", "casier", "barrière", "portón", "puerta", "garaje", "cochera",
    "taquilla", "verja", "portal", "portão", "porta", "garagem", "cancello", "portone", "armadietto", "poort", "deur", "voordeur", "achterdeur", "schuur",
];

/// What says that a lock or a door wants a number.
#[rustfmt::skip]
pub(super) const WANTS: &[&str] = &[
    "needs", "takes", "wants", "asks", "accepts", "expects", "braucht", "will", "verlangt", "nimmt", "demande", "prend", "veut", "pide", "necesita", "quiere",
    "pede", "precisa", "quer", "chiede", "vuole", "prende", "vraagt", "wil",
];

/// What joins a number to what somebody opens with it.
pub(super) const WITH: &[&str] = &["with", "using", "mit", "avec", "con", "com", "met"];

/// What may stand between those and the number.
#[rustfmt::skip]
pub(super) const ASIDES: &[&str] = &[
    "for", "now", "still", "just", "only", "nach", "jetzt", "noch", "de", "ahora", "maintenant", "ora", "ancora", "agora", "ainda", "om", "nu", "nog",
];

/// What stands behind a number that is a sum of money or a share of something.
#[rustfmt::skip]
pub(super) const OF_SUMS: &[&str] = &[
    "to", "for", "in", "per", "by", "of", "or", "für", "pro", "im", "pour", "par", "para", "al", "ao", "voor",
];

/// What tells when or where a number opens; it is not what the number counts.
#[rustfmt::skip]
pub(super) const WHEN_OR_WHERE: &[&str] = &[
    "now", "within", "during", "today", "tonight", "instead", "nowadays", "between", "through", "throughout", "every", "anytime", "always", "also", "first", "twice",
    "jetzt", "heute", "nachts", "abends", "ab", "seit", "immer", "zuerst", "sonst", "ein", "après", "maintenant", "depuis", "entre", "ahora", "desde", "después", "siempre",
    "hoy", "agora", "hoje", "depois", "adesso", "dopo", "oggi", "dalle", "sempre", "nu", "vandaag", "sinds", "vanaf", "altijd",
    "beside", "near", "outside", "downstairs", "an", "vor", "beim", "am", "unten", "à", "au", "chez", "devant", "alla", "allo", "nella", "sul", "no", "na", "bij", "aan",
];

/// What somebody does with a number at a door; the number follows at once.
#[rustfmt::skip]
pub(super) const PRESSES: &[&str] = &[
    "get in with", "press", "punch in", "punch", "key in", "enter", "dial", "type", "type in", "tap", "tap in", "put in", "input",
];

/// The same in languages that may put it behind the number, or a few words before it.
#[rustfmt::skip]
pub(super) const PRESSES_APART: &[&str] = &[
    "drücke", "drücken", "drück", "tippe", "tippen", "tipp", "wähle", "wählen", "gib", "gebt", "eingeben", "eintippen", "eintasten", "tapez", "tape", "composez", "compose",
    "saisissez", "pulsa", "pulse", "marca", "marque", "teclea", "digita", "premi", "componi", "digite", "tecle", "disque", "aperte", "toets", "druk", "invoeren",
    "intoetsen", "indrukken", "intippen", "drukken", "pulsando", "marcando", "tecleando", "digitando", "premendo", "tapant", "composant",
];

/// What somebody does with many things, and with a number only where a door is said to take it.
#[rustfmt::skip]
pub(super) const USES: &[&str] = &[
    "use", "utilise", "utilisez", "usa", "usad", "usar", "utiliza", "utilizza", "nimm", "nehmt", "benutze", "benutzt", "gebruik",
];

/// What a number does that stands before it.
#[rustfmt::skip]
pub(super) const OPENERS: &[&str] = &[
    "opens", "unlocks", "disarms", "gets you in", "gets you into", "lets you in", "lets you into", "öffnet", "entsperrt", "ouvre", "déverrouille", "abre", "apre",
    "sblocca", "opent",
];

/// Where numbers are pressed to get through.
#[rustfmt::skip]
pub(super) const DOORS: &[&str] = &[
    "door", "gate", "building", "keypad", "alarm", "lobby", "garage", "entrance", "intercom", "locker", "safe", "lockbox", "shed", "padlock", "barrier", "elevator",
    "tür", "haustür", "hintertür", "seitentür", "kellertür", "tor", "hoftor", "gartentor", "garagentor", "alarmanlage", "spind", "schranke", "porte", "portail",
    "immeuble", "alarme", "casier", "puerta", "portal", "portón", "garaje", "cochera", "verja", "alarma", "portão", "porta", "garagem", "portone", "cancello", "allarme",
    "deur", "voordeur", "achterdeur", "poort",
];

/// What stands at a door and has keys.
pub(super) const WITH_KEYS: &[&str] = &[
    "panel", "pad", "handset", "bell", "buzzer", "phone", "reader",
];

/// What somebody presses a number for.
#[rustfmt::skip]
pub(super) const OPENING: &[&str] = &[
    "open", "unlock", "disarm", "öffnen", "entsperren", "reinzukommen", "hineinzukommen", "reinkommen", "hineinkommen", "ouvrir", "entrer", "abrir", "entrar",
    "aprire", "entrare", "openen", "binnenkomen", "opens", "opened", "öffnet", "ouvre", "abre", "apre", "opent",
];

/// The same in several words.
pub(super) const GETTING_IN: &[&str] = &[
    "get in",
    "get inside",
    "get into",
    "getting in",
    "let yourself in",
    "come in",
    "go in",
];

/// What those words mean where one of these follows.
pub(super) const NO_ENTRANCES: &[&str] = &["touch", "contact", "line", "shape", "trouble", "on"];

/// Who is called by a number: an extension is no secret.
#[rustfmt::skip]
pub(super) const CALLED: &[&str] = &[
    "reach", "speak", "talk", "desk", "helpdesk", "reception", "receptionist", "extension", "ext", "manager", "operator", "concierge", "switchboard", "landlord", "support", "help", "assistance", "maintenance", "emergencies",
    "rezeption", "empfang", "zentrale", "durchwahl", "hausmeister", "accueil", "standard", "poste", "gardien", "recepción", "extensión", "centralita", "conserje",
    "recepção", "ramal", "porteiro", "centralino", "interno", "portinaio", "receptie", "toestel", "conciërge",
];

/// What says what a lock has now. What it was is more often a price.
pub(super) const IS: &[&str] = &["is", "ist", "lautet", "est", "es", "è", "é"];

/// What a phrase of the lock itself begins with.
#[rustfmt::skip]
pub(super) const ARTICLES: &[&str] = &[
    "the", "my", "our", "her", "his", "their", "your", "a", "der", "die", "das", "mein", "unser", "le", "la", "mon", "notre", "el", "mi", "nuestro",
    "il", "lo", "mio", "nostro", "de", "het", "mijn", "ons", "o", "os", "nosso", "meu",
];

/// What somebody does at a keypad before or behind the number.
#[rustfmt::skip]
pub(super) const HANDLING: &[&str] = &[
    "turn", "push", "pull", "press", "hash", "star", "pound", "handle", "beep", "beeps", "keypad", "drehen", "drücken", "ziehen", "tourner", "pousser", "girar", "empujar",
    "girare", "spingere", "draaien", "duwen",
];
