"""An Atlas as a picture: well-formed, the same every time, nothing of it active."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import promise
from recollect.policy import document
from recollect.policy.atlas import Atlas, neighbourhood
from recollect.policy.document import Policy
from recollect.policy.picture import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def policy_of(modules: dict[str, dict[str, object]]) -> Policy:
    read = document.read(json.dumps({"modules": modules}).encode())
    assert read.policy is not None, read.problems
    return read.policy


def drawn(atlas: Atlas) -> ET.Element:
    return ET.fromstring(svg(atlas))


def rectangles(picture: ET.Element) -> list[tuple[float, ...]]:
    names = ("x", "y", "width", "height")
    boxes = picture.iter(f"{NAMESPACE}rect")
    return [tuple(float(box.attrib[name]) for name in names) for box in boxes]


SHOP: dict[str, dict[str, object]] = {
    "web/checkout": {"allowed_callers": []},
    "svc/pricing": {"allowed_callers": ["web/checkout", "svc/orders"]},
    "svc/orders": {"allowed_callers": ["web/*"], "notes": "<b>bold</b>"},
    "svc/ledger": {"allowed_callers": ["svc/orders"], "forbidden_callers": ["web/checkout"]},
}


@promise("lex:atlas:picture")
def test_a_picture_has_every_module_and_every_call() -> None:
    atlas = neighbourhood(policy_of(SHOP), ["svc/orders"], 2)
    picture = drawn(atlas)
    told = ["".join(text.itertext()) for text in picture.iter(f"{NAMESPACE}text")]
    assert told[:4] == [module.id for module in atlas.modules]
    titles = [title.text for title in picture.iter(f"{NAMESPACE}title")]
    assert "web/checkout → svc/ledger: forbidden_caller" in titles
    arrows = [path.get("class") for path in picture.iter(f"{NAMESPACE}path")]
    assert arrows.count("never") == 1 + 1, "one, and the legend's"
    assert arrows.count("call") == 4 + 1
    assert svg(atlas) == svg(atlas)


@promise("lex:atlas:picture")
def test_who_calls_stands_above_unless_the_policy_has_places() -> None:
    atlas = neighbourhood(policy_of(SHOP), ["svc/orders"], 2)
    top = {
        module.id: box[1]
        for module, box in zip(atlas.modules, rectangles(drawn(atlas)), strict=True)
    }
    assert top["web/checkout"] < top["svc/orders"] < top["svc/ledger"] == top["svc/pricing"]
    placed = policy_of(
        {id_: {**body, "coords": [at, -at]} for at, (id_, body) in enumerate(SHOP.items())}
    )
    moved = neighbourhood(placed, ["svc/orders"], 2)
    top = {
        module.id: box[1]
        for module, box in zip(moved.modules, rectangles(drawn(moved)), strict=True)
    }
    assert top["svc/ledger"] < top["svc/orders"] < top["svc/pricing"] < top["web/checkout"]


@promise("lex:atlas:picture")
def test_calls_between_boxes_of_one_row_are_within_the_picture() -> None:
    atlas = neighbourhood(policy_of(SHOP), ["svc/orders"], 2)
    beside = {id_: {**body, "coords": [at, 0]} for at, (id_, body) in enumerate(SHOP.items())}
    row = neighbourhood(policy_of(beside), ["svc/orders"], 2)
    assert len(row.edges) == len(atlas.edges) > 0
    arrows = [path.get("d", "") for path in drawn(row).iter(f"{NAMESPACE}path")]
    bends = [d for d in arrows if " C " in d]
    heights = [float(y) for d in bends for y in re.findall(r"[\d.-]+ (-?[\d.]+)", d)]
    assert bends
    assert min(heights) >= 0, "what is drawn above the picture is not seen"


ODD = ["<script>alert(1)</script>", '"><x', "&amp;", "a\x00b", "]]>", "\ufffe", "x" * 500, "漢字"]


@promise("lex:atlas:picture")
@pytest.mark.parametrize("id_", ODD)
def test_what_a_module_is_called_stays_text(id_: str) -> None:
    text = svg(neighbourhood(None, [id_], 0))
    picture = ET.fromstring(text)
    kinds = {element.tag.removeprefix(NAMESPACE) for element in picture.iter()}
    assert kinds <= {"svg", "title", "style", "defs", "marker", "path", "g", "rect", "text"}


def test_a_picture_of_nothing_is_one() -> None:
    assert rectangles(drawn(neighbourhood(None, [], 0))) == []


IDS = st.sampled_from(["a", "b", "a/b", "c/a-very-long-name", "d"])
BODIES = st.fixed_dictionaries(
    {
        "allowed_callers": st.none() | st.lists(IDS, max_size=4),
        "forbidden_callers": st.lists(IDS, max_size=2),
        "coords": st.none() | st.tuples(st.integers(-9, 9), st.floats(-9, 9)).map(list),
    }
)


@given(st.dictionaries(IDS, BODIES, min_size=1))
def test_no_box_covers_another_and_all_are_within_the_picture(
    modules: dict[str, dict[str, object]],
) -> None:
    atlas = neighbourhood(policy_of(modules), list(modules), 1)
    picture = drawn(atlas)
    boxes = rectangles(picture)
    assert len(boxes) == len(modules)
    for at, (left, top, width, height) in enumerate(boxes):
        assert left >= 0
        assert left + width <= float(picture.attrib["width"])
        assert top + height <= float(picture.attrib["height"])
        for other in boxes[at + 1 :]:
            is_beside = left + width <= other[0] or other[0] + other[2] <= left
            assert is_beside or top + height <= other[1] or other[1] + other[3] <= top
