"""Every format of secrets.toml with made-up keys that must be found, and look-alikes that must not; personal data."""

from __future__ import annotations

import random
import string

import pytest

from firewall.context import gate, sanitize, secrets
from firewall.context.screen import Screen
from firewall.verdict import Outcome

RANDOM = random.Random(20)
LETTERS = string.ascii_letters
ALNUM = LETTERS + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"
URL = ALNUM + "_-"


def of(alphabet: str, length: int) -> str:
    return "".join(RANDOM.choice(alphabet) for _ in range(length))


# (format, a true one, one that looks like it and is none). Put together here, so that this file holds no key.
EXAMPLES = [
    ("aws-access-key-id", "AK" + "IA" + of(UPPER, 16), "AK" + "IA" + of(UPPER, 12)),
    ("aws-secret-access-key", "aws_secret = " + of(ALNUM + "+/", 40), "aws_secret = " + "x" * 40),
    ("github-token", "gh" + "p_" + of(ALNUM, 36), "gh" + "p_" + of(ALNUM, 10)),
    ("github-refresh-token", "gh" + "r_" + of(ALNUM, 40), "gh" + "r_short"),
    ("github-fine-grained-token", "github_" + "pat_" + of(ALNUM, 82), "github_" + "pat_file"),
    ("gitlab-token", "gl" + "pat-" + of(URL, 20), "gl" + "pat-x"),
    ("gitlab-runner-registration", "GR13" + "48941" + of(URL, 20), "GR13" + "48941"),
    ("slack-token", "xox" + "b-123456789012-123456789012-" + of(ALNUM, 24), "xox" + "b-"),
    ("slack-app-token", "xa" + "pp-1-A012BCDEFGH-1234567890123-" + of(HEX, 64), "xa" + "pp-1-A"),
    ("slack-webhook", "hooks.slack" + ".com/services/T01234567/B01234567/" + of(ALNUM, 24), "hooks.slack" + ".com/"),
    ("stripe-key", "sk_" + "live_" + of(ALNUM, 24), "sk_" + "live_mode"),
    ("stripe-webhook-secret", "wh" + "sec_" + of(ALNUM, 32), "wh" + "sec_x"),
    ("openai-key", "sk-" + "proj-" + of(URL, 60), "sk-" + "proj-alpha"),
    ("openai-legacy-key", "sk-" + of(ALNUM, 48), "sk-" + "a" * 48),
    ("anthropic-key", "sk-" + "ant-api03-" + of(URL, 93), "sk-" + "ant-hill"),
    ("google-api-key", "AI" + "za" + of(URL, 35), "AI" + "za" + of(URL, 10)),
    ("google-oauth-client-secret", "GOC" + "SPX-" + of(URL, 28), "GOC" + "SPX-"),
    ("google-oauth-access-token", "ya" + "29." + of(URL, 60), "ya" + "29.x"),
    (
        "private-key",
        "-----BEGIN RSA " + f"PRIVATE KEY-----\n{of(ALNUM, 64)}\n{of(ALNUM, 64)}\n-----END RSA PRIVATE KEY-----",
        "a line that says PRIVATE " + "KEY and no more",
    ),
    (
        "putty-private-key",
        "PuTTY-User-" + "Key-File-2: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\n" + of(ALNUM, 60),
        "PuTTY-User-" + "Key-File-",
    ),
    ("json-web-token", "ey" + "J" + of(URL, 30) + ".ey" + "J" + of(URL, 40) + "." + of(URL, 43), "ey" + "J.x.y"),
    ("sendgrid-key", "S" + "G." + of(URL, 22) + "." + of(URL, 43), "S" + "G.1.2"),
    ("twilio-key", "S" + "K" + of(HEX, 32), "S" + "K" + "0" * 32),
    ("mailgun-key", "ke" + "y-" + of(HEX, 32), "ke" + "y-value"),
    ("mailchimp-key", of(HEX, 32) + "-u" + "s14", of(HEX, 20) + "-u" + "s14"),
    ("npm-token", "np" + "m_" + of(ALNUM, 36), "np" + "m_config_cache"),
    ("pypi-token", "py" + "pi-AgE" + "IcHlwaS5vcmc" + of(URL, 80), "py" + "pi-AgE"),
    ("rubygems-key", "ruby" + "gems_" + of(HEX, 48), "ruby" + "gems_api"),
    ("docker-token", "dc" + "kr_pat_" + of(URL, 27), "dc" + "kr_pat_"),
    ("huggingface-token", "h" + "f_" + of(LETTERS, 34), "h" + "f_hub_download"),
    ("digitalocean-token", "do" + "p_v1_" + of(HEX, 64), "do" + "p_v1_"),
    ("shopify-token", "sh" + "pat_" + of(HEX, 32), "sh" + "pat_x"),
    ("square-token", "sq" + "0atp-" + of(URL, 22), "sq" + "0atp-"),
    ("telegram-bot-token", "1234567890:A" + "A" + of(URL, 33), "12:A" + "A"),
    ("discord-bot-token", "M" + of(ALNUM, 24) + "." + of(ALNUM, 6) + "." + of(URL, 30), "Module.name.attribute"),
    (
        "discord-webhook",
        "https://discord.com/api/web" + "hooks/123456789012345678/" + of(URL, 68),
        "discord.com/api/web" + "hooks/",
    ),
    ("teams-webhook", "https://x.web" + "hook.office.com/webhookb2/" + of(HEX + "-@/", 100), "web" + "hook.office.com"),
    ("azure-storage-key", "Account" + "Key=" + of(ALNUM + "+/", 86) + "==", "Account" + "Key=x"),
    ("azure-client-secret", "x " + of(ALNUM, 3) + "8Q" + "~" + of(ALNUM, 34), "8Q" + "~"),
    ("azure-sas-signature", "https://x.example/c?s" + "ig=" + of(ALNUM, 44), "?s" + "ig=yes"),
    ("azure-devops-token", of(ALNUM, 76) + "AZ" + "DO" + of(ALNUM, 4), "AZ" + "DO"),
    ("heroku-key", "HR" + "KU-" + of(URL, 58), "HR" + "KU-"),
    ("databricks-token", "da" + "pi" + of(HEX, 32), "da" + "pi-docs"),
    ("grafana-token", "gl" + "sa_" + of(ALNUM, 32) + "_" + of(HEX, 8), "gl" + "sa_x"),
    ("vault-token", "hv" + "s." + of(URL, 92), "hv" + "s.x"),
    ("terraform-token", of(ALNUM, 14) + ".atlas" + "v1." + of(URL, 64), ".atlas" + "v1."),
    ("doppler-token", "dp." + "pt." + of(ALNUM, 43), "dp." + "pt.x"),
    ("linear-key", "lin_" + "api_" + of(ALNUM, 40), "lin_" + "api_"),
    ("notion-token", "nt" + "n_" + of(string.digits, 11) + of(ALNUM, 35), "nt" + "n_1"),
    ("figma-token", "fi" + "gd_" + of(URL, 40), "fi" + "gd_"),
    ("postman-key", "PM" + "AK-" + of(HEX, 24) + "-" + of(HEX, 34), "PM" + "AK-"),
    ("planetscale-token", "psc" + "ale_tkn_" + of(URL, 43), "psc" + "ale_tkn_"),
    ("pulumi-token", "pu" + "l-" + of(HEX, 40), "pu" + "l-up"),
    ("newrelic-key", "NR" + "AK-" + of(UPPER, 27), "NR" + "AK-"),
    ("sentry-token", "sn" + "tryu_" + of(HEX, 64), "sn" + "tryu_"),
    ("age-secret-key", "AGE-SECRET-" + "KEY-1" + of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58), "AGE-SECRET-" + "KEY-1"),
    ("alibaba-access-key", "LT" + "AI" + of(ALNUM, 20), "LT" + "AI"),
    ("atlassian-token", "AT" + "ATT3" + of(URL, 180), "AT" + "ATT3"),
    ("cloudflare-origin-key", "v1" + ".0-" + of(HEX, 24) + "-" + of(HEX, 146), "v1" + ".0-rc1"),
    ("dynatrace-token", "dt0" + "c01." + of(UPPER, 24) + "." + of(UPPER, 64), "dt0" + "c01."),
    ("flyio-token", "fo" + "1_" + of(URL, 43), "fo" + "1_"),
    ("groq-key", "gs" + "k_" + of(ALNUM, 52), "gs" + "k_x"),
    ("perplexity-key", "pp" + "lx-" + of(ALNUM, 48), "pp" + "lx-"),
    ("replicate-token", "r" + "8_" + of(ALNUM, 37), "r" + "8_unorm"),
    ("xai-key", "xa" + "i-" + of(ALNUM, 80), "xa" + "i-grok"),
    ("supabase-token", "sb" + "p_" + of(HEX, 40), "sb" + "p_"),
    ("airtable-token", "pa" + "t" + of(ALNUM, 14) + "." + of(HEX, 64), "pattern.match"),
    ("adobe-client-secret", "p8" + "e-" + of(URL[:62], 32), "p8" + "e-x"),
    ("password-in-url", "postgres://app:" + of(ALNUM, 12) + "@db.example/x", "see http://host:8080/@name"),
    ("bearer-token", "Authorization: Bear" + "er " + of(ALNUM, 40), "Bear" + "er tokens are short strings of text"),
    ("assigned-secret", 'api_key = "' + of(ALNUM, 32) + '"', 'api_key = "your-api-key-goes-right-here"'),
    ("tagged-secret", "<db:passw" + "ord>" + of(ALNUM, 24) + "</db:passw" + "ord>", "<password>as you like</password>"),
    ("option-secret", "run --to" + "ken " + of(ALNUM, 32), "run --token your-token-goes-right-here"),
]  # fmt: skip


def test_every_format_has_examples() -> None:
    assert {e[0] for e in EXAMPLES} == {f.ident for f in secrets.formats()}
    assert len(EXAMPLES) >= 40


@pytest.mark.parametrize(("ident", "true", "false"), EXAMPLES, ids=[e[0] for e in EXAMPLES])
def test_a_key_goes_and_what_only_begins_like_one_stays(ident: str, true: str, false: str) -> None:
    raw = f"Before it: {true} and after."
    text, findings = sanitize(raw)
    assert [f.evidence["format"] for f in findings if f.rule == "secret"][:1] == [ident]
    body = max(true.replace("\n", " ").replace("@", " ").split(), key=len)
    assert body[-20:] not in text
    assert body[-8:] not in str(findings)
    assert sanitize(f"Before it: {false} and after.").text == f"Before it: {false} and after."


@pytest.mark.parametrize(("ident", "true", "false"), EXAMPLES, ids=[e[0] for e in EXAMPLES])
def test_the_quick_look_stops_at_every_key(ident: str, true: str, false: str) -> None:
    raw = f"Before it: {true} and after."
    assert gate.loud(raw) or gate.special(raw)


def test_secrets_go_out_of_code_too() -> None:
    key = "gh" + "p_" + of(ALNUM, 36)
    assert key not in sanitize(f"```\ntoken = {key}\n```\n").text


def test_a_key_torn_by_what_is_removed_goes_too() -> None:
    key = "gh" + "p_" + of(ALNUM, 36)
    for tear in ("\u200b", "<b></b>", "[cite: 1]"):
        text = sanitize(f"x {key[:20]}{tear}{key[20:]} y").text
        assert key[20:] not in text, tear


@pytest.mark.parametrize(
    "text",
    [
        "the password is hunter2 for the demo",
        "token = get_token_from_environment()",
        "secret_name: my-application-secret-name-in-prod",
        "password: ${DATABASE_PASSWORD_FROM_ENV}",
        "key: value_of_the_thing_called_this",
        "API_KEY=<your key goes here>",
        "see the keyboard-shortcut: ctrl-shift-alt-delete-enter",
        "max_tokens: 4096 and temperature: 0",
        '"NextToken": "eyJNYXJrZXIiOiBudWxsLCAiYm90b190cnVuY2F0ZV9hbW91bnQiOiAyfQ=="',
        '"ClientToken": "5289a345-0358-4e62-93d5-47ef3061d65e"',
        '"ApiKeySelectionExpression": "$request.header.x-api-key2"',
        "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestSecret-a1b2c3",
        '"arn": "arn:aws:servicecatalog:us-west-2:813737243517:/applications/055gw7aynr1i5mbv7kjwzx5945"',
        "token = request.session.csrf_token_v2",
        "secret_key: settings.SECRET_KEY_FALLBACKS2",
        "password: $DB_PASSWORD_2024_X",
        "private_key: Ed25519PrivateKey | Ed448PrivateKey",
        "def sign(private_key: EllipticCurve25519PrivateKey) -> bytes: ...",
        'tokenizer="bert-base-uncased-2019-v1"',
        "tokenizer_name: xlm-roberta-base-2020-v17",
        'SECRET_KEY = "change-me-please-1234567890"',
        "the secret of word1-and-word2-in-a-row: occasionally-changing",
    ],
)
def test_prose_and_placeholders_stay(text: str) -> None:
    assert sanitize(text).text == text


@pytest.mark.parametrize("length", [40, 700, 5000])
def test_a_long_token_goes_whole_and_at_once(length: int) -> None:
    for raw in (f'"sessionToken": "{of(ALNUM, length)}"', f"Authorization: Bearer {of(ALNUM, length)}"):
        text, findings = sanitize(f"before {raw} after")
        assert len(text) < 60
        assert [f.rule for f in findings] == ["secret"]


PERSONAL = [
    ("card", "4111 1111 1111 1111", "4111 1111 1111 1112"),
    ("card", "5500-0000-0000-0004", "5500-0000-0000-0005"),
    ("card", "378282246310005", "378282246310006"),
    ("card", "6011111111111117", "6011111111111118"),
    ("iban", "DE89 3704 0044 0532 0130 00", "DE88 3704 0044 0532 0130 00"),
    ("iban", "GB29NWBK60161331926819", "GB29NWBK60161331926818"),
    ("iban", "FR1420041010050500013M02606", "FR1420041010050500013M0260"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "true", "false"), PERSONAL)
def test_a_number_with_the_right_check_digit_goes(kind: str, true: str, false: str) -> None:
    text, findings = sanitize(f"pay {true} now")
    assert text == "pay  now"
    assert [f.evidence["kind"] for f in findings] == [kind]
    assert sanitize(f"pay {false} now").text == f"pay {false} now"
    blocked = sanitize(f"pay {true} now", Screen(personal=Outcome.BLOCK))
    assert [f.outcome for f in blocked.findings] == [Outcome.BLOCK]


@pytest.mark.parametrize(
    ("kind", "contact"),
    [
        ("e-mail", "a.b+c@mail.example.co"),
        ("phone", "+49 30 901820"),
        ("phone", "+1-202-555-0143"),
        ("phone", "(212) 555-0123"),
        ("phone", "+44 20 7946 0958"),
    ],
)
def test_contacts_are_reported_and_go_only_if_the_lane_says_so(kind: str, contact: str) -> None:
    raw = f"call {contact} now"
    text, findings = sanitize(raw)
    assert text == raw
    assert [(f.outcome, f.evidence["kind"]) for f in findings] == [(Outcome.ALLOW, kind)]
    assert sanitize(raw, Screen(contacts=Outcome.REDACT)).text == "call  now"


@pytest.mark.parametrize(
    "text",
    [
        "on 2024-10-11 10:22:33 we saw 192.168.100.200",
        "ISBN 978-3-16-148410-0 and 3.14159265358979323846",
        "commit 1234567890123456 of 9007199254740993",
        "the range 1000 - 2000 - 3000 - 4000",
        "me@foo and @handle and user@localhost",
        "RFC 2119, section 4.1.2.3, table 12 34 56",
    ],
)
def test_other_numbers_and_names_stay(text: str) -> None:
    assert sanitize(text) == (text, ())
