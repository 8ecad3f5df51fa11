//! Words that say how a statement is to be held against others. A new word is a new word in a line.

/// What a word may be; a word may be several.
pub(super) type Kind = u32;

/// Stands for somebody or something that was named before.
pub(super) const PRONOUN: Kind = 1;
/// Stands for somebody only where a verb follows; elsewhere it is an article or a name.
pub(super) const PRONOUN_BEFORE_VERB: Kind = 1 << 1;
/// A verb of one who is not named.
pub(super) const BARE_VERB: Kind = 1 << 2;
/// May stand in front of a subject and says nothing of it.
pub(super) const OPENER: Kind = 1 << 3;
/// In front of a thing, whosever it is.
pub(super) const DETERMINER: Kind = 1 << 4;
/// Tells what was done to a thing, which is done to many things.
pub(super) const DEED: Kind = 1 << 5;
/// One takes the place of another.
pub(super) const INSTEAD: Kind = 1 << 6;
/// A day near this one.
pub(super) const NEAR: Kind = 1 << 7;
/// In front of a time it makes one occasion of it.
pub(super) const ONE_OF_TIME: Kind = 1 << 8;
/// Opens a clause that says under which condition the rest holds.
pub(super) const CONDITION: Kind = 1 << 9;
/// Says where, when or for whom, at the beginning of a statement.
pub(super) const FRAME: Kind = 1 << 10;
/// In front of a purpose.
pub(super) const PURPOSE: Kind = 1 << 11;
/// A role of which there is one beside every other one: "Contact: …".
pub(super) const ROLE_OF_MANY: Kind = 1 << 12;
/// A threshold.
pub(super) const THRESHOLD: Kind = 1 << 13;
/// Behind an hour.
pub(super) const HALF_OF_DAY: Kind = 1 << 14;
/// Adds to what is said something that limits it.
pub(super) const LIMIT: Kind = 1 << 15;
/// A kind of one, of which there may be others: "a friend".
pub(super) const ONE_OF_A_KIND: Kind = 1 << 16;
/// A period of the calendar.
pub(super) const PERIOD: Kind = 1 << 17;
/// From which time on.
pub(super) const FROM_ON: Kind = 1 << 18;
/// Only some.
pub(super) const ONLY: Kind = 1 << 19;
/// Any one, all.
pub(super) const ANY: Kind = 1 << 20;
/// A licence, or what is under one.
pub(super) const LICENCE: Kind = 1 << 21;
/// Sets a switch.
pub(super) const TURNED: Kind = 1 << 22;
/// At no time.
pub(super) const NEVER: Kind = 1 << 23;

#[rustfmt::skip]
pub(super) const KINDS: &[(Kind, &str)] = &[
    (PRONOUN, "he she it they his her hers its their theirs er sein seine seinen seiner ihr ihre ihren ihrer elle ils elles son sa ses leur leurs cela ça él ellos ellas su sus eso esto egli essa esso suo suoi sua sue hij zij ze haar hun"),
    (PRONOUN_BEFORE_VERB, "il ella lui lei loro this that these those sie es das dies ce c ese esa este esta questo questa quello quella dit dat deze die zijn"),
    (BARE_VERB, "vive viven trabaja trabajan tiene tienen está están cuesta abre cierra lavora lavorano abita abitano vive ha è costa apre chiude"),
    (OPENER, "now and but so then yes no also still actually currently nun jetzt und aber auch maintenant et mais ahora y pero también ora adesso e ma anche nu en maar ook"),
    (DETERMINER, "the a an my our your his her its their der die das den dem ein eine einen einem mein meine meinen unser unsere sein seine seinen ihr ihre ihren le la les un une mon ma mes son sa ses notre el los las una mi mis su sus il lo gli i uno mio mia suo sua de het een mijn ons onze zijn haar"),
    (DEED, "changed renamed moved switched sold bought replaced deleted updated cancelled painted repaired fixed cleaned lost broke returned archived closed opened wechselte gewechselt geändert umbenannt verschoben verkauft gekauft ersetzt gelöscht repariert ausgeschaltet eingeschaltet changé renommé déplacé vendu acheté remplacé supprimé réparé éteint allumé cambió renombró movió vendió compró reemplazó borró reparó apagó encendió cambiato rinominato spostato venduto comprato sostituito cancellato riparato spento acceso veranderd hernoemd verplaatst verkocht gekocht vervangen gerepareerd"),
    (INSTEAD, "instead rather anstatt stattdessen anstelle plutôt invece"),
    (NEAR, "yesterday today tonight tomorrow gestern heute morgen hier aujourd'hui demain ayer hoy mañana ieri oggi domani gisteren vandaag"),
    (ONE_OF_TIME, "this next last once diese dieser diesen dieses nächste nächsten nächster letzte letzten cette ce prochain prochaine dernier dernière esta este próxima próximo pasada pasado questa questo prossima prossimo scorsa deze dit volgende vorige"),
    (PERIOD, "week month time morning afternoon evening night weekend day woche monat mal semaine mois fois semana mes vez settimana mese volta maand keer"),
    (CONDITION, "while when whenever if unless during wenn während falls solange sofern quand lorsque pendant si tant cuando mientras quando mentre se finché als wanneer terwijl"),
    (FRAME, "in at for on within under with im am bei für auf in dans chez pour sur en para por nel nella per su bij voor op"),
    (FROM_ON, "from since starting effective beginning ab seit von dès depuis partir desde da dal vanaf sinds"),
    (PURPOSE, "for für pour para per voor"),
    (ROLE_OF_MANY, "contact contacts customer client guest tenant applicant patient caller kontakt ansprechpartner kunde kundin gast mieter client cliente contacto contatto contactpersoon klant"),
    (THRESHOLD, "above over under below beyond exceeding from least most über unter ab plus moins dès más menos sopra sotto boven onder vanaf"),
    (HALF_OF_DAY, "am pm a.m p.m uhr uur h heures"),
    (LIMIT, "until till but unless except without bis aber außer ohne sofern jusqu mais sauf sans hasta pero salvo excepto sin fino ma tranne senza tot maar behalve zonder"),
    (ONE_OF_A_KIND, "a an ein eine un une una een"),
    (ONLY, "only nur seuls seulement solo sólo soltanto alleen"),
    (ANY, "any every all each everyone anyone anybody everybody jeder jede jedes alle tout tous toute toutes cualquier cualquiera todos todas ogni tutti tutte qualsiasi elke iedere iedereen"),
    (TURNED, "turned switched turn switch"),
    (NEVER, "never nie jamais nunca mai nooit"),
    (LICENCE, "licensed licence license lizenz lizenziert licencié licencia licenciado licenza licentie"),
];

/// What holds of many at once, by whichever one it is told: one more takes nobody's place. A verb, or a verb and the
/// word behind it.
#[rustfmt::skip]
pub(super) const OPEN: &[&str] = &[
    "integrate with", "integrates with", "integrated with", "deliver to", "delivers to", "ship to", "ships to", "accept", "accepts", "support", "supports", "available in", "available on", "available for", "available at", "compatible with", "work with", "works with", "worked with", "working with", "connect to", "connects to", "connects with", "sync with", "syncs with", "talk to", "talks to", "sell", "sells", "offer", "offers", "serve", "serves", "stock", "stocks", "carry", "carries", "depend on", "depends on", "friend of", "friends with", "member of", "export to", "exports to", "exports", "imports", "import from", "imports from", "covers", "cover", "include", "includes", "translated into", "stop at", "stops at", "call at", "calls at", "pass through", "passes through", "trained in", "certified in", "fluent in", "interested in", "experience with", "familiar with", "collaborates with", "collaborated with",
    "liefert nach", "hält in", "hält am", "halten in", "halten am", "liefern nach", "liefern an", "akzeptiert", "akzeptieren", "unterstützt", "unterstützen", "verkauft", "verkaufen", "bietet", "bieten", "verfügbar auf", "verfügbar in", "arbeitet mit", "gearbeitet mit", "befreundet mit", "kompatibel mit",
    "livre en", "s'arrête à", "livre à", "livrons en", "accepte", "acceptons", "vend", "vendons", "propose", "proposons", "disponible en", "disponible sur", "intègre", "compatible avec", "travaille avec", "dépend de", "ami de", "amie de",
    "entrega en", "para en", "entregamos en", "acepta", "aceptamos", "admite", "vende", "vendemos", "ofrece", "ofrecemos", "compatible con", "trabaja con", "integra con", "depende de", "amigo de", "amiga de",
    "consegna in", "consegniamo in", "accetta", "accettiamo", "supporta", "vende", "offre", "offriamo", "disponibile in", "compatibile con", "integra con", "dipende da", "amico di", "amica di",
    "levert aan", "levert in", "leveren aan", "leveren in", "accepteert", "accepteren", "ondersteunt", "verkoopt", "verkopen", "biedt", "bieden", "beschikbaar in", "compatibel met", "werkt met",
];

/// How it is told that one takes the place of another, in front of the other.
pub(super) const IN_PLACE_OF: &[&str] = &[
    "instead of",
    "rather than",
    "in place of",
    "statt",
    "anstatt",
    "anstelle von",
    "au lieu de",
    "au lieu du",
    "plutôt que",
    "en lugar de",
    "en vez de",
    "invece di",
    "invece del",
    "al posto di",
    "in plaats van",
    "i stället för",
    "zamiast",
    "вместо",
];

/// Halves behind a unit: "an hour and a half".
pub(super) const AND_A_HALF: &[&str] = &["and a half", "y media", "et demie", "e mezza", "e mezzo"];

/// Halves in front of a unit: "half an hour", "media hora".
pub(super) const HALVES: &[&str] = &[
    "half", "halbe", "halber", "halben", "halbes", "media", "medio", "demi", "demie", "mezza",
    "mezzo", "meia", "meio", "halve",
];
