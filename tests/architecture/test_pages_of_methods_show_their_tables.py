"""The tables on the page of a method are those that it declares."""

from analysis.methods import registry
from tests.architecture.tables_of_methods import PART, pages, with_tables


def test_no_page_is_out_of_date() -> None:
    found = pages()
    assert found
    old = [page.name for page, text in found.items() if page.read_text(encoding="utf-8") != text]
    assert not old, f"{old} are out of date: python -m tests.architecture.tables_of_methods"


def test_a_page_that_says_something_else_is_made_anew() -> None:
    method = registry.method_named("signal-detection")
    page = with_tables("# Signal detection\n", method)
    spoilt = page.replace("| `hits` |", "| `hit` |")
    assert spoilt != page
    assert with_tables(spoilt, method) == page
    assert len(PART.findall(page)) == 1
