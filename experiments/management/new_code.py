"""Code generation for `new_paradigm` and `new_method`: check names, add registry lines, write files."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template

from django.core.management.base import CommandError

_NOT_IN_LABELS = re.compile(r'["\\`|\[\]{}<>\x00-\x1f]')


def checked_name(
    slug: str, label: str, *, kind: str, rooms: Path, taken: Sequence[str], skeletons: Sequence[Path]
) -> tuple[str, str]:
    """Validate the name of a new paradigm or method (`kind`); return its module, to be created in `rooms`, and its
    label.

    The name may not be taken by Python, by a module of the folder, or by a name that the skeletons use. Raises
    CommandError with what to do, before anything is written.
    """
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", slug):
        raise CommandError(f"'{slug}' cannot be the name of a {kind}: use words in lower case joined by hyphens.")
    if slug in taken:
        raise CommandError(f"There is a {kind} '{slug}' already.")
    module, name = slug.replace("-", "_"), class_name(slug)
    if keyword.iskeyword(module) or keyword.issoftkeyword(module) or hasattr(builtins, module):
        raise CommandError(f"'{slug}' means something in Python; give the {kind} a longer name.")
    if (rooms / module).exists() or (rooms / f"{module}.py").exists():
        raise CommandError(f"'{module}' is in {rooms} already; give the {kind} another name.")
    if {module, name} & {used for path in skeletons for used in _names_in(path)}:
        raise CommandError(f"'{slug}' is a name that the new files use themselves; give the {kind} a longer name.")
    if _NOT_IN_LABELS.search(label):
        raise CommandError("A label is plain text in one line, without quotation marks, brackets and the like.")
    return module, label.strip() or slug.replace("-", " ").capitalize()


def _names_in(skeleton: Path) -> set[str]:
    """Return the names that a skeleton binds or uses: exact for a Python file, every word for any other file."""
    text = Template(skeleton.read_text(encoding="utf-8")).safe_substitute(function="_", name="_", module="_", slug="_")
    if not skeleton.name.endswith(".py.txt"):
        return set(re.findall(r"\b[A-Z]\w+", text))
    nodes = list(ast.walk(ast.parse(text)))
    names = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    imported = {alias.asname or alias.name for alias in names}
    return imported | {node.id for node in nodes if isinstance(node, ast.Name)}


def class_name(slug: str) -> str:
    """Return the name of the class.

    >>> class_name("self-paced-reading")
    'SelfPacedReading'
    """
    return slug.title().replace("-", "")


def with_line(path: Path, text: str, *, after: str, line: str) -> str:
    """Insert a line into the text of a file after what group 1 of `after` matches.

    Raises CommandError if the pattern does not match.
    """
    found = re.search(after, text, re.MULTILINE)
    if found is None:
        raise CommandError(f"{path} has another shape than expected; write this by hand: {line.strip()}")
    return text[: found.end(1)] + line + text[found.end(1) :]


def write(
    root: Path, skeletons: Mapping[Path, Path], *, words: Mapping[str, str], room: Path, lines: Mapping[Path, str]
) -> tuple[Path, ...]:
    """Write new code from its skeletons, make its folder a package, write `lines` (full texts of the registry files)
    and redraw the picture of the rooms. Return the new files.
    """
    for path, skeleton in skeletons.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template(skeleton.read_text(encoding="utf-8")).substitute(words), encoding="utf-8")
    package = room / "__init__.py"
    package.write_text(f'"""{words["label"]}."""\n', encoding="utf-8")
    for path, text in lines.items():
        path.write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "tests.architecture.drawing"], cwd=root, check=True)
    return (*skeletons, package)


def refuse_what_is_there(paths: Iterable[Path]) -> None:
    """Raise CommandError if one of the files already exists."""
    taken = [path for path in paths if path.exists()]
    if taken:
        raise CommandError(f"{taken[0]} is there already; nothing was written.")
