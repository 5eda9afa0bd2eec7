"""Finds secrets by the name that gives them away: `password=…`, `"token": "…"`, `--api-key …`.

Where a name is and where its value ends is decided here; whether the value is a secret or merely
code, a placeholder or a word is `readable`'s. Read by hand rather than by regular expression: such
names are in every second command, and importing `re` would cost each of them 7 ms.
"""

from __future__ import annotations

from recollect.privacy.names import (
    LONGEST_NAME,
    NAMES,
    ONLY_IN_URLS,
    SHORT,
    Name,
    is_mixed,
    is_name,
)
from recollect.privacy.readable import is_readable, is_readable_in_quotes, looks_made_up, words

Span = tuple[int, int]


def find_assigned(text: str, lowered: str) -> list[Span]:
    """The values of telling names, as (start, end); `lowered` is the text in lower case."""
    found: list[Span] = []
    reader = _Reader(text, lowered)
    for word in NAMES:
        at = lowered.find(word)
        while at >= 0:
            name = Name(text, lowered, at, at + len(word))
            values = reader.values(name)
            found += values
            # In `token_token_token=` only the last one can tell.
            again = lowered.rfind(word, at + len(word), name.end)
            after = max([name.end, *(end for _, end in values)])
            at = again if again >= 0 else lowered.find(word, after)
    return found


_SCHEMES = words("apikey basic bearer digest key negotiate ssws token")
_PASSWORDS = ("password", "passwd", "passphrase", "identified by")
_COOKIE_ATTRIBUTES = words("domain expires max-age path priority samesite")
_NO_VALUE = words(
    "and are as can field file flag for from if in input is must name needs of on option or "
    "parameter should so support that the to value was when with"
)
_TECHNICAL = words(
    "argon2 base32 base58 base64 bcrypt ed25519 es256 hs256 http2 jwt md5 oauth2 pbkdf2 rs256 "
    "sha1 sha256 sha512 utf8 x509"
)
_LONGEST_LINE = 4096
_LONGEST_JUDGED = 1024
_BLANKS = (" ", "\t")
_SIGNS = ("===", "!==", "||=", "??=", "==", "!=", "=>", ":=", "?=", "+=", "=~", "?:", "=", ":")
_COMPARISONS = ("==", "===", "!=", "!==", "=~")
_BLOCK_SCALARS = ("|", ">", "|-", ">-")  # YAML: the value stands on the next line
_TYPES = ".<>[]|?&, "
_PLAIN = frozenset(":(=/")  # in these, a next line is a line of its own and no value


class _Reader:
    """Reads values in one text."""

    __slots__ = ("bare", "lowered", "text")

    def __init__(self, text: str, lowered: str) -> None:
        self.text = text
        self.lowered = lowered
        self.bare = (0, 0)

    def values(self, name: Name) -> list[Span]:
        if not name.is_possible:
            return []
        is_quoted = self.text[name.end : name.end + 1] in ('"', "'")
        at = self._past(self._past(name.end, "\\\"'`]*"), " \t")
        sign = self._sign(at)
        if name.word == "cookie":
            return self._cookies(at + 1) if sign == ":" else []
        span = None
        if sign:
            end = at + len(sign)
            is_spaced = self.text[at - 1] in _BLANKS and self.text[end : end + 1] in _BLANKS
            span = self._after_sign(name, end, sign, is_spaced=is_spaced and not is_quoted)
        elif not is_quoted:
            span = self._without_sign(name, at)
        return [span] if span else []

    def _past(self, at: int, characters: str) -> int:
        while at < len(self.text) and self.text[at] in characters:
            at += 1
        return at

    def _sign(self, at: int) -> str:
        if at + 1 >= len(self.text) or self.text[at] not in "=:!|?+":
            return ""
        if self.text.startswith("::", at):
            return ""
        return next((sign for sign in _SIGNS if self.text.startswith(sign, at)), "")

    def _after_sign(self, name: Name, at: int, sign: str, *, is_spaced: bool) -> Span | None:
        at = self._past(at, " \t*")
        if name.word == "authorization":
            at = self._past_scheme(at)
        quoted = self._quoted(at)
        if quoted:
            if name.word == "authorization":
                quoted = (self._past_scheme(quoted[0]), quoted[1])
            return self._judged(name, quoted, in_quotes=True)
        if sign in _COMPARISONS:
            return None
        bare = (at, self._bare_end(at))
        if self.text[at : min(bare[1], at + 3)] in ("", *_BLOCK_SCALARS):
            return self._on_next_line(bare[1])
        if sign in (":", "?:"):
            default = self._past_annotation(at)
            if default:
                return self._after_sign(name, default, "=", is_spaced=True)
        is_code = is_spaced or sign != "=" or not name.is_shouted
        return self._judged(name, bare, is_code=is_code)

    def _judged(
        self, name: Name, span: Span, *, in_quotes: bool = False, is_code: bool = True
    ) -> Span | None:
        value = self.text[span[0] : min(span[1], span[0] + _LONGEST_JUDGED)]
        if not value or (name.word in ONLY_IN_URLS and len(value) < 16):
            return None
        if not name.is_telling:
            return span if looks_made_up(value) else None
        if name.word in SHORT and not _is_given(name, value):
            return None
        followed = self.text[span[1] : span[1] + 1]
        if in_quotes:
            is_kept = is_readable_in_quotes(value)
        else:
            is_kept = is_readable(value, followed, name.word, is_code=is_code)
        return None if is_kept else span

    def _past_scheme(self, at: int) -> int:
        end = at
        while end < len(self.text) and self.text[end].isalnum() and end - at < 12:
            end += 1
        is_scheme = self.lowered[at:end] in _SCHEMES and self.text[end : end + 1] in _BLANKS
        return self._past(end, " \t") if is_scheme else at

    def _quoted(self, at: int) -> Span | None:
        """The inside of a string literal that begins here, prefix letters and escapes included."""
        text, start = self.text, at
        while start < len(text) and start - at < 2 and text[start] in "rbfuRBFU$@":
            start += 1
        slashes = self._past(start, "\\") - start
        start += slashes + 1
        quote = text[start - 1 : start]
        if quote not in ('"', "'", "`"):
            return None
        line_end = text.find("\n", start, start + _LONGEST_LINE)
        limit = line_end if line_end >= 0 else min(len(text), start + _LONGEST_LINE)
        end = text.find(quote, start, limit)
        while end >= 0 and self._slashes_before(end, start) != slashes:
            end = text.find(quote, end + 1, limit)
        if end >= 0:
            return (start, end - slashes)
        # Cut off before its end: all of it is the value. But `input("Token: ")` ends there.
        return None if text[start : start + 1] in ("", ")", "]", "}", ",", ";") else (start, limit)

    def _slashes_before(self, at: int, start: int) -> int:
        count = 0
        while at - count > start and self.text[at - count - 1] == "\\" and count < 16:
            count += 1
        return count

    def _bare_end(self, at: int) -> int:
        """The end of an unquoted value: white space, a quote, punctuation that belongs outside."""
        # Where a value ends does not depend on where it begins; without this memory, hostile text
        # of values within values would be read once for each of them.
        if not self.bare[0] <= at < self.bare[1]:
            end = at
            while end < len(self.text) and not self._ends_at(end):
                end += 1
            self.bare = (at, end)
        return self.bare[1]

    def _ends_at(self, at: int) -> bool:
        character = self.text[at]
        if character.isalnum():
            return False
        if character in "\"'`" or character.isspace():
            return True
        if character == "\\":
            return self.text[at + 1 : at + 2] in ("n", "r", "t", '"', "'")
        if character == "<":
            return self.text.startswith("</", at)
        return character in ",;&)}]>" and self._is_outside(at)

    def _is_outside(self, at: int) -> bool:
        """Whether punctuation closes the value: at the end, before more of it, before `name=`."""
        after = at + 1
        if after >= len(self.text) or self.text[after] in " \t\r\n\"'`,;&)}]>\\.":
            return True
        end = after
        while end < len(self.text) and end - after < LONGEST_NAME and is_name(self.text[end]):
            end += 1
        return end > after and self.text[end : end + 1] in ("=", ":")

    def _past_annotation(self, at: int) -> int:
        """`password: str = "…"`: the place after the equals sign, or 0."""
        text, end = self.text, at
        while end < len(text) and end - at < 60 and (is_name(text[end]) or text[end] in _TYPES):
            end += 1
        return end + 1 if end > at and text[end - 1 : end + 2] == " = " else 0

    def _on_next_line(self, at: int) -> Span | None:
        start = self._past(at, " \t\r\n")
        end = self._bare_end(start)
        value = self.text[start : min(end, start + _LONGEST_JUDGED)]
        return (start, end) if is_mixed(value) and _PLAIN.isdisjoint(value) else None

    def _without_sign(self, name: Name, at: int) -> Span | None:
        text = self.text
        if name.before == "<" and text[name.end : name.end + 1] == ">":
            end = text.find("<", at + 1, at + 1 + _LONGEST_LINE)
            is_element = text.startswith("</", end) and end > at + 1
            span = (at + 1, end)
            return span if is_element and not is_readable_in_quotes(text[slice(*span)]) else None
        if at == name.end or not name.is_telling:
            return None
        if name.prefix.startswith("-"):
            return self._flag_value(name, at)
        quoted = self._quoted(at) if name.word in _PASSWORDS else None
        if quoted:
            is_one_word = quoted[0] < quoted[1] and " " not in text[slice(*quoted)]
            return self._judged(name, quoted, in_quotes=True) if is_one_word else None
        return self._in_sentence(at) if self.lowered.startswith("is ", at) else None

    def _flag_value(self, name: Name, at: int) -> Span | None:
        quoted = self._quoted(at)
        if quoted:
            return self._judged(name, quoted, in_quotes=True)
        bare = (at, self._bare_end(at))
        value = self.lowered[at : min(bare[1], at + _LONGEST_JUDGED)]
        if value in _NO_VALUE or value.startswith(("-", "\\", "|", ">", "&", ";")):
            return None
        return self._judged(name, bare)

    def _in_sentence(self, at: int) -> Span | None:
        """`the password is hunter2.`"""
        start = self._past(at + 3, " \t\"'`")
        end = self._bare_end(start)
        value = self.text[start : min(end, start + _LONGEST_JUDGED)].rstrip(".!?")
        if is_mixed(value) and value.lower() not in _TECHNICAL:
            return (start, start + len(value))
        return None

    def _cookies(self, at: int) -> list[Span]:
        """`Cookie: sid=…; theme=…`: the values, not the names, nor Set-Cookie's attributes."""
        found = []
        line_end = self.text.find("\n", at, at + _LONGEST_LINE)
        limit = line_end if line_end >= 0 else min(len(self.text), at + _LONGEST_LINE)
        while at < limit:
            equals = self.text.find("=", at, limit)
            if equals < 0:
                break
            end = min(self._bare_end(equals + 1), limit)
            attribute = self.lowered[at:equals].strip(" ;\"'")
            is_value = attribute not in _COOKIE_ATTRIBUTES and end > equals + 1
            if is_value and not is_readable_in_quotes(self.text[equals + 1 : end]):
                found.append((equals + 1, end))
            if self.text[end : end + 1] != ";":
                break
            at = end + 1
        return found


def _is_given(name: Name, value: str) -> bool:
    """`MYSQL_PASS=letmein`, not `PWD=/home/me` nor `pass: true`."""
    if value[0] in "/~.":
        return False
    return name.prefix.endswith("_") or name.prefix == "-" or is_mixed(value)
