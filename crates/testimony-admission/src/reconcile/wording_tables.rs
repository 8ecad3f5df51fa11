//! Words by which two statements are compared where no slot is read, in many languages. A new word is a new word in a line.

/// What a cue in a statement says about how it stands to an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// Something holds now: "now", "from now on".
    Now,
    /// Something changed, whatever it was: "changed to", "replaced by".
    Changed,
    /// Something became something else: what it was is known only where both tell it.
    Became,
    /// A name changed.
    Renamed,
    /// It says since when it holds.
    Since,
    /// An amount changed.
    Amount,
    /// A place, a time or a holder changed.
    Placed,
    /// Something was wrong.
    Corrected,
    /// Something ended.
    Ended,
    /// It denies.
    Denied,
    /// It holds for a short time only.
    Briefly,
}

impl Says {
    /// Whether it is told by a verb behind which the new state stands.
    pub(super) const fn changes(self) -> bool {
        matches!(
            self,
            Self::Changed
                | Self::Became
                | Self::Renamed
                | Self::Amount
                | Self::Placed
                | Self::Ended
        )
    }
}

/// Cues; each phrase is a run of words as they are told apart, a character each where a script has no spaces.
#[rustfmt::skip]
pub(super) const CUES: &[(Says, &[&str])] = &[
    (Says::Now, &["now", "currently", "nowadays", "meanwhile", "these days", "from now on", "as of now", "as of today", "going forward", "starting now", "effective immediately", "effective now", "since then", "update", "news", "new info", "as of this week", "since last week"]),
    (Says::Now, &["from next week", "from next month", "from next year", "from next season", "from next term", "from next spring", "from next summer", "from next autumn", "from next winter", "as from next month", "starting next week", "starting next month", "starting next year", "as of next week", "as of next month", "as of next year", "ab nächster woche", "ab nächstem monat", "ab nächsten monat", "ab kommender woche", "ab kommendem monat", "ab nächstem jahr", "à partir de la semaine prochaine", "à partir du mois prochain", "dès la semaine prochaine", "a partir de la próxima semana", "a partir del próximo mes", "desde la próxima semana", "desde el próximo mes", "dalla prossima settimana", "dal prossimo mese"]),
    (Says::Now, &["room change", "gate change", "venue change", "time change", "date change", "schedule change", "change of plan", "change of plans", "change of venue", "planänderung", "terminänderung", "raumänderung", "cambio de planes", "cambio de sala", "cambio de hora", "changement de salle", "changement d'horaire", "changement de programme"]),
    (Says::Now, &["jetzt", "nun", "inzwischen", "mittlerweile", "ab jetzt", "ab sofort", "von jetzt an", "von nun an", "neuerdings", "künftig", "ab heute", "seit kurzem", "seit neuestem"]),
    (Says::Now, &["from today", "from today on", "starting today", "effective today", "von heute an", "ab sofort gilt", "à partir d'aujourd'hui", "dès aujourd'hui", "desde hoy", "a partir de hoy", "da oggi", "da oggi in poi", "a partire da oggi", "desde hoje", "a partir de hoje", "vanaf vandaag", "från och med idag", "från idag", "fra i dag", "od dziś", "od dzisiaj", "od dneška", "od danas", "с сегодняшнего дня", "від сьогодні", "bugünden itibaren", "mulai hari ini", "từ hôm nay", "从今天起", "从今天开始", "今日から", "오늘부터"]),
    (Says::Now, &["has a new", "have a new", "got a new", "has got a new", "hat eine neue", "hat einen neuen", "hat ein neues", "haben eine neue", "haben einen neuen", "haben ein neues", "a un nouveau", "a une nouvelle", "ont un nouveau", "tiene un nuevo", "tiene una nueva", "tienen un nuevo", "tienen una nueva", "ha un nuovo", "ha una nuova", "tem um novo", "tem uma nova", "heeft een nieuw", "heeft een nieuwe", "har en ny", "har ett nytt", "har et nyt", "ma nowy", "ma nową", "ma nowe", "má nový", "má novou"]),
    (Says::Now, &["mon nouveau", "ma nouvelle", "notre nouveau", "notre nouvelle", "mein neuer", "meine neue", "mein neues", "unser neuer", "unsere neue", "unser neues", "mi nuevo", "mi nueva", "nuestro nuevo", "nuestra nueva", "il mio nuovo", "la mia nuova", "il nostro nuovo", "la nostra nuova", "o meu novo", "a minha nova", "mijn nieuwe", "onze nieuwe", "min nya", "min nye", "mój nowy", "moja nowa", "můj nový", "moje nová"]),
    (Says::Now, &["maintenant", "désormais", "dorénavant", "à présent", "à partir de maintenant", "dès maintenant", "mise à jour", "actuellement"]),
    (Says::Now, &["ahora", "desde ahora", "a partir de ahora", "actualmente", "actualización", "hoy en día", "adesso", "ora", "da ora", "da ora in poi", "d'ora in poi", "da adesso", "aggiornamento", "ormai", "agora", "a partir de agora", "atualmente", "atualização", "doravante", "ara"]),
    (Says::Now, &["nu", "voortaan", "vanaf nu", "tegenwoordig", "inmiddels", "numera", "från och med nu", "nå", "nuförtiden", "fra nå av", "fra nu af", "nyt", "nykyään", "tästä lähtien", "nú"]),
    (Says::Now, &["teraz", "obecnie", "od teraz", "aktualizacja", "nyní", "teď", "od teďka", "odteď", "odteraz", "sada", "od sada", "zdaj", "most", "mostantól", "acum", "de acum"]),
    (Says::Now, &["теперь", "сейчас", "отныне", "с этого момента", "обновление", "тепер", "зараз", "відтепер", "вече", "сега", "сада"]),
    (Says::Now, &["τώρα", "πλέον", "artık", "şimdi", "bundan sonra", "şu anda", "güncelleme", "sekarang", "kini", "mulai sekarang", "bây giờ", "hiện nay", "hiện tại", "từ giờ", "sasa", "kwa sasa"]),
    (Says::Now, &["الآن", "حاليا", "حالياً", "من الآن فصاعدا", "עכשיו", "כעת", "מעתה", "اکنون", "حالا", "अब", "अभी", "अब से", "এখন", "ตอนนี้", "เดี๋ยวนี้"]),
    (Says::Now, &["现在", "如今", "目前", "从现在起", "从现在开始", "更新", "現在", "如今", "今は", "今では", "これから", "今後は", "今後", "更新：", "이제", "이제는", "지금은", "지금", "현재", "앞으로"]),
    (Says::Changed, &["change my", "change our", "set my", "set our", "update my", "update our", "switch my", "switch our", "correct my", "was reset to", "has been reset to", "reset to", "recast", "has been recast", "was recast", "reallocated", "redistributed", "relabelled", "relabeled", "repriced", "repurposed", "rebuilt", "rerouted", "rebooked", "refitted", "rehung", "changed", "has changed", "switched", "switches", "migrated", "replaced", "was replaced", "swapped", "updated", "converted", "took over", "taken over", "takes over", "handed over", "reassigned", "passed on to", "was passed on", "instead", "rewritten", "repainted", "ported", "swapped out", "succeeded"]),
    (Says::Changed, &["geändert", "gewechselt", "umgestellt", "ersetzt", "abgelöst", "aktualisiert", "wurde zu", "übernommen", "changé", "changée", "remplacé", "remplacée", "passé à", "est passé", "est passée", "cambió", "cambiado", "cambiada", "reemplazado", "sustituido", "pasó", "cambiato", "cambiata", "sostituito", "passato", "passata", "mudou", "mudado", "substituído", "passou"]),
    (Says::Changed, &["gewijzigd", "veranderd", "vervangen", "överstapt", "bytte", "ändrades", "ersattes", "ændret", "endret", "byttet", "muuttui", "vaihdettiin", "vaihtui", "zmieniono", "zmienił", "zmieniła", "zmieniło", "zmieniony", "změněn", "změnil", "změnila", "změněno", "megváltozott", "изменился", "изменилась", "изменилось", "изменили", "сменился", "сменили", "заменили", "değişti", "değiştirildi", "oldu", "berubah", "diganti", "diubah", "đổi", "chuyển sang", "đã đổi", "άλλαξε"]),
    (Says::Changed, &["تغير", "تم تغيير", "بدل गया", "बदल गया", "बदल गई", "改为", "改成", "改到", "改在", "换成", "变成", "变为", "變成", "改為", "調到", "调到", "更改为", "に変更されました", "に変更になりました", "に変わりました", "になりました", "に変更", "으로 변경되었습니다", "로 변경되었습니다", "변경되었습니다", "바뀌었습니다", "바뀌었다", "변경됐습니다"]),
    (Says::Became, &["became", "has become", "have become", "turned into", "has turned into", "transitioned"]),
    (Says::Renamed, &["renamed", "was renamed", "rebranded", "umbenannt", "renommé", "renommée", "renombrado", "rinominato", "rinominata", "renomeado", "hernoemd", "omdöpt", "przemianowano", "переименован", "переименовали", "改名为", "改名", "改名に", "改称"]),
    (Says::Amount, &["turned up", "turned down", "dialled up", "dialled down", "dialed up", "dialed down", "put up", "put down", "cranked up", "scaled up", "scaled down", "brought down", "hochgedreht", "heruntergedreht", "hochgestellt", "aufgedreht", "runtergedreht", "monté à", "descendu à", "montée à", "descendue à", "se subió", "se bajó", "se ha subido", "se ha bajado", "alzato", "alzata", "abbassato", "abbassata", "aumentada", "reduzida", "reduzido", "omhoog gezet", "omlaag gezet", "skruvades upp", "podkręcono", "obniżono", "zvýšen", "snížen", "raised", "raises", "lowered", "increased", "increases", "reduced", "decreased", "bumped", "upgraded", "downgraded", "doubled", "extended", "shortened", "dropped", "gone up", "went up", "gone down", "went down", "rose", "fell", "climbed", "grew", "grown", "has grown", "have grown", "shrunk", "has shrunk", "shrank", "swollen", "dwindled", "gewachsen", "geschrumpft", "a grandi", "ha crecido", "creció", "è cresciuto", "è cresciuta", "cresceu", "cut", "erhöht", "gesenkt", "gestiegen", "angehoben", "verlängert", "verkürzt", "reduziert", "augmenté", "augmentée", "baissé", "baissée", "subió", "bajó", "aumentó", "aumentado", "salito", "salita", "sceso", "scesa", "aumentato", "aumentata", "subiu", "aumentou", "desceu", "baixou", "verhoogd", "verlaagd", "gestegen", "höjdes", "sänktes", "steg", "wzrósł", "wzrosła", "wzrosło", "podniesiono", "zvýšil", "вырос", "выросла", "повысили", "снизили", "yükseldi", "çıktı", "naik", "tăng lên", "涨到", "涨至", "降到", "降至", "升级到", "升级为", "提高到", "增加到", "减少到", "に上がりました", "に値上げ", "올랐습니다", "인상되었습니다"]),
    (Says::Placed, &["przeprowadził się", "przeprowadziła się", "przeprowadzili się", "przeprowadziłem się", "przeprowadziłam się", "wyprowadził się", "wyprowadziła się", "przestěhovala se", "přestěhovala se", "přestěhoval se", "přestěhovala", "presťahoval", "presťahovala", "preselio", "preselila", "preselil", "přestěhovali", "przeprowadził", "przeprowadziła", "przeprowadzili", "elköltözött", "átköltözött", "költözött", "s a mutat", "mutat la", "muutti", "kolis", "переїхав", "переїхала", "переїхали", "премести се", "μετακόμισε", "taşınmış", "taşındılar", "berpindah", "chuyển nhà", "انتقل إلى", "انتقلت إلى", "עבר ל", "moved", "moves", "relocated", "adjourned", "deferred", "put back", "put off", "moved up", "moved forward", "bumped", "vertagt", "vorverlegt", "vorgezogen", "ajourné", "ajournée", "adelantado", "adelantada", "pospuesto", "pospuesta", "postponed", "rescheduled", "delayed", "pushed", "pushed back", "brought forward", "slipped", "transferred", "shifted", "umgezogen", "verlegt", "verschoben", "gezogen", "déménagé", "reporté", "reportée", "déplacé", "déplacée", "avancé", "avancée", "trasladó", "trasladado", "mudó", "mudé", "aplazó", "aplazado", "spostato", "spostata", "trasferito", "trasferita", "adiada", "adiado", "transferida", "transferido", "mudei", "verplaatst", "verhuisd", "verschoven", "flyttade", "flyttades", "flyttet", "flyttat", "siirrettiin", "muutin", "muutti", "przeniesiono", "przeniósł", "przeniosła", "przełożono", "přesunuta", "přesunut", "přestěhoval", "перенесли", "перенесён", "перенесено", "перенесена", "переехал", "переехала", "переехали", "taşındı", "taşındım", "ertelendi", "pindah", "dipindahkan", "chuyển đến", "dời sang", "搬到", "搬到了", "搬去", "移到", "挪到", "推迟到", "に引っ越しました", "に移りました", "に移動しました", "に延期されました", "이사했습니다", "옮겼습니다", "연기되었습니다"]),
    (Says::Corrected, &["correction", "i mistyped", "mistyped", "misremembered", "i misremembered", "misheard", "i mixed up", "vertippt", "verwechselt", "i had it wrong", "got it wrong", "j'avais tort", "me confundí", "ho sbagliato", "errei", "vergist",  "corrected", "actually", "sorry i was wrong", "i was wrong", "sorry that was wrong", "that was wrong", "my mistake", "scratch that", "i misspoke", "sorry i meant", "i meant", "typo", "my bad", "in fact", "oops", "erratum", "to correct myself", "i made a mistake", "i got that wrong", "not true", "korrektur", "stimmt nicht", "ich habe mich geirrt", "ich lag falsch", "berichtigung", "tatsächlich", "rectification", "je me suis trompé", "je me suis trompée", "en fait", "corrección", "me equivoqué", "perdón", "en realidad", "correzione", "mi sono sbagliato", "mi sono sbagliata", "in realtà", "correção", "enganei-me", "na verdade", "correctie", "rättelse", "korjaus", "sprostowanie", "oprava", "pomyliłem się", "pomyliłam się", "поправка", "исправление", "я ошибся", "я ошиблась", "на самом деле", "düzeltme", "koreksi", "ralat", "đính chính", "更正", "纠正", "我说错了", "其实", "訂正", "間違えました", "정정", "تصحيح"]),
    (Says::Since, &["since", "as of", "starting", "effective", "beginning", "seit", "ab", "depuis", "desde", "sinds", "vanaf", "sedan", "siden", "od", "dal", "dall", "dalla"]),
    (Says::Ended, &["no longer", "left the", "has left", "left our", "not any more", "anymore", "any more", "stopped", "quit", "gave up", "given up", "ceased", "nicht mehr", "kein mehr", "keine mehr", "keinen mehr", "aufgehört", "plus", "ya no", "dejó de", "dejé de", "non più", "più", "ho smesso di", "já não", "deixei de", "parei de", "não mais", "niet meer", "geen meer", "gestopt met", "inte längre", "ikke længere", "ikke lenger", "slutat", "ei enää", "en enää", "enää", "już nie", "przestałem", "przestałam", "už ne", "už není", "больше не", "перестал", "перестала", "більше не", "artık değil", "tidak lagi", "không còn", "đã bỏ", "不再", "已经不", "不…了", "もう", "やめました", "더 이상", "그만두었습니다", "لم يعد", "لم أعد", "πια"]),
    (Says::Denied, &["not", "n't", "don't", "doesn't", "isn't", "aren't", "wasn't", "cannot", "can't", "won't", "never", "nicht", "kein", "keine", "keinen", "nie", "ne", "n'", "pas", "jamais", "no", "nunca", "non", "mai", "não", "nem", "niet", "geen", "inte", "ikke", "ei", "en", "nie", "není", "nejsem", "не", "нет", "ні", "değil", "tidak", "bukan", "không", "不", "没", "没有", "ません", "ない", "않습니다", "안", "لا", "ليس", "नहीं", "δεν", "nu este"]),
    (Says::Briefly, &["this week only", "only this week", "this week", "today only", "only today", "just today", "for now", "for today", "this month only", "temporarily", "tonight", "this time", "just for now", "nur diese woche", "diese woche", "nur heute", "vorübergehend", "heute", "cette semaine", "temporairement", "aujourd'hui", "esta semana", "solo hoy", "hoy", "temporalmente", "questa settimana", "oggi", "só hoje", "hoje", "esta semana", "deze week", "vandaag", "den här veckan", "w tym tygodniu", "dzisiaj", "dziś", "на этой неделе", "сегодня", "временно", "这周", "本周", "今天", "暂时", "今週", "今日", "今週だけ", "이번 주", "오늘"]),
];

/// Words that carry no content and do not place what follows: articles, "my", "the one who says it".
pub(super) const DROPPED: &str = "the a an name do prénom nom nombre nome naam imię jméno dort there allí là lì lá and und y et my our i we me us it its this that of s' der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere unseren ich wir es le la les l un une du des de d mon ma mes notre nos je j nous el lo los las una unos unas mi mis nuestro nuestra yo nosotros il i gli uno mio mia miei mie nostro nostra io noi o os as um uma meu minha meus minhas nosso nossa eu nós het een mijn ons onze ik wij we jag vi min mitt mina vår jeg mit mine vor jeg minun mój moja moje nasz nasza ja my můj moje náš naše já я мы мой моя моё мои наш наша наше του η το ο οι τα μου εγώ ben biz saya kami tôi và و मैं मेरा मेरी हम मेरे our also still just only again 저는 나는 제 우리 我 我们 我的 我們 私 私は 私の 僕は 的 了 吗 呢 los then each every jeden jede jedes chaque cada ogni 里 裡 里面 er zł there here so please se się";

/// Words that stand before an answer and place it: copulas, prepositions, particles.
pub(super) const PLACING: &str = "appelle heißt heisst heet heter llama chiama chama fica liegt befindet queda trova trouve jmenuje nazywa is are am was were be been being has have had will would 're 'm 'll 've 'd to at in on by with for from under behind near into onto via as per ist sind bin war waren wird werden wurde hat haben um am im auf bei beim in von zu zur zum mit unter hinter neben nach aus est sont suis était a ont à au aux en dans sur chez par pour sous avec es son soy está están estoy era fue ha a al con por para desde è sono sei ha alle alla al ai nel nella nei in da dal a per con é são está às ao à no na em nos nas para pelo is zijn ben bij naar op te met achter wordt werd är i på vid med hos kl klockan er hos ved til på on ovat olen jest są w we na o pod przy za je jsem v ve na pod u в во на под за о у у с со к στη στην στον στο είναι σε di ke pada adalah ở là vào tại في على عند هو هي يوم 在 是 为 到 位于 於 は が を に で へ です ます にあります 에 에서 में पर से है हैं हूँ को";

/// Verbs and prepositions that come behind what they place, so that the run before them is an answer.
pub(super) const PLACED_BEHIND: &str = "に で へ です में पर को";

/// Verbs of living and lying somewhere: of the places of one thing, one counts at a time.
pub(super) const LIVING: &str = "live lives living reside resides dwell dwells wohne wohnt wohnen lebe lebt habite vit vive vivo vivimos viven abito abita abitiamo vivono moro mora moramos woon woont wonen bor asun asuu mieszka mieszkam mieszkają bydlí bydlím bývá živi živim живу живёт живет живе 住 住んでいます 삽니다 yaşıyor yaşıyorum oturuyor tinggal sống μένω μένει lies liegt ligger ligt leży leží лежит лежить висит hangs hängt hänger stands stehen steht står stoi стоит";

/// Words that say where: of one thing in one frame, one place holds.
pub(super) const PLACES: &[&str] = &[
    "in", "at", "on", "under", "behind", "beside", "inside", "near", "opposite", "im", "am", "auf",
    "unter", "hinter", "neben", "bei", "dans", "sous", "sur", "chez", "en", "bajo", "sotto", "nel",
    "nella", "sul", "sulla", "na", "no", "op", "onder", "achter", "på", "w", "we", "v", "ve", "в",
    "на",
];

/// Words by which one more is added.
pub(super) const ADDING: &[&str] = &[
    "also",
    "too",
    "another",
    "additionally",
    "furthermore",
    "auch",
    "ebenfalls",
    "außerdem",
    "aussi",
    "également",
    "también",
    "además",
    "anche",
    "inoltre",
    "também",
    "ook",
    "också",
    "også",
    "myös",
    "też",
    "również",
    "také",
    "тоже",
    "также",
    "也",
    "还",
    "も",
];

/// Frames that many answers fit at once.
pub(super) const MANY: &str = "like likes love loves enjoy enjoys hate hates speak speaks know knows own owns use uses play plays teach teaches study studies visited visit visits prescribed bought buy buys ate eat eats read reads watched watches met went saw collect collects sell sells offer offers support supports include includes contains contain sings sing learned learns learn has have wants want follows follow mag liebe liebt spricht spreche spiele spielt nutze nutzt besitze besitzt hat habe lerne lernt kennt unterrichtet aime aimons aiment parle parlent joue utilise possède connaît apprend gusta gustan encanta habla hablan hablo juega juego usa uso tiene tengo conoce parla parlo gioca gioco amo ama usa ha ho conosce suona suono gosto gosta falo fala jogo joga tenho tem toco toca spreek spreekt hou speelt heeft heb houdt gillar talar spelar har äger liker snakker spiller pidän puhun lubię lubi mówi mówię gra ma mam mluví mám má hraje rád люблю любит говорит говорю играет играю знает имеет преподаёт 喜欢 爱 会说 有 养 吃 喜歡 好き 好きです 話せます 話します 持っています 좋아합니다 좋아해요 있습니다 suka bisa thích biết seviyorum sever biliyor konuşuyor";

/// Verbs of what one uses one of at a time, where another one is said to be in use now.
pub(super) const REPLACING: &str = "drive drives ride rides drink drinks wear wears smoke smokes fahre fährt trinke trinkt trage trägt rauche raucht conduis conduit bois boit porte conduzco conduce bebo bebe llevo lleva guido guida bevo beve indosso conduzo dirijo bebo rij rijdt drink drinkt kör dricker";

/// Pairs of events, of which each has its own time.
pub(super) const OPPOSITE_EVENTS: &[(&str, &str)] = &[
    (
        "open opens opening öffnet öffnen ouvre ouvrent ouverture abre abren apre aprono opent öppnar åbner åpner aukeaa otwiera otwarte открывается otevírá 开门 開店 营业 açılıyor açılır buka",
        "close closes closing schließt schließen ferme ferment cierra cierran chiude chiudono fecha fecham sluit stänger lukker stenger sulkeutuu zamyka zamknięte закрывается zavírá 关门 閉店 打烊 kapanıyor kapanır tutup",
    ),
    (
        "start starts begin begins started begann starting beginnt startet commence débute empieza comienza inizia comincia começa begint börjar begynder begynner starter alkaa zaczyna rozpoczyna начинается začíná 开始 始まります 시작합니다 başlıyor başlar mulai",
        "end ends ended finish finishes endet finit termine termina acaba finisce eindigt slutar slutter päättyy kończy заканчивается končí 结束 終わります 끝납니다 bitiyor biter selesai",
    ),
    (
        "depart departs leave leaves departed abfahrt fährt part sale parte vertrekt avgår afgår odjeżdża отправляется 出发 出発します 출발합니다 kalkıyor berangkat",
        "arrive arrives lands arrival kommt ankunft arrive llega arriva chega aankomt ankommer ankommt saapuu przyjeżdża прибывает 到达 到着します 도착합니다 varıyor tiba",
    ),
    ("check-in checkin", "check-out checkout"),
    ("minimum min mindestens", "maximum max höchstens"),
];

/// Words of which each says the opposite of the other, so that of one thing only one of them can hold.
#[rustfmt::skip]
pub(super) const OPPOSITE_OUTCOMES: &[(&str, &str)] = &[
    ("won win wins gewonnen gewann gagné ganó vinto venceu gewonnen", "lost lose loses verloren verlor perdu perdió perso perdeu"),
    ("succeeded succeeds gelungen geglückt passed pass passes bestanden réussi aprobado superato", "failed fail fails durchgefallen échoué suspendido bocciato"),
    ("approved accepted granted confirmed genehmigt angenommen approuvé accepté aprobado aceptado approvato", "rejected declined refused denied cancelled abgelehnt refusé rejeté rechazado respinto"),
    ("enabled on activated allowed permitted eingeschaltet aktiviert erlaubt activé activado attivato", "disabled off deactivated forbidden banned prohibited ausgeschaltet deaktiviert verboten désactivé desactivado disattivato"),
    ("automatic automatik automatique automático", "manual manuell manuel"),
    ("conviction convicted", "acquittal"),
    ("temporary befristet temporaire", "permanent unbefristet"),
    ("mandatory compulsory obligatory", "optional voluntary"),
    ("active aktiv", "inactive inaktiv"),
    ("present attended anwesend présent presente", "absent missed abwesend ausente assente"),
    ("alive lebt vivant vivo", "dead tot mort muerto morto"),
    ("married verheiratet marié mariée casado casada sposato sposata", "single unmarried divorced ledig geschieden célibataire soltero soltera divorciado"),
    ("guilty schuldig coupable culpable colpevole", "innocent acquitted unschuldig innocente"),
    ("increased increase increases rose rises risen grew grows climbed climbs gestiegen steigt augmenté subió salito", "decreased decrease decreases fell falls fallen shrank shrinks dropped sank sinks declined gesunken sinkt gefallen baissé bajó sceso"),
    ("up upwards uphill", "down downwards downhill"),
    ("safe sicher", "unsafe dangerous gefährlich"),
    ("public öffentlich público", "private privat privado confidential"),
    ("paid bezahlt payé pagado pagato", "unpaid unbezahlt impayé impagado"),
    ("signed unterschrieben signé firmado", "unsigned"),
    ("finished complete completed done fertig terminé terminado", "unfinished incomplete unfertig"),
    ("left links gauche izquierda sinistra", "right rechts droite derecha destra"),
    ("before vor avant", "after nach après"),
    ("full voll plein lleno pieno", "empty leer vide vacío vuoto"),
    ("indoors inside drinnen", "outdoors outside draußen"),
];

/// Words that say the same, by the first of their line, as they stand without endings.
#[rustfmt::skip]
pub(super) const SAME_WORDS: &[&str] = &[
    "take need require last",
    "live reside dwell",
    "begin start commence",
    "end finish conclude",
    "buy purchase",
    "car automobile",
    "doctor physician gp",
    "photo picture photograph",
    "movie film",
    "flat apartment",
    "holiday vacation",
    "child kid",
    "phone telephone",
    "boss manager",
    "big large",
    "favourite favorite",
    "colour color",
    "weekly week",
    "monthly month",
    "yearly annually annual year",
    "daily day",
    "memory ram",
    "wrote written",
    "sang sung",
    "drove driven",
    "gave given",
    "took taken",
    "chose chosen",
    "broke broken",
    "stole stolen",
    "drew drawn",
    "flew flown",
    "grew grown",
    "threw thrown",
    "began begun",
    "wore worn",
    "rode ridden",
    "hid hidden",
    "saw seen",
    "ate eaten",
    "spoke spoken",
    "shook shaken",
    "wove woven",
];

/// Verbs of the past "to be": what was, may be no more.
pub(super) const WAS: &str = "was were war waren était étaient era eran fue erano foi eram var olivat oli był była było były byl byla bylo был была было были ήταν";

/// Words that join a reason, a source or a repetition to what is said, and change nothing in it.
pub(super) const LINKS: &str = "because as since that which who again confirmed confirms said says told mentioned repeated noted indeed weil da dass wie wieder bestätigt bestätigte sagte parce car comme que confirmé porque como confirmó perché confermato confirmou want omdat zoals bo ponieważ że jak потому как что 因为 因為 ので から";

/// Words of which a thing has one at a time.
pub(super) const EXCLUSIVE: &str = "red blue green yellow black white grey gray brown orange purple pink teal beige silver golden rot blau grün gelb schwarz weiß grau braun lila rosa rouge bleu bleue vert verte jaune noir noire blanc blanche gris grise rojo roja azul verde amarillo negro negra blanco blanca rosso rossa giallo gialla nero nera bianco bianca blu vermelho vermelha amarelo preto branco rood blauw groen geel zwart wit röd blå grön gul svart vit czerwony niebieski zielony żółty czarny biały красный красная синий синяя зелёный жёлтый чёрный белый белая left-handed right-handed open closed locked unlocked";

/// Words for numbers and ranks, by their value.
#[rustfmt::skip]
pub(super) const NUMBERS: &[(&str, &str)] = &[
    ("one", "1"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"), ("seven", "7"), ("eight", "8"), ("nine", "9"), ("ten", "10"), ("eleven", "11"), ("twelve", "12"), ("fifteen", "15"), ("twenty", "20"), ("thirty", "30"), ("forty", "40"), ("fifty", "50"), ("sixty", "60"), ("hundred", "100"),
    ("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th"), ("sixth", "6th"), ("seventh", "7th"), ("eighth", "8th"), ("ninth", "9th"), ("tenth", "10th"), ("twelfth", "12th"),
    ("zwei", "2"), ("drei", "3"), ("vier", "4"), ("fünf", "5"), ("sechs", "6"), ("sieben", "7"), ("acht", "8"), ("neun", "9"), ("zehn", "10"), ("zwölf", "12"),
    ("deux", "2"), ("trois", "3"), ("quatre", "4"), ("cinq", "5"), ("sept", "7"), ("huit", "8"), ("neuf", "9"), ("dix", "10"), ("dos", "2"), ("tres", "3"), ("cuatro", "4"), ("cinco", "5"), ("seis", "6"), ("siete", "7"), ("ocho", "8"), ("nueve", "9"), ("diez", "10"),
    ("due", "2"), ("tre", "3"), ("quattro", "4"), ("cinque", "5"), ("sette", "7"), ("otto", "8"), ("nove", "9"), ("dieci", "10"), ("dois", "2"), ("duas", "2"), ("três", "3"), ("quatro", "4"), ("oito", "8"), ("twee", "2"), ("drie", "3"), ("vijf", "5"), ("zes", "6"), ("zeven", "7"), ("negen", "9"), ("tien", "10"),
];

/// Words that tell what something is called.
#[rustfmt::skip]
pub(super) const NAMING: &[&str] = &[
    "called", "named", "name", "heißt", "appelle", "nom", "llama", "nombre", "chiama", "heet", "naam", "называется",
];

/// Words that say that something holds within a time alone.
#[rustfmt::skip]
pub(super) const FRAMING: &[&str] = &[
    "during", "throughout", "within", "over", "während", "pendant", "durant", "durante", "tijdens", "gedurende", "podczas",
];

/// Words that say until when something holds, in front of a time.
pub(super) const UNTIL: &[&str] = &[
    "until", "till", "before", "bis", "vor", "jusqu", "avant", "hasta", "antes", "fino", "prima",
    "até", "tot",
];

/// What goes by a timetable, so that it has one time.
pub(super) const SCHEDULED: &str = "arrive arrives depart departs leave leaves sail sails deploy deploys release releases ship ships deliver delivers delivered publish publishes open opens close closes closed start starts begin begins end ends pay pays paid invoice invoices collect collects collected expire expires renew renews refresh refreshes öffnet öffnen schließt schließen fährt kommt beginnt endet ouvre ferme part arrive commence abre cierra sale llega empieza termina lieu place statt stattfindet";

/// Verbs of what somebody takes or is given, of which there may be several: medicines, lessons.
pub(super) const TAKING: &str = "take takes took nimmt nehme nehmen prend prends prenons toma tomo toman prende prendo prendono neemt tar bierze";

/// Words for somebody who may be given something.
pub(super) const PEOPLE: &str = "patient patients resident baby i we he she ich wir je yo man woman boy girl patientin paciente";

/// What happens once to somebody or something.
pub(super) const ONCE: &str = "born died graduated founded married opened closed launched joined started began ended finished retired moved signed released published completed resigned arrived expired established created elected appointed inaugurated demolished crashed";

/// What somebody or something is on that is a state, of which one holds.
pub(super) const STATES_ON: &str = "hold track time schedule leave holiday vacation duty call fire sale strike display loan offer air board parole probation trial standby vacations sabbatical line";
