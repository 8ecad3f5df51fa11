//! Rows that were never meant as memories: tests and evaluations, lines of logs, what a program says about itself.
//!
//! The bare word "test" decides nothing: a row gives itself away by naming itself ("this is a test memory"), by
//! asking to be ignored, or by consisting of nothing but the vocabulary of test harnesses.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use testimony_domain::Reason;

use crate::lexicon::{WordSet, pattern, pattern_set};

/// Rows are short; what is longer only counts as one if it says so at its beginning.
const LONGEST: usize = 240;

/// A pattern over folded text.
struct Rule {
    reason: Reason,
    id: &'static str,
    source: &'static str,
}

const fn rule(reason: Reason, id: &'static str, source: &'static str) -> Rule {
    Rule { reason, id, source }
}

/// The table of rules. The first that matches decides.
#[rustfmt::skip]
const RULES: &[Rule] = &[
    rule(Reason::TestRow, "test.marked", r"^[\[(<{#]+\s*(?:test|testing|tests|eval|evals|evaluation|canary|smoke(?:[- ]?test)?|dummy|e2e|bench(?:mark)?|probe|qa|ci|sanity(?:[- ]check)?|load[- ]?test|synthetic|fixture|unit[- ]?test|integration[- ]?test)(?:[ _-](?:fixture|row|data|entry|record|test|memory|case|run|suite|only))?(?:[ _#:-]*\d+)?\s*[\])>}]+"),
    rule(Reason::TestRow, "test.declares_itself", r"^(?:(?:hi|hello|hey)[,!. ]+)?(?:this|it|the following)(?: (?:memory|row|entry|message|record|note|item|text|data|string|one))? (?:is|was)(?: (?:just|only|simply|merely))? (?:(?:a|an|some|for)(?: \w+)? )?(?:(?:smoke|sanity|unit|integration|load|e2e|canary|eval|evaluation|benchmark|synthetic|quick|simple|small|memory|dummy)[ -])*(?:test|testing|tests|dummy|canary|eval|benchmark|placeholder|synthetic|mock|probe)(?: (?:memory|row|entry|record|message|note|fact|run|string|case|purposes|only|one|ping|probe|data|item|content|text|insert|write))*(?:$|[.!,;]| (?:of (?:the |our )?(?:retain|recall|memory|write|writeback|api|endpoint|system|service|store|pipeline|ingest)|to (?:see|check|verify|confirm)|for (?:the )?(?:retain|recall|memory|api|test|testing|qa|ci|eval)|please|inserted|created|written|and (?:can|should|may)))"),
    rule(Reason::TestRow, "test.asks_to_be_ignored", r"\b(?:test|tests|testing|dummy|canary|eval|smoke|benchmark|probe|synthetic|fixture|placeholder|qa|mock|sanity)\b.{0,80}\b(?:please ignore|pls ignore|ignore (?:this|me|it)(?: (?:row|memory|entry|message|one))?|ignore|safe to (?:delete|ignore)|delete me|please delete|delete this|please disregard(?: it| this)?|disregard (?:it|this)|do not use|don't use|replace me|discard (?:it|this|me)|will be deleted)\s*[.!)]*$|\b(?:check|health check|example|sample) (?:row|memory|record|entry)\b.{0,20}\b(?:delete me|ignore(?: me| this)?)\W*$|^(?:example|sample|demo|fake) (?:memory|row|record|entry|fact)(?:\W*#?\d+)?\W*$|^(?:please )?(?:ignore|disregard)(?: this)?[,:;. -]+(?:just |only |it's |this is )*(?:a |an )?(?:smoke |canary |eval |unit )?(?:test|testing|probe|canary)(?: \w+)?[.!]*$"),
    rule(Reason::TestRow, "test.tries_saving", r"^\W*(?:(?:pls|plz|please) )?(?:(?:ignore|disregard|skip)(?: (?:this|me|it))?[,:;. -]+)?(?:just |only |quickly |i am |i'm |we are |we're )*(?:check|checking|try|trying|verify|verifying|see|seeing|test|testing)(?: out)? (?:if|whether|that) (?:the |this |my |your |it |a )*(?:sav(?:e|es|ed|ing)|stor(?:e|es|ed|age|ing)|memory|memories|retain|recall|write|writes|writing|notes?|import|ingest\w*|api|endpoint|sync|persistence|works?|sticks?|gets? through|goes through)\b.{0,24}$|^\W*(?:just |only |simply )*(?:a |one )?(?:quick|small|simple|little|short|tiny|dummy|another)(?: quick)? test\b(?:\W*$|\W+(?:please |pls |nothing to see|ignore|disregard|no need|no action|delete|do not|don't|of (?:the )?(?:memory|api|retain|recall|saving)))"),
    rule(Reason::TestRow, "test.fixture", r"^(?:fixture|seed(?: data)?|known[- ]good)\s*[:=].{0,80}\b(?:memory|memories|recall|retain|spec|suite|seed(?:ed|er)?|harness|rows?|eval)\b|^(?:regression|integration|acceptance|unit|smoke|e2e|end-to-end|load|stress|sanity|nightly)[ -](?:test )?(?:suite|check|run|test|harness)(?: #?\d+)?\s*[:=].{0,120}\b(?:row|rows|seed|user \d+|record|records|memory|memories|insert\w*|case \d+|fixture)\b|^(?:regression|integration|acceptance|unit|smoke|e2e|end-to-end|sanity|nightly)[ -](?:test )?(?:suite|check|run|test|harness)(?: #?\d+)?\s*[:=].{0,120}\b(?:writ(?:e|es|ing)|reads?|api|endpoint)\b"),
    rule(Reason::TestRow, "test.written_by_harness", r"^(?:(?:this|test) )?(?:row|entry|memory|record|message|note|data|item|fact)?\s*(?:is |was |has been )?(?:auto-?)?(?:inserted|created|generated|written|added|stored|seeded) (?:by|from|for|during) (?:the |an? |our )?(?:\w+ )?(?:evaluation|eval|evals|test|tests|integration|smoke|benchmark|load|canary|e2e|qa|ci|probe)(?:[ -](?:harness|suite|test|tests|run|job|script|framework|check|pipeline|runner))*[.!]?$"),
    rule(Reason::TestRow, "test.throwaway", r"^\W*(?:automated|automatic|scheduled|nightly|synthetic) (?:check|probe|run|write|entry|row|record)s?\b.{0,24}\b(?:remove|delete|ignore|discard|purge|clean ?up)\b.{0,24}$|^\W*(?:sample|example|placeholder|throwaway|filler) (?:text|row|entry|record|memory|data|message|note|string)s? (?:for|to) (?:check|test|verif|try|validat|exercis|prob|debug)\w* (?:the |our |a |this )?(?:[\w-]+ )?(?:pipeline|api|endpoint|memory|recall|retain|writer?|import|ingest\w*|index|store|system|service|connector|integration|setup|path|sync)\W*$"),
    rule(Reason::TestRow, "test.key", r"\b(?:test|eval|probe|canary|bench|benchmark|smoke|fixture)[ _-]?(?:(?:case|run|row|item|user)[ _-]?)?(?:id|uuid)\s*[=:#]\s*\S|\b(?:eval|test|canary|probe|bench)_(?:case|run|row|item|name|suite|seed)\w*\s*[=:]\s*\S|\bis_?test\s*[=:]\s*(?:true|1)\b"),
    rule(Reason::TestRow, "test.bars", r"^(?:[a-z0-9]+_)?(?:eval|test|bench|benchmark|probe|canary)(?:_[a-z0-9]+)?\s*\|\s*[\w@]+\s?=\s?\S"),
    rule(Reason::TestRow, "test.expected_actual", r"(?:\b|_)expected(?:[ _](?:answer|output|result|value|reply))?\s*[:=].{1,120}(?:\b|_)(?:actual|got|returned|received|observed|predicted|model|prediction|response)(?:[ _](?:answer|output|result|value|reply))?\s*[:=].{0,120}\b(?:pass|passed|fail|failed|verdict|suite|score|case|red|green|correct|incorrect|match)\b"),
    rule(Reason::TestRow, "test.case_result", r"^(?:test|eval|regression|acceptance|qa)[ _-]?(?:case|scenario|step)\s+[\w#.-]*\d[\w.-]*\b.{0,200}\b(?:passed|failed|skipped|pass|fail|green|red)\W*$"),
    rule(Reason::TestRow, "test.assertion", r"^(?:assertion|assert)(?:\s+(?:row|case|line|step))?(?:\s*#?\d+)?\s*[:#].{0,160}\b(?:should|must|expected to|expects?)\s(?:return|be|equal|yield|contain|find)\b"),
    rule(Reason::TestRow, "test.label", r"^(?:(?:eval|evaluation|test|canary|benchmark|bench|probe|smoke|unit|regression|integration|e2e|needle(?:-in-(?:a-)?haystack)?|fixture|dummy|synthetic|qa|load)[ _-]){1,2}(?:(?:case|row|item|run|probe|fixture|fact|memory|test|record|sample|question|entry|message|check)[ _-]?)?(?:#?\d+)?\s*[:=]|^(?:test|eval|canary|smoke|unit[- ]test|regression[- ]test|integration[- ]test|e2e)[ _-]?(?:test )?(?:case|row|item|probe|fixture|fact|memory|record|entry|fixture)[ _-]?(?:#?\d+)?\s*[:=]|^test fixture\s*:|^(?:probe|canary|eval|smoke|dummy)\s*:|^(?:eval|test|canary|smoke|bench|benchmark|probe)[-_ ](?:run|case|row|item)\S*(?: (?:row|item|case|entry) ?#?\d+)?\s*:|^ignore:\s.{0,20}\btest\b"),
    rule(Reason::TestRow, "test.just_testing", r"^(?:(?:hi|hello|hey|ok)[,!. ]+)?(?:just |i am |i'm |we are |we're |only |still )*testing\b(?:\W*$|\W+(?:if|whether|that|the|this|out|my|our|your|your|memory|retain|recall)?\s*(?:the |this |your |our |my )?(?:memory|memories|api|feature|retain|recall|system|service|bot|endpoint|it|integration|123|1|one|write|writeback|storage|save)\b.{0,40}$)"),
    rule(Reason::TestRow, "test.filler_text", r"\blorem ipsum dolor\b|^lorem ipsum\b(?:\W*$)|^\W*the quick brown fox (?:jumps|jumped) over (?:the|a) lazy dog\W*$|^\W*(?:hello,? world|hallo,? welt|hola,? mundo|bonjour,? (?:le )?monde|ciao,? mondo|olá,? mundo)\b(?:\W*(?:test|testing|\d+))*\W*$|^\W*(?:(?:foo|foobar|asdf\w*|asd|qwert\w*|blah|blabla|xxx+|bar|baz|qux|abc|test|123)\W*){1,6}$"),
    rule(Reason::TestRow, "test.other_languages", r"^(?:das|dies|es|hier) ist (?:nur |bloß |lediglich )?(?:ein |eine )?(?:kleiner |reiner )?(?:test|testeintrag|testnachricht|testzeile|testerinnerung|testdatensatz|probe-?eintrag)(?:$|[.!,])|^(?:nur|bloß) ein test\b|^(?:juste|seulement) un test\b|^(?:solo|sólo) una prueba\b|^solo un test\b|^(?:só|apenas) um teste\b|^(?:maar|gewoon) een test\b|^(?:tylko|zwykły) test\b|^(?:просто|только) тест(?:$|\W)|^(?:testeintrag|testnachricht|testdatensatz|testzeile|testerinnerung|testdaten)\b(?:\W*$|[\W\d]|.{0,30}ignorieren)|^dummy-?\s?(?:datensatz|eintrag|daten|erinnerung)\b|^(?:ceci est|c'est|ce n'est qu)'?(?: juste| seulement| simplement)? ?(?:un|une) (?:simple )?(?:test|entrée de test|message de test|essai)(?:$|[.!,])|^(?:entrée|message|ligne|mémoire|donnée)s? de test\b|^(?:esto|este|esta) es (?:solo |sólo |solamente |simplemente )?(?:una prueba|un test|un mensaje de prueba|un registro de prueba)(?:$|[.!,])|^(?:registro|mensaje|entrada|dato|datos|memoria|fila) de prueba\b|^(?:questo|questa) è (?:solo |soltanto |semplicemente )?(?:un test|una prova|un messaggio di prova)(?:$|[.!,])|^(?:voce|messaggio|riga|memoria|dato|dati|record) di (?:prova|prueba|test)\b|^(?:isto|isso|este|esta) é (?:apenas |só |somente )?(?:um teste|uma mensagem de teste|um registo de teste|um registro de teste)(?:$|[.!,])|^(?:registo|registro|mensagem|entrada|linha|memória|dado|dados) de teste\b|^dit is (?:maar |slechts |alleen |gewoon )?een (?:test|testbericht|testregel|proef)(?:$|[.!,])|^(?:testregel|testinvoer|testgegevens)\b|^testbericht(?:\W*\d+)?(?:\W*$|.{0,40}\bnegeren\b)|^to (?:jest )?(?:tylko )?(?:test|wpis testowy|wiadomość testowa)(?:$|[.!,])|^(?:wpis testowy|wiadomość testowa|rekord testowy|dane testowe)\b|^это (?:просто |только |всего лишь )?(?:тест|проверка|тестовая запись|тестовое сообщение)(?:$|[.!,])|^(?:тестовая запись|тестовое сообщение|тестовые данные|тестовая строка)(?:$|\W)|这(?:只)?是(?:一[条个])?(?:测试|试验)(?:数据|消息|记录|记忆|条目)?(?:$|[，。,.!！])|^测试(?:数据|记忆|消息|记录|条目|用例)|^(?:测试|テスト)\W*\d*$|^これは(?:ただの|単なる)?テスト(?:です|用|データ|メッセージ)|^テスト(?:用の|用)?(?:メモリ|記憶|データ|メッセージ|行|レコード)"),

    rule(Reason::TestRow, "test.payload", r#""(?:source|content|text|tag|origin|name)"\s*:\s*"[^"]{0,40}\b(?:test|smoke|canary|dummy|hello world)\b[^"]{0,24}".*"(?:source|content|text|tag|origin|name)"\s*:\s*"[^"]{0,24}\b(?:test|smoke|canary|eval|dummy)\b"#),
    rule(Reason::TestRow, "test.other_scripts", r"परीक्षण (?:प्रविष्टि|डेटा|पंक्ति|रिकॉर्ड|संदेश)|(?:سجل|بيانات|رسالة|إدخال) (?:تجريبي|تجريبية|اختبار)|테스트(?:용)? (?:데이터|기록|항목|메시지|메모리)|(?:test|deneme) (?:kaydı|verisi|satırı|mesajı|girdisi)|(?:dữ liệu|bản ghi) (?:thử|kiểm thử|test)"),

    rule(Reason::LifecycleLog, "log.time_and_level", r"^[\[(]?\d{4}-\d\d-\d\d[t _]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?\s?(?:z|utc|[+-]\d\d:?\d\d)?[\])]?\s*[-|:]*\s*(?:[\[(]?[\w.:/-]+[\])]?\s*[-|:]*\s*){0,3}?[\[(]?(?:trace|debug|info|notice|warn|warning|error|fatal|critical)\b[\])]?"),
    rule(Reason::LifecycleLog, "log.clock_and_level", r"^[\[(]?\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?[\])]?\s+[\[(]?(?:trace|debug|info|notice|warn|warning|error|fatal|critical)\b"),
    rule(Reason::LifecycleLog, "log.service_says", r"^(?:[\w-]+ ){0,2}(?:service|server|worker|daemon|agent|api|proxy|gateway|runtime|scheduler|indexer|broker|queue|store)\s?:\s(?:now )?(?:listening|started|starting|ready|bound|serving|shutting down|stopped|stopping|connected|reconnected|accepting|draining|idle|online|healthy)\b.{0,80}$"),
    rule(Reason::LifecycleLog, "log.trigger", r"^(?:build |run |job )?(?:started|stopped|triggered|cancelled|canceled|aborted|scheduled) by (?:user|cron|timer|system|scheduler|upstream|an? (?:user|scm) change)\b.{0,30}$|^checkpoint (?:saved|loaded|written|restored|created)\b.{0,40}\d\W*$"),
    rule(Reason::LifecycleLog, "log.bracketed_level", r"^[\[(](?:trace|debug|info|notice|warn|warning|error|err|fatal|critical)[\])]"),
    rule(Reason::LifecycleLog, "log.structured", r#"^[\[(]?\d{4}-\d\d-\d\d[t ]\d\d:\d\d\S*[\])]?\s+\w+=\S+|^tool[_ ](?:use|call|result)\s*[:=]\s*\S|(?:^|\s)level="?(?:trace|debug|info|warn|warning|error|fatal)\b|^\s*\{.{0,80}"(?:level|severity|levelname|loglevel)"\s*:\s*(?:"|\d)|^\s*\{.{0,20}"(?:event|event_type)"\s*:\s*"[a-z_.:-]+"\s*,.{0,120}"(?:ts|timestamp|time|session_id|run_id|pid|trace_id)"\s*:"#),
    rule(Reason::LifecycleLog, "log.access", r#"^\S+ \S+ \S+ \[[^\]]+\] "(?:get|post|put|delete|patch|head|options) |^(?:get|post|put|delete|patch|head|options) /\S*(?: http/[\d.]+"?)?\s+(?:->\s*)?\d{3}\b"#),
    rule(Reason::LifecycleLog, "log.syslog", r"^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s+\d{1,2} \d\d:\d\d:\d\d \S+ [\w./-]+(?:\[\d+\])?:|^(?:kernel|systemd|sshd|cron|dockerd|nginx)(?:\[[\d.]+\])?:\s"),
    rule(Reason::LifecycleLog, "log.event", r"^[\W\d]*(?:(?:chat|agent|user|background|web|worker|db|http|api|mcp|tool|cron|backup|sync|batch|nightly|import|export|health|build|deploy|ci|memory|new|main|child)[ _-])?(?:session|server|agent|run|job|worker pool|thread pool|worker|process|container|pod|task|workflow|workflow execution|pipeline|build|deployment|deploy|service|daemon|thread|connection|conversation|turn|step|heartbeat|sync|backup|indexing|index|cache|model|upload|download|migration|check|login|logout|call|execution|user|queue|scheduler|consumer|node|cluster|database|app|application|script|crawl|batch|request|transaction|stream|subscription|webhook|instance|replica|client|bot|gateway|socket|websocket|tunnel|listener|watcher|rollout|cleanup)(?:[\s:]+(?:\d+ ?(?:of|/) ?\d+|#?[\w./:-]*\d[\w./:-]*|[a-z]+[-_][\w-]+|cleanup|job|execution|run))?(?: (?:has|was|is|has been))?(?: (?:successfully|gracefully|now))? (?:started|starting|stopped|stopping|completed|complete|finished|ended|closed|opened|created|initiali[sz]ed|terminated|restarted|restarting|exited|failed|succeeded|passed|done|ready|running|listening|shutting down|shut down|connected|disconnected|established|logged in|logged out|queued|enqueued|scheduled|cancelled|canceled|aborted|resumed|paused|suspended|loaded|unloaded|warmed|rolled out|rolled back|deployed|returned|timed out|killed|crashed|registered|launched|booted|online|offline|healthy|successful|ok|accepted|reset)(?:\s+(?:successfully|gracefully|cleanly|normally|unexpectedly|up|by (?:user|signal|timeout|request)|with (?:exit )?(?:code|status|errors?|warnings?|\d+ \w+)\s*-?\d*\w*|in [\d.,]+\s*(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?:\s*[\d.]+\s*(?:s|ms))?|after [\d.,]+\s*\w+|on (?:port |host |\S*:)\S*\d\S*|on \S*:\d+|at \d[\d:.tz-]*|(?:from|to) \S*\d\S*|(?:for|to) (?:user|session|agent|run|database|redis|db|server|host)(?: \S+)?|pid=?\d*|[\w.]+=\S+|\([^)]*\)))*\s*(?:[.!…]*|:\s.{0,60}|,\s*\d.{0,60}|\s-\s.{0,40})$"),
    rule(Reason::LifecycleLog, "log.pulse", r"^\W*(?:(?:cron|agent|worker|server|service|client|system) )?(?:heartbeat|keep-?alive|tick|pong|health ?check)(?:\W+(?:ok|received|sent|ack|passed|failed|\d+))*\W*$"),
    rule(Reason::LifecycleLog, "log.beat", r"^\W*(?:worker|node|heartbeat|server|service|agent|job|db|api|pod|replica|shard|process|daemon|queue|scheduler|health|ping|probe|host|container|instance|broker|consumer|thread|runner)(?:[ _-]?#?\d+)?\s?[:=]\s?(?:alive|ok|healthy|pong|up|idle|ready)\W*$"),
    rule(Reason::LifecycleLog, "log.http_status", r"^\W*(?:http(?:/\d(?:\.\d)?)? |error:? |status:? )?[1-5]\d\d[ :–-]+(?:ok|created|accepted|no content|moved permanently|found|not modified|bad request|unauthori[sz]ed|forbidden|not found|method not allowed|request time-?out|conflict|gone|too many requests|internal server error|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)\W*(?:(?:nginx|apache|cloudflare|openresty|iis|varnish|envoy|caddy|gunicorn|microsoft-iis)(?:[/ ][\w.()]+)?\W*)?$"),
    rule(Reason::LifecycleLog, "log.tally", r"^[\s(\[]*(?:tests?:? )?\d+ (?:tests? )?(?:passed|passing|ok)[,;] (?:and )?\d+ (?:failed|failing|failures?|skipped)(?:[,;] \d+ (?:skipped|ignored|pending|errors?|warnings?|total))*(?: (?:in|after) [\d.]+ ?m?s(?:ec)?)?\W*$"),
    rule(Reason::ResidueWebProse, "web.advertisement", r"^\W*(?:advertisements?|advert|sponsored(?: content| post)?|anzeige|werbung|publicidad|publicité)\W*$"),
    rule(Reason::ResidueWebProse, "web.page_number", r"^\W*(?:page|seite|página|pagina|pág\.?|p\.) \d+ ?(?:of|von|de|sur|di|van|/) ?\d+\W*$"),
    rule(Reason::LifecycleLog, "log.doing", r"^\W*(?:starting|stopping|restarting|initiali[sz]ing|loading|launching|spawning|booting|running|executing|resuming|shutting down|tearing down|terminating)(?: (?:the|a|new|up|down))*(?: (?:agent|server|session|run|worker|job|task|model|process|container|service|pipeline|workflow|backup|sync|migration|scheduler|application|app|indexer|gateway|tool|step|conversation|main)){1,2}(?: [#\w./:-]*\d[\w./:-]*)?(?: (?:on port|in|with pid) \S+)?\s*(?:\.{1,3}|…)?$|^\W*(?:starting|stopping|loading|shutting down|initiali[sz]ing|connecting|reconnecting|waiting|retrying|processing|indexing|booting|fetching)(?: \w+){0,3}\s?(?:\.{3}|…)$|^\W*(?:re)?connect(?:ed|ing) to (?:the )?(?:\w+ )?(?:database|db|redis|postgres|server|broker|kafka|mqtt|websocket|socket|gateway|upstream|cluster|host|node|peer|port)\b(?: \S+)?(?: in [\d.]+\s*\w+)?\W*$|^\W*(?:server |now )?listening (?:on|at) \S*\W*(?:port )?\S*\d+\W*$"),
    rule(Reason::LifecycleLog, "log.counter", r"^\W*(?:step|turn|iteration|epoch|retry|retrying|attempt|batch|tick|try) #?\d+(?:\s*(?:/|of)\s*\d+)?(?: (?:done|started|completed|finished|failed|ok|starting|succeeded|in [\d.]+\s?\w+))*\W*$|^\W*(?:token usage|tokens used|elapsed(?: time)?|exit (?:code|status)|uptime|duration|latency|took|total time)\s*[:=]?\s*[\w=]*\d[\w:=. ,]*$"),
    rule(Reason::LifecycleLog, "log.other_languages", r"^(?:sitzung|server|agent|dienst|prozess|lauf|auftrag|verbindung)(?: \S*\d\S*)?(?: wurde)? (?:gestartet|beendet|gestoppt|abgeschlossen|hergestellt|getrennt)\b(?: (?:auf port|in|nach) \S*\d.{0,12})?\W*$|^(?:session|serveur|agent|tâche|processus)(?: \S*\d\S*)? (?:démarrée?|terminée?|arrêtée?|lancée?)\b(?: sur le port \d+| en [\d.,]+ ?\w+)?\W*$|^(?:sesión|servidor|agente|tarea|proceso)(?: \S*\d\S*)? (?:iniciad[ao]|finalizad[ao]|terminad[ao]|detenid[ao]|completad[ao])\b(?: en .{0,15}\d.{0,10})?\W*$|^(?:sessione|server|agente|processo|attività)(?: \S*\d\S*)? (?:avviat[ao]|terminat[ao]|completat[ao]|arrestat[ao]|chius[ao])\b(?: .{0,15}\d.{0,10})?\W*$|^(?:sessão|servidor|agente|tarefa|processo)(?: \S*\d\S*)? (?:iniciad[ao]|encerrad[ao]|concluíd[ao]|terminad[ao]|finalizad[ao])\b(?: .{0,15}\d.{0,10})?\W*$|^(?:sessie|server|agent|taak|proces)(?: \S*\d\S*)? (?:gestart|beëindigd|gestopt|voltooid|afgerond)\b(?: .{0,15}\d.{0,10})?\W*$|^(?:sesja|serwer|agent|zadanie|proces)(?: \S*\d\S*)? (?:rozpoczęt[aey]|zakończon[aey]|uruchomion[aey]|zatrzyman[aey]|ukończon[aey])(?: .{0,15}\d.{0,10})?\W*$|^(?:сессия|сервер|агент|задача|процесс|сеанс)(?: \S*\d\S*)? (?:началась|начат[ао]?|заверш[её]н[ао]?|запущен[ао]?|остановлен[ао]?|завершилась|выполнен[ао]?)(?: .{0,24}\d.{0,10})?\W*$|^(?:会话|服务器|服务|任务|代理|进程|连接)\S{0,6}已(?:经)?(?:开始|启动|结束|停止|完成|关闭|建立|断开)\W*$|^(?:セッション|サーバー|サーバ|エージェント|ジョブ|タスク|プロセス)(?:を|が|は)?(?:正常に)?(?:開始|起動|終了|停止|完了)(?:しました|されました|した)?\W*$"),

    rule(Reason::SystemGenerated, "system.marked", r"^[\[(<](?:auto[- ]?generated|auto[- ]?summary|automatically generated|system|system message|system notice|conversation summary|conversation history|memory|memory update|bot|automated|automatic|generated|compaction|context compaction|internal|tool output|tool result)\b[^\])>\n]{0,40}[\])>]"),
    rule(Reason::SystemGenerated, "system.summary_of_talk", r"^\W*(?:auto-?reply|automatic reply|automated reply)\s*[:.-]|^\W*(?:auto-?(?:generated )?)?(?:running |rolling |automatic |generated )?summary of (?:the |this |our |your )?(?:current )?(?:conversation|chat|session|thread|discussion|dialog(?:ue)?)(?: so far| up to here| until now| to date)\W*(?:$|:)|^\W*(?:conversation|chat|session|context|thread) (?:summary|recap|digest|synopsis)\W+(?:auto|automatic|generated|machine|ai|by the (?:system|assistant|model))\b"),
    rule(Reason::SystemGenerated, "system.generated_by_version", r"^\W*(?:auto-?|automatically )?(?:generated|created|written|produced|exported) by [\w.-]+ v?\d+\.\d\S*"),
    rule(Reason::SystemGenerated, "system.memory_changed", r"^\W*(?:the )?(?:\d[\d,.]* )?(?:(?:assistant|agent|user)\x27s )?(?:user |profile |conversation |context |long-term |new )?(?:memory|memories|preferences?|profile|notes?|reminder|summary|facts?|entry|entries|records?|knowledge base|knowledge graph|index|embeddings?|context|changes|settings|vector store|cache)(?: \S*\d\S*)?(?: context| item| entry| record| store)?(?: has| have)?(?: been| was| were| is| are)?(?: successfully)? (?:updated|saved|stored|deleted|created|added|removed|refreshed|compacted|compressed|consolidated|generated|extracted|rebuilt|re-?indexed|pruned|summari[sz]ed|synced|synchroni[sz]ed|cleared|merged|archived|injected|recorded|persisted|retrieved|forgotten|deduplicated)(?: and \w+)?(?: successfully| for memory \S+| by the memory service| (?:in|to|from) (?:long-term )?memory| with new content| for (?:this|the) (?:user|session|conversation|query))*(?: \([^)]*\)|,? \d+ \w+(?: \w+)?|: \S+)?[.! ✅✔]*$"),
    rule(Reason::SystemGenerated, "system.memories_counted", r"^\W*(?:i(?:'ve| have)? |we(?:'ve| have)? |system )?(?:successfully )?(?:saved|stored|updated|retrieved|recalled|deleted|removed|merged|extracted|deduplicated|re-?indexed|indexed|added|loaded|found|pruned|archived|consolidated|skipped|inserted|created)\s+(?:\d[\d,.]*\s+|no\s+|one\s+|two\s+|three\s+|a\s+|all\s+)?(?:new |relevant |duplicate |old |user |existing |matching )*(?:memory|memories|facts?|entry|entries|items|records|duplicates|embeddings|preferences?)(?:\W*$|\s?[,(].{0,60}$| (?:mem_|fact_)\S.{0,40}$| (?:to|from|for|in|into|with) (?:long-term |the |this |your |new )*(?:memory|memories|query|session|index|container|content|store|profile|user|conversation|knowledge base|database)\b.{0,20}$)|^\W*\d[\d,.]* (?:new |relevant |duplicate )?(?:memory|memories|facts?|entries|records|items) (?:were |was )?(?:saved|stored|updated|retrieved|recalled|deleted|extracted|merged|added|found|indexed|skipped)\W*$"),
    rule(Reason::SystemGenerated, "system.nothing_found", r"^\W*no (?:relevant |matching |new |stored |saved |existing )?(?:memory|memories|facts|results|context|preferences|information|details)(?: (?:were|was|could be|are|is|have been))? (?:found|available|stored|saved|retrieved|extracted|to (?:recall|store|save|extract|remember)|matched)\b.{0,40}$|^\W*\[?memory\]? ?nothing to recall\W*$"),
    rule(Reason::SystemGenerated, "system.compaction", r"^\W*(?:the |this )?(?:conversation|context|context window|chat|chat history|history|session|message history|transcript)(?: has| have)?(?: been| was| is)? (?:auto-?)?(?:compacted|compaction|summari[sz]ed|truncated|compressed|trimmed)(?:\W*$| (?:to|for|complete|completed|finished|done|due|because|automatically|at)\b.{0,60}$)|^\W*(?:context|memory|conversation) (?:compaction|consolidation|summari[sz]ation|pruning|extraction|refresh) (?:complete|completed|finished|done|started|failed|skipped)\b.{0,40}$|^\W*memory (?:capacity|storage|usage) (?:at|is at|now at|reached) \d.{0,20}$|^\W*memory limit reached\W*$"),
    rule(Reason::SystemGenerated, "system.automated_message", r"^\W*summary of (?:the |our )?(?:previous|prior|earlier|last|past) (?:conversation|session|chat|messages|turns|context)\b.{0,20}$|^\W*this (?:message|reply|response|summary|text|answer) (?:was|is) (?:generated|written|created|produced) by (?:an? (?:ai|bot|automated|language)|the (?:assistant|system))|^\W*(?:message|conversation|chat|thread) (?:deleted|cleared|edited|archived)\W*$|^\W*(?:i\x27ve|i have) (?:updated|saved|stored|recorded) your (?:preferences?|profile|settings|memory|notes|request)\b.{0,30}$|^\W*this (?:message|e-?mail|summary|note|notification|reply|text|report|memory|entry|mail) (?:was|is|has been) (?:automatically|auto-?) ?(?:generated|created|sent|written)|^\W*this is an? (?:automated|automatic|auto-?generated|system-generated) (?:message|e-?mail|notification|reminder|reply|response|summary|note)\b|^\W*(?:automatically generated|auto-?generated|generated automatically|generated) (?:by|from|with) (?:\w+bot|the (?:system|assistant|memory|bot)|memory\w*|an? (?:ai|bot|agent|script)|\w+ ?ai)\b.{0,40}$|^\W*auto-?sav(?:e|ed)\b.{0,20}$|^\W*your (?:changes|preferences|settings|profile|memory) (?:have|has) been (?:saved|updated)|\bcode generated by\b.{0,60}\bdo not edit\b|^\W*(?:do not edit\W+)?this file (?:is|was) (?:auto-?|automatically )?generated|^\W*do not edit: this file"),
    rule(Reason::SystemGenerated, "system.promises_to_remember", r"^(?:(?:noted|got it|okay|ok|sure|understood|great|thanks|perfect|alright)[,!.;: -]*)*(?:(?:i'll|i will|i'm going to|i shall) (?:remember|keep|make a note of|note|save|store) (?:that|this|it|your preference|these)\b(?: (?:for|in|going|down|as|so|to)\b.{0,50})?|(?:i've|i have|i just|i) (?:saved|stored|added|updated|recorded|noted|committed|written)\b.{0,50}\bmemory\b.{0,40}|(?:i've|i have) (?:made a note|noted (?:that|this|it)|saved (?:that|this|it)|stored (?:that|this|it)|remembered (?:that|this|it))(?: (?:for|in|to|of)\b.{0,40})?)[.!\s]*$|^\W*(?:successfully )?(?:added|saved|stored|written|committed|noted and stored|recorded)(?: it| this| that)? (?:to|in|into) (?:the |my |long-term |your )*memory\W*$"),
    rule(Reason::SystemGenerated, "system.other_languages", r"^(?:\d+ )?(?:erinnerung|erinnerungen|gedächtnis|profil|einstellungen)(?: wurden?)? (?:erfolgreich )?(?:gespeichert|aktualisiert|gelöscht)\W*$|^diese (?:nachricht|e-mail|mail) wurde automatisch|^(?:\d+ )?(?:mémoire|souvenirs?|profil) (?:mise? à jour|enregistrée?s?|supprimée?s?|sauvegardée?s?)\b.{0,20}$|^ce (?:message|courriel|mail) (?:a été|est) (?:généré|envoyé|créé) automatiquement|^(?:\d+ )?(?:memorias?|recuerdos?|perfil|notas?|hechos?) (?:actualizad[ao]s?|guardad[ao]s?|eliminad[ao]s?|almacenad[ao]s?)\b.{0,20}$|^(?:lo|la) (?:recordaré|tendré en cuenta)\b.{0,40}$|^(?:ich )?(?:habe (?:mir )?(?:das|es|dies) (?:gemerkt|notiert|gespeichert)|merke mir (?:das|es)|werde (?:mir )?(?:das|es) merken)\W*$|^(?:deine|ihre|die) (?:erinnerung(?:en)?|notiz(?:en)?|einstellungen) (?:wurden?|ist|sind) (?:erfolgreich )?(?:gespeichert|aktualisiert|gelöscht)\W*$|^diese (?:nachricht|e-?mail|mail|notiz) (?:wurde|ist) (?:automatisch|maschinell)|^(?:se han guardado|se guardaron) \d+ (?:memorias|recuerdos)|^este (?:mensaje|correo) (?:se generó|ha sido generado|fue generado|se ha generado) automáticamente|^(?:\d+ )?(?:memoria|memorie|ricordi|profilo) (?:aggiornat[aoei]|salvat[aoei]|eliminat[aoei])\b.{0,20}$|^questo messaggio è stato generato automaticamente|^(?:\d+ )?(?:memórias?|perfil) (?:atualizad[ao]s?|salv[ao]s?|guardad[ao]s?|apagad[ao]s?)\b.{0,20}$|^esta mensagem foi (?:gerada|enviada) automaticamente|^(?:\d+ )?(?:geheugen|herinneringen|herinnering|profiel) (?:bijgewerkt|opgeslagen|verwijderd)\W*$|^dit bericht is automatisch|^(?:pamięć|profil|wspomnienia) (?:zaktualizowan[aeoy]|zapisan[aeoy]|usunięt[aeoy])\W*$|^ta wiadomość została wygenerowana automatycznie|^(?:память|профиль|воспоминания) (?:обновлен[аоы]?|сохранен[аоы]?|удален[аоы]?)\W*$|^(?:это )?сообщение (?:было )?(?:создано|сформировано|сгенерировано|отправлено) автоматически|^(?:记忆|个人资料|上下文|对话)已(?:经)?(?:更新|保存|删除|压缩)|^已(?:保存|更新|删除|存储)(?:了)?\s?\d*\s?条?(?:新)?记忆|^此(?:消息|邮件|信息)(?:由系统|是|为)?自动(?:生成|发送)|^(?:\d+件の)?(?:メモリ|記憶|プロフィール)(?:を|が|は)(?:正常に)?(?:更新|保存|削除)|^この(?:メッセージ|メール)は(?:自動的に|自動で|自動)(?:生成|送信|作成)"),
];

/// Levels stand in capitals; over the text as it is written, because the same word in lower case opens a sentence.
const LOUD: &str = r"^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)(?::\s|\s\[|\s-\s|\s{2,}|\s+[a-z][\w.]*(?:\s+(?:[\w./-]+\s+){0,8}[\w.]+=\S|\.\w|::|:\s))";
/// The same for tests: "TEST - do not use".
const LOUD_TEST: &str =
    r"^TEST(?:ING)?(?:\s*[-:–—#]|\s+(?:ROW|MEMORY|ENTRY|RECORD|DATA|MESSAGE|CASE)\b)";

/// Words of test harnesses, each of which marks a row whose every word is in one of the two lists.
const HARNESS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "smoke",
    "sanity",
    "canary",
    "eval",
    "evals",
    "benchmark",
    "bench",
    "probe",
    "dummy",
    "e2e",
    "synthetic",
    "fixture",
    "placeholder",
    "mock",
    "locust",
    "testcase",
    "testrow",
    "testdata",
    "smoketest",
];

/// What such a row otherwise consists of.
#[rustfmt::skip]
const HARNESS_COMPANY: &[&str] = &[
    "memory", "memories", "row", "rows", "entry", "record", "fact", "message", "payload", "item", "sample", "note",
    "string", "insert", "write", "data", "text", "case", "run", "token", "check", "user", "event", "point", "content",
    "ping", "id", "retain", "recall", "writeback", "api", "endpoint", "path", "latency", "harness", "suite", "load",
    "stress", "unit", "integration", "regression", "qa", "ci", "example", "fake", "temp", "temporary", "generator",
    "please", "ignore", "delete", "disregard", "me", "of", "for", "by", "from", "written", "created", "inserted",
    "added", "the", "deploy", "deployment", "nightly", "only", "just", "purposes", "purpose", "do", "not", "use",
    "this", "safe", "to", "ok", "remove", "a", "b", "number", "no", "nr", "batch", "query", "request", "xxx", "new",
    "end", "foo", "bar", "baz", "value", "ignored", "store", "system", "needle", "haystack", "in", "session", "agent",
    "at", "pipeline", "quick", "simple", "small", "another", "second",
];

/// What a row of the harness never opens with: these begin a sentence about something.
const NOT_A_ROW: &[&str] = &[
    "the",
    "a",
    "to",
    "in",
    "by",
    "user",
    "agent",
    "system",
    "deploy",
    "deployment",
    "session",
];

static HARNESS_WORDS: LazyLock<WordSet<&str>> = LazyLock::new(|| HARNESS.iter().copied().collect());
static COMPANY_WORDS: LazyLock<WordSet<&str>> =
    LazyLock::new(|| HARNESS_COMPANY.iter().copied().collect());

static PATTERNS: LazyLock<Option<RegexSet>> =
    LazyLock::new(|| pattern_set(RULES.iter().map(|rule| rule.source)));
static LOUD_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(LOUD));
static LOUD_TEST_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(LOUD_TEST));

/// Why the text is such a row, and by which rule. `text` and `folded` are the same but for their case.
pub(super) fn row(text: &str, folded: &str) -> Option<(Reason, &'static str)> {
    let (text, folded) = (text.trim(), folded.trim());
    let (loud, head) = (head(text), head(folded));
    if let Some(found) = loud_row(loud) {
        return (found.0 != Reason::LifecycleLog || !tells_how_things_are(head)).then_some(found);
    }
    if folded.len() <= LONGEST && is_harness_talk(folded) {
        return Some((Reason::TestRow, "test.harness_words"));
    }
    let matches = PATTERNS.as_ref()?.matches(head);
    let first = matches.iter().find(|at| !is_order(*at, head))?;
    let rule = RULES.get(first)?;
    let told = LEADS.contains(&rule.id) && tells_how_things_are(head);
    (!told).then_some((rule.reason, rule.id))
}

/// The rules that know a line by what stands in front of its message.
const LEADS: &[&str] = &[
    "test.marked",
    "log.time_and_level",
    "log.clock_and_level",
    "log.bracketed_level",
];

/// What stands in front of the message of a log: its time, its level, and the part of the program that speaks. Whoever
/// reports an error reports what happened.
const LEAD: &str = r"^(?:[\[(]?(?:\d{4}-\d\d-\d\d[t _])?\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?\s?(?:z|utc|[+-]\d\d:?\d\d)?[\])]?[\s|:-]*)?(?:[\[(]?(?:info|notice|warn|warning)[\])]?[\s|:-]+|[\[(](?:ci|cd)[\])][\s|:-]*)(?:[\[(][\w.:/-]+[\])][\s|:-]*|[\w./-]+:\s+)?";

/// How a message says how things are, rather than what a program did.
const STATES: &str = r"\b(?:is|are) (?:now )?(?:live|pinned|set|version|at version|on version|[v]?\d[\w.]*\b|the\b|an?\b|in\b|on\b|at\b|owned|hosted|deprecated|disabled|enabled|required|retired|frozen|read-only|limited|capped|named|called|based|located)|\brolled out to\b|\b(?:now|currently) (?:runs|uses|lives|points|requires|serves)\b|\bat \d+ ?%|\b(?:runs on|uses|requires|depends on|points to|moved to|switched to|upgraded to|migrated to)\b";

/// What a program says while it works: a share of it that is done.
const PROGRESS: &str = r"^(?:\W*(?:progress|downloading|uploading|indexing|processing|copying|syncing|step|epoch|batch|loading|building)\b)|\b(?:done|complete|completed|finished|elapsed|eta|remaining)\b";

static LEAD_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(LEAD));
static STATES_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(STATES));
static PROGRESS_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(PROGRESS));

/// Whether the message of a line says how things are, as a sentence without time and level would.
fn tells_how_things_are(head: &str) -> bool {
    let lead = LEAD_PATTERN.as_ref().and_then(|lead| lead.find(head));
    let Some(message) = lead.and_then(|lead| head.get(lead.end()..)) else {
        return false;
    };
    let is = |pattern: &LazyLock<Option<Regex>>| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(message))
    };
    let is_row = || {
        PATTERNS
            .as_ref()
            .is_some_and(|rules| rules.is_match(message))
    };
    is(&STATES_PATTERN) && !is(&PROGRESS_PATTERN) && !is_row()
}

/// A row that opens with a word in capitals.
fn loud_row(head: &str) -> Option<(Reason, &'static str)> {
    if !head.bytes().take(2).all(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let is = |pattern: &LazyLock<Option<Regex>>| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(head))
    };
    if is(&LOUD_TEST_PATTERN) {
        return Some((Reason::TestRow, "test.loud"));
    }
    is(&LOUD_PATTERN).then_some((Reason::LifecycleLog, "log.level"))
}

/// Words that make an order of what stands in brackets like a mark of the system.
const ORDERING: &[&str] = &[
    "override",
    "instruction",
    "instructions",
    "command",
    "directive",
    "prompt",
    "order",
    "orders",
    "policy",
];

/// Whether a rule matches only the bracket in which somebody plays the system: "[SYSTEM OVERRIDE]".
fn is_order(rule: usize, head: &str) -> bool {
    let is_mark = RULES
        .get(rule)
        .is_some_and(|rule| rule.id == "system.marked");
    let bracket = head.split([']', ')', '>']).next().unwrap_or_default();
    is_mark && bracket.split(' ').any(|word| ORDERING.contains(&word))
}

/// The part of a text that the rules look at: the whole of a short one, else its first line.
fn head(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let line = text.lines().next().unwrap_or_default();
    line.get(..line.floor_char_boundary(LONGEST))
        .unwrap_or(line)
}

/// Whether every word is of the vocabulary of test harnesses, one of them a mark of it.
fn is_harness_talk(folded: &str) -> bool {
    let mut marks = 0;
    let mut others = 0;
    for (at, word) in folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .enumerate()
    {
        let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if HARNESS_WORDS.contains(bare) {
            marks += 1;
        } else if at == 0 && NOT_A_ROW.contains(&word) {
            return false;
        } else if COMPANY_WORDS.contains(word) || is_identifier(word) {
            others += 1;
        } else {
            return false;
        }
    }
    // A lone word such as "canary" or "probe" may name anything; "test" alone names nothing.
    marks > 1 || (marks == 1 && (others > 0 || folded.starts_with("test")))
}

/// A number, or letters and digits mixed.
fn is_identifier(word: &str) -> bool {
    let is_hex = word.len() >= 6 && word.chars().all(|c| c.is_ascii_hexdigit());
    is_hex || (word.chars().any(|c| c.is_ascii_digit()) && word.is_ascii())
}

/// Whether each word is one letter over and over: "aaaaaaa", "xxx yyy zzz".
pub(super) fn is_one_sign(text: &str) -> bool {
    const SHORTEST_WORD: usize = 3;
    const SHORTEST: usize = 6;
    let repeats = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().filter(|letter| letter.is_alphabetic());
        word.len() >= SHORTEST_WORD && first.is_some_and(|first| letters.all(|next| next == first))
    };
    let text = text.trim();
    text.len() >= SHORTEST && text.split(' ').all(repeats)
}

/// Whether each word runs along a row of the keyboard: "asdf jkl qwer".
pub(super) fn is_typed_along_rows(folded: &str) -> bool {
    /// No letter stands in them twice, so the first one of a word says where the word would run along.
    const ROWS: &str = "qwertyuiop asdfghjkl zxcvbnm";
    const SHORTEST_WORD: usize = 3;
    const SHORTEST: usize = 6;
    let along = |word: &str| {
        let first = word.bytes().next();
        let from = ROWS.bytes().position(|letter| Some(letter) == first);
        let row = from.and_then(|from| ROWS.get(from..)).unwrap_or_default();
        word.len() >= SHORTEST_WORD && row.starts_with(word)
    };
    // Nearly every text is told by its first letters to be none.
    if !folded.trim_start().get(..SHORTEST_WORD).is_some_and(along) {
        return false;
    }
    let text = folded.trim().trim_end_matches(['.', '!', '…']);
    text.len() >= SHORTEST && text.split_whitespace().all(along)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        for rule in RULES {
            assert!(pattern(rule.source).is_some(), "{}", rule.id);
        }
        assert!(PATTERNS.is_some());
        assert!(LOUD_PATTERN.is_some() && LOUD_TEST_PATTERN.is_some());
        assert!(LEAD_PATTERN.is_some() && STATES_PATTERN.is_some() && PROGRESS_PATTERN.is_some());
    }

    #[test]
    fn the_bare_word_decides_nothing() {
        assert!(
            row(
                "The test environment runs Postgres 15",
                "the test environment runs postgres 15"
            )
            .is_none()
        );
        assert!(row("smoke test 12", "smoke test 12").is_some());
    }
}
