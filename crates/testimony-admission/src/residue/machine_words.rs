//! Words that speak for a line of a program, and words that speak against it.
//!
//! A row is `(what the words are, language, "word|another|…")`. Words of the vocabulary of rows count beside these; what
//! stands here may stand in sentences of people as well, and so decides nothing alone. Of a word that stands in two rows
//! the later one counts: what speaks for people stands behind what speaks for programs.

use Says::{Deed, Neither, Own, People, Sentence, Thing};

/// What a word says about who wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// Something that programs have or handle.
    Thing,
    /// What a program does, or what becomes of a thing.
    Deed,
    /// Whoever writes it speaks of themselves or of people.
    Own,
    /// How a thing is, ought to be or was decided to be, and why: a sentence of somebody.
    People,
    /// A word of sentences, which lines of programs leave out.
    Sentence,
    /// A word of any text.
    Neither,
}

/// The words.
#[rustfmt::skip]
pub(super) const SAID: &[(Says, &str, &str)] = &[
    (Thing, "en", "disk|disks|buffer|buffers|lock|locks|writer|reader|cursor|offset|leader|follower|election|quorum|replica|replicas|mesh|checksum|checksums|layer|layers|artifact|artifacts|artefacts|module|modules|rule|rules|batches|packet|packets|frame|frames|timer|slot|slots|topic|topics|cpu|heap|gc|transaction|transactions|payload|callback|webhook|token|tokens|prompt|tls|dns|upstream|proxy|probe|liveness|readiness|firmware|sensor|binary|automation|bridge|telemetry|cooldown|commit|rollback|table|tables|file|files|directory|bucket|object|objects|manifest|cgroup|oom|backoff|keepalive|subscriber|subscribers|consumer|consumers|producer|websocket|channel|term|wal|autosave|autoscaler|watcher|interpreter|subprocess|endpoint|route|routes|header|headers|response|responses|error|errors|warning|warnings|failure|failures|exception|traceback|retries|attempt|attempts|threshold|similarity|hits|misses|dispatcher|driver|volume|mount|mounts|inode|inodes|journal|ring|peer|peers|handler|handlers|spool|digest|fingerprint|target|targets|dependency|dependencies|package|packages|crate|crates|bundle|asset|assets|chunk|chunks|segment|segments|shard|shards|postings|vectors|embeddings|memories|candidates|duplicates|key|keys|entries|logs|log|scheduler|crawler|scraper|parser|tokenizer|model|weights|gpu|vram|epoch|loss|gradient|depth|window|budget|subagent|subagents|speakers|words|certificate|certificates|artifact|reload|compaction|listener|listeners|pod|pods|pid|hits|stage|automation|desired|msg|lvl|svc|ts|client|clients"),
    (Thing, "de", "verbindung|broker|versuch|versuche|zwischenspeicher|einträge|fehler|warnung|warnungen|dauer|lauf|werkzeug|treffer|dateien|datei|zeilen|regeln|sicherung|puffer|index|speicher|laufwerk|knoten|nachrichten|pakete|segmente|dienst|prozess|auftrag|warteschlange|zeitüberschreitung|nachtlauf|prüfsumme"),
    (Thing, "fr", "tâche|connexion|tentative|synchronisation|lignes|fichiers|fichier|erreur|erreurs|avertissement|avertissements|règles|durée|octets|cache|index|sauvegarde|nœud|segments|paquets|échec|module"),
    (Thing, "es", "trabajo|conexión|intento|intentos|sincronización|filas|archivos|archivo|error|errores|advertencia|advertencias|reglas|duración|cola|caché|índice|nodo|segmentos|paquetes|fallo|módulo|espera|posición"),
    (Thing, "it", "modulo|connessione|tentativo|tentativi|sincronizzazione|righe|file|errore|errori|avviso|avvisi|regole|durata|coda|cache|indice|nodo|segmenti|pacchetti|ascolto"),
    (Thing, "pt", "tarefa|conexão|tentativa|tentativas|sincronização|linhas|arquivos|arquivo|ficheiros|erro|erros|aviso|avisos|regras|duração|fila|cache|índice|nó|segmentos|pacotes|falha|módulo|processo"),
    (Thing, "nl", "taak|verbinding|poging|synchronisatie|rijen|bestanden|bestand|fout|fouten|waarschuwing|waarschuwingen|regels|duur|wachtrij|cache|index|knooppunt|segmenten|pakketten|documenten|module"),
    (Thing, "pl", "zadanie|połączenie|próba|synchronizacja|wierszy|plików|plik|błąd|błędów|ostrzeżenie|ostrzeżeń|reguł|kolejka|indeks|węzeł|pakietów|moduł"),
    (Thing, "ru", "задача|соединение|попытка|синхронизация|строк|файлов|файл|ошибка|ошибок|предупреждение|правил|очередь|кэш|индекс|узел|пакетов|модуль|подключений|сервис"),
    (Thing, "ja", "バックアップ|ファイル|経過|エラー|警告|キュー|ノード|インデックス|件|秒|再試行"),
    (Thing, "zh", "备份|文件|耗时|错误|警告|队列|节点|索引|条|秒|重试|连接|缓存"),
    (Deed, "en", "picked|deferred|merged|dropped|flushed|pulled|pulling|downloaded|downloading|uploading|uploaded|verifying|rebuilding|rebuilt|elected|voted|became|rejoined|subscribed|subscribing|unsubscribed|triggered|executed|executing|invoked|invoking|emitted|acked|nacked|falling|skipping|sleeping|wrote|writing|added|removed|recycled|freed|took|rescheduled|evicted|evicting|renewed|reloaded|reloading|retried|applying|keeping|buffering|buffered|resetting|injecting|injected|ran|parsed|compiled|compiling|linking|rendered|copied|copying|fetched|fetching|resolved|resolving|allocated|reclaimed|rotated|rotating|mounted|unmounted|attached|detached|unlocked|locked|acquired|acquire|waited|throttling|draining|drained|noticed|detected|scanned|scanning|swept|trimmed|estimated|elapsed|exceeded|collected|replayed|rehashed|spawned|forked|reaped|killed|terminating|unreachable|timed|alive|subscribe|read|sent|match|matched|handled|queued|consumed|produced|published|received|forwarded|routed|proxied|negotiated|authenticated|connecting|retrying|up|scheduled|completed|over|kept|inserted|expired|closed|opened"),
    (Deed, "de", "verloren|verworfen|belegt|aufgerufen|geladen|gelesen|geschrieben|übersprungen|entfernt|gelöscht|gestartet|beendet|abgebrochen|fehlgeschlagen|wiederhergestellt|erneuert|neu|empfangen|gesendet|verbunden"),
    (Deed, "fr", "exécutée|exécuté|supprimées|supprimés|supprimée|chargées|chargés|chargé|écrits|lus|perdue|perdu|ignorés|ignorées|relancé|relancée|renouvelé|reçu|reçus|envoyé|échoué"),
    (Deed, "es", "encolado|estimada|cargadas|cargados|cargado|eliminadas|eliminados|escritas|leídas|perdida|omitidos|omitidas|reintentando|renovado|recibidos|enviado|fallido|ejecutado|ejecutada"),
    (Deed, "it", "caricate|caricati|caricato|eliminate|eliminati|scritte|lette|persa|ignorati|ignorate|rinnovato|ricevuti|inviato|fallito|eseguito|eseguita|avvio"),
    (Deed, "pt", "carregadas|carregados|carregado|removidas|removidos|gravadas|lidas|perdida|ignorados|ignoradas|renovado|recebidos|enviado|falhou|executado|executada|vazia|encerrado"),
    (Deed, "nl", "geladen|verwijderd|geschreven|gelezen|verloren|overgeslagen|vernieuwd|ontvangen|verzonden|mislukt|uitgevoerd|afgerond"),
    (Deed, "pl", "wczytano|usunięto|zapisano|odczytano|utracono|pominięto|odnowiono|odebrano|wysłano|wykonano|zakończono"),
    (Deed, "ru", "загружено|удалено|записано|прочитано|потеряно|пропущено|обновлён|получено|отправлено|выполнено|перезапущен|ожидание"),
    (Deed, "ja", "完了|失敗|開始|終了|削除|更新|中断"),
    (Deed, "zh", "完成|失败|开始|结束|删除|更新|中断"),
    (Own, "en", "my|our|we|i|her|his|their|she|he|they|me|us|your|you|mine|ours|everyone|somebody|someone|people|team|boss|mum|mom|dad|wife|husband|daughter|son|i'm|i've|i'll|we're|we've|we'll|let's|please|thanks"),
    (Own, "xx", "ich|wir|mein|meine|meinem|meiner|unser|unsere|unserem|mir|uns|er|sie|du|bitte|je|nous|mon|ma|mes|notre|nos|moi|elle|il|yo|nosotros|mi|mis|nuestro|nuestra|ella|él|io|noi|mio|mia|nostro|nostra|lei|lui|eu|nós|meu|minha|nosso|nossa|ela|ele|ik|wij|we|mijn|ons|onze|zij|hij|my|mój|moja|nasz|nasza|ona|я|мы|мой|моя|наш|наша|она|он|мне|нам|私|僕|我|我们|她|他|您"),
    (People, "en", "is|are|isn't|aren't|must|should|shall|will|won't|can|can't|cannot|may|might|needs|need|wants|want|likes|prefers|lives|runs|uses|holds|keeps|takes|goes|comes|costs|starts|closes|opens|means|because|so|therefore|if|unless|when|whenever|always|never|only|usually|until|till|decided|decide|agreed|agree|raised|lowered|increased|reduced|bumped|set|capped|limited|moved|migrated|switched|renamed|replaced|changed|fixed|deployed|released|upgraded|downgraded|bought|chose|chosen|planned|due|valid|investigated|asked|told|says|said|why|reason|cause|root|instead|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thurs|fri|sat|january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sep|oct|nov|dec|year|years|month|months|week|weeks|today|tomorrow|yesterday|tonight|morning|evening|booked|appointment|doctor"),
    (People, "xx", "ist|sind|war|wird|soll|muss|kann|darf|will|weil|wenn|damit|immer|nie|nur|bis|januar|februar|märz|mai|juni|juli|dezember|oktober|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|est|sont|doit|peut|parce|quand|toujours|jamais|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|août|es|son|está|debe|puede|porque|cuando|siempre|nunca|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|agosto|è|sono|deve|può|perché|quando|sempre|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|gennaio|febbraio|são|pode|segunda|terça|quarta|quinta|sexta|janeiro|fevereiro|zijn|moet|kan|omdat|altijd|nooit|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|jest|są|musi|może|bo|zawsze|nigdy|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|если|потому|всегда|никогда|только|должен|нужно|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|から|ので|です|決め|来年|明日|昨日|因为|所以|必须|要|我|是|星期|下周|明天"),
    (Neither, "en", "next|found|user|users|while|being|longer|than|another|down|over|between|under|above|below|every|each|current|out|off|about|during|within|through|across|without|where|but|least|most|first|last|of|to|no|nothing|none|all|both"),
    (Sentence, "en", "the|a|an|was|were|had|has|have|which|that|this|these|those|it|its|it's|there|also|too|still|just|now|brought|gave|got|made|kept|turned|works|worked|did|does|do|and"),
    (Sentence, "de", "der|die|das|dem|den|ein|eine|einen|einem|wurde|wurden|hat|haben|hatte|es|noch|jetzt|auch"),
    (Sentence, "xx", "le|les|une|c'est|était|avait|maintenant|el|los|las|fue|tenía|ahora|il|gli|era|aveva|adesso|foi|tinha|agora|het|een|was|had|nu|był|była|był|jest|teraz|был|была|было|теперь"),
    (Neither, "xx", "zu|älteste|neuer|neue|werden|und|oder|in|mit|von|un|la|et|ou|dans|avec|nouvelle|en|y|o|con|nueva|nuevo|lo|e|su|nuovo|nuova|do|da|dos|com|nova|novo|met|nieuwe|z|ze|i|w|na|nowe|и|в|на|с|из|новых|の|を|に|が|は|と|で|了|的"),
];
