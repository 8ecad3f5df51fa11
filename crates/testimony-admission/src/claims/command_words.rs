//! What an instruction may be, and the words by which one is told from another.

use super::words::Words;

/// What a reader gives, of whose form somebody may have wishes.
pub(super) const ANSWERS: &Words = &Words::of(&[
    "answer",
    "answers",
    "reply",
    "replies",
    "response",
    "responses",
    "message",
    "messages",
    "summary",
    "summaries",
    "explanation",
    "explanations",
    "e-mails",
    "emails",
    "drafts",
    "texts",
    "code",
    "sentences",
]);

/// Verbs by which a new value is told as an order: "change my address to".
pub(super) const SETTING_VERBS: &Words =
    &Words::of(&["change", "update", "set", "correct", "switch"]);

/// Verbs that take back what was said, whatever it was.
pub(super) const DROPPING_VERBS: &Words = &Words::of(&["forget", "disregard", "ignore"]);

/// Words that say on which occasion something is wished.
pub(super) const OCCASIONS: &Words = &Words::of(&["when", "whenever", "if"]);

/// Verbs that make a lasting wish of an instruction: "use tabs", "call me Mo".
#[rustfmt::skip]
pub(super) const STYLE_VERBS: &Words = &Words::of(&[
    "use", "prefer", "avoid", "stick", "address", "duze", "duzt", "sieze", "tutoie-moi", "tutoyez-moi", "vouvoie-moi", "vouvoyez-moi", "tutéame", "tutéeme",
]);

/// Verbs that do so where they speak of the speaker or of answers: "call me Mo", "keep answers short".
pub(super) const READER_VERBS: &Words = &Words::of(&["call", "keep", "make", "write", "format"]);

/// What somebody is told not to do once: "don't forget to lock up" is no lasting wish.
pub(super) const SINGLE_WARNINGS: &Words =
    &Words::of(&["forget", "worry", "hesitate", "bother", "wait"]);

/// What an instruction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// One thing to do now.
    Once,
    /// How things are to be done from now on.
    Lasting,
    /// One thing to do, and when or how often: worth knowing until then.
    Detailed,
    /// One thing to do, and the address or number for it.
    Addressed,
    /// A new value, told as an order.
    Changes,
    /// The same by its verb alone: "use tabs".
    Styled,
    /// One of these, and why: it says how somebody wants things, whoever reports it.
    Reasoned,
}

/// Words that open the reason of an instruction.
#[rustfmt::skip]
pub(super) const REASON_WORDS: &Words = &Words::of(&[
    "because", "since", "as", "weil", "da", "denn", "parce", "car", "puisque", "porque", "ya", "pues",
]);

/// How far the verb of a reason may stand behind the word that opens it, in tokens.
pub(super) const REASON_REACH: usize = 8;

/// Small words of languages that the tables do not know and that English lacks: a sentence with them orders nothing in English.
#[rustfmt::skip]
pub(super) const FOREIGN_SMALL_WORDS: &Words = &Words::of(&[
    "z", "ze", "w", "na", "od", "dla", "się", "jest", "są", "przez", "v", "ve", "se", "je", "pro", "di", "del", "della", "dello", "dei", "il", "gli", "nel", "nella", "è", "het", "een", "van", "voor", "op", "och", "på", "av", "för", "är", "til", "af", "og", "er", "em", "da", "dos", "das", "uma", "um", "está", "é", "à", "ja", "és", "egy", "az", "cu", "în", "este", "ile", "için", "bir", "yang", "untuk", "adalah",
]);

/// Verbs that ask for an answer or a piece of work, whatever day they name.
#[rustfmt::skip]
pub(super) const ASKING_VERBS: &Words = &Words::of(&[
    "show", "tell", "give", "list", "find", "search", "check", "look", "explain", "describe", "compare", "summarize", "summarise", "translate", "write", "draft", "generate", "create", "make", "print",
    "get", "fetch", "read", "open", "help", "try", "test", "review", "verify", "confirm", "stop", "wait", "come", "go", "see", "fix", "build", "run", "suggest", "recommend", "refactor", "rewrite", "rephrase", "proofread", "paraphrase", "convert", "calculate",
    "zeig", "zeige", "sag", "sage", "schau", "erkläre", "hilf", "prüfe", "öffne", "lies", "gib", "mach", "mache", "such", "suche", "fasse", "übersetze",
    "montre", "montrez", "montre-moi", "dis-moi", "explique", "ouvre", "vérifie", "donne-moi", "muestra", "muéstrame", "dime", "dame", "explica", "abre", "revisa", "busca", "resume",
]);

/// What stands behind the verb of an order for here and now.
#[rustfmt::skip]
pub(super) const OF_THE_MOMENT: &Words = &Words::of(&[
    "me", "us", "it", "this", "that", "these", "those", "them", "here", "mir", "uns", "mich", "es", "das",
]);

/// An order of fewer words is done at once and forgotten.
pub(super) const LEAST_TELLING: usize = 6;

/// What of a kind is handed to somebody is named in so many words.
pub(super) const LONGEST_KIND: usize = 4;

/// How often within a unit of the calendar: "twice a day".
#[rustfmt::skip]
pub(super) const TIMES: &Words = &Words::of(&[
    "once", "twice", "thrice", "einmal", "zweimal", "dreimal", "viermal", "times", "fois", "veces", "vez", "mal",
]);

/// What joins that to the unit.
#[rustfmt::skip]
pub(super) const PER: &Words = &Words::of(&["a", "an", "per", "each", "every", "am", "pro", "in", "im", "die", "par", "al", "por", "cada", "täglich"]);

/// Each of a kind.
#[rustfmt::skip]
pub(super) const EACH: &Words = &Words::of(&[
    "every", "each", "jeden", "jede", "jedes", "alle", "chaque", "tous", "toutes", "cada", "todos", "todas",
]);

/// Parts of the day that come again.
#[rustfmt::skip]
pub(super) const PARTS_OF_DAY: &Words = &Words::of(&[
    "morning", "evening", "night", "noon", "afternoon", "hour", "hours", "minutes", "morgen", "abend", "stunden", "matin", "matins", "soir", "soirs", "nuit", "heures", "mañana", "mañanas", "noche", "noches", "tarde", "tardes", "horas",
]);

/// Adverbs that say how often.
#[rustfmt::skip]
pub(super) const RHYTHMS: &Words = &Words::of(&[
    "daily", "weekly", "monthly", "yearly", "annually", "hourly", "nightly", "täglich", "wöchentlich", "monatlich", "jährlich", "stündlich", "quotidiennement", "diariamente", "semanalmente", "mensualmente",
]);

/// Times of which there are many: "in the mornings", "on weekdays".
pub(super) const TIMES_OF_MANY: &Words = &Words::of(&[
    "mornings",
    "afternoons",
    "evenings",
    "nights",
    "weekdays",
    "weekends",
    "mealtimes",
]);

/// Words in front of a month without a day.
#[rustfmt::skip]
pub(super) const BEFORE_DAYS: &Words = &Words::of(&[
    "in", "by", "before", "until", "till", "after", "of", "im", "bis", "vor", "nach", "en", "avant", "après", "antes", "hasta", "de",
]);

/// Words in front of a stretch of time after or within which something is to be done.
#[rustfmt::skip]
pub(super) const BEFORE_DELAYS: &Words = &Words::of(&[
    "after", "within", "for", "nach", "binnen", "innerhalb", "après", "sous", "tras", "dentro",
]);

/// So many digits at least are a number to dial.
pub(super) const LEAST_DIALLED: usize = 7;

/// Verbs by which somebody says what to be called, in one word with "me".
#[rustfmt::skip]
pub(super) const NAMING_ME: &Words = &Words::of(&["llámame", "llamame", "llámeme", "appelle-moi", "appelez-moi"]);

/// Verbs of answering, in one word with "me".
#[rustfmt::skip]
pub(super) const ANSWERING_ME: &Words = &Words::of(&[
    "réponds-moi", "répondez-moi", "parle-moi", "parlez-moi", "écris-moi", "écrivez-moi", "respóndeme", "contéstame", "háblame", "escríbeme", "respóndame", "contésteme", "trátame", "trátenme",
]);

/// Verbs of answering.
#[rustfmt::skip]
pub(super) const ANSWERING: &Words = &Words::of(&[
    "answer", "reply", "respond", "speak", "write", "antworte", "antwortet", "sprich", "sprecht", "schreib", "schreibe", "rede",
]);

/// Languages and manners in which somebody wants to be answered.
#[rustfmt::skip]
pub(super) const MANNERS: &Words = &Words::of(&[
    "english", "german", "french", "spanish", "italian", "dutch", "portuguese", "norwegian", "swedish", "polish", "turkish", "russian", "arabic", "chinese", "japanese", "korean", "hindi",
    "deutsch", "englisch", "französisch", "spanisch", "italienisch", "französischen", "allemand", "anglais", "français", "espagnol", "italien", "alemán", "inglés", "francés", "español", "italiano", "portugués", "catalán",
    "briefly", "concisely", "formally", "informally", "politely", "plainly", "kurz", "knapp", "förmlich", "höflich", "ausführlich", "du", "dir", "sie", "brièvement", "poliment", "simplement", "breve", "brevemente", "tú", "usted",
]);

/// What is denied to whoever is told not to do it, in the forms that only orders have.
#[rustfmt::skip]
pub(super) const FORBIDDEN: &Words = &Words::of(&[
    "sugieras", "recomiendes", "propongas", "ofrezcas", "escribas", "llames", "envíes", "mandes", "respondas", "contestes", "hables", "menciones", "uses", "muestres", "compres", "pongas", "digas", "trates",
    "propose", "proposez", "suggère", "suggérez", "recommande", "recommandez", "réponds", "répondez", "écris", "écrivez", "appelle", "appelez", "envoie", "envoyez", "montre", "montrez", "mentionne", "mentionnez", "tutoie", "tutoyez",
]);

/// What a rule is called.
#[rustfmt::skip]
pub(super) const RULES: &Words = &Words::of(&[
    "rule", "rules", "policy", "law", "regulation", "requirement", "regel", "vorschrift", "hausordnung", "règle", "règlement", "regla", "norma",
]);

/// Verbs that name a thing as often: they order only where their object stands right behind them.
#[rustfmt::skip]
pub(super) const NAMES_TOO: &Words = &Words::of(&[
    "load", "order", "pay", "phone", "text", "email", "ring", "lift", "water", "paint", "trim", "print", "sign", "label", "sort", "stack", "park", "plug", "fold", "hang", "collect", "lower", "enter", "plan", "draw", "design", "sketch",
]);
