"""A release is one folder that others can read and check: wheel, SBOM, notes, checksums."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from benchmarks.needs import Need
from tests import needs
from tests.packaging.serving import unreadable

ROOT = Path(__file__).resolve().parents[2]
_found = importlib.util.spec_from_file_location("release_files", ROOT / "config" / "packaging" / "release_files.py")
assert _found is not None
assert _found.loader is not None
release = importlib.util.module_from_spec(_found)
_found.loader.exec_module(release)
provenance = sys.modules["provenance"]

CHANGES = (
    "# Changelog\n\n## Unreleased\n\n{unreleased}\n"
    "## 2.0.0 – 2027-01-01\n\n### Added\n\n- A.\n\n## 1.0.0 – 2026\n\n- B.\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of version 2.0.0 with the real lock files."""
    (tmp_path / "frontend").mkdir()
    shutil.copy(ROOT / "requirements.lock", tmp_path)
    shutil.copy(ROOT / "frontend" / "package-lock.json", tmp_path / "frontend")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "2.0.0"\n', encoding="utf-8")
    changes(tmp_path, "")
    with zipfile.ZipFile(tmp_path / "lectern-2.0.0-py3-none-any.whl", "w") as archive:
        archive.writestr("lectern/__init__.py", "")
    return tmp_path


def changes(project: Path, unreleased: str) -> None:
    (project / "CHANGELOG.md").write_text(CHANGES.format(unreleased=unreleased), encoding="utf-8")


def made(project: Path, **options) -> Path:
    wheel = project / "lectern-2.0.0-py3-none-any.whl"
    folder: Path = release.release_files(wheel, into=project / "dist", root=project, **options)
    return folder


@pytest.fixture
def narrow():
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_everything_is_in_one_folder_and_everybody_may_read_it(project: Path, narrow) -> None:
    folder = made(project)
    assert folder.name == "release-2.0.0"
    names = {file.name for file in folder.iterdir()}
    assert names == {
        "lectern-2.0.0-py3-none-any.whl",
        "lectern-2.0.0.cdx.json",
        "lectern-2.0.0.provenance.json",
        "NOTES.md",
        "SHA256SUMS",
    }
    if os.name != "nt":
        assert folder.stat().st_mode & 0o777 == 0o755
        assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o644}


@needs.mark(Need("sha256sum", "apt-get install coreutils", lambda: shutil.which("sha256sum") is not None))
def test_the_checksums_are_those_of_every_other_file_and_a_changed_one_is_found(project: Path) -> None:
    folder = made(project)
    check = [str(shutil.which("sha256sum")), "--check", "SHA256SUMS"]
    said = subprocess.run(check, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert said.count(": OK\n") == 4
    for file in sorted(folder.iterdir()):
        if file.name != "SHA256SUMS":
            content = file.read_bytes()
            file.write_bytes(content + b" ")
            assert subprocess.run(check, cwd=folder, capture_output=True, check=False).returncode == 1, file.name
            file.write_bytes(content)


def test_the_bill_of_materials_is_valid_and_names_every_package_of_both_lock_files(project: Path) -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = (made(project) / "lectern-2.0.0.cdx.json").read_text(encoding="utf-8")
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    assert fault is None, str(fault)[:500]
    given = json.loads(text)
    found = {component["purl"]: component for component in given["components"]}
    locked = re.findall(
        r"^([a-zA-Z0-9_.-]+)(?:\[[^]]+\])?==(\S+)", (ROOT / "requirements.lock").read_text("utf-8"), re.M
    )
    assert len(locked) > 50
    packages = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    browser = {
        f"pkg:npm/{path.rpartition('node_modules/')[2].replace('@', '%40')}@{package['version']}": package
        for path, package in packages.items()
        if path
    }
    assert set(found) == {f"pkg:pypi/{name.lower()}@{version}" for name, version in locked} | set(browser)
    # What participants' browsers get is told from what only builds it.
    needed = {purl for purl, component in found.items() if component["scope"] == "required"}
    assert {purl for purl in needed if "npm" in purl} == {p for p, package in browser.items() if not package.get("dev")}
    assert any(purl.startswith("pkg:npm/jspsych@") for purl in needed)
    assert any(purl.startswith("pkg:pypi/django@") for purl in needed)
    hashed = [c.get("hashes") or c["externalReferences"][0]["hashes"] for c in found.values()]
    assert all(hashed)
    assert given["metadata"]["component"]["purl"] == "pkg:pypi/lectern@2.0.0"


def test_direct_dependencies_of_the_project_are_among_them() -> None:
    names = {component.name.lower() for component in release._python_packages(ROOT)}
    project = release.tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {Requirement(line).name.lower() for line in project["dependencies"]} <= names


def test_the_same_wheel_gives_the_same_files(project: Path) -> None:
    first = (made(project) / "SHA256SUMS").read_bytes()
    assert (made(project) / "SHA256SUMS").read_bytes() == first


def test_the_notes_are_the_section_of_the_version_alone(project: Path) -> None:
    notes = (made(project) / "NOTES.md").read_text(encoding="utf-8")
    assert notes == "# Lectern 2.0.0 – 2027-01-01\n\n### Added\n\n- A.\n"


def test_changes_that_the_notes_would_leave_out_are_refused_and_a_draft_takes_them(project: Path) -> None:
    changes(project, "- New.\n")
    with pytest.raises(release.NotReady, match="DRAFT=1"):
        made(project)
    assert not (project / "dist").exists()
    folder = made(project, draft=True)
    assert folder.name == "release-2.0.0-draft"
    assert (folder / "NOTES.md").read_text(encoding="utf-8") == "# Lectern 2.0.0, draft\n\n- New.\n"


def test_a_version_without_notes_and_a_wheel_of_another_version_are_refused(project: Path) -> None:
    with pytest.raises(release.NotReady, match="make wheel"):
        release.release_files(project / "lectern-1.0.0-py3-none-any.whl", into=project, root=project)
    (project / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n", encoding="utf-8")
    with pytest.raises(release.NotReady, match=r"## 2\.0\.0"):
        made(project)


def test_the_wheel_itself_has_files_that_everybody_may_read(tmp_path: Path, monkeypatch, narrow) -> None:
    """The build backend, on a project of a few files, under a umask that shuts others out."""
    for file in ("pyproject.toml", "LICENSE", "README.md", "manage.py"):
        shutil.copy(ROOT / file, tmp_path)
        (tmp_path / file).chmod(0o600)
    for built in ("frontend/dist/manifest.json", "site/index.html", "site/first-study/index.html"):
        (tmp_path / built).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / built).write_text("{}", encoding="utf-8")
    backend = ROOT / "config" / "packaging"
    monkeypatch.syspath_prepend(backend)
    monkeypatch.delitem(sys.modules, "lectern_wheel", raising=False)
    import lectern_wheel

    monkeypatch.setattr(lectern_wheel, "ROOT", tmp_path)
    for room in lectern_wheel.ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("", encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    wheel = out / lectern_wheel.build_wheel(str(out))
    assert wheel.stat().st_mode & 0o777 == 0o644
    assert unreadable(wheel) == []


def signing_key(project: Path, *, is_known: bool) -> Path:
    """Make a key; where it is known, its public half is among the signers of the project."""
    if shutil.which("ssh-keygen") is None:
        needs.skip("ssh-keygen of OpenSSH", "apt-get install openssh-client")
    key = project / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    kind, public = key.with_suffix(".pub").read_text(encoding="utf-8").split()[:2]
    signers = project / release.SIGNERS
    signers.parent.mkdir(parents=True)
    line = f'ada@example.org namespaces="lectern-release" {kind} {public}\n' if is_known else ""
    signers.write_text("# Who may sign.\n" + line, encoding="utf-8")
    return key


def is_signed(folder: Path, project: Path) -> bool:
    command = ["ssh-keygen", "-Y", "verify", "-f", str(project / release.SIGNERS), "-I", "ada@example.org",
               "-n", "lectern-release", "-s", str(folder / "SHA256SUMS.sig")]  # fmt: skip
    given = (folder / "SHA256SUMS").read_bytes()
    return subprocess.run(command, input=given, capture_output=True, check=False).returncode == 0


def test_checksums_are_signed_and_a_changed_list_is_found(project: Path) -> None:
    folder = made(project, key=signing_key(project, is_known=True))
    assert is_signed(folder, project)
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text(encoding="utf-8").replace("0", "1"), encoding="utf-8")
    assert not is_signed(folder, project)


def test_a_key_that_nobody_could_check_signs_nothing(project: Path) -> None:
    key = signing_key(project, is_known=False)
    with pytest.raises(release.NotReady, match="not in config/packaging/release_signers"):
        made(project, key=key)
    with pytest.raises(release.NotReady, match="ssh-keygen refused"):
        made(project, key=project / "pyproject.toml")
    assert not (project / "dist").exists()


def test_the_provenance_names_the_browser_code_and_what_decides_about_it(project: Path) -> None:
    wheel = project / "lectern-2.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("lectern/app/frontend/dist/assets/runner.js", "1")
    said = json.loads((made(project) / "lectern-2.0.0.provenance.json").read_text(encoding="utf-8"))
    assert said["predicateType"] == "https://slsa.dev/provenance/v1"
    subjects = {subject["name"]: subject["digest"]["sha256"] for subject in said["subject"]}
    assert set(subjects) == {wheel.name, f"{wheel.name}/frontend/dist/assets/runner.js"}
    assert subjects[wheel.name] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    needed = said["predicate"]["buildDefinition"]["resolvedDependencies"]
    lock = (project / "frontend" / "package-lock.json").read_bytes()
    assert {"name": "frontend/package-lock.json", "digest": {"sha256": hashlib.sha256(lock).hexdigest()}} in needed
    built = project / "built"
    (built / "assets").mkdir(parents=True)
    (built / "assets" / "runner.js").write_text("1", encoding="utf-8")
    assert provenance.differences(wheel, built) == []
    (built / "assets" / "runner.js").write_text("2", encoding="utf-8")
    (built / "more.js").write_text("", encoding="utf-8")
    assert provenance.differences(wheel, built) == [
        "frontend/dist/more.js was built and is not in the wheel.",
        "frontend/dist/assets/runner.js differs.",
    ]
