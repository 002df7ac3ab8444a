"""No two modules of the product import each other, directly or by way of others; types and functions included."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.architecture.test_the_rooms_of_the_browser_have_one_direction import ROOT as BROWSER
from tests.architecture.test_the_rooms_of_the_browser_have_one_direction import files, named_in

APPS = ("analysis", "config", "experiments", "participants")
SUFFIXES = ("", ".ts", "/index.ts")


def circle_in(imports: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the modules of one circle in the order of their imports, the first one at both ends; empty without one.

    >>> circle_in({"a": ["b"], "b": ["c"], "c": ["b"]})
    ['b', 'c', 'b']
    """
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def imports_of_python(*packages: str) -> dict[str, set[str]]:
    """Return what each module imports: at its top, inside functions and for types alone."""
    graph = grimp.build_graph(*packages, cache_dir=None, exclude_type_checking_imports=False)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def imports_of_typescript(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Return what each file names, given the text of every file by its path: imports of types and later ones, too."""
    return {
        file: {
            found
            for path in named_in(file, text)
            for suffix in SUFFIXES
            for found in fnmatch.filter(texts, path + suffix)
            if found != file
        }
        for file, text in texts.items()
    }


def test_no_modules_of_the_server_import_each_other() -> None:
    imports = imports_of_python(*APPS)
    assert sum(map(len, imports.values())) > 3000
    assert circle_in(imports) == []


def test_no_files_of_the_browser_import_each_other() -> None:
    imports = imports_of_typescript(
        {path.relative_to(BROWSER).as_posix(): path.read_text(encoding="utf-8") for path in files()}
    )
    assert sum(map(len, imports.values())) > 500
    assert circle_in(imports) == []


@pytest.mark.parametrize(
    "lower",
    [
        "from circling.upper import Study\n",
        "def task(study):\n    from circling import upper\n    return upper.Study(study)\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from circling.upper import Study\n",
    ],
)
def test_a_circle_of_modules_is_found(lower: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "circling"
    package.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in {"__init__": "", "upper": "from circling import lower\n", "lower": lower}.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    assert sorted(circle_in(imports_of_python("circling"))[1:]) == ["circling.lower", "circling.upper"]


@pytest.mark.parametrize(
    "statement",
    [
        'import { Cards } from "./cards";',
        'import type { Option } from "./cards";',
        'const { Cards } = await import("./cards");',
        'export * from "../comparison/cards";',
        'const all = import.meta.glob("./c*.ts");',
    ],
)
def test_a_circle_of_files_is_found(statement: str) -> None:
    texts = {
        "comparison/cards.ts": 'import type { Messages } from "./messages";',
        "comparison/messages.ts": 'import { texts } from "../languages";',
        "languages/index.ts": "",
    }
    assert circle_in(imports_of_typescript(texts)) == []
    texts["comparison/messages.ts"] += statement
    assert sorted(circle_in(imports_of_typescript(texts))[1:]) == ["comparison/cards.ts", "comparison/messages.ts"]
