//! Values beside a credential word, in whatever language and notation.

use crate::secrets::lock_words::{ASKED, LOCKS, OPENERS, PRESSES, PRESSES_APART, USES};
use crate::secrets::locks::LOCK_RULE;
use crate::secrets::plain::PLAIN_RULE;
use crate::secrets::plain_words::PASSWORDS;
use crate::secrets::rule::{Check, Form, Rule};
use crate::secrets::stated_words::ONCE;

/// A rule for values beside one of `keywords`.
const fn word(id: &'static str, keywords: &'static [&'static str]) -> Rule {
    Rule {
        id,
        provider: "anybody",
        keywords,
        form: Form::Word,
        entropy: 0.0,
        check: Check::Shape,
        needs: None,
    }
}

/// What opens a lock or a network, by the words of sentences.
#[rustfmt::skip]
const OPENS: &[&str] = &[
    "pin", "digicode", "code", "combination", "kombination", "combinaison", "combinación", "combinazione", "combinação",
    "código", "codigo", "codice", "anmeldedaten", "identifiant", "credenciales", "credenziali", "credenciais",
    "inloggegevens", "palavra-passe", "palavra passe", "pw", "mot d'ordre", "losung",
    "wlan-schlüssel", "wlan schlüssel", "wifi-schlüssel", "netzwerkschlüssel", "wlan-key", "wifi key", "wi-fi key", "wlan key", "network key",
    "clé wifi", "clé wi-fi", "clé du wifi", "chiave wifi", "chiave del wifi", "chave do wifi", "chave wifi", "klucz wifi", "wifi-sleutel",
    "şifresi", "şifrem", "Şifre", "Şifresi", "sifresi", "parolası", "parolam", "parol", "كلمة السر", "كلمة مرور", "الرقم السري", "кодовое слово",
    "wpa key", "wpa2 key", "wpa-key", "wpa-schlüssel", "wpa2-schlüssel", "wireless key", "pre-shared key", "preshared key", "network security key",
    "psk", "wifi-nyckel", "wifi-nyckeln", "wlan-nyckel", "wifi-nøgle", "wifi-nøglen", "wifi-nøkkel", "wifi-nøkkelen",
    "lösenordet", "losenordet", "adgangskoden", "passordet", "kodeord", "kodeordet", "kod", "kode", "koden",
    "opens with", "unlocks with", "öffnet mit", "s'ouvre avec", "se abre con", "si apre con", "abre com", "opent met",
    "Hasło", "暗証番号", "パスコード", "puk", "cvv", "cvc", "cvc2", "cvv2", "passwortes",
];

const CODES: [&str; OPENS.len() + ONCE.len()] = both(OPENS, ONCE);

const THINGS: [&str; LOCKS.len() + ASKED.len()] = both(LOCKS, ASKED);
const PRESSED: [&str; PRESSES.len() + PRESSES_APART.len()] = both(PRESSES, PRESSES_APART);
const DONE: [&str; USES.len() + OPENERS.len()] = both(USES, OPENERS);
const PRESSED_AND_DONE: [&str; PRESSED.len() + DONE.len()] = both(&PRESSED, &DONE);
const AT_LOCKS: [&str; THINGS.len() + PRESSED_AND_DONE.len()] = both(&THINGS, &PRESSED_AND_DONE);

/// The words of two lists in one.
#[expect(
    clippy::indexing_slicing,
    reason = "it is worked out by the compiler, which refuses a place that is not there"
)]
const fn both<const N: usize>(one: &[&'static str], other: &[&'static str]) -> [&'static str; N] {
    let mut all = [""; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < one.len() {
            one[at]
        } else {
            other[at - one.len()]
        };
        at += 1;
    }
    all
}

/// The first rule names what a person types, the others what a program sends.
#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    word("beside_password", &[
        "password", "passwd", "passcode", "passphrase", "pass phrase", "passwort", "kennwort", "pwd", "psw", "pass",
        "mot de passe", "motdepasse", "mdp", "contraseña", "contrasena", "senha", "parola", "wachtwoord", "hasło",
        "haslo", "lösenord", "losenord", "adgangskode", "passord", "salasana", "heslo", "jelszó", "şifre", "sifre",
        "пароль", "Пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "كلمة المرور", "סיסמה",
        "kata sandi", "mật khẩu", "รหัสผ่าน", "पासवर्ड", "κωδικός", "login", "credential", "zugangsdaten", "creds",
    ]),
    word("beside_secret", &[
        "secret", "geheimnis", "segredo", "secreto", "segreto", "секрет", "秘密", "密钥", "密鑰", "秘钥", "シークレット", "시크릿",
    ]),
    word("beside_token", &[
        "token", "bearer", "jeton", "токен", "令牌", "トークン", "토큰", "webhook", "authorization",
    ]),
    word("beside_key", &[
        "key", "schlüssel", "schluessel", "clé", "clave", "chave", "chiave", "ключ", "キー", "키", "private", "access",
    ]),
    Rule { form: Form::Sentence, ..word("beside_code", &CODES) },
    Rule { form: Form::Sentence, ..word(LOCK_RULE, &AT_LOCKS) },
    Rule { form: Form::Sentence, ..word(PLAIN_RULE, PASSWORDS) },
];
