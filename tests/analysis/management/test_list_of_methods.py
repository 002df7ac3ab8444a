"""The list of methods is kept, and made again when code changes or packages add methods."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from analysis.management import described
from analysis.management.described import described_methods, sources_hash
from analysis.methods import catalogue
from analysis.methods.registry import method_named

ASKED = described._asked


@pytest.fixture
def kept(tmp_path: Path, settings: Any) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path / "methods.json"


def not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(described, "_asked", lambda: pytest.fail("methods were asked"))


def test_what_is_kept_is_what_methods_say(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = described_methods()
    not_asked(monkeypatch)
    assert described_methods() == first == ASKED()
    assert len(first) == len(catalogue.MODULES)


@pytest.mark.parametrize("spoilt", ["", "[]", "{}", '{"sources": "another", "methods": []}'])
def test_what_is_no_list_of_this_code_is_made_again(kept: Path, spoilt: str) -> None:
    kept.write_text(spoilt, encoding="utf-8")
    assert described_methods() == ASKED()
    assert json.loads(kept.read_text(encoding="utf-8"))["methods"] == ASKED()


def test_a_change_of_any_source_file_or_of_the_version_changes_the_hash(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "analysis" / "methods").mkdir(parents=True)
    source = tmp_path / "analysis" / "methods" / "catalogue.py"
    hashes = []
    for text, seconds in (("a = 1\n", 1), ("a = 12\n", 1), ("a = 12\n", 2)):
        source.write_text(text, encoding="utf-8")
        os.utime(source, (seconds, seconds))
        hashes.append(sources_hash(tmp_path))
    source.rename(source.with_name("registry.py"))
    hashes.append(sources_hash(tmp_path))
    assert sources_hash(tmp_path) == hashes[-1]
    settings.CODE_VERSION = "another"
    hashes.append(sources_hash(tmp_path))
    assert len(set(hashes)) == 5


def test_methods_of_packages_are_always_asked(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described_methods()
    monkeypatch.setitem(catalogue.ADDED, "added", method_named("correlation"))
    assert len(described_methods()) == len(catalogue.MODULES) + 1


def test_a_list_that_cannot_be_kept_is_shown_all_the_same(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    settings.VAR_DIR = tmp_path / "file"
    assert described_methods() == ASKED()
