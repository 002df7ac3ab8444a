"""Build backend of the wheel: one package `lectern` with the application folder, front end, documents and translations.

`pip wheel .` and `pip install .` come here through [build-system] in pyproject.toml; `make wheel` builds the front end
and the documents first. The folder is put together elsewhere and made into a wheel by flit, so nothing of the checkout is changed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ROOMS = ("analysis", "config", "experiments", "participants")
FRONTEND = Path("frontend", "dist")
DOCUMENTS = Path("site")
# What is built before, by the file that shows that it was: what it is called, and how to build it alone.
BUILT = {
    FRONTEND / "manifest.json": ("front end is", "npm ci && npm run build in frontend/"),
    DOCUMENTS / "index.html": ("documents are", "make docs"),
}
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "*.po", "packaging", ".*")


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Write the wheel and return its name. Raises SystemExit where the front end or the documents were not built."""
    for shown_by, (name, alone) in BUILT.items():
        if not (ROOT / shown_by).is_file():
            raise SystemExit(f"The {name} missing. Build everything first: make wheel, or this alone: {alone}.")
    from flit_core import buildapi

    target = Path(wheel_directory).resolve()
    with _put_together():
        name = str(buildapi.build_wheel(str(target)))
    # flit writes it for its owner alone; a wheel is handed on.
    (target / name).chmod(0o644)
    return name


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Refuse: a source archive would contain no built front end; use the repository instead."""
    raise SystemExit("There is no source archive of Lectern; build a wheel from the repository: make wheel")


@contextmanager
def _put_together() -> Iterator[None]:
    """Work in a folder that holds the package as it will be installed."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="lectern-wheel-") as name:
        folder = Path(name)
        for file in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copyfile(ROOT / file, folder / file)
        shutil.copytree(HERE / "lectern", folder / "lectern", ignore=LEFT_OUT)
        app = folder / "lectern" / "app"
        for room in ROOMS:
            shutil.copytree(ROOT / room, app / room, ignore=LEFT_OUT)
        for built in (FRONTEND, DOCUMENTS):
            shutil.copytree(ROOT / built, app / built)
        shutil.copyfile(ROOT / "manage.py", app / "manage.py")
        _compile_messages(app / "config" / "locale")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _compile_messages(folder: Path) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for source in sorted((ROOT / "config" / "locale").glob("*/LC_MESSAGES/django.po")):
        with source.open("rb") as file:
            catalogue = read_po(file)
        target = folder / source.relative_to(ROOT / "config" / "locale").with_suffix(".mo")
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            write_mo(file, catalogue, use_fuzzy=True)
