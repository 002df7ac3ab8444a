"""The document of the architecture names what lies on the first floor of every app, and nothing else does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FLOORS = ("experiments", "participants", "analysis", "analysis/methods", "config", "frontend/src")
# What Django or the browser's tests look for by these names.
BY_CONVENTION = {
    "__init__.py", "admin.py", "apps.py", "models.py", "urls.py", "urls_coding.py", "urls_researcher.py",
    "urls_tables.py", "management/", "migrations/", "test-setup.ts",
}  # fmt: skip


def lying_on(floor: str) -> set[str]:
    found = set()
    for path in (ROOT / floor).iterdir():
        if path.is_file() and path.suffix in (".py", ".ts") and not path.name.endswith(".spec.ts"):
            found.add(path.name)
        elif path.is_dir() and (next(path.glob("*.py"), None) or next(path.rglob("*.ts"), None)):
            found.add(f"{path.name}/")
    return found - BY_CONVENTION


@pytest.mark.parametrize("floor", FLOORS)
def test_every_room_is_named(floor: str) -> None:
    rooms = lying_on(floor)
    assert len(rooms) > 8
    assert {room for room in rooms if f"`{room}`" not in DOCUMENT} == set()


def test_no_room_is_named_that_is_not_there() -> None:
    named = set(re.findall(r"`([\w-]+(?:/|\.py|\.ts))`", DOCUMENT))
    there = {name for floor in FLOORS for name in (*lying_on(floor), *BY_CONVENTION)}
    deeper = {
        path.name for source in ("analysis", "experiments", "frontend/src") for path in (ROOT / source).rglob("*")
    }
    assert {name for name in named if name not in there and name.rstrip("/") not in deeper} == set()
