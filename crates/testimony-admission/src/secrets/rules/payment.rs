//! Payment, commerce and finance.

use crate::secrets::rule::{Rule, shape};

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    shape("stripe_secret", "Stripe", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], 2.8, r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,120}"),
    shape("stripe_webhook", "Stripe", &["whsec_"], 3.0, r"whsec_[A-Za-z0-9+/]{24,64}={0,2}"),
    shape("pagarme", "Pagar.me", &["ak_live_", "ak_test_"], 2.8, r"ak_(?:live|test)_[A-Za-z0-9]{30}"),
    shape("square_access", "Square", &["sq0atp-", "sq0csp-", "sq0idp-", "sq0ids-"], 2.8, r"sq0(?:atp|csp|idp|ids)-[A-Za-z0-9_-]{20,60}"),
    shape("square_production", "Square", &["eaaa"], 3.0, r"EAAA[A-Za-z0-9_-]{56,64}"),
    shape("shopify", "Shopify", &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"], 2.5, r"shp(?:at|ca|pa|ss|tka|ua)_[0-9a-fA-F]{32}"),
    shape("paypal_braintree", "PayPal", &["access_token$"], 2.8, r"access_token\$(?:production|sandbox)\$([0-9a-z]{16}\$[0-9a-f]{32})"),
    shape("plaid_access", "Plaid", &["access-sandbox-", "access-development-", "access-production-"], 2.5, r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    shape("flutterwave_key", "Flutterwave", &["flwseck", "flwpubk"], 2.2, r"(?i)FLW(?:SECK|PUBK)(?:_TEST|_LIVE)?-(?:[0-9a-z]{32}-X|[0-9a-z]{12})"),
    shape("easypost_live", "EasyPost", &["ezak"], 3.0, r"EZAK[A-Za-z0-9]{54}"),
    shape("easypost_sandbox", "EasyPost", &["eztk"], 3.0, r"EZTK[A-Za-z0-9]{54}"),
    shape("shippo", "Shippo", &["shippo_live_", "shippo_test_"], 2.5, r"shippo_(?:live|test)_[0-9a-fA-F]{40}"),
    shape("duffel", "Duffel", &["duffel_live_", "duffel_test_"], 3.0, r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
    shape("gocardless", "GoCardless", &["live_", "sandbox_"], 3.3, r"(?:^|[^A-Za-z0-9_])((?:live|sandbox)_[A-Za-z0-9_=-]{40})"),
    shape("lob", "Lob", &["live_", "test_"], 2.8, r"(?:^|[^A-Za-z0-9_])((?:live|test)_(?:pub_)?[0-9a-f]{31,35})"),
    shape("adyen", "Adyen", &["aqe"], 4.0, r"AQE[A-Za-z0-9+/]{60,}={0,2}-[A-Za-z0-9+/]{30,}={0,2}-[^\s\x22']{10,40}"),
    shape("mollie", "Mollie", &["live_", "test_"], 3.3, r"(?:^|[^A-Za-z0-9_])((?:live|test)_[A-Za-z0-9]{30})"),
    shape("razorpay", "Razorpay", &["rzp_live_", "rzp_test_"], 2.8, r"rzp_(?:live|test)_[A-Za-z0-9]{14}"),
    shape("paddle", "Paddle", &["pdl_live_", "pdl_sdbx_", "pdl_ntfset_"], 3.0, r"pdl_(?:live|sdbx|ntfset)_[A-Za-z0-9_]{30,80}"),
    shape("polar_access", "Polar", &["polar_oat_", "polar_pat_"], 3.0, r"polar_[op]at_[A-Za-z0-9]{36,48}"),
    shape("freemius", "Freemius", &["sk_"], 3.5, r#"["']?secret_key["']?\s*=>\s*["'](sk_[^\s"']{29})["']"#),
    shape("tickettailor", "Ticket Tailor", &["sk_"], 2.5, r"sk_[0-9]{4,6}_[0-9]{6}_[0-9a-f]{32}"),
    shape("coinbase_cloud", "Coinbase", &["organizations/"], 2.5, r"organizations/([0-9a-f-]{36}/apiKeys/[0-9a-f-]{36})"),
    shape("wise", "Wise", &["wise"], 2.5, r"(?i)(?:transfer)?wise[A-Z0-9_ -]{0,20}[\x22'\s:=]{1,4}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    shape("alchemy", "Alchemy", &[".alchemy.com/v2/"], 3.0, r"\.alchemy\.com/v2/([A-Za-z0-9_-]{32})"),
    shape("infura", "Infura", &[".infura.io/v3/"], 2.8, r"\.infura\.io/v3/([0-9a-f]{32})"),
    shape("ethereum_key", "Ethereum", &["private_key", "privatekey", "private key"], 3.0, r#"(?i)private[ _-]?key["'\s]{0,3}[:=]?[\s"']{0,4}(?:0x)?([0-9a-f]{64})"#),
    shape("bitcoin_wif", "Bitcoin", &["bitcoin", "wif", "privkey"], 4.0, r"[5KL][1-9A-HJ-NP-Za-km-z]{50,51}"),
    shape("seed_phrase", "wallets", &["mnemonic", "seed phrase", "recovery phrase", "seed_phrase"], 3.0, r#"(?i)(?:mnemonic|(?:seed|recovery)[ _]phrase)(?: is)?["'\s]{0,3}[:=]?[\s"']{0,3}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"#),
];
