"""What methods declare, kept from one command to the next: importing all of them with pandas takes half a second."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings

from analysis.methods import catalogue
from experiments.loading import loading
from experiments.whole_files import NotWritten, write_whole

# Declarations take names and limits from these, so a change in any of them may change what is said.
SOURCES = ("analysis", "experiments")


def described_methods() -> list[dict[str, Any]]:
    """Return every method with its parameters as plain values.

    They are asked again once a source file or the version of the platform has changed, and always where packages add
    methods.
    """
    if catalogue.offered() or catalogue.ADDED:
        return _asked()
    kept, sources = Path(settings.VAR_DIR) / "methods.json", sources_hash(Path(settings.BASE_DIR))
    with suppress(OSError, ValueError, KeyError, TypeError):
        said = json.loads(kept.read_text(encoding="utf-8"))
        if said["sources"] == sources:
            methods: list[dict[str, Any]] = said["methods"]
            return methods
    methods = _asked()
    with suppress(NotWritten):  # then they are asked next time as well
        write_whole(kept, json.dumps({"sources": sources, "methods": methods}, ensure_ascii=False))
    return methods


def sources_hash(root: Path) -> str:
    """Return a hash of the version and of the names, sizes and times of all source files; no file is read."""
    digest = hashlib.sha256(settings.CODE_VERSION.encode())
    for path in sorted(path for app in SOURCES for path in (root / app).rglob("*.py")):
        about = path.stat()
        digest.update(f"\0{path.relative_to(root)}\0{about.st_size}\0{about.st_mtime_ns}".encode())
    return digest.hexdigest()


def _asked() -> list[dict[str, Any]]:
    with loading():
        from analysis.methods import registry  # pandas with it, and all methods once they are asked for

        return [
            {
                "method": method.slug,
                "label": method.label,
                "summary": method.summary,
                "parameters": [
                    {
                        "name": parameter.name,
                        "label": parameter.label,
                        "kind": parameter.kind,
                        "help": parameter.help,
                        "default": list(parameter.default)
                        if isinstance(parameter.default, tuple)
                        else parameter.default,
                        "required": parameter.required,
                        "choices": list(parameter.choices),
                        "role": parameter.role,
                        "also": list(parameter.also),
                    }
                    for parameter in method.parameters
                ],
            }
            for method in registry.analyses().values()
        ]
