"""`manage.py new_method NAME`: a method that runs and passes conformance, to be changed into what it should be."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from pathlib import Path
from string import Template
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.methods import registry

SKELETONS = Path(__file__).resolve().parents[1] / "skeletons"


class Command(BaseCommand):
    help = "Write a new method, its test, its page and its lines in the catalogue and the index."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="its name as in 'analyse NAME': words in lower case joined by hyphens")
        parser.add_argument("--label", default="", help="what it is called on pages; the name, where nothing is given")
        parser.add_argument("--root", type=Path, default=settings.BASE_DIR, help="the checkout to write into")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, root = str(options["slug"]), Path(options["root"])
        if not re.fullmatch(r"[a-z]+(-[a-z]+)*", slug):
            raise CommandError(f"'{slug}' cannot be the name of a method: use words in lower case joined by hyphens.")
        if not (root / "pyproject.toml").is_file():
            raise CommandError(
                f"{root} is not a checkout of Lectern. Name one with --root, or write a package of your own, as "
                "docs/adding-a-method.md shows."
            )
        if slug in registry.slugs():
            raise CommandError(f"There is a method '{slug}' already.")
        module = slug.replace("-", "_")
        words = {
            "slug": slug,
            "module": module,
            "function": module,
            "label": options["label"] or slug.replace("-", " ").capitalize(),
        }
        written = {
            root / "analysis" / "methods" / module / "method.py": "method.py.txt",
            root / "docs" / "methods" / f"{slug}.md": "method.md.txt",
            root / "tests" / "analysis" / module / f"test_{module}_equals_its_oracle.py": "test.py.txt",
        }
        taken = [path for path in written if path.exists()]
        if taken:
            raise CommandError(f"{taken[0]} is there already; nothing was written.")
        for path, skeleton in written.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(Template((SKELETONS / skeleton).read_text("utf-8")).substitute(words), encoding="utf-8")
        package = root / "analysis" / "methods" / module / "__init__.py"
        package.write_text(f'"""{words["label"]}."""\n', encoding="utf-8")
        _append(
            root / "analysis" / "methods" / "catalogue.py",
            after=r"(MODULES: dict\[str, str\] = \{\n(?:    .*\n)+)(?=\})",
            line=f'    "{slug}": "{module}.method",\n',
        )
        _append(
            root / "docs" / "methods" / "README.md",
            after=r"((?:^\| `.*\|\n)+)",
            line=f"| `{slug}` | Which question does it answer? | [{words['label']}]({slug}.md) |\n",
        )
        _append(
            root / "pyproject.toml",
            after=r'(containers = \["analysis\.methods"\]\nexhaustive = true\nlayers = \[\n  ")',
            line=f"{module} : ",
        )
        for path in (*written, package):
            self.stdout.write(str(path.relative_to(root)))
        self.stdout.write(
            "and a line each in catalogue.py, docs/methods/README.md and the layers of pyproject.toml.\n"
            "Next: change what it computes, its page and its oracle. What it owes:\n"
            f"pytest tests/conformance tests/analysis/test_document_of_methods.py -k {slug}"
        )


def _append(path: Path, *, after: str, line: str) -> None:
    """Write a line behind what `after` matches. Raises CommandError where the file no longer has that shape."""
    text = path.read_text(encoding="utf-8")
    found = re.search(after, text, re.MULTILINE)
    if found is None:
        raise CommandError(f"{path} has another shape than expected; write this by hand: {line.strip()}")
    path.write_text(text[: found.end(1)] + line + text[found.end(1) :], encoding="utf-8")
