"""An import leads to the file that the language means, or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from promises import last, promise
from recollect.workspace.reading import read

PYTHON = {
    "src/shop/__init__.py": "",
    "src/shop/cart.py": "",
    "src/shop/web/__init__.py": "",
    "src/shop/web/page.py": "",
    "src/space/named/part.py": "",
    "scripts/tool.py": "",
    "scripts/json.py": "",
    "tests/conftest.py": "",
    "tests/test_cart.py": "",
    "other/conftest.py": "",
    "one/twice/__init__.py": "",
    "two/twice/__init__.py": "",
    "top.py": "",
}
WEB = {
    "tsconfig.base.json": '{"compilerOptions": {"paths": {"@web/*": ["apps/web/src/*"],}}} // c',
    "apps/web/tsconfig.json": '{"extends": "../../tsconfig.base.json", /* "x": 1, */ }',
    "apps/web/src/a.ts": "",
    "apps/web/src/b/index.tsx": "",
    "apps/web/src/c.js": "",
    "apps/web/src/d.d.ts": "",
    "apps/api/tsconfig.json": '{"compilerOptions": {"baseUrl": "src", "paths": {"#*": ["*/it"]}}}',
    "apps/api/src/deep/it.ts": "",
    "apps/api/src/main.ts": "",
    "packages/kit/package.json": '{"name": "@shop/kit"}',
    "packages/kit/src/index.ts": "",
    "packages/kit/src/color.ts": "",
    "packages/broken/package.json": "{",
    "node_modules/react/index.js": "",
}
GO = {
    "go.mod": "// shop\nmodule example.com/shop\n",
    "main.go": "",
    "ledger/a.go": "",
    "ledger/a_test.go": "",
    "tools/go.mod": 'module "example.com/tools"',
    "tools/gen/gen.go": "",
}
RUST = {
    "Cargo.toml": '[workspace]\nmembers = ["a", "my-b"]',
    "a/Cargo.toml": '[package]\nname = "a"',
    "a/src/lib.rs": "",
    "a/src/cart.rs": "",
    "a/src/cart/item.rs": "",
    "a/src/pay/mod.rs": "",
    "a/src/pay/card.rs": "",
    "my-b/Cargo.toml": '[package]\nname = "my-b"',
    "my-b/src/main.rs": "",
    "my-b/src/run.rs": "",
}
JAVA = {
    "src/main/java/com/shop/orders/Order.java": "package com.shop.orders; class Order {}",
    "src/main/java/com/shop/ledger/Entry.java": "package com.shop.ledger; class Entry {}",
    "src/main/java/com/shop/ledger/Book.java": "package com.shop.ledger; class Book {}",
    "elsewhere/Odd.java": "package com.odd; class Odd {}",
}

ROADS = [
    # files, importing file, its text, what it leads to, because
    (PYTHON, "src/shop/x.py", "import shop.cart", "src/shop/cart.py", "from the source root"),
    (PYTHON, "src/shop/x.py", "from shop import cart", "src/shop/cart.py", "a module by its name"),
    (PYTHON, "src/shop/x.py", "from shop import VALUE", "src/shop/__init__.py", "no module"),
    (PYTHON, "src/shop/x.py", "from . import cart", "src/shop/cart.py", "beside it"),
    (PYTHON, "src/shop/web/x.py", "from ..cart import *", "src/shop/cart.py", "a package up"),
    (PYTHON, "src/shop/web/x.py", "from ..... import cart", "", "above the tree"),
    (PYTHON, "src/shop/x.py", "from shop.web.page import A", "src/shop/web/page.py", "deeper"),
    (PYTHON, "tests/x.py", "import shop", "src/shop/__init__.py", "from elsewhere"),
    (PYTHON, "top2.py", "import space.named.part", "src/space/named/part.py", "without __init__"),
    (PYTHON, "scripts/x.py", "import tool", "scripts/tool.py", "a script beside it"),
    (PYTHON, "src/shop/x.py", "import tool", "", "a script of somebody else"),
    (PYTHON, "src/shop/x.py", "import json", "", "the standard library"),
    (PYTHON, "scripts/x.py", "import json", "scripts/json.py", "what hides it"),
    (PYTHON, "tests/x.py", "import conftest", "tests/conftest.py", "one's own of two"),
    (PYTHON, "src/shop/x.py", "import conftest", "", "neither of two"),
    (PYTHON, "top2.py", "import twice", "", "nobody can tell which"),
    (PYTHON, "a/b.py", "import top", "top.py", "at the top"),
    (PYTHON, "top2.py", "import numpy", "", "from elsewhere altogether"),
    (WEB, "apps/web/src/x.ts", "import './a'", "apps/web/src/a.ts", "an ending left out"),
    (WEB, "apps/web/src/x.ts", "import './a.js'", "apps/web/src/a.ts", "as it will be compiled"),
    (WEB, "apps/web/src/x.ts", "import './b'", "apps/web/src/b/index.tsx", "a folder's index"),
    (WEB, "apps/web/src/b/x.ts", "import '..'", "", "a folder without one"),
    (WEB, "apps/web/src/b/x.ts", "import '.'", "apps/web/src/b/index.tsx", "the folder itself"),
    (WEB, "apps/web/src/x.ts", "import './c.js?raw'", "apps/web/src/c.js", "with a question"),
    (WEB, "apps/web/src/x.ts", "import './d'", "apps/web/src/d.d.ts", "declarations"),
    (WEB, "apps/web/src/x.ts", "import '@web/a'", "apps/web/src/a.ts", "a path of the base config"),
    (WEB, "apps/api/src/x.ts", "import '#deep'", "apps/api/src/deep/it.ts", "a star in the middle"),
    (WEB, "apps/api/src/x.ts", "import 'main'", "apps/api/src/main.ts", "from the base url"),
    (WEB, "apps/web/src/x.ts", "import 'main'", "", "of another config"),
    (WEB, "apps/web/src/x.ts", "import '@shop/kit'", "packages/kit/src/index.ts", "a package"),
    (WEB, "apps/web/src/x.ts", "import '@shop/kit/color'", "packages/kit/src/color.ts", "its part"),
    (WEB, "apps/web/src/x.ts", "import 'react'", "", "what is installed"),
    (WEB, "apps/web/src/x.ts", "import '../../../../../etc/a'", "", "out of the tree"),
    (GO, "x.go", 'package m\nimport "example.com/shop/ledger"', "ledger/a.go", "a package"),
    (
        GO,
        "x.go",
        'package m\nimport "example.com/tools/gen"',
        "tools/gen/gen.go",
        "a module within",
    ),
    (GO, "x.go", 'package m\nimport "fmt"', "", "the standard library"),
    (GO, "x.go", 'package m\nimport "example.com/shopping"', "", "a longer name"),
    (RUST, "a/src/lib.rs", "mod cart;", "a/src/cart.rs", "a file of a module"),
    (RUST, "a/src/lib.rs", "pub mod pay;", "a/src/pay/mod.rs", "a folder of a module"),
    (RUST, "a/src/cart.rs", "mod item;", "a/src/cart/item.rs", "beneath it"),
    (RUST, "a/src/cart.rs", "use crate::pay::card::Card;", "a/src/pay/card.rs", "of the crate"),
    (RUST, "a/src/pay/card.rs", "use super::super::cart;", "a/src/cart.rs", "two up"),
    (RUST, "a/src/pay/mod.rs", "use self::card::Card;", "a/src/pay/card.rs", "its own"),
    (RUST, "my-b/src/x.rs", "use a::cart::Cart as C;", "a/src/cart.rs", "another crate"),
    (RUST, "my-b/src/x.rs", "use a::Thing;", "a/src/lib.rs", "another crate's root"),
    (RUST, "a/src/x.rs", "use my_b::run;", "my-b/src/run.rs", "a dash is an underscore"),
    (RUST, "a/src/x.rs", "use std::fmt;", "", "the standard library"),
    (
        RUST,
        "my-b/src/x.rs",
        "use a::{cart::{self, item::*}, pay::{card}};",
        "a/src/cart.rs a/src/cart/item.rs a/src/pay/card.rs",
        "a tree of names",
    ),
    (JAVA, "X.java", "import com.shop.ledger.Entry;", "Entry.java", "a class"),
    (JAVA, "X.java", "import com.shop.ledger.*;", "Book.java", "the first of a package"),
    (JAVA, "X.java", "import static com.shop.orders.Order.of;", "Order.java", "of a class"),
    (JAVA, "X.java", "import com.odd.Odd;", "Odd.java", "by what the file says, not its place"),
    (JAVA, "X.java", "import java.util.List;", "", "the standard library"),
]


@promise("lex:code-atlas:imports")
@pytest.mark.parametrize(("files", "file", "text", "target", "because"), ROADS, ids=last)
def test_an_import_leads_to_a_file(
    tmp_path: Path, files: dict[str, str], file: str, text: str, target: str, because: str
) -> None:
    for path, content in {**files, file: text}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    found = sorted(one.to_file for one in read(str(tmp_path)).imports if one.from_file == file)
    expected = target.split()
    assert len(found) == len(expected), because
    assert all(one.endswith(end) for one, end in zip(found, expected, strict=True)), because


CONFIGS = [
    ("tsconfig.json", '{"extends": "./tsconfig.json"}', "a config that extends itself"),
    ("tsconfig.json", "[" * 100_000, "a bomb of brackets"),
    ("tsconfig.json", '{"compilerOptions": {"paths": {"*": 1, "a": [2]}, "baseUrl": 3}}', "types"),
    ("tsconfig.json", '{"compilerOptions": []}', "an array of options"),
    ("package.json", '{"name": ["x"]}', "a name that is none"),
    ("Cargo.toml", "package = 1", "a package that is none"),
    ("Cargo.toml", "[[[", "no TOML"),
    ("go.mod", "\xff", "no module"),
]


@pytest.mark.parametrize(("name", "text", "because"), CONFIGS, ids=last)
def test_a_configuration_that_is_none_leads_nowhere(
    tmp_path: Path, name: str, text: str, because: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    for file, said in {
        "a.ts": "import 'b'",
        "a.rs": "use b::c;",
        "a.go": 'package a\nimport "b"',
        "sub/b.ts": "",
    }.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(said, encoding="utf-8")
    assert read(str(tmp_path)).imports == (), because
