"""A workspace's code by its modules, and whether it keeps to the policy."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from promises import last, promise
from recollect.model.policy_errors import (
    PathNotFound,
    PolicyInvalid,
    PolicyNotFound,
    UnknownModules,
)
from recollect.model.workspace import Workspace
from recollect.policy import document
from recollect.service import code_atlas as verbs
from recollect.service.checking import Report, check
from recollect.service.code_atlas import CodeAtlas, CodeEdge, code_atlas
from recollect.service.modules import policy_for
from recollect.service.proposing import proposed
from recollect.workspace.tree import Limits

OWN = ".smartergpt/lex/lexmap.policy.json"
SHOP = {
    "web/checkout": {"owns_paths": ["src/web/**"], "allowed_callers": []},
    "svc/orders": {"owns_paths": ["src/orders/**"], "allowed_callers": ["web/*"]},
    "svc/ledger": {
        "owns_paths": ["src/ledger/**"],
        "allowed_callers": ["svc/orders"],
        "forbidden_callers": ["web/*"],
    },
    "svc/mail": {"owns_paths": ["src/mail/**"]},
}
CODE = {
    "src/web/page.ts": "import '../orders/order';\nimport '../ledger/book';\nexport class Page {}",
    "src/web/more.ts": "import '../ledger/book';",
    "src/orders/order.ts": "import '../ledger/book';\nimport '../mail/post';\nfunction order() {}",
    "src/ledger/book.ts": "export class Book { add() {} }",
    "src/mail/post.ts": "import '../ledger/book';",
    "loose.ts": "import './src/ledger/book';",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    plant(tmp_path, {**CODE, OWN: json.dumps({"modules": SHOP})})
    return tmp_path


def plant(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def atlas_of(root: Path, *seeds: str, radius: int = 1, limits: Limits | None = None) -> CodeAtlas:
    here = Workspace(root=str(root))
    return code_atlas(here, policy_for(here), seeds, radius, limits=limits)


@promise("lex:code-atlas:modules")
def test_modules_have_files_and_units(shop: Path) -> None:
    drawn = atlas_of(shop)
    assert [module.id for module in drawn.modules] == list(SHOP)
    assert [module.files for module in drawn.modules] == [
        ("src/web/more.ts", "src/web/page.ts"),
        ("src/orders/order.ts",),
        ("src/ledger/book.ts",),
        ("src/mail/post.ts",),
    ]
    units = [(unit.kind, unit.name, unit.file) for unit in drawn.modules[2].units]
    assert units == [
        ("class", "Book", "src/ledger/book.ts"),
        ("method", "Book.add", "src/ledger/book.ts"),
    ]
    assert (drawn.unowned_count, drawn.parsed_count, drawn.is_cut) == (1, 6, False)


@promise("lex:code-atlas:edges")
def test_edges_are_what_is_imported_and_what_the_policy_says(shop: Path) -> None:
    drawn = atlas_of(shop)
    not_listed = "missing_allowed_caller"
    assert list(drawn.edges) == [
        CodeEdge("svc/mail", "svc/ledger", "import", False, not_listed, 1),
        CodeEdge("svc/orders", "svc/ledger", "import", True, None, 1),
        CodeEdge("svc/orders", "svc/mail", "import", True, None, 1),
        CodeEdge("web/checkout", "svc/ledger", "import", False, "forbidden_caller", 2),
        CodeEdge("web/checkout", "svc/orders", "import", True, None, 1),
        CodeEdge("web/checkout", "svc/orders", "policy", True, None, 1),
        CodeEdge("web/checkout", "svc/ledger", "policy", False, "forbidden_caller", 1),
        CodeEdge("svc/orders", "svc/ledger", "policy", True, None, 1),
    ]
    assert drawn == atlas_of(shop)


SEEDS = [
    # seeds, radius, modules, because
    (["svc/mail"], 0, ["svc/mail"], "nothing but the seed"),
    (["svc/mail"], 1, ["svc/mail", "svc/ledger", "svc/orders"], "over imports"),
    (["svc/mail"], 2, ["svc/mail", "svc/ledger", "svc/orders", "web/checkout"], "and policy"),
    (["svc/mail"], 10**9, ["svc/mail", "svc/ledger", "svc/orders", "web/checkout"], "to the end"),
]


@promise("lex:code-atlas:seeds")
@pytest.mark.parametrize(("seeds", "radius", "modules", "because"), SEEDS, ids=last)
def test_seeds_and_radius_are_honoured(
    shop: Path, seeds: list[str], radius: int, modules: list[str], because: str
) -> None:
    drawn = atlas_of(shop, *seeds, radius=radius)
    assert [module.id for module in drawn.modules] == modules, because
    assert drawn.seeds == tuple(seeds)


@promise("lex:code-atlas:seeds")
def test_an_unknown_seed_is_refused(shop: Path) -> None:
    with pytest.raises(UnknownModules) as refused:
        atlas_of(shop, "svc/mial")
    assert refused.value.suggested[0] == "svc/mail"


@promise("lex:code-atlas:no-policy")
def test_without_a_policy_folders_are_the_modules(tmp_path: Path) -> None:
    plant(tmp_path, CODE)
    drawn = atlas_of(tmp_path, "web")
    assert [module.id for module in drawn.modules] == ["web", "ledger", "orders"]
    assert {edge.is_allowed for edge in drawn.edges} == {None}
    assert not drawn.has_policy
    assert [module.id for module in atlas_of(tmp_path, "no such").modules] == ["no such"]


@promise("lex:code-atlas:limits")
def test_an_atlas_says_that_it_is_cut_and_by_what(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = atlas_of(shop, limits=Limits(parsed_files=2))
    assert drawn.is_cut
    assert drawn.limits["parsed_files"] == 2
    assert drawn.left_out == {"over the limit": 4}
    for most in ("MOST_MODULES", "MOST_FILES", "MOST_UNITS", "MOST_EDGES"):
        with monkeypatch.context() as patch:
            patch.setattr(verbs, most, 1)
            assert atlas_of(shop).is_cut, most


def test_without_a_folder_there_is_no_code() -> None:
    with pytest.raises(PathNotFound):
        code_atlas(Workspace(root=None), None, [], 1)


@pytest.mark.slow
@promise("lex:code-atlas:many-files")
def test_a_hundred_thousand_files_are_read(tmp_path: Path) -> None:
    for folder in range(1_000):
        (tmp_path / f"part{folder % 10}" / f"d{folder}").mkdir(parents=True)
        for file in range(100):
            (tmp_path / f"part{folder % 10}" / f"d{folder}" / f"f{file}.py").touch()
    begun = time.perf_counter()
    drawn = atlas_of(tmp_path, limits=Limits(parsed_files=5_000))
    assert drawn.file_count == 100_000
    assert drawn.parsed_count == 5_000
    assert drawn.is_cut
    assert time.perf_counter() - begun < 60


def report_of(root: Path, path: str | None = None, policy: str | None = None) -> Report:
    return check(Workspace(root=str(root)), path, policy)


@promise("lex:policy-check:violations")
def test_imports_that_the_policy_does_not_let_be_are_violations(shop: Path) -> None:
    report = report_of(shop)
    assert [(one.from_file, one.line, one.called, one.reason) for one in report.violations] == [
        ("src/mail/post.ts", 1, "svc/ledger", "missing_allowed_caller"),
        ("src/web/more.ts", 1, "svc/ledger", "forbidden_caller"),
        ("src/web/page.ts", 2, "svc/ledger", "forbidden_caller"),
    ]
    assert not report.is_valid
    assert (report.error_count, report.warning_count, report.module_count) == (0, 0, 4)


@promise("lex:policy-check:path")
def test_a_path_says_what_is_checked(shop: Path) -> None:
    assert report_of(shop, "src/mail").violation_count == 1
    assert report_of(shop, str(shop / "src" / "web" / "page.ts")).violation_count == 1
    assert report_of(shop, "src/orders").is_valid
    for gone in ("gone", "/gone", "x\0y"):
        with pytest.raises(PathNotFound):
            report_of(shop, gone)


@promise("lex:policy-check:path")
def test_a_folder_with_a_policy_of_its_own_is_checked_by_it(shop: Path) -> None:
    plant(shop, {f"inner/{OWN}": '{"modules": {"a": {"owns_paths": ["a"]}}}', "inner/a/x.py": ""})
    assert report_of(shop, "inner").module_count == 1
    plant(
        shop, {"inner/named.json": '{"modules": {}}', "named.json": json.dumps({"modules": SHOP})}
    )
    assert report_of(shop, "inner", "named.json").module_count == 0
    assert report_of(shop, None, "named.json").module_count == 4


DOCUMENTS = [
    # module, errors, warnings, because
    ({}, ["modules.m: Missing required field 'owns_paths'"], [], "it owns nothing"),
    ({"owns_namespaces": ["A.B"]}, [], [], "namespaces are known by no path"),
    ({"owns_paths": ["src/gone/**"]}, [], ["modules.m: Module has no matching files in src/"], "-"),
    ({"match": ["src/gone/**"]}, [], ["modules.m: Module has no matching files in src/"], "match"),
    (
        {"owns_paths": ["src"], "allowed_callers": ["m", "no/such", "x*"]},
        [],
        [
            "modules.m.allowed_callers: The module names itself, which its files need not",
            "modules.m.allowed_callers: Unknown module 'no/such'",
        ],
        "itself, and a stranger",
    ),
    (
        {"owns_paths": ["src"], "forbidden_callers": ["no/such"]},
        [],
        ["modules.m.forbidden_callers: Unknown module 'no/such'"],
        "a stranger who is forbidden",
    ),
    (
        {"owns_paths": ["src"], "allowed_callers": ["o"], "forbidden_callers": ["o"]},
        [],
        ["modules.m.allowed_callers: 'o' is forbidden as well, which is what counts"],
        "both",
    ),
    (
        {"owns_paths": ["src", "../out/**"]},
        [],
        ["modules.m.owns_paths: '../out/**' leads out of the tree"],
        "out of the tree",
    ),
]


@promise("lex:policy-check:document", "lex:policy-check:files")
@pytest.mark.parametrize(("module", "errors", "warnings", "because"), DOCUMENTS, ids=last)
def test_a_document_is_checked(
    tmp_path: Path, module: object, errors: list[str], warnings: list[str], because: str
) -> None:
    modules = {"m": module, "o": {"owns_paths": ["src/a.py"]}}
    plant(tmp_path, {"src/a.py": "", "p.json": json.dumps({"modules": modules})})
    report = report_of(tmp_path, None, "p.json")
    assert [f"{one.place}: {one.message}" for one in report.errors] == errors, because
    assert [f"{one.place}: {one.message}" for one in report.warnings] == warnings, because
    assert report.is_valid == (not errors)
    strict = check(Workspace(root=str(tmp_path)), None, "p.json", is_strict=True)
    assert strict.is_valid == (not errors and not warnings)


@promise("lex:policy-check:document")
def test_ids_in_other_letters_are_errors(tmp_path: Path) -> None:
    ids = ["Web", "a b", "ü", "a.b"]
    body = {"modules": {id_: {"owns_paths": ["x"]} for id_ in ids}}
    plant(tmp_path, {"p.json": json.dumps(body)})
    report = report_of(tmp_path, None, "p.json")
    assert [one.place for one in report.errors] == [f"modules.{id_}" for id_ in ids]
    assert report.warning_count == 0, "where there is no source, no files are missed"


@promise("lex:policy-check:refused")
def test_what_is_no_policy_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(PolicyNotFound, match="lexmap"):
        report_of(tmp_path)
    with pytest.raises(PolicyNotFound, match="gone"):
        report_of(tmp_path, None, "gone.json")
    for text in ("", "[]", "{}", '{"modules": 1}'):
        plant(tmp_path, {"p.json": text})
        with pytest.raises(PolicyInvalid):
            report_of(tmp_path, None, "p.json")
    plant(tmp_path, {"p.json": '{"modules": {"a": {"coords": 1}, "b": 2}}'})
    report = report_of(tmp_path, None, "p.json")
    assert [one.place for one in report.errors] == ["modules.a.coords", "modules.b"]
    assert not report.is_valid


def test_many_findings_are_counted_and_some_told(tmp_path: Path) -> None:
    body: dict[str, object] = {"modules": {f"m{at}": {} for at in range(1_000)}}
    plant(tmp_path, {"p.json": json.dumps(body)})
    report = report_of(tmp_path, None, "p.json")
    assert (len(report.errors), report.error_count) == (200, 1_000)


LAYOUTS = [
    # files, modules, because
    (["src/shop/cart/a.py", "src/shop/web/b.py", "src/shop/c.py"], "shop shop/cart shop/web", "-"),
    (["src/web/a.ts", "src/api/b.ts"], "api web", "what stands in src"),
    (["packages/kit/src/a.ts", "apps/web/src/b.ts"], "apps/web packages/kit", "a monorepo"),
    (["cmd/tool/main.go", "internal/db/db.go"], "cmd/tool internal/db", "Go"),
    (["a.py", "b.py"], "", "no folder, no part"),
    (["My App/Sub_Part/x.py", "My App/y.py"], "my-app", "letters that an id may have"),
    (["docs/a.md", "src/a/x.py", "src/b/x.py"], "a b", "what is no source is no part"),
    ([], "", "an empty tree"),
]


@promise("lex:init:proposal")
@pytest.mark.parametrize(("files", "ids", "because"), LAYOUTS, ids=last)
def test_a_policy_is_proposed_from_the_folders(
    tmp_path: Path, files: list[str], ids: str, because: str
) -> None:
    plant(tmp_path, dict.fromkeys(files, ""))
    body = proposed(Workspace(root=str(tmp_path)))
    read = document.read(json.dumps(body).encode())
    assert read.policy is not None
    assert " ".join(read.policy.ids) == ids, because
    plant(tmp_path, {"p.json": json.dumps(body)})
    report = report_of(tmp_path, None, "p.json")
    assert (report.error_count, report.warning_count, report.violation_count) == (0, 0, 0)
