"""Finds secrets by their shape: the prefixes that vendors give their keys, PEM blocks, logins in
URLs. What a name gives away is found by `assigned`, what is merely random by `entropy`.

Every shape has literal triggers. `re` is imported, and a shape's expression compiled, only when one
of its triggers is in the text: importing `re` costs the hook 7 ms, half of its life.
"""

from __future__ import annotations

from recollect.privacy.assigned import find_assigned
from recollect.privacy.entropy import find_credentials
from recollect.privacy.readable import PLACEHOLDER, is_readable_in_quotes

TYPE_CHECKING = False  # what `typing.TYPE_CHECKING` is, without the 11 ms of importing it
if TYPE_CHECKING:
    from collections.abc import Iterable
    from re import Pattern

    from recollect.privacy.assigned import Span


class Rules:
    """How strictly text is searched for secrets; immutable by custom.

    A plain class with slots: `dataclasses` would cost the hook 17 ms.
    """

    __slots__ = ("entropy", "entropy_min_length", "entropy_threshold", "extra_patterns")

    def __init__(
        self,
        extra_patterns: Iterable[str] = (),
        entropy_threshold: float = 4.0,
        entropy_min_length: int = 20,
        *,
        entropy: bool = True,
    ) -> None:
        self.extra_patterns = tuple(_compiled(pattern) for pattern in extra_patterns)
        self.entropy_threshold = entropy_threshold
        self.entropy_min_length = entropy_min_length
        self.entropy = entropy


def redact(text: str, rules: Rules) -> tuple[str, bool]:
    """The text with `[REDACTED]` for every secret, and whether there was one."""
    redacted = False
    # What stands beside a secret is judged again without it, until nothing more is found: cleaning
    # twice equals cleaning once. Two rounds are the rule; the bound is for hostile text.
    for _ in range(_ROUNDS):
        spans = _mended(text, find_secrets(text, rules))
        if not spans:
            break
        text, redacted = _replaced(text, spans), True
    return text, redacted


def find_secrets(text: str, rules: Rules) -> list[Span]:
    """Every place that holds a secret, as (start, end), unordered and possibly overlapping."""
    lowered = _lowered(text)
    found = find_assigned(text, lowered) + _find_pem(text)
    for shape in _SHAPES:
        if shape.may_occur(text, lowered):
            found += shape.find(text)
    for pattern in rules.extra_patterns:
        found += [match.span() for match in pattern.finditer(text)]
    if rules.entropy:
        found += find_credentials(text, rules.entropy_threshold, rules.entropy_min_length)
    return found


_ROUNDS = 16


# No expression may backtrack over unbounded text: a run that must be followed by something begins
# at a boundary (the look-behind), so that it is read once and not from each of its characters.
_EDGE = r"(?<![A-Za-z0-9_-])"


class _Shape:
    """One shape of secret: literal triggers, an expression, and the group that is the secret.

    Triggers in lower case are looked for in any case, others exactly; `needs` must occur besides
    one of them: URLs and logins are in every second output, and `re` is dear. Where the
    expression begins at an edge, so must the trigger: `sk-` is in `task-`.
    """

    __slots__ = ("at_edge", "expression", "group", "needs", "pattern", "triggers")

    def __init__(self, triggers: str, expression: str, group: int = 0, needs: str = "") -> None:
        self.triggers = tuple((trigger, trigger.islower()) for trigger in triggers.split())
        self.needs = needs
        self.at_edge = expression.startswith(_EDGE)
        self.expression = expression
        self.group = group
        self.pattern: Pattern[str] | None = None

    def may_occur(self, text: str, lowered: str) -> bool:
        for trigger, in_any_case in self.triggers:
            where = lowered if in_any_case else text
            if trigger in where and (not self.at_edge or _is_at_edge(where, trigger)):
                return self.needs in where
        return False

    def find(self, text: str) -> list[Span]:
        if self.pattern is None:
            self.pattern = _compiled(self.expression)
        return [
            match.span(self.group)
            for match in self.pattern.finditer(text)
            if not is_readable_in_quotes(match[self.group])
        ]


_SHAPES = (
    # cloud and source hosting
    _Shape("AKIA ASIA", r"(?:AKIA|ASIA)[0-9A-Z]{16}"),
    _Shape("ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,}"),
    _Shape("github_pat_", r"github_pat_[A-Za-z0-9_]{22,}"),
    _Shape(
        "glpat- gldt- glptt- glrt- glsoat- glcbt- glimt- glft- glagent-",
        r"gl(?:pat|dt|ptt|rt|soat|cbt|imt|ft|agent)-[A-Za-z0-9_.-]{20,}",
    ),
    _Shape("AIza", r"AIza[A-Za-z0-9_-]{30,}"),
    _Shape("GOCSPX- ya29.", r"(?:GOCSPX-|ya29\.)[A-Za-z0-9_.-]{20,}"),
    _Shape("doo_v1_ dop_v1_ dor_v1_", r"do[por]_v1_[a-f0-9]{64}"),
    _Shape("hvs. hvb. hvr.", _EDGE + r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    # language models
    _Shape("sk-ant- sk-proj- sk-or-", r"sk-(?:ant|proj|or)-[A-Za-z0-9_-]{20,}"),
    _Shape("sk-", _EDGE + r"sk-(?=[a-z_-]{0,200}[A-Z0-9])[A-Za-z0-9_-]{20,}"),
    _Shape("hf_", _EDGE + r"hf_[A-Za-z0-9]{30,}"),
    _Shape("gsk_ xai- pplx- r8_", _EDGE + r"(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{32,}"),
    # packages
    _Shape("npm_", _EDGE + r"npm_[A-Za-z0-9]{30,}"),
    _Shape("pypi-", _EDGE + r"pypi-[A-Za-z0-9_-]{50,}"),
    _Shape("dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{20,}"),
    _Shape("rubygems_", r"rubygems_[a-f0-9]{48}"),
    # messages and mail
    _Shape("xox xapp-", r"(?:xox[a-z]|xapp)[-.][A-Za-z0-9.-]{10,}"),
    _Shape(
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})", 1,
    ),
    _Shape("api/webhooks/", r"api/webhooks/\d+/([A-Za-z0-9_-]{20,})", 1),
    _Shape(":AA", r"(?<![0-9A-Za-z])\d{8,10}:AA[A-Za-z0-9_-]{30,}"),
    _Shape("SG.", _EDGE + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _Shape(
        " ".join(prefix + digit for prefix in ("SK", "AC") for digit in "0123456789abcdef"),
        r"(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])",
    ),
    _Shape("key-", _EDGE + r"key-[0-9a-f]{32}"),
    # money and shops
    _Shape(
        "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_",
        r"(?<![A-Za-z0-9])[srp]k_(?:live|test)_[A-Za-z0-9]{10,}",
    ),
    _Shape("whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    _Shape("shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    # other services
    _Shape("dapi", _EDGE + r"dapi[0-9a-f]{32}"),
    _Shape("lin_api_ ntn_", _EDGE + r"(?:lin_api_|ntn_)[A-Za-z0-9]{32,}"),
    _Shape("glsa_ sntrys_ sntryu_ sbp_", r"(?:glsa|sntrys|sntryu|sbp)_[A-Za-z0-9_=+/-]{32,}"),
    _Shape("NRAK- PMAK- ATATT3", r"(?:NRAK-|PMAK-|ATATT3)[A-Za-z0-9_=-]{24,}"),
    _Shape("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    _Shape("tskey-", r"tskey-[A-Za-z0-9-]{20,}"),
    # in any house
    _Shape("eyJ", _EDGE + r"eyJ[A-Za-z0-9_-]{6,}+\.[A-Za-z0-9_-]{6,}+(?:\.[A-Za-z0-9_-]*+)*"),
    _Shape("bearer", r"(?i:bearer)\s+([A-Za-z0-9._~+/=-]{20,})", 1),
    _Shape(
        "://", r"://[^\s/:@\"'<>]*+:((?!\d{1,5}/)(?:[^\s/\"'<>`]|/(?!/))+)@", 1, needs="@"
    ),
    _Shape("curl", r"(?:\s-u|--user)[ =]?[\"']?[^\s:\"'/]{1,200}:([^\s\"'@]+)", 1, needs="-u"),
    _Shape("login", r"login\s+\S{1,200}\s+password\s+(\S+)", 1, needs="password"),  # .netrc
    _Shape(
        "login",
        r"(?:docker|podman|nerdctl|registry|oc|az)\s+login(?=\s)[^\n|;&]{0,200}?"
        r"\s-p[ =]?[\"']?([^\s\"'-][^\s\"']{2,})", 1, needs="-p",
    ),
    _Shape("sshpass", r"sshpass\s+-p\s*[\"']?([^\s\"']+)", 1),
    _Shape("mysql", r"mysql[a-z]*\s[^\n|;&]{0,200}?-p([^\s\"'-][^\s\"']{2,})", 1, needs="-p"),
)  # fmt: skip


def _is_at_edge(text: str, trigger: str) -> bool:
    at = text.find(trigger)
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_-"):
        at = text.find(trigger, at + 1)
    return at >= 0


def _lowered(text: str) -> str:
    lowered = text.lower()
    # Only the dotted capital I becomes longer, and places must stay the same.
    return lowered if len(lowered) == len(text) else text.replace("\u0130", "i").lower()


def _compiled(expression: str) -> Pattern[str]:
    import re  # 7 ms, paid only by text with a trigger and by settings with patterns

    try:
        return re.compile(expression)
    except re.error as error:
        from recollect.model.errors import InvalidSetting

        raise InvalidSetting(
            f"extra_patterns holds {expression!r}, which is no regular expression: {error}",
            name="extra_patterns",
            pattern=expression,
        ) from error


_BEGIN, _END = "-----BEGIN ", "-----END "
# Header lines and base64, white space and line ends real or escaped; a short last line only at the
# very end of the text, where the block was cut off.
_KEY_MATERIAL = (
    r"(?:(?:[\s\"'+,]|\\+[nrt])*+(?:(?:Proc-Type|DEK-Info|Comment|Version): [^\n\\]*+"
    r"|[A-Za-z0-9+/=]{32,}+))*+(?:(?:[\s\"'+,]|\\+[nrt])*+[A-Za-z0-9+/=]+\Z)?"
)


def _find_pem(text: str) -> list[Span]:
    """Private keys in PEM, from the first dash to the last, with their bodies."""
    found = []
    start, end = text.find(_BEGIN), text.find(_END)
    while start >= 0:
        label_end = text.find("-----", start + len(_BEGIN), start + 80)
        following = text.find(_BEGIN, start + len(_BEGIN))
        if label_end >= 0 and "PRIVATE KEY" in text[start:label_end]:
            if 0 <= end < start:
                end = text.find(_END, start)
            found.append((start, _pem_end(text, label_end + 5, end, following)))
        start = following
    return found


def _pem_end(text: str, body: int, end: int, following: int) -> int:
    if end >= 0 and not 0 <= following < end:
        closing = text.find("-----", end + len(_END), end + 80)
        return closing + 5 if closing >= 0 else end + len(_END)
    match = _compiled(_KEY_MATERIAL).match(text, body)
    return match.end() if match else body


def _mended(text: str, spans: list[Span]) -> list[Span]:
    """The spans in order, overlapping ones joined, none that cuts into an earlier placeholder."""
    joined: list[Span] = []
    for begun, ended in sorted(spans):
        if begun == ended:
            continue
        start, end = _around_placeholders(text, begun, ended)
        if text[start:end] == PLACEHOLDER:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _around_placeholders(text: str, start: int, end: int) -> Span:
    reach = len(PLACEHOLDER) - 1
    first = text.find(PLACEHOLDER, max(0, start - reach), start + reach)
    if 0 <= first < start:
        start = first
    last = text.rfind(PLACEHOLDER, max(0, end - reach), end + reach)
    if 0 <= last < end:
        end = max(end, last + len(PLACEHOLDER))
    return start, end


def _replaced(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += (text[position:start], PLACEHOLDER)
        position = end
    return "".join((*parts, text[position:]))
