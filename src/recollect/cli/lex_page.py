"""A timeline as a page: one file without anything to load, readable in light and in dark.

Everything that a frame says is a stranger's text, so all of it is escaped, and the page may run
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --faint: #64748b; --line: #d8dee8;
  --paper: #fbfcfe; --card: #fff; --mark: #3b6fd4; --good: #1a7f4b; --bad: #b3402e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9f1; --faint: #93a1b5; --line: #2e3947;
  --paper: #12171e; --card: #1a212b; --mark: #7aa5f5; --good: #5cc98d; --bad: #ee8a78; } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.05rem; margin: 2.5rem 0 .75rem }
.about, time, .id { color: var(--faint); font-size: .875rem } .about { margin: .25rem 0 0 }
.lanes { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card) }
table { border-collapse: collapse; font-size: .875rem; width: 100% }
tr + tr { border-top: 1px solid var(--line) }
th { text-align: left; font-weight: 500; padding: .4rem .9rem; position: sticky; left: 0;
  background: var(--card); min-width: 10rem } td { padding: .3rem .15rem; min-width: 1.1rem }
td i { display: block; height: .9rem; border-radius: .2rem; background: var(--mark) }
td.count { padding: 0 .9rem; color: var(--faint); white-space: nowrap; width: 100% }
ol { list-style: none; margin: 0; padding: 0 0 0 1.25rem; border-left: 2px solid var(--line) }
li.frame { position: relative; margin-bottom: 1rem; padding: .9rem 1.1rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem }
li.frame::before { content: ""; position: absolute; left: -1.66rem; top: 1.2rem; width: .7rem;
  height: .7rem; border-radius: 50%; background: var(--mark); border: 2px solid var(--paper) }
li.blocked::before { background: var(--bad) } .frame h3 { font-size: 1.05rem; margin: .1rem 0 }
.frame p { margin: .15rem 0 } ul { margin: .5rem 0 0; padding: 0; list-style: none }
.added, .resolved { color: var(--good) } .removed { color: var(--faint) }
.open { color: var(--bad) }
code { font: .875em ui-monospace, monospace }
"""


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame of the timeline, with what it changed; read from the published JSON."""

    id: str
    at: str
    caption: str
    reference: str
    next_action: str
    modules: tuple[str, ...]
    blockers: tuple[str, ...]
    failing: tuple[str, ...]
    modules_added: tuple[str, ...]
    modules_removed: tuple[str, ...]
    blockers_added: tuple[str, ...]
    blockers_resolved: tuple[str, ...]

    @classmethod
    def of(cls, step: Mapping[str, object]) -> Moment:
        frame = _object(step["frame"])
        status = _object(frame["status_snapshot"])
        both = (*_texts(status, "blockers"), *_texts(status, "merge_blockers"))
        return cls(
            id=str(frame["id"]),
            at=str(frame["timestamp"]),
            caption=str(frame["summary_caption"]),
            reference=str(frame["reference_point"]),
            next_action=str(status["next_action"]),
            modules=_texts(frame, "module_scope"),
            blockers=tuple(dict.fromkeys(both)),
            failing=_texts(status, "tests_failing"),
            modules_added=_texts(step, "modulesAdded"),
            modules_removed=_texts(step, "modulesRemoved"),
            blockers_added=_texts(step, "blockersAdded"),
            blockers_resolved=_texts(step, "blockersRemoved"),
        )


def page(name: str, steps: Sequence[Mapping[str, object]]) -> str:
    """The page of a ticket or a branch; `steps` oldest first, as `lex.timeline` gives them."""
    moments = [Moment.of(step) for step in steps]
    title = escape(f"{name}: timeline")
    count = f"{len(moments)} frame" + ("" if len(moments) == 1 else "s")
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            f"<h1>{title}</h1>",
            f'<p class="about">{count}{escape(_span(moments))}</p>',
            *(_lanes(moments) if moments else ()),
            "<h2>What happened</h2>",
            "<ol>",
            *(_frame(moment) for moment in moments),
            "</ol>",
            "</body>",
            "</html>",
            "",
        )
    )


def _lanes(moments: Sequence[Moment]) -> Iterable[str]:
    """A line for each module, with a mark in each frame that touched it."""
    scopes = [frozenset(moment.modules) for moment in moments]
    yield "<h2>Modules</h2>"
    yield '<div class="lanes"><table>'
    for name in sorted(frozenset[str]().union(*scopes)):
        cells = "".join("<td><i></i></td>" if name in scope else "<td></td>" for scope in scopes)
        count = sum(name in scope for scope in scopes)
        told = f'<td class="count">{count} of {len(scopes)}</td>'
        yield f'<tr><th scope="row">{escape(name)}</th>{cells}{told}</tr>'
    yield "</table></div>"


def _frame(moment: Moment) -> str:
    changes = (
        *_items("added", "+", "touches", moment.modules_added),
        *_items("removed", "-", "no longer touches", moment.modules_removed),
        *(
            f'<li class="open">{"New blocker" if each in moment.blockers_added else "Blocked"}: '
            f"{escape(each)}</li>"
            for each in moment.blockers
        ),
        *(
            f'<li class="resolved">Resolved: {escape(each)}</li>'
            for each in moment.blockers_resolved
        ),
        *(f'<li class="open">Failing: <code>{escape(each)}</code></li>' for each in moment.failing),
    )
    kind = "frame blocked" if moment.blockers else "frame"
    return "\n".join(
        (
            f'<li class="{kind}">',
            f'<time datetime="{escape(moment.at)}">{escape(_minute(moment.at))}</time>',
            f"<h3>{escape(moment.caption)}</h3>",
            f"<p>{escape(moment.reference)}</p>",
            f"<p>Next: {escape(moment.next_action)}</p>",
            *((f"<ul>{''.join(changes)}</ul>",) if changes else ()),
            f'<p class="id">{escape(moment.id)}</p>',
            "</li>",
        )
    )


def _items(kind: str, sign: str, verb: str, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        yield f'<li class="{kind}">{sign} {verb} <code>{escape(name)}</code></li>'


def _span(moments: Sequence[Moment]) -> str:
    """The first day and the last one."""
    days = list(dict.fromkeys(moment.at[:10] for moment in moments))
    return f", {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""


def _minute(at: str) -> str:
    return f"{at[:10]} {at[11:16]} UTC"


def _object(value: object) -> Mapping[str, object]:
    assert isinstance(value, Mapping)
    return value


def _texts(owner: Mapping[str, object], name: str) -> tuple[str, ...]:
    given = owner.get(name)
    return tuple(map(str, given)) if isinstance(given, list) else ()
