//! Phrases that give generic prose away: answers of an assistant, web pages, set-up instructions, terminals.

use crate::lexicon::{Mask, Row};

/// What a phrase is a sign of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Cue {
    /// How an assistant opens an answer.
    Opener,
    /// How it announces a list.
    HereIs,
    /// How it closes an answer.
    Closer,
    /// What it says about itself.
    Identity,
    /// What it says when it knows nothing in particular.
    Generic,
    /// A web page speaking about itself; one is enough.
    Web,
    /// A web page, perhaps; two are enough.
    WebHint,
    /// An item of a menu.
    Menu,
    /// A command that sets something up.
    SetupCommand,
    /// A phrase of set-up instructions; one is enough.
    Setup,
    /// Set-up instructions, perhaps.
    SetupHint,
    /// What only a terminal prints.
    Terminal,
    /// A word without which no test row, log line or line of a program is one.
    RowGate,
}

impl Cue {
    pub(super) const fn bit(self) -> Mask {
        1 << self as u8
    }
}

use Cue::*;

/// The phrases.
#[rustfmt::skip]
pub(super) const CUES: &[Row<Cue>] = &[
    (Opener, "en", "sure!|sure,|sure thing!|certainly!|certainly,|of course!|absolutely!|absolutely,|great question|good question|excellent question|that's a great question|i'd be happy to|i'd be glad to|i would be happy to|i'm happy to help|happy to help|no problem!|let me help|let's break|let's dive|let's work through|let's go through|i understand your frustration|i understand how|thank you for providing|thanks for providing|thank you for sharing|thanks for sharing|thank you for your question|thank you for reaching out|i can help you with|based on your input|based on the information you|based on what you've|it sounds like you|got it!|definitely!"),
    (Opener, "de", "natürlich!|gerne!|klar!|selbstverständlich!|sicher!|gute frage|tolle frage|ich helfe dir gerne|ich helfe ihnen gerne|kein problem!"),
    (Opener, "fr", "bien sûr !|bien sûr!|bien sûr,|certainement !|avec plaisir !|avec plaisir!|excellente question|bonne question|je serais ravi|absolument !"),
    (Opener, "es", "¡claro!|¡claro que sí!|claro,|¡por supuesto!|por supuesto,|¡buena pregunta!|buena pregunta|con gusto|¡excelente pregunta!|¡desde luego!"),
    (Opener, "it", "certo!|certamente!|certo,|ottima domanda|buona domanda|volentieri!|con piacere!|assolutamente!"),
    (Opener, "pt", "claro!|claro,|com certeza!|ótima pergunta|boa pergunta|com prazer|certamente!"),
    (Opener, "nl", "natuurlijk!|zeker!|goede vraag|graag!|uiteraard!|geen probleem!"),
    (Opener, "pl", "oczywiście!|jasne!|pewnie!|świetne pytanie|dobre pytanie|chętnie pomogę"),
    (Opener, "ru", "конечно!|разумеется!|отличный вопрос|хороший вопрос|с удовольствием"),
    (Opener, "zh", "当然！|当然可以！|当然!|好的！|没问题！|好问题|很高兴为"),
    (Opener, "ja", "もちろんです|もちろん！|はい、|良い質問|いい質問|喜んで"),
    (HereIs, "en", "here are 1*|here are 2*|here are 3*|here are 4*|here are 5*|here are 6*|here are 7*|here are 8*|here are 9*|here are four|here are six|here are seven|here are eight|here are some|here are a few|here are several|here are the top|here are three|here are five|here are ten|here are the steps|here are the key|here's a|here is a|here's an|here is an|here's how|here is how|here's what you can|here's the|here is the updated|here is your|here's your|below is a|below is the|below is your|below are|below you'll find|the following steps|follow these steps|you can do it like this|you can use the following|step-by-step|step by step|there are several|there are a few ways|there are many ways|three options you|options you could consider|a breakdown of"),
    (HereIs, "de", "hier sind einige|hier sind ein paar|hier ist ein|hier ist eine|hier ist der|hier findest du|folgende schritte|im folgenden"),
    (HereIs, "fr", "voici quelques|voici un|voici une|voici les|voici des|voici comment|ci-dessous"),
    (HereIs, "es", "aquí tienes|aquí hay|aquí están|a continuación|aquí te|he aquí"),
    (HereIs, "it", "ecco alcuni|ecco alcune|ecco un|ecco una|ecco come|di seguito|ecco i|ecco le"),
    (HereIs, "pt", "aqui estão|aqui está|aqui vão|a seguir|seguem algumas|segue um"),
    (HereIs, "nl", "hier zijn enkele|hier zijn een paar|hier is een|hieronder"),
    (HereIs, "pl", "oto kilka|oto lista|oto przykład|poniżej|oto kroki"),
    (HereIs, "ru", "вот несколько|вот список|вот пример|вот как|ниже приведен*"),
    (HereIs, "zh", "以下是|下面是|以下为|您可以|你可以"),
    (HereIs, "ja", "以下は|以下の|次の方法|こちらが|手順は"),
    (Closer, "en", "i'm here to help|i am here to help|i'm here if you|but i can help you|speaking with a professional|i hope this helps|hope this helps|hope that helps|i hope that helps|i hope it helps|let me know if you|let me know which|please let me know if|feel free to ask|feel free to reach|feel free to let|if you have any other questions|if you have any further questions|if you have any more questions|if you need any further|if you need anything else|if you need more|is there anything else i can|is there anything specific|would you like me to|do you want me to|shall i|i can also|happy coding|i hope you enjoy|good luck with your|don't hesitate to|happy to elaborate|happy to help further|let me know how|want me to"),
    (Closer, "en", "i'd be happy to help with|i'd be happy to help you|i'd be happy to help!|i would be happy to help|i can help with that|i can help you with|i'd be glad to assist|i'd be glad to help|i'd be happy to assist|i can assist you|happy to help with|could you share a|could you share more|could you clarify|could you tell me a|could you tell me more|could you provide|please provide more|to give you the best|so that i can help you|so that i can give you|so i can give you|so i can help you|what exactly would you like|more context would help"),
    (Closer, "de", "ich hoffe, das hilft|ich hoffe das hilft|lass mich wissen|lassen sie mich wissen|falls du weitere fragen|wenn du weitere fragen|bei weiteren fragen|sag einfach bescheid|möchtest du, dass ich|kann ich sonst noch|melde dich gern"),
    (Closer, "fr", "j'espère que cela|j'espère que ça|n'hésite pas|n'hésitez pas|si tu as d'autres questions|si vous avez d'autres questions|dis-moi si|dites-moi si|souhaitez-vous que je|veux-tu que je"),
    (Closer, "es", "espero que te sirva|espero que esto|espero que te ayude|espero que le|si tienes más preguntas|si tienes alguna otra|no dudes en|avísame si|hazme saber|¿quieres que|¿te gustaría que"),
    (Closer, "it", "spero che ti sia|spero che questo|spero di esserti|spero sia utile|fammi sapere|se hai altre domande|non esitare|vuoi che"),
    (Closer, "pt", "espero que ajude|espero que isso|espero ter ajudado|se tiver mais|se precisar de mais|me avise se|não hesite|fique à vontade|quer que eu|gostaria que eu"),
    (Closer, "nl", "ik hoop dat dit|hopelijk helpt dit|laat het me weten|als je nog vragen|als u nog vragen|wil je dat ik|aarzel niet"),
    (Closer, "pl", "mam nadzieję, że to|jeśli masz więcej pytań|daj mi znać|daj znać, jeśli|czy chcesz, żebym|w razie pytań"),
    (Closer, "ru", "надеюсь, это поможет|надеюсь, это|если у вас есть вопросы|если будут вопросы|если у вас возникнут|дайте знать|хотите, чтобы я|обращайтесь"),
    (Closer, "zh", "希望对你有帮助|希望对您有帮助|希望这能|希望这些|如果您有其他|如果你有其他|如有其他问题|请随时|需要我|还有什么可以帮"),
    (Closer, "ja", "お役に立て|ご不明な点|他にご質問|何かご質問|お気軽に|お知らせください|参考になれば|必要でしたら"),
    (Identity, "en", "i don't have access to|i do not have access to|as an ai language model|as a language model|as a large language model|as an ai assistant|as an ai model|as an ai,|i'm an ai|i am an ai|i don't have personal opinions|i do not have personal|i don't have access to real-time|i cannot browse|i can't browse|i don't have the ability to|my knowledge cutoff|my training data|i can't assist with|i cannot assist with|i can't help with that|i cannot help with that|i'm unable to|i'm not able to provide|i'm sorry, but i can't|i'm sorry, but i cannot|i apologize for the confusion|i apologise for the confusion|you're absolutely right|as of my last update|i cannot provide"),
    (Identity, "de", "als ki-sprachmodell|als ki-assistent|als sprachmodell|als ki habe ich|ich bin eine ki|als künstliche intelligenz|es tut mir leid, aber ich kann"),
    (Identity, "fr", "en tant qu'ia|en tant que modèle de langage|en tant qu'assistant|je suis une ia|je suis désolé, mais je ne peux"),
    (Identity, "es", "como modelo de lenguaje|como ia|como inteligencia artificial|soy una ia|como asistente de ia|lo siento, pero no puedo"),
    (Identity, "it", "come modello linguistico|come ia|come intelligenza artificiale|sono un'ia|mi dispiace, ma non posso"),
    (Identity, "pt", "como modelo de linguagem|como uma ia|como ia|sou uma ia|desculpe, mas não posso"),
    (Identity, "nl", "als ai-taalmodel|als taalmodel|als ai-assistent|ik ben een ai|het spijt me, maar ik kan"),
    (Identity, "pl", "jako model językowy|jako ai|jestem ai|przykro mi, ale nie mogę"),
    (Identity, "ru", "как языковая модель|как ии|я языковая модель|я — ии|извините, но я не могу"),
    (Identity, "zh", "作为一个人工智能|作为人工智能|作为ai|作为一个ai|作为一个语言模型|我是一个人工智能|作为语言模型|很抱歉，我无法|抱歉，我不能"),
    (Identity, "ja", "aiとして|言語モデルとして|私はai|aiアシスタントとして|申し訳ありませんが"),
    (Generic, "en", "it's important to note|it is important to note|keep in mind that|in conclusion|in summary|to summarize|to summarise|ultimately,|overall,|depends on your specific|depends on your needs|your specific needs|needs and preferences|weigh the pros and cons|consult a professional|consult with a|there are several factors|remember that everyone|by following these|with these tips|listen to your body|this will print|this code|this function will|make sure to|you should start|you may want to|you might want to|consider the following"),
    (Web, "en", "sign in to continue|log in to continue|don't have an account|create one for free|straight to your inbox|delivered to your inbox|subscribe now|shop now|cookies to enable|such as cookies|award-winning|exclusive deals|create an account|start your free trial|trusted by thousands|signs you need|book now|join now|get yours today|see our privacy|ways to improve your|use cookies to|uses cookies to|we use cookies and|we use cookies on|we use cookies for analytics|our use of cookies|this site uses cookies|this website uses cookies|accept all cookies|cookie settings|cookie preferences|manage cookies|accept cookies|reject all|subscribe to our newsletter|sign up for our newsletter|join our newsletter|subscribe to our|never miss an update|skip to main content|skip to content|all rights reserved|may contain affiliate links|we may earn a commission|in today's fast-paced|look no further|our ultimate guide|you might also like|you may also like|scroll to continue|please enable javascript|enable javascript|view this email in your browser|view in browser|you have been unsubscribed|your privacy is important to us|we value your privacy|read our cookie policy|off your first order|click here to read|click here to subscribe|click here to learn|continue reading|unlock your full potential|take your business to the next level|to the next level|stay ahead of the curve|in this comprehensive guide|in this article, we|in this blog post|everything you need to know|join thousands of|follow us on|share this article|share this post|share on facebook|like and subscribe|don't forget to subscribe|smash that like|terms and conditions apply|unsubscribe at any time|forgot password?|forgot your password?|powered by wordpress|back to top|load more|sign up today|limited time offer|buy now|add to cart|free shipping on|sponsored content|this page intentionally left|by continuing to browse|by continuing to use|by using this site|related articles|related posts|recommended for you|trending now|read more »|game-changer|cutting-edge solutions|best-in-class|leave a comment|leave a reply|leave a comment below"),
    (Web, "de", "verwenden cookies|verwendet cookies|nutzt cookies|nutzen cookies|alle cookies akzeptieren|cookies akzeptieren|newsletter abonnieren|newsletter anmelden|keine angebote verpassen|alle rechte vorbehalten|zum inhalt springen|datenschutzeinstellungen|in den warenkorb|jetzt kaufen|jetzt anmelden|mehr erfahren|weiterlesen|folgen sie uns|folge uns"),
    (Web, "fr", "utilisons des cookies|utilise des cookies|tout accepter|accepter les cookies|notre newsletter|tous droits réservés|en savoir plus|aller au contenu|ajouter au panier|suivez-nous|lire la suite|politique de confidentialité |en poursuivant votre navigation"),
    (Web, "es", "utilizamos cookies|usamos cookies|utiliza cookies|aceptar todas|aceptar cookies|nuestro boletín|todos los derechos reservados|leer más|saltar al contenido|añadir al carrito|síguenos|suscríbete a"),
    (Web, "it", "utilizza i cookie|utilizziamo i cookie|usa i cookie|accetta tutti|accetta i cookie|nostra newsletter|tutti i diritti riservati|leggi di più|vai al contenuto|aggiungi al carrello|seguici su|iscriviti alla"),
    (Web, "pt", "utilizamos cookies|usamos cookies|utiliza cookies|usa cookies|aceitar todos|aceitar cookies|nossa newsletter|todos os direitos reservados|leia mais|adicionar ao carrinho|siga-nos|inscreva-se"),
    (Web, "nl", "gebruiken cookies|gebruikt cookies|alle cookies accepteren|cookies accepteren|onze nieuwsbrief|alle rechten voorbehouden|lees meer|in winkelwagen|volg ons"),
    (Web, "pl", "używa plików cookie|używamy plików cookie|korzysta z plików cookie|zaakceptuj wszystkie|zapisz się do newslettera|wszelkie prawa zastrzeżone|czytaj więcej|dodaj do koszyka|polub nas|obserwuj nas"),
    (Web, "ru", "использует файлы cookie|используем файлы cookie|используем cookie|принять все|подпишитесь на|все права защищены|читать далее|добавить в корзину|подписывайтесь"),
    (Web, "zh", "使用cookie|使用 cookie|接受所有|订阅我们|版权所有|阅读更多|加入购物车|关注我们|点击这里"),
    (Web, "ja", "クッキーを使用|cookieを使用|すべて受け入れる|ニュースレター|無断転載|続きを読む|カートに入れる|フォローしてください"),
    (WebHint, "en", "privacy policy|terms of service|terms of use|cookie policy|imprint|affiliate|newsletter|subscribe|sign up|log in|register|advertisement|sponsored|copyright|©|click here|read more|learn more|get started|discover|explore|best of|top 10|ultimate guide|10 ways|7 habits|thousands of subscribers|manage preferences|manage your preferences|unsubscribe|instagram|tiktok|facebook|twitter|linkedin|looking for the best|revolutionary|seamless|designed to|impressum|datenschutz|agb"),
    (Menu, "en", "home|about|about us|products|blog|contact|contact us|services|pricing|faq|login|log in|register|sign in|sign up|search|menu|news|careers|support|privacy policy|terms of service|terms|imprint|cookies|shop|cart|account|help|docs|documentation|features|press|sitemap|gallery|events|team|forgot password?"),
    (SetupCommand, "sh", "git clone|npm install|npm i|npm ci|npm run dev|npm start|pip install|pip3 install|pipx install|uv pip install|cargo install|cargo build|yarn install|yarn add|pnpm install|pnpm add|docker compose up|docker-compose up|docker run|docker pull|brew install|apt-get install|apt install|apt-get update|make install|python -m venv|python3 -m venv|source .venv|conda create|conda install|go install|go get|gem install|bundle install|composer require|composer install|poetry install|kubectl apply|helm install|npx create-|terraform init|chmod +x|sudo systemctl|winget install|choco install|python app.py|curl -fssl|curl -sSL|dotnet add|flutter pub get|cp .env.example"),
    (Setup, "en", "to get started, clone|clone the repository and|clone this repository|clone the repo and|run the following command|run the following commands|execute the following command|add the following lines to|add the following line to|add the following to your|make sure you have python|make sure you have node|make sure you have docker|make sure you have the latest|ensure you have python|ensure you have node|ensure you have docker|follow the prompts|double-click the|click install|in the project root|restart your terminal|to build from source|follow the installation|installation wizard|create a virtual environment|install the dependencies with|install dependencies with|install the dependencies|install the required|contributions are welcome|submit a pull request|see the license file|licensed under the mit|licensed under the apache|licensed under the gpl|replace the placeholders with|your own values|environment variable before running|download the latest release|you can now access the application|for more information, refer to|refer to the documentation|see the documentation for|before running the example|navigate to the project directory|installed on your machine|in your browser to see|open http://localhost*|pull requests are welcome|environment variable before"),
    (Setup, "de", "klone das repository|klonen sie das repository|installiere die abhängigkeiten|führe folgenden befehl|führen sie folgenden befehl|führe anschließend|öffne ein terminal|stellen sie sicher, dass"),
    (Setup, "fr", "clonez le dépôt|clone le dépôt|installez les dépendances|exécutez la commande suivante|exécutez ensuite"),
    (Setup, "es", "clona el repositorio|clone el repositorio|instala las dependencias|ejecuta el siguiente comando|ejecute el siguiente comando"),
    (Setup, "it", "clona il repository|installa le dipendenze|esegui il seguente comando"),
    (Setup, "pt", "clone o repositório|instale as dependências|execute o seguinte comando|execute o comando"),
    (Setup, "zh", "克隆仓库|安装依赖|运行以下命令|执行以下命令"),
    (Setup, "ja", "リポジトリをクローン|依存関係をインストール|次のコマンドを実行|以下のコマンドを実行"),
    (SetupHint, "en", "is installed on|installed on your|.env.sample|.env file|config.example*|follow these steps|follow the steps|follow the instructions|steps below|instructions below|api key|api token|access token|settings file|config file|configuration file|you're all set|you are all set|you're ready to go|you are ready to go|you're good to go|you are good to go|environment variables|restart your|restart the server|npm run|fill in your|fill in the values|node.js|package manager|or newer|or later|a c compiler|c compiler|to build the project|to install the package|set up your environment|pip|npm ci|output is placed|&&|./manage.py|make sure you have|ensure you have|ensure that you have|step 1*|step 2*|installer|plugin|plugins|installation|prerequisites|quick start|quickstart|getting started|to get started|usage|requirements.txt|.env.example|environment variable|config.yaml|localhost|dependencies|readme|globally|\"mcpservers\"|\"command\":|\"args\":|~/.bashrc|~/.zshrc"),
    (Terminal, "sh", "counting objects|unpacking objects|writing objects|compressing objects|enumerating objects|receiving objects|delta compression|already up to date|already up-to-date|updating files"),
    (Terminal, "sh", "building wheels|require stack|subprocess-exited|●|it/s|traceback (most recent|npm err*|npm warn|npm error|drwx*|-rw-*|error[e*|warning: unused|compiling|finished dev|finished release|finished `|test result:|passed in|passed;|segmentation fault|core dumped|command not found|container id|nothing to commit|on branch|your branch is up to date|exit status|goroutine|exception in thread|requirement already satisfied|downloading|modules transformed|built in|icmp_seq|bytes from|gcc|ps c:|>>>|$|eta|node_modules|assertionerror|panicked at|stack backtrace|at java.|\tat|.py\", line|no such file or directory|permission denied|failed tests/*|collecting|changes not staged|total|mb/s|kb/s|typeerror|referenceerror|syntaxerror|✓|➜|root@*|added|packages in|%|█|━|===|fatal:|cannot find module|undefined reference|nullpointerexception|pass|fail"),
    (RowGate, "en", "test*|smoke_*|canary_*|dummy_*|load_*|tests|testing|testid|testcase|smoke|smoketest|canary|eval|evals|evaluation|eval_*|test_*|is_test|dummy|probe|probe_*|benchmark|bench|bench_*|fixture|synthetic|placeholder|mock|sanity|lorem|foo*|asd*|qwert*|blah|blabla|xxx*|e2e|locust|qa|ci|fox|world|testdata|testrow|needle"),
    (RowGate, "en", "info|event|checkpoint|received|triggered|debug|warn|warning|error|trace|notice|fatal|critical|level|severity|loglevel|levelname|heartbeat|keepalive|keep-alive|tick|pong|started|starting|stopped|stopping|completed|complete|finished|ended|closed|opened|created|initialized|initialised|initializing|terminated|restarted|restarting|exited|failed|succeeded|passed|done|ready|running|listening|shutting|shut|connected|connecting|reconnecting|disconnected|established|logged|queued|enqueued|scheduled|cancelled|canceled|aborted|resumed|paused|suspended|loaded|loading|unloaded|warmed|rolled|deployed|returned|timed|killed|crashed|registered|launched|booted|online|offline|healthy|successful|ok|accepted|reset|step|turn|iteration|epoch|retry|retrying|attempt|batch|token usage|tokens used|elapsed|exit code|exit status|uptime|duration|latency|get /*|post /*|put /*|delete /*|patch /*|kernel|systemd|sshd|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|health check|waiting|processing|indexing|fetching|booting"),
    (RowGate, "en", "memory|example|sample|demo|fake|auto-summary|message|reply|memories|preferences|preference|profile|saved|stored|updated|facts|fact|summary|compacted|compaction|summarized|summarised|truncated|generated|auto-generated|autosave|auto-saved|automated|automatic|automatically|system|do not edit|this file|remember|embedding|re-indexed|reindexed|knowledge base|deduplicated|reminder|note|changes|settings|records|entries|context|compressed|noted|bot"),
    (RowGate, "en", "healthcheck|liveness|golden|gold|uat|dedup*|roundtrip|round-trip|round trip|loadtest|vitest|pytest|jest|locomo|longmemeval|regression|e2e-*|canary-*|probe-*|bench-*|dummy-*|sanity_*|e2e_*|probe|checking"),
    (RowGate, "xx", "platzhalter*|gedächtnistest|rauchtest|ich teste|fiktiv*|factice|fictif|fictive|ficticio|ficticia|fittizi*|fictíci*|rooktest|probando|fikcyj*|testuję|проверочн*|фиктивн*|пробн*|тестов*|тестирую|動作確認|ダミー|検証用|prueba*|testherinnering*|geheugentest"),
    (RowGate, "xx", "testeintrag|testnachricht|testdatensatz|testzeile|testdaten|testerinnerung|dummy-datensatz|prueba|prova|teste|essai|testbericht|testregel|testowy|testowa|testowe|тест|тестовая|тестовое|тестовые|проверка|测试|テスト|sitzung|gestartet|beendet|gestoppt|démarrée|démarré|terminée|terminé|iniciada|iniciado|finalizada|avviata|avviato|terminata|encerrada|gestart|beëindigd|rozpoczęta|zakończona|uruchomiony|началась|запущен|запущена|завершена|остановлен|已|セッション|サーバー|エージェント|erinnerung|erinnerungen|gedächtnis|automatisch|mémoire|automatiquement|memoria|memorias|automáticamente|automaticamente|memória|memórias|geheugen|pamięć|automatycznie|память|автоматически|记忆|自动|メモリ|記憶|自動*"),
    (Terminal, "sh", "reading package lists|building dependency tree|reading state information|newly installed|setting up|unpacking|selecting previously|\u{1b}[|✔|✗|✖|preparing to unpack"),
    (RowGate, "xx", "assertion|assert|expected|generated by|regenerated|regression|proefregel|proefregels|proefrij|proefrecord|proefbericht|proefnotitie|proefinvoer|test case|recall_eval|retain_eval|memory_eval|recall_test|memory_test|recall_probe|recall_bench|eval_run|memory_bench"),
    (Generic, "en", "in conclusion|in summary,|to sum up,|all in all,|both options|option a|option b|pros and cons|advantages and disadvantages|strengths and weaknesses|it is important to weigh|weigh these|weigh them carefully|before making a decision|depends on your needs|depends on your specific|depends on several factors|there are many reasons why|there are several reasons why|there are a number of reasons|plays a crucial role|it is worth noting|it's worth noting|a wide range of|a good starting point|go deeper into|would like me to|want me to go|each option has|each has its"),
    (Generic, "xx", "zusammenfassend lässt sich|vor- und nachteile|es ist wichtig zu beachten|en conclusion|avantages et inconvénients|il est important de|en conclusión|ventajas y desventajas|es importante tener|in conclusione|vantaggi e svantaggi|è importante|em conclusão|vantagens e desvantagens|é importante lembrar|voor- en nadelen|podsumowując|wady i zalety|zalety i wady|важно помнить|преимущества и недостатки|总之|优缺点|需要注意的是|結論として|メリットとデメリット"),
    (Closer, "en", "i hope this gives you|hope this gives you|let me know if you would|let me know if you'd|let me know how|let me know what you|what would you like to know|how can i assist|how may i assist"),
    (Web, "en", "there's something for everyone|there is something for everyone|memories that last a lifetime|whether you're a seasoned|whether you are a seasoned|whether you're just starting|whether you're a beginner|look no further|will surprise you|we've got you covered|share this post|share this article|in this article, we|in this article we|in this blog post|in this guide, we|in this guide we|welcome to our website|welcome to our online|discover our|explore our collection|shop now|order now and|limited time offer|breathtaking views|mouth-watering|ways to boost|tips to boost"),
    (Web, "de", "willkommen auf unserer|willkommen in unserem shop|entdecken sie unsere|entdecke unsere|in diesem artikel|jetzt bestellen|jetzt entdecken|cookies, um ihnen|um ihnen das beste|lassen sie sich inspirieren|teile diesen beitrag|für jeden etwas dabei|mehr erfahren"),
    (Web, "fr", "bienvenue sur notre|découvrez nos|découvrez notre|laissez-vous inspirer|laissez-vous séduire|dans cet article|en poursuivant votre navigation|utilisons des cookies|améliorer votre expérience|profitez de nos offres|offres exclusives|partager cet article|commandez maintenant"),
    (Web, "es", "bienvenido a nuestra|bienvenidos a nuestra|bienvenido a nuestro|bienvenidos a nuestro|descubre nuestr*|descubra nuestr*|en este artículo|ofertas exclusivas|déjate inspirar|compra ahora|comparte este artículo|mejorar tu experiencia|mejorar su experiencia|suscríbete a nuestro"),
    (Web, "it", "benvenuti sul nostro|benvenuto sul nostro|benvenuti nel nostro|scopri le nostre|scopri i nostri|scopri la nostra|in questo articolo|offerte esclusive|lasciati ispirare|acquista ora|condividi questo|migliorare la tua esperienza|iscriviti alla newsletter"),
    (Web, "pt", "bem-vindo ao nosso|bem-vindos ao nosso|bem-vindo à nossa|descubra nossos|descubra nossas|descubra as nossas|neste artigo|ofertas exclusivas|compre agora|partilhe este|compartilhe este|melhorar a sua experiência|melhorar sua experiência|inscreva-se na nossa"),
    (Web, "nl", "welkom op onze|ontdek onze|ontdek ons|in dit artikel|exclusieve aanbiedingen|laat je inspireren|bestel nu|deel dit artikel|voor ieder wat wils"),
    (Web, "pl", "witamy na naszej|witaj na naszej|odkryj nasze|w tym artykule|ekskluzywne oferty|kup teraz|udostępnij ten|dla każdego coś|dowiedz się więcej"),
    (Web, "ru", "добро пожаловать на наш|откройте для себя|в этой статье|эксклюзивные предложения|купить сейчас|поделиться статьей|поделитесь статьёй|узнать больше"),
    (Web, "zh", "欢迎来到我们|欢迎访问|探索我们的|在本文中|本文将|立即购买|分享本文|独家优惠"),
    (Web, "ja", "へようこそ|この記事では|今すぐ購入|限定オファー|この記事をシェア|詳しくはこちら"),
    (Setup, "en", "once the installation has|once the installation is|after the installation has|after the installation is|when the installation is|when the installation has|once installation is|after the setup completes|once the setup has|once the setup is|after setup completes|when the setup is|when the setup has|once the download has|once the download is|after the download completes|when the download is|when the download has|once the update has|after the update completes|once the installer has|once the installer is|after the installer has|once installed,|once it is installed|restart your computer|on the screen to complete|and follow the instructions on|you will be asked to choose|you will be prompted|from the start menu|turn on two-factor|to your vite.config*|restart the dev server"),
    (Setup, "xx", "sobald die installation|nach abschluss der installation|starten sie ihren computer neu|starte deinen computer neu|folgen sie den anweisungen auf dem|une fois l'installation|redémarrez votre ordinateur|suivez les instructions à l'écran|una vez finalizada la instalación|cuando termine la instalación|reinicie su equipo|reinicia el ordenador|siga las instrucciones en pantalla|al termine dell'installazione|riavvia il computer|segui le istruzioni sullo schermo|após a instalação|reinicie o computador|siga as instruções na tela|zodra de installatie|herstart je computer|po zakończeniu instalacji|uruchom ponownie komputer|после завершения установки|перезагрузите компьютер|安装完成后|重新启动计算机|インストールが完了したら|再起動してください"),
    (Terminal, "sh", "get:*|hit:*|warning: lf|warning:|extracting|uploading|fetching|installing|pulling|mb|kb|gb|mib|kib|gib|progress:|cloning into|resolving deltas|building|transferring|verifying|[==*|[##*"),
    (RowGate, "en", "haystack|distractor|filler|negative|positive control|control probe|control memory|persona|personas|canary|this persona|the sentence below|the text below|planted|expected_recall|expected_*|backfill|dedupe|dedup|deduplication|retain|recall|writeback|abstention|hello world|smoketest*|loadtest*|inserted|pytest*|vitest*|row inserted|self-check|trial|seed"),
    (RowGate, "xx", "테스트*|시험*|deneme*|kaydı*|परीक*|जाँच*|تجريبي*|اختبار*|تجريبية|煙のテスト|スモークテスト|смоук*|thử|kiểm tra|testi*"),
    (Closer, "en", "don't hesitate to|do not hesitate to|hope that answers|hope this answers|if anything is unclear|if something is unclear"),
    (Web, "xx", "abonnez-vous à notre|lettre d'information|notre infolettre|abonnieren sie unser*|melden sie sich für unser*|boletín de noticias|iscriviti alla nostra|assine nossa|subscreva a nossa|schrijf je in voor|meld je aan voor|zapisz się na|подпишитесь на|订阅我们的|クッキーを使用して|当サイトでは"),
    (Terminal, "sh", "pulling fs layer|pull complete|download complete|pulling from"),
    (RowGate, "en", "control row|control fact|must not be recalled|load generator|this paragraph|padding"),
    (Closer, "en", "feel free to tweak|feel free to adjust|feel free to edit|feel free to modify|feel free to customize|feel free to customise|feel free to change|feel free to adapt"),
    (Closer, "xx", "passe ihn gerne an|passen sie ihn gerne an|puedes ajustarlo|siéntete libre de|n'hésitez pas à l'adapter|n'hésite pas à l'adapter"),
    (Generic, "en", "step-by-step guide|step by step guide|to help you get going|to help you get started|guide to get you started|help you get up and running"),
    (Setup, "en", "to get started, install|to get started, run|to get started, download|to get started, add|to get started, create|to begin, install|as shown below|import the component|import the module as"),
    (Web, "en", "the page you are looking for|the page you were looking for|the page you requested|the requested page|the requested url|this page could not be found|back to the homepage|return to the homepage|while we redirect you|if nothing happens, click|if you are not redirected|your session has expired|your session has timed out|please log in again|please sign in again"),
    (Web, "xx", "die angeforderte seite|die gesuchte seite|zurück zur startseite|ihre sitzung ist abgelaufen|la page demandée|retour à l'accueil|votre session a expiré|la página solicitada|la página que buscas|volver al inicio|su sesión ha caducado|tu sesión ha caducado"),
    (RowGate, "en", "forbidden|bad gateway|not found|unauthorized|unauthorised|internal server error|service unavailable|gateway timeout|gateway time-out|too many requests|bad request|request timeout|method not allowed|moved permanently|alive|pong|passed|passing|page|automated check|scheduled check|automated run|sample text|sample data"),
    (RowGate, "xx", "seite|página|pagina"),
];
