"""What `new_paradigm` and `new_method` share: which names new code can have, and lines in files that name all of it."""

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
    """Return module and label of a new paradigm or method (`kind`) that is to become a room in `rooms`.

    The name may not be one of Python, of what stands in the folder, or of what the skeletons name themselves.
    Raises CommandError with what to do; nothing is written then.
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
    """Return the names that a skeleton binds or uses: of a Python file exactly, of another one every word in it."""
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
    """Return the text of a file with a line behind what `after` matches in its group 1.

    Raises CommandError where the file no longer has that shape.
    """
    found = re.search(after, text, re.MULTILINE)
    if found is None:
        raise CommandError(f"{path} has another shape than expected; write this by hand: {line.strip()}")
    return text[: found.end(1)] + line + text[found.end(1) :]


def write(
    root: Path, skeletons: Mapping[Path, Path], *, words: Mapping[str, str], room: Path, lines: Mapping[Path, str]
) -> tuple[Path, ...]:
    """Write the files of new code from their skeletons, its room as a package, and `lines`: whole texts of files that
    name all of it; draw the picture of the rooms anew. Return the files that are new."""
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
    """Raise CommandError where one of the files is there already."""
    taken = [path for path in paths if path.exists()]
    if taken:
        raise CommandError(f"{taken[0]} is there already; nothing was written.")
