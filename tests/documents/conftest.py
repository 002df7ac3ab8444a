"""The documents as a site, built where they have changed since."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import needs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of the site; a warning while it is built is an error."""
    if not needs.is_importable("mkdocs_autorefs"):
        needs.skip("MkDocs with its plugins", "make docs")
    finished = subprocess.run(["make", "--silent", "docs"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return ROOT / "site"
