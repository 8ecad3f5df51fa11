//! Words that weigh nothing when a sentence is held against what it cites, and words for numbers.

/// Words that stand at the beginning of a sentence without naming anything, and that make no two sentences alike.
#[rustfmt::skip]
pub(super) const IDLE_WORDS: &[&str] = &[
    // English
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "he", "she", "they", "we", "i", "you", "his", "her",
    "their", "our", "my", "your", "there", "here", "in", "on", "at", "by", "for", "from", "of", "to", "with", "as", "and",
    "or", "but", "if", "when", "while", "since", "until", "after", "before", "because", "although", "though", "however",
    "also", "both", "all", "each", "every", "some", "any", "no", "not", "yes", "is", "are", "was", "were", "be", "been",
    "has", "have", "had", "do", "does", "did", "can", "could", "will", "would", "may", "might", "must", "should", "then",
    "than", "so", "such", "only", "just", "more", "most", "other", "another", "one", "according", "based", "currently",
    "previously", "now", "today", "still", "additionally", "moreover", "furthermore", "besides", "note", "unconfirmed", "see", "everything", "everybody",
    "everyone", "something", "somebody", "someone", "nothing", "nobody", "anything", "anybody", "anyone",
    "recorded", "memory", "memories", "what", "which", "who", "where", "how", "why", "during", "between", "about", "into",
    "over", "under", "out", "up", "down", "again", "once", "per", "instead", "otherwise", "therefore", "thus", "hence",
    // German
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "er", "sie", "es", "wir",
    "ihr", "ihre", "sein", "seine", "und", "oder", "aber", "wenn", "als", "da", "weil", "dass", "im", "am", "an", "auf",
    "bei", "mit", "nach", "von", "vom", "vor", "zu", "zum", "zur", "aus", "für", "seit", "bis", "ist", "sind", "war",
    "waren", "hat", "haben", "hatte", "wird", "werden", "wurde", "nicht", "kein", "keine", "auch", "nur", "noch", "laut",
    // French
    "le", "la", "les", "un", "une", "des", "du", "de", "il", "elle", "ils", "elles", "on", "nous", "vous", "je", "et",
    "ou", "mais", "si", "dans", "sur", "sous", "avec", "pour", "par", "depuis", "avant", "après", "est", "sont", "était",
    "ont", "ne", "pas", "selon", "ce", "cet", "cette", "ces", "son", "sa", "ses", "leur", "leurs", "aux", "au",
    // Spanish, Portuguese, Italian
    "el", "los", "las", "una", "unos", "unas", "al", "del", "ella", "ellos", "y", "o", "pero", "en", "con", "por", "para",
    "según", "es", "son", "está", "están", "fue", "ha", "han", "no", "su", "sus", "os", "um", "uma", "ao", "aos", "da",
    "do", "das", "dos", "na", "nas", "nos", "ele", "ela", "eles", "elas", "e", "mas", "em", "com", "segundo", "é", "são",
    "foi", "foram", "não", "seu", "sua", "seus", "suas", "lo", "gli", "uno", "lei", "lui", "loro", "di", "dal", "nel",
    "nella", "sul", "con", "per", "tra", "fra", "secondo", "sono", "era", "hanno", "non", "il",
];

/// Words for numbers, and the figures that they stand for. `one` is left out: it seldom counts.
#[rustfmt::skip]
pub(super) const NUMBER_WORDS: &[(&str, &str)] = &[
    ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"), ("seven", "7"), ("eight", "8"),
    ("nine", "9"), ("ten", "10"), ("eleven", "11"), ("twelve", "12"), ("thirteen", "13"), ("fourteen", "14"),
    ("fifteen", "15"), ("sixteen", "16"), ("seventeen", "17"), ("eighteen", "18"), ("nineteen", "19"), ("twenty", "20"),
    ("thirty", "30"), ("forty", "40"), ("fifty", "50"), ("sixty", "60"), ("seventy", "70"), ("eighty", "80"),
    ("ninety", "90"), ("hundred", "100"), ("thousand", "1000"), ("million", "1000000"), ("billion", "1000000000"),
    ("dozen", "12"), ("twice", "2"), ("half", "0.5"),
    ("zwei", "2"), ("drei", "3"), ("vier", "4"), ("fünf", "5"), ("sechs", "6"), ("sieben", "7"), ("acht", "8"),
    ("neun", "9"), ("zehn", "10"), ("elf", "11"), ("zwölf", "12"), ("zwanzig", "20"), ("hundert", "100"), ("tausend", "1000"),
    ("deux", "2"), ("trois", "3"), ("quatre", "4"), ("cinq", "5"), ("huit", "8"), ("neuf", "9"),
    ("dix", "10"), ("onze", "11"), ("douze", "12"), ("vingt", "20"), ("mille", "1000"),
    ("dos", "2"), ("tres", "3"), ("cuatro", "4"), ("cinco", "5"), ("seis", "6"), ("siete", "7"), ("ocho", "8"),
    ("nueve", "9"), ("diez", "10"), ("doce", "12"), ("veinte", "20"), ("cien", "100"), ("mil", "1000"),
    ("dois", "2"), ("duas", "2"), ("três", "3"), ("quatro", "4"), ("sete", "7"), ("oito", "8"), ("nove", "9"),
    ("dez", "10"), ("doze", "12"), ("vinte", "20"), ("cem", "100"),
    ("tre", "3"), ("quattro", "4"), ("cinque", "5"), ("sette", "7"), 
    ("dieci", "10"), ("dodici", "12"), ("venti", "20"), ("cento", "100"),
];

/// By which words a model says that a memory is unconfirmed, as it is told to.
#[rustfmt::skip]
pub(super) const RESERVATIONS: &[&str] = &[
    "not yet confirmed", "not confirmed", "never confirmed", "not been confirmed", "not yet verified", "not verified",
    "noch nicht bestätigt", "nicht bestätigt", "pas encore confirmé", "pas confirmé", "no está confirmado", "no confirmado",
];
