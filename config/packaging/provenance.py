"""Say of what a wheel was built: source, lock files, tools, and every file of the browser code in it.

    python config/packaging/provenance.py --check WHEEL

The statement is an in-toto statement with a predicate of SLSA provenance v1. Vite makes the same files of the same
sources, so others can build the browser code again: `--check` compares what is in `frontend/dist/` with the wheel.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# What decides which packages are used to build the wheel.
LOCK_FILES = ("requirements.lock", "frontend/package-lock.json", "pyproject.toml")
FRONTEND = "frontend/dist/"


def provenance(wheel: Path, root: Path = ROOT) -> str:
    """Return the statement about a wheel as JSON; the same wheel, sources and tools give the same text."""
    subjects = [{"name": wheel.name, "digest": {"sha256": _sha256(wheel.read_bytes())}}]
    subjects += [
        {"name": f"{wheel.name}/{name}", "digest": {"sha256": digest}} for name, digest in browser_code(wheel).items()
    ]
    commit, is_changed = _source(root)
    source: dict[str, Any] = {"uri": "git", "digest": {"gitCommit": commit}} if commit else {"uri": "folder"}
    lock_files = [
        {"name": name, "digest": {"sha256": _sha256((root / name).read_bytes())}}
        for name in LOCK_FILES
        if (root / name).is_file()
    ]
    made = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:lectern:make-wheel:1",
                "externalParameters": {"command": "make wheel"},
                "internalParameters": {"sourceHasChanges": is_changed, **_tools()},
                "resolvedDependencies": [source, *lock_files],
            },
            "runDetails": {"builder": {"id": "urn:lectern:make"}},
        },
    }
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def browser_code(wheel: Path) -> dict[str, str]:
    """Return the SHA-256 of every file of the built browser code in a wheel, by its place in `frontend/dist/`."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            FRONTEND + name.partition(FRONTEND)[2]: _sha256(archive.read(name))
            for name in sorted(archive.namelist())
            if FRONTEND in name and not name.endswith("/")
        }


def differences(wheel: Path, built: Path) -> list[str]:
    """Return a sentence for every file of the browser code that a wheel and a folder do not have alike."""
    inside = browser_code(wheel)
    there = {
        FRONTEND + path.relative_to(built).as_posix(): _sha256(path.read_bytes())
        for path in sorted(built.rglob("*"))
        if path.is_file()
    }
    lacking = [f"{name} is in the wheel and was not built." for name in inside if name not in there]
    more = [f"{name} was built and is not in the wheel." for name in there if name not in inside]
    other = [f"{name} differs." for name in inside if name in there and inside[name] != there[name]]
    return [*lacking, *more, *other]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _source(root: Path) -> tuple[str, bool]:
    """Return the commit, and whether something was changed since; none where the folder is no clone."""
    commit = _said("git", "-C", str(root), "rev-parse", "HEAD")
    return commit, bool(commit and _said("git", "-C", str(root), "status", "--porcelain", "--untracked-files=no"))


def _tools() -> dict[str, str]:
    tools = {"python": platform.python_version(), "node": _said("node", "--version"), "npm": _said("npm", "--version")}
    return {name: version for name, version in tools.items() if version}


def _said(*command: str) -> str:
    """Return what a command prints; nothing where it is not there or fails."""
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()


def main(arguments: list[str]) -> int:
    """Carry out the command line and return the exit code."""
    parser = argparse.ArgumentParser(description="Compare the browser code of a wheel with frontend/dist/.")
    parser.add_argument("--check", type=Path, metavar="WHEEL", required=True)
    given = parser.parse_args(arguments)
    if not given.check.is_file():
        sys.stderr.write(f"There is no file {given.check}.\n")
        return 1
    found = differences(given.check, ROOT / FRONTEND)
    for sentence in found:
        sys.stderr.write(f"{sentence}\n")
    if not found:
        sys.stdout.write(f"All {len(browser_code(given.check))} files of the browser code are those that were built.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
