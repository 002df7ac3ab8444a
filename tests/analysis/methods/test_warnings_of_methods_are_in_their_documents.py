"""The documents of methods list their warnings in the words in which reports say them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
METHODS = ROOT / "analysis" / "methods"
DOCUMENTS = ROOT / "docs" / "methods"
# Where the words of a method's warnings are written, and the names of the lists that hold them.
SOURCES = {
    "agreement": ["codes/agreement.py", "codes/agreement_report.py", "codes/intraclass.py", "codes/columns.py"],
    "bayes-factor": ["conditions/bayes_factors.py", "conditions/assumptions.py", "conditions/designs.py"],
    "consistency": ["reported/consistency_wording.py", "reported/consistency_checks.py"],
    "equivalence": ["conditions/equivalence.py", "conditions/assumptions.py", "conditions/designs.py"],
    "overlap": ["overlap/wording.py", "overlap/system_outputs.py", "rows/repeats.py"],
}
LISTS = {"warnings", "said"}


def text_of(node: ast.AST) -> str:
    """Return a text as it is written, `\0` where a value is put in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "\0"


def texts_in(tree: ast.AST) -> list[str]:
    return [text_of(node) for node in ast.walk(tree) if isinstance(node, (ast.JoinedStr, ast.Constant))]


def appended(tree: ast.AST) -> list[str]:
    """Return the texts that are appended to a list of warnings."""
    return [
        text_of(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in LISTS
        and isinstance(node.args[0], (ast.JoinedStr, ast.Constant))
    ]


def quoted(method: str) -> list[str]:
    """Return the words of warnings that the document of a method quotes."""
    text = (DOCUMENTS / f"{method}.md").read_text(encoding="utf-8")
    table = text.partition("## What the warnings mean")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert cells, method
    return [words.strip(" …") for cell in cells for words in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("method", SOURCES)
def test_what_a_document_quotes_is_said_by_the_method(method: str) -> None:
    texts = "\n".join(
        text for path in SOURCES[method] for text in texts_in(ast.parse((METHODS / path).read_text(encoding="utf-8")))
    )
    assert [words for words in quoted(method) if words not in texts] == []


@pytest.mark.parametrize("method", SOURCES)
def test_every_warning_of_the_method_is_quoted_by_its_document(method: str) -> None:
    known = quoted(method)
    said = [
        text for path in SOURCES[method] for text in appended(ast.parse((METHODS / path).read_text(encoding="utf-8")))
    ]
    assert [text for text in said if not any(words in text for words in known)] == []
