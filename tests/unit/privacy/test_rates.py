"""How many planted secrets are found, and how many look-alikes are touched.

The ruling: at most 2 % of paths, names, hashes, UUIDs, versions and prose may be touched, while at
least 99 % of planted secrets are redacted. Everything is generated from fixed seeds; besides the
whole, each family is held to a bound of its own, so that a large one cannot hide a small one.
"""

from __future__ import annotations

import base64
import random
import string
import uuid
from collections.abc import Callable

import pytest

from recollect.privacy.clean import Rules, clean_text

Maker = Callable[[random.Random], str]

RULES = Rules()
EACH = 150

VOCABULARY = """
    parse request handler client server config session user account payment invoice order event
    memory search index query token cache store vector schema migration service worker queue retry
    timeout factory builder adapter provider context manager registry validate normalize serialize
    transform render compile resolve schedule dispatch subscribe authentication authorization
    notification subscription repository controller middleware transaction connection configuration
    initialization synchronization internationalization unbalanced quotes empty string null pointer
    stack trace network failure batch stream kubernetes deployment cluster namespace ingress
    container snapshot checkpoint
"""
WORDS = VOCABULARY.split()
DIGITS, LOWER, UPPER = string.digits, string.ascii_lowercase, string.ascii_uppercase
BASE62 = DIGITS + LOWER + UPPER
HEX = DIGITS + "abcdef"


def words(chance: random.Random, least: int, most: int) -> list[str]:
    return chance.choices(WORDS, k=chance.randint(least, most))


def some(chance: random.Random, alphabet: str, length: int) -> str:
    return "".join(chance.choices(alphabet, k=length))


def capital(parts: list[str]) -> str:
    return "".join(part.capitalize() for part in parts)


def camel(parts: list[str]) -> str:
    return parts[0] + capital(parts[1:])


def base64_of(chance: random.Random, length: int) -> str:
    return base64.b64encode(chance.randbytes(length)).decode()


def uuid_of(chance: random.Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


LOOK_ALIKES: dict[str, Maker] = {
    "camelCase": lambda c: camel(words(c, 3, 7)),
    "PascalCase": lambda c: capital(words(c, 3, 6)) + c.choice(["Impl", "V2", "Test", "DTO"]),
    "snake_case": lambda c: "_".join(words(c, 3, 8)),
    "a long test name": lambda c: "test_" + "_".join(words(c, 8, 14)),
    "CONSTANT": lambda c: "_".join(words(c, 3, 6)).upper(),
    "kebab-case": lambda c: "-".join(words(c, 3, 8)),
    "dotted module": lambda c: ".".join(words(c, 4, 7)),
    "Java package": lambda c: "org." + ".".join(words(c, 3, 5)) + "." + capital(words(c, 2, 4)),
    "Go package": lambda c: "github.com/" + "/".join(words(c, 3, 5)) + "/v2",
    "relative path": lambda c: "/".join(words(c, 4, 8)) + c.choice([".py", ".ts", ".go"]),
    "absolute path": lambda c: "/home/me/" + "/".join(words(c, 4, 8)) + ".json",
    "path with mixed names": lambda c: f"src/{camel(words(c, 2, 3))}/{capital(words(c, 2, 4))}.tsx",
    "Windows path": lambda c: "C:\\Users\\Me\\" + "\\".join(capital([w]) for w in words(c, 3, 6)),
    "URL with a query": lambda c: (
        f"https://{c.choice(WORDS)}.example.com/{'/'.join(words(c, 2, 4))}"
        f"?page={c.randint(1, 99)}&sort={c.choice(WORDS)}&filter={'%20'.join(words(c, 2, 3))}"
    ),
    "git object": lambda c: some(c, HEX, 40),
    "short commit": lambda c: some(c, HEX, c.randint(7, 12)),
    "sha256": lambda c: some(c, HEX, 64),
    "labelled sha256": lambda c: "sha256:" + some(c, HEX, 64),
    "image digest": lambda c: f"ghcr.io/{'/'.join(words(c, 2, 2))}@sha256:{some(c, HEX, 64)}",
    "SRI hash": lambda c: f'"integrity": "sha512-{base64_of(c, 64)}"',
    "go.sum": lambda c: f"github.com/{c.choice(WORDS)}/kit v1.2.3 h1:{base64_of(c, 32)}",
    "SSH fingerprint": lambda c: "SHA256:" + base64_of(c, 32).rstrip("="),
    "md5": lambda c: some(c, HEX, 32),
    "UUID": uuid_of,
    "UPPER UUID": lambda c: uuid_of(c).upper(),
    "name with a UUID": lambda c: f"{c.choice(WORDS)}-{uuid_of(c)}.jsonl",
    "ULID": lambda c: "01" + some(c, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24),
    "timestamp": lambda c: f"2026-11-{c.randint(10, 28)}T21:{c.randint(10, 59)}:07.123456+00:00",
    "version": lambda c: (
        f"{c.randint(0, 20)}.{c.randint(0, 40)}.{c.randint(0, 9)}-rc.1+build." + some(c, HEX, 8)
    ),
    "wheel": lambda c: (
        f"{'_'.join(words(c, 2, 3))}-1.{c.randint(0, 20)}.0-cp311-cp311-"
        "manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    ),
    "CSS classes": lambda c: (
        f"md:hover:bg-{c.choice(WORDS)}-500/75 {'__'.join(words(c, 2, 3))}--on"
    ),
    "pod": lambda c: f"{'-'.join(words(c, 2, 3))}-{some(c, HEX, 10)}-{some(c, LOWER + DIGITS, 5)}",
    "ARN": lambda c: f"arn:aws:iam::{some(c, DIGITS, 12)}:role/{capital(words(c, 2, 4))}",
    "mail address": lambda c: ".".join(words(c, 2, 2)) + "@" + "-".join(words(c, 2, 2)) + ".com",
    "markdown link": lambda c: (
        f"[{' '.join(words(c, 2, 4))}](docs/{'-'.join(words(c, 3, 5))}.md#a)"
    ),
    "prose": lambda c: " ".join(words(c, 12, 30)).capitalize() + ".",
    "prose about secrets": lambda c: (
        f"the {c.choice(['token', 'password', 'secret'])} {c.choice(['count was', 'is', 'for'])} "
        f"{c.choice(WORDS)} {c.randint(1, 999)} in the {c.choice(WORDS)}"
    ),
    "code about secrets": lambda c: c.choice(
        [
            f"token = get_{c.choice(WORDS)}_token()",
            f"def login(self, password: str, {c.choice(WORDS)}: int) -> None:",
            f"secret = self.{c.choice(WORDS)}.secret",
            f'api_key = os.environ["{c.choice(WORDS).upper()}_API_KEY"]',
            f"if token is None or token != {c.choice(WORDS)}.token:",
            f"max_tokens={c.randint(1, 9999)}",
            "client = Client(password=password, token=token)",
            "password: ${{ secrets.DEPLOY_PASSWORD }}",
            'export TOKEN="$OTHER_TOKEN"',
        ]
    ),
}


def jwt(chance: random.Random) -> str:
    parts = (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"%d"}' % chance.getrandbits(60))
    head, body = (base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    return f"{head}.{body}.{some(chance, BASE62 + '-_', 43)}"


def plain(chance: random.Random) -> str:
    """What a person would choose: a word and a few digits."""
    return chance.choice(WORDS) + str(chance.randint(2, 99999)) + chance.choice(["", "!", "#", "$"])


PREFIXED: dict[str, Maker] = {
    "AWS": lambda c: "AKIA" + some(c, UPPER + DIGITS, 16),
    "GitHub": lambda c: c.choice(["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]) + some(c, BASE62, 36),
    "GitHub, fine-grained": lambda c: "github_pat_" + some(c, BASE62 + "_", 82),
    "GitLab": lambda c: "glpat-" + some(c, BASE62 + "-_", 20),
    "Slack": lambda c: f"xoxb-{some(c, DIGITS, 11)}-{some(c, DIGITS, 12)}-{some(c, BASE62, 24)}",
    "Stripe": lambda c: c.choice(["sk_live_", "rk_live_", "sk_test_"]) + some(c, BASE62, 24),
    "OpenAI": lambda c: "sk-" + c.choice(["", "proj-"]) + some(c, BASE62, 48),
    "Anthropic": lambda c: "sk-ant-api03-" + some(c, BASE62 + "-_", 95),
    "Google": lambda c: "AIza" + some(c, BASE62 + "-_", 35),
    "JWT": jwt,
    "npm": lambda c: "npm_" + some(c, BASE62, 36),
    "SendGrid": lambda c: f"SG.{some(c, BASE62, 22)}.{some(c, BASE62, 43)}",
    "Twilio": lambda c: "SK" + some(c, HEX, 32),
    "Hugging Face": lambda c: "hf_" + some(c, BASE62, 34),
    "PyPI": lambda c: "pypi-" + some(c, BASE62 + "-_", 100),
    "Telegram": lambda c: some(c, DIGITS, 9) + ":AA" + some(c, BASE62 + "-_", 33),
}
RANDOM: dict[str, Maker] = {
    "letters and digits": lambda c: some(c, BASE62, 32),
    "base64": lambda c: base64_of(c, 30),
    "padded base64": lambda c: base64_of(c, 32),
    "base64 for URLs": lambda c: base64.urlsafe_b64encode(c.randbytes(32)).decode().rstrip("="),
    "mixed hex": lambda c: some(c, DIGITS + "abcdefABCDEF", 64),
    "small letters and digits": lambda c: some(c, LOWER + DIGITS, 40),
}
NAMED: dict[str, Maker] = {
    "chosen by a person": plain,
    "hex": lambda c: some(c, HEX, c.choice([16, 32, 40, 64])),
    "short": lambda c: some(c, BASE62, c.randint(6, 14)),
    "with signs": lambda c: some(c, BASE62 + "!#%^*+-_~", 16).lstrip("#%*<{$-") + "7a",
    "UUID": uuid_of,
}
BARE = (
    "{}", "use {} here", "see `{}`.", "({})", "key was [{}], sorry", "x={}", '"{}"',
    "Error: rejected {}\n  at Client.send (client.js:12)", "echo {} | base64",
)  # fmt: skip
DRESSED = (
    "export FOO_TOKEN={}", 'export API_KEY="{}"', "DB_PASSWORD={}\nDB_HOST=localhost",
    "password: {}", 'password: "{}"', '{{"client_secret": "{}", "id": 1}}', "  api_key: '{}'",
    'curl -H "X-Api-Key: {}" https://example.com', "curl -H 'Authorization: Bearer {}' https://a.b",
    "https://example.com/v1/items?api_key={}&page=2", "tool --token {} --verbose",
    "tool --password={} run", 'PASSWORD = "{}"', "secret={}", 'passwd="{}"',
    '{{\\"access_token\\": \\"{}\\"}}', "CREATE USER me WITH PASSWORD '{}'", "token => '{}'",
    "SECRET_KEY={}", "postgres://admin:{}@db.example.com:5432/app", "MYSQL_PWD={} mysql",
    "AccountName=me;AccountKey={};EndpointSuffix=core", "//registry.example.com/:_authToken={}",
    "Cookie: sid={}; theme=dark", "<password>{}</password>", "aws_secret_access_key = {}",
)  # fmt: skip


def planted(family: str, seed: str) -> list[tuple[str, str]]:
    dresses: tuple[str, ...] = DRESSED
    chance = random.Random(f"{family} {seed}")
    if family in PREFIXED:
        maker, dresses = PREFIXED[family], (*BARE, *DRESSED)
    elif family in RANDOM:
        maker, dresses = RANDOM[family], (*BARE, *DRESSED)
    else:
        maker = NAMED[family.removeprefix("named: ")]
    found = []
    for number in range(EACH):
        secret = maker(chance)
        found.append((secret, dresses[number % len(dresses)].format(secret)))
    return found


FAMILIES = [*PREFIXED, *RANDOM, *("named: " + name for name in NAMED)]


def leaked(secret: str, text: str) -> bool:
    """Whether more than a scrap of the secret is still there."""
    cleaned, _ = clean_text(text, RULES)
    return (
        any(secret[at : at + 8] in cleaned for at in range(0, max(len(secret) - 7, 1), 4))
        or secret in cleaned
    )


def touched(text: str) -> bool:
    return clean_text(text, RULES) != (text, False)


@pytest.mark.parametrize("family", LOOK_ALIKES)
def test_of_each_family_of_look_alikes_nearly_all_stay(family: str) -> None:
    chance = random.Random(f"look-alike {family}")
    texts = [LOOK_ALIKES[family](chance) for _ in range(EACH)]
    assert [text for text in texts if touched(text)][EACH * 2 // 100 :] == []


def test_of_all_look_alikes_at_most_two_in_a_hundred_are_touched() -> None:
    chance = random.Random("all look-alikes")
    texts = [maker(chance) for maker in LOOK_ALIKES.values() for _ in range(EACH)]
    share = sum(map(touched, texts)) / len(texts)
    print(f"look-alikes touched: {share:.2%} of {len(texts)}")
    assert len(texts) >= 2_000
    assert share <= 0.02


@pytest.mark.parametrize("family", FAMILIES)
def test_of_each_family_of_secrets_nearly_all_are_redacted(family: str) -> None:
    missed = [text for secret, text in planted(family, "each") if leaked(secret, text)]
    assert missed[EACH * 2 // 100 :] == []


def test_of_all_planted_secrets_at_least_ninety_nine_in_a_hundred_are_redacted() -> None:
    pairs = [pair for family in FAMILIES for pair in planted(family, "all")]
    share = sum(not leaked(secret, text) for secret, text in pairs) / len(pairs)
    print(f"secrets redacted: {share:.2%} of {len(pairs)}")
    assert len(pairs) >= 2_000
    assert share >= 0.99
