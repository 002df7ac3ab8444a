"""The version stands in pyproject.toml; whoever else names one names the same, and the changelog has its date."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import yaml
from django.conf import settings

from config.version import version

ROOT = Path(__file__).resolve().parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_the_platform_reads_it() -> None:
    assert version() == VERSION
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == settings.CODE_VERSION
    assert f'"{VERSION}"' not in (ROOT / "config" / "settings.py").read_text(encoding="utf-8")


def test_the_image_holds_the_file_in_which_it_stands() -> None:
    last_stage = (ROOT / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[2]
    assert re.search(r"^COPY .*\bpyproject\.toml\b", last_stage, re.MULTILINE)


def test_citation_and_front_end_name_the_same() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == VERSION
    for name in ("package.json", "package-lock.json"):
        assert json.loads((ROOT / "frontend" / name).read_text(encoding="utf-8"))["version"] == VERSION


def test_the_changelog_has_it_with_the_date_of_the_citation_and_what_came_since_above() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1] == f"{VERSION} – {citation['date-released']}"
