//! Words by which two statements of the same words are told apart. A new word is a new word in a line.

/// Words that govern what stands behind them, so that who stands there has another part than who stands free.
pub(super) const GOVERNING: &str = "de del di du to out till beneath zwischen während neben près from by for of with without into onto against about than on at in off over under above below before after until since through towards toward via inside outside as beside behind near between among alongside nach von vom zu zum zur aus bei beim für mit ohne gegen über unter vor hinter als wie durch bis seit ab an am auf im par pour avec sans contre vers chez dans sous sur depuis que à au aux con sin contra hacia desde hasta por para entre como senza verso fino tra fra come dal dalla dallo per com sem até naar uit met zonder tegen voor door tot dan";

/// What stands behind these is compared with what stands before: only one of the two ways round can hold.
pub(super) const COMPARING: &str = "than als que wie dan before after above below avant antes";

/// Words that govern alike, a line of one sense each; two that share no line say different things of what they govern.
pub(super) const SENSES: &[&str] = &[
    "in at on inside within during im am an auf bei beim während en dans à au aux sur chez pendant durante nel nella su per op aan",
    "to into onto towards toward via nach zu zum zur auf in an à au aux vers en hacia para a verso per naar",
    "from out since von vom aus seit ab de depuis desde da dal dalla dallo van uit",
    "for to für an pour à para por a per com voor",
    "about on of über von sur de sobre su di over",
    "of from on von vom des de da di dal dalla van in at",
    "with mit avec con com met",
    "of with mit aus de en",
    "by from von vom durch par por da dal dalla door van",
    "by near beside next bei neben près cerca vicino at in on",
    "as als comme como come",
    "than als que dan wie di",
    "until till to bis jusqu hasta fino até tot zu",
    "under below beneath unter sous bajo sotto onder",
    "over above über sur sobre sopra boven on auf",
    "behind hinter derrière detrás dietro achter",
    "before vor avant antes prima voor ante",
    "after nach après después dopo na",
    "without ohne sans sin senza sem zonder",
    "against gegen contre contra contro tegen",
    "between among zwischen entre tra fra tussen",
    "through durch par por per door via",
    "outside außerhalb fuera fuori",
];

/// Words behind which the one who does it stands, where it is told of whom it is done to.
pub(super) const AGENT: &str = "by von vom par por da dal dalla door";

/// What holds either way round.
pub(super) const MUTUAL: &str = "married engaged divorced related siblings sibling twins twin cousins cousin neighbours neighbour neighbor neighbors friends friend dating met meets meet adjacent opposite next near beside borders border resembles identical similar equal equals same parallel partners partner colleagues colleague roommates roommate flatmates flatmate as verheiratet verlobt geschieden verwandt befreundet nachbar nachbarin traf grenzt gleich marié mariée fiancé fiancée ami amie voisin voisine aussi casado casada comprometido amigo amiga vecino vecina tan sposato sposata vicino vicina getrouwd";

/// By these the second of two who share something is joined.
pub(super) const MUTUAL_JOINTS: &str =
    "to with of as mit zu wie an von à avec de que con a com met from";

/// Words that join the members of a list.
pub(super) const JOINING: &str = "and or nor und oder et ou y e o en och";

/// Forms of "to be" and "to have" of the present, and of the past.
pub(super) const PRESENT: &str = "is are has have ist sind hat haben habe bin est sont es son está están tiene tienen tengo è hanno é são tem têm heeft hebben";
pub(super) const PAST: &str = "was were had war waren hatte hatten était étaient avait avaient era eran fue fueron tenía tenían tuvo estaba aveva avevano tinha tinham";

/// Forms of "to have" that help another verb, around which the parties stand.
pub(super) const HELPING: &str = "has have had hat haben habe hatte hatten a ont avait avaient ha han había hanno aveva tem tinha heeft hebben har";

/// Words that take something away from what is said.
pub(super) const LIMITING: &str = "part partly partially half almost nearly except unless sometimes rarely seldom mostly barely hardly provisionally conditionally supposedly teilweise teils halb fast beinahe außer manchmal selten partiellement partie presque sauf parfois parcialmente parte casi salvo excepto parzialmente quasi tranne gedeeltelijk bijna";

/// Parts of a day, which narrow a day that is named.
pub(super) const PARTS_OF_DAY: &str = "morning mornings afternoon afternoons evening evenings night nights midnight noon midday lunchtime morgens vormittag vormittags nachmittag nachmittags abend abends nacht nachts mittag mitternacht matin midi après-midi soir soirée nuit minuit mañana tarde noche mediodía medianoche mattina pomeriggio sera notte mezzogiorno mezzanotte";

/// Words that say along which side something is measured.
pub(super) const MEASURED: &str = "high tall long wide deep thick broad heavy hoch lang breit tief dick schwer haut longueur largeur hauteur profondeur profond large épais alto largo ancho profundo grueso lungo profondo altura anchura";

/// Words for all and for none of a kind.
pub(super) const ALL: &str = "all every everyone everybody everything each alle jeder jede jedes tous toutes chaque todos todas cada tutti tutte ogni";
pub(super) const NONE: &str = "no none nobody nothing neither kein keine keiner keines niemand nichts aucun aucune personne rien ningún ninguno ninguna nadie nada nessuno nessuna";

/// Words in front of one name that make two things of it.
pub(super) const SIBLING_WORDS: &[(&str, &str)] = &[
    ("old", "new"),
    ("alte alter altes alten", "neue neuer neues neuen"),
    ("ancien ancienne vieux vieille", "nouveau nouvelle nouvel"),
    ("viejo vieja antiguo antigua", "nuevo nueva"),
    ("vecchio vecchia", "nuovo nuova"),
    ("left", "right"),
    ("front", "back rear"),
    ("upper top", "lower bottom"),
    ("first", "second third last"),
    ("inner", "outer"),
    ("big large", "small little"),
    ("elder older", "younger"),
    ("morning", "evening afternoon"),
];
