"""Source of other languages, read by tree-sitter's parsers: what it defines, what it imports.

What to look for in a language is a query in `queries/<language>.scm`. A capture `unit.<kind>` is
something defined and `name` its name, `mention` what an import says, `package` where the file says
that it belongs. Parsers go on after a syntax error, so what can be read is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from recollect.model.source import Mention, Parsed, Unit

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

LONGEST_NAME = 200
"""Characters; what is longer is no name."""
LONGEST_MENTION = 10_000
"""Characters; Rust has whole trees of names in one."""
DEEPEST = 64
"""Nodes above a unit that are asked whether it stands in them."""
LARGEST_HEAP = 5_000
"""Nodes beside each other in a file with syntax errors."""
_UNIT = "unit."
_OWNERS = {
    "class_declaration",
    "abstract_class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
    "impl_item",
    "trait_item",
}


def parsed(blob: bytes, file: str, language: str) -> Parsed:
    from tree_sitter import Parser, QueryCursor

    grammar, query = _grammar(language)
    root = Parser(grammar).parse(blob).root_node
    if root.has_error and _is_hopeless(root):
        return Parsed(is_whole=False)
    units: dict[tuple[int, int], Unit] = {}
    mentions: list[Mention] = []
    package = None
    for _, captured in QueryCursor(query).matches(root):
        kind, node = next(
            ((name[len(_UNIT) :], nodes[0]) for name, nodes in captured.items() if _UNIT in name),
            (None, None),
        )
        if kind is not None and node is not None:
            name = _name(captured, node)
            if name is not None:
                lines = (node.start_point.row + 1, node.end_point.row + 1)
                units[(node.start_byte, node.end_byte)] = Unit(kind, name, file, *lines)
        for node in captured.get("mention", ()):
            text = _text(node, at_most=LONGEST_MENTION)
            if text:
                mentions.append(Mention(text, node.start_point.row + 1))
        for node in captured.get("package", ()):
            package = _text(node)
    return Parsed(
        tuple(unit for _, unit in sorted(units.items())),
        tuple(mentions),
        package,
        not root.has_error,
    )


def _name(captured: dict[str, list[Node]], node: Node) -> str | None:
    told = _text(captured["name"][0]) if "name" in captured else ""
    if not told:
        return None
    owners = [_bare(named) for named in captured.get("owner", ())]
    return ".".join(owner for owner in (*_owners(node), *owners, told) if owner)


def _owners(node: Node) -> Iterator[str]:
    """The types that a unit stands in, outermost first."""
    found = []
    above = node.parent
    for _ in range(DEEPEST):
        if above is None:
            break
        if above.type in _OWNERS:
            named = above.child_by_field_name("name") or above.child_by_field_name("type")
            if named is not None:
                found.append(_bare(named))
        above = above.parent
    yield from reversed(found)


def _is_hopeless(root: Node) -> bool:
    """Whether all that could not be read lies in one heap: a query takes its square to pass it."""
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and node.child_count > LARGEST_HEAP:
            return True
        if node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False


def _bare(named: Node) -> str:
    """A type's name: no pointer before it, no parameters behind."""
    return _text(named).lstrip("*& ").partition("<")[0].partition("[")[0]


def _text(node: Node, *, at_most: int = LONGEST_NAME) -> str:
    text = (node.text or b"").decode("utf-8", "replace")
    return text if len(text) <= at_most else ""


@lru_cache(maxsize=8)
def _grammar(language: str) -> tuple[Language, Query]:
    from tree_sitter import Language, Query

    grammar = Language(_loaded(language))
    folder = resources.files("recollect.workspace") / "queries"
    names = {"tsx": ("javascript", "typescript"), "typescript": ("javascript", "typescript")}
    text = "\n".join(
        (folder / f"{name}.scm").read_text(encoding="utf-8")
        for name in names.get(language, (language,))
    )
    return grammar, Query(grammar, text)


def _loaded(language: str) -> object:
    """Each grammar is a package of its own, loaded when a file of its language is read."""
    if language in {"typescript", "tsx"}:
        import tree_sitter_typescript

        if language == "tsx":
            return tree_sitter_typescript.language_tsx()
        return tree_sitter_typescript.language_typescript()
    if language == "javascript":
        import tree_sitter_javascript

        return tree_sitter_javascript.language()
    if language == "go":
        import tree_sitter_go

        return tree_sitter_go.language()
    if language == "rust":
        import tree_sitter_rust

        return tree_sitter_rust.language()
    import tree_sitter_java

    return tree_sitter_java.language()
