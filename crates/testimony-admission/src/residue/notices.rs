//! What a program tells its user about memory, the talk or a message: "Your saved memory is 94% full."
//!
//! As with [`super::machine_lines`] no word decides alone: the things that such a program looks after, what became of
//! them and who did it speak for a notice; a word of people, or of a rule that holds in general, makes it none. A notice
//! also points at what it is shown beside ("this chat", "the following message", "your memory"), or stands in brackets.

use std::sync::LazyLock;

use testimony_domain::Reason;

use super::Part;
use super::prose::Finding;
use super::row_words::{LONGEST, pieces};
use crate::lexicon::WordMap;
use Says::{Against, Became, By, Neither, Points, Thing};

/// So many points make a notice.
const ENOUGH: i32 = 6;
/// After so many words that speak for nobody the rest is not read.
const MOST_UNKNOWN: i32 = 5;
/// Of what is said more often than this, the rest says no more.
const MOST_OF_A_KIND: i32 = 2;

const FOR: i32 = 2;

/// What a word of a notice says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// What the program looks after.
    Thing,
    /// What became of it.
    Became,
    /// Who did it, or by which rule.
    By,
    /// At what it points.
    Points,
    /// A word of people, or of a rule that holds in general.
    Against,
    /// A word of any sentence.
    Neither,
}

/// A row is `(what the words are, language, "word|another|…")`; of a word in two rows the later one counts.
#[rustfmt::skip]
const SAID: &[(Says, &str, &str)] = &[
    (Thing, "en", "memory|memories|chat|chats|conversation|conversations|context|history|transcript|recording|attachment|attachments|summary|recap|message|messages|e-mail|email|mail|reply|response|answer|turns|tokens|items|settings|preferences|profile|delivery|recipient|recipients|notification|content|thread|session|output|image|file|draft|note|entry|entries|model|assistant|personalization|personalisation"),
    (Thing, "de", "erinnerung|erinnerungen|gedächtnis|speicher|verlauf|chat|unterhaltung|gespräch|kontext|zusammenfassung|nachricht|nachrichten|antwort|e-mail|mail|anhang|einstellungen|profil|empfänger|zustellung|aufzeichnung|inhalt|einträge|assistent"),
    (Thing, "fr", "mémoire|souvenir|souvenirs|conversation|discussion|historique|contexte|résumé|message|messages|réponse|courriel|e-mail|mail|paramètres|préférences|profil|destinataire|enregistrement|contenu|assistant"),
    (Thing, "es", "memoria|memorias|recuerdo|recuerdos|conversación|chat|historial|contexto|resumen|mensaje|mensajes|respuesta|correo|ajustes|preferencias|perfil|destinatario|grabación|contenido|asistente|adjunto"),
    (Thing, "it", "memoria|memorie|ricordo|ricordi|conversazione|chat|cronologia|contesto|riepilogo|messaggio|messaggi|risposta|e-mail|email|impostazioni|preferenze|profilo|destinatario|registrazione|contenuto|assistente|allegato"),
    (Thing, "pt", "memória|memórias|conversa|chat|histórico|contexto|resumo|mensagem|mensagens|resposta|e-mail|email|configurações|definições|preferências|perfil|destinatário|gravação|conteúdo|assistente|anexo"),
    (Thing, "nl", "geheugen|herinnering|herinneringen|gesprek|chat|geschiedenis|context|samenvatting|bericht|berichten|antwoord|e-mail|mail|instellingen|voorkeuren|profiel|ontvanger|opname|inhoud|assistent|bijlage"),
    (Thing, "pl", "pamięć|pamięci|wspomnienie|wspomnienia|rozmowa|rozmowy|czat|czatu|historia|kontekst|podsumowanie|wiadomość|odpowiedź|e-mail|ustawieniach|preferencje|profil|odbiorca|nagranie|załącznik|asystenta"),
    (Thing, "ru", "память|памяти|воспоминание|воспоминания|чат|чата|диалог|диалога|история|контекст|сводка|сообщение|сообщения|ответ|письмо|настройках|профиль|получатель|запись|вложение|ассистента"),
    (Became, "en", "saved|stored|updated|removed|remove|deleted|delete|archived|truncated|shortened|omitted|summarised|summarized|remembered|forgotten|full|off|on|disabled|enabled|exceeded|exceeds|generated|created|sent|delivered|failed|compressed|compacted|cleared|lost|remaining|left|edited|redacted|hidden|unavailable|expired|merged|duplicated|transcribed|translated|attached|turned|referenced|reached"),
    (Became, "de", "gespeichert|aktualisiert|gelöscht|löschen|entfernt|archiviert|gekürzt|zusammengefasst|gemerkt|vergessen|voll|ausgeschaltet|eingeschaltet|deaktiviert|aktiviert|erstellt|erzeugt|generiert|gesendet|versandt|zugestellt|fehlgeschlagen|überschritten|ausgeblendet|abgelaufen|beantwortet"),
    (Became, "fr", "enregistrée|enregistré|enregistrés|mise|mis|supprimée|supprimé|supprimés|archivée|archivé|tronqué|raccourci|résumée|oubliée|pleine|désactivée|activée|générée|généré|envoyé|envoyée|échoué|dépassé|expiré|répondre"),
    (Became, "es", "guardado|guardada|guardados|actualizado|actualizada|eliminado|eliminada|eliminados|archivado|archivada|truncado|recortado|resumida|olvidada|llena|desactivada|activada|generado|generada|enviado|enviada|fallado|superado|caducado|responder|responda|elimina|elimine|borrado|borra"),
    (Became, "it", "salvato|salvata|salvati|aggiornato|aggiornata|eliminato|eliminata|archiviato|archiviata|troncato|accorciato|riassunta|piena|disattivata|attivata|generato|generata|inviato|inviata|fallito|superato|scaduto|rispondere"),
    (Became, "pt", "salvo|salva|salvos|guardada|guardado|atualizado|atualizada|removido|removida|apagado|apagada|excluído|excluída|arquivado|arquivada|truncado|encurtado|resumida|cheia|desativada|ativada|gerado|gerada|enviado|enviada|falhou|excedido|expirado|responder|responda"),
    (Became, "nl", "opgeslagen|bijgewerkt|verwijderd|gearchiveerd|ingekort|samengevat|vergeten|vol|uitgeschakeld|ingeschakeld|gegenereerd|aangemaakt|verzonden|mislukt|overschreden|verlopen|beantwoorden"),
    (Became, "pl", "zapisano|zapisana|zapisane|zaktualizowano|usunięto|usunięte|zarchiwizowano|skrócono|skrócony|podsumowane|pełna|wyłączona|włączona|wygenerowano|wygenerowana|wysłano|wysłana|przekroczono|odpowiadać"),
    (Became, "ru", "сохранено|сохранены|обновлена|обновлено|обновлён|удалено|удалены|удалена|архивированы|сокращён|сокращена|заполнена|отключена|включена|создано|отправлено|превышен|отвечайте"),
    (By, "en", "automatically|automated|automatic|auto|system|ai|bot|retention|limit|limits|length|window|storage|space|quota|no-reply|noreply|unmonitored|mailbox|assistant|unattended|machine|permanently"),
    (By, "de", "automatisch|automatische|automatisierte|maschinell|system|ki|limit|speicherplatz|grenze|aufbewahrungsfrist|kontextfenster|postfach|jederzeit|unbeaufsichtigt"),
    (By, "fr", "automatiquement|automatique|système|ia|limite|espace|longueur"),
    (By, "es", "automáticamente|automático|automática|sistema|ia|límite|espacio|longitud"),
    (By, "it", "automaticamente|automatico|automatica|sistema|ia|limite|spazio|lunghezza"),
    (By, "pt", "automaticamente|automático|automática|sistema|ia|limite|espaço|comprimento"),
    (By, "nl", "automatisch|automatische|geautomatiseerd|systeem|ai|limiet|ruimte|lengte"),
    (By, "pl", "automatycznie|automatyczne|automatyczna|system|systemu|limit|miejsca|długość"),
    (By, "ru", "автоматически|автоматическое|автоматическая|системой|система|ии|лимит|места"),
    (Points, "en", "this|these|your|you|following|above|below|earlier|previous|older|new|here"),
    (Points, "xx", "diese|dieser|dieses|diesem|dein|deine|deinem|deiner|ihr|ihre|du|bisherigen|bisherige|folgende|ce|cette|cet|votre|vos|ta|tes|tu|vous|précédents|este|esta|esto|tu|tus|su|sus|anteriores|siguiente|questo|questa|tuo|tua|tue|tuoi|precedenti|seguente|sua|suas|seu|seus|você|nesta|desta|deze|dit|je|jouw|uw|eerdere|ta|ten|twoja|twoje|tej|tego|poprzednie|это|этот|эта|этого|ваша|ваше|ваши|старые"),
    (Against, "en", "i|we|my|our|me|us|he|she|his|her|they|their|him|them|mine|ours|who|must|should|always|never|every|only|after|before|whenever|unless|because|days|weeks|months|years|hours|day|week|month|year|prefers|wants|likes|uses|runs|works|lives|asked|decided|monday|tuesday|wednesday|thursday|friday|saturday|sunday|boss|mum|mom|dad|team|customer|customers|production|staging"),
    (Against, "xx", "ich|wir|mein|meine|unser|unsere|er|nach|tagen|tage|immer|nie|muss|soll|nous|notre|nos|mon|ma|jours|toujours|jamais|doit|yo|nosotros|nuestro|nuestra|mi|mis|días|siempre|nunca|debe|noi|nostro|nostra|mio|mia|giorni|sempre|mai|deve|nós|nosso|nossa|meu|minha|dias|ik|wij|mijn|onze|dagen|altijd|nooit|moet|mój|moja|nasz|nasza|dni|zawsze|nigdy|я|мы|мой|моя|наш|наша|дней|всегда|никогда"),
    (Neither, "en", "the|a|an|is|are|was|were|be|been|being|has|have|had|will|can|could|may|do|does|not|no|none|nothing|and|or|but|so|that|than|then|it|its|to|of|in|on|at|by|for|from|with|under|into|out|up|because|due|as|when|if|any|all|some|more|larger|longer|soon|now|please|ok|one|two|check|use|using|used|see|go|want|need|important|details|before|point|part|parts|while|which|over|size|contain|contains|error|errors|mistakes|incorrect|possible|again|most|recent|found"),
    (Neither, "xx", "der|die|das|den|dem|ein|eine|einer|einem|ist|sind|wurde|wurden|wird|werden|hat|haben|kann|kannst|können|nicht|kein|keine|und|oder|in|im|von|vom|zu|zum|auf|aus|mit|für|bitte|sie|es|le|la|les|l|un|une|des|du|de|d|est|sont|a|été|ont|peut|pouvez|ne|pas|et|ou|dans|par|pour|avec|merci|y|el|los|las|una|se|ha|han|sido|es|son|por|con|para|en|del|al|lo|il|i|gli|è|stato|stata|sono|e|di|da|del|della|dei|per|non|o|os|as|um|uma|foi|foram|são|do|da|no|na|não|com|de|het|een|is|zijn|werd|door|van|op|en|of|niet|te|z|ze|w|na|i|lub|nie|jest|są|została|zostało|przez|do|в|на|и|или|не|был|была|было|были|из|с|для|по|mehr|alte|alten|ältere|älteren|enthalten|fehler|möglich|vieux|anciens|anciennes|contenir|erreurs|está|están|antiguos|antiguas|errores|contener|vecchi|vecchie|errori|está|estão|antigas|antigos|erros|oude|fouten|mogelijk|stare|starsze|błędy|старые|ошибки"),
];

static SAYS: LazyLock<WordMap<&'static str, Says>> = LazyLock::new(|| {
    let rows = SAID.iter();
    let words = rows.flat_map(|(says, _, list)| list.split('|').map(|word| (word, *says)));
    words.collect()
});

/// Whether the text is such a notice.
pub(super) fn notice(part: &Part<'_>) -> Option<Finding> {
    if part.folded.len() > LONGEST {
        return None;
    }
    let all = part.around.1;
    let mut said = Said {
        points: part.folded.trim_start().starts_with(['[', '(', '<']),
        ..Said::default()
    };
    for word in pieces(part.words) {
        let letters = all.get(word.start..word.end).unwrap_or_default();
        said.count(SAYS.get(letters).copied(), word.made_of.has_digit());
        if said.unknown > MOST_UNKNOWN || said.against {
            return None;
        }
    }
    said.is_notice()
        .then_some((Reason::SystemGenerated, "system.signs"))
}

/// What the words have said so far.
#[derive(Default)]
struct Said {
    things: i32,
    became: i32,
    by: i32,
    points: bool,
    against: bool,
    unknown: i32,
}

impl Said {
    const fn count(&mut self, says: Option<Says>, is_figure: bool) {
        match says {
            Some(Thing) => self.things += 1,
            Some(Became) => self.became += 1,
            Some(By) => self.by += 1,
            Some(Points) => self.points = true,
            Some(Against) => self.against = true,
            Some(Neither) => {}
            None if is_figure => {}
            None => self.unknown += 1,
        }
    }

    fn is_notice(&self) -> bool {
        let counted = [self.things, self.became, self.by].map(|said| said.min(MOST_OF_A_KIND));
        let points = counted.iter().sum::<i32>() * FOR - self.unknown;
        self.things > 0 && self.became > 0 && self.points && points >= ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listed::Listed;

    fn found(text: &str) -> bool {
        let listed = Listed::of(text);
        Part::of(text, &listed, &(0..text.len()))
            .and_then(|part| notice(&part))
            .is_some()
    }

    #[test]
    fn what_a_program_tells_its_user_is_told_from_what_people_say_of_programs() {
        assert!(found(
            "Older messages of this chat were left out to fit the window."
        ));
        assert!(found("Diese Antwort wurde von einer KI erzeugt."));
        assert!(found("[image removed: over the size limit]"));
        assert!(!found("Chat history is deleted after 30 days."));
        assert!(!found("My saved memory of that summer is full of rain."));
        assert!(!found("The mail system was replaced by Postfix."));
    }
}
