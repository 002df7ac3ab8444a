"""The rooms of frontend/src import downwards alone, types included, as import-linter keeps it for the apps."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "frontend" / "src"
# The upper ones first, every room named; rooms beside each other are parted by colons and do not know each other.
LAYERS = (
    "entries",
    "session : coding : reports",
    "plugins : supervision",
    "ratings",
    "typing",
    "page",
    "media : recovery",
    "server",
    "timing : presses : languages : tab-memory",
)
LAYER_OF = {room: layer for layer, rooms in enumerate(LAYERS) for room in rooms.split(" : ")}
# Tests may use whatever they test with.
OF_TESTS = re.compile(r"\.spec\.ts$|^test-setup\.ts$")
# However a file names another one, it begins with a path: `from "…"`, `import("…")`, `import.meta.glob("…")`, `url(…)`.
# The colours and typefaces of all surfaces.
SHARED = "../../experiments/static/studies/identity.css"
PATH = re.compile(r"""["'`(]((?:\.{1,2}|/src)/[^"'`$)]*)""")


def room_of(path: str) -> str:
    """Return the room that a path below frontend/src lies in; a file of the first floor is a room of its own."""
    return path.split("/")[0].removesuffix(".ts")


def named_in(file: str, text: str) -> list[str]:
    """Return the paths below frontend/src that a file there names; what lies outside of it begins with two dots."""
    return [
        os.path.normpath(path.removeprefix("/src/") if path.startswith("/src/") else f"{Path(file).parent}/{path}")
        for path in PATH.findall(text)
    ]


def files() -> Iterator[Path]:
    """Yield the scripts and styles of the product."""
    for path in sorted(ROOT.rglob("*")):
        if path.suffix in (".ts", ".css") and not OF_TESTS.search(path.name):
            yield path


def against(file: str, text: str) -> list[str]:
    """Return what a file names that lies beside or above its room, or in none."""
    own = room_of(file)
    return [
        f"{file} names {path}"
        for path in named_in(file, text)
        if path != SHARED and room_of(path) != own and LAYER_OF.get(room_of(path), -1) <= LAYER_OF[own]
    ]


def test_every_room_has_its_layer() -> None:
    assert sorted(LAYER_OF) == sorted({room_of(str(path.relative_to(ROOT))) for path in files()})


def test_the_rooms_import_downwards_alone() -> None:
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files()}
    assert sum(len(named_in(file, text)) for file, text in texts.items()) > 500
    assert [fault for file, text in texts.items() for fault in against(file, text)] == []


@pytest.mark.parametrize(
    "statement",
    [
        'import { clock } from "../plugins/clock";',
        'import {\n  clock,\n  type Onset,\n} from "../plugins/clock";',
        'import type { Onset } from "../plugins/clock";',
        'export type { Onset } from "../plugins/clock";',
        'import "../plugins/clock";',
        'const { clock } = await import("../plugins/clock");',
        "const plugin = await import(`../plugins/${name}`);",
        'type Clock = import("../plugins/clock").Clock;',
        'const all = import.meta.glob("../plugins/*.ts");',
        'import { clock } from "/src/plugins/clock";',
        "@import url(../plugins/text-question.css);",
        'import { clock } from "../seldom-rooms/clock";',
        'import texts from "../../dev/study";',
    ],
)
def test_whatever_names_an_upper_room_is_found(statement: str) -> None:
    assert len(against("ratings/index.ts", statement)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        'import { Field } from "./fields";',
        'import { element } from "../page/blocks";',
        'import "jspsych";',
    ],
)
def test_what_lies_below_or_in_the_room_itself_may_be_named(statement: str) -> None:
    assert against("ratings/index.ts", statement) == []
