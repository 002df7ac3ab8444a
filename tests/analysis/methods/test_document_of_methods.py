"""docs/methods/README.md leads to every registered method, and every method has a page that names its parameters.

What a method still owes its readers is said in words, so that whoever adds one need not read this test.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from analysis.methods import registry
from analysis.methods.catalogue import MODULES

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "methods"


def index() -> dict[str, str]:
    """Return the pages that the index leads to, by method."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([\w-]+)` \| [^|]+ \| \[[^\]]+\]\(([\w-]+\.md)\) \|$", text, re.MULTILINE))


def owed(slug: str, *, pages: dict[str, str], required: Sequence[str], folder: Path = FOLDER) -> list[str]:
    """Return one sentence for each thing that the documentation of a method still lacks."""
    name = pages.get(slug)
    if name is None:
        line = f"| `{slug}` | <the question that it answers> | [<its title>]({slug}.md) |"
        sentences = [f"a line in docs/methods/README.md, at its place in the order of the catalogue: {line}"]
        name = f"{slug}.md"
    else:
        sentences = []
    page = folder / name
    if not page.is_file():
        return [*sentences, f"a page docs/methods/{name}: its question, columns, parameters, formula, source, tables"]
    text = page.read_text(encoding="utf-8")
    if f"analyse {slug}" not in text:
        sentences.append(f"a command in docs/methods/{name} that begins with `analyse {slug}`")
    lacking = [parameter for parameter in required if f"`{parameter}`" not in text]
    return [*sentences, *(f"a word about the parameter `{parameter}` in docs/methods/{name}" for parameter in lacking)]


def test_the_index_lists_methods_in_the_order_in_which_they_are_offered():
    known = list(index())
    assert known == [slug for slug in MODULES if slug in known], (
        "docs/methods/README.md lists methods in another order than the catalogue, or some that do not exist (any more)"
    )


def test_every_link_of_the_index_leads_somewhere():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    targets = {target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text)}
    assert targets >= set(index().values())
    assert [target for target in targets if not (FOLDER / target).is_file()] == []


@pytest.mark.parametrize("slug", list(MODULES))  # a method of another package is described there
def test_a_method_has_its_line_and_a_page_that_names_its_required_parameters_and_its_command(slug):
    required = [parameter.name for parameter in registry.method_named(slug).parameters if parameter.required]
    lacking = owed(slug, pages=index(), required=required)
    assert not lacking, f"{slug} still owes:\n" + "\n".join(f"- {sentence}" for sentence in lacking)


def test_a_newcomer_reads_what_it_owes(tmp_path):
    line, page = owed("median-split", pages={}, required=["y"], folder=tmp_path)
    assert "| `median-split` |" in line
    assert "docs/methods/README.md" in line
    assert "docs/methods/median-split.md" in page
    (tmp_path / "median-split.md").write_text("# Median split\n", encoding="utf-8")
    command, parameter = owed(
        "median-split", pages={"median-split": "median-split.md"}, required=["y"], folder=tmp_path
    )
    assert "`analyse median-split`" in command
    assert "`y`" in parameter


@pytest.mark.parametrize("page", sorted(set(index().values())))
def test_commands_on_exported_codings_and_pairs_name_columns_that_these_have(page):
    exports = (FOLDER.parent / "exports.md").read_text(encoding="utf-8")
    commands = re.findall(r"--data (?:codings|pairs)\.csv (.+)", (FOLDER / page).read_text(encoding="utf-8"))
    given = [given for command in commands for given in re.findall(r"\b(?:x|y|unit|codes?)=([\w,]+)", command)]
    columns = [column for names in given for column in names.split(",") if not column.startswith("code_")]
    assert [column for column in columns if f"| `{column}` |" not in exports] == []
