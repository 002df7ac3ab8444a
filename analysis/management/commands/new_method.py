"""`manage.py new_method NAME`: a method that runs and passes conformance, to be changed into what it should be."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from string import Template
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.methods import registry
from experiments.management.new_code import checked_name, with_line

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
        module, label = checked_name(
            slug,
            options["label"],
            kind="method",
            rooms=root / "analysis" / "methods",
            taken=registry.slugs(),
            skeletons=[SKELETONS / "method.py.txt", SKELETONS / "test.py.txt"],
        )
        words = {"slug": slug, "module": module, "function": module, "label": label}
        written = {
            root / "analysis" / "methods" / module / "method.py": "method.py.txt",
            root / "docs" / "methods" / f"{slug}.md": "method.md.txt",
            root / "tests" / "analysis" / module / f"test_{module}_equals_its_oracle.py": "test.py.txt",
        }
        taken = [path for path in written if path.exists()]
        if taken:
            raise CommandError(f"{taken[0]} is there already; nothing was written.")
        lines = _lines(root, words)
        for path, skeleton in written.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(Template((SKELETONS / skeleton).read_text("utf-8")).substitute(words), encoding="utf-8")
        package = root / "analysis" / "methods" / module / "__init__.py"
        package.write_text(f'"""{label}."""\n', encoding="utf-8")
        for path, text in lines.items():
            path.write_text(text, encoding="utf-8")
        for path in (*written, package):
            self.stdout.write(str(path.relative_to(root)))
        self.stdout.write(
            "and a line each in catalogue.py, docs/methods/README.md and the layers of pyproject.toml.\n"
            "Next: change what it computes, its page and its oracle. What it owes:\n"
            f"pytest tests/conformance tests/analysis/test_document_of_methods.py -k {slug}"
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
        root / "pyproject.toml": (
            r'(containers = \["analysis\.methods"\]\nexhaustive = true\nlayers = \[\n  ")',
            f"{module} : ",
        ),
    }
    return {
        path: with_line(path, path.read_text(encoding="utf-8"), after=after, line=line)
        for path, (after, line) in into.items()
    }
