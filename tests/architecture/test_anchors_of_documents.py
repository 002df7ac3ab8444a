"""A link into the middle of a document leads to one of its headings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "frontend" / "README.md"])


def anchors(document: Path) -> set[str]:
    """Return the anchors that a forge makes of the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_anchor_in_a_link_is_a_heading_of_its_target(document: Path) -> None:
    broken = []
    for path, anchor in re.findall(r"\]\((?![a-z]+:)([^)#\s]*)#([^)\s]+)\)", document.read_text(encoding="utf-8")):
        target = document.parent / path if path else document
        if anchor not in anchors(target):
            broken.append(f"{path}#{anchor}")
    assert broken == []
