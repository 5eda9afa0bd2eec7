"""What each frame changed, seen from the one before it."""

from __future__ import annotations

from promises import promise
from recollect.model.frame import Frame, Status
from recollect.service.evolution import steps


def frame(
    *modules: str, blockers: tuple[str, ...] = (), merge_blockers: tuple[str, ...] = ()
) -> Frame:
    return Frame(
        id="frame-1",
        memory_id=1,
        project="alpha",
        reference_point="r",
        summary_caption="c",
        status=Status(next_action="n", blockers=blockers, merge_blockers=merge_blockers),
        module_scope=modules,
        branch="main",
        at=0,
    )


@promise("lex:timeline:evolution")
def test_each_frame_is_compared_with_the_one_before() -> None:
    course = [
        frame("a", "b", "a", blockers=("x",)),
        frame("b", "c", blockers=("y",), merge_blockers=("x",)),
        frame("b", "c", blockers=("x", "x"), merge_blockers=("x",)),
        frame("a"),
    ]

    told = [
        (each.modules_added, each.modules_removed, each.blockers_added, each.blockers_resolved)
        for each in steps(course)
    ]

    assert [each.frame for each in steps(course)] == course
    assert told == [
        (("a", "b"), (), ("x",), ()),
        (("c",), ("a",), ("y",), ()),
        ((), (), (), ("y",)),
        (("a",), ("b", "c"), (), ("x",)),
    ]
    assert steps([]) == []
