"""Tells whether the value of a telling name is a secret, or may stay readable.

`token = get_token()`, `password: str`, `secret: ${SECRET}` and `token: required` say nothing that
has to be hidden. When in doubt a value is a secret.
"""

from __future__ import annotations

from recollect.privacy.entropy import is_word_like

PLACEHOLDER = "[REDACTED]"


def is_readable(value: str, followed: str, word: str, *, is_code: bool) -> bool:
    """Whether an unquoted value of the name `word` is a reference, a type, a call or a word.

    `followed` is the character behind it. Without `is_code` (an environment variable, `NAME=…`)
    only references are readable: there, even `string` is a password.
    """
    if _is_reference(value):
        return True
    if not is_code:
        return False
    lowered = value.rstrip(".,;:?!)]}>").lower()
    if lowered in _NOT_SECRETS or (word == "token" and value.isdigit() and len(value) <= 5):
        return True
    return _is_code(value, followed, word)


def is_readable_in_quotes(value: str) -> bool:
    """Whether a quoted value is empty, a reference, or the name of a type."""
    return not value.strip() or _is_reference(value) or value.lower() in _NOTHING


def looks_made_up(value: str) -> bool:
    """Whether the value can only be a secret: long, with digits, and no name or hash."""
    return (
        len(value) >= 16
        and any(character.isdigit() for character in value)
        and any(character.isalpha() for character in value)
        and "://" not in value
        and not is_word_like(value)
        and not _is_reference(value)
    )


def words(text: str) -> frozenset[str]:
    """A set of words, written as people write words."""
    return frozenset(text.split())


_NOTHING = words(
    "any bool boolean bytes char false int integer nil none null number object str string text "
    "true undefined unknown void"
)
_NOT_SECRETS = _NOTHING | words(
    # types
    "&str *string []byte array bytearray callable dict final interface{} list optional ref "
    "secretstr self union varchar wstring "
    # words that a sentence or a report goes on with
    "a absent again all an and are bad be been but by can cannot changed created default denied "
    "do does empty enabled disabled error expired failed for found from generated given good has "
    "have here how i if in input invalid is it its last legacy malformed mismatch missing must my "
    "needed never new next no not of ok old on one only or our out please present read refreshed "
    "rejected removed required reset result revoked rotated see sent set should so some stored "
    "such that the their them there these they this to too unset updated use used user valid "
    "validated value verified was we what when where which who why will with wrong yes you your "
    # names of variables, and words that begin an expression
    "async await data function lambda new response request val"
)
_MASKS = frozenset("*xX.-_•…#? ")
_IDENTIFIER = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")


def _is_reference(value: str) -> bool:
    """`$TOKEN`, `${{ secrets.X }}`, `%TOKEN%`, `<your-token>`, `{token}`, `****`, `[REDACTED]`."""
    if value == PLACEHOLDER or _MASKS.issuperset(value):
        return True
    if value.startswith(("${", "$(", "{{", "#{", "%(", "@{")):
        return True
    if value[0] == "{" and _is_name(value[1:].rstrip("}")):
        return True
    inner = value[1:-1]
    if value[0] in "<%" and len(value) > 2 and value[-1] in ">%":
        return _is_name(inner.replace("-", "_").replace(" ", "_"))
    if value[0] == "$":
        name = value[1:].rstrip(".,;:)")
        return _is_name(name) and (name.isupper() or not any(c.isdigit() for c in name))
    return value in ("%s", "%r", "%v", "%w", "{}")


def _is_name(value: str) -> bool:
    return bool(value) and _IDENTIFIER.issuperset(value) and not value[0].isdigit()


def _is_code(value: str, followed: str, word: str) -> bool:
    head = value.lstrip("&*!@")
    cut = min((at for at in (head.find(mark) for mark in "([<{|?") if at >= 0), default=len(head))
    name, opened = head[:cut], head[cut : cut + 1]
    if not _is_name(name) or not is_word_like(name):
        return False
    if opened in ("(", "[", "<", "|") or (followed in ("'", '"') and value[-1] in "(["):
        return True
    if cut < len(head):
        return False
    parts = _parts(name)
    return (word.replace("_", "") in parts or "." in name) and not any(c.isdigit() for c in name)


def _parts(name: str) -> list[str]:
    """`self.authToken` → self, auth, token."""
    spaced = "".join(" " + c if c.isupper() else c for c in name) if not name.isupper() else name
    return spaced.replace("_", " ").replace(".", " ").lower().split()
