"""docs/methods/README.md leads to every registered method, and every method has a page that names its parameters."""

import re
from pathlib import Path

import pytest

from analysis.methods import registry

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "methods"


def index() -> dict[str, str]:
    """Return the pages that the index leads to, by method."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([\w-]+)` \| [^|]+ \| \[[^\]]+\]\(([\w-]+\.md)\) \|$", text, re.MULTILINE))


def test_the_index_has_one_line_for_every_registered_method_in_their_order():
    assert list(index()) == list(registry.analyses())


def test_every_link_of_the_index_leads_somewhere():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    targets = {target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text)}
    assert targets >= set(index().values())
    assert [target for target in targets if not (FOLDER / target).is_file()] == []


@pytest.mark.parametrize("slug", list(registry.analyses()))
def test_the_page_of_a_method_names_its_required_parameters_and_its_command(slug):
    page = (FOLDER / index()[slug]).read_text(encoding="utf-8")
    assert f"analyse {slug}" in page
    required = [parameter.name for parameter in registry.analyses()[slug].parameters if parameter.required]
    assert [name for name in required if f"`{name}`" not in page] == []


@pytest.mark.parametrize("page", sorted(set(index().values())))
def test_commands_on_exported_codings_and_pairs_name_columns_that_these_have(page):
    exports = (FOLDER.parent / "exports.md").read_text(encoding="utf-8")
    commands = re.findall(r"--data (?:codings|pairs)\.csv (.+)", (FOLDER / page).read_text(encoding="utf-8"))
    given = [given for command in commands for given in re.findall(r"\b(?:x|y|unit|codes?)=([\w,]+)", command)]
    columns = [column for names in given for column in names.split(",") if not column.startswith("code_")]
    assert [column for column in columns if f"| `{column}` |" not in exports] == []
