//! Words as data: pronouns, and the nouns and articles that tell by which of them somebody or something is meant.

use super::referents::{HE, IT, Pronouns, SHE, THEY};
use super::words::Words;

/// Pronouns, each with whom it may mean: in the languages of the tables where they are of the third person.
#[rustfmt::skip]
pub(super) const PRONOUNS: &[(&str, Pronouns)] = &[
    ("he", HE), ("him", HE), ("his", HE), ("she", SHE), ("her", SHE), ("it", IT), ("its", IT), ("they", THEY), ("them", THEY), ("their", THEY),
    ("er", HE), ("es", IT), ("ihr", SHE | THEY), ("ihre", SHE | THEY), ("ihren", SHE | THEY), ("ihrer", SHE | THEY), ("ihres", SHE | THEY), ("seine", HE | IT), ("seinen", HE | IT), ("seiner", HE | IT), ("seines", HE | IT),
    ("il", HE), ("elle", SHE), ("ils", THEY), ("elles", THEY), ("son", HE | SHE), ("sa", HE | SHE), ("ses", HE | SHE), ("leur", THEY), ("leurs", THEY),
    ("él", HE), ("ella", SHE), ("ellos", THEY), ("ellas", THEY), ("su", HE | SHE), ("sus", HE | SHE),
    ("lui", HE), ("lei", SHE), ("ele", HE), ("ela", SHE), ("eles", THEY), ("elas", THEY), ("hij", HE), ("zij", SHE | THEY), ("suo", HE | SHE), ("sua", HE | SHE), ("seu", HE | SHE),
];

/// Those of languages that the tables do not know.
pub(super) const ELSEWHERE: &Words = &Words::of(&[
    "lui", "lei", "ele", "ela", "eles", "elas", "hij", "zij", "suo", "sua", "seu",
]);

/// Articles and possessives that tell by which pronoun their noun is meant; the English ones do not.
#[rustfmt::skip]
pub(super) const ARTICLES: &[(&str, Pronouns)] = &[
    ("der", HE), ("die", SHE | THEY), ("das", IT), ("ein", HE | IT), ("eine", SHE), ("mein", HE | IT), ("meine", SHE | THEY), ("unser", HE | IT), ("unsere", SHE | THEY), ("den", HE), ("einen", HE), ("meinen", HE), ("unseren", HE),
    ("le", HE), ("la", SHE), ("les", THEY), ("un", HE), ("une", SHE), ("l'", HE | SHE), ("mon", HE), ("ma", SHE), ("mes", THEY), ("notre", HE | SHE), ("nos", THEY),
    ("el", HE), ("los", THEY), ("las", THEY), ("una", SHE), ("mi", HE | SHE), ("mis", THEY), ("nuestro", HE), ("nuestra", SHE), ("nuestros", THEY), ("nuestras", THEY),
];

/// Nouns and titles for men.
#[rustfmt::skip]
pub(super) const MALE: &Words = &Words::of(&[
    "mr", "sir", "lord", "brother", "father", "dad", "husband", "son", "uncle", "nephew", "grandfather", "grandpa", "grandson", "boyfriend", "fiancé", "stepson", "stepfather", "godfather", "godson", "man", "boy", "guy", "landlord", "headmaster", "chairman", "groom",
    "herr", "bruder", "vater", "papa", "mann", "sohn", "onkel", "neffe", "opa", "freund", "kollege", "nachbar", "vermieter", "hausarzt", "zahnarzt",
    "monsieur", "frère", "père", "mari", "fils", "oncle", "neveu", "copain", "voisin", "señor", "sr", "hermano", "padre", "papá", "marido", "esposo", "hijo", "tío", "sobrino", "abuelo", "novio", "jefe", "vecino",
    "signor", "fratello", "marito", "figlio", "nonno", "irmão", "pai", "filho", "avô", "broer", "vader", "zoon", "oom",
]);

/// Nouns and titles for women.
#[rustfmt::skip]
pub(super) const FEMALE: &Words = &Words::of(&[
    "mrs", "ms", "miss", "madam", "lady", "sister", "mother", "mom", "mum", "wife", "daughter", "aunt", "niece", "grandmother", "grandma", "granddaughter", "girlfriend", "fiancée", "stepdaughter", "stepmother", "godmother", "goddaughter", "woman", "girl", "landlady", "headmistress", "chairwoman", "bride",
    "frau", "schwester", "mutter", "mama", "tochter", "tante", "nichte", "oma", "freundin", "kollegin", "nachbarin", "chefin", "vermieterin",
    "madame", "mme", "sœur", "mère", "femme", "fille", "nièce", "copine", "voisine", "señora", "sra", "hermana", "madre", "mamá", "mujer", "esposa", "hija", "tía", "sobrina", "abuela", "novia", "jefa", "vecina",
    "signora", "sorella", "moglie", "figlia", "nonna", "irmã", "mãe", "filha", "avó", "zus", "moeder", "vrouw", "dochter",
]);

/// Nouns for many without the ending of many.
pub(super) const MANY: &Words = &Words::of(&[
    "children", "people", "men", "women", "staff", "police", "kinder", "eltern", "leute", "data",
]);

/// Nouns for those who are many and one: "our supplier is Kestrel Mills, and their prices rose".
pub(super) const GROUPS: &Words = &Words::of(&[
    "supplier",
    "vendor",
    "provider",
    "client",
    "customer",
    "company",
    "firm",
    "agency",
    "bank",
    "insurer",
    "carrier",
    "contractor",
    "employer",
    "team",
    "band",
    "club",
    "publisher",
    "lieferant",
    "firma",
    "kunde",
    "fournisseur",
    "entreprise",
    "proveedor",
    "empresa",
    "cliente",
]);

/// Behind these stands a place or a day, and nobody.
pub(super) const PLACE_PREPOSITIONS: &Words = &Words::of(&[
    "in", "at", "near", "on", "from", "into", "via", "towards", "through", "im", "aus", "nach",
    "bei", "beim", "auf", "à", "en", "dans", "desde", "em", "no", "na", "uit", "naar", "bij",
]);

/// What leads "to" a place, or "for" an employer.
pub(super) const LEADS_TO_A_PLACE: &Words = &Words::of(&[
    "move",
    "moves",
    "moved",
    "moving",
    "relocate",
    "relocated",
    "relocating",
    "fly",
    "flies",
    "flew",
    "flying",
    "travel",
    "travels",
    "travelled",
    "traveled",
    "going",
    "went",
    "drive",
    "drives",
    "drove",
    "back",
    "trip",
    "commute",
    "commutes",
    "work",
    "works",
    "worked",
    "working",
]);
