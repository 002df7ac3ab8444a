"""`manage.py new_method NAME`: generate the skeleton of a method, which runs and passes the conformance tests."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.methods import registry
from experiments.management.new_code import checked_name, refuse_what_is_there, with_line, write

SKELETONS = Path(__file__).resolve().parents[1] / "skeletons"


class Command(BaseCommand):
    help = "Write a new method, its test, its page and its lines in the catalogue and the index."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="its name as in 'analyse NAME': words in lower case joined by hyphens")
        parser.add_argument("--label", default="", help="what it is called on pages; the name, where nothing is given")
        parser.add_argument("--root", type=Path, default=settings.BASE_DIR, help="the checkout to write into")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, root = str(options["slug"]), Path(options["root"])
        if not (root / "pyproject.toml").is_file():
            raise CommandError(
                f"{root} is not a checkout of Lectern. Name one with --root, or write a package of your own, as "
                "docs/adding-a-method.md shows."
            )
        rooms = root / "analysis" / "methods"
        module, label = checked_name(
            slug,
            options["label"],
            kind="method",
            rooms=rooms,
            taken=registry.slugs(),
            skeletons=[SKELETONS / "method.py.txt", SKELETONS / "test.py.txt"],
        )
        words = {"slug": slug, "module": module, "function": module, "label": label}
        written = {
            rooms / module / "method.py": SKELETONS / "method.py.txt",
            root / "docs" / "methods" / f"{slug}.md": SKELETONS / "method.md.txt",
            root / "tests" / "analysis" / module / f"test_{module}_equals_its_oracle.py": SKELETONS / "test.py.txt",
        }
        refuse_what_is_there(written)
        lines = _lines(root, words)
        for path in write(root, written, words=words, room=rooms / module, lines=lines):
            self.stdout.write(str(path.relative_to(root)))
        self.stdout.write(
            "and a line each in catalogue.py, docs/methods/README.md, docs/architecture.md and the layers of "
            "pyproject.toml, and the picture of the rooms.\n"
            "Next: change what it computes, its page and its oracle. What it owes:\n"
            f"pytest tests/conformance tests/analysis/methods/test_document_of_methods.py -k {slug}"
        )


def _lines(root: Path, words: dict[str, str]) -> dict[Path, str]:
    """Return the files that name every method with the new one in them. Raises CommandError, with nothing written."""
    module, slug = words["module"], words["slug"]
    into = {
        root / "analysis" / "methods" / "catalogue.py": (
            r"(MODULES: dict\[str, str\] = \{\n(?:    .*\n)+)(?=\})",
            f'    "{slug}": "{module}.method",\n',
        ),
        root / "docs" / "methods" / "README.md": (
            r"((?:^\| `.*\|\n)+)",
            f"| `{slug}` | Which question does it answer? | [{words['label']}]({slug}.md) |\n",
        ),
        root / "docs" / "architecture.md": (
            r"(^### The rooms of `analysis/methods`\n(?:.*\n)*?\| room .*\n\|---.*\n(?:\| `.*\n)+)",
            f"| `{module}/` | {words['label'][0].lower()}{words['label'][1:]} |\n",
        ),
        root / "pyproject.toml": (
            r'(containers = \["analysis\.methods"\]\nexhaustive = true\nlayers = \[\n  ")',
            f"{module} : ",
        ),
    }
    return {
        path: with_line(path, path.read_text(encoding="utf-8"), after=after, line=line)
        for path, (after, line) in into.items()
    }
