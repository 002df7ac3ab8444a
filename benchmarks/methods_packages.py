"""What is loaded before anything is timed: loading packages counts on neither side of a comparison with R."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import scipy

from analysis.methods.source import imported

SCIPY_PART = re.compile(r"\bscipy\.([a-z]+)\b")


def load_packages() -> None:
    """Load what the methods imported so far load only when they run: what is imported within their functions, and the
    parts of SciPy, which it loads when each is first asked for."""
    for module in [module for name, module in sys.modules.items() if name.startswith("analysis.methods.")]:
        for name in imported(module.__name__):
            if name.partition(".")[0] != "analysis":
                import_module(name)
        for part in SCIPY_PART.findall(Path(str(module.__file__)).read_text(encoding="utf-8")):
            getattr(scipy, part, None)
    imported.cache_clear()  # reading the sources for the versions in a report is timed


def refuse_late(before: set[str]) -> None:
    """Raise RuntimeError where packages were loaded since `before`, so that loading them was part of what was timed."""
    late = sorted({name for name in {*sys.modules} - before if name.partition(".")[0] not in sys.stdlib_module_names})
    if late:
        raise RuntimeError(f"{len(late)} modules were loaded inside what is timed, the first of them {late[0]}.")
