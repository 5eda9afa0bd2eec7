"""The one door: text and JSON without NUL, broken characters, private blocks and secrets."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recollect
from recollect.model.errors import InvalidSetting
from recollect.privacy.clean import Rules, clean_text, clean_value

RULES = Rules()
PEM = "-----BEGIN {0}-----{1}MIIEvQIBADANBgkqhkiG9w0BAQ{1}abc+/=={1}-----END {0}-----"

REGRESSION = [
    # nmem's set (precision notes § 1.8)                 cleaned
    ("AKIAIOSFODNN7EXAMPLE", "[REDACTED]"),
    ("ghp_" + "a1B2c3D4e5F6" * 3, "[REDACTED]"),
    ("sk-ant-api03-" + "abcdefghij" * 3, "[REDACTED]"),
    ("sk-proj-abcdefghijklmnopqrst", "[REDACTED]"),
    ("Bearer eyJhbGciOiJIUzI1NiJ9.abc", "Bearer [REDACTED]"),
    ("-----BEGIN RSA PRIVATE KEY-----", "[REDACTED]"),
    ("postgres://admin:s3cret@db.host:5432/mydb", "postgres://admin:[REDACTED]@db.host:5432/mydb"),
    ("password=hunter2", "password=[REDACTED]"),
    ("aB3dE5fA7B9cD1eF3aB5cD7eF9aB1cD3eF5aB7cD9eF1aB3cD5eF7aB9cD1eF3aB", "[REDACTED]"),
    ("dGhpcyBpcyBhIGxvbmcgYmFzZTY0IGVuY29kZWQgdGV4dA==", "[REDACTED]"),
    # further dress
    (PEM.format("PRIVATE KEY", "\n"), "[REDACTED]"),
    (PEM.format("ENCRYPTED PRIVATE KEY", "\\n") + "\\nafter", "[REDACTED]\\nafter"),
    (
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + "MIIE" * 16 + "\nabc",
        "[REDACTED]",
    ),
    (
        PEM.format("PRIVATE KEY", "\n") + " and " + PEM.format("CERTIFICATE", "\n"),
        "[REDACTED] and " + PEM.format("CERTIFICATE", "\n"),
    ),
    ("export DB_PASSWORD=x7", "export DB_PASSWORD=[REDACTED]"),
    ('{"password": "two words", "a": 1}', '{"password": "[REDACTED]", "a": 1}'),
    ('{\\"password\\": \\"hunter2\\"}', '{\\"password\\": \\"[REDACTED]\\"}'),
    ('password: str = "hunter2"', 'password: str = "[REDACTED]"'),
    ('if password == "hunter2":', 'if password == "[REDACTED]":'),
    ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED]"),
    ("curl -u me:pw123 https://a.b", "curl -u me:[REDACTED] https://a.b"),
    ("docker login -u me -p hunter2x quay.io", "docker login -u me -p [REDACTED] quay.io"),
    ("https://a.b/c?api_key=abcdef&x=1#f", "https://a.b/c?api_key=[REDACTED]&x=1#f"),
    ("AccountKey=abc==;EndpointSuffix=x", "AccountKey=[REDACTED];EndpointSuffix=x"),
    ("Cookie: sid=a1b2; Path=/", "Cookie: sid=[REDACTED]; Path=/"),
    ("tool --password hunter2 -v", "tool --password [REDACTED] -v"),
    ("my password is hunter2.", "my password is [REDACTED]."),
    ("redis://:pw@host:6379/0", "redis://:[REDACTED]@host:6379/0"),
    ("login me password hunter2", "login me password [REDACTED]"),
    ("SECRET_KEY=string", "SECRET_KEY=[REDACTED]"),
    ("password:\nhunter2\n", "password:\n[REDACTED]\n"),
]

STAYS = [
    # nmem's set
    "password_validator",
    "git://github.com/user/repo",
    "file:///tmp/token_cache/data",
    "sk-iplink",
    "the token count was 150",
    "356a192b7913b04c54574d18c28d46e6395428ab",
    "550e8400-e29b-41d4-a716-446655440000",
    "The quick brown fox jumps over the lazy dog, again and again and again.",
    "/home/user/projects/recollect/src/main/java/com/example/service/UserServiceImpl.java",
    # code that speaks about secrets
    "token = get_token()",
    "password: str",
    "login(user, password=password)",
    'api_key=os.environ["API_KEY"]',
    'password = input("Password: ")',
    "secret: ${{ secrets.DEPLOY }}",
    "PASSWORD=$OTHER",
    "authToken={session.token}",
    "fn f(token: &'a str)",
    "if token != other_token:",
    "token: 150",
    "PWD=/home/me",
    "tests pass: 150",
    "use the --token option to pass",
    "task-force-long-management-overview-system",
    "https://packages.example.org:443/@types/node",
    "-----BEGIN CERTIFICATE-----",
]


@pytest.mark.parametrize(("text", "cleaned"), REGRESSION)
def test_only_the_secret_is_replaced(text: str, cleaned: str) -> None:
    assert clean_text(text, RULES) == (cleaned, True)
    assert clean_text(cleaned, RULES) == (cleaned, False)


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert clean_text(text, RULES) == (text, False)


def test_broken_characters_are_mended_and_private_blocks_left_out() -> None:
    assert clean_text("a\0b \ud800 <pri\0vate>x</private>c", RULES) == ("ab \ufffd c", False)


def test_extra_patterns_are_redacted_too() -> None:
    rules = Rules([r"CORP-\d+", r"(?i)project zeus.*"])
    assert clean_text("see CORP-123 and CORP-4", rules) == ("see [REDACTED] and [REDACTED]", True)
    assert clean_text("Project Zeus password=x", rules) == ("[REDACTED]", True)


@pytest.mark.parametrize("pattern", [r"\w+", ".", "^.", "[A-Z]", "", r"\]|\[", "RED"])
def test_an_extra_pattern_never_eats_a_placeholder(pattern: str) -> None:
    rules = Rules([pattern])
    once, _ = clean_text("abc password=hunter2 d", rules)
    assert "hunter2" not in once
    assert clean_text(once, rules) == (once, False)


def test_an_extra_pattern_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(InvalidSetting) as refused:
        Rules(["ok", "(unclosed"])
    assert refused.value.context == {"name": "extra_patterns", "pattern": "(unclosed"}
    assert "(unclosed" in str(refused.value)


def test_without_entropy_only_names_and_shapes_count() -> None:
    rules = Rules(entropy=False)
    text = "xK9mP2vL5nQ8wR3tY6uI1oP4 password=hunter2"
    assert clean_text(text, rules) == ("xK9mP2vL5nQ8wR3tY6uI1oP4 password=[REDACTED]", True)


def test_every_string_of_a_json_value_is_cleaned() -> None:
    value = {
        "command": "export A_TOKEN=abc123",
        "list": ["<private>x</private>y", 1, 2.5, True, None, {"api_key=zzz9": "a\0b"}],
        "password": "any words",
        "X-Api-Key": "short",
        "token_count": "150",
        "empty": {"password": "", "secret": "${VAULT}"},
    }
    assert clean_value(value, RULES) == (
        {
            "command": "export A_TOKEN=[REDACTED]",
            "list": ["y", 1, 2.5, True, None, {"api_key=[REDACTED]": "ab"}],
            "password": "[REDACTED]",
            "X-Api-Key": "[REDACTED]",
            "token_count": "150",
            "empty": {"password": "", "secret": "${VAULT}"},
        },
        True,
    )


def test_the_value_given_is_not_changed() -> None:
    value = {"a": ["password=hunter2"]}
    clean_value(value, RULES)
    assert value == {"a": ["password=hunter2"]}


def test_depth_does_not_matter() -> None:
    value: object = "password=hunter2"
    for _ in range(100_000):
        value = [value]
    cleaned, was_redacted = clean_value(value, RULES)
    depth = 0
    while isinstance(cleaned, list):
        cleaned, depth = cleaned[0], depth + 1
    assert (cleaned, depth, was_redacted) == ("password=[REDACTED]", 100_000, True)


SCRAPS = st.one_of(
    st.sampled_from(
        ["password", "token", "=", ":", " ", '"', "'", "\\", "\n", "\\n", "[REDACTED]", "[", "]",
         "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "bearer ", "://", "@", "/",
         "a:b", "$", "{", "}", "(", ")", "<", ">", "hunter2", "cookie: ", ";", "&", "--token ", "-",
         "eyJabcdefgh.abcdefgh", "xK9mP2vL5nQ8wR3tY6uI1oP4", "AKIAIOSFODNN7EXAMPLE", "words",
         "sha512-", "is ", "<private>", "</private>", "authorization", "sk-", "?sig=", ",", "str"]
    ),
    st.text(max_size=6),
)  # fmt: skip


@given(st.lists(SCRAPS, max_size=16).map("".join))
@settings(deadline=None, max_examples=600)
def test_cleaning_twice_equals_cleaning_once(text: str) -> None:
    once, _ = clean_text(text, RULES)
    assert clean_text(once, RULES) == (once, False)


@given(st.lists(SCRAPS, max_size=16).map("".join))
@settings(deadline=None, max_examples=300)
def test_a_text_grows_by_its_placeholders_at_most(text: str) -> None:
    cleaned, was_redacted = clean_text(text, RULES)
    placeholders = cleaned.count("[REDACTED]")
    assert len(cleaned) <= len(text) + placeholders * len("[REDACTED]")
    assert was_redacted <= (placeholders > 0)


@given(st.text(alphabet=st.characters(exclude_characters="=:<-@\0", exclude_categories=["Cs"])))
@settings(deadline=None, max_examples=200)
def test_short_text_without_a_sign_of_a_secret_is_unchanged(text: str) -> None:
    assert clean_text(text[:19], RULES) == (text[:19], False)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(JSON)
@settings(deadline=None, max_examples=200)
def test_cleaning_a_value_twice_equals_cleaning_it_once(value: object) -> None:
    once, _ = clean_value(value, RULES)
    assert clean_value(once, RULES) == (once, False)


HOSTILE = [
    "token", "token= ", "token=${", 'password="', "password='\"", "eyJ", "eyJabcdefgh.", "a://b:",
    "://a:b@", "-----BEGIN RSA PRIVATE KEY-----\n", "cookie:", "cookie:a=b;", "token:\n", "\\", "/",
    "password is ", "--token ", "<password>", "token=get(", "?sig=", "mysql ", "curl -u ",
    "bearer ", "login ", " sk-aaaaaaaa", "SG.aaaaaaaaaaaaaaaaaaaa", "aB3dE5fG7hI9jK1lM3nO5pQ7 ",
    "docker login ", "密", "\u0130",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text_and_not_faster(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    begun = time.process_time()
    clean_text(text, RULES)
    assert time.process_time() - begun < 5  # 0.02 to 0.6 s; quadratic time would be minutes


HEAVY = {"re", "json", "dataclasses", "typing", "enum", "hashlib", "collections", "functools"}
PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
from recollect.privacy.clean import Rules, clean_text
import recollect.privacy.tags
assert clean_text(sys.argv[2], Rules())[0] == sys.argv[3]
print(*sorted(sys.modules))
"""


def modules_after(text: str, cleaned: str) -> set[str]:
    source = str(Path(recollect.__file__).parents[1])
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROBE, source, text, cleaned],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(ran.stdout.split())


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("git commit -m 'tokens are counted' src/recollect/privacy/clean.py", None),
        ("git clone https://a.b/c && curl https://task-runner/globals # log in", None),
        ("export DB_PASSWORD=hunter2", "export DB_PASSWORD=[REDACTED]"),
        ("a <private>b</private>c", "a c"),
        ("echo xK9mP2vL5nQ8wR3tY6uI1oP4", "echo [REDACTED]"),
    ],
)
def test_cleaning_ordinary_text_imports_nothing_heavy(text: str, cleaned: str | None) -> None:
    assert modules_after(text, cleaned or text) & HEAVY == set()


def test_expressions_are_imported_for_text_that_needs_them() -> None:
    assert "re" in modules_after("AKIAIOSFODNN7EXAMPLE", "[REDACTED]")


TELLING = st.sampled_from(
    [
        "token",
        "password_hint=",
        "secret: ",
        "api_key",
        "=",
        ":",
        '"',
        "'",
        "长度限制",
        "größe",
        "ñ",
        "-2024",
    ]
)


@given(st.lists(TELLING | st.text(max_size=40), max_size=12))
@settings(deadline=None, max_examples=300)
def test_any_text_in_any_script_can_be_cleaned(pieces: list[str]) -> None:
    text = "".join(pieces)

    cleaned, _ = clean_text(text, Rules())

    assert clean_text(cleaned, Rules())[0] == cleaned


OTHER_SCRIPTS = [
    "请把token长度限制:最多支持4096个字符以内的输入内容改一下",
    "token_nombre: configuración2024-sesión",
]


@pytest.mark.parametrize("text", OTHER_SCRIPTS)
def test_prose_of_other_scripts_about_secrets_is_left_alone(text: str) -> None:
    assert clean_text(text, Rules()) == (text, False)
