"""The files of both clients that are made of the declarations, and whether they are as they would be made now."""

from __future__ import annotations

from pathlib import Path

from .described import described
from .python import python_modules
from .r import R_FILE, with_operations

ROOT = Path(__file__).resolve().parents[3]
METHODS = ROOT / "config" / "packaging" / "lectern" / "client" / "operations"


def wanted() -> dict[Path, str]:
    """Return the files with their content."""
    from config.api.schema.document import document

    told = document()
    operations = described(told)
    modules = {METHODS / name: text for name, text in python_modules(operations, told).items()}
    return {**modules, R_FILE: with_operations(R_FILE.read_text(encoding="utf-8"), operations)}


def lacking() -> list[str]:
    """Return the files that are not as they would be made, or that nothing makes."""
    made = wanted()
    there = {*METHODS.glob("*.py"), *made}
    return sorted(
        str(path.relative_to(ROOT))
        for path in there
        if not path.is_file() or path.read_text(encoding="utf-8") != made.get(path)
    )


def write() -> None:
    """Write the files, and remove modules of subjects that there are no longer."""
    made = wanted()
    METHODS.mkdir(exist_ok=True)
    for path in set(METHODS.glob("*.py")) - set(made):
        path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
