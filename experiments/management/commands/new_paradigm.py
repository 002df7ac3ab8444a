"""`manage.py new_paradigm NAME`: generate the skeleton of a paradigm, which runs and passes the conformance tests."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from experiments.management.new_code import checked_name, class_name, refuse_what_is_there, with_line, write
from experiments.paradigms import PARADIGMS

SKELETONS = Path(__file__).resolve().parents[1] / "skeletons"


class Command(BaseCommand):
    help = "Write a new paradigm: its class, its plugin, an example, a page and the lines by which they are found."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="its name in files and addresses: words in lower case joined by hyphens")
        parser.add_argument("--label", default="", help="what it is called on pages; the name, where nothing is given")
        parser.add_argument("--root", type=Path, default=settings.BASE_DIR, help="the checkout to write into")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, root = str(options["slug"]), Path(options["root"])
        if not (root / "pyproject.toml").is_file() or not (root / "frontend" / "src").is_dir():
            raise CommandError(
                f"{root} is not a checkout of Lectern. Name one with --root, or write a package of your own, as "
                "docs/adding-a-paradigm.md shows."
            )
        rooms = root / "experiments" / "paradigms"
        module, label = checked_name(
            slug,
            options["label"],
            kind="paradigm",
            rooms=rooms,
            taken=[paradigm.slug for paradigm in PARADIGMS],
            skeletons=[SKELETONS / "paradigm.py.txt", SKELETONS / "plugin.ts.txt"],
        )
        words = {"slug": slug, "module": module, "label": label, "name": class_name(slug)}
        example = root / "experiments" / "examples" / f"{slug}-example"
        written = {
            rooms / module / "paradigm.py": SKELETONS / "paradigm.py.txt",
            root / "frontend" / "src" / "plugins" / slug / "index.ts": SKELETONS / "plugin.ts.txt",
            example / "study.toml": SKELETONS / "study.toml.txt",
            example / "materials.csv": SKELETONS / "materials.csv.txt",
            root / "docs" / f"{slug}.md": SKELETONS / "page.md.txt",
        }
        refuse_what_is_there(written)
        lines = _lines(root, words)
        for path in write(root, written, words=words, room=rooms / module, lines=lines):
            self.stdout.write(str(path.relative_to(root)))
        self.stdout.write(
            f"and lines in {', '.join(str(path.relative_to(root)) for path in lines)}, and the picture of the rooms.\n"
            "Next: change what it asks, its page and its example, and write texts of its own for participants. What it "
            f"owes:\npytest tests/conformance/test_every_paradigm.py -k {slug}\n"
            "Browsers get its plugin once the front end is built; then they answer it too:\n"
            f"make setup && pytest tests/contract -k {slug}"
        )


def _lines(root: Path, words: dict[str, str]) -> dict[Path, str]:
    """Return the files that register paradigms, with the new one added. Raises CommandError before anything is
    written.
    """
    module, name, slug = words["module"], words["name"], words["slug"]
    into = {
        root / "experiments" / "paradigms" / "__init__.py": (
            (r"(^MODULES: tuple\[str, \.\.\.\] = \(\n(?:    [^\n]*\n)+)(?=\))", f'    "{module}.paradigm:{name}",\n'),
        ),
        root / "frontend" / "src" / "session" / "registry.ts": (
            (r"(const LOADERS: [^\n]*\n(?:  [^\n]*\n)+)(?=\};)", f'  "{slug}": () => import("../plugins/{slug}"),\n'),
        ),
        root / "pyproject.toml": (
            (
                r'(containers = \["experiments\.paradigms"\]\nexhaustive = true\nlayers = \[\n  ")',
                f"{module} | ",
            ),
        ),
        root / "docs" / "README.md": (
            (r"(^- \[Self-paced reading\]\(self-paced-reading\.md\)[^\n]*\n)", f"- [{words['label']}]({slug}.md)\n"),
        ),
        root / "mkdocs.yml": ((r"(^      - self-paced-reading\.md\n)", f"      - {slug}.md\n"),),
        root / "tests" / "contract" / "test_timeline_to_browser_to_validation.py": (
            (
                r"(^STUDIES: [^\n]*\n(?:    [^\n]*\n)+)(?=\})",
                f'    "{slug}": ContractStudy(\n        partial(write_example, name="{slug}-example"),\n'
                f'        texts=4,\n        is_right=lambda measures: measures["answer"] in ("yes", "no"),\n    ),\n',
            ),
        ),
    }
    changed = {}
    for path, additions in into.items():
        text = path.read_text(encoding="utf-8")
        for after, line in additions:
            text = with_line(path, text, after=after, line=line)
        changed[path] = text
    return changed
