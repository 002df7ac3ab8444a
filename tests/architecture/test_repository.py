"""What the repository as a whole promises: lock files without addresses, documents whose links lead somewhere."""

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/**/*.md") for path in ROOT.glob(pattern))


@pytest.mark.parametrize("name", ["requirements.lock", "tests/requirements.lock", "docs/requirements.lock"])
def test_a_python_lock_file_holds_versions_and_hashes_but_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    packages = re.findall(r"^([a-z0-9._-]+)(?:\[[a-z0-9, _-]+\])?==\S+", text, flags=re.MULTILINE)
    assert len(packages) > 25
    assert text.count("--hash=sha256:") >= len(packages)
    assert "://" not in text


@pytest.mark.parametrize("name", ["requirements.lock", "tests/requirements.lock"])
def test_a_python_lock_file_names_the_extras_that_are_asked_for(name: str) -> None:
    """Else older pips look for the newest release of such a package, which has no hash here, and refuse it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    locked = {
        canonicalize_name(package): set(filter(None, extras.replace(" ", "").split(",")))
        for package, extras in re.findall(r"^([a-z0-9._-]+)(?:\[([^\]]*)\])?==", text, flags=re.MULTILINE)
    }
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    asked = [Requirement(entry) for entry in declared]
    asked += [
        requirement
        for package in locked
        for requirement in _requirements_of_installed(package)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    ]
    missing = [
        str(requirement)
        for requirement in asked
        if canonicalize_name(requirement.name) in locked
        and not requirement.extras <= locked[canonicalize_name(requirement.name)]
    ]
    assert missing == []
    assert any(locked.values())


def _requirements_of_installed(package: str) -> list[Requirement]:
    try:
        return [Requirement(entry) for entry in importlib.metadata.requires(package) or []]
    except importlib.metadata.PackageNotFoundError:  # locked for another system
        return []


def test_the_lock_file_of_the_front_end_holds_no_addresses() -> None:
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert len(packages) > 20
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    assert [name for name, entry in packages.items() if "integrity" not in entry and not entry.get("inBundle")] == []


def test_every_dependency_of_the_platform_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8").lower()
    names = [re.split(r"[\[~<>=!]", entry)[0].lower() for entry in project["project"]["dependencies"]]
    assert [name for name in names if not re.search(rf"^{re.escape(name)}(\[|==)", locked, flags=re.MULTILINE)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_between_documents_leads_to_a_file(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []
