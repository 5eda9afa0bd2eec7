"""The names that give a secret away: `password`, `DB_TOKEN`, `clientSecret`, `X-Api-Key`.

What a name is and whether it tells is decided here; where its value stands is `assigned`'s.
"""

from __future__ import annotations

from recollect.privacy.readable import is_readable_in_quotes


def is_secret_field(name: str, value: str) -> bool:
    """Whether a field holds a secret by its name: `db_password`, `clientSecret`, `X-Api-Key`."""
    lowered = name.lower()
    for word in NAMES:
        at = lowered.rfind(word)
        if at < 0 or word in ONLY_IN_URLS or len(lowered) != len(name):
            continue
        named = Name(name, lowered, at, at + len(word))
        if named.is_telling and named.end == len(name):
            return (word not in SHORT or is_mixed(value)) and not is_readable_in_quotes(value)
    return False


NAMES = (
    "password", "passwd", "passphrase", "passcode", "pass", "pwd", "secret", "token",
    "api_key", "api-key", "apikey", "api key", "access_key", "access-key", "accesskey",
    "private_key", "private-key", "privatekey", "account_key", "accountkey", "auth_key", "auth-key",
    "authkey", "encryption_key", "encryptionkey", "signing_key", "signingkey", "master_key",
    "masterkey", "credential", "credentials", "authorization", "_auth", "identified by", "cookie",
    "phpsessid", "jsessionid", "connect.sid", "sig", "signature", "key",
)  # fmt: skip
# Ordinary words, telling only as a whole part of a name: MYSQL_PASS, but not "bypass".
SHORT = ("pass", "pwd")
ONLY_IN_URLS = ("sig", "signature", "key")
# What may follow the name without changing what it says; after anything else (`token_count`,
# `password_field`) only a value that is plainly made up counts.
_TAILS = frozenset((
    "", "_key", "-key", "key", "_access_key", "-access-key", "accesskey", "_key_base", "_value",
    "value", "_b64", "_base64", "_hash", "_prod", "_production", "_staging", "_dev", "_test",
))  # fmt: skip
LONGEST_NAME = 64


class Name:
    """A telling name in the text: where it ends with its tail, and how it is dressed.

    A plain class with slots: `dataclasses` would cost the hook more than everything else here.
    """

    __slots__ = ("before", "end", "is_shouted", "is_telling", "prefix", "word")

    def __init__(self, text: str, lowered: str, start: int, end: int) -> None:
        first = start
        while first > 0 and start - first < LONGEST_NAME and is_name(text[first - 1]):
            first -= 1
        last = end
        while last < len(text) and last - end < LONGEST_NAME and is_name(text[last]):
            last += 1
        self.word = lowered[start:end]
        self.end = last
        self.prefix = text[first:start]
        self.before = text[first - 1 : first]
        self.is_shouted = text[start:end].isupper()
        self.is_telling = lowered[end:last].rstrip("0123456789") in _TAILS and (
            self.word not in SHORT or not self.prefix[-1:].isalnum()
        )

    @property
    def is_possible(self) -> bool:
        if self.word == "signature":
            return self.before in ("?", "&")
        return self.word not in ONLY_IN_URLS or (self.before in ("?", "&") and not self.prefix)


def is_name(character: str) -> bool:
    return character.isalnum() or character in "_-"


def is_mixed(value: str) -> bool:
    has_letter = any(character.isalpha() for character in value)
    return len(value) >= 6 and has_letter and any(character.isdigit() for character in value)
