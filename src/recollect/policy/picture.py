"""An Atlas as a picture: modules as boxes, calls as arrows, in one SVG that needs nothing else.

The policy's coordinates are kept where every module has a place of its own; otherwise who calls
stands above whom it calls. The same Atlas gives the same picture.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.policy.atlas import Atlas
from recollect.policy.calls import Edge
from recollect.policy.document import Module

LETTER = 7.6
HEIGHT = 40
PADDING = 16
GAP_ACROSS = 48
GAP_DOWN = 72
MARGIN = 32
LIFT = GAP_DOWN * 0.6
"""How far up a call within a row is drawn towards; it rises three quarters of that."""
LONGEST_LABEL = 34
MOST_IN_ROW = 8
LEGEND = 44

_STYLE = """
  svg { background: #ffffff; }
  .box { fill: #f6f8fa; stroke: #8c959f; }
  .seed { fill: #ddf4ff; stroke: #0969da; stroke-width: 2; }
  text { fill: #1f2328; font: 13px ui-monospace, Menlo, Consolas, monospace; }
  .legend { fill: #59636e; font-size: 12px; }
  .call { fill: none; stroke: #57ab5a; stroke-width: 1.5; }
  .never { fill: none; stroke: #d1242f; stroke-width: 1.5; stroke-dasharray: 6 4; }
  .call-head { fill: #57ab5a; }
  .never-head { fill: #d1242f; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; }
    .box { fill: #151b23; stroke: #656c76; }
    .seed { fill: #121d2f; stroke: #4493f8; }
    text { fill: #f0f6fc; }
    .legend { fill: #9198a1; }
    .never { stroke: #f85149; }
    .never-head { fill: #f85149; }
  }"""
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


def svg(atlas: Atlas) -> str:
    rows = _rows(atlas)
    boxes = _boxes(rows)
    width = max([box.left + box.width for box in boxes.values()], default=0) + MARGIN
    bottom = max([box.top for box in boxes.values()], default=0) + HEIGHT
    size = (max(width, 460), bottom + MARGIN + LEGEND)
    seeds = set(atlas.seeds)
    lines = [
        _opening(*size),
        f"<title>{_escaped(_title(atlas))}</title>",
        f"<style>{_STYLE}\n</style>",
        "<defs>",
        *(_head(name) for name in ("call", "never")),
        "</defs>",
        *(_arrow(edge, boxes) for edge in atlas.edges),
        *(_drawn(module, boxes[module.id], is_seed=module.id in seeds) for module in atlas.modules),
        _legend(atlas, bottom + MARGIN + 20),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _opening(width: float, height: float) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'


def _title(atlas: Atlas) -> str:
    seeds = ", ".join(atlas.seeds[:5]) + (", …" if len(atlas.seeds) > 5 else "")
    return f"Modules around {seeds}, radius {atlas.radius}" if seeds else "Modules"


def _rows(atlas: Atlas) -> list[list[Module]]:
    places = {module.id: module.coords for module in atlas.modules}
    has_places = None not in places.values() and len(set(places.values())) == len(places)
    if has_places and len(places) > 1:
        return _rows_by_place(atlas.modules)
    return _rows_by_call(atlas)


def _rows_by_place(modules: Sequence[Module]) -> list[list[Module]]:
    """Who is beside whom and above whom counts, not how far away."""
    by_height: dict[float, list[Module]] = defaultdict(list)
    for module in modules:
        by_height[(module.coords or (0, 0))[1]].append(module)
    ordered = [by_height[height] for height in sorted(by_height)]
    return [sorted(row, key=lambda module: module.coords or (0, 0)) for row in ordered]


def _rows_by_call(atlas: Atlas) -> list[list[Module]]:
    callers: dict[str, list[str]] = defaultdict(list)
    for edge in atlas.edges:
        callers[edge.called].append(edge.caller)
    depths = _depths([module.id for module in atlas.modules], callers)
    by_depth: dict[int, list[Module]] = defaultdict(list)
    for module in atlas.modules:
        by_depth[depths[module.id]].append(module)
    rows: list[list[Module]] = []
    places: dict[str, float] = {}
    for depth in sorted(by_depth):
        # Below those who call it: arrows cross less.
        row = sorted(by_depth[depth], key=lambda module: _middle(module.id, callers, places))
        rows += [row[at : at + MOST_IN_ROW] for at in range(0, len(row), MOST_IN_ROW)]
        places.update((module.id, at / len(row)) for at, module in enumerate(row))
    return rows


def _middle(id_: str, callers: Mapping[str, list[str]], places: Mapping[str, float]) -> float:
    known = [places[caller] for caller in callers.get(id_, ()) if caller in places]
    return sum(known) / len(known) if known else 0.5


def _depths(ids: Sequence[str], callers: Mapping[str, list[str]]) -> dict[str, int]:
    """How far below its first caller each module stands; round a cycle, wherever it was entered."""
    depths: dict[str, int] = {}
    waiting = {id_: {one for one in callers.get(id_, ()) if one != id_} for id_ in ids}
    while waiting:
        free = [id_ for id_, left in waiting.items() if not left] or [
            min(waiting, key=lambda id_: len(waiting[id_]))  # a cycle has to begin somewhere
        ]
        for id_ in free:
            above = [depths[one] for one in callers.get(id_, ()) if one in depths and one != id_]
            depths[id_] = max(above, default=-1) + 1
        for id_ in free:
            del waiting[id_]
        done = set(free)
        for left in waiting.values():
            left.difference_update(done)
    return depths


def _boxes(rows: Sequence[Sequence[Module]]) -> dict[str, _Box]:
    widths = [[len(_label(module.id)) * LETTER + 2 * PADDING for module in row] for row in rows]
    across = [sum(row) + GAP_ACROSS * (len(row) - 1) for row in widths]
    widest = max(across, default=0)
    boxes: dict[str, _Box] = {}
    for place, row in enumerate(rows):
        left = MARGIN + (widest - across[place]) / 2
        for module, width in zip(row, widths[place], strict=True):
            boxes[module.id] = _Box(left, LIFT + place * (HEIGHT + GAP_DOWN), width)
            left += width + GAP_ACROSS
    return boxes


def _arrow(edge: Edge, boxes: Mapping[str, _Box]) -> str:
    start, end = boxes[edge.caller], boxes[edge.called]
    name = "never" if edge.is_allowed is False else "call"
    told = f"{edge.caller} → {edge.called}" + (f": {edge.reason}" if edge.reason else "")
    return (
        f'<path class="{name}" d="{_path(start, end)}" marker-end="url(#{name})">'
        f"<title>{_escaped(told)}</title></path>"
    )


def _path(start: _Box, end: _Box) -> str:
    if start.top == end.top:  # over what stands between them
        lift = start.top - LIFT
        above = f"{start.middle:.1f} {lift:.1f}, {end.middle:.1f} {lift:.1f}"
        return f"M {start.middle:.1f} {start.top} C {above}, {end.middle:.1f} {end.top - 2}"
    is_down = end.top > start.top
    begin = start.top + (HEIGHT if is_down else 0)
    stop = end.top - 2 if is_down else end.top + HEIGHT + 2
    bend = (stop - begin) / 2
    return (
        f"M {start.middle:.1f} {begin} C {start.middle:.1f} {begin + bend:.1f}, "
        f"{end.middle:.1f} {stop - bend:.1f}, {end.middle:.1f} {stop}"
    )


def _drawn(module: Module, box: _Box, *, is_seed: bool) -> str:
    kind = "box seed" if is_seed else "box"
    told = module.id + (f"\n{module.notes or module.description or ''}".rstrip())
    return (
        f'<g><title>{_escaped(told)}</title><rect class="{kind}" x="{box.left:.1f}" '
        f'y="{box.top}" width="{box.width:.1f}" height="{HEIGHT}" rx="8"/>'
        f'<text x="{box.middle:.1f}" y="{box.top + HEIGHT / 2 + 4.5:.1f}" text-anchor="middle">'
        f"{_escaped(_label(module.id))}</text></g>"
    )


def _head(name: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        f'markerHeight="8" orient="auto"><path class="{name}-head" d="M 0 0 L 8 4 L 0 8 z"/>'
        "</marker>"
    )


def _legend(atlas: Atlas, top: float) -> str:
    cut = "   cut: there is more" if atlas.is_cut else ""
    return (
        f'<g><path class="call" d="M {MARGIN} {top} h 36" marker-end="url(#call)"/>'
        f'<text class="legend" x="{MARGIN + 46}" y="{top + 4}">may call</text>'
        f'<path class="never" d="M {MARGIN + 130} {top} h 36" marker-end="url(#never)"/>'
        f'<text class="legend" x="{MARGIN + 176}" y="{top + 4}">must not call{cut}</text></g>'
    )


def _label(id_: str) -> str:
    """The end says more than the beginning: ids are paths."""
    return id_ if len(id_) <= LONGEST_LABEL else f"…{id_[1 - LONGEST_LABEL :]}"


def _escaped(text: str) -> str:
    return html.escape(_NO_XML.sub("�", text))
