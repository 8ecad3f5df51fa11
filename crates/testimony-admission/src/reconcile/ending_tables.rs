//! Events that end a state, and the states that they end. A new word is a new word in a line.

/// A kind of ending.
pub(super) struct Ending {
    /// How it is told.
    pub(super) phrases: &'static [&'static str],
    /// Words of the states that it ends, and nothing where it ends whatever is known of the thing.
    pub(super) states: &'static str,
    /// Whether it is told of somebody who was in that state, and not of the thing alone.
    pub(super) of_somebody: bool,
    /// Whether it has to name what ended beside whose it was.
    pub(super) needs_object: bool,
    /// Whether it ends only what is to come.
    pub(super) planned: bool,
    /// Whether it has to name what is gone and where it is gone from: "we removed the cache" tells of any.
    pub(super) names_both: bool,
}

#[rustfmt::skip]
pub(super) const ENDINGS: &[Ending] = &[
    Ending {
        phrases: &["is off", "are off", "is called off"],
        states: "",
        of_somebody: false,
        needs_object: true,
        planned: true,
        names_both: false,
    },
    Ending {
        phrases: &["was cancelled", "were cancelled", "was canceled", "were canceled", "is cancelled", "is canceled", "are cancelled", "has been cancelled", "has been canceled", "got cancelled", "was called off", "is called off", "has been called off", "was scrapped", "has been scrapped", "is not happening", "wurde abgesagt", "ist abgesagt", "wurden abgesagt", "wurde gestrichen", "wurde storniert", "ist storniert", "fällt aus", "fällt weg", "est annulé", "est annulée", "a été annulé", "a été annulée", "sont annulés", "se canceló", "se ha cancelado", "fue cancelado", "fue cancelada", "está cancelado", "está cancelada", "se suspendió", "è annullato", "è annullata", "è stato annullato", "è stata annullata", "è saltato", "è saltata", "foi cancelado", "foi cancelada", "is geannuleerd", "gaat niet door", "är inställt", "är inställd", "odwołano", "zostało odwołane", "отменили", "отменён", "отменена"],
        states: "",
        of_somebody: false,
        needs_object: true,
        planned: true,
        names_both: false,
    },
    Ending {
        phrases: &["stepped down as", "stepped down from", "resigned as", "resigned from", "retired as", "retired from", "was suspended as", "was dismissed as", "was removed as", "was fired as", "was voted out as", "quit as", "left as", "gave up the post of", "gave up the role of", "is no longer", "zurückgetreten", "abberufen", "abgewählt", "suspendiert", "a démissionné", "a démissionné de son poste de", "a été suspendu", "a été suspendue", "dimitió como", "dimitió", "renunció como", "renunció", "fue suspendido como", "fue suspendida como", "si è dimesso", "si è dimessa", "demitiu-se", "trad af als", "is afgetreden als"],
        states: "is ist est es è é serves works acts",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["left", "quit", "has left", "have left", "dropped out of", "resigned from", "was fired from", "was expelled from", "cancelled my membership of", "cancelled my membership at", "verlassen", "ausgetreten", "gekündigt bei", "a quitté", "ai quitté", "dejé", "dejó", "ha lasciato", "ho lasciato"],
        states: "play plays work works sing sings member study studies train trains volunteer volunteers coach coaches belong belongs serve serves employed enrolled spiele spielt arbeite arbeitet singe singt mitglied joue travaille chante membre juego juega trabajo trabaja canto canta miembro lavoro lavora gioco gioca membro",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["sold", "have sold", "has sold", "got rid of", "gave away", "lost", "scrapped", "returned", "verkauft", "verloren", "verschenkt", "weggegeben", "ai vendu", "a vendu", "ai perdu", "a perdu", "vendí", "vendió", "he vendido", "ha vendido", "perdí", "ho venduto", "ha venduto", "vendi", "vendeu", "verkocht"],
        states: "own owns have has 've drive drives ride rides keep keeps possess possesses besitze besitzt habe hat fahre fährt possède ai conduis tengo tiene poseo conduzco ho possiedo possiede guido tenho tem heb heeft",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["graduated from", "graduated", "dropped out of", "absolvierte", "a obtenu son diplôme de", "se graduó en", "se graduó de", "si è laureato", "si è laureata"],
        states: "student study studies studiert studentin studierende attend attends enrolled étudiant étudiante étudie estudiante estudia studente studentessa studia pupil undergraduate",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["was removed from", "were removed from", "is removed from", "has been removed from", "have been removed from", "got removed from", "was dropped from", "has been dropped from", "were dropped from", "was taken out of", "has been taken out of", "was ripped out of", "has been ripped out of", "was deleted from", "has been deleted from", "was cut from", "has been cut from", "was stripped from", "was ditched from", "has been ditched from", "was retired from", "has been retired from", "was struck from", "was taken off", "has been taken off", "is gone from", "are gone from", "has gone from", "has disappeared from", "was withdrawn from", "has been withdrawn from", "removed", "have removed", "ripped", "stripped", "wurde entfernt aus", "wurde entfernt", "wurden entfernt", "ist raus aus", "flog raus", "a été retiré de", "a été retirée de", "a été supprimé de", "a été supprimée de", "a disparu de", "fue retirado de", "fue retirada de", "fue eliminado de", "fue eliminada de", "se quitó de", "se eliminó de", "è stato rimosso da", "è stata rimossa da", "è stato tolto da", "è stata tolta da", "is verwijderd uit"],
        states: "use uses using has have contain contains include includes offer offers carry carries list lists need needs depend depends run runs is are stand stands hang hangs sit sits lie lies nutzt nutzen verwendet hat haben enthält ist steht hängt utilise utilisent a contient comprend est usa usan tiene contiene incluye está utiliza ha è heeft bevat staat",
        of_somebody: false,
        needs_object: true,
        planned: false,
        names_both: true,
    },
    Ending {
        phrases: &["is rid of", "are rid of", "got rid of", "has got rid of", "have got rid of", "did away with", "has done away with", "does without", "works without", "is now without", "was moved off", "has moved off", "were moved off", "moved away from", "was moved away from", "was migrated off", "was migrated away from", "kommt ohne", "kommt jetzt ohne", "s'est débarrassé de", "s'est débarrassée de", "se deshizo de", "si è liberato di", "is af van"],
        states: "is are stands lies use uses using run runs has have contain contains include includes depend depends need needs rely relies goes go nutzt nutzen verwendet hat utilise a contient usa tiene contiene utiliza ha heeft gebruikt",
        of_somebody: false,
        needs_object: true,
        planned: false,
        names_both: true,
    },
    Ending {
        phrases: &["ditched", "dropped", "abandoned", "retired", "phased out", "moved off", "moved away from"],
        states: "use uses using run runs has have contain contains include includes depend depends need needs rely relies goes go nutzt nutzen verwendet hat utilise a contient usa tiene contiene utiliza ha heeft gebruikt",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["dropped", "ditched", "abandoned", "phased out", "moved away from", "moved off", "retired", "stopped using", "got rid of", "migrated away from", "migrated off", "migrated from", "switched from", "abgeschafft", "abgelöst", "avons abandonné", "ai abandonné", "a abandonné", "abandonamos", "abandonné", "dejamos de usar", "abbiamo abbandonato"],
        states: "use uses using run runs nutzen nutze nutzt verwenden benutzen utilisons utilise utilisent usamos usa uso usan usiamo study studies take takes studiert studie estudia étudie studia",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["is back from", "are back from", "am back from", "came back from", "has come back from", "got back from", "is home from", "am home from", "returned from", "has returned from", "ist zurück aus", "ist zurück von", "bin zurück aus", "est de retour de", "suis de retour de", "ha vuelto de", "è tornato da", "è tornata da", "is terug van"],
        states: "is am are ist bin est suis está estoy è sono ben",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["died", "passed away", "has died", "ist gestorben", "starb", "est mort", "est morte", "est décédé", "est décédée", "murió", "ha muerto", "falleció", "è morto", "è morta", "morreu", "is overleden"],
        states: "alive lives live lebt lebendig vivant vivante vit vivo viva vive vivo leeft",
        of_somebody: true,
        needs_object: false,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["got married", "has married", "hat geheiratet", "s'est marié", "s'est mariée", "est marié", "est mariée", "se casó", "se ha casado", "si è sposato", "si è sposata"],
        states: "single unmarried ledig célibataire soltero soltera celibe nubile solteiro solteira engaged verlobt",
        of_somebody: true,
        needs_object: false,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["broke up with", "has broken up with", "split up with", "split from", "separated from", "called off the engagement with", "hat sich getrennt von", "a rompu avec", "ha roto con", "rompió con", "si è lasciata con", "si è lasciato con"],
        states: "engaged dating together relationship couple seeing married verlobt zusammen liiert fiancé fiancée ensemble novia novio pareja fidanzato fidanzata",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["gave birth", "has given birth", "had her baby", "had the baby", "hat entbunden", "a accouché", "dio a luz", "ha dado a luz", "ha partorito"],
        states: "pregnant expecting schwanger enceinte embarazada incinta grávida zwanger",
        of_somebody: true,
        needs_object: false,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["finished", "have finished", "has finished", "finished reading", "finished watching", "finished writing", "am done with", "is done with", "ausgelesen", "fertig gelesen", "fini de lire", "terminé de leer", "acabé de leer", "ho finito di leggere"],
        states: "reading watching writing knitting painting renovating restoring translating attending lese liest schreibe schreibt leyendo escribiendo",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["gave up", "have given up", "has given up", "swore off", "has sworn off", "cut out", "have cut out", "habe aufgehört mit", "hat aufgehört mit", "ai arrêté", "a arrêté", "ho smesso con"],
        states: "drink drinks smoke smokes eat eats take takes chew chews trinke trinkt rauche raucht esse isst bois boit fume mange bebo bebe fumo fuma como come bevo beve",
        of_somebody: true,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["has been paid", "have been paid", "was paid", "were paid", "was settled", "has been settled", "wurde bezahlt", "wurde beglichen", "a été payé", "a été payée", "se pagó", "ha sido pagada", "ha sido pagado"],
        states: "unpaid outstanding overdue unbezahlt offen impayé impayée impagado impagada",
        of_somebody: false,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["reopened", "has reopened", "was reopened", "opened again", "is open again", "are open again", "wurde wieder geöffnet", "ist wieder offen", "a rouvert", "reabrió", "ha riaperto"],
        states: "closed shut geschlossen gesperrt zu fermé fermée cerrado cerrada chiuso chiusa gesloten",
        of_somebody: false,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["was repaired", "were repaired", "has been repaired", "was mended", "was fixed", "has been fixed", "works again", "is working again", "runs again", "läuft wieder", "funktioniert wieder", "wurde repariert", "a été réparé", "a été réparée", "remarche", "está reparado", "está reparada", "fue reparado", "fue reparada"],
        states: "broken defective faulty down kaputt defekt cassé cassée roto rota averiado averiada guasto guasta",
        of_somebody: false,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["was found", "were found", "has been found", "turned up", "has turned up", "wurde gefunden", "ist wieder da", "a été retrouvé", "a été retrouvée", "apareció", "è stato ritrovato", "è stata ritrovata"],
        states: "missing lost stolen vermisst verschwunden gestohlen disparu disparue volé perdido perdida robado robada scomparso scomparsa",
        of_somebody: false,
        needs_object: true,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["recovered", "has recovered", "is well again", "is healthy again", "is better now", "ist wieder gesund", "est guéri", "est guérie", "se recuperó", "ya está bien", "è guarito", "è guarita"],
        states: "ill sick unwell krank malade enfermo enferma malato malata ziek",
        of_somebody: true,
        needs_object: false,
        planned: false,
        names_both: false,
    },
    Ending {
        phrases: &["got divorced", "has divorced", "divorced", "separated", "hat sich scheiden lassen", "est divorcé", "est divorcée", "se divorció", "ha divorziato"],
        states: "married verheiratet marié mariée casado casada sposato sposata",
        of_somebody: true,
        needs_object: false,
        planned: false,
        names_both: false,
    },
];

/// Words that carry nothing beside an ending.
#[rustfmt::skip]
pub(super) const BY_THE_WAY: &[&str] = &[
    "as", "als", "comme", "como", "come", "finally", "recently", "already", "officially", "just", "sadly", "unfortunately", "leider", "schon", "bereits", "endlich", "gestern", "yesterday", "today", "ai", "have", "has", "had", "habe", "hab", "hat", "haben", "he", "ha", "avons", "last", "week", "month", "year", "spring", "summer", "autumn", "winter", "his", "her", "their", "your", "sein", "seine", "seinen", "ihr", "ihre", "ihren", "son", "sa", "ses", "su", "sus", "suo", "sua", "been", "got", "we've", "i've",
];

/// Words at which the clause of an ending ends.
#[rustfmt::skip]
pub(super) const BREAKS: &[&str] = &[
    "and", "but", "because", "since", "so", "favour", "favor", "instead", "und", "aber", "weil", "zugunsten", "et", "mais", "car", "profit", "pero", "porque", "y", "ma", "perché",
];

/// What somebody leaves at a place without leaving the place is none of these.
#[rustfmt::skip]
pub(super) const POSTS: &[&str] = &[
    "job", "position", "post", "role", "place", "seat", "company", "team", "club", "band", "board", "choir", "firm", "group",
];

/// Words behind an ending that go on to what comes instead, or to the price.
#[rustfmt::skip]
pub(super) const ONWARD: &[&str] = &[
    "for", "für", "pour", "por", "per", "voor",
];

/// Words in front of an ending that say that it is not told as a fact.
#[rustfmt::skip]
pub(super) const UNREAL: &[&str] = &[
    "not", "never", "nearly", "almost", "if", "unless", "may", "might", "could", "would", "should", "will", "wants", "want", "plans", "plan", "when", "before", "until", "without", "nobody", "nicht", "nie", "fast", "beinahe", "wenn", "falls", "wird", "würde", "ne", "n", "pas", "jamais", "si", "no", "nunca", "casi", "non", "quasi", "se", "não", "who", "n't", "didn't", "hasn't", "haven't", "isn't", "wasn't",
];

/// How it is told that something was once so.
#[rustfmt::skip]
pub(super) const FORMERLY: &[&str] = &[
    "used to", "formerly", "previously", "früher", "ehemals", "autrefois", "anciennement", "antes", "solía", "antiguamente", "un tempo", "in passato", "antigamente", "vroeger", "kiedyś", "раньше",
];

/// Words that deny, in a statement that is known.
#[rustfmt::skip]
pub(super) const NOT: &[&str] = &[
    "not", "never", "don't", "doesn't", "isn't", "aren't", "nicht", "kein", "keine", "keinen", "nie", "pas", "jamais", "no", "nunca", "non", "não", "niet", "geen", "inte", "ikke",
];

/// Words that say of a role which rank of it is meant.
#[rustfmt::skip]
pub(super) const RANKS: &[&str] = &[
    "deputy", "vice", "assistant", "acting", "interim", "former", "co", "stellvertretender", "stellvertretende", "adjoint", "adjointe", "vicepresidenta", "suplente",
];
