"""Tells what looks like a credential from what developers' text is full of.

Shannon entropy alone cannot: a path or a long identifier easily has 4 bits a character. So a strand
of characters is a credential when its entropy is high *and* most of it is explained neither by
words nor by numbers nor by the shape of a hash, UUID, ULID or labelled digest. Names that give a
value away (`password=`) and known prefixes (`ghp_`) are not judged here.
"""

from __future__ import annotations

from itertools import pairwise


def find_credentials(text: str, threshold: float, min_length: int) -> list[tuple[int, int]]:
    """The places in the text that hold something random, as (start, end), in order."""
    found: list[tuple[int, int]] = []
    position = 0
    for token in _blanked(text, _WORD_BREAKS).split():
        if len(token) < min_length:
            continue
        # Shorter tokens are not looked for, and cannot hold a longer one: the next place is it.
        position = text.index(token, position)
        for start, end in _in_token(token, threshold, min_length):
            found.append((position + start, position + end))
        position += len(token)
    return found


def is_word_like(text: str) -> bool:
    """Whether most of the text is words, numbers or the shape of a hash: a name, not a secret."""
    return _unexplained_share(text) < 0.5


def entropy(text: str) -> float:
    """Shannon entropy in bits a character."""
    from math import log2  # a shared library in some builds, and rarely needed

    counts = [text.count(character) for character in set(text)]
    return log2(len(text)) - sum(count * log2(count) for count in counts) / len(text)


# The contract's token breaks; then what separates the strands of one token.
_WORD_BREAKS = "\"'()[]{},;`"
_STRAND_BREAKS = "=&?#.:@|<>~%!$^*\\"
_PIECE_BREAKS = "/-_+"

# A short strand cannot show the entropy of its source: 24 random letters and digits measure 4.2
# bits a character, not 5.95. Where nearly nothing of a strand is explained, this may be missing.
_SHORTFALL = 0.4
_ENOUGH = 1024  # a strand is judged by its beginning, so that a 10-MB one costs no more
_PATH_STARTS = ("/", "./", "../", "~/")
_HEX = frozenset("0123456789abcdefABCDEF")
_UPPER_HEX, _LOWER_HEX = frozenset("ABCDEF"), frozenset("abcdef")
_CROCKFORD = frozenset("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_DIGEST_LABELS = ("sha1", "sha224", "sha256", "sha384", "sha512", "md5", "blake2b", "blake3", "h1")
_SSH_PUBLIC_KEYS = ("AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNrLXNza")

# Pairs of letters that make up 97 % of those in the names of Python's standard library, one line
# per first letter. Random letters form one of them four times in ten, words nearly always.
_FOLLOWERS = {
    "a": "bcdefgiklmnpqrstuvwxyz",
    "b": "abceijlorsuy",
    "c": "acdefhiklmorstuy",
    "d": "abdefgilmorstuvwy",
    "e": "abcdefgilmnopqrstuvwxy",
    "f": "adefilorstu",
    "g": "aeghilnorsu",
    "h": "aeimorty",
    "i": "abcdefglmnoprstvxz",
    "j": "aeosu",
    "k": "aeinsy",
    "l": "acdefiklmopstuvy",
    "m": "abdeilmnopstu",
    "n": "acdefgijklnopstuvy",
    "o": "abcdfgijklmnoprstuvwx",
    "p": "adehiloprstuy",
    "q": "u",
    "r": "abcdefgiklmnoprstuvwy",
    "s": "acdefghiklmnopqrstuvwy",
    "t": "acdefhilmoprstuwy",
    "u": "abcdefgilmnoprstv",
    "v": "aeiou",
    "w": "aehilnors",
    "x": "aceipty",
    "y": "aeilmnopst",
    "z": "aeioz",
}
_SHORT_WORDS = (
    " am an as at be by cd cf ci db do ec eu ex fn fs gb go hr id if in io ip is it js kb kv lg ln"
    " lo ls md mb me ml mm ms my no ns of ok on op or os pg pr px py qa rc re rs sd sh sm so sp sr"
    " st tb tf ti to ts tx ui up us ux vm vs we ws xl xs "
)


def _blanked(text: str, breaks: str) -> str:
    """The text with blanks for breaks: same length, so that positions stay."""
    for character in breaks:  # eleven scans in C are cheaper than str.translate on non-ASCII text
        text = text.replace(character, " ")
    return text


def _in_token(token: str, threshold: float, min_length: int) -> list[tuple[int, int]]:
    judged = token.partition("://")[0]  # the secrets of a URL are found by name and by shape
    if len(judged) < min_length or len(set(judged)) < 2 ** (threshold - _SHORTFALL):
        return []
    if judged.startswith(_PATH_STARTS) and not _is_base64(judged):
        return []
    found = []
    position = 0
    for strand in _strands(judged):
        if len(strand) < min_length:
            continue
        position = judged.index(strand, position)
        start = position + (judged[position - 1 : position] == "\\" and strand[0] in "nrt")
        position += len(strand)
        if not _is_digest(judged, start):
            found += _in_strand(judged, start, position, threshold, min_length)
    return found


def _strands(token: str) -> list[str]:
    if not token.isascii():
        token = token.encode("ascii", "replace").decode("ascii")  # one "?", a break, for each
    return _blanked(token, _STRAND_BREAKS).split()


def _in_strand(
    token: str, start: int, end: int, threshold: float, min_length: int
) -> list[tuple[int, int]]:
    strand = token[start:end]
    if _is_credential(strand, threshold):
        padding = len(token[end : end + 2]) - len(token[end : end + 2].lstrip("="))
        return [(start + _words_before(strand, min_length), end + padding)]
    for separators in ("/+", "-_"):
        pieces = _blanked(strand, separators).split()
        if len(pieces) > 1 and any(len(piece) >= min_length for piece in pieces):
            found, position = [], start
            for piece in pieces:
                position = token.index(piece, position)
                if len(piece) >= min_length:
                    found += _in_strand(
                        token, position, position + len(piece), threshold, min_length
                    )
                position += len(piece)
            return found
    return []


def _words_before(strand: str, min_length: int) -> int:
    """How far the words reach that name a credential: `deploy-key-…`."""
    words_end = 0
    while True:
        piece = _blanked(strand[words_end : words_end + 32], _PIECE_BREAKS).partition(" ")[0]
        is_name = len(piece) >= 3 and len(_humps(piece)) == 1 and _is_word(piece)
        if not is_name or len(strand) - words_end - len(piece) <= min_length:
            return words_end
        words_end += len(piece) + 1


def _is_credential(strand: str, threshold: float) -> bool:
    if _HEX.issuperset(strand):
        return _is_odd_hex(strand)
    if _is_ulid(strand) or strand.startswith(_SSH_PUBLIC_KEYS):
        return False
    measured = entropy(strand)
    if measured < threshold - _SHORTFALL:
        return False
    share = _unexplained_share(strand)
    return share >= 0.5 and (measured >= threshold or share >= 0.75)


def _is_odd_hex(strand: str) -> bool:
    """Hashes are written in one case; 40 hex digits are a git object in any."""
    cases = not _UPPER_HEX.isdisjoint(strand) and not _LOWER_HEX.isdisjoint(strand)
    return cases and len(strand) >= 32 and len(strand) != 40


def _is_ulid(strand: str) -> bool:
    return len(strand) == 26 and strand.startswith("01") and _CROCKFORD.issuperset(strand.upper())


def _is_digest(token: str, start: int) -> bool:
    """`sha512-…` in a lock file, `sha256:…`, `SHA256:…` of a key's fingerprint, go.sum's `h1:…`."""
    label = token[max(0, start - 8) : start + 8].lower()
    before = label[: min(8, start)]
    after = label[min(8, start) :]
    return before.endswith(tuple(name + ":" for name in _DIGEST_LABELS)) or after.startswith(
        tuple(name + "-" for name in _DIGEST_LABELS)
    )


def _is_base64(token: str) -> bool:
    return token.replace("/", "a").replace("+", "a").rstrip("=").isalnum() and token.isascii()


def _unexplained_share(strand: str) -> float:
    """How much of the strand is neither words nor numbers nor pieces of a hash, from 0 to 1."""
    strand = strand[:_ENOUGH]
    left = 0
    for piece in _blanked(strand, _PIECE_BREAKS).split():
        if len(piece) > 2 and not _HEX.issuperset(piece):
            left += sum(len(run) for run in _humps(piece) if not _is_word(run))
    return left / max(len(strand), 1)


def _humps(piece: str) -> list[str]:
    """`parseHTTPHeader2` → parse, HTTP, Header, 2."""
    humps, start = [], 0
    for index in range(1, len(piece)):
        before, here = piece[index - 1], piece[index]
        if before.isalpha() != here.isalpha() or (before.islower() and here.isupper()):
            humps.append(piece[start:index])
            start = index
        elif before.isupper() and here.islower() and index - 1 > start:
            humps.append(piece[start : index - 1])
            start = index - 1
    humps.append(piece[start:])
    return humps


def _is_word(run: str) -> bool:
    if len(run) < 3:
        return f" {run.lower()} " in _SHORT_WORDS
    if not run.isalpha():
        return run.isdigit() and len(run) >= 6  # a date or a count; digits in a token stand apart
    if not run.isascii():
        return True  # keys and tokens are made of ASCII; people's words are not
    word = run.lower()
    odd = sum(second not in _FOLLOWERS[first] for first, second in pairwise(word))
    return odd * 5 < len(word)
