"""Which long rehearsals are due: those whose files are not the ones that were rehearsed last.

`python -m tests.rehearsed due NAME` says whether the rehearsal `NAME` runs in full or in short form, and ends with 0
where it is due and with 1 where it is not. `python -m tests.rehearsed write` notes that all went well with the files as
they are; `make release` does so. `tests/rehearsed.json` holds a hash of what was rehearsed, for each rehearsal.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTED = Path(__file__).with_suffix(".json")

# On which files a rehearsal rests, as patterns of git, and what stays of it where they have not changed.
RESTS_ON: dict[str, tuple[str, ...]] = {
    "deployment": (
        "Dockerfile", "docker-compose.yml", "requirements.lock", "config/*.py", "config/sqlite", "tests/deployment",
        "frontend/package-lock.json", "frontend/vite.config.ts",
    ),
    "upgrade": (
        "*/migrations/*.py", "*/models/*.py", "participants/backups", "participants/erasure", "config/databases.py",
        "requirements.lock", "tests/upgrade", "tests/backups", ".ci/rehearse",
    ),
}  # fmt: skip
SHORT_FORM = {
    "deployment": "make test holds tests/deployment.",
    "upgrade": "make test migrates an empty database and reads backups.",
}


def files_of(name: str, folder: Path = ROOT) -> list[str]:
    """Return the files on which a rehearsal rests, as paths within the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *RESTS_ON[name]], cwd=folder, capture_output=True, text=True, check=True
    )
    return sorted(path for path in listed.stdout.split("\0") if path)


def hash_of(name: str, folder: Path = ROOT) -> str:
    """Return one hash of the names and contents of the files on which a rehearsal rests."""
    digest = hashlib.sha256()
    for path in files_of(name, folder):
        content = folder / path
        digest.update(f"{path}\0{hashlib.sha256(content.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def is_due(name: str, folder: Path = ROOT, noted: Path = NOTED) -> bool:
    """Say whether the files of a rehearsal have changed since it went well; always with EXHAUSTIVE set."""
    known = json.loads(noted.read_text(encoding="utf-8")) if noted.is_file() else {}
    return bool(os.environ.get("EXHAUSTIVE")) or known.get(name) != hash_of(name, folder)


def main(arguments: list[str]) -> int:
    """Do what the command line says and return its exit status."""
    match arguments:
        case ["due", name] if name in RESTS_ON:
            if is_due(name):
                sys.stdout.write(f"In full: files of the rehearsal '{name}' changed since the last release.\n")
                return 0
            sys.stdout.write(
                f"In short form: no file of the rehearsal '{name}' changed since the last release; {SHORT_FORM[name]}\n"
            )
            return 1
        case ["write"]:
            NOTED.write_text(json.dumps({name: hash_of(name) for name in RESTS_ON}, indent=2) + "\n", encoding="utf-8")
            return 0
    sys.stderr.write(f"Say 'due' and one of {', '.join(RESTS_ON)}, or 'write'.\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
