//! Words by which a statement says where, when or for whom it holds, beside what it answers. A new word is a new word in a line.

/// Words in front of a scope.
pub(super) const LEADING: &str = "in on at during over throughout within under for im am an bei auf während für en dans à pendant durant sur pour por para durante nel nella per op tijdens voor";

/// Of these, those in front of whom or what it is for.
pub(super) const FOR: &str = "for für pour para per voor";

/// Environments, a line for each.
pub(super) const ENVIRONMENTS: &[&str] = &[
    "prod production produktion producción",
    "staging",
    "preprod preproduction pre-production préproduction preproducción",
    "dev development develop entwicklung desarrollo développement local locally localhost",
    "test testing tests testumgebung pruebas",
    "qa",
    "uat",
    "ci",
    "sandbox",
    "canary",
];

/// Words that an environment is called by beside its name.
pub(super) const SURROUNDING: &str = "environment environments env system systems server servers cluster clusters mode builds umgebung système entorno environnement omgeving";

/// Seasons and kinds of days, within which something holds.
pub(super) const SEASONS: &str = "summer winter spring autumn weekday weekdays weekend weekends weeknights holiday holidays vacation vacations term semester night nights daytime morning mornings afternoon afternoons evening evenings lunchtime peak offseason ramadan christmas sommer frühling frühjahr herbst werktags wochenende ferien nacht été hiver printemps automne vacances semaine verano invierno primavera otoño vacaciones noche estate inverno autunno vacanze notte zomer lente herfst";

/// Periods of the calendar that are told by a number or a rank.
pub(super) const PERIODS: &str =
    "q1 q2 q3 q4 h1 h2 week quarter half semester term season year month kw woche quartal halbjahr";

/// What tells one period from another.
pub(super) const RANKS: &str = "first second third fourth last previous 1st 2nd 3rd 4th";

/// What rules say of a place: behind these a place says where the rule holds.
pub(super) const RULES: &str = "free mandatory compulsory optional legal illegal allowed forbidden banned permitted prohibited required taxed closed tax-free";

/// Words that open a clause that says why.
pub(super) const REASONS: &str = "because since as while although so until weil da obwohl parce puisque car porque ya perché poiché omdat want";

/// Behind these "for" leads to the answer itself: "is booked for the choir", "works for Bosch".
pub(super) const ASKING_FOR: &str = "booked reserved meant intended made bought built designed planned scheduled responsible known famous waiting looking ready work works worked working plays play played stands stand asked asks ask care cares caring search searching vote votes voted study studies studying train trains training pays paid pay left leaves headed heading gebucht reserviert arbeitet arbeite zuständig travaille trabaja lavora";

/// Behind "for" these say nothing of whom: "for free", "for now", "for everyone".
pub(super) const FOR_NOBODY: &str = "free now good sale rent hire example instance sure certain ever long short once all everyone everybody anyone us me it him her them that this lunch dinner breakfast fun work real time start life";

/// Units by which an amount is counted, a line for each.
pub(super) const RATES: &[&str] = &[
    "hour hourly stunde heure hora ora uur",
    "day daily tag jour día giorno dag",
    "night nightly nacht nuit noche notte",
    "week weekly woche semaine semana settimana",
    "month monthly monat mois mes mese maand",
    "quarter quarterly quartal trimestre",
    "year yearly annually annual jahr an année año anno jaar",
    "person head kopf personne persona",
    "minute minutely",
    "second",
];

/// Words in front of the unit of a rate.
pub(super) const EACH: &str = "a an per each every pro im par al por je a la";
